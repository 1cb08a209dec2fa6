"""Findings at rest: kept by the block they stand in, so that an edit elsewhere moves them for free."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from ptx_lsp.findings.finding import NOTHING, Finding, Related, Severity, Tag
from ptx_lsp.findings.shortening import shortened
from ptx_lsp.text.ranges import Range


class Holder(Protocol):
    """A block of text that knows its place: on which line of the document it begins, and which block it is (from 0)."""

    line: int
    index: int


class Mark:
    """A range inside a block: it stays right when the block moves.

    Of a name that is declared again unchanged the mark is moved, so that whatever points to it follows.
    """

    __slots__ = ("holder", "range")

    def __init__(self, holder: Holder, range_: Range) -> None:
        self.holder = holder
        self.range = range_

    def move_to(self, other: "Mark") -> None:
        """Stand where another mark stands."""
        self.holder, self.range = other.holder, other.range

    def resolved(self) -> Range:
        """Where that is in the document now."""
        return self.range.shifted(self.holder.line)


def place(mark: Mark) -> tuple[int, int, int]:
    """Where a mark begins, as something that sorts: its block, and line and column (from 0) inside it."""
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
        return hash(self[:-1])  # mappings have none

    def resolved(self) -> Finding:
        """The finding for the document as it stands now."""
        related = tuple(Related(mark.resolved(), shortened(text)) for mark, text in self.related)
        message = shortened(self.message)
        return Finding(self.code, self.mark.resolved(), message, self.severity, related, self.tags, self.data)
