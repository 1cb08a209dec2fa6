"""Operands of instructions: registers, constants, vectors, addresses, pairs and argument lists.

Brackets do not nest but where PTX says so, so nothing here recurses.
"""

from ptx_lsp.syntax.expressions import PRECEDENCE, extend_with_constant, parse_constant, report_missing_operand
from ptx_lsp.syntax.lexer import DOTTED, END, LITERALS, NAME, SINGLE, SINK, STRING, Cursor
from ptx_lsp.syntax.recovery import skip_statement, starts_statement
from ptx_lsp.syntax.tree import (
    Address,
    Arguments,
    Expression,
    Operand,
    Pair,
    Sink,
    Term,
    TermKind,
    Value,
    Vector,
)

CLOSING = {"{": "}", "[": "]", "(": ")"}
_AFTER_OPERAND = frozenset((",", ";", "]", ")", "}"))
_BEGINS_OPERAND = LITERALS | {NAME, SINK, STRING, "{", "[", "("}


def parse_operands(cursor: Cursor) -> tuple[Operand, ...]:
    """The operands of an instruction, up to and including its `;`; reports what is wrong between them."""
    kinds = cursor.kinds
    if kinds[cursor.at] == ";":
        cursor.at += 1
        return ()
    operands: list[Operand] = []
    while True:
        operand = _parse_operand(cursor)
        if operand is None:
            if not _skip_to_next_operand(cursor):
                return tuple(operands)
            continue
        operands.append(operand)
        kind = kinds[cursor.at]
        if kind == ",":
            cursor.at += 1
        elif kind == ";":
            cursor.at += 1
            return tuple(operands)
        elif not _mend_after_operand(cursor, operand):
            return tuple(operands)


def _parse_operand(cursor: Cursor) -> Operand | None:
    """One operand; None, and a problem, where none begins here."""
    kinds, at = cursor.kinds, cursor.at
    kind = kinds[at]
    if kind == NAME:
        follows = kinds[at + 1]
        if follows in _AFTER_OPERAND:
            return name_value(cursor)
        return _pair_or_value(cursor)
    if kind == "[":
        return _address(cursor)
    if kind == "{":
        return _vector(cursor)
    if kind == "(" and _opens_arguments(cursor):
        return _arguments(cursor)
    if kind == SINK:
        cursor.at = at + 1
        sink = Sink(cursor.starts[at], cursor.ends[at])
        return _pair(cursor, sink) if kinds[at + 1] == "|" else sink
    if starts_statement(cursor, at) or kind in (",", ";"):
        _report_missing(cursor)
        return None
    return parse_value(cursor)


def name_value(cursor: Cursor) -> Value:
    """The name at the cursor as an operand."""
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    cursor.at = at + 1
    return Value(Expression((Term(TermKind.NAME, cursor.text[start:end], start, start, end),), start, end), start, end)


def parse_value(cursor: Cursor) -> Value | None:
    """An operand that is an expression: a constant one, or a name with what may stand around it."""
    kinds, at = cursor.kinds, cursor.at
    kind = kinds[at]
    if kind == NAME:
        return _name_and_more(cursor)
    if kind in ("-", "!") and kinds[at + 1] == NAME:
        return _signed_name(cursor)
    expression = parse_constant(cursor)
    return None if expression is None else Value(expression, expression.start, expression.end)


def _signed_name(cursor: Cursor) -> Value:
    at = cursor.at
    start, sign = cursor.starts[at], cursor.kinds[at]
    cursor.at = at + 1
    terms: list[Term] = []
    _push_name(cursor, terms)
    terms.append(Term(TermKind.UNARY, sign, start, start, terms[-1].end, (len(terms) - 1,)))
    if cursor.kinds[cursor.at] in PRECEDENCE:
        _report_arithmetic(cursor, f"{sign}{terms[0].text}")
        extend_with_constant(cursor, terms)
    return _as_value(terms, start)


def _name_and_more(cursor: Cursor) -> Value:
    kinds = cursor.kinds
    terms: list[Term] = []
    _push_name(cursor, terms)
    start, name = terms[0].start, terms[0].text
    kind = kinds[cursor.at]
    if len(terms) > 1 and kind in PRECEDENCE:
        _report_arithmetic(cursor, f"{name}{terms[-1].text}")
    elif kind == "[":
        _index(cursor, terms)
    if kinds[cursor.at] in PRECEDENCE and kinds[cursor.at] != "|":
        _offset(cursor, terms)
    return _as_value(terms, start)


