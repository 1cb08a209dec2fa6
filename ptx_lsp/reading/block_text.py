"""The text of a block while it is read: its lines, places in it, and its tokens."""

from __future__ import annotations

from bisect import bisect_right

from ptx_lsp.semantics.reports import Holder, Mark
from ptx_lsp.syntax.lexer import Cursor
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range


class BlockText:
    """The text of a block. `lines` are split at `\\n`; `starts` are the offsets at which the lines of PTX begin.

    `fresh` is true if there is no report before the next statement on its line, as in the cursor.
    """

    __slots__ = ("_cursor", "_holder", "fresh", "lines", "starts", "text")

    def __init__(self, text: str, holder: Holder) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.starts = line_starts(text, self.lines)
        self.fresh = True
        self._holder = holder
        self._cursor: Cursor | None = None

    def grow(self, text: str) -> None:
        """Add text at the end."""
        before = len(self.text)
        if self.text.endswith("\r") and text.startswith("\n"):
            self.starts.pop()  # one line end, not two
        self.text += text
        if self._cursor is not None:
            self.fresh = self._cursor.fresh
            self._cursor = None
        self.starts += (before + start for start in line_starts(text)[1:])
        # only the new text is split: a block may grow a thousand times
        self.lines += (self.lines.pop() + text).split("\n")

    def line_at(self, offset: int) -> int:
        """The number (from 0) of the line of an offset."""
        return bisect_right(self.starts, offset) - 1

    def mark(self, start: int, end: int) -> Mark:
        """The mark of the text from the offset `start` to `end`."""
        starts = self.starts
        first = bisect_right(starts, start) - 1
        column = start - starts[first]
        if first + 1 == len(starts) or end < starts[first + 1]:
            return Mark(self._holder, Range(first, column, first, column + end - start))
        last = bisect_right(starts, end) - 1
        return Mark(self._holder, Range(first, column, last, end - starts[last]))

    def name_mark(self, name: str, line: int, column: int) -> Mark:
        """The mark of a name at a line and column (from 0)."""
        return Mark(self._holder, Range(line, column, line, column + len(name)))

    def cursor_at(self, offset: int) -> Cursor:
        """A cursor at the first token from `offset` on; no token may begin before it and end after it.

        Tokens that were read ahead are not read again: there may be no `;` for a long time.
        """
        if self._cursor is None or not self._cursor.seek(offset):
            self._cursor = Cursor(self.text, offset)
        return self._cursor
