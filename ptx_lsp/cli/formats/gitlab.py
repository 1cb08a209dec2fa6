"""Findings as a report of code quality for GitLab, which shows them in merge requests.

Format: GitLab, "Code Quality report format", https://docs.gitlab.com/ci/testing/code_quality/
"""

import json

from ptx_lsp.cli.formats.checked_file import CheckedFile, Style
from ptx_lsp.cli.formats.places import fingerprints, relative
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.light_classes import Collection

BEGIN, BETWEEN = "[\n", ",\n"
_SEVERITIES = {
    Severity.ERROR: "critical",
    Severity.WARNING: "major",
    Severity.INFORMATION: "minor",
    Severity.HINT: "info",
}


def render(file: CheckedFile, style: Style) -> str:
    """The entries of a file, without the brackets of the list."""
    marks = fingerprints(file)
    entries = (_entry(file.path, finding, mark) for finding, mark in zip(file.findings, marks, strict=True))
    return BETWEEN.join(json.dumps(entry) for entry in entries)


def end(codes: Collection[str], troubles: Collection[tuple[str, str]]) -> str:
    """The end of the document."""
    return "\n]\n"


def _entry(path: str, finding: Finding, fingerprint: str) -> dict[str, object]:
    place = finding.range
    begin = {"line": place.line + 1, "column": place.column + 1}
    end = {"line": place.end_line + 1, "column": place.end_column + 1}
    return {
        "description": finding.message,
        "check_name": finding.code or finding.source,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": relative(path), "positions": {"begin": begin, "end": end}},
    }
