"""Operands of instructions, and the problems between two operands."""

from ptx_lsp.isa.forms import OperandShape
from ptx_lsp.isa.opcode_sets import WITHOUT_OPERANDS
from ptx_lsp.isa.selectors import is_selector
from ptx_lsp.isa.types import ELEMENTS
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.brackets import OperandParser, parse_address, parse_vector, slots_before
from ptx_lsp.syntax.expressions import is_remainder, report_missing_operand, report_percent_name
from ptx_lsp.syntax.lexer import AFTER_OPERAND, BEGINS_OPERAND, DOTTED, END, LITERALS, NAME, SINK, Cursor
from ptx_lsp.syntax.recovery import (
    SAFE,
    begins_known_instruction,
    begins_label,
    next_token,
    opens_scope,
    report_missing_comma,
    report_missing_semicolon,
    report_stray,
    skip_statement,
    starts_statement,
)
from ptx_lsp.syntax.stray_tokens import semicolon_before_name
from ptx_lsp.syntax.tree import Address, Arguments, Expression, Operand, Pair, Sink, Term, TermKind, Value, Vector, Word
from ptx_lsp.syntax.values import UNIFIED, malformed_operand, name_and_more, name_value, parse_value

_OPENING = {"]": "[", "}": "{"}
_WITHIN = LITERALS | {NAME, SINK, DOTTED, ",", "+", "-"}
_ENDS_LINE = frozenset(("", "\n", "\r"))
_OPERAND = lazy_pattern(
    r"[ \t]*+(?:,[ \t]*+[%\w\[{(-]|%?[\w$]++(?:\.[xyzwrgba])?[ \t]*+,"
    r"|(?:%[\w$]++(?:\.[xyzwrgba])?|-?\d\w*+)[ \t]*+;|\[[^\]\n]*+\])",
    re.A,
)
"""An operand that begins no statement, or a comma and the begin of one."""


def parse_operand(cursor: Cursor) -> Operand | None:
    """One operand. Reports a problem and returns None if none begins here."""
    kinds, at = cursor.kinds, cursor.at
    kind = kinds[at]
    if kind == NAME:
        if kinds[at + 1] not in AFTER_OPERAND:
            if begins_label(cursor, at) or (kinds[at - 1] == "," and begins_known_instruction(cursor, at)):
                _report_missing(cursor)
                return None
            return _pair_or_value(cursor)
        # as `name_value` does it, without a call: most operands are names
        start, end = cursor.starts[at], cursor.ends[at]
        cursor.at = at + 1
        term = Term(TermKind.NAME, cursor.text[start:end], start, start, end)
        return Value(Expression((term,), start, end), start, end)
    if kind == "[":
        return _with_attribute(cursor, parse_address(cursor))
    if kind == "{":
        if opens_scope(cursor, at):
            _report_missing(cursor)
            return None
        vector = parse_vector(cursor)
        return _pair(cursor, vector) if kinds[cursor.at] == "|" else vector
    if kind == SINK:
        cursor.at = at + 1
        sink = Sink(cursor.starts[at], cursor.ends[at])
        return _pair(cursor, sink) if kinds[at + 1] == "|" else sink
    if kind in (",", ";") or starts_statement(cursor, at):
        if kind == ";" and kinds[at - 1] == "," and semicolon_before_name(cursor):
            return name_value(cursor)
        _report_missing(cursor)
        return None
    return parse_value(cursor) if kind != "(" or kinds[at + 1] != NAME else _in_parentheses(cursor)


