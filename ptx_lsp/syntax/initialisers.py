"""Initial values of variables, read without recursion and in linear time."""

from ptx_lsp.syntax.expressions import PRECEDENCE, extend_with_constant, parse_constant
from ptx_lsp.syntax.lexer import END, INTEGER, LITERALS, NAME, VALUES, Cursor
from ptx_lsp.syntax.recovery import (
    close_bracket,
    report_missing_comma,
    report_stray,
    report_unclosed,
    starts_statement,
)
from ptx_lsp.syntax.tree import Expression, Initialiser, Term, TermKind, ValueRun, Word
from ptx_lsp.syntax.values import report_negative_offset

_IN_LIST = LITERALS | {",", "-", "+"}
"""The tokens of a list of constants."""
_ENDS_VALUE = frozenset(",};")


def parse_initialiser(cursor: Cursor) -> Initialiser:
    """The initial value after `=`, up to the next `,` or `;` outside braces."""
    first = cursor.at
    start = cursor.starts[first]
    if cursor.kinds[cursor.at] == "[" and _pass_brackets(cursor):
        items: tuple[Expression | ValueRun | Word, ...] = ()
    elif cursor.kinds[cursor.at] != "{":
        item = parse_initial_value(cursor)
        items = () if item is None else (item,)
        if cursor.kinds[cursor.at] == "," and cursor.kinds[cursor.at + 1] in LITERALS:
            _pass_list(cursor, first)
    else:
        items = _braced(cursor)
    end = cursor.ends[cursor.at - 1]
    return Initialiser(items, min(start, end), end)


def _pass_brackets(cursor: Cursor) -> bool:
    """Whether values in brackets are at the cursor: then report them and step over them."""
    kinds, at = cursor.kinds, cursor.at
    cursor.split_values()
    end = at + 1
    while kinds[end] in _IN_LIST:
        end += 1
    if kinds[end] != "]":
        return False
    message = "the values of an array are in braces, not in brackets"
    cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[end])
    cursor.at = end + 1
    return True


def _pass_list(cursor: Cursor, first: int) -> None:
    """Report the values of a list in no braces that begins at the token `first`, and step over it.

    If it begins on a line of its own, the sign before it is marked.
    """
    while cursor.kinds[cursor.at] in _IN_LIST:
        cursor.at += 1
    last = cursor.at - 1
    if cursor.on_new_line(first):
        first = last = first - 1
    message = "the values of an array are in braces: a `{` is missing here"
    cursor.problem("missing-brace", message, cursor.starts[first], cursor.ends[last])


def _braced(cursor: Cursor) -> tuple[Expression | ValueRun | Word, ...]:
    """Braces and values, flat, from the first `{` to the `}` that closes it."""
    kinds = cursor.kinds
    items: list[Expression | ValueRun | Word] = []
    open_braces: list[int] = []
    wanted = True  # true if a value or a `{` is expected, false if a comma or a `}` is
    while True:
        at = cursor.at
        kind = kinds[at]
        if kind == "{" and wanted:
            open_braces.append(cursor.starts[at])
            items.append(_brace(cursor))
        elif kind == "}":
            if kinds[at - 1] == ",":
                _report_empty_place(cursor)
            open_braces.pop()
            items.append(_brace(cursor))
            wanted = False
            if not open_braces:
                if kinds[cursor.at] != ";":
                    cursor.split_values()
                return tuple(items)
        elif kind == ",":
            if wanted:
                _report_empty_place(cursor)
            cursor.at = at + 1
            wanted = True
        elif kind in (";", END) or (
            cursor.on_new_line(at) and starts_statement(cursor, at) and not _is_address(cursor)
        ):
            report_unclosed(cursor, open_braces[-1])
            cursor.split_values()
            return tuple(items)
        elif kind == VALUES:  # after a `{` or a comma, and before a comma
            items.append(ValueRun(cursor.text, cursor.starts[at], cursor.ends[at]))
            cursor.at = at + 1
            wanted = False
        elif wanted:
            wanted = False
            item = parse_initial_value(cursor)
            if item is not None:
                items.append(item)
            elif cursor.at == at:
                cursor.at = at + 1
        elif kind in LITERALS or kind in (NAME, "{"):
            report_missing_comma(cursor)
            wanted = True
        else:
            report_stray(cursor, "cannot follow a complete value")
            cursor.at = at + 1


def _is_address(cursor: Cursor) -> bool:
    """Whether the name at the cursor is an address, and no opcode: the last one of an initialiser, or `generic(`."""
    return cursor.kinds[cursor.at] == NAME and (cursor.kinds[cursor.at + 1] == "}" or _is_generic(cursor))


def _brace(cursor: Cursor) -> Word:
    at = cursor.at
    cursor.at = at + 1
    return Word(cursor.kinds[at], cursor.starts[at], cursor.ends[at])


def _report_empty_place(cursor: Cursor) -> None:
    at = cursor.at
    if cursor.kinds[at - 1] == ",":
        message = "a value is missing after this comma"
        cursor.problem("extra-comma", message, cursor.starts[at - 1], cursor.ends[at - 1])
    else:
        message = "a value is missing before this comma"
        cursor.problem("extra-comma", message, cursor.starts[at], cursor.ends[at])