def _push_name(cursor: Cursor, terms: list[Term]) -> None:
    """Append a name, and its selector (`.x`) where it has one."""
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    terms.append(Term(TermKind.NAME, cursor.text[start:end], start, start, end))
    at += 1
    if cursor.kinds[at] == DOTTED and not cursor.on_new_line(at):
        selector, at_selector, end = cursor.word(at), cursor.starts[at], cursor.ends[at]
        terms.append(Term(TermKind.MEMBER, selector, at_selector, start, end, (len(terms) - 1,)))
        at += 1
    cursor.at = at


def _index(cursor: Cursor, terms: list[Term]) -> None:
    """`[9]` or `[%r1]` after a name."""
    opening = cursor.at
    cursor.at += 1
    name = len(terms) - 1
    if cursor.kinds[cursor.at] == NAME:
        _push_name(cursor, terms)
    elif not extend_with_constant(cursor, terms):
        return
    if not close_bracket(cursor, opening):
        return
    end = cursor.ends[cursor.at - 1]
    terms.append(
        Term(TermKind.INDEX, "[", cursor.starts[opening], terms[name].start, end, (name, len(terms) - 1)),
    )


def _offset(cursor: Cursor, terms: list[Term]) -> None:
    """`+4` after a name; every other operator is a mistake."""
    at = cursor.at
    kind, left = cursor.kinds[at], len(terms) - 1
    name, start = terms[0].text, cursor.starts[at]
    if terms[left].kind is TermKind.INDEX:
        _report_arithmetic(cursor, f"{name}[...]")
    elif kind == "-":
        _report_negative_offset(cursor)
    elif kind != "+":
        _report_arithmetic(cursor, name)
    cursor.at = at + 1
    if cursor.kinds[at + 1] == SINGLE and cursor.kinds[at + 2] in _AFTER_OPERAND:
        single, end = cursor.starts[at + 1], cursor.ends[at + 1]
        terms.append(Term(TermKind.SINGLE, cursor.text[single:end], single, single, end))
        cursor.at = at + 2
    elif not extend_with_constant(cursor, terms):
        return
    terms.append(Term(TermKind.BINARY, kind, start, terms[left].start, terms[-1].end, (left, len(terms) - 1)))


def _report_negative_offset(cursor: Cursor) -> None:
    at = cursor.at
    number = cursor.word(at + 1) if cursor.kinds[at + 1] in LITERALS else ""
    end = cursor.ends[at + 1] if number else cursor.ends[at]
    written = f"-{number}" if number else "- and the number"
    cursor.problem("negative-offset", f"offsets are added: write `+{written}`", cursor.starts[at], end)


def _report_arithmetic(cursor: Cursor, name: str) -> None:
    at = cursor.at
    message = f"`{name}` cannot be calculated with: only a plain name and `+` with a constant may stand here"
    cursor.problem("operand-arithmetic", message, cursor.starts[at], cursor.ends[at])


def _as_value(terms: list[Term], start: int) -> Value:
    end = terms[-1].end
    return Value(Expression(tuple(terms), start, end), start, end)


def _pair_or_value(cursor: Cursor) -> Operand:
    if cursor.kinds[cursor.at + 1] == "|":
        return _pair(cursor, name_value(cursor))
    value = _name_and_more(cursor)
    return _pair(cursor, value) if cursor.kinds[cursor.at] == "|" else value


def _pair(cursor: Cursor, first: Operand) -> Operand:
    """`first|second`, from the bar on."""
    bar = cursor.at
    kinds = cursor.kinds
    cursor.at = bar + 1
    second: Operand
    if kinds[bar + 1] == SINK:
        cursor.at += 1
        second = Sink(cursor.starts[bar + 1], cursor.ends[bar + 1])
    elif kinds[bar + 1] == NAME:
        second = name_value(cursor)
        if kinds[cursor.at] == DOTTED and not cursor.on_new_line(cursor.at):
            _report_pair(cursor, cursor.at)
            cursor.at += 1
    else:
        _report_pair(cursor, bar)
        value = parse_value(cursor) if kinds[bar + 1] in LITERALS or kinds[bar + 1] in ("!", "-") else None
        if value is None:
            return first
        second = value
    if kinds[cursor.at] == "|":
        _report_pair(cursor, cursor.at)
    return Pair(first, second, first.start, second.end)


def _report_pair(cursor: Cursor, index: int) -> None:
    message = "a bar joins two destinations, each a plain name or `_`"
    cursor.problem("expected-operand", message, cursor.starts[index], cursor.ends[index])


def _vector(cursor: Cursor) -> Operand:
    opening = cursor.at
    elements = _listed(cursor, _element, "an element")
    vector = Vector(elements, cursor.starts[opening], cursor.ends[cursor.at - 1])
    return _pair(cursor, vector) if cursor.kinds[cursor.at] == "|" else vector


