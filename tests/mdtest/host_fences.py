"""The inline assembly in a Markdown file: every fenced block of a host language, with what its comments expect.

A fence opens with three backquotes, a language of `LANGUAGES` and any of these options:

    target=sm_90a     the target that the statements are written for; without it they may be for any
    on=CODE           a rule that is off by default is on

Expectations are those of `expectations.py`, in comments of the language.
"""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from ptx_lsp.analysis.module import Checks
from ptx_lsp.embedded.host_text import check_host
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.hosts.statement import Host
from ptx_lsp.isa.targets import read_target
from tests.mdtest.comparison import NAMES, SEVERITIES, text_at
from tests.mdtest.expectations import Expectation, read_expectations

LANGUAGES = {
    "cuda": Host.CUDA,
    **{host.value: host for host in Host if host is not Host.CUDA},
}
_FENCE = re.compile(r"^```(?P<language>[\w-]+)(?P<options>[^\n`]*)\n(?P<body>[\s\S]*?)^```$", re.M)
_HEADING = re.compile(r"^#+\s+(.*)$", re.M)


class HostFence(NamedTuple):
    """One fenced block of a host language. `line` is that of its first line of text in the file, from 1."""

    file: str
    heading: str
    line: int
    host: Host
    options: dict[str, str]
    body: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def read_host_fences(path: Path) -> list[HostFence]:
    """Every fence of a host language, in order. Raises ValueError for one with unknown options."""
    text = path.read_text("utf-8")
    found: list[HostFence] = []
    for fence in _FENCE.finditer(text):
        host = LANGUAGES.get(fence["language"])
        if host is None:
            continue
        options = dict(word.partition("=")[::2] for word in shlex.split(fence["options"]))
        line = text.count("\n", 0, fence.start("body")) + 1
        if unknown := options.keys() - {"target", "on"}:
            raise ValueError(f"{path.name}:{line}: what does {', '.join(sorted(unknown))} mean?")
        heading = ([each[1] for each in _HEADING.finditer(text, 0, fence.start())] or [""])[-1]
        found.append(HostFence(path.name, heading, line, host, options, fence["body"]))
    return found


def host_findings(fence: HostFence) -> list[Finding]:
    """The findings of a fence."""
    severities = dict.fromkeys(filter(None, fence.options.get("on", "").split(",")), Severity.WARNING)
    target = read_target(fence.options.get("target", ""))
    return check_host(fence.body, fence.host, Checks(severities), [target] if target else ())


def host_expectations(fence: HostFence) -> list[Expectation]:
    """What the comments of a fence expect."""
    return [each for each in read_expectations(fence.body) if each.kind in SEVERITIES]


def host_disagreements(fence: HostFence) -> list[str]:
    """In what the findings of a fence differ from what it expects: a readable line for each, with its place."""
    missing = host_expectations(fence)
    lines = fence.body.split("\n")
    said = []
    for finding in host_findings(fence):
        at = text_at(lines, finding.range)
        met = next((each for each in missing if _meets(finding, each, at)), None)
        if met is not None:
            missing.remove(met)
            continue
        shown = f'{NAMES[finding.severity]}: [{finding.code}] "{finding.message}" at "{at}"'
        said.append(f"{fence.file}:{fence.line + finding.range.line}: unexpected {shown}")
    return said + [f"{fence.file}:{fence.line + each.line}: not found: {each}" for each in missing]


def _meets(finding: Finding, expected: Expectation, at: str) -> bool:
    return (
        finding.range.line == expected.line
        and finding.severity is SEVERITIES[expected.kind]
        and expected.code in (None, finding.code)
        and (expected.part is None or expected.part in finding.message)
        and expected.at in (None, at)
    )
