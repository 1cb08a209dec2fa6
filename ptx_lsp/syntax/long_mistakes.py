"""The end of a broken statement of very many tokens, as in a text that is no PTX: the rest is another statement."""

from collections import deque
from itertools import islice

from ptx_lsp.light_classes import Callable, bisect_left
from ptx_lsp.syntax.lexer import DOTTED, DWARF, END, Cursor
from ptx_lsp.syntax.tree import Broken, Instruction, Statement
from ptx_lsp.text.lines import find_line_end

MOST_TOKENS = 256
"""A broken statement ends at the first line end after that number of tokens, if nothing ends it above."""
_LOOKED_AT = 16
"""More tokens than the parser looks ahead: a problem above them does not follow from what is below."""
_NEVER_BOUNDED = frozenset((DOTTED, DWARF, "{", "}"))


def parse_to_bound(cursor: Cursor, parse: Callable[[Cursor], Statement]) -> tuple[Statement, bool]:
    """The statement at the cursor, and whether it is broken and ends at the bound, because no other end is above it.

    Only instructions and stray tokens are bounded: tables and lists of parameters have very many tokens.
    """
    kinds, starts, at, bound = cursor.kinds, cursor.starts, cursor.at, _bound(cursor)
    if not bound:
        return parse(cursor), False
    begin, above, lexical, short = starts[bound], starts[bound - _LOOKED_AT], tuple(cursor.lexical), cursor.short
    read = kinds[at : bound + 1], starts[at : bound + 1], cursor.ends[at : bound + 1]
    kinds[bound], cursor.short = END, False
    statement = parse(cursor)
    end = bisect_left(starts, begin)
    if at < cursor.at < end - _LOOKED_AT and not cursor.short:
        kinds[end], cursor.short = read[0][-1], short
        return statement, False
    problems = (*cursor.problems[:1], *lexical[:1])
    if cursor.at == end and isinstance(statement, Instruction | Broken) and any(one.start < above for one in problems):
        kinds[end], cursor.short = read[0][-1], short
        return _until(cursor, statement, begin), True
    kinds[at : end + 1], starts[at : end + 1], cursor.ends[at : end + 1] = read
    cursor.at, cursor.problems, cursor.short, cursor.lexical = at, [], short, deque(lexical)
    return parse(cursor), False


def _bound(cursor: Cursor) -> int:
    """The token, at the begin of a line, at which the statement at the cursor ends if it is broken; 0 without one."""
    kinds, at = cursor.kinds, cursor.at
    least = at + MOST_TOKENS
    if least >= len(kinds) or kinds[at] in _NEVER_BOUNDED or cursor.has_values:
        return 0
    if kinds[at + 1] == ":" and kinds[at + 2] == DOTTED:
        return 0  # a list that a label names
    last = cursor.ends[min(least + MOST_TOKENS, len(kinds) - 1)]
    line_end = cursor.text.find("\n", cursor.ends[least - 1], last)
    bound = bisect_left(cursor.starts, line_end)
    if line_end < 0 or bound >= len(kinds) or kinds[bound] in (";", END) or not cursor.on_new_line(bound):
        return 0
    return bound


def rest_of_line(cursor: Cursor, first: int, statement: Statement, cut: bool) -> Statement:
    """The statement that begins at the token `first`, after a mistake on its line, up to the line end if that is above.

    It ends there if it is broken above it, and if its `;` is in the middle of a line: no instruction on several lines
    is written so, but then each line of a text with such lines would be a part of the one above it. So would one after
    a line that ends with a character without meaning. Nothing more is reported of a broken statement. `cut`: it ends at
    a bound.
    """
    if not cut and (cursor.problems or cursor.lexical) and isinstance(statement, Instruction | Broken):
        statement = _until_line_end(cursor, first, statement)
    if isinstance(statement, Broken):
        cursor.problems.clear()
    return statement


def _until_line_end(cursor: Cursor, first: int, statement: Instruction | Broken) -> Statement:
    after = next((index for index in range(first + 1, cursor.at) if cursor.on_new_line(index)), cursor.at)
    problems = (*cursor.problems[:1], *islice(cursor.lexical, 1))
    is_broken = after < cursor.at and any(one.start < cursor.starts[after] for one in problems)
    if is_broken and _ends_in_line(cursor):
        cursor.at = after
    elif after < cursor.at or after == len(cursor.kinds) or not cursor.on_new_line(after):
        return statement
    return _until(cursor, statement, cursor.starts[after])


def _ends_in_line(cursor: Cursor) -> bool:
    """Whether a `;` is before the cursor, and more than a comment after it on its line."""
    end, text = cursor.ends[cursor.at - 1], cursor.text
    line_end = text.find("\n", end)
    rest = text[end : line_end if line_end >= 0 else len(text)].strip()
    return cursor.kinds[cursor.at - 1] == ";" and bool(rest) and not rest.startswith("//")


def _until(cursor: Cursor, statement: Instruction | Broken, begin: int) -> Statement:
    """A statement that ends before the cursor, at a line end above the offset `begin`."""
    # characters without meaning at the end of the last line
    last = cursor.ends[cursor.at - 1]
    line_end = find_line_end(cursor.text, last)
    begin = begin if line_end < 0 else min(begin, line_end)
    last = max((one.end for one in cursor.lexical if last <= one.start < begin), default=last)
    if isinstance(statement, Instruction):
        operands = tuple(one for one in statement.operands if one.end <= last)
        return statement._replace(operands=operands, end=last)
    return statement._replace(end=last)
