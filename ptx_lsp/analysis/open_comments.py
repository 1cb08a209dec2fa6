"""Comments that are not closed in their block."""

from __future__ import annotations

from ptx_lsp.analysis.block_map import BlockMap, Move
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.state import OpenComment
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Holder


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
        if comment is not None and edited and not self._block_map.text_below_holds(block, "*/"):
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
        """The comment that is open at the end of the text, as far as that is known before everything below is read."""
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
        """The report of `comment`, the one at the end of the text, or that from before an edit until it is read."""
        found: list[Report] = []
        if comment is not None:
            from ptx_lsp.syntax.lexer import NEVER_CLOSED, UNTERMINATED

            found.append(Report(UNTERMINATED, comment.mark, NEVER_CLOSED, default_severity(UNTERMINATED)))
        if settled:
            self._reported = found
        return found or [report for report in self._reported if _is_unread(report.mark.holder)]

    def moved(self, move: Move) -> None:
        """Note that the text of blocks is in other blocks now."""
        self._reported = move.reports(self._reported)


def _is_unread(block: Holder) -> bool:
    return isinstance(block, Block) and block.stale
