"""Operands of instructions: registers, constants, vectors, addresses and pairs.

Brackets nest only where PTX says so, and that is one deep, so nothing here recurses.
"""

from collections.abc import Callable

from ptx_lsp.syntax.expressions import (
    PRECEDENCE,
    extend_with_constant,
    is_remainder,
    parse_constant,
    report_missing_operand,
    report_percent_name,
)
from ptx_lsp.syntax.lexer import DOTTED, END, LITERALS, NAME, SINGLE, SINK, STRING, Cursor
from ptx_lsp.syntax.recovery import (
    CLOSING,
    close_bracket,
    report_missing_comma,
    report_missing_semicolon,
    report_stray,
    skip_statement,
    starts_statement,
)
from ptx_lsp.syntax.tree import Address, Expression, Operand, Pair, Sink, Term, TermKind, Value, Vector

OperandParser = Callable[[Cursor], Operand | None]
_AFTER_OPERAND = frozenset((",", ";", "]", ")", "}"))
_BEGINS_OPERAND = LITERALS | {NAME, SINK, STRING, "{", "[", "("}


def parse_operand(cursor: Cursor) -> Operand | None:
    """One operand; None, and a problem, where none begins here."""
    kinds, at = cursor.kinds, cursor.at
    kind = kinds[at]
    if kind == NAME:
        if kinds[at + 1] in _AFTER_OPERAND:
            return name_value(cursor)
        return _pair_or_value(cursor)
    if kind == "[":
        return _address(cursor)
    if kind == "{":
        return _vector(cursor)
    if kind == SINK:
        cursor.at = at + 1
        sink = Sink(cursor.starts[at], cursor.ends[at])
        return _pair(cursor, sink) if kinds[at + 1] == "|" else sink
    if kind in (",", ";") or starts_statement(cursor, at):
        _report_missing(cursor)
        return None
    return parse_value(cursor)


def parse_operands(cursor: Cursor, parse: OperandParser = parse_operand) -> tuple[Operand, ...]:
    """The operands of an instruction, up to and including its `;`; reports what is wrong between them."""
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
            cursor.at += 1
            return tuple(operands)
        elif not _mend_after_operand(cursor, operand):
            return tuple(operands)


def name_value(cursor: Cursor) -> Value:
    """The name at the cursor as an operand."""
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    cursor.at = at + 1
    return Value(Expression((Term(TermKind.NAME, cursor.text[start:end], start, start, end),), start, end), start, end)


def parse_value(cursor: Cursor) -> Value | None:
    """An operand that is an expression: a constant one, or a name with what may stand around it.

    One with a problem of its own becomes a single MALFORMED term, so that nobody judges it a second time.
    """
    kinds, at = cursor.kinds, cursor.at
    kind = kinds[at]
    clean = not cursor.problems
    if kind == NAME:
        value = _name_and_more(cursor)
    elif kind in ("-", "!") and kinds[at + 1] == NAME:
        value = _signed_name(cursor)
    else:
        expression = parse_constant(cursor)
        if expression is None:
            return None
        value = Value(expression, expression.start, expression.end)
    if clean and cursor.problems and cursor.problems[0].code != "negative-offset":
        return spoilt(cursor, value.start, value.end)
    return value


def spoilt(cursor: Cursor, start: int, end: int) -> Value:
    """An operand of which nothing is known but where it stands."""
    term = Term(TermKind.MALFORMED, cursor.text[start:end], start, start, end)
    return Value(Expression((term,), start, end), start, end)


def _signed_name(cursor: Cursor) -> Value:
    at = cursor.at
    start, sign = cursor.starts[at], cursor.kinds[at]
    cursor.at = at + 1
    terms: list[Term] = []
    _push_name(cursor, terms)
    terms.append(Term(TermKind.UNARY, sign, start, start, terms[-1].end, (len(terms) - 1,)))
    if cursor.kinds[cursor.at] in PRECEDENCE:
        _report_arithmetic(cursor, f"{sign}{terms[0].text}")
        cursor.at += 1
        extend_with_constant(cursor, [])
    return _as_value(terms, start)


