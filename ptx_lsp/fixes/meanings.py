"""What a modifier changes, for the titles of fixes: the end of a sentence, without the edge cases.

It says how one word that may be meant differs from the others. The whole meaning of a modifier, as hovers show it, is a
row of `explanations/modifiers.py`.
"""

from ptx_lsp.isa.opcode_sets import COMPARISONS
from ptx_lsp.isa.types import TYPES

_EFFECTS = {
    ".rzi": "which rounds toward zero, as a C cast does",
    ".rni": "which rounds to the nearest integer, ties to even",
    ".rmi": "which rounds down, as `floor` does",
    ".rpi": "which rounds up, as `ceil` does",
    ".rn": "which rounds to nearest, ties to even",
    ".rz": "which rounds toward zero",
    ".rm": "which rounds down",
    ".rp": "which rounds up",
    ".rna": "which rounds to nearest, ties away from zero",
    ".rs": "which rounds with random bits",
    ".approx": "which computes an approximation",
    ".full": "which computes an approximation for the full range",
    ".ftz": "which flushes subnormal numbers to zero",
    ".sat": "which clamps the result",
    ".lo": "which computes the lower half of the product",
    ".hi": "which computes the upper half of the product",
    ".wide": "which computes the whole product, twice as wide",
    ".relaxed": "which orders no other memory accesses",
    ".acquire": "which orders the accesses after it",
    ".release": "which orders the accesses before it",
    ".acq_rel": "which orders the accesses before and after it",
    ".volatile": "which is never cached in a register or combined",
    ".cta": "which covers the threads of this CTA",
    ".cluster": "which covers the threads of this cluster",
    ".gpu": "which covers the threads of this GPU",
    ".gl": "which covers the threads of this GPU",
    ".sys": "which covers all threads of the system",
    ".global": "which accesses global memory",
    ".shared": "which accesses shared memory",
    ".local": "which accesses local memory",
    ".const": "which reads constant memory",
    ".param": "which accesses parameters",
    ".ca": "which caches at all levels",
    ".cg": "which caches in L2 only",
    ".cs": "which expects to access the data once",
    ".lu": "which expects to access the line for the last time",
    ".cv": "which reads the data again each time",
    ".wb": "which writes back through all levels",
    ".wt": "which writes through L2",
    ".nc": "which reads through the non-coherent cache",
    ".row": "which says that the matrix is row-major",
    ".col": "which says that the matrix is column-major",
}
_COMPARISONS = {
    "eq": "equal",
    "ne": "not equal",
    "lt": "less than",
    "le": "less than or equal",
    "gt": "greater than",
    "ge": "greater than or equal",
    "lo": "unsigned less than",
    "ls": "unsigned less than or equal",
    "hi": "unsigned greater than",
    "hs": "unsigned greater than or equal",
}
_LETTERS = {"s": "signed integers", "u": "unsigned integers", "b": "untyped bits", "f": "floats"}


def effect_of(word: str, opcode: str) -> str:
    """What the modifier `word` (with its dot) does in `opcode`: ", which ..." or an empty text."""
    bare = word.removeprefix(".")
    if opcode in COMPARISONS and bare.removesuffix("u") in _COMPARISONS:
        unordered = bare not in _COMPARISONS
        compares = _COMPARISONS[bare.removesuffix("u")]
        return f", which tests for {compares}" + (" or NaN" if unordered else "")
    if word in _EFFECTS:
        return ", " + _EFFECTS[word]
    type_ = TYPES.get(word)
    if type_ is not None and type_.letter in _LETTERS:
        return f", {type_.bits}-bit {_LETTERS[type_.letter]}"
    return ""
