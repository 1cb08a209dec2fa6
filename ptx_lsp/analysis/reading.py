"""Reading one block: plain lines by the quick scan, all others by the parser, to the end of the last statement."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from ptx_lsp.analysis.fold import Fold
from ptx_lsp.analysis.inline import Inline, begin_inline, end_inline, inline_text, may_be_inline
from ptx_lsp.analysis.lines import Lines, take_lines, take_pieces
from ptx_lsp.analysis.scan import BLANKS
from ptx_lsp.analysis.transitions import SECTION, means_the_same, take
from ptx_lsp.syntax.lexer import PASSED_OVER, UNTERMINATED
from ptx_lsp.syntax.statements import read_statements
from ptx_lsp.syntax.tree import CloseBrace, FunctionHeader, OpenBrace, Problem, Section, Statement


class Below(NamedTuple):
    """What follows a block: `take` makes its next chunk a part of the block, and gives it (None: there is none).

    `holds` tells whether a text stands anywhere in it.
    """

    take: Callable[[], str | None]
    holds: Callable[[str], bool]


NOTHING_BELOW = Below(lambda: None, lambda _: False)

_REST_OF_LINE = re.compile(r"[ \t\f\r]*(?://[^\n]*)?(?:\n|\Z)")
# the statement before a missing semicolon is whole: it is judged like any other
HARMLESS = frozenset(("missing-semicolon",))
_TOKEN = r"""(?:[%$\w]++|"[^"\n]*+"?+|/(?![/*])|(?![%$\w"/])[!-~])"""  # the last one: no part of the others
# more tokens than the parser ever looks ahead
_ENOUGH = re.compile(rf"(?:{PASSED_OVER}{_TOKEN}){{12}}", re.A)
_OPENS_COMMENT = re.compile(rf"(?:{PASSED_OVER}{_TOKEN}|(?!))*+{PASSED_OVER}/\*", re.A)
_ENDS: dict[type[Statement], tuple[str, ...]] = {
    OpenBrace: ("{",),
    CloseBrace: ("}",),
    Section: ("}",),
    FunctionHeader: ("{", ";"),
}
_LONE_RETURN = re.compile(r"\r(?!\n)")


def read(fold: Fold, below: Below) -> None:
    """Read the whole block, and what is `below` as far as its last statement goes."""
    _extend(fold, len(fold.text), below)
    offset = fold.begin()
    by_lines = _has_plain_lines(fold.text)
    while offset < len(fold.text):
        whole_line = by_lines and fold.starts[bisect_right(fold.starts, offset) - 1] == offset
        offset = _scan(fold, offset, below) if whole_line else _full(fold, offset, below)
        if offset < 0:
            offset = -offset - 1
            by_lines = by_lines and _has_plain_lines(fold.text)
    fold.finish()


def _has_plain_lines(text: str) -> bool:
    # to look for one character is four times as fast as a pattern
    return "\r" not in text or _LONE_RETURN.search(text) is None


def _extend(fold: Fold, offset: int, below: Below) -> bool:
    # the statement at `offset` goes on beyond the block: twice as much text each time, so that the work stays linear
    wanted = len(fold.text) - offset
    commented = _ends_in_line_comment(fold.text)
    pieces = []
    while (wanted > 0 or commented) and (piece := below.take()) is not None:
        pieces.append(piece)
        wanted -= len(piece)
        commented = _ends_in_line_comment(piece) or (commented and "\n" not in piece)
    if pieces:
        fold.grow("".join(pieces))
    return bool(pieces)


def _ends_in_line_comment(text: str) -> bool:
    # a lone \r ends a line and no comment
    return text.endswith("\r") and "//" in text[text.rfind("\n") + 1 :]


def _scan(fold: Fold, start: int, below: Below) -> int:
    """Read from the line that begins at `start`. Returns the offset where to go on.

    A negative result says that the text has grown and that the statement at `-result - 1` is to be read again.
    """
    first = bisect_right(fold.starts, start) - 1
    lines = Lines(fold, first)
    at = 0
    inline: Inline | None = None
    while at < len(lines.lines):
        if inline is not None and at >= inline.end:
            if at == inline.end:
                end_inline(fold, inline)
            inline = None
        part = fold.part
        if part is not None:
            stop = len(lines.lines) if inline is None else inline.end
            at = take_lines(fold, part, lines, at, stop)
            if at >= stop:
                continue
        found = lines.groups(at)
        if part is None and not any(found):
            at += 1
            continue
        if at + first >= len(fold.starts) or fold.starts[at + first] >= len(fold.text):
            break
        if inline is None and part is not None and may_be_inline(fold, found):
            text, count = inline_text(lines.lines, at)
            if count > 1 and lines.is_known(fold, part, text):
                at += count
                continue
            inline = begin_inline(fold, part, text, at + count) if count else None
        after, done = fold.starts[at + first], False
        if part is None and found[-1].lstrip(BLANKS).startswith(SECTION):
            return _section(fold, after, below)
        if found[-1]:
            after, done = take_pieces(fold, after)
        if not done:
            after = _full(fold, after, below)
        if after < 0:
            return after
        if after >= len(fold.text):
            break
        lines.doubt()
        at = bisect_right(fold.starts, after) - 1 - first
        if fold.known is not lines.known:
            lines = Lines(fold, first)
    return len(fold.text)


def _section(fold: Fold, start: int, below: Below) -> int:
    """Read the section at `start`. Returns where to go on as `_scan` does where the text has grown, as it may have."""
    from ptx_lsp.analysis.sections import section  # its patterns take a millisecond to compile

    after = section(fold, start, lambda: _extend(fold, start, below)) or _full(fold, start, below)
    return after if after < 0 else -after - 1


def _full(fold: Fold, start: int, below: Below) -> int:
    """Read statements from `start` until one ends its line. Returns where the next line begins; as `_scan`."""
    end = start
    leaning = False
    fold.full += 1
    fresh, fold.fresh = fold.fresh, True
    cursor = fold.cursor_at(start)
    for statement, problems in read_statements(cursor, fresh):
        comment = next((p for p in problems if p.code == UNTERMINATED), None)
        if comment is not None and comment.start == statement.start:
            fold.end_in_comment(comment.start, leaning)
            fold.tell(tuple(p for p in problems if p is not comment))
            break
        if not _complete(statement, cursor.kinds[cursor.at - 1], fold.text):
            if _ends_in_comment(statement, comment, fold.text) and not below.holds("*/"):
                leaning = True
            elif _extend(fold, end, below):
                return -end - 1
        if comment is not None:
            fold.end_in_comment(comment.start, leaning)
            problems = tuple(p for p in problems if p is not comment)
        fold.tell(problems)
        take(fold, statement, broken=not HARMLESS.issuperset(p.code for p in problems))
        fold.apart += not means_the_same(fold, statement)
        end = statement.end
        rest = _REST_OF_LINE.match(fold.text, end)
        if rest is not None:
            return rest.end()
    return len(fold.text)


def _ends_in_comment(statement: Statement, comment: Problem | None, text: str) -> bool:
    return comment is not None or _OPENS_COMMENT.match(text, statement.end) is not None


def _complete(statement: Statement, last: str, text: str) -> bool:
    """Whether a statement would be the same if the text went on: it has its own end, or enough follows to tell.

    `last` is the kind of its last token.
    """
    return last in _ENDS.get(type(statement), (";",)) or _ENOUGH.match(text, statement.end) is not None
