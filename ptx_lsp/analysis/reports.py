"""Findings at rest: kept by the block they stand in, so that an edit elsewhere moves them for free."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ptx_lsp.findings.finding import NOTHING, Finding, Related, Severity, Tag
from ptx_lsp.text.ranges import Range


class Holder(Protocol):
    """A block of text that knows its place: on which line of the document it begins, and which block it is (from 0)."""

    line: int
    index: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A range inside a block: it stays right when the block moves."""

    holder: Holder
    range: Range

    def resolved(self) -> Range:
        """Where that is in the document now."""
        return self.range.shifted(self.holder.line)


@dataclass(frozen=True, slots=True)
class Report:
    """A finding whose places are marks. No message may name a line: lines move."""

    code: str
    mark: Mark
    message: str
    severity: Severity
    related: tuple[tuple[Mark, str], ...] = ()
    tags: tuple[Tag, ...] = ()
    data: Mapping[str, str] = field(default_factory=lambda: NOTHING, hash=False)

    def resolved(self) -> Finding:
        """The finding for the document as it stands now."""
        related = tuple(Related(mark.resolved(), text) for mark, text in self.related)
        return Finding(self.code, self.mark.resolved(), self.message, self.severity, related, self.tags, self.data)
