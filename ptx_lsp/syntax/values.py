"""Operands that are expressions: constants, and names with a sign, selector, index or offset."""

from ptx_lsp.syntax.expressions import PRECEDENCE, extend_with_constant, parse_constant
from ptx_lsp.syntax.lexer import AFTER_OPERAND, DOTTED, LITERALS, NAME, SINGLE, Cursor
from ptx_lsp.syntax.recovery import begins_next_line, close_bracket, starts_statement
from ptx_lsp.syntax.tree import Expression, Term, TermKind, Value

UNIFIED = ".unified"


def name_value(cursor: Cursor) -> Value:
    """The name at the cursor as an operand."""
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    cursor.at = at + 1
    return Value(Expression((Term(TermKind.NAME, cursor.text[start:end], start, start, end),), start, end), start, end)


def parse_value(cursor: Cursor) -> Value | None:
    """An operand that is an expression: a constant, or a name with a sign, selector, index or offset.

    An operand with a problem becomes one MALFORMED term, so that it is not reported twice.
    """
    kinds, at = cursor.kinds, cursor.at
    kind = kinds[at]
    clean = not cursor.problems
    if kind == NAME:
        value = name_and_more(cursor)
    elif kind in ("-", "!") and kinds[at + 1] == NAME and not begins_next_line(cursor, at + 1):
        value = _signed_name(cursor)
    else:
        expression = parse_constant(cursor)
        if expression is None:
            return None
        value = Value(expression, expression.start, expression.end)
    if clean and cursor.problems and cursor.problems[0].code != "negative-offset":
        return malformed_operand(cursor, value.start, value.end)
    return value


def malformed_operand(cursor: Cursor, start: int, end: int) -> Value:
    """An operand of which only the place is known."""
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


def name_and_more(cursor: Cursor) -> Value:
    """A name with its selector, index or addend."""
    kinds = cursor.kinds
    terms: list[Term] = []
    _push_name(cursor, terms)
    start, name = terms[0].start, terms[0].text
    if kinds[cursor.at] == "[":
        _index(cursor, terms)
        if kinds[cursor.at] == DOTTED and cursor.word(cursor.at) == UNIFIED:
            cursor.at += 1  # observed: ptxas 13.5 accepts it after every element and ignores it
    if len(terms) > 1 and kinds[cursor.at] in PRECEDENCE:
        _report_arithmetic(cursor, name + (terms[-1].text if terms[-1].kind is TermKind.MEMBER else "[...]"))
    if kinds[cursor.at] in PRECEDENCE and kinds[cursor.at] != "|":
        _offset(cursor, terms)
    return _as_value(terms, start)


def _push_name(cursor: Cursor, terms: list[Term]) -> None:
    """Append a name, and its selector (`.x`) if it has one."""
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    terms.append(Term(TermKind.NAME, cursor.text[start:end], start, start, end))
    at += 1
    if cursor.kinds[at] == DOTTED and not starts_statement(cursor, at):
        selector, at_selector, end = cursor.word(at), cursor.starts[at], cursor.ends[at]
        terms.append(Term(TermKind.MEMBER, selector, at_selector, start, end, (len(terms) - 1,)))
        at += 1
    cursor.at = at


def _index(cursor: Cursor, terms: list[Term]) -> None:
    """`[9]`, `[%r1]` or `[%r1+4]` after a name."""
    opening = cursor.at
    cursor.at += 1
    name = len(terms) - 1
    if cursor.kinds[cursor.at] == NAME:
        at = cursor.at
        start, end = cursor.starts[at], cursor.ends[at]
        terms.append(Term(TermKind.NAME, cursor.text[start:end], start, start, end))
        cursor.at = at + 1
        if cursor.kinds[cursor.at] in PRECEDENCE:
            _offset(cursor, terms)
    elif not extend_with_constant(cursor, terms):
        return
    close_bracket(cursor, opening)
    end = max(terms[-1].end, cursor.ends[cursor.at - 1])
    terms.append(Term(TermKind.INDEX, "[", cursor.starts[opening], terms[name].start, end, (name, len(terms) - 1)))


def _offset(cursor: Cursor, terms: list[Term]) -> None:
    """`+4` after a name. Every other operator is reported."""
    at = cursor.at
    kind, left = cursor.kinds[at], len(terms) - 1
    name, start = terms[left if terms[left].kind is TermKind.NAME else 0].text, cursor.starts[at]
    if kind == "-":
        report_negative_offset(cursor)
    elif kind != "+":
        _report_arithmetic(cursor, name)
    cursor.at = at + 1
    if kind == "+" and cursor.kinds[at + 1] == NAME and not begins_next_line(cursor, at + 1):
        other = cursor.word(at + 1)
        message = f"only a constant can be added to `{name}` here: add `{other}` with an `add` instruction first"
        cursor.problem("expected-constant", message, cursor.starts[at + 1], cursor.ends[at + 1])
    if cursor.kinds[at + 1] == SINGLE and cursor.kinds[at + 2] in AFTER_OPERAND:
        single, end = cursor.starts[at + 1], cursor.ends[at + 1]
        terms.append(Term(TermKind.SINGLE, cursor.text[single:end], single, single, end))
        cursor.at = at + 2
    elif not extend_with_constant(cursor, terms):
        return
    terms.append(Term(TermKind.BINARY, kind, start, terms[left].start, terms[-1].end, (left, len(terms) - 1)))


def report_negative_offset(cursor: Cursor) -> None:
    """Report that the `-` at the cursor should be `+-`."""
    at = cursor.at
    number = cursor.word(at + 1) if cursor.kinds[at + 1] in LITERALS else ""
    end = cursor.ends[at + 1] if number else cursor.ends[at]
    message = f"offsets are added: write `+-{number}`" if number else "offsets are added: write `+-` and a constant"
    cursor.problem("negative-offset", message, cursor.starts[at], end)


def _report_arithmetic(cursor: Cursor, name: str) -> None:
    at = cursor.at
    message = f"`{name}` cannot be used in an expression: only a plain name plus a constant is allowed here"
    cursor.problem("operand-arithmetic", message, cursor.starts[at], cursor.ends[at])


def _as_value(terms: list[Term], start: int) -> Value:
    end = max(terms[0].end, terms[-1].end)
    return Value(Expression(tuple(terms), start, end), start, end)
