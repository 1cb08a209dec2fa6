"""Comments that mean something: those that suppress findings, and those that are not closed in their block."""

from __future__ import annotations

from bisect import bisect_right

from ptx_lsp.analysis.block_map import BlockMap, Move
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Tag
from ptx_lsp.findings.suppression import KEYWORD, UNUSED, SuppressionReach, codes_of, reach_of, unused_message
from ptx_lsp.light_classes import Iterable, Set
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.state import OpenComment, Suppression
from ptx_lsp.semantics.surroundings import Report, in_one_line
from ptx_lsp.semantics.symbols import Mark
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

_COMMENT = lazy_pattern("//" + KEYWORD)
ALL = ""  # as a code: every code
_FILE = -1  # as a line: every line of the file


def suppressions_in(block: Block, text: str) -> list[Suppression]:
    """The suppressions in the text of a block."""
    starts = line_starts(text)
    found = []
    for match in _COMMENT.finditer(text):
        line = bisect_right(starts, match.start()) - 1
        column = match.start() - starts[line]
        mark = Mark(block, Range(line, column, line, column + len(match[0])))
        found.append(Suppression(codes_of(match[2]), reach_of(match[1]), mark))
    return found


def apply(reports: Iterable[Report], suppressions: list[Suppression]) -> list[Report]:
    """The reports that are not suppressed, and a report of each suppression that suppresses nothing."""
    codes: dict[int, set[str]] = {}
    for each in suppressions:
        codes.setdefault(_line_of(each), set()).update(each.codes or (ALL,))
    in_file: Set[str] = codes.get(_FILE, frozenset())
    used: set[tuple[int, str]] = set()
    left = []
    for report in reports:
        line = _line(report.mark)
        matching = [(line, code) for code in codes.get(line, ()) if code in (ALL, report.code)]
        matching += [(_FILE, code) for code in in_file if code in (ALL, report.code)]
        used.update(matching)
        if not matching:
            left.append(report)
    if UNUSED in in_file:
        return left
    return left + [
        _unused(s) for s in suppressions if used.isdisjoint((_line_of(s), code) for code in s.codes or (ALL,))
    ]


def _line_of(suppression: Suppression) -> int:
    """The line of the document that a suppression is about, or `_FILE`."""
    if suppression.reach is SuppressionReach.FILE:
        return _FILE
    return _line(suppression.mark) + (suppression.reach is SuppressionReach.NEXT_LINE)


def _line(mark: Mark) -> int:
    return mark.holder.line + mark.range.line


def _unused(suppression: Suppression) -> Report:
    message = unused_message(suppression.codes, suppression.reach)
    return Report(UNUSED, suppression.mark, in_one_line(message), default_severity(UNUSED), tags=(Tag.UNNECESSARY,))


# --- comments that are not closed in their block ---------------------------------------------------------------------


class OpenComments:
    """The comments of a module that are not closed in their block.

    `endless` is a comment that was opened since the last edit and that nothing below closes, None without one.
    """

    def __init__(self, block_map: BlockMap) -> None:
        self._block_map = block_map
        self.endless: OpenComment | None = None
        self._reported: list[Report] = []  # when the analysis was settled

    def was_read(self, block: Block, edited: bool) -> None:
        """Note the comment that a block opens.

        In a text that was `edited`, a comment that nothing below closes is reported before the text below is read.
        """
        assert block.entry is not None, "a block that was read has an entry state"
        comment = block.exit.comment if block.exit is not None else None
        if comment is block.entry.comment:
            return
        self.endless = None
        if block.entry.comment is not None:
            self._reported = []  # it is closed
        if comment is not None and edited and not self._block_map.comment_ends_below(block):
            self.endless = comment

    def opener_to_be_read(self, block: Block) -> Block | None:
        """The block that opens the comment in which `block` begins, if it was read on a wrong assumption.

        Then a statement was parsed on the assumption that the comment has no end, and `block` has its end.
        """
        assert block.entry is not None, "a block that was read has an entry state"
        comment = block.entry.comment
        if comment is None or not comment.assumed_endless or block.exit is None or block.exit.comment is comment:
            return None
        opening = comment.mark.holder
        return self._block_map.blocks[self._block_map.place(opening)] if self._block_map.holds(opening) else None

    def at_end(self, settled: bool) -> OpenComment | None:
        """The comment that is open at the end of the text.

        `settled` is true if every block has been read since the last edit; before that, it is the comment that is
        known so far.
        """
        last = self._block_map.blocks[-1].exit
        comment = last.comment if last is not None else None
        if settled:
            return comment
        if self.endless is not None:
            return self.endless
        opener = comment.mark.holder if comment is not None else None
        if not isinstance(opener, Block) or opener.stale or opener.exit is None:
            return None
        return opener.exit.comment if self._block_map.holds(opener) else None

    def reports(self, comment: OpenComment | None, settled: bool) -> list[Report]:
        """The report of `comment`, the one that is open at the end of the text.

        `settled` is true if every block has been read since the last edit; before that, a report from before the edit
        is kept if its comment may still be open.
        """
        found: list[Report] = []
        if comment is not None:
            from ptx_lsp.syntax.lexer import NEVER_CLOSED, UNTERMINATED  # not for comments that suppress

            found.append(Report(UNTERMINATED, comment.mark, NEVER_CLOSED, default_severity(UNTERMINATED)))
        if settled:
            self._reported = found
        return found or [report for report in self._reported if _may_be_open(report.mark)]

    def moved(self, move: Move) -> None:
        """Note that the text of blocks is in other blocks now."""
        self._reported = move.reports(self._reported)


def _may_be_open(mark: Mark) -> bool:
    """Whether the comment at this place may still be open: its block opens it, or has not been read since an edit."""
    block = mark.holder
    if not isinstance(block, Block):
        return False
    comment = block.exit.comment if block.exit is not None else None
    return block.stale or (comment is not None and comment.mark.holder is block and comment.mark.range == mark.range)
