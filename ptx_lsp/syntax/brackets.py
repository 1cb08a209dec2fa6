"""Operands in brackets: vectors, addresses and the lists of `call`. Brackets nest one deep, so nothing recurses."""

from itertools import chain

from ptx_lsp.isa.forms import OperandShape, Slot
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.opcode_sets import WITHOUT_OPERANDS
from ptx_lsp.light_classes import Callable
from ptx_lsp.syntax.lexer import AFTER_OPERAND, BEGINS_OPERAND, DOTTED, END, NAME, SINK, Cursor
from ptx_lsp.syntax.recovery import CLOSING, close_bracket, report_missing_comma, report_stray, starts_statement
from ptx_lsp.syntax.tree import Address, Operand, Sink, TermKind, Value, Vector
from ptx_lsp.syntax.values import malformed_operand, name_value, parse_value

OperandParser = Callable[[Cursor], Operand | None]

_SEVERAL_PARTS = (
    *("nn", "nnn", "nv", "nnv"),
    *("nnnv", "nnnnv", "nnvv", "nnnvv", "nnnnvv", "nnvvnv", "nnnvvnv", "nnnnvvnv"),
)
"""The parts of an address that has several, each a name (n) or a vector (v). The second line has those of tensors at a
fabric handle, and of tensors whose sizes and strides are overridden (observed: ptxas 13.5)."""

_MOST_BEFORE = 1_024  # tokens between an opcode and an operand: the longest vectors have 256
_FARTHEST_LOOK = 200
"""How many tokens after a bracket in a list are looked at to find its end; all of them at the first problem."""


def parse_vector(cursor: Cursor) -> Vector:
    """`{%f1, %f2, _}`, from its brace on."""
    opening = cursor.at
    elements = parse_list(cursor, parse_element, "an element")
    return Vector(elements, cursor.starts[opening], cursor.ends[cursor.at - 1])


def parse_element(cursor: Cursor) -> Operand | None:
    """A register with its selector, a constant or `_`: the elements of a vector."""
    kinds, at = cursor.kinds, cursor.at
    if kinds[at] == NAME and kinds[at + 1] in AFTER_OPERAND:
        return name_value(cursor)
    if kinds[at] == SINK:
        cursor.at = at + 1
        return Sink(cursor.starts[at], cursor.ends[at])
    value = parse_value(cursor)
    if value is None or value.expression.root.kind is TermKind.MEMBER:
        return value
    return checked_item(cursor, value)


def checked_item(cursor: Cursor, value: Value) -> Value:
    """An item of a list. One that is neither a single name nor a constant is reported and becomes malformed."""
    terms = value.expression.terms
    if len(terms) > 1 and terms[0].kind is TermKind.NAME:
        word = cursor.text[value.start : value.end]
        message = f"`{word}` cannot be in a list: list items are plain names and constants"
        cursor.problem("operand-arithmetic", message, value.start, value.end)
        return malformed_operand(cursor, value.start, value.end)
    return value


def parse_list(cursor: Cursor, parse: OperandParser, what: str) -> tuple[Operand, ...]:
    """A list in brackets, from its opening bracket to its closing bracket if there is one."""
    kinds, opening = cursor.kinds, cursor.at
    closing = CLOSING[kinds[opening]]
    items: list[Operand] = []
    commas: list[int] = []
    cursor.at = opening + 1
    while True:
        at = cursor.at
        if kinds[at] == ",":
            _report_gap(cursor, what)
            cursor.at = at + 1
            continue
        if kinds[at] == closing:
            _report_gap(cursor, what)
            cursor.at = at + 1
            return tuple(items)
        inner = _end_of_inner(cursor, opening) if kinds[at] in ("{", "[") and parse is not _address_part else 0
        if not inner and kinds[at - 1] == "," and _opens_operand(cursor, parse):
            cursor.at = at - 1  # the comma separates operands: the list ended before it
            close_bracket(cursor, opening)
            return tuple(items)
        if kinds[at] == "[" and parse is _address_part and at == opening + 1:
            report_stray(cursor, "is written twice")
            cursor.at += 1
        if inner:
            item: Operand | None = _refused_item(cursor, inner)
        else:
            item = None if kinds[at] == ";" or _begins_statement(cursor, parse) else parse(cursor)
        if item is not None:
            items.append(item)
        kind = kinds[cursor.at]
        if kind == ",":
            commas.append(cursor.at)
            cursor.at += 1
        elif item is not None and kind in BEGINS_OPERAND and kind != "(" and not starts_statement(cursor, cursor.at):
            report_missing_comma(cursor)
        else:
            is_open_address = parse is _address_part and commas and kind != closing
            # at the first problem only: each look goes back to the opcode
            if is_open_address and not cursor.problems and _has_one_part(cursor, opening):
                cursor.at = commas[0]  # the comma separates operands: the address ended before it
                del items[1:]
            close_bracket(cursor, opening)
            return tuple(items)


