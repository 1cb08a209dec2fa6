"""Declarations of registers, variables and parameters, with their initialisers."""

from ptx_lsp.syntax.expressions import PRECEDENCE, extend_with_constant, parse_constant
from ptx_lsp.syntax.lexer import DOTTED, END, INTEGER, LITERALS, NAME, SINK, WARP_SIZE, Cursor
from ptx_lsp.syntax.operands import close_bracket, report_missing_comma, report_missing_semicolon
from ptx_lsp.syntax.recovery import skip_statement, starts_statement
from ptx_lsp.syntax.tree import (
    Declaration,
    Declarator,
    Dimension,
    Expression,
    Initialiser,
    Specifier,
    Term,
    TermKind,
    Word,
)

_COUNTED = frozenset((".align",))  # specifiers that a number must follow
_COMPLETE = frozenset((",", ";", ")"))


def parse_specifiers(cursor: Cursor) -> list[Specifier]:
    """Words with a dot and their arguments, as many as there are."""
    specifiers: list[Specifier] = []
    kinds = cursor.kinds
    while kinds[cursor.at] == DOTTED:
        specifiers.append(parse_specifier(cursor))
    return specifiers


def parse_specifier(cursor: Cursor) -> Specifier:
    """One word with a dot and its arguments: `.align 8`, `.attribute(.managed)`, `.const[2]`."""
    word = take_word(cursor)
    arguments: tuple[Expression | Word, ...] = ()
    kind = cursor.kinds[cursor.at]
    if kind == "(" and not cursor.on_new_line(cursor.at):
        arguments = _parenthesised(cursor)
    elif word.text in _COUNTED:
        arguments = _number_argument(cursor, word)
    elif kind == "[" and word.text == ".const":
        opening = cursor.at
        cursor.at += 1
        arguments = _number_argument(cursor, word)
        close_bracket(cursor, opening)
    return Specifier(word, arguments, word.start, cursor.ends[cursor.at - 1])


def take_word(cursor: Cursor) -> Word:
    """The token at the cursor as a word."""
    at = cursor.at
    cursor.at = at + 1
    start, end = cursor.starts[at], cursor.ends[at]
    return Word(cursor.text[start:end], start, end)


def _number_argument(cursor: Cursor, word: Word) -> tuple[Expression | Word, ...]:
    number = parse_literal(cursor, f"the number of `{word.text}`")
    return () if number is None else (number,)


def parse_literal(cursor: Cursor, what: str) -> Expression | None:
    """One integer literal, the only thing that PTX takes in these places; more than that is reported."""
    at = cursor.at
    kind = cursor.kinds[at]
    if kind in (INTEGER, WARP_SIZE, "malformed") and cursor.kinds[at + 1] not in PRECEDENCE.keys() - {">", "<"}:
        start, end = cursor.starts[at], cursor.ends[at]
        cursor.at = at + 1
        literal = TermKind.MALFORMED if kind == "malformed" else TermKind.INTEGER
        return Expression((Term(literal, cursor.text[start:end], start, start, end),), start, end)
    start = cursor.starts[at]
    if kind in LITERALS or kind in ("(", "-", "+", "~", "!"):
        depth = 0
        while kind in LITERALS or kind in PRECEDENCE or kind in ("(", ")", "~", "!"):
            depth += (kind == "(") - (kind == ")")
            if depth < 0 or kind == ">":
                break
            at += 1
            kind = cursor.kinds[at]
        cursor.at = at
        end = cursor.ends[at - 1]
        message = f"{what} must be one unsigned integer literal, not an expression"
        cursor.problem("literal-required", message, start, end)
        return None
    if kind in (",", ";", ")", "]", ">", END) or cursor.on_new_line(at):
        end = cursor.ends[at - 1]
        cursor.problem("expected-operand", f"{what} is missing here", end - 1, end)
        return None
    message = f"{what} must be an integer literal, and `{cursor.word(at)}` is none"
    cursor.problem("literal-required", message, start, cursor.ends[at])
    if kind == NAME:
        cursor.at = at + 1
    return None