def parse_initial_value(cursor: Cursor) -> Expression | None:
    """One value of an initialiser: a constant, `sym+4`, `generic(sym)+4`, `0xFF(sym+4)`, `field = value`."""
    kinds, at = cursor.kinds, cursor.at
    if kinds[at] == NAME:
        if kinds[at + 1] == "=":
            return _field(cursor)
        return _symbol(cursor)
    if kinds[at] == INTEGER and kinds[at + 1] == "(":
        return _mask(cursor)
    return parse_constant(cursor)


def _symbol(cursor: Cursor) -> Expression:
    at = cursor.at
    if cursor.kinds[at + 1] in _ENDS_VALUE:  # most values are a name alone: a table may have thousands
        start, end = cursor.starts[at], cursor.ends[at]
        cursor.at = at + 1
        return Expression((Term(TermKind.NAME, cursor.text[start:end], start, start, end),), start, end)
    terms: list[Term] = []
    _push_symbol(cursor, terms)
    _push_addend(cursor, terms)
    return Expression(tuple(terms), terms[-1].start, terms[-1].end)


def _is_generic(cursor: Cursor) -> bool:
    """Whether the cursor is at a `generic(`."""
    return cursor.word(cursor.at) == "generic" and cursor.kinds[cursor.at + 1] == "("


def _push_symbol(cursor: Cursor, terms: list[Term]) -> None:
    """A name, or `generic(name)`."""
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    word = cursor.text[start:end]
    if not _is_generic(cursor):
        cursor.at = at + 1
        terms.append(Term(TermKind.NAME, word, start, start, end))
        return
    cursor.at = at + 2
    if cursor.kinds[at + 2] == NAME:
        name, name_end = cursor.starts[at + 2], cursor.ends[at + 2]
        terms.append(Term(TermKind.NAME, cursor.text[name:name_end], name, name, name_end))
        cursor.at = at + 3
    else:
        message = "`generic` takes the name of a variable"
        cursor.problem("expected-name", message, cursor.starts[at + 2], cursor.ends[at + 2])
        terms.append(Term(TermKind.NAME, "", end, end, end))
        extend_with_constant(cursor, [])
    if cursor.kinds[cursor.at] in PRECEDENCE:
        message = "`generic` takes a name alone: write the added constant after the parenthesis"
        cursor.problem("operand-arithmetic", message, cursor.starts[cursor.at], cursor.ends[cursor.at])
        _push_addend(cursor, terms)
    close_bracket(cursor, at + 1)
    index = len(terms) - 1
    terms.append(Term(TermKind.GENERIC, word, start, start, cursor.ends[cursor.at - 1], (index,)))


def _push_addend(cursor: Cursor, terms: list[Term]) -> None:
    at = cursor.at
    kind = cursor.kinds[at]
    if kind not in PRECEDENCE:
        return
    left = len(terms) - 1
    start, end = cursor.starts[at], cursor.ends[at]
    if kind == "-":
        report_negative_offset(cursor)
    elif kind != "+":
        message = f"a symbol's address cannot be calculated with: only `+` and a constant may follow `{terms[0].text}`"
        cursor.problem("operand-arithmetic", message, start, end)
    cursor.at = at + 1
    if extend_with_constant(cursor, terms):
        terms.append(Term(TermKind.BINARY, kind, start, terms[left].start, terms[-1].end, (left, len(terms) - 1)))


def _mask(cursor: Cursor) -> Expression:
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    terms = [Term(TermKind.INTEGER, cursor.text[start:end], start, start, end)]
    cursor.at = at + 2
    if cursor.kinds[at + 2] == NAME:
        _push_symbol(cursor, terms)
        _push_addend(cursor, terms)
    else:
        extend_with_constant(cursor, terms)
    close_bracket(cursor, at + 1)
    operands = (0, len(terms) - 1) if len(terms) > 1 else (0,)
    terms.append(Term(TermKind.MASK, "(", cursor.starts[at + 1], start, cursor.ends[cursor.at - 1], operands))
    return Expression(tuple(terms), start, terms[-1].end)


def _field(cursor: Cursor) -> Expression:
    """`addr_mode_0 = wrap` of an opaque variable, as a binary `=` of two names or a name and a number."""
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    terms = [Term(TermKind.NAME, cursor.text[start:end], start, start, end)]
    cursor.at = at + 2
    if cursor.kinds[at + 2] == NAME:
        value, value_end = cursor.starts[at + 2], cursor.ends[at + 2]
        terms.append(Term(TermKind.NAME, cursor.text[value:value_end], value, value, value_end))
        cursor.at = at + 3
    elif not extend_with_constant(cursor, terms):
        return Expression(tuple(terms), start, end)
    terms.append(Term(TermKind.BINARY, "=", cursor.starts[at + 1], start, terms[-1].end, (0, len(terms) - 1)))
    return Expression(tuple(terms), start, terms[-1].end)
