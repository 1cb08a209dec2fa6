"""Reports: findings that are kept relative to their block, so that an edit of another block moves them at no cost."""

from bisect import bisect_right
from collections.abc import Mapping

from ptx_lsp.findings.finding import NOTHING, Finding, Related, Severity, Tag
from ptx_lsp.findings.shortening import SHORT, shortened
from ptx_lsp.light_classes import NamedTuple, Protocol
from ptx_lsp.text.ranges import Range


class Holder(Protocol):
    """A block of text with its place: the line of the document where it begins, and its index, both from 0."""

    line: int
    index: int


class Mark:
    """A range inside a block: it stays right when the block moves.

    If a name is declared again without a change, the mark of its symbol is moved to the new declaration, so that
    everything that refers to the mark sees the new place.
    """

    __slots__ = ("holder", "range")

    def __init__(self, holder: Holder, range_: Range) -> None:
        self.holder = holder
        self.range = range_

    def move_to(self, other: "Mark") -> None:
        """Take over the place of another mark."""
        self.holder, self.range = other.holder, other.range

    def resolved(self) -> Range:
        """The range in the document as it is now."""
        line, column, end_line, end_column = self.range
        above = self.holder.line
        return Range(line + above, column, end_line + above, end_column)


class Places:
    """Makes marks of a text in its block. `starts` are the offsets at which its lines begin; they may become more."""

    __slots__ = ("_holder", "_starts")

    def __init__(self, holder: Holder, starts: list[int]) -> None:
        self._holder = holder
        self._starts = starts

    def mark(self, start: int, end: int) -> Mark:
        """The mark of the text from the offset `start` to `end`."""
        starts = self._starts
        first = bisect_right(starts, start) - 1
        column = start - starts[first]
        if first + 1 == len(starts) or end < starts[first + 1]:
            return Mark(self._holder, Range(first, column, first, column + end - start))
        last = bisect_right(starts, end) - 1
        return Mark(self._holder, Range(first, column, last, end - starts[last]))


def place(mark: Mark) -> tuple[int, int, int]:
    """The begin of a mark as a key for sorting: its block, and the line and column (from 0) inside the block."""
    return mark.holder.index, mark.range.line, mark.range.column


class Report(NamedTuple):
    """A finding whose places are marks. No message may name a line: lines move."""

    code: str
    mark: Mark
    message: str
    severity: Severity
    related: tuple[tuple[Mark, str], ...] = ()
    tags: tuple[Tag, ...] = ()
    data: Mapping[str, str] = NOTHING

    def __hash__(self) -> int:
        return hash(self[:-1])  # without the mapping, which has no hash

    def resolved(self) -> Finding:
        """The finding for the document as it is now."""
        related = tuple(Related(mark.resolved(), shortened(text)) for mark, text in self.related)
        message = self.message if len(self.message) <= SHORT else shortened(self.message)
        return Finding(self.code, self.mark.resolved(), message, self.severity, related, self.tags, self.data)