def _name_and_more(cursor: Cursor) -> Value:
    kinds = cursor.kinds
    terms: list[Term] = []
    _push_name(cursor, terms)
    start, name = terms[0].start, terms[0].text
    if kinds[cursor.at] == "[":
        _index(cursor, terms)
    if len(terms) > 1 and kinds[cursor.at] in PRECEDENCE:
        _report_arithmetic(cursor, name + (terms[-1].text if terms[-1].kind is TermKind.MEMBER else "[...]"))
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
        at = cursor.at
        start, end = cursor.starts[at], cursor.ends[at]
        terms.append(Term(TermKind.NAME, cursor.text[start:end], start, start, end))
        cursor.at = at + 1
    elif not extend_with_constant(cursor, terms):
        return
    close_bracket(cursor, opening)
    end = max(terms[-1].end, cursor.ends[cursor.at - 1])
    terms.append(Term(TermKind.INDEX, "[", cursor.starts[opening], terms[name].start, end, (name, len(terms) - 1)))


def _offset(cursor: Cursor, terms: list[Term]) -> None:
    """`+4` after a name; every other operator is a mistake."""
    at = cursor.at
    kind, left = cursor.kinds[at], len(terms) - 1
    name, start = terms[0].text, cursor.starts[at]
    if kind == "-":
        report_negative_offset(cursor)
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


def report_negative_offset(cursor: Cursor) -> None:
    """Say that the `-` at the cursor should be `+-`."""
    at = cursor.at
    number = cursor.word(at + 1) if cursor.kinds[at + 1] in LITERALS else ""
    end = cursor.ends[at + 1] if number else cursor.ends[at]
    message = f"offsets are added: write `+-{number}`" if number else "offsets are added: write `+-` and a constant"
    cursor.problem("negative-offset", message, cursor.starts[at], end)


def _report_arithmetic(cursor: Cursor, name: str) -> None:
    at = cursor.at
    message = f"`{name}` cannot be calculated with: only a plain name and `+` with a constant may stand here"
    cursor.problem("operand-arithmetic", message, cursor.starts[at], cursor.ends[at])


def _as_value(terms: list[Term], start: int) -> Value:
    end = max(terms[0].end, terms[-1].end)
    return Value(Expression(tuple(terms), start, end), start, end)


def _pair_or_value(cursor: Cursor) -> Operand:
    if cursor.kinds[cursor.at + 1] == "|":
        return _pair(cursor, name_value(cursor))
    value = _name_and_more(cursor)
    if cursor.kinds[cursor.at] != "|":
        return value
    _report_pair(cursor, cursor.at)
    return _pair(cursor, value)


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
    return spoilt(cursor, operand.start, operand.end)


def _report_pair(cursor: Cursor, index: int) -> None:
    message = "a bar joins two destinations, each a plain name or `_`"
    cursor.problem("destination-pair", message, cursor.starts[index], cursor.ends[index])


def _vector(cursor: Cursor) -> Operand:
    opening = cursor.at
    elements = parse_list(cursor, parse_element, "an element")
    vector = Vector(elements, cursor.starts[opening], cursor.ends[cursor.at - 1])
    return _pair(cursor, vector) if cursor.kinds[cursor.at] == "|" else vector


def parse_element(cursor: Cursor) -> Operand | None:
    """A register with its selector, a constant or `_`: the elements of a vector."""
    kinds, at = cursor.kinds, cursor.at
    if kinds[at] == NAME and kinds[at + 1] in _AFTER_OPERAND:
        return name_value(cursor)
    if kinds[at] == SINK:
        cursor.at = at + 1
        return Sink(cursor.starts[at], cursor.ends[at])
    value = parse_value(cursor)
    if value is None or value.expression.root.kind is TermKind.MEMBER:
        return value
    return checked_item(cursor, value)


def checked_item(cursor: Cursor, value: Value) -> Value:
    """An item of a list; one that is neither a name alone nor a constant is reported and spoilt."""
    terms = value.expression.terms
    if len(terms) > 1 and terms[0].kind is TermKind.NAME:
        word = cursor.text[value.start : value.end]
        message = f"`{word}` cannot stand in a list: its items are plain names and constants"
        cursor.problem("operand-arithmetic", message, value.start, value.end)
        return spoilt(cursor, value.start, value.end)
    return value


