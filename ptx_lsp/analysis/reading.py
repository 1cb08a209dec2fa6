"""Reading one block: plain lines by the quick scan, all others by the parser, to the end of the last statement."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from ptx_lsp.analysis import plain
from ptx_lsp.analysis.blocks import Part
from ptx_lsp.analysis.fold import Fold
from ptx_lsp.analysis.missing import undeclared_only
from ptx_lsp.analysis.pieces import Kinds, Unclear, pieces
from ptx_lsp.analysis.scan import (
    APART,
    END_OF_LINE,
    LINE,
    LINE_CARRIED_ON,
    PIECE,
    UNKNOWN,
    outcome_of,
    split,
    values_fit,
)
from ptx_lsp.analysis.transitions import take
from ptx_lsp.isa.releases import OLDEST
from ptx_lsp.semantics.reports import Mark
from ptx_lsp.semantics.requirements import FEATURES
from ptx_lsp.semantics.surroundings import LabelUse
from ptx_lsp.syntax.lexer import PASSED_OVER, UNTERMINATED
from ptx_lsp.syntax.statements import read_statements
from ptx_lsp.syntax.tree import CloseBrace, FunctionHeader, OpenBrace, Problem, Section, Statement
from ptx_lsp.text.ranges import Range


@dataclass(frozen=True, slots=True)
class Below:
    """What follows a block: `take` makes its next chunk a part of the block, and gives it (None: there is none).

    `holds` tells whether a text stands anywhere in it.
    """

    take: Callable[[], str | None]
    holds: Callable[[str], bool]


NOTHING_BELOW = Below(lambda: None, lambda _: False)

_REST_OF_LINE = re.compile(r"[ \t\f\r]*(?://[^\n]*)?(?:\n|\Z)")
# a list or prototype, which may be misspelt; these begin a statement of their own
_LIST_MAY_FOLLOW = re.compile(PASSED_OVER + r"(?:\Z|\.(?!(?:loc|reg|param|local|shared|pragma)\b))")
# the statement before a missing semicolon is whole: it is judged like any other
HARMLESS = frozenset(("missing-semicolon",))
INLINED_SINCE = FEATURES["`function_name` and `inlined_at`"].needs.alternatives[0].version or OLDEST
_TOKEN = r"""(?:[%$\w]++|"[^"\n]*+"?+|/(?![/*])|[!-.0-~])"""
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
    resume = 0
    fine, kinds, part = fold.outcomes, fold.table, fold.part
    for line, (guard, target, opcode, operands, label, loc, inlined, other) in enumerate(
        LINE.findall(fold.text, start), bisect_right(fold.starts, start) - 1
    ):
        if line < resume:
            continue
        if part is None:
            if not (opcode or target or label or loc or other):
                continue
        elif opcode:
            texts = operands.replace(", ", ",").split(",")
            try:
                written, literals = fine[(opcode, *map(kinds.__getitem__, texts))]
            except KeyError:
                literals = UNKNOWN
            if not (guard or literals):
                # what most lines are
                part.mentions += texts
                if written:
                    part.writes += texts[:written]
                continue
            if _fine(fold, guard, opcode, operands) or undeclared_only(
                fold, guard, opcode, operands, fold.starts[line]
            ):
                continue
        elif target:
            if _branch(fold, guard, target, line, kinds, part):
                continue
        elif label:
            if _label(fold, label, line, part):
                continue
        elif loc:
            if _plain_position(fold, inlined, line):
                continue
        elif not other:
            continue
        if line >= len(fold.starts) or fold.starts[line] >= len(fold.text):
            break
        after = fold.starts[line]
        done = False
        if other:
            after, done = _pieces(fold, after)
        if not done:
            after = _full(fold, after, below)
        if after < 0:
            return after
        if after >= len(fold.text):
            break
        resume = bisect_right(fold.starts, after) - 1
        fine, kinds, part = fold.outcomes, fold.table, fold.part
    return len(fold.text)