def _element(cursor: Cursor) -> Operand | None:
    """A register with its selector, a constant or `_`: the elements of a vector, and the items of an argument list."""
    kinds, at = cursor.kinds, cursor.at
    if kinds[at] == NAME and kinds[at + 1] in _AFTER_OPERAND:
        return name_value(cursor)
    if kinds[at] == SINK:
        cursor.at = at + 1
        return Sink(cursor.starts[at], cursor.ends[at])
    value = parse_value(cursor)
    if value is not None and value.expression.root.kind is not TermKind.MEMBER and len(value.expression.terms) > 1:
        _check_element(cursor, value)
    return value


def _check_element(cursor: Cursor, value: Value) -> None:
    terms = value.expression.terms
    if terms[0].kind is TermKind.NAME:
        word = cursor.text[value.start : value.end]
        message = f"`{word}` cannot stand in a list: its items are names and constants"
        cursor.problem("operand-arithmetic", message, value.start, value.end)


def _arguments(cursor: Cursor) -> Arguments:
    opening = cursor.at
    if cursor.kinds[opening + 1] == ")":
        cursor.at = opening + 2
        return Arguments((), cursor.starts[opening], cursor.ends[opening + 1])
    items = _listed(cursor, _element, "an argument")
    return Arguments(items, cursor.starts[opening], cursor.ends[cursor.at - 1])


def _opens_arguments(cursor: Cursor) -> bool:
    """Whether the `(` at the cursor begins an argument list, as against a constant expression."""
    at = cursor.at + 1
    kind = cursor.kinds[at]
    if kind in (")", NAME, SINK, "[", "{"):
        return True
    while kind not in (",", ")", ";", "(", END):
        at += 1
        kind = cursor.kinds[at]
    if kind == ")":
        return cursor.kinds[at + 1] in (",", ";") and cursor.kinds[cursor.at - 1] == "," and _is_call(cursor)
    return kind == ","


def _is_call(cursor: Cursor) -> bool:
    at = cursor.at
    while at and cursor.kinds[at - 1] not in (";", "{", "}", ":"):
        at -= 1
        if cursor.kinds[at] == NAME and cursor.word(at) == "call":
            return True
    return False


def _listed(cursor: Cursor, parse, what: str) -> tuple[Operand, ...]:  # type: ignore[no-untyped-def]
    """A bracketed list with commas, from its opening bracket on, the closing one included where it is there."""
    kinds, opening = cursor.kinds, cursor.at
    closing = CLOSING[kinds[opening]]
    items: list[Operand] = []
    cursor.at = opening + 1
    while True:
        at = cursor.at
        if kinds[at] in (",", closing):
            _report_gap(cursor, bool(items), what)
            if kinds[at] == ",":
                cursor.at = at + 1
                continue
        else:
            item = parse(cursor)
            if item is None:
                if cursor.at == at or kinds[cursor.at] not in (",", closing):
                    close_bracket(cursor, opening)
                    return tuple(items)
            else:
                items.append(item)
        if kinds[cursor.at] == ",":
            cursor.at += 1
            continue
        if kinds[cursor.at] in _BEGINS_OPERAND and not starts_statement(cursor, cursor.at) and kinds[cursor.at] != "(":
            report_missing_comma(cursor)
            continue
        close_bracket(cursor, opening)
        return tuple(items)


def _report_gap(cursor: Cursor, later: bool, what: str) -> None:
    at = cursor.at
    if later:
        cursor.problem(
            "extra-comma",
            f"{what} is missing between this and the comma before it",
            cursor.starts[at - 1],
            cursor.ends[at - 1],
        )
    else:
        cursor.problem("expected-operand", f"{what} is missing here", cursor.starts[at], cursor.ends[at])


def close_bracket(cursor: Cursor, opening: int) -> bool:
    """Step over the bracket that closes the one at index `opening`; where it is missing, say so there."""
    bracket = cursor.kinds[opening]
    if cursor.kinds[cursor.at] == CLOSING[bracket]:
        cursor.at += 1
        return True
    start = cursor.starts[opening]
    found = cursor.kinds[cursor.at]
    message = f"this `{bracket}` is never closed"
    if found not in (";", END, ",") and not starts_statement(cursor, cursor.at):
        message = f"this `{bracket}` is not closed before `{cursor.word(cursor.at)}`"
    data = (("closing", CLOSING[bracket]), ("before", str(cursor.starts[cursor.at] - start)))
    cursor.problem("unbalanced-bracket", message, start, start + 1, data=data)
    return False


def report_missing_comma(cursor: Cursor) -> None:
    """Say that a comma is missing before the token at the cursor."""
    at = cursor.at
    message = f"a comma is missing before `{cursor.word(at)}`"
    cursor.problem("missing-comma", message, cursor.starts[at], cursor.ends[at])


