"""The reports of a module as they are kept, in lists of one block or of its functions, and the leading ones of many.

After an edit, the lists of most blocks are those of before. What they hold by severity is worked out once for each
list, so that the first thousand of ten thousand reports are found without a look at the others.
"""

from itertools import groupby

from ptx_lsp.analysis.module_checks import Collected
from ptx_lsp.findings.finding import Severity
from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.reading.block_reader import END_OF_FILE
from ptx_lsp.reading.braces import DISPLACE
from ptx_lsp.semantics.surroundings import LEVEL, Levels, Report
from ptx_lsp.semantics.symbols import Holder, place


class _Bucket(NamedTuple):
    """Reports of one severity, with marks in one block."""

    holder: Holder
    reports: list[Report]


class _Summary(NamedTuple):
    """What a list of reports holds by severity.

    `decides` is true if one of its reports decides whether a report of another list holds.
    """

    of: list[Report]
    by_severity: dict[Severity, list[_Bucket]]
    decides: bool


class LeadingReports:
    """Finds the leading ones of many reports. It keeps the summaries of the lists that it was given last."""

    __slots__ = ("_known", "_levels")

    def __init__(self, levels: Levels) -> None:
        self._levels = levels
        self._known: dict[int, _Summary] = {}  # by the identity of the list, which the summary keeps alive

    def choose(self, collected: Collected, most: int) -> tuple[list[Report], int]:
        """The `most` leading reports in no order, and the number of the others.

        The most severe reports lead, and of those of one severity the first ones in the text.
        """
        lists = [*collected.of_blocks, *collected.of_functions]
        summaries = [self._summary(reports) for reports in lists]
        self._known = {id(summary.of): summary for summary in summaries}
        others = self._summary(collected.others)
        if collected.comments or others.decides or any(summary.decides for summary in summaries):
            return _first([self._summary(collected.all())], most)
        return _first([*summaries, others], most)

    def _summary(self, reports: list[Report]) -> _Summary:
        known = self._known.get(id(reports))
        if known is not None:
            return known
        by_block: dict[Severity, dict[Holder, list[Report]]] = {}
        for report in reports:
            severity = self._levels[LEVEL(report)]
            if severity is not None:
                by_block.setdefault(severity, {}).setdefault(report.mark.holder, []).append(report)
        by_severity = {severity: [_Bucket(*item) for item in some.items()] for severity, some in by_block.items()}
        decides = any(report.code in DISPLACE or report.message is END_OF_FILE for report in reports)
        return _Summary(reports, by_severity, decides)


def _first(summaries: list[_Summary], most: int) -> tuple[list[Report], int]:
    """The `most` leading reports, and the number of the others."""
    found: list[Report] = []
    count = 0
    for severity in Severity:
        buckets = [bucket for summary in summaries for bucket in summary.by_severity.get(severity, ())]
        count += sum(len(bucket.reports) for bucket in buckets)
        found += _first_of(buckets, most - len(found))
    return found, count - len(found)


def _first_of(buckets: list[_Bucket], most: int) -> list[Report]:
    """The first `most` reports of the text, in no order."""
    near: list[Report] = []
    for _, bucket in groupby(sorted(buckets, key=_index), key=_index):
        if len(near) >= most:
            break
        here = [report for one in bucket for report in one.reports]
        # only those of the last block are compared
        near += here if len(near) + len(here) <= most else sorted(here, key=_place)[: most - len(near)]
    return near


def _index(bucket: _Bucket) -> int:
    return bucket.holder.index


def _place(report: Report) -> tuple[int, int, int, str, str]:
    return *place(report.mark), report.code, report.message
