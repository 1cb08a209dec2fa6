"""From places in the PTX of a statement to places in the text of the host."""

from bisect import bisect_right
from collections.abc import Sequence

from ptx_lsp.embedded.decoding import TemplateText
from ptx_lsp.hosts.source_map import Span, source_of
from ptx_lsp.hosts.statement import Template
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Position, Range


def position_in(text: str, offset: int) -> Position:
    """The position of an offset in a text."""
    return LineIndex(text).position(offset)


_BEGIN = Position(0, 0)


class LineIndex:
    """The lines of a text: from offsets to positions and back.

    The text may be a part of a document that begins at `first`, a position of it.
    """

    def __init__(self, text: str, first: Position = _BEGIN) -> None:
        self.text = text
        self.first = first
        self.starts: Sequence[int] = line_starts(text)

    def position(self, offset: int) -> Position:
        """The position of an offset."""
        line = bisect_right(self.starts, offset) - 1
        column = offset - self.starts[line]
        return Position(self.first.line + line, column if line else self.first.column + column)

    def offset(self, position: Position) -> int:
        """The offset of a position, clamped to the text."""
        line = position.line - self.first.line
        if line < 0 or (line == 0 and position.column < self.first.column):
            return 0
        line = min(line, len(self.starts) - 1)
        column = position.column if line else position.column - self.first.column
        return min(self.starts[line] + column, len(self.text))

    def range(self, span: Span) -> Range:
        """The range of a span."""
        return Range(*self.position(span.start), *self.position(span.end))


def span_in_host(body: TemplateText, template: Template, start: int, end: int) -> Span | None:
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


def _source(body: TemplateText, template: Template, offset: int) -> Span | None:
    if not body.runs or not 0 <= offset < len(body.text):
        return None
    there = source_of(body.runs, offset)
    return template.source_range(there.start, there.end)


def offset_in_body(body: TemplateText, template: Template, source: int) -> int | None:
    """The offset in the body of the code point of the host at `source`; None if it gives none."""
    there = template.offset(source)
    if there is None:
        return None
    for run in body.runs:
        if run.start <= there < run.end:
            return run.decoded if run.end - run.start != run.length else run.decoded + there - run.start
    return None
