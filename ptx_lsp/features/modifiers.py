"""What modifiers mean, a row each, in our words, with the edge that bites."""

from ptx_lsp.isa.spaces import SPACES
from ptx_lsp.isa.types import TYPES

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
.NaN        a NaN operand makes the result NaN, instead of being passed over
.satfinite  what is beyond the largest finite value becomes that value, not infinity
.oob        out-of-bounds handling of the operands
.lo         the low half of the product (or, of a comparison, unsigned less than)
.hi         the high half of the product (or, of a comparison, unsigned greater than)
.wide       the whole product, twice as wide as the operands
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
.and        combined with the predicate by and
.or         combined with the predicate by or
.xor        combined with the predicate by exclusive or
.clamp      counts beyond the width act as the width
.wrap       counts are taken modulo the width
.uni        every active thread of the warp takes the same way: a promise that nobody checks
.sync       waits until all threads that take part execute it
.aligned    all threads of the warp must execute this same instruction; if they do not, the behavior is undefined
.volatile   may neither be left out nor merged nor moved across other volatile accesses of the thread
.relaxed    a strong access that orders nothing around it
.acquire    what follows in program order is seen after it
.release    what precedes in program order is seen before it
.acq_rel    both acquire and release
.sc         sequentially consistent
.weak       an ordinary access: a data race with it is undefined
.mmio       an access to memory-mapped input or output: performed exactly once
.cta        scope: the threads of the block
.cluster    scope: the threads of the cluster
.gpu        scope: the threads of the device
.sys        scope: all threads, those of the host and of other devices included
.ca         cached at all levels
.cg         cached in L2 and below, past L1
.cs         streaming: likely accessed once, evicted first
.lu         last use: the line need not be written back
.cv         fetched again: never served from a cache
.wb         written back by all levels
.wt         written through to system memory
.nc         through the read-only data cache: nothing may write the memory while the kernel runs
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
.v2         a vector of two elements; the address is aligned to all of it
.v4         a vector of four elements; the address is aligned to all of it
.v8         a vector of eight elements; the address is aligned to all of it
.noftz      leaves subnormals as they are
.shiftamt   a shift amount
.up         from the lane `b` below; lanes without such a neighbour keep their own value
.down       from the lane `b` above; lanes without such a neighbour keep their own value
.bfly       from the lane whose number differs in the bits of `b`
.idx        from the lane with the number `b`
.all        true where it holds in all threads of the member mask
.any        true where it holds in a thread of the member mask
.ballot     a bit per lane
.row        the matrix is row-major
.col        the matrix is column-major
.trans      the matrix is transposed on the way
.sp         a factor is sparse: two of four elements are zero, and metadata says which
.mbarrier::complete_tx::bytes   completion is signalled by counting bytes at an mbarrier
.bulk_group completion is waited for with `cp.async.bulk.wait_group`
.multicast::cluster      copied to the same offset in each block of a mask
.cta_group::1            one block's tensor memory
.cta_group::2            the tensor memory of a pair of blocks
"""

_MEANINGS: dict[str, str] = dict(row.split(None, 1) for row in _ROWS.strip().splitlines())
_INTEGER_COMPARISONS = frozenset((".eq", ".ne", ".lt", ".le", ".gt", ".ge"))


def modifier_meaning(word: str, opcode: str) -> str:
    """What a modifier (with its dot) means in an opcode text such as `setp.lt.s32`; empty where there is no row."""
    if word in TYPES:
        return TYPES[word].meaning
    if word in SPACES:
        return SPACES[word].meaning
    meaning = _MEANINGS.get(word, "")
    if word in _INTEGER_COMPARISONS and not any(f".{t}" in opcode for t in ("f16", "f32", "f64", "bf16")):
        return meaning.partition(";")[0]
    if word in (".lo", ".hi"):
        product, _, comparison = meaning.rstrip(")").partition(" (or, of a comparison, ")
        return comparison if opcode.startswith("set") else product
    return meaning