def _in_parentheses(cursor: Cursor) -> Operand | None:
    """An operand in parentheses, or one whose first bracket is `(` by mistake: both are reported."""
    opening, kinds = cursor.at, cursor.kinds
    end = opening + 1
    while kinds[end] in _WITHIN:
        end += 1
    start, meant = cursor.starts[opening], _OPENING.get(kinds[end])
    if meant is not None:
        cursor.problem(
            "stray-token", f"`(` is in the place of `{meant}`", start, start + 1, data=(("replacement", meant),)
        )
        kinds[opening] = meant
        operand = parse_operand(cursor)
        kinds[opening] = "("  # the statement may be parsed again, without one of its tokens
        return operand
    if kinds[end] in (";", END):
        report_stray(cursor, "is not expected here")
        cursor.at = opening + 1
        return parse_operand(cursor)
    if kinds[end] != ")":
        return parse_value(cursor)
    inside = cursor.text[cursor.starts[opening + 1] : cursor.ends[end - 1]]
    data: tuple[tuple[str, str], ...] = (("replacement", inside), SAFE)
    message = f"`{inside}` is in parentheses, which only a constant expression has"
    slots = slots_before(cursor, opening)
    number = _operands_before(cursor) if slots else 0
    shapes = {each[number].shape for each in slots if len(each) > number}
    if "," in kinds[opening:end]:
        if OperandShape.VECTOR not in shapes:
            return parse_value(cursor)
        message, data = "a vector is in braces, not in parentheses", (("replacement", f"{{{inside}}}"),)
    elif OperandShape.ADDRESS in shapes:
        message, data = f"an address is in brackets: write `[{inside}]`", (("replacement", f"[{inside}]"),)
    cursor.problem("stray-token", message, start, cursor.ends[end], data=data)
    cursor.at = end + 1
    return malformed_operand(cursor, start, cursor.ends[end])


def _operands_before(cursor: Cursor) -> int:
    """How many operands are between the modifiers of the instruction and the cursor."""
    kinds, at, depth, number = cursor.kinds, cursor.at - 1, 0, 0
    while kinds[at] != DOTTED:
        if kinds[at] in ("]", "}"):
            depth += 1
        elif kinds[at] in ("[", "{"):
            depth -= 1
        elif kinds[at] == "," and not depth:
            number += 1
        at -= 1
    return number


def parse_operands(cursor: Cursor, parse: OperandParser = parse_operand) -> tuple[Operand, ...]:
    """The operands of an instruction, up to and including its `;`. Reports what is wrong between them."""
    kinds = cursor.kinds
    if kinds[cursor.at] == ";":
        cursor.at += 1
        return ()
    operands: list[Operand] = []
    while True:
        operand = parse(cursor)
        if operand is None:
            if not _skip_to_next_operand(cursor):
                return tuple(operands)
            continue
        if operands and isinstance(operand, Sink | Pair):
            operand = _late_destination(cursor, operand)
        operands.append(operand)
        kind = kinds[cursor.at]
        if kind == ",":
            cursor.at += 1
        elif kind == ";":
            if len(operands) > 1 and _is_next_statement(cursor, len(operands) - 1):
                cursor.at -= 1
                _report_missing(cursor)
                return tuple(operands[:-1])
            cursor.at += 1
            if not _continues(cursor, len(operands)):
                return tuple(operands)
        elif not _recover_after_operand(cursor, operand):
            return tuple(operands)


def _continues(cursor: Cursor, count: int) -> bool:
    """Whether the `;` before the cursor is in the place of a comma, with `count` operands before it; report it.

    Another operand follows on its line, with which no statement begins, and the instruction takes one more. A `;`
    before a comma is reported as well.
    """
    at = cursor.at - 1
    end = cursor.ends[at]
    if cursor.text[end : end + 1] in _ENDS_LINE or not _OPERAND.match(cursor.text, end, cursor.limit):
        return False
    if all(len(slots) <= count for slots in slots_before(cursor, at)):
        return False
    message, data = "this `;` is in the place of a comma: operands follow", (("replacement", ","),)
    if cursor.kinds[next_token(cursor, at)] == ",":
        message, data = "this `;` is in the middle of a statement: operands follow", (("remove", "yes"),)
        cursor.at += 1
    cursor.problem("stray-token", message, cursor.starts[at], end, data=data)
    return True


