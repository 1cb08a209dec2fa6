"""Fixes of findings in inline PTX: those of PTX, written as the literal around them needs it."""

from collections.abc import Iterator

from ptx_lsp.embedded.host_text import HostText, Located
from ptx_lsp.embedded.inside import Inside, inside_of
from ptx_lsp.embedded.lints import ESCAPED
from ptx_lsp.embedded.naming import quoted_constraint
from ptx_lsp.embedded.refitting import FITS
from ptx_lsp.embedded.statement_findings import CONSTRAINT, Placed, with_ranges
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.fixes.fix import Edit, Fix, Safety
from ptx_lsp.hosts.statement import C_FAMILY
from ptx_lsp.text.ranges import Range

_PATIENCE = 0.05  # seconds for what the last edit has changed


def fixes_in(analysis: HostText, range_: Range) -> Iterator[tuple[Finding, Fix]]:
    """The fixes of the findings that touch a range of the host, each with its finding; their edits are in the host."""
    analysis.work(_PATIENCE)
    shown = {(finding.code, finding.range) for finding in analysis.findings()}
    for located in analysis.statements((range_.line, range_.end_line)):
        end = located.lines.position(len(located.known.source))
        if located.known.findings and located.begin <= range_.end and range_.start <= end:
            yield from _of_statement(located, analysis, range_, shown)


def _of_statement(
    located: Located, analysis: HostText, range_: Range, shown: set[tuple[str, Range]]
) -> Iterator[tuple[Finding, Fix]]:
    here = inside_of(located, analysis)
    for placed in located.known.findings if here is not None else ():
        finding = with_ranges(placed, located.lines)
        touches = finding.range.start <= range_.end and range_.start <= finding.range.end
        if here is not None and touches and (finding.code, finding.range) in shown:
            yield from ((finding, fix) for fix in _fixes(placed, here))


def _fixes(placed: Placed, here: Inside) -> Iterator[Fix]:
    if ESCAPED in placed.finding.data:
        escape = here.source(placed.span.start, placed.span.end)
        new = "%" if escape == "%%" else f"%{escape}"
        yield Fix(f"write `{new}`", (Edit(here.lines.range(placed.span), new),), Safety.SAFE, preferred=True)
    if placed.finding.code == CONSTRAINT:
        yield from _other_constraint(placed, here)
    if placed.origin is not None and not _is_about_operand(placed, here):
        for fix in fixes(placed.origin, here.module):
            edits = [edit for each in fix.edits if (edit := _edit(each, here)) is not None]
            if len(edits) == len(fix.edits):
                yield Fix(fix.title, tuple(edits), fix.safety, fix.preferred)


def _is_about_operand(placed: Placed, here: Inside) -> bool:
    return placed.finding.code == CONSTRAINT


def _other_constraint(placed: Placed, here: Inside) -> Iterator[Fix]:
    fits = placed.finding.data.get(FITS, "")
    origin = placed.origin
    if not fits or origin is None or here.embedded.statement.host not in C_FAMILY:
        return
    reference = here.embedded.body.reference_at(here.body.offset(origin.range.start))
    if reference is None or not 0 <= reference.number < len(here.embedded.statement.operands):
        return
    operand = here.embedded.statement.operands[reference.number]
    new = quoted_constraint(here.embedded, fits, operand).strip("`")
    old = here.source(*operand.where)
    if new and old == f'"{operand.constraint}"':
        title = f"change the constraint to `{new}`; the expression must have this width"
        yield Fix(title, (Edit(here.lines.range(operand.where), new),))


def _edit(edit: Edit, here: Inside) -> Edit | None:
    """An edit of the PTX as an edit of the host; None if its place or its text cannot be written there."""
    span = here.span(edit.range)
    text = here.written(edit.text, span) if span is not None else None
    return Edit(here.lines.range(span), text) if span is not None and text is not None else None
