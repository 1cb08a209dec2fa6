"""Constant expressions: operator precedence with an explicit stack, so that no depth of nesting needs recursion.

The grammar is that of ptxas 13.5: C's operators and precedences without `++` and `--`; casts `(.s64)` bind as unary
operators; `?:` is right-associative and its middle is a whole expression; `0f...` occurs alone or
directly in parentheses.
"""

from ptx_lsp.syntax.lexer import (
    DOTTED,
    DOUBLE,
    END,
    FLOAT,
    INTEGER,
    MALFORMED,
    NAME,
    SINGLE,
    SINK,
    STRING,
    WARP,
    Cursor,
)
from ptx_lsp.syntax.recovery import SAFE, begins_next_line, report_stray, report_unclosed, starts_statement
from ptx_lsp.syntax.tree import Expression, Problem, Term, TermKind

PRECEDENCE = {
    "||": 3,
    "&&": 4,
    "|": 5,
    "^": 6,
    "&": 7,
    "==": 8,
    "!=": 8,
    "<": 9,
    "<=": 9,
    ">": 9,
    ">=": 9,
    "<<": 10,
    ">>": 10,
    "+": 11,
    "-": 11,
    "*": 12,
    "/": 12,
    "%": 12,
}
UNARY = frozenset("+-!~")
_OPERATORS = PRECEDENCE.keys() | UNARY | {"?"}
OPEN, QUESTION, TERNARY, PREFIX, CAST = 0, 1, 2, 20, 21  # of an entry on the stack; 3 to 12 are binary operators

# The stack of ptxas' parser has 10,000 places. At least 12 are used when an expression begins; a binary
# operator or an open `?` takes two, an operator with its operand takes one (observed: ptxas 13.5).
MOST_WAITING = 9988
_PLACES = {OPEN: 1, QUESTION: 2, TERNARY: 4, PREFIX: 2, CAST: 4}
_PLACES_OF_BINARY = 2

LITERAL_KINDS = {
    INTEGER: TermKind.INTEGER,
    WARP: TermKind.INTEGER,
    FLOAT: TermKind.FLOAT,
    DOUBLE: TermKind.DOUBLE,
    SINGLE: TermKind.SINGLE,
    MALFORMED: TermKind.MALFORMED,
}
_OPENING = frozenset("([<")
_OF_ADDRESSES = {
    "&": ("there is no `&` in PTX: the name of a variable is its address, write `{}`", "{}"),
    "*": ("there is no `*` in PTX: `ld` and `st` take an address in brackets, `[{}]`", "[{}]"),
}
_AFTER_WHOLE = frozenset((",", ";", "]", ")", "}", END))

# precedence or one of the constants above; the operator; where it begins; the places taken up to this entry
Entry = tuple[int, str, int, int]


def parse_whole_expression(text: str) -> tuple[Expression | None, tuple[Problem, ...]]:
    """Parse a text that is one constant expression and nothing else. Returns it with its problems.

    The expression is None if the text has no operand. If there are problems, the expression is not reliable.
    """
    cursor = Cursor(text)
    if not cursor.begin():
        if not cursor.lexical:
            cursor.problem("expected-operand", "there is no expression here", 0, len(text))
        return None, cursor.take_problems(len(text) + 1)
    expression = parse_constant(cursor)
    if cursor.kinds[cursor.at] != END:
        report_after_constant(cursor)
    return expression, cursor.take_problems(len(text) + 1)


def report_after_constant(cursor: Cursor) -> None:
    """Report the token that follows a complete constant expression."""
    if is_remainder(cursor):
        report_percent_name(cursor)
    else:
        report_stray(cursor, "cannot follow a complete expression")


def is_remainder(cursor: Cursor) -> bool:
    """Whether the name at the cursor, after a constant, is like `%3` or `%x` and was meant as a remainder."""
    at = cursor.at
    word = cursor.word(at)
    touches = at > 0 and cursor.ends[at - 1] == cursor.starts[at]
    return word[0] == "%" and (touches or word[1:].isdigit())


def report_percent_name(cursor: Cursor) -> None:
    """Report that the name at the cursor should be `%` followed by an operand."""
    at = cursor.at
    message = f"`{cursor.word(at)}` is read as the name of a register: a remainder needs a blank after its `%`"
    cursor.problem("percent-name", message, cursor.starts[at], cursor.ends[at])


def parse_constant(cursor: Cursor) -> Expression | None:
    """One constant expression at the cursor. Reports a problem and returns None if none begins here."""
    kinds, at = cursor.kinds, cursor.at
    kind = LITERAL_KINDS.get(kinds[at])
    if kind is not None and kinds[at + 1] in _AFTER_WHOLE:
        cursor.at = at + 1
        start, end = cursor.starts[at], cursor.ends[at]
        return Expression((Term(kind, cursor.text[start:end], start, start, end),), start, end)
    terms: list[Term] = []
    extend_with_constant(cursor, terms)
    return Expression(tuple(terms), terms[-1].start, terms[-1].end) if terms else None


