"""The contents of the registers of a matrix operand: the part of the matrix, and the elements per register."""

from ptx_lsp.isa.forms import OperandShape, Slot
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.matrix_operands import (
    MOVING,
    NAMED_BY_MODIFIER,
    SIDES,
    SPARSE,
    THREADS,
    TYPED_BY_DEFAULT,
    TYPED_ROLES,
)
from ptx_lsp.isa.types import TYPE_WORDS, TYPES
from ptx_lsp.isa.vector_counts import arity, shape_of

_NUMBERS = {1: "one", 2: "two", 4: "four", 8: "eight", 16: "sixteen", 32: "32"}


def matrix_text(match: Match, slot: Slot) -> str:
    """The contents of a matrix operand, "4 × `.b32`, each packs two `.f16` of the 16×16 matrix A"; else empty."""
    opcode = match.form.opcode
    if opcode in MOVING:
        return _moved(match, slot)
    role = _matrix(match, slot)
    if slot.shape is not OperandShape.VECTOR or slot.parts or role not in SIDES:
        return ""
    type_, shape = _type_of(match, role), shape_of(match)
    if type_ not in TYPES or not shape:
        return ""
    count = max(arity(match, slot.arity))
    half = "stored half of the " if role == "a" and not SPARSE.isdisjoint(match.words) else ""
    matrix = f"of the {half}{shape[SIDES[role][0]]}×{shape[SIDES[role][1]]} matrix {role.upper()}"
    packed = _packed(match, role, type_, count, shape, bool(half))
    if packed <= 1:
        return f"{count} × `{_register(type_)}`" + (f", each a `{type_}`" if type_ == ".tf32" else "") + f", {matrix}"
    return f"{count} × `.b32`, each packs {_NUMBERS.get(packed, packed)} `{type_}` {matrix}"


def _matrix(match: Match, slot: Slot) -> str:
    """The matrix that an operand belongs to, `a` to `d`; the opcode names it in `wmma.load.a`."""
    if NAMED_BY_MODIFIER.get(match.form.opcode) == slot.role:
        return next((word[1:] for word in match.words if word[1:] in SIDES), "")
    return slot.role


def _register(type_: str) -> str:
    """The type of a register with one element."""
    return ".b32" if type_ == ".tf32" else type_


def _type_of(match: Match, role: str) -> str:
    """The type word of the matrix that an operand belongs to."""
    words = [w for i, w in enumerate(match.words) if w in TYPE_WORDS and i not in match.noise]
    key = match.form.opcode, len(words)
    roles = TYPED_ROLES.get(key, "")
    if role in roles:
        return words[roles.index(role)]
    return words[0] if len(words) == 1 else TYPED_BY_DEFAULT.get(key, "")


def _packed(match: Match, role: str, type_: str, count: int, shape: dict[str, int], half: bool) -> int:
    """The number of elements in a register: the elements of the matrix divided by the registers of all threads.

    `half`: true for a sparse matrix, of which half of the elements are in registers.
    """
    by_width = max(1, 32 // TYPES[type_].bits)
    threads = THREADS.get(match.form.opcode, 0)
    rows, columns = (shape[side] for side in SIDES[role])
    elements = rows * columns // (2 if half else 1)
    if not threads or not count or elements % (threads * count) or elements // (threads * count) > by_width:
        return by_width
    return elements // (threads * count) or by_width


def _moved(match: Match, slot: Slot) -> str:
    """The registers of `ldmatrix`, `stmatrix` and `movmatrix`."""
    if slot.shape is OperandShape.ADDRESS or slot.role not in ("r", "d", "a"):
        return ""
    shape = shape_of(match)
    if not shape or (slot.kinds and ".shared" in slot.kinds):
        return ""
    count = max(arity(match, slot.arity)) if slot.arity else 1
    type_ = ".b8" if ".b8" in match.words else ".b16"
    packed = _NUMBERS[32 // TYPES[type_].bits]
    return f"{count or 1} × `.b32`, each packs {packed} `{type_}` of a row of the {shape['m']}×{shape['n']} matrices"
