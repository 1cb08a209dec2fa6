"""Comments that suppress findings: on their line, on the line after them or in the file."""

from bisect import bisect_right

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Tag
from ptx_lsp.findings.suppression import KEYWORD, UNUSED, SuppressionReach, codes_of, reach_of, unused_message
from ptx_lsp.light_classes import Iterable, Set
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.block import Block, Suppression
from ptx_lsp.semantics.surroundings import Report, in_one_line
from ptx_lsp.semantics.symbols import Mark
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

_COMMENT = lazy_pattern("//" + KEYWORD)
ALL = ""  # as a code: every code
_FILE = -1  # as a line: every line of the file


def suppressions_in(block: Block, text: str) -> list[Suppression]:
    """The suppressions in the text of a block."""
    starts = line_starts(text)
    found = []
    for match in _COMMENT.finditer(text):
        line = bisect_right(starts, match.start()) - 1
        column = match.start() - starts[line]
        mark = Mark(block, Range(line, column, line, column + len(match[0])))
        found.append(Suppression(codes_of(match[2]), reach_of(match[1]), mark))
    return found


def apply(reports: Iterable[Report], suppressions: list[Suppression]) -> list[Report]:
    """The reports that are not suppressed, and a report of each suppression that suppresses nothing."""
    codes: dict[int, set[str]] = {}
    for each in suppressions:
        codes.setdefault(_line_of(each), set()).update(each.codes or (ALL,))
    in_file: Set[str] = codes.get(_FILE, frozenset())
    used: set[tuple[int, str]] = set()
    left = []
    for report in reports:
        line = _line(report.mark)
        matching = [(line, code) for code in codes.get(line, ()) if code in (ALL, report.code)]
        matching += [(_FILE, code) for code in in_file if code in (ALL, report.code)]
        used.update(matching)
        if not matching:
            left.append(report)
    if UNUSED in in_file:
        return left
    return left + [
        _unused(s) for s in suppressions if used.isdisjoint((_line_of(s), code) for code in s.codes or (ALL,))
    ]


def _line_of(suppression: Suppression) -> int:
    """The line of the document that a suppression is about, or `_FILE`."""
    if suppression.reach is SuppressionReach.FILE:
        return _FILE
    return _line(suppression.mark) + (suppression.reach is SuppressionReach.NEXT_LINE)


def _line(mark: Mark) -> int:
    return mark.holder.line + mark.range.line


def _unused(suppression: Suppression) -> Report:
    message = unused_message(suppression.codes, suppression.reach)
    return Report(UNUSED, suppression.mark, in_one_line(message), default_severity(UNUSED), tags=(Tag.UNNECESSARY,))