def _has_one_part(cursor: Cursor, opening: int) -> bool:
    """Whether the instruction before the `[` at index `opening` has no address of several parts, such as that of `tex`.

    False if the instruction is not known.
    """
    slots = slots_before(cursor, opening)
    return bool(slots) and not any(map(_has_several_parts, chain.from_iterable(slots)))


def slots_before(cursor: Cursor, index: int) -> list[tuple[Slot, ...]]:
    """The slots of every form of the instruction before a token that has its modifiers; empty if it is not known.

    Forms of which a word is missing are left out, unless one of every form is. It is not known either if it is more
    than `_MOST_BEFORE` tokens before.
    """
    kinds, at = cursor.kinds, index - 1
    first = max(0, at - _MOST_BEFORE)
    while at >= first and kinds[at] != ";" and kinds[at : at + 2] != [NAME, DOTTED]:
        at -= 1
    known = instruction(cursor.word(at)) if at >= first else None
    if known is None:
        return []
    end = at + 1
    while kinds[end] == DOTTED:
        end += 1
    words = set(map(cursor.word, range(at + 1, end)))
    forms = [form for form in known.forms if words <= form.vocabulary]
    whole = [form for form in forms if not any(words.isdisjoint(place) for place in form.must)]
    return [form.slots for form in whole or forms]


def _has_several_parts(slot: Slot) -> bool:
    return slot.shape is OperandShape.ADDRESS and len(slot.parts) > 1


def _refused_item(cursor: Cursor, last: int) -> Operand:
    """Report an item in brackets, up to the token at index `last`, and step over it."""
    start, end = cursor.starts[cursor.at], cursor.ends[last]
    message = f"`{cursor.text[start:end]}` cannot be in a list: list items are plain names and constants"
    cursor.problem("operand-arithmetic", message, start, end)
    cursor.at = last + 1
    return malformed_operand(cursor, start, end)


def _end_of_inner(cursor: Cursor, opening: int) -> int:
    """The index of the bracket that closes the one at the cursor, inside the list that opens at index `opening`.

    0 if it probably opens the next operand, or a scope: then the brackets of the statement are not in pairs, or a line
    below begins another statement. The list may be a vector in an address.
    """
    kinds, at, end = cursor.kinds, cursor.at, 0
    own, expected = kinds[at], [CLOSING[kinds[opening]]]
    limit = at + _FARTHEST_LOOK if cursor.problems else len(kinds)
    while at < limit and kinds[at] not in (";", END):
        kind = kinds[at]
        if kind in ("{", "[", "("):
            expected.append(CLOSING[kind])
        elif kind in ("}", "]", ")"):
            if (expected.pop() if expected else "]") != kind:
                return 0
            if kind == CLOSING[own] and len(expected) == 1 and not end:
                end = at
        elif cursor.on_new_line(at) and starts_statement(cursor, at):
            return 0
        at += 1
    return 0 if expected else end


