"""The findings of one statement, at their places in the text of the host."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.embedded.fragment import NAMES, UNCLOSED
from ptx_lsp.embedded.inline_statement import Embedded, EmbeddedOptions, Source
from ptx_lsp.embedded.lints import lints_of
from ptx_lsp.embedded.naming import named, shown_operand
from ptx_lsp.embedded.places import span_in_host
from ptx_lsp.embedded.refitting import FITS, MISFIT
from ptx_lsp.findings.finding import Finding, Related
from ptx_lsp.findings.shortening import shortened
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.text.lines import LineIndex
from ptx_lsp.text.ranges import Range

CONSTRAINT = "asm-constraint"
UNWRITTEN = "asm-output-unwritten"
_NOWHERE = Range(0, 0, 0, 0)


class Placed(NamedTuple):
    """A finding with its place in the text of the host; the ranges of `finding` and its related places are not set.

    `related` are the places of `finding.related`, in the same order. `name` is the name of PTX that the finding is
    about if other text of the host may declare it; empty otherwise. `origin` is the finding at its place in the PTX of
    the statement, None for a rule of inline assembly alone.
    """

    finding: Finding
    span: Span
    related: tuple[Span, ...] = ()
    name: str = ""
    origin: Finding | None = None


def embedded_findings(embedded: Embedded, source: Source, options: EmbeddedOptions) -> tuple[Placed, ...]:
    """The findings of a statement with PTX, in the order of the text."""
    found = [*_of_ptx(embedded, source, options), *_of_lints(embedded, source, options)]
    return tuple(sorted(found, key=lambda each: (each.span, each.finding.severity, each.finding.code)))


def _of_ptx(embedded: Embedded, source: Source, options: EmbeddedOptions) -> Iterator[Placed]:
    lines = LineIndex(embedded.fragment.text)
    template = embedded.statement.template
    for finding in embedded.judged(options.checks).findings:
        start, end = lines.offset(finding.range.start), lines.offset(finding.range.end)
        span = span_in_host(embedded.body, template, start, end)
        if span is None:
            continue
        reference = embedded.body.reference_at(start) if end > start else None
        message = named(finding, embedded, reference, source)
        code = CONSTRAINT if reference is not None and finding.code == MISFIT else finding.code
        data = finding.data if code == finding.code else {FITS: finding.data.get(FITS, "")}
        severity = options.checks.level(code, finding.severity)
        if severity is None:
            continue
        related, spans = _related(finding, embedded, lines, source)
        name = embedded.body.text[start:end] if finding.code in NAMES and finding.code != UNCLOSED else ""
        yield Placed(
            Finding(code, _NOWHERE, message, severity, related, finding.tags, data), span, spans, name, finding
        )


def _related(
    finding: Finding, embedded: Embedded, lines: LineIndex, source: Source
) -> tuple[tuple[Related, ...], tuple[Span, ...]]:
    found: list[tuple[Related, Span]] = []
    for related in finding.related:
        number = -2 - related.range.line
        if number >= 0:
            if number < len(embedded.statement.operands):
                operand = embedded.statement.operands[number]
                shown = shown_operand(embedded, operand, source)
                text = f"the operand `{shown}`" if shown else "the operand"
                found.append((Related(_NOWHERE, text), operand.where))
            continue
        start, end = lines.offset(related.range.start), lines.offset(related.range.end)
        span = span_in_host(embedded.body, embedded.statement.template, start, end)
        if span is not None:
            found.append((Related(_NOWHERE, related.message), span))
    return tuple(each for each, _ in found), tuple(span for _, span in found)


def _of_lints(embedded: Embedded, source: Source, options: EmbeddedOptions) -> Iterator[Placed]:
    for lint in lints_of(embedded, source, options):
        severity = options.checks.level(lint.code, lint.severity)
        if severity is not None:
            finding = Finding(lint.code, _NOWHERE, shortened(lint.message), severity, (), (), lint.data)
            yield Placed(finding, lint.span)


def with_ranges(placed: Placed, lines: LineIndex) -> Finding:
    """The finding with its ranges in the text of the host."""
    related = tuple(
        Related(lines.range(*span), each.message)
        for each, span in zip(placed.finding.related, placed.related, strict=True)
    )
    return placed.finding._replace(range=lines.range(*placed.span), related=related)