def _fine(fold: Fold, guard: str, opcode: str, operands: str) -> bool:
    """Whether a plain instruction of a function is fine, as far as that is known of it or can be learned."""
    part, kinds, texts = fold.part, fold.table, pieces(operands)
    fine = fold.outcomes
    assert part is not None, "an instruction outside of functions is not plain"
    try:
        if guard and (kinds[guard] != ".pred" or opcode[2:8] == ".param"):
            return False
        key = (opcode, *map(kinds.__getitem__, texts))
        outcome = fine.get(key)
        if outcome is None:
            whole = split(operands)
            outcome = fine[key] = outcome_of(opcode, whole, map(kinds.kind, whole), fold.profile)
    except Unclear:
        return False
    written, literals = outcome
    if literals and not values_fit(literals, texts):
        return False
    part.mentions += texts
    if guard:
        part.mentions.append(guard)
    part.writes += texts[:written]
    return True


def _pieces(fold: Fold, offset: int) -> tuple[int, bool]:
    """Read what stands in one line from `offset` on: plain statements and braces, which may go on below.

    Gives the offset of what is not plain and False, or where the next line begins and True.
    """
    text = fold.text
    while True:
        after = _piece(fold, offset)
        if not after:
            return offset, False
        if text[after - 1] == "\n":
            return after, True  # a call takes the end of its line
        offset = after
        end = END_OF_LINE.match(text, offset)
        if end is not None:
            return end.end(), True


def _piece(fold: Fold, offset: int) -> int:
    """Take one plain statement or brace. Returns where it ends, 0 where it is not so plain."""
    if fold.part is None:
        return plain.declare_global(fold, offset) or plain.header(fold, offset)
    match = PIECE.match(fold.text, offset)
    if match is None:
        return 0 if fold.buried else plain.call(fold, offset)
    opens, closes, dot, guard, opcode, operands = match.groups("")
    if dot:
        return plain.declare(fold, offset)
    if opens:
        fold.open_scope(match.start(1))
    elif closes:
        fold.close_scope()
        if len(fold.scopes) == 1:
            fold.end_body(match.start(2))
    elif fold.buried or not _fine(fold, guard, opcode, operands):
        return 0
    return match.end()


def _branch(fold: Fold, guard: str, target: str, line: int, kinds: Kinds, part: Part) -> bool:
    if fold.buried:
        return True
    try:
        if guard and kinds[guard] != ".pred":
            return False
    except Unclear:
        return False
    part.mentions.append(guard)
    start = fold.starts[line]
    end = start + len(fold.text[start : fold.text.index(";", start)].rstrip(" \t"))
    column = end - len(target) - start
    mark = Mark(fold.block, Range(line, column, line, column + len(target)))
    part.label_uses.append(LabelUse(fold.scopes[-1], target, mark))
    return True


def _label(fold: Fold, name: str, line: int, part: Part) -> bool:
    start = fold.text.index(name, fold.starts[line])
    after = fold.starts[line + 1] if line + 1 < len(fold.starts) else len(fold.text)
    if after >= len(fold.text) or not (APART.match(fold.text, after) or not _LIST_MAY_FOLLOW.match(fold.text, after)):
        return False  # the label of a prototype or a list may be parted from it by a line end
    fold.declare_label(name, start, part)
    return True


def _plain_position(fold: Fold, inlined: str, line: int) -> bool:
    """Whether a `.loc` that looks plain is: it may go on in the next line, or need a later version."""
    if inlined and (fold.profile.version < INLINED_SINCE or fold.profile.maximum is not None):
        return False
    after = fold.starts[line + 1] if line + 1 < len(fold.starts) else len(fold.text)
    if after >= len(fold.text):
        return False
    return APART.match(fold.text, after) is not None or LINE_CARRIED_ON.match(fold.text, after) is None


def _full(fold: Fold, start: int, below: Below) -> int:
    """Read statements from `start` until one ends its line. Returns where the next line begins; as `_scan`."""
    end = start
    leaning = False
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
