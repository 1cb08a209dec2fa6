"""The operands of an instruction by their roles, with a description of each."""

from collections.abc import Iterator

from ptx_lsp.explanations.matrix_registers import matrix_text
from ptx_lsp.explanations.roles import role_meaning
from ptx_lsp.explanations.uses import Matched
from ptx_lsp.isa.forms import Access, Bound, Limit, OperandShape, Slot
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPES
from ptx_lsp.isa.vector_counts import arity
from ptx_lsp.judgement.fit import has_slot, resolve

_ACCESS = {Access.READ: "", Access.WRITE: ", written", Access.BOTH: ", read and written"}
KINDS = {
    "pred": "predicate",
    "imm": "integer constant",
    "fimm": "float constant",
    "any": "any operand but a vector",
    "label": "label",
    "func": "function",
    "prototype": "label of a `.callprototype`",
    "targets": "label of a `.branchtargets` or `.calltargets` list",
    "generic": "generic address",
    "_": "",
    "_!": "",
    "nothing": "",
    ".i16": "16-bit integer",
    ".i32": "32-bit integer",
    ".i64": "64-bit integer",
    ".texref": "texture",
    ".samplerref": "sampler",
    ".surfref": "surface",
}
"""What an operand of each kind is, in words; empty for the `_` that discards a value. A type is its own name."""


def operand_lines(form: Matched) -> tuple[str, ...]:
    """A line for each operand; operands with the same description share one: "`a`, `b`: `.s32`"."""
    lines: list[tuple[list[str], str]] = []
    for role, text in (row for slot in form.slots for row in _rows(form.match, slot, slot.access)):
        if lines and lines[-1][1] == text:
            lines[-1][0].append(role)
        else:
            lines.append(([role], text))
    return tuple(", ".join(f"`{role}`" for role in dict.fromkeys(roles)) + f": {text}" for roles, text in lines if text)


def _rows(match: Match, slot: Slot, access: Access) -> Iterator[tuple[str, str]]:
    """Role and text of an operand, or of each of its parts."""
    if not has_slot(match, slot):
        return
    if slot.shape is OperandShape.ADDRESS and slot.parts:
        first, *rest = slot.parts
        yield first.role, _address(match, first) + _ACCESS[access] + purpose(match, first)
        for part in rest:
            yield from _rows(match, part, part.access)
    elif slot.parts:
        for part in slot.parts:
            yield from _rows(match, part, part.access if access is Access.READ else access)
    else:
        yield slot.role, slot_text(match, slot) + _ACCESS[access] + _width(match, slot) + purpose(match, slot)


def purpose(match: Match, slot: Slot) -> str:
    """What an operand is for, in parentheses; empty if its role has no meaning of its own."""
    meaning = role_meaning(slot.role, match.form.section.names)
    return f" ({meaning})" if meaning else ""


def _address(match: Match, slot: Slot) -> str:
    spaces = [word for kind in slot.kinds if (word := resolve(match, kind)) in SPACE_WORDS]
    if spaces:
        return " or ".join(f"`{space}`" for space in dict.fromkeys(spaces)) + " address"
    text = _kinds_text(match, slot)
    return "generic address" if text in ("", "generic address") else text


def slot_text(match: Match, slot: Slot) -> str:
    """The contents of a slot with these modifiers: "4 × `.f32`", "integer constant from 24 to 256, a multiple of 8"."""
    if text := matrix_text(match, slot):
        return text
    text = _kinds_text(match, slot)
    if slot.shape is OperandShape.VECTOR:
        counts = [count for count in arity(match, slot.arity) if count]
        text = f"{' or '.join(map(str, counts))} × {text}" if counts else text
    if not slot.limit:
        return text
    return f"{text}{'' if slot.kinds == ('imm',) else ', as a constant'} {limit_text(slot.limit)}"


def _kinds_text(match: Match, slot: Slot) -> str:
    shown = []
    for kind in slot.kinds:
        word = resolve(match, kind)
        shown.append(KINDS.get(word, f"`{word}`" if word.startswith(".") else word))
    return " or ".join(dict.fromkeys(filter(None, shown)))


def _width(match: Match, slot: Slot) -> str:
    """The effect on a value in a register that is wider than its type."""
    word = next((word for kind in slot.kinds if (word := resolve(match, kind)) in TYPES), "")
    if not slot.relaxed or not word or TYPES[word].bits >= 64 or TYPES[word].letter not in "bsu":
        return ""
    if slot.access is Access.READ:
        return f", the low {TYPES[word].bits} bits of a wider register"
    return f", {'sign' if TYPES[word].letter == 's' else 'zero'}-extended into a wider register"


def limit_text(limit: Limit) -> str:
    """The range of an immediate, as text that follows a noun: "from 24 to 256, a multiple of 8"."""
    if limit.bound is Bound.ONE_OF:
        *most, last = map(str, limit.values)
        return f"{', '.join(most)} or {last}" if most else last
    if limit.bound is Bound.SHIFT:
        return "below the width of the type"
    if limit.bound is Bound.FRACTION:
        return "above 0 and up to 1"
    if limit.low == limit.high:
        return str(limit.low)
    shown = f"from {limit.low} to {limit.high}"
    if limit.bound is Bound.MULTIPLE:
        return f"{shown}, a multiple of {limit.step}"
    return f"{shown}, a power of two" if limit.bound is Bound.POWER_OF_TWO else shown
