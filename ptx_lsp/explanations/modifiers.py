"""The meanings of modifiers, one row each, in our words, with the edge cases.

A row that begins with an opcode (`atom.and`) is about that modifier of that opcode alone. The titles of fixes have
shorter texts, which continue a sentence: `fixes/meanings.py`.
"""

import re

from ptx_lsp.isa.spaces import SPACES
from ptx_lsp.isa.types import TYPES
from ptx_lsp.isa.vector_counts import SHAPE

_ROWS = """
.ftz        flushes subnormal inputs and results of `.f32` to zero, keeping their sign
.sat        saturates: a float is clamped to [0.0, 1.0] and NaN becomes 0.0, an integer to the range of its type
.rn         rounds to the nearest value, ties to even
.rna        rounds to the nearest value, ties away from zero
.rz         rounds towards zero
.rm         rounds towards minus infinity
.rp         rounds towards plus infinity
.rs         rounds stochastically, with random bits from an operand
.rni        rounds to the nearest integer, ties to even
.rzi        rounds to an integer towards zero, as a C cast does
.rmi        rounds to an integer towards minus infinity, as floor does
.rpi        rounds to an integer towards plus infinity, as ceil does
.approx     a fast approximation
.full       a fast approximation over the whole range of exponents, up to 2 ulp off
.relu       negative results become 0, NaN becomes the canonical NaN
.NaN        a NaN operand makes the result NaN; without it, NaN operands are ignored
.satfinite  what is beyond the largest finite value becomes that value, not infinity
mma.satfinite   a sum beyond the range of its type is clamped to it; without this it wraps around
wmma.satfinite  a sum beyond the range of its type is clamped to it
wgmma.satfinite a sum beyond the range of its type is clamped to it; without this it wraps around
.oob        the result is 0 where an operand is the NaN that tensor copies write for elements out of bounds
.lo         the low half of the product (or, of a comparison, unsigned less than)
.hi         the high half of the product (or, of a comparison, unsigned greater than)
.wide       the whole product, twice as wide as the operands
mul24.lo    the low 32 bits of the 48-bit product
mul24.hi    the high 32 bits of the 48-bit product
mad24.lo    the low 32 bits of the 48-bit product
mad24.hi    the high 32 bits of the 48-bit product
dp2a.lo     takes the two low bytes of `b`
dp2a.hi     takes the two high bytes of `b`
.cc         writes the carry flag, which `addc`, `subc` and `madc` read
.eq         equal; false where an operand is NaN
.ne         not equal; false where an operand is NaN
.lt         less than; false where an operand is NaN
.le         less than or equal; false where an operand is NaN
.gt         greater than; false where an operand is NaN
.ge         greater than or equal; false where an operand is NaN
.ls         unsigned less than or equal
.hs         unsigned greater than or equal
.equ        equal, or an operand is NaN
.neu        not equal, or an operand is NaN
.ltu        less than, or an operand is NaN
.leu        less than or equal, or an operand is NaN
.gtu        greater than, or an operand is NaN
.geu        greater than or equal, or an operand is NaN
.num        neither operand is NaN
.nan        an operand is NaN
.and        combines the result with a predicate by and
.or         combines the result with a predicate by or
.xor        combines the result with a predicate by exclusive or
atom.and    bitwise and with `b`
atom.or     bitwise or with `b`
atom.xor    bitwise exclusive or with `b`
red.and     bitwise and with `b`
red.or      bitwise or with `b`
red.xor     bitwise exclusive or with `b`
redux.and   bitwise and
redux.or    bitwise or
redux.xor   bitwise exclusive or
multimem.and bitwise and
multimem.or  bitwise or
multimem.xor bitwise exclusive or
cp.and      bitwise and
cp.or       bitwise or
cp.xor      bitwise exclusive or
fabric.and  bitwise and
fabric.or   bitwise or
fabric.xor  bitwise exclusive or
sured.and   bitwise and with the element
sured.or    bitwise or with the element
mma.and     counts the ones of A and B
mma.xor     counts the ones of A exclusive or B
mma.or      counts the ones of A or B
wmma.and    counts the ones of A and B
wmma.xor    counts the ones of A exclusive or B
wgmma.and   counts the ones of A and B
bar.and     true where the predicate is true in all threads
bar.or      true where the predicate is true in a thread
bar.popc    the number of threads in which the predicate is true
barrier.and true where the predicate is true in all threads
barrier.or  true where the predicate is true in a thread
barrier.popc the number of threads in which the predicate is true
.popc       the number of ones
.add        addition
.min        the minimum
.max        the maximum
.inc        increments; wraps to 0 above `b`
.dec        decrements; wraps to `b` at 0 and above `b`
.exch       exchanges memory with `b`
.cas        compares memory with `b` and writes `c` where they are equal
setmaxnreg.inc requests more registers, and blocks until they are available
setmaxnreg.dec releases registers
.abs        takes absolute values
.xorsign    the sign of the result is the exclusive or of the signs of `a` and `b`
.clamp      counts beyond the width are clamped to the width
.wrap       counts are taken modulo the width
suld.clamp  coordinates out of bounds are clamped to the nearest element
sust.clamp  coordinates out of bounds are clamped to the nearest element
sured.clamp coordinates out of bounds are clamped to the nearest element
.trap       coordinates out of bounds trap
.zero       out of bounds, loads give 0 and stores are dropped
.uni        asserts that all active threads of the warp branch the same way; this is not checked
.sync       waits until all threads that take part execute it
.aligned    all threads that take part must execute this same instruction; else the behavior is undefined
.volatile   is neither removed nor merged nor reordered with other volatile accesses of the thread
.relaxed    a strong access that does not order other accesses
.acquire    later accesses of the thread are ordered after it
.release    earlier accesses of the thread are ordered before it
.acq_rel    both acquire and release
.sc         sequentially consistent
.weak       an ordinary access: a data race with it is undefined
.mmio       an access to memory-mapped input or output: performed exactly once
.cta        scope: the threads of the CTA
.cluster    scope: the threads of the cluster
.gpu        scope: the threads of the device
.sys        scope: all threads, including those of the host and of other devices
.gl         scope: the threads of the device
.ca         cached at all levels
.cg         cached in L2 and below, bypassing L1
.cs         streaming: likely accessed once, evicted first
.lu         last use: the line need not be written back
.cv         volatile: not cached, fetched again
.wb         written back by all cache levels
.wt         written through the L2 cache to system memory
.nc         through the read-only data cache: the memory must not be written while the kernel runs
.L1         the L1 cache
.L2         the L2 cache
.L1::evict_normal        L1 keeps it as usual
.L1::evict_unchanged     L1 leaves its eviction order as it is
.L1::evict_first         L1 evicts it first
.L1::evict_last          L1 evicts it last
.L1::no_allocate         L1 does not keep it
.L2::evict_normal        L2 keeps it as usual
.L2::evict_first         L2 evicts it first
.L2::evict_last          L2 evicts it last
.L2::cache_hint          takes a cache policy made by `createpolicy` as one more operand
.L2::64B                 prefetches 64 bytes into L2
.L2::128B                prefetches 128 bytes into L2
.L2::256B                prefetches 256 bytes into L2
.L2::evict_unchanged     L2 does not change its eviction order
.v2         a vector of two elements
.v4         a vector of four elements
.v8         a vector of eight elements
ld.v2       a vector of two elements; the address must be a multiple of the vector's size
ld.v4       a vector of four elements; the address must be a multiple of the vector's size
ld.v8       a vector of eight elements; the address must be a multiple of the vector's size
st.v2       a vector of two elements; the address must be a multiple of the vector's size
st.v4       a vector of four elements; the address must be a multiple of the vector's size
st.v8       a vector of eight elements; the address must be a multiple of the vector's size
.noftz      keeps subnormals
bar.arrive  signals the arrival and does not wait
bar.red     waits, and combines a predicate of all threads
barrier.arrive signals the arrival and does not wait
barrier.red waits, and combines a predicate of all threads
mbarrier.test_wait  does not suspend the thread
mbarrier.try_wait   may suspend the thread for a limited time
mbarrier.parity     takes the parity of the phase in place of its state
fence.alias       between accesses by different virtual addresses of the same memory
fence.async       between the generic proxy and the async proxy
fence.tensormap::generic  accesses by the tensormap proxy follow those by the generic proxy
fence.async::generic      accesses by the async proxy follow those by the generic proxy
tensormap.tensormap::generic  accesses by the tensormap proxy follow those by the generic proxy
membar.alias      between accesses by different virtual addresses of the same memory
membar.async      between the generic proxy and the async proxy
shf.l       shifts left
shf.r       shifts right
cvta.to     from a generic address to one of the state space
vmad.po     adds one more to the sum
vmad.shr7   shifts the sum right by 7 bits
vmad.shr15  shifts the sum right by 15 bits
.shiftamt   writes a shift amount instead of a position
.up         reads the lane `b` below its own; out of range, a lane keeps its own value
.down       reads the lane `b` above its own; out of range, a lane keeps its own value
.bfly       reads the lane whose number is its own exclusive or `b`
.idx        reads the lane with the number `b`
brx.idx     takes the label at a position of the list
tcgen05.down shifts the rows down by one, all but the last
.all        true where the predicate is true in all participating threads
.any        true where the predicate is true in a participating thread
vote.uni    true where the predicate has the same value in all participating threads
.ballot     a mask with a bit for each lane
match.all   writes the mask where all threads have the same value, else 0
match.any   writes the mask of the threads with the same value
.row        the matrix is row-major
.col        the matrix is column-major
.trans      transposes the matrix
.sp         A is sparse: half of its elements are stored, and metadata says which
.sp::ordered_metadata    A is sparse: half of its elements are stored, and metadata says which, in increasing order
.block_scale scales A and B, with one scale for each block of elements
.x1         1 matrix
.x2         2 matrices
.x4         4 matrices
tcgen05.x1  repeats the shape once
tcgen05.x2  repeats the shape 2 times
tcgen05.x4  repeats the shape 4 times
tcgen05.x8  repeats the shape 8 times
tcgen05.x16 repeats the shape 16 times
tcgen05.x32 repeats the shape 32 times
tcgen05.x64 repeats the shape 64 times
tcgen05.x128 repeats the shape 128 times
.pack::16b  packs two 16-bit elements into each 32-bit register
.unpack::16b unpacks two 16-bit elements from each 32-bit register
.mbarrier::complete_tx::bytes   signals completion by counting the bytes on an mbarrier
.mbarrier::arrive::one   signals completion by one arrival on an mbarrier
.bulk_group tracks completion in a bulk group, for `cp.async.bulk.wait_group`
.multicast::cluster      copies to the same offset in the shared memory of each CTA of a mask
tcgen05.multicast::cluster  signals the mbarrier at the same offset in the shared memory of each CTA of a mask
.cta_group::1            uses the tensor memory of one CTA
.cta_group::2            uses the tensor memory of a pair of CTAs
.kind::f16      A and B are `.f16` or `.bf16`
.kind::tf32     A and B are `.tf32`
.kind::f8f6f4   A and B are 8-, 6- or 4-bit floats
.kind::i8       A and B are 8-bit integers
.kind::mxf8f6f4 A and B are 8-, 6- or 4-bit floats with `.ue8m0` scales
.kind::mxf4     A and B are `.e2m1` with `.ue8m0` scales
.kind::mxf4nvf4 A and B are `.e2m1` with `.ue8m0` or `.ue4m3` scales
.tile           the box is a tile of the tensor
.im2col         the box is read in im2col mode
.tile::gather4  gathers four rows of a 2D tensor
.tile::scatter4 scatters to four rows of a 2D tensor
.read       waits only until the source memory has been read
.noinc      does not increment the pending count first
.noComplete the arrival must not complete the phase; returns the pending count
.cp_mask    copies only the bytes that a mask selects
.mbarrier_init  orders an earlier `mbarrier.init`
.launch_dependents  lets the dependent grids be scheduled
.wait       waits for completion
barrier.wait  waits until all threads of the cluster have arrived
griddepcontrol.wait  waits until the grids before this one have completed and their results are visible
.finite     neither infinite nor NaN
.infinite   positive or negative infinity
.number     not NaN
.notanumber NaN
.normal     a normal number
.subnormal  a subnormal number
.f4e        forward 4 extract: four consecutive bytes, upwards from the selected one
.b4e        backward 4 extract: four consecutive bytes, downwards from the selected one
.rc8        replicates the selected byte
.ecl        edge clamp left: bytes below the selected one are replaced by it
.ecr        edge clamp right: bytes above the selected one are replaced by it
.rc16       replicates the selected half
.1d         one dimension
.2d         two dimensions
.3d         three dimensions
.4d         four dimensions
.5d         five dimensions
.a1d        an array of one-dimensional layers
.a2d        an array of two-dimensional layers
.cube       a cubemap
.acube      an array of cubemaps
.2dms       two dimensions, several samples in each texel
.a2dms      an array of two-dimensional layers, several samples in each texel
tex.base    the finest mipmap level
tex.level   the mipmap level is an operand
tex.grad    the mipmap level follows from gradients, which are operands
tld4.r      the red component of the four texels
tld4.g      the green component of the four texels
tld4.b      the blue component of the four texels
tld4.a      the alpha component of the four texels
wmma.a      the matrix A
wmma.b      the matrix B
wmma.c      the matrix C
wmma.d      the matrix D
.b8x16      sixteen elements of 8 bits
.b6x16_p32  sixteen elements of 6 bits, then 32 bits of padding
.b4x16_p64  sixteen elements of 4 bits, then 64 bits of padding
.scale_vec::1X  one scale for each row of A and each column of B
.scale_vec::2X  two scales for each row of A and each column of B
.scale_vec::4X  four scales for each row of A and each column of B
.collector::a::fill     keeps A in the collector buffer
.collector::a::use      may take A from the collector buffer, which an earlier instruction filled
.collector::a::lastuse  may take A from the collector buffer, which need not keep it longer
.collector::a::discard  the collector buffer need not keep A; the default
.warpx4     copies to all four warps
.warpx2::02_13 copies to pairs of warps, half to each: 0 and 2, 1 and 3
.warpx2::01_23 copies to pairs of warps, half to each: 0 and 1, 2 and 3
.ashift     shifts the rows of A down by one, all but the last
createpolicy.range      a policy for a range of addresses
createpolicy.fractional a policy for a part of the accesses
createpolicy.cvt        converts an access property of CUDA
"""

