"""A fence's findings compared with what it expects of them."""

import re

from ptx_lsp.analysis.module import Checks
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.isa.releases import read_version
from ptx_lsp.isa.targets import read_target
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.mdtest.expectations import Expectation, expectations
from tests.mdtest.fences import Fence

SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING, "info": Severity.INFORMATION, "hint": Severity.HINT}
NAMES = {severity: name for name, severity in SEVERITIES.items()}
_LINE_END = re.compile(r"\r\n|\n|\r")


def findings(text: str, maximum: Version | None = None, target: Target | None = None) -> list[Finding]:
    """All findings for a module, as every part of the program gets them; `target` is the one that settings name."""
    module = analysed(text, Checks(maximum_version=maximum, target=target))
    return module.findings()


def _settings(fence: Fence) -> tuple[Version | None, Target | None]:
    return read_version(fence.options.get("maximum", "")), read_target(fence.options.get("for", ""))


def disagreements(fence: Fence) -> list[str]:
    """In what a fence's findings differ from its expectations: a readable line for each, with its place in the file."""
    missing = [e for e in expectations(fence) if e.kind in SEVERITIES]
    lines = _LINE_END.split(fence.text)
    said: list[str] = []
    for finding in findings(fence.text, *_settings(fence)):
        met = next((e for e in missing if _meets(finding, e, fence, lines)), None)
        if met is not None:
            missing.remove(met)
        elif not _of_the_frame(finding, fence):
            at = text_at(lines, finding.range)
            shown = f'{NAMES[finding.severity]}: [{finding.code}] "{finding.message}" at "{at}"'
            said.append(f"{fence.file}:{fence.line + finding.range.line - fence.first}: unexpected {shown}")
    said += [f"{fence.file}:{fence.line + e.line}: not found: {e}" for e in missing]
    return said


def text_at(lines: list[str], place: Range) -> str:
    """The text of a range, its lines joined by `\\n`."""
    if place.line == place.end_line:
        return lines[place.line][place.column : place.end_column]
    inner = lines[place.line + 1 : place.end_line]
    return "\n".join([lines[place.line][place.column :], *inner, lines[place.end_line][: place.end_column]])


def _meets(finding: Finding, expected: Expectation, fence: Fence, lines: list[str]) -> bool:
    return (
        finding.range.line == expected.line + fence.first
        and finding.severity is SEVERITIES[expected.kind]
        and expected.code in (None, finding.code)
        and (expected.part is None or expected.part in finding.message)
        and (expected.at is None or expected.at == text_at(lines, finding.range))
    )


def _of_the_frame(finding: Finding, fence: Fence) -> bool:
    """Whether a finding is due to the frame and not to the fence: hints, and all findings about the initial writes."""
    place = finding.range.line - fence.first
    outside = place < 0 or place >= fence.body.count("\n")
    return bool(fence.frame[0]) and outside and (place == -1 or finding.severity is Severity.HINT)