def _parenthesised(cursor: Cursor) -> tuple[Expression | Word, ...]:
    """`(.managed, .unified(1, 2))`: words and numbers, flat."""
    opening = [cursor.at]
    items: list[Expression | Word] = []
    cursor.at += 1
    wanted = True
    while opening:
        kind = cursor.kinds[cursor.at]
        if kind == ")":
            if wanted:
                _report_missing_argument(cursor)
            opening.pop()
            cursor.at += 1
            wanted = False
        elif kind == "(" and not wanted:
            opening.append(cursor.at)
            cursor.at += 1
            wanted = True
        elif kind == "," and not wanted:
            cursor.at += 1
            wanted = True
        elif kind == DOTTED and wanted:
            items.append(take_word(cursor))
            wanted = False
        elif kind == INTEGER and wanted:
            items.append(parse_constant(cursor) or take_word(cursor))
            wanted = False
        elif kind in (";", "{", "}", END):
            close_bracket(cursor, opening[-1])
            break
        else:
            _report_missing_argument(cursor)
            cursor.at += 1
    return tuple(items)


def _report_missing_argument(cursor: Cursor) -> None:
    at = cursor.at
    message = f"`{cursor.word(at)}` cannot stand here: an attribute begins with a dot, and commas stand between them"
    cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[at])


def parse_declaration(cursor: Cursor, specifiers: list[Specifier]) -> Declaration:
    """A declaration from behind its specifiers up to and including its `;`."""
    declarators: list[Declarator] = []
    start = specifiers[0].start
    if cursor.kinds[cursor.at] != ";":
        _parse_declarators(cursor, declarators)
    else:
        cursor.at += 1
    return Declaration(tuple(specifiers), tuple(declarators), start, cursor.ends[cursor.at - 1])


def _parse_declarators(cursor: Cursor, declarators: list[Declarator]) -> None:
    kinds = cursor.kinds
    while True:
        declarator = parse_declarator(cursor)
        if declarator is not None:
            declarators.append(declarator)
        at = cursor.at
        kind = kinds[at]
        if kind == ",":
            cursor.at = at + 1
        elif kind == ";":
            cursor.at = at + 1
            return
        elif not _mend_after_declarator(cursor, declarator):
            return


def _mend_after_declarator(cursor: Cursor, declarator: Declarator | None) -> bool:
    """Neither `,` nor `;` follows a declarator: report it; whether another declarator follows."""
    at = cursor.at
    kind = cursor.kinds[at]
    if declarator is not None and (starts_statement(cursor, at) or cursor.on_new_line(at) or kind == DOTTED):
        report_missing_semicolon(cursor)
        return False
    if kind == NAME and declarator is not None:
        report_missing_comma(cursor)
        return True
    if declarator is not None:
        if kind in ("]", ")", "}", ">"):
            message = f"this `{kind}` closes nothing"
            cursor.problem("unbalanced-bracket", message, cursor.starts[at], cursor.ends[at])
        else:
            message = f"`{cursor.word(at)}` cannot follow a declared name here"
            cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[at])
        if not (kind == END or starts_statement(cursor, at)):
            cursor.at = at + 1
    skip_statement(cursor)
    return False


def parse_declarator(cursor: Cursor) -> Declarator | None:
    """One declared name with its count, dimensions and initialiser; None, and a problem, where there is no name."""
    kinds = cursor.kinds
    if kinds[cursor.at] not in (NAME, SINK):
        _report_missing_name(cursor)
        return None
    name = take_word(cursor)
    if kinds[cursor.at] in _COMPLETE:
        return Declarator(name, None, (), None, name.start, name.end)
    count = _parse_count(cursor) if kinds[cursor.at] == "<" else None
    dimensions: list[Dimension] = []
    while kinds[cursor.at] == "[":
        dimensions.append(_parse_dimension(cursor))
    initialiser = None
    if kinds[cursor.at] == "=":
        cursor.at += 1
        initialiser = parse_initialiser(cursor)
    end = cursor.ends[cursor.at - 1]
    return Declarator(name, count, tuple(dimensions), initialiser, name.start, end)


def _report_missing_name(cursor: Cursor) -> None:
    at = cursor.at
    kind = cursor.kinds[at]
    before = cursor.kinds[at - 1]
    if before == "," and (kind in (",", ";", ")") or starts_statement(cursor, at)):
        message = "a name is missing after this comma"
        cursor.problem("extra-comma", message, cursor.starts[at - 1], cursor.ends[at - 1])
    elif kind in (END, ";") or cursor.on_new_line(at):
        end = cursor.ends[at - 1]
        cursor.problem("expected-name", "the name to declare is missing here", end - 1, end)
    else:
        message = f"the name to declare should stand here, not `{cursor.word(at)}`"
        cursor.problem("expected-name", message, cursor.starts[at], cursor.ends[at])


