"""Fixing all inline PTX of a text, as `check --fix` does for a file in another language."""

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.module import Checks
from ptx_lsp.embedded.code_actions import HostFix, all_fixes
from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Fix
from ptx_lsp.fixes.fix_all import fix_in_rounds
from ptx_lsp.hosts.statement import Host
from ptx_lsp.isa.versions import Target
from ptx_lsp.text.ranges import Range


class FixedHost(NamedTuple):
    """A text after its fixes, the number of fixes that were made, and those that its literals cannot hold."""

    text: str
    made: int
    refused: tuple[HostFix, ...]


class _CheckedHost(NamedTuple):
    analysis: HostText

    def findings(self) -> list[Finding]:
        return self.analysis.findings()

    def first_fixes(self) -> list[Fix]:
        first: dict[tuple[Range, str], Fix] = {}
        for each in self.all_fixes():
            if each.fix is not None:
                first.setdefault((each.finding.range, each.finding.message), each.fix)
        return list(first.values())

    def all_fixes(self) -> Iterator[HostFix]:
        return all_fixes(self.analysis, Range(0, 0, self.analysis.document.line_count, 0))


def fix_host(text: str, host: Host, checks: Checks, targets: tuple[Target, ...], *, unsafe: bool = False) -> FixedHost:
    """Make every safe fix in the inline PTX of a text; if `unsafe`, also the first fix of each finding without one.

    What a fix writes is encoded for the literal around it. One that the literal cannot hold is not made.
    """

    def check(text: str) -> _CheckedHost:
        analysis = HostText(text, host, checks, targets)
        analysis.work()
        return _CheckedHost(analysis)

    fixed = fix_in_rounds(text, check, unsafe)
    refused: dict[tuple[Range, str], HostFix] = {}
    able: set[tuple[Range, str]] = set()
    for each in check(fixed.text).all_fixes():
        place = each.finding.range, each.finding.message
        if each.fix is not None and (each.safe or unsafe):
            able.add(place)
        elif each.fix is None and (each.safe or unsafe):
            refused.setdefault(place, each)
    return FixedHost(fixed.text, fixed.made, tuple(each for place, each in refused.items() if place not in able))
