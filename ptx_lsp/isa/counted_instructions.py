"""The kinds of instructions that cost most, which a lens on a loop counts."""

from ptx_lsp.isa.opcode_sets import NAMED_BARRIER
from ptx_lsp.light_classes import NamedTuple


class Counted(NamedTuple):
    """A kind of instruction: its opcodes, one of the modifiers that it must have (empty: any), and its name."""

    opcodes: frozenset[str]
    modifiers: frozenset[str]
    singular: str
    plural: str


_GLOBAL, _SHARED = frozenset(("global",)), frozenset(("shared",))
COUNTED = (
    Counted(frozenset(("mma", "wmma", "wgmma", "tcgen05")), frozenset(("mma", "mma_async")), "mma", "mma"),
    Counted(frozenset(("ld", "ldu")), _GLOBAL, "global load", "global loads"),
    Counted(frozenset(("st",)), _GLOBAL, "global store", "global stores"),
    Counted(frozenset(("ld", "ldmatrix")), _SHARED, "shared load", "shared loads"),
    Counted(frozenset(("st", "stmatrix")), _SHARED, "shared store", "shared stores"),
    Counted(NAMED_BARRIER, frozenset(), "barrier", "barriers"),
)
ALWAYS_COUNTED = frozenset(("mma",))
"""Opcodes that need none of the modifiers of their kind."""