def _parse_count(cursor: Cursor) -> Expression | None:
    opening = cursor.at
    cursor.at += 1
    count = parse_literal(cursor, "the number of registers")
    if cursor.kinds[cursor.at] == ">":
        cursor.at += 1
    else:
        start = cursor.starts[opening]
        cursor.problem("unbalanced-bracket", "this `<` is never closed", start, start + 1, data=(("closing", ">"),))
    return count


def _parse_dimension(cursor: Cursor) -> Dimension:
    opening = cursor.at
    start = cursor.starts[opening]
    cursor.at += 1
    size = None
    if cursor.kinds[cursor.at] != "]":
        size = parse_literal(cursor, "the size of an array")
    close_bracket(cursor, opening)
    return Dimension(size, start, cursor.ends[cursor.at - 1])


def parse_initialiser(cursor: Cursor) -> Initialiser:
    """What stands after `=`, up to the `,` or `;` behind it."""
    start = cursor.starts[cursor.at]
    if cursor.kinds[cursor.at] != "{":
        item = parse_initial_value(cursor)
        items: tuple[Expression | Word, ...] = () if item is None else (item,)
    else:
        items = _braced(cursor)
    return Initialiser(items, start, max(start, cursor.ends[cursor.at - 1]))


def _braced(cursor: Cursor) -> tuple[Expression | Word, ...]:
    """Braces and values, flat, from the first `{` to the `}` that closes it."""
    kinds = cursor.kinds
    items: list[Expression | Word] = []
    open_braces: list[int] = []
    value_expected = True  # where not, a comma or a `}` is
    while True:
        at = cursor.at
        kind = kinds[at]
        if kind == "{" and value_expected:
            open_braces.append(at)
            items.append(take_word(cursor))
        elif kind == "}":
            if value_expected and kinds[at - 1] == ",":
                _report_empty_place(cursor)
            open_braces.pop()
            items.append(take_word(cursor))
            value_expected = False
            if not open_braces:
                return tuple(items)
        elif kind == ",":
            if value_expected:
                _report_empty_place(cursor)
            cursor.at = at + 1
            value_expected = True
        elif kind in (";", END) or (cursor.problems and cursor.on_new_line(at) and starts_statement(cursor, at)):
            opening = open_braces[-1]
            message = "this `{` is never closed"
            cursor.problem(
                "unbalanced-bracket", message, cursor.starts[opening], cursor.ends[opening], data=(("closing", "}"),)
            )
            return tuple(items)
        elif value_expected:
            value_expected = False
            item = parse_initial_value(cursor)
            if item is not None:
                items.append(item)
            elif cursor.at == at:
                cursor.at = at + 1
        else:
            if starts_statement(cursor, at) and kind != "@" and cursor.on_new_line(at):
                opening = open_braces[-1]
                cursor.problem(
                    "unbalanced-bracket",
                    "this `{` is never closed",
                    cursor.starts[opening],
                    cursor.ends[opening],
                    data=(("closing", "}"),),
                )
                return tuple(items)
            if kind in LITERALS or kind in (NAME, "{"):
                report_missing_comma(cursor)
            else:
                cursor.problem(
                    "stray-token",
                    f"`{cursor.word(at)}` cannot follow a complete value",
                    cursor.starts[at],
                    cursor.ends[at],
                )
                cursor.at = at + 1
            value_expected = kind in LITERALS or kind in (NAME, "{")


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
    terms: list[Term] = []
    _push_symbol(cursor, terms)
    _push_addend(cursor, terms)
    return Expression(tuple(terms), terms[-1].start, terms[-1].end)


def _push_symbol(cursor: Cursor, terms: list[Term]) -> None:
    """A name, or `generic(name)`."""
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    word = cursor.text[start:end]
    cursor.at = at + 1
    if word != "generic" or cursor.kinds[at + 1] != "(":
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
        message = "`generic` takes a name alone: write what is added behind the parenthesis"
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
        cursor.problem("negative-offset", "offsets are added: write `+-` and the number", start, end)
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
