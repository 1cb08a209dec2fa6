"""Comments that suppress findings: `// ptx-lsp: ignore[code]` on the line where a finding starts."""

from bisect import bisect_right
from collections.abc import Iterable

from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Tag
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.block import Block, Suppression
from ptx_lsp.semantics.reports import Mark, Report
from ptx_lsp.semantics.surroundings import in_one_line
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

_COMMENT = lazy_pattern(r"//[ \t]*ptx-lsp:[ \t]*ignore(?:[ \t]*\[([^\[\]\n]*)\])?")
MARKER = "ptx-lsp:"
UNUSED = "unused-suppression"
ALL = ""  # in place of a code


def suppressions(block: Block, text: str) -> list[Suppression]:
    """The suppressions in the text of a block."""
    starts = line_starts(text)
    found = []
    for match in _COMMENT.finditer(text):
        line = bisect_right(starts, match.start()) - 1
        column = match.start() - starts[line]
        codes = tuple(filter(None, (code.strip() for code in (match[1] or "").split(","))))
        mark = Mark(block, Range(line, column, line, column + len(match[0])))
        found.append(Suppression(codes, line, mark))
    return found


def apply(reports: Iterable[Report], silencers: list[Suppression]) -> list[Report]:
    """The reports that are not suppressed, and a report of each suppression that suppresses nothing."""
    codes: dict[tuple[int, int], set[str]] = {}
    for silencer in silencers:
        codes.setdefault(_line(silencer.mark), set()).update(silencer.codes or (ALL,))
    used: set[tuple[tuple[int, int], str]] = set()
    left = []
    for report in reports:
        line = _line(report.mark)
        matching = codes[line].intersection((ALL, report.code)) if line in codes else ()
        used.update((line, code) for code in matching)
        if not matching:
            left.append(report)
    left += [_unused(s) for s in silencers if used.isdisjoint((_line(s.mark), code) for code in s.codes or (ALL,))]
    return left


def _line(mark: Mark) -> tuple[int, int]:
    return id(mark.holder), mark.range.line


def _unused(silencer: Suppression) -> Report:
    what = " or ".join(f"`{code}`" for code in silencer.codes)
    message = f"no finding {what} starts on this line" if what else "no finding starts on this line"
    return Report(UNUSED, silencer.mark, in_one_line(message), default_severity(UNUSED), tags=(Tag.UNNECESSARY,))
