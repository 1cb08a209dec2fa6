"""Comments that silence findings: `// ptx-lsp: ignore[code]` on the line where a finding starts."""

import re
from bisect import bisect_right
from collections.abc import Iterable

from ptx_lsp.analysis.blocks import Block, Suppression
from ptx_lsp.analysis.reports import Mark, Report
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Tag
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

_COMMENT = re.compile(r"//[ \t]*ptx-lsp:[ \t]*ignore(?:[ \t]*\[([^\]\n]*)\])?")
MARKER = "ptx-lsp:"
UNUSED = "unused-suppression"


def suppressions(block: Block, text: str) -> list[Suppression]:
    """The suppressions in the text of a block."""
    if MARKER not in text:
        return []
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
    """The reports that are left; a suppression that silenced nothing is a report of its own."""
    by_line: dict[tuple[int, int], list[Suppression]] = {}
    for silencer in silencers:
        by_line.setdefault((id(silencer.mark.holder), silencer.line), []).append(silencer)
    used: set[int] = set()
    left = []
    for report in reports:
        here = by_line.get((id(report.mark.holder), report.mark.range.line), ())
        matching = [s for s in here if not s.codes or report.code in s.codes]
        used.update(id(s.mark) for s in matching)
        if not matching:
            left.append(report)
    left += [_unused(s) for s in silencers if id(s.mark) not in used]
    return left


def _unused(silencer: Suppression) -> Report:
    what = "nothing" if not silencer.codes else " or ".join(f"`{code}`" for code in silencer.codes)
    message = "nothing is found on this line to silence" if not silencer.codes else f"no {what} is found on this line"
    return Report(UNUSED, silencer.mark, message, default_severity(UNUSED), tags=(Tag.UNNECESSARY,))
