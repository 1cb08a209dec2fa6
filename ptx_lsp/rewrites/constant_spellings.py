"""Other ways to write a constant: its value, an expression, the bits of a float, hexadecimal or decimal digits.

Each is offered only if the statement has no more errors with it, and its operand has the same bits.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.constant import Constant, ValueType
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.constants.literals import read_literal
from ptx_lsp.constants.spelling import bits_of_single, decimal, double_literal, single_literal
from ptx_lsp.explanations.constant_values import EXACT, LITERALS, outermost, value_at
from ptx_lsp.explanations.cursor import ExpressionHere, here
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.fixes.verification import errors_in
from ptx_lsp.reading.statement_context import LONGEST_INSTRUCTION, StatementContext
from ptx_lsp.rewrites.rewrite import Rewrite, at_once
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.syntax.tree import Expression, TermKind
from ptx_lsp.text.ranges import Position

_SIGNS = ("+", "-")
_WIDTHS = (16, 32, 64)
_SMALLEST_POWER = 4  # 16 is the smallest power of two that is offered as a shift
_PREFIXES = {"0x": "hexadecimal", "0X": "hexadecimal", "0b": "binary", "0B": "binary"}


class Spelling(NamedTuple):
    """A text for the characters from `start` to `end` of the statement's text; `how` ends the title of the rewrite."""

    start: int
    end: int
    text: str
    how: str


def constant_rewrites(located: StatementContext, position: Position) -> Iterator[Rewrite]:
    """The other ways to write the constant at a position of a statement."""
    spot = here(located.statement, located.offset(position))
    if not isinstance(spot, ExpressionHere) or located.statement.end - located.statement.start > LONGEST_INSTRUCTION:
        return
    taken: set[tuple[int, int, str]] = set()
    for spelling in (*_values(spot, located), *_of_literal(spot), *_of_signed(spot)):
        place = (spelling.start, spelling.end, spelling.how)
        if place not in taken and _is_equal(spelling, spot, located):
            taken.add(place)
            edit = Edit(located.range(spelling.start, spelling.end), spelling.text)
            yield at_once(f"write `{spelling.text}`, {spelling.how}", edit)


def _values(spot: ExpressionHere, located: StatementContext) -> Iterator[Spelling]:
    """The value of the whole operand, or of the constant in `name + constant`, if that has an operator."""
    part = value_at(outermost(spot), located.surroundings, Authority.PTXAS)
    if part is None or _is_signed_literal(part.expression):
        return
    in_hex = any(term.text[:2] in ("0x", "0X") for term in part.expression.terms if term.kind is TermKind.INTEGER)
    for text in _literals(part.value, in_hex):
        yield Spelling(part.expression.start, part.expression.end, text, "the value")


def _is_signed_literal(expression: Expression) -> bool:
    """Whether an expression is a literal, perhaps with one sign."""
    first, *rest = expression.terms
    is_signed = not rest or (len(rest) == 1 and rest[0].kind is TermKind.UNARY and rest[0].text in _SIGNS)
    return first.kind in LITERALS and is_signed


def _literals(value: Constant, in_hex: bool) -> Iterator[str]:
    """Texts that may have this value, integers `in_hex` or in decimal: the first one that is equal is used."""
    if value.type is ValueType.F32:
        yield single_literal(value.bits)
    elif value.type is ValueType.F64:
        yield _point(decimal(value))
        yield double_literal(value.bits)
    elif in_hex and value.integer >= 0:
        yield f"{value.integer:#x}"
    else:
        yield str(value.integer)


def _of_literal(spot: ExpressionHere) -> Iterator[Spelling]:
    """Other texts for the literal at a place; a sign before a float belongs to it."""
    terms = spot.expression.terms
    index = spot.term
    while terms[index].kind is TermKind.UNARY and terms[index].text in _SIGNS:
        index = terms[index].operands[0]
    term = terms[index]
    if term.kind is TermKind.INTEGER:
        yield from _integers(term.text, term.at, alone=len(terms) == 1)
    elif term.kind in LITERALS:
        signed = next((i for i, t in enumerate(terms) if t.operands == (index,) and t.kind is TermKind.UNARY), index)
        if terms[signed].text not in _SIGNS:
            signed = index
        value = evaluate(spot.expression, Authority.PTXAS).values[signed]
        if value is not None:
            start, end = terms[signed].start, terms[signed].end
            yield from (Spelling(start, end, text, how) for text, how in _floats(value, term.kind))


