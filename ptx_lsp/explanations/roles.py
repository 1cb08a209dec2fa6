"""The purpose of operands, if the name of their role in the manual does not say it: one row each, in our words."""

_ROWS = """
cache-policy        *                      cache policy, made by `createpolicy`
membermask          *                      a bit for each lane of the warp that takes part
ctaMask             *                      a bit for each addressed CTA of the cluster, by its rank
mbar                *                      the mbarrier that counts the completion
mbar                clusterlaunchcontrol   the mbarrier that counts the answer
addr                mbarrier               the mbarrier
state               mbarrier               the phase of the mbarrier, as an arrival returned it
phaseParity         mbarrier               parity of the phase: 0 for even phases, 1 for odd ones
timeHint            mbarrier               time limit of the wait in nanoseconds
waitComplete        mbarrier               true where the phase is complete
txCount             mbarrier               number of bytes, or of the other units of the transaction count
count               mbarrier.init          number of arrivals that each phase waits for
count               mbarrier               number of arrivals
tensorMap           *                      the tensor map
tensorCoords        *                      coordinates of the box, the innermost dimension first
im2colInfo          *                      offsets of the im2col mode
size                cp                     number of bytes, a multiple of 16
src-size            cp.async               number of bytes that are read, the rest is filled with zeros
ignore-src          cp.async               where true, nothing is read and zeros are written
byteMask            *                      a bit for each byte of 16 that is copied
N                   *                      at most this many of the latest groups may stay pending
a-desc              *                      matrix descriptor of A in shared memory
b-desc              *                      matrix descriptor of B in shared memory
s-desc              tcgen05                matrix descriptor of the source in shared memory
idesc               tcgen05                instruction descriptor: shape, types and layouts
d-tmem              tcgen05                matrix D in tensor memory
a-tmem              tcgen05                matrix A in tensor memory
sp-meta-tmem        tcgen05                sparsity metadata in tensor memory
scale-A-tmem        tcgen05                scale factors of A in tensor memory
scale-B-tmem        tcgen05                scale factors of B in tensor memory
enable-input-d      tcgen05                false: D = A * B; true: D = A * B + D
scale-input-d       tcgen05                D is first multiplied by 2 to the power of minus this
disable-output-lane tcgen05                a bit for each lane of tensor memory that is not written
taddr               tcgen05                address in tensor memory
nCols               tcgen05                number of columns
immHalfSplitoff     tcgen05                column offset of the second half of the lanes
scale-d             wgmma                  false: D = A * B; true: D = A * B + D
imm-scale-a         wgmma                  -1 negates A, 1 keeps it
imm-scale-b         wgmma                  -1 negates B, 1 keeps it
imm-trans-a         wgmma                  1 transposes A (reads it M-major), 0 does not
imm-trans-b         wgmma                  1 transposes B (reads it N-major), 0 does not
sp-meta             wgmma                  sparsity metadata
sp-sel              wgmma                  which threads hold the sparsity metadata
e                   mma                    sparsity metadata
f                   mma                    sparsity selector: which threads hold the metadata
scale-a-data        mma                    scale factors of A
scale-b-data        mma                    scale factors of B
byte-id-a           mma                    which byte of `scale-a-data`
byte-id-b           mma                    which byte of `scale-b-data`
thread-id-a         mma                    which threads of each four give `scale-a-data`
thread-id-b         mma                    which thread of each four gives `scale-b-data`
stride              wmma                   elements from one row (or column) to the next
immLut              lop3                   lookup table: the result for each combination of the bits of `a`, `b`, `c`
imm-reg-count       setmaxnreg             registers for each thread
rbits               cvt                    random bits for the rounding
scale-factor        cvt                    scale factor, a power of two
e                   tex                    offset of the coordinates
f                   tex                    depth to compare with
e                   tld4                   offset of the coordinates
f                   tld4                   depth to compare with
t                   nanosleep              nanoseconds
a                   bar                    number of the barrier
a                   barrier                number of the barrier
b                   bar                    number of threads that take part, a multiple of the warp size
b                   barrier                number of threads that take part, a multiple of the warp size
b                   shfl.sync              lane, lane mask or lane offset
c                   shfl.sync              clamp value in bits 0 to 4, segment mask in bits 8 to 12
b                   shfl                   lane, lane mask or lane offset
c                   shfl                   clamp value in bits 0 to 4, segment mask in bits 8 to 12
c                   prmt                   selector: the source of each byte of the result
b                   bfe                    position of the field, its lowest bit
c                   bfe                    number of bits of the field
c                   bfi                    position of the field, its lowest bit
d                   bfi                    number of bits of the field
tgt                 bra                    label of the next statement to execute
index               brx                    which of the labels, counted from 0
tlist               brx                    the list of labels
"""

_MEANINGS: dict[tuple[str, str], str] = {
    (role, where): meaning for role, where, meaning in (row.split(None, 2) for row in _ROWS.strip().splitlines())
}


def role_meaning(role: str, names: tuple[str, ...]) -> str:
    """The purpose of an operand in the instruction with these names (`cp.async.bulk`); empty if there is no row.

    The row with the longest name that begins one of the names has priority, then the row for every instruction.
    """
    for name in names:
        words = name.split(".")
        for length in range(len(words), 0, -1):
            if meaning := _MEANINGS.get((role, ".".join(words[:length]))):
                return meaning
    return _MEANINGS.get((role, "*"), "")
