"""Findings about one document that other sources give, such as an assembler, beside those of the analysis.

They move with the edits of the document until their source gives new ones, and are merged with those of the analysis.
"""

from __future__ import annotations

from ptx_lsp.findings.finding import Finding, Related, Severity
from ptx_lsp.light_classes import Enum, Iterable, NamedTuple, Sequence
from ptx_lsp.text.moving_ranges import MovingRange, MovingRanges
from ptx_lsp.text.ranges import Position, Range


class WhenEdited(Enum):
    """What to do with a finding whose own text is edited: its source has not seen the new text yet."""

    VANISH = "it is dropped"
    STALE = "it stays, as a hint, until its source gives new findings"


class FindingSource(NamedTuple):
    """A source of findings: `name` is shown with each of them.

    If `repeats_errors` is False, an error of this source is left out while the analysis reports an error on a line of
    its range: it is most likely the same mistake.
    """

    name: str
    when_edited: WhenEdited = WhenEdited.VANISH
    repeats_errors: bool = False


class OtherFindings:
    """The findings of all other sources about one document.

    `revision` grows whenever a source gives new findings, so that a cache can see whether they are the same. `exist`
    is True if there are any.
    """

    def __init__(self) -> None:
        self.revision = 0
        self.exist = False
        self._of: dict[str, _Set] = {}

    def set(self, source: FindingSource, findings: Iterable[Finding]) -> None:
        """Replace the findings of a source by these, which are for the present text."""
        self.revision += 1
        kept = [finding._replace(source=source.name) for finding in findings]
        if kept:
            self._of[source.name] = _Set(source, kept)
        else:
            self._of.pop(source.name, None)
        self.exist = bool(self._of)

    def edit(self, replaced: Range, end: Position) -> None:
        """Move the findings with an edit: `replaced` is its range in the old text, `end` the end of its new text."""
        for each in self._of.values():
            each.moving.edit(replaced, end)

    def merged(self, own: Sequence[Finding]) -> list[Finding]:
        """The findings of the analysis and of all sources, in the order of the text.

        Of findings with the same range and code, the first counts: those of the analysis come first, then the sources
        in the order in which they first gave findings.
        """
        found = {(finding.range, finding.code): finding for finding in own}
        lines = {
            line
            for finding in own
            if finding.severity is Severity.ERROR
            for line in range(finding.range.line, finding.range.end_line + 1)
        }
        for each in self._of.values():
            for finding in each.present():
                repeats = finding.severity is Severity.ERROR and not each.source.repeats_errors
                if repeats and not lines.isdisjoint(range(finding.range.line, finding.range.end_line + 1)):
                    continue
                found.setdefault((finding.range, finding.code), finding)
        return sorted(found.values(), key=_order)


class _Set:
    """The findings of one source. `places` are the ranges of each finding, its own first."""

    __slots__ = ("findings", "moving", "places", "source")

    def __init__(self, source: FindingSource, findings: list[Finding]) -> None:
        self.source = source
        self.findings = findings
        ranges = [(finding.range, *(related.range for related in finding.related)) for finding in findings]
        self.moving = MovingRanges(range_ for some in ranges for range_ in some)
        places = iter(self.moving.ranges)
        self.places: list[list[MovingRange]] = [[next(places) for _ in some] for some in ranges]

    def present(self) -> list[Finding]:
        """The findings for the present text."""
        found = []
        for finding, (place, *others) in zip(self.findings, self.places, strict=True):
            if place.edited and self.source.when_edited is WhenEdited.VANISH:
                continue
            related = tuple(
                Related(other.range, each.message)
                for other, each in zip(others, finding.related, strict=True)
                if not other.edited
            )
            severity = Severity.HINT if place.edited else finding.severity
            found.append(finding._replace(range=place.range, related=related, severity=severity))
        return found


def _order(finding: Finding) -> tuple[Range, int, str, str, str]:
    return finding.range, finding.severity, finding.code, finding.source, finding.message