def _of_signed(spot: ExpressionHere) -> Iterator[Spelling]:
    """A negative number as its bits, and back, where it is the whole operand; the width of the operand decides."""
    expression = spot.expression
    if not _is_signed_literal(expression) or expression.terms[0].kind is not TermKind.INTEGER:
        return
    value = evaluate(expression, Authority.PTXAS).value
    if value is None:
        return
    in_hex = expression.terms[0].text[:2] in ("0x", "0X")
    for width in _WIDTHS:
        number = value.integer & ((1 << width) - 1)
        if value.integer < 0 and not in_hex:
            yield Spelling(expression.start, expression.end, f"{number:#x}", "in hexadecimal")
        elif in_hex and value.integer == number and number >> (width - 1):
            yield Spelling(expression.start, expression.end, f"{number - (1 << width)}", "as a negative number")


def _floats(value: Constant, kind: TermKind) -> Iterator[tuple[str, str]]:
    if kind in EXACT:
        yield _point(decimal(value)), "as a decimal float"
        return
    yield single_literal(bits_of_single(value.real)), "as an exact float"
    yield double_literal(value.bits), "as an exact float"


def _point(digits: str) -> str:
    """The digits of a float with a point, so that they are those of no integer; infinity and NaN stay words."""
    mantissa, e, power = digits.partition("e")
    return f"{mantissa}.0{e}{power}" if e and "." not in mantissa else digits


def _integers(text: str, at: int, *, alone: bool) -> Iterator[Spelling]:
    """Other spellings of an integer; `alone`: true if it is no part of a larger expression."""
    value = read_literal(text).constant
    if value is None or not text[:1].isdigit():
        return
    suffix, number, end = "U" if text.endswith("U") else "", value.bits, at + len(text)
    written = _PREFIXES.get(text[:2], "octal" if text.startswith("0") and len(text) > 1 else "decimal")
    if written != "hexadecimal" and number > 9:
        yield Spelling(at, end, f"{number:#x}{suffix}", "in hexadecimal")
    if written != "decimal":
        yield Spelling(at, end, f"{number}{suffix}", "in decimal")
    power, rest = (number + 1).bit_length() - 1, ""
    if number == 1 << (number.bit_length() - 1 if number else 0):
        power = number.bit_length() - 1
    elif number + 1 == 1 << power:
        rest = " - 1"
    else:
        return
    if power < _SMALLEST_POWER or suffix:
        return
    shift = f"(1 << {power}){rest}" if rest else f"1 << {power}"
    yield Spelling(at, end, shift if alone else f"({shift})", "as an expression")


def _is_equal(spelling: Spelling, spot: ExpressionHere, located: StatementContext) -> bool:
    """Whether the statement has no more errors with a spelling, and the operand or initial value has the same bits."""
    first, last = located.statement.start, located.statement.end
    text = located.text
    new = text[first : spelling.start] + spelling.text + text[spelling.end : last]
    before = value_at(outermost(spot), located.surroundings, Authority.PTXAS)
    statements = [statement for statement, _ in parse_statements(new)]
    other = here(statements[0], spot.expression.start - first) if len(statements) == 1 else None
    if before is None or not isinstance(other, ExpressionHere):
        return False
    around = located.surroundings._replace(text=new)
    after = value_at(outermost(other), around, Authority.PTXAS)
    if after is None or errors_in(new, located) > errors_in(text[first:last], located):
        return False
    if before.at_use is None or after.at_use is None:
        return before.at_use is after.at_use and before.value == after.value
    return (before.at_use.type, before.at_use.bits) == (after.at_use.type, after.at_use.bits)