def _address(cursor: Cursor) -> Address:
    kinds, opening = cursor.kinds, cursor.at
    start = cursor.starts[opening]
    if kinds[opening + 1] == NAME and kinds[opening + 2] == "]":
        cursor.at = opening + 1
        value = name_value(cursor)
        cursor.at += 1
        return Address((value,), start, cursor.ends[opening + 2])
    parts = _listed(cursor, _address_part, "a part of the address")
    address = Address(parts, start, cursor.ends[cursor.at - 1])
    _check_address(cursor, address)
    return address


def _address_part(cursor: Cursor) -> Operand | None:
    return _vector(cursor) if cursor.kinds[cursor.at] == "{" else parse_value(cursor)


def _check_address(cursor: Cursor, address: Address) -> None:
    """What the grammar takes in brackets: `[base+offset]`, or names and then one vector."""
    several = len(address.parts) > 1
    for number, part in enumerate(address.parts):
        if isinstance(part, Value):
            fine = _is_base(part) if not several else len(part.expression.terms) == 1 and _has_name(part)
        else:
            fine = isinstance(part, Vector) and several and number == len(address.parts) - 1
        if not fine:
            word = cursor.text[part.start : part.end]
            message = f"`{word}` cannot be a part of an address: it is a name with `+` and a constant, or a constant"
            if several:
                message = (
                    f"`{word}` cannot be a part of this address: its parts are names, the last one names in braces"
                )
            cursor.problem("bad-address", message, part.start, part.end)
            return


def _has_name(part: Value) -> bool:
    return part.expression.terms[0].kind is TermKind.NAME


def _is_base(part: Value) -> bool:
    terms = part.expression.terms
    if not _has_name(part):
        return True
    return (
        len(terms) == 1
        or terms[1].kind not in (TermKind.MEMBER, TermKind.UNARY)
        and (terms[-1].kind is not TermKind.INDEX)
    )


def _report_missing(cursor: Cursor) -> None:
    """No operand where one should be: after a comma too many, or before one."""
    at = cursor.at
    before = cursor.kinds[at - 1] if at else ""
    if before == ",":
        if cursor.kinds[at] == ",":
            message = "an operand is missing between two commas"
        else:
            message = "an operand is missing after this comma"
        cursor.problem("extra-comma", message, cursor.starts[at - 1], cursor.ends[at - 1])
    elif cursor.kinds[at] == ",":
        cursor.problem("extra-comma", "an operand is missing before this comma", cursor.starts[at], cursor.ends[at])
    else:
        report_missing_operand(cursor, "an operand")


def _skip_to_next_operand(cursor: Cursor) -> bool:
    """After an operand that could not be read: go to the next one; False where the statement is over."""
    kind = cursor.kinds[cursor.at]
    if kind == ",":
        cursor.at += 1
        if cursor.kinds[cursor.at] == ";":
            cursor.at += 1
            return False
        return True
    if kind == ";":
        cursor.at += 1
        return False
    skip_statement(cursor)
    return False


def _mend_after_operand(cursor: Cursor, operand: Operand) -> bool:
    """Neither `,` nor `;` follows an operand: report it; whether another operand follows."""
    kinds, at = cursor.kinds, cursor.at
    kind = kinds[at]
    if starts_statement(cursor, at):
        report_missing_semicolon(cursor)
        return False
    if kind == NAME and _is_constant(operand) and cursor.word(at)[0] == "%" and cursor.word(at)[1:].isdigit():
        message = f"`{cursor.word(at)}` is read as a register's name: put a blank after `%` to get a remainder"
        cursor.problem("percent-name", message, cursor.starts[at], cursor.ends[at])
        return True
    if kind in _BEGINS_OPERAND:
        report_missing_comma(cursor)
        return True
    word = cursor.word(at)
    if kind in ("]", ")", "}"):
        cursor.problem("unbalanced-bracket", f"this `{word}` closes nothing", cursor.starts[at], cursor.ends[at])
    else:
        message = f"`{word}` cannot follow a complete operand"
        cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[at])
    cursor.at = at + 1
    if kinds[cursor.at] == ",":
        cursor.at += 1
        return True
    skip_statement(cursor)
    return False


def _is_constant(operand: Operand) -> bool:
    return isinstance(operand, Value) and operand.expression.terms[0].kind is not TermKind.NAME


def report_missing_semicolon(cursor: Cursor) -> None:
    """Say that the statement before the cursor lacks its `;`, at its last character."""
    end = cursor.ends[cursor.at - 1]
    cursor.problem("missing-semicolon", "a `;` is missing at the end of this statement", end - 1, end)
