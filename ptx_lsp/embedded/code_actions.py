"""Fixes of findings in inline PTX: those of PTX, written as the literal around them needs it."""

from collections.abc import Iterator
from typing import NamedTuple

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


class HostFix(NamedTuple):
    """A fix of a finding in the host. `fix` is None if the PTX has a fix with this title that cannot be written there.

    `safe` says whether `check --fix` may make it.
    """

    finding: Finding
    title: str
    safe: bool
    fix: Fix | None


def fixes_in(analysis: HostText, range_: Range) -> Iterator[tuple[Finding, Fix]]:
    """The fixes of the findings that touch a range of the host, each with its finding; their edits are in the host."""
    return ((found.finding, found.fix) for found in all_fixes(analysis, range_) if found.fix is not None)


def all_fixes(analysis: HostText, range_: Range) -> Iterator[HostFix]:
    """The fixes of the findings that touch a range of the host, also those that cannot be written there."""
    shown = {(finding.code, finding.range) for finding in analysis.findings()}
    for located in analysis.statements((range_.line, range_.end_line)):
        end = located.lines.position(len(located.known.source))
        if located.known.findings and located.begin <= range_.end and range_.start <= end:
            yield from _of_statement(located, analysis, range_, shown)


def _of_statement(
    located: Located, analysis: HostText, range_: Range, shown: set[tuple[str, Range]]
) -> Iterator[HostFix]:
    here = inside_of(located, analysis)
    for placed in located.known.findings if here is not None else ():
        finding = with_ranges(placed, located.lines)
        touches = finding.range.start <= range_.end and range_.start <= finding.range.end
        if here is not None and touches and (finding.code, finding.range) in shown:
            yield from (HostFix(finding, fix.title, fix.safe, fix) for fix in _of_host(placed, here))
            yield from _of_ptx(finding, placed, here)


def _of_host(placed: Placed, here: Inside) -> Iterator[Fix]:
    if ESCAPED in placed.finding.data:
        escape = here.source(placed.span.start, placed.span.end)
        new = "%" if escape == "%%" else f"{escape[0]}{escape}"
        yield Fix(f"write `{new}`", (Edit(here.lines.range(*placed.span), new),), Safety.SAFE, preferred=True)
    if placed.finding.code == CONSTRAINT:
        yield from _other_constraint(placed, here)


def _of_ptx(finding: Finding, placed: Placed, here: Inside) -> Iterator[HostFix]:
    if placed.origin is None or placed.finding.code == CONSTRAINT:
        return
    for fix in fixes(placed.origin, here.module):
        written = [here.edits(edit) for edit in fix.edits]
        edits = tuple(edit for each in written for edit in each)
        in_host = Fix(fix.title, edits, fix.safety, fix.preferred) if all(written) else None
        yield HostFix(finding, fix.title, fix.safe, in_host)


def _other_constraint(placed: Placed, here: Inside) -> Iterator[Fix]:
    fits = placed.finding.data.get(FITS, "")
    origin = placed.origin
    if not fits or origin is None or here.embedded.statement.host not in C_FAMILY:
        return
    reference = here.embedded.body.reference_at(here.body.offset(origin.range.start))
    operand = here.embedded.statement.operand(reference.number) if reference is not None else None
    if operand is None:
        return
    new = quoted_constraint(here.embedded, fits, operand).strip("`")
    old = here.source(*operand.where)
    if new and old == f'"{operand.constraint}"':
        title = f"change the constraint to `{new}`; the expression must have this width"
        yield Fix(title, (Edit(here.lines.range(*operand.where), new),))