def extend_with_constant(cursor: Cursor, terms: list[Term]) -> bool:
    """Append the terms of one constant expression in postfix order. False if none begins here.

    The earlier terms do not change. A broken expression becomes one MALFORMED term.
    """
    stack: list[Entry] = []
    done: list[int] = []  # indices of the terms that wait for an operator
    first, before, deep = cursor.at, len(terms), False
    while _read_operand(cursor, terms, stack, done):
        if not deep and stack and stack[-1][3] > MOST_WAITING:
            _report_too_deep(cursor, stack)
            deep = True
        if not _read_operators(cursor, terms, stack, done):
            if not _close(terms, stack, done, cursor) or deep:
                _replace_by_malformed(cursor, terms, before, first)
            return True
    if cursor.at == first:
        return False
    _replace_by_malformed(cursor, terms, before, first)
    return True


def _replace_by_malformed(cursor: Cursor, terms: list[Term], before: int, first: int) -> None:
    """Replace the terms from index `before` on by one MALFORMED term that covers the tokens from `first` on."""
    start, end = cursor.starts[first], cursor.ends[cursor.at - 1]
    del terms[before:]
    terms.append(Term(TermKind.MALFORMED, cursor.text[start:end], start, start, end))


def _report_too_deep(cursor: Cursor, stack: list[Entry]) -> None:
    at = next(at for _, _, at, places in stack if places > MOST_WAITING)
    message = "the assembler runs out of memory here: the expression is nested too deeply"
    cursor.problem("crashes-assembler", message, at, at + 1)


def _push(stack: list[Entry], entry: int, text: str, at: int) -> None:
    below = stack[-1][3] if stack else 0
    stack.append((entry, text, at, below + _PLACES.get(entry, _PLACES_OF_BINARY)))


def _read_operand(cursor: Cursor, terms: list[Term], stack: list[Entry], done: list[int]) -> bool:
    """Read prefix operators and one primary."""
    kinds, starts = cursor.kinds, cursor.starts
    while True:
        at = cursor.at
        kind = kinds[at]
        if kind in LITERAL_KINDS:
            if kind == SINGLE:
                _check_single(cursor, stack)
            ends_in_dot = kind == FLOAT and _has_dot_for_semicolon(cursor, at)
            _push_token(cursor, terms, done, TermKind.MALFORMED if ends_in_dot else LITERAL_KINDS[kind])
            return True
        if kind in UNARY:
            _push(stack, PREFIX, kind, starts[at])
        elif kind == "(":
            if kinds[at + 1] == DOTTED and kinds[at + 2] == ")":
                _push(stack, CAST, cursor.word(at + 1), starts[at])
                cursor.at += 2
            else:
                _push(stack, OPEN, "(", starts[at])
        else:
            return _read_unexpected(cursor, terms, done)
        cursor.at += 1


def _has_dot_for_semicolon(cursor: Cursor, index: int) -> bool:
    """Whether the dot of a float is perhaps in the place of the `;`, as in `xor.b32 %r1, %r2, 3.`."""
    return cursor.word(index)[-1] == "." and cursor.on_new_line(index + 1) and starts_statement(cursor, index + 1)


_MOST_CODES = 16
"""The characters of a string, from its begin, whose codes are shown."""


def _read_unexpected(cursor: Cursor, terms: list[Term], done: list[int]) -> bool:
    """The token found instead of a constant: a name is consumed, any other token is not."""
    at = cursor.at
    start, end, word = cursor.starts[at], cursor.ends[at], cursor.word(at)
    if cursor.kinds[at] in (NAME, SINK) and not begins_next_line(cursor, at):
        message = f"`{word}` is not a constant: only numbers and operators are allowed in a constant expression"
        cursor.problem("expected-constant", message, start, end)
        _push_token(cursor, terms, done, TermKind.NAME)
        if cursor.kinds[cursor.at] == DOTTED and not cursor.on_new_line(cursor.at):
            cursor.at += 1
        return True
    if word in _OF_ADDRESSES and cursor.kinds[at + 1] == NAME:
        return _read_as_in_c(cursor, terms, done)
    if cursor.kinds[at] == STRING:
        codes = ", ".join(map(str, word[1:-1].encode("ascii", "replace")[:_MOST_CODES]))
        more = f": {'its characters begin with' if len(word) - 2 > _MOST_CODES else 'its characters are'} `{codes}`"
        cursor.problem("expected-operand", f"a value cannot be a string{more if codes else ''}", start, end)
        cursor.at += 1
        return False
    report_missing_operand(cursor, "a number")
    return False


def _read_as_in_c(cursor: Cursor, terms: list[Term], done: list[int]) -> bool:
    """`&name` and `*name`: unary operators of C that PTX does not have."""
    at = cursor.at
    name, end = cursor.word(at + 1), cursor.ends[at + 1]
    message, replacement = _OF_ADDRESSES[cursor.word(at)]
    data = (("replacement", replacement.format(name)), *((SAFE,) if replacement == "{}" else ()))
    cursor.problem("expected-operand", message.format(name), cursor.starts[at], end, data=data)
    cursor.at = at + 1
    _push_token(cursor, terms, done, TermKind.NAME)
    return True