def _is_next_statement(cursor: Cursor, count: int) -> bool:
    """Whether the last operand is the next statement, a `ret` on its own line, because of the comma before it.

    The instruction takes no more than the `count` operands before it.
    """
    at = cursor.at - 1
    if cursor.kinds[at] != NAME or cursor.word(at) not in WITHOUT_OPERANDS or not cursor.on_new_line(at):
        return False
    # without the operands that a modifier asks for, such as a cache policy
    return all(sum(not slot.when for slot in slots) <= count for slots in slots_before(cursor, at))


def _with_attribute(cursor: Cursor, address: Address) -> Address:
    at = cursor.at
    if cursor.kinds[at] != DOTTED or len(address.parts) > 1 or cursor.word(at) != UNIFIED:
        return address
    cursor.at = at + 1
    end = cursor.ends[at]
    return address._replace(end=end, attribute=Word(UNIFIED, cursor.starts[at], end))


def _pair_or_value(cursor: Cursor) -> Operand:
    if cursor.kinds[cursor.at + 1] == "|":
        return _pair(cursor, name_value(cursor))
    value = name_and_more(cursor)
    if cursor.kinds[cursor.at] != "|":
        return value
    _report_pair(cursor, cursor.at)
    return _pair(cursor, value)


def _pair(cursor: Cursor, first: Operand) -> Operand:
    """The rest of `first|second`, from the bar on."""
    bar = cursor.at
    kinds = cursor.kinds
    cursor.at = bar + 1
    second: Operand
    if kinds[bar + 1] == SINK:
        cursor.at += 1
        second = Sink(cursor.starts[bar + 1], cursor.ends[bar + 1])
        if isinstance(first, Vector):
            message = "`_` cannot follow a vector: leave out `|_` if the predicate is not needed"
            cursor.problem("destination-pair", message, second.start, second.end)
    elif kinds[bar + 1] == NAME and not starts_statement(cursor, bar + 1):
        second = name_value(cursor)
        if kinds[cursor.at] == DOTTED and not cursor.on_new_line(cursor.at):
            _report_pair(cursor, cursor.at)
            cursor.at += 1
    else:
        _report_pair(cursor, bar)
        begins = kinds[bar + 1] in LITERALS or kinds[bar + 1] in ("!", "-", "+", "~", "(")
        value = parse_value(cursor) if begins else None
        if value is None:
            return first
        second = value
    if kinds[cursor.at] == "|":
        _report_pair(cursor, cursor.at)
    return Pair(first, second, first.start, second.end)


def _late_destination(cursor: Cursor, operand: Sink | Pair) -> Value:
    """Observed: ptxas 13.5 takes `_` and `a|b` as the first operand of any instruction, and nowhere else."""
    if isinstance(operand, Sink):
        message = "`_` discards a result: only the first operand can be one"
    else:
        message = "a bar joins two destinations: only the first operand can be such a pair"
    cursor.problem("destination-pair", message, operand.start, operand.end)
    return malformed_operand(cursor, operand.start, operand.end)


def _report_pair(cursor: Cursor, index: int) -> None:
    message = "a bar joins two destinations, each a plain name or `_`"
    cursor.problem("destination-pair", message, cursor.starts[index], cursor.ends[index])


def _report_missing(cursor: Cursor) -> None:
    """Report a missing operand: before or after an extra comma."""
    at = cursor.at
    if cursor.kinds[at - 1] == ",":
        message = "an operand is missing after this comma"
        cursor.problem("extra-comma", message, cursor.starts[at - 1], cursor.ends[at - 1])
    elif cursor.kinds[at] == ",":
        cursor.problem("extra-comma", "an operand is missing before this comma", cursor.starts[at], cursor.ends[at])
    else:
        report_missing_operand(cursor, "an operand")


