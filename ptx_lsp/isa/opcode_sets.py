"""Opcodes that share a property which their rows do not say. Code outside this room names the set, not the opcode."""

from ptx_lsp.isa.versions import Version

BRANCH = "bra"
INDEXED_BRANCH = "brx"
CALL = "call"
LOAD = "ld"
STORE = "st"
MOVE = "mov"
CONVERSION = "cvt"
COMPARISON = "setp"  # writes a predicate
COMPARISON_TO_REGISTER = "set"
RIGHT_SHIFT = "shr"
MATRIX_PRODUCT = "mma"

NAMING_CODE = frozenset((BRANCH, INDEXED_BRANCH, CALL))
"""Their operands name labels, lists of labels, or functions."""

MOST_TARGETS = 16_380
"""The number of targets of an indexed branch that ptxas compiles (observed: full compile with ptxas 13.5)."""

NAMED_BARRIER = frozenset(("bar", "barrier"))
"""The opcodes whose first number names a barrier of the CTA; alone it is almost always 0."""

WITHOUT_RESULT = NAMED_BARRIER | {BRANCH, INDEXED_BRANCH}
"""Their first operand is read, although it is not an address."""

WITHOUT_OPERANDS = frozenset(("ret", "exit", "trap", "brkpt"))
"""A name after one of them is not an operand: it begins the next statement."""

RARELY_MODIFIED = WITHOUT_OPERANDS | {BRANCH, CALL}

CONTROL_FLOW = WITHOUT_OPERANDS | {BRANCH}
"""Instructions that compute nothing, so that modifiers of computations mean nothing in them."""

PARAMETER_ACCESSES = frozenset((LOAD, STORE))
"""The opcodes that read or write `.param` variables."""

VECTOR_ACCESSES = frozenset((LOAD, STORE, "ldu"))
"""The opcodes with a vector of 2, 4 or 8 elements beside an address."""

COMPARISONS = frozenset((COMPARISON, COMPARISON_TO_REGISTER))

OVERWRITING_ELSEWHERE = frozenset(("add", "sub", "mul", "div", "rem", "min", "max", "and", "or", "xor", "shl", "shr"))
"""Opcodes that have two operands on other processors, where they overwrite the first one."""

OTHER_NAMES = {"load": LOAD, "store": STORE, "branch": BRANCH}
"""Names of other assemblers and languages for an instruction that does the same."""

PLAIN_OPCODES = {"ldu": LOAD, "mul24": "mul", "mad24": "mad"}
"""Opcodes that compute what another one computes if their operands meet a condition (24 bits, one address a warp)."""

SAME_IF_ROUNDED = ("fma", "mad")
"""Opcodes that compute the same with a float type and a rounding modifier (from `sm_20` on); the usual one first.

Source: ISA section `floating-point-instructions-mad`.
"""

WITH_MATRICES = ("wgmma.mma_async", "tcgen05.mma", "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor")
"""The instructions with matrices and tensors that have many operands of one kind."""

ONLY_COMPUTING = ("mbarrier.pending_count",)
"""The instructions of barriers that only compute a result from registers."""

LOOKUP_TABLE = ("lop3", "immLut")
"""The opcode, and the role of its operand that is the table of a Boolean function of three inputs."""

BYTE_SELECTOR = ("prmt", "c")
"""The opcode, and the role of its operand that selects bytes."""

ON_BITS = frozenset(("and", "or", "xor"))
"""The opcodes that work on each bit alone, so that a constant operand is a mask."""

NUMBERS_BY_ROLE = {
    ("bar", "a"): "barrier",
    ("bar", "b"): "threads",
    ("barrier", "a"): "barrier",
    ("barrier", "b"): "threads",
    ("mbarrier", "count"): "arrivals",
    ("mbarrier", "txCount"): "bytes",
    ("mbarrier", "expected"): "arrivals",
    ("setmaxnreg", "imm-reg-count"): "registers",
}
"""What a number counts or names, by the opcode and the manual's role, which is often a letter."""

WITH_CTA_GROUP = ("tcgen05",)
"""The opcodes with a modifier `.cta_group::1` or `.cta_group::2`, which a kernel and its callees must not mix."""

SETTING_REGISTER_COUNT = ("setmaxnreg",)
"""The opcodes with `.inc` or `.dec` and a number of registers, which a thread then has."""

WITH_WIDE_RESULTS = ("wgmma.mma_async", "tcgen05.ld")
"""The instructions that can write more registers than a launch bound leaves to a thread."""

OF_CTA_MEMORY = ("%perctamemoryoffset", "%perctamemorysize")
"""The special registers that a kernel reads only with `.minperctamemory` (observed: ptxas 13.5)."""

TRACED = {
    "tcgen05": (Version(8, 6), 100),
    "setmaxnreg": (Version(8, 0), 90),
    "wgmma": (Version(8, 0), 90),
    "%perctamemory": (Version(9, 4), 80),
}
"""How all these begin, with the first version and the number of the first target that have them.

A text without these words has none of these statements.
"""

_COMMON = (
    "mov add ld fma st bra mul setp cvt shl sub selp and shr xor cvta or mad ret call ex2 not mma cp div bar neg wmma "
    "ldmatrix max shf shfl prmt abs atom addc madc subc tcgen05 rem rcp bfe mbarrier vadd min"
)
COMMON = {opcode: rank for rank, opcode in enumerate(_COMMON.split())}
"""The opcodes that compilers and people use most, the most frequent first."""
