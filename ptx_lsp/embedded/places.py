"""From places in the PTX of a statement to places in the text of the host."""

from ptx_lsp.embedded.decoding import TemplateText
from ptx_lsp.hosts.source_map import Span, offset_of, source_of
from ptx_lsp.hosts.statement import Template


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
    return None if there is None else offset_of(body.runs, there)