def _skip_to_next_operand(cursor: Cursor) -> bool:
    """After an operand that could not be read: skip to the next one. False if the statement is over."""
    kind = cursor.kinds[cursor.at]
    if kind == ",":
        cursor.at += 1
        if cursor.kinds[cursor.at] == ";":
            cursor.at += 1
            return False
        return True
    if kind == ";":
        cursor.at += 1
    else:
        skip_statement(cursor)
    return False


def _recover_after_operand(cursor: Cursor, operand: Operand) -> bool:
    """Report that neither `,` nor `;` follows an operand. True if another operand follows."""
    kinds, at = cursor.kinds, cursor.at
    kind = kinds[at]
    if starts_statement(cursor, at) and not _names_prototype(cursor, operand):
        if _ends_in_modifier(cursor):
            cursor.at = at - 1
            report_stray(cursor, "is in the place of the `;` that ends this statement")
            cursor.at = at
        else:
            report_missing_semicolon(cursor)
        return False
    if kind == NAME and _is_constant(operand) and is_remainder(cursor):
        report_percent_name(cursor)
        cursor.at = at + 1
        return _pass_comma(cursor)
    if kind == "[" and isinstance(operand, Address) and cursor.starts[at] == operand.end:
        _report_second_address(cursor)
        return _pass_comma(cursor)
    if kind == "=" and not cursor.on_new_line(next_token(cursor, at)):
        message = "`=` is in the place of a comma: PTX has no assignments"
        cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[at], data=(("replacement", ","),))
        cursor.at = at + 1
        return True
    if kind in BEGINS_OPERAND:
        report_missing_comma(cursor)
        return True
    if kind == ":" and (cursor.kinds[at + 1] == END or cursor.on_new_line(at + 1)):
        message = "a statement ends with `;`, not with `:`"
        data = (("replacement", ";"), SAFE)
        cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[at], data=data)
        cursor.at = at + 1
        return False
    if kind == ":" and cursor.kinds[at + 1] == ";":
        message = "an operand names a label without its `:`"
        cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[at], data=(("remove", ""), SAFE))
        cursor.at = at + 1
        return False
    report_stray(cursor, "cannot follow a complete operand")
    if kind == END:
        return False
    cursor.at = at + 1
    return _pass_comma(cursor)


def _report_second_address(cursor: Cursor) -> None:
    """Report brackets directly after an address, as in `[%rd1][%r2]`, and step over them."""
    start = cursor.starts[cursor.at]
    parse_address(cursor)
    end = cursor.ends[cursor.at - 1]
    message = f"an address has one pair of brackets: calculate it with `add` before, without `{cursor.text[start:end]}`"
    cursor.problem("bad-address", message, start, end)


def _ends_in_modifier(cursor: Cursor) -> bool:
    """Whether a word with a dot that is no element and no part of a value is before the cursor."""
    before = cursor.at - 1
    return cursor.kinds[before] == DOTTED and not _belongs_to_value(cursor.word(before))


def _belongs_to_value(word: str) -> bool:
    return word in ELEMENTS or word == UNIFIED or is_selector(word[1:])


def _names_prototype(cursor: Cursor, operand: Operand) -> bool:
    """Whether the name at the cursor, on a line of its own as compilers write it, is the prototype of a `call`."""
    if not isinstance(operand, Arguments) or cursor.kinds[cursor.at] != NAME:
        return False
    return cursor.kinds[cursor.at + 1] == ";" and cursor.word(cursor.at) not in WITHOUT_OPERANDS


def _pass_comma(cursor: Cursor) -> bool:
    """After a reported problem: step over a comma, or leave the statement. True if another operand follows."""
    if cursor.kinds[cursor.at] == ",":
        cursor.at += 1
        return True
    skip_statement(cursor)
    return False


def _is_constant(operand: Operand) -> bool:
    return isinstance(operand, Value) and operand.expression.terms[0].kind is not TermKind.NAME