def parse_list(cursor: Cursor, parse: OperandParser, what: str) -> tuple[Operand, ...]:
    """A bracketed list with commas, from its opening bracket on, the closing one included where it is there."""
    kinds, opening = cursor.kinds, cursor.at
    closing = CLOSING[kinds[opening]]
    items: list[Operand] = []
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
        item = None if kinds[at] == ";" or starts_statement(cursor, at) else parse(cursor)
        if item is not None:
            items.append(item)
        kind = kinds[cursor.at]
        if kind == ",":
            cursor.at += 1
        elif item is not None and kind in _BEGINS_OPERAND and kind != "(" and not starts_statement(cursor, cursor.at):
            report_missing_comma(cursor)
        else:
            close_bracket(cursor, opening)
            return tuple(items)


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


def _address(cursor: Cursor) -> Address:
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
    return Address((spoilt(cursor, parts[0].start, parts[-1].end),), address.start, address.end)


def _address_part(cursor: Cursor) -> Operand | None:
    return _vector(cursor) if cursor.kinds[cursor.at] == "{" else parse_value(cursor)


def _bad_part(address: Address) -> Operand | None:
    """The first part that the grammar does not take in brackets.

    It takes one name or constant with or without an offset, or up to three parts: plain names, and for the last also a
    vector.
    """
    several = len(address.parts) > 1
    for number, part in enumerate(address.parts):
        if isinstance(part, Vector):
            fine = several and number == len(address.parts) - 1
        else:
            fine = isinstance(part, Value) and (_is_name(part) if several else _is_base(part)) and number < 3
        if not fine:
            return part
    return None


def _report_bad_part(cursor: Cursor, address: Address, part: Operand) -> None:
    word = cursor.text[part.start : part.end]
    message = f"`{word}` cannot be an address: that is a name, a constant, or a name `+` a constant"
    if len(address.parts) > 1:
        message = f"`{word}` cannot be a part of this address: those are names, and a vector at the end"
    cursor.problem("bad-address", message, part.start, part.end)


def _is_name(part: Value) -> bool:
    return len(part.expression.terms) == 1 and part.expression.terms[0].kind is TermKind.NAME


def _is_base(part: Value) -> bool:
    terms = part.expression.terms
    if len(terms) == 1 or terms[0].kind is not TermKind.NAME:
        return True
    return terms[1].kind not in (TermKind.MEMBER, TermKind.UNARY) and terms[-1].kind is not TermKind.INDEX


def _report_missing(cursor: Cursor) -> None:
    """No operand where one should be: after a comma too many, or before one."""
    at = cursor.at
    if cursor.kinds[at - 1] == ",":
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
    else:
        skip_statement(cursor)
    return False


def _mend_after_operand(cursor: Cursor, operand: Operand) -> bool:
    """Neither `,` nor `;` follows an operand: report it; whether another operand follows."""
    kinds, at = cursor.kinds, cursor.at
    kind = kinds[at]
    if starts_statement(cursor, at):
        report_missing_semicolon(cursor)
        return False
    if kind == NAME and _is_constant(operand) and is_remainder(cursor):
        report_percent_name(cursor)
        cursor.at = at + 1
        return _go_on(cursor)
    if kind in _BEGINS_OPERAND:
        report_missing_comma(cursor)
        return True
    report_stray(cursor, "cannot follow a complete operand")
    if kind == END:
        return False
    cursor.at = at + 1
    return _go_on(cursor)


def _go_on(cursor: Cursor) -> bool:
    """Behind what was reported: step over a comma, or leave the statement. Whether another operand follows."""
    if cursor.kinds[cursor.at] == ",":
        cursor.at += 1
        return True
    skip_statement(cursor)
    return False


def _is_constant(operand: Operand) -> bool:
    return isinstance(operand, Value) and operand.expression.terms[0].kind is not TermKind.NAME