_MEANINGS: dict[str, str] = dict(row.split(None, 1) for row in _ROWS.strip().splitlines())
_LANES = re.compile(r"\.([0-9]+)x([0-9]+)b")
_INTEGER_COMPARISONS = frozenset((".eq", ".ne", ".lt", ".le", ".gt", ".ge"))


def modifier_meaning(word: str, opcode: str) -> str:
    """The meaning of a modifier (with its dot) in an opcode text such as `setp.lt.s32`; empty if it has no row."""
    if word in TYPES:
        return TYPES[word].meaning
    if word in SPACES:
        return SPACES[word].meaning
    if shape := SHAPE.fullmatch(word):
        return "matrix shape " + "×".join(filter(None, shape.groups()))
    if shape := _LANES.fullmatch(word):
        return f"shape {shape[1]} × {shape[2]} bits"
    head = opcode.partition(".")[0]
    meaning = _MEANINGS.get(head + word) or _MEANINGS.get(word, "")
    if word in _INTEGER_COMPARISONS and not any(f".{t}" in opcode for t in ("f16", "f32", "f64", "bf16")):
        return meaning.partition(";")[0]
    if word in (".lo", ".hi"):
        product, _, comparison = meaning.rstrip(")").partition(" (or, of a comparison, ")
        return comparison if opcode.startswith("set") else product
    return meaning