def report_missing_operand(cursor: Cursor, wanted: str) -> None:
    """Report that `wanted` is missing at the cursor."""
    at = cursor.at
    kind = cursor.kinds[at]
    if at and cursor.kinds[at - 1] in _OPERATORS and cursor.starts[at - 1] >= cursor.begun:
        message = f"{wanted} is missing after this `{cursor.kinds[at - 1]}`"
        cursor.problem("expected-operand", message, cursor.starts[at - 1], cursor.ends[at - 1])
    elif at and (kind == END or (cursor.on_new_line(at) and _ends_line(cursor, at))):
        end = cursor.ends[at - 1]
        cursor.problem("expected-operand", f"{wanted} is missing here", max(0, end - 1), end)
    else:
        word = cursor.word(at)
        if word == "%":
            message = "a name is missing after this `%`"
        elif wanted == "a number" and cursor.kinds[at - 1] not in _OPENING:
            message = f"expected a value here, not `{word}`"
        else:
            message = f"{wanted} is missing before `{word}`"
        cursor.problem("expected-operand", message, cursor.starts[at], cursor.ends[at])


def _ends_line(cursor: Cursor, index: int) -> bool:
    """Whether the token at the beginning of a line belongs there, so that something is missing on the line before."""
    return cursor.kinds[index] in (",", ";", ")", "}") or starts_statement(cursor, index)


def _check_single(cursor: Cursor, stack: list[Entry]) -> None:
    follows = cursor.kinds[cursor.at + 1]
    if stack:
        fine = stack[-1][0] == OPEN and follows == ")"
    else:
        fine = follows not in PRECEDENCE and follows != "?"
    if not fine:
        word = cursor.word(cursor.at)
        message = f"`{word}` cannot be part of an expression: write a decimal float, or `0d` and 16 digits"
        cursor.problem("single-in-expression", message, cursor.starts[cursor.at], cursor.ends[cursor.at])


def _push_token(cursor: Cursor, terms: list[Term], done: list[int], kind: TermKind) -> None:
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    done.append(len(terms))
    terms.append(Term(kind, cursor.text[start:end], start, start, end))
    cursor.at = at + 1


def _read_operators(cursor: Cursor, terms: list[Term], stack: list[Entry], done: list[int]) -> bool:
    """Read what follows an operand, up to the next operand. False if the expression ends."""
    kinds = cursor.kinds
    while True:
        kind = kinds[cursor.at]
        precedence = PRECEDENCE.get(kind)
        if precedence is not None:
            _reduce(terms, stack, done, precedence)
            _push(stack, precedence, kind, cursor.starts[cursor.at])
        elif kind == "?":
            _reduce(terms, stack, done, TERNARY + 1)
            _push(stack, QUESTION, "?", cursor.starts[cursor.at])
        elif kind == ":" and _reduce(terms, stack, done, TERNARY) == QUESTION:
            _push(stack, TERNARY, "?:", stack.pop()[2])
        elif kind == ")" and _reduce(terms, stack, done, TERNARY) == OPEN:
            _parenthesise(terms, stack, done, cursor.ends[cursor.at])
            cursor.at += 1
            continue
        else:
            return False
        cursor.at += 1
        return True


def _parenthesise(terms: list[Term], stack: list[Entry], done: list[int], end: int) -> None:
    start = stack.pop()[2]
    inner = done.pop()
    done.append(len(terms))
    terms.append(Term(TermKind.PARENTHESES, "(", start, start, end, (inner,)))


def _reduce(terms: list[Term], stack: list[Entry], done: list[int], precedence: int) -> int | None:
    """Apply the operators on the stack that bind at least as tightly. Returns the new top (None: empty)."""
    while stack:
        top, text, at, _ = stack[-1]
        if top < precedence:
            return top
        stack.pop()
        _apply(terms, done, top, text, at)
    return None


def _apply(terms: list[Term], done: list[int], entry: int, text: str, at: int) -> None:
    count = 1 if entry >= PREFIX else 3 if entry == TERNARY else 2
    operands = tuple(done[-count:])
    del done[-count:]
    kind = (
        TermKind.CAST
        if entry == CAST
        else TermKind.UNARY
        if entry == PREFIX
        else TermKind.TERNARY
        if entry == TERNARY
        else TermKind.BINARY
    )
    start = at if count == 1 else terms[operands[0]].start
    done.append(len(terms))
    terms.append(Term(kind, text, at, start, terms[operands[-1]].end, operands))


def _close(terms: list[Term], stack: list[Entry], done: list[int], cursor: Cursor) -> bool:
    """End an expression: apply the remaining operators. Reports an unclosed bracket or `?` and returns False."""
    if _reduce(terms, stack, done, TERNARY) is None:
        return True
    _, text, at, _ = stack[-1]
    if text == "(":
        report_unclosed(cursor, at)
    else:
        cursor.problem("expected-operand", "this `?` has no `:`", at, at + 1)
    return False
