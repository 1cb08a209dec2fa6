"""From places in the PTX of a statement to places in the text of the host."""

from bisect import bisect_right
from collections.abc import Sequence

from ptx_lsp.embedded.decoding import Body
from ptx_lsp.hosts.source_map import Span, source_of
from ptx_lsp.hosts.statement import Template
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Position, Range


def position_in(text: str, offset: int) -> Position:
    """The position of an offset in a text."""
    return Lines(text).position(offset)


class Lines:
    """The lines of a text: from offsets to positions and back. `first` is the number of its first line."""

    def __init__(self, text: str, first: int = 0) -> None:
        self.text = text
        self.first = first
        self.starts: Sequence[int] = line_starts(text)

    def position(self, offset: int) -> Position:
        """The position of an offset."""
        line = bisect_right(self.starts, offset) - 1
        return Position(self.first + line, offset - self.starts[line])

    def offset(self, position: Position) -> int:
        """The offset of a position, clamped to the text."""
        line = min(max(position.line - self.first, 0), len(self.starts) - 1)
        return min(self.starts[line] + position.column, len(self.text))

    def range(self, span: Span) -> Range:
        """The range of a span."""
        return Range(*self.position(span.start), *self.position(span.end))


def span_in_host(body: Body, template: Template, start: int, end: int) -> Span | None:
    """The source of the body from `start` to `end`, from its first code point to its last; None without one.

    An empty range is the place after the code point before it, or before the one after it.
    """
    if end > start:
        first, last = _source(body, template, start), _source(body, template, end - 1)
        return Span(first.start, max(last.end, first.end)) if first and last else None
    before = _source(body, template, start - 1) if start else None
    if before is not None:
        return Span(before.end, before.end)
    after = _source(body, template, start)
    return Span(after.start, after.start) if after is not None else None


def _source(body: Body, template: Template, offset: int) -> Span | None:
    if not body.runs or not 0 <= offset < len(body.text):
        return None
    there = source_of(body.runs, offset)
    return template.source_range(there.start, there.end)


def offset_in_body(body: Body, template: Template, source: int) -> int | None:
    """The offset in the body of the code point of the host at `source`; None if it gives none."""
    there = template.offset(source)
    if there is None:
        return None
    for run in body.runs:
        if run.start <= there < run.end:
            return run.decoded if run.end - run.start != run.length else run.decoded + there - run.start
    return None