def _opens_operand(cursor: Cursor, parse: OperandParser) -> bool:
    """Whether the bracket at the cursor begins an operand of its own: no list can contain it."""
    kinds, at = cursor.kinds, cursor.at
    if kinds[at] == "[":
        return True
    if kinds[at] == "{":
        return parse is not _address_part
    return kinds[at] == "(" and kinds[at + 1] == NAME


def _begins_statement(cursor: Cursor, parse: OperandParser) -> bool:
    """Whether the list has no end, and its next item would be the next statement."""
    at = cursor.at
    kinds = cursor.kinds
    coordinates = kinds[at] == "{" and kinds[at - 1] == "," and parse is _address_part
    stray_colon = kinds[at : at + 2] == [NAME, ":"] and not cursor.on_new_line(at)
    is_last = kinds[at : at + 2] == [NAME, "}"] and cursor.word(at) not in WITHOUT_OPERANDS
    return not (coordinates or stray_colon or is_last) and starts_statement(cursor, at)


def _report_gap(cursor: Cursor, what: str) -> None:
    at = cursor.at
    if cursor.kinds[at - 1] == ",":
        message = f"{what} is missing after this comma"
        cursor.problem("extra-comma", message, cursor.starts[at - 1], cursor.ends[at - 1])
    elif cursor.kinds[at] == ",":
        cursor.problem("extra-comma", f"{what} is missing before this comma", cursor.starts[at], cursor.ends[at])
    else:
        message = f"{what} is missing between these brackets"
        cursor.problem("expected-operand", message, cursor.starts[at - 1], cursor.ends[at])


def parse_address(cursor: Cursor) -> Address:
    """`[%rd1+8]` or `[texture, {%f1, %f2}]`, from its bracket on."""
    kinds, opening = cursor.kinds, cursor.at
    start = cursor.starts[opening]
    if kinds[opening + 1] == NAME and kinds[opening + 2] == "]":
        cursor.at = opening + 1
        value = name_value(cursor)
        cursor.at += 1
        return Address((value,), start, cursor.ends[opening + 2])
    parts = parse_list(cursor, _address_part, "a part of the address")
    address = Address(parts, start, cursor.ends[cursor.at - 1])
    bad = _bad_part(address)
    if bad is None:
        return address
    _report_bad_part(cursor, address, bad)
    return Address((malformed_operand(cursor, parts[0].start, parts[-1].end),), address.start, address.end)


def _address_part(cursor: Cursor) -> Operand | None:
    return parse_vector(cursor) if cursor.kinds[cursor.at] == "{" else parse_value(cursor)


def _bad_part(address: Address) -> Operand | None:
    """The first part that the grammar does not allow in brackets.

    It takes one name or constant with or without an offset, or several parts: those of one of `_SEVERAL_PARTS`.
    """
    if len(address.parts) < 2:
        return next((part for part in address.parts if not (isinstance(part, Value) and _is_base(part))), None)
    shape = ""
    for part in address.parts:
        shape += "v" if isinstance(part, Vector) else "n" if is_name(part) else "?"
        if not any(allowed.startswith(shape) for allowed in _SEVERAL_PARTS):
            return part
    return None if shape in _SEVERAL_PARTS else address.parts[-1]


def _report_bad_part(cursor: Cursor, address: Address, part: Operand) -> None:
    word = cursor.text[part.start : part.end]
    message = f"`{word}` cannot be an address: that is a name, a constant, or a name `+` a constant"
    if len(address.parts) > 1:
        message = f"`{word}` cannot be a part of this address: those are names, and vectors at the end"
    cursor.problem("bad-address", message, part.start, part.end)


def is_name(operand: Operand) -> bool:
    """Whether an operand is a single name."""
    if not isinstance(operand, Value):
        return False
    terms = operand.expression.terms
    return len(terms) == 1 and terms[0].kind is TermKind.NAME


def _is_base(part: Value) -> bool:
    terms = part.expression.terms
    if len(terms) == 1 or terms[0].kind is not TermKind.NAME:
        return True
    return terms[1].kind not in (TermKind.MEMBER, TermKind.UNARY) and terms[-1].kind is not TermKind.INDEX
