"""Findings as JSON, one object a line, for programs."""

import json

from ptx_lsp.findings.finding import Finding


def render(path: str, findings: list[Finding]) -> str:
    """One line of JSON for each finding; lines and columns from 1, columns in code points, ends exclusive."""
    return "".join(_line(path, finding) for finding in findings)


def _line(path: str, finding: Finding) -> str:
    place = finding.range
    entry = {
        "path": path,
        "line": place.line + 1,
        "column": place.column + 1,
        "end_line": place.end_line + 1,
        "end_column": place.end_column + 1,
        "severity": finding.severity.name.lower(),
        "code": finding.code,
        "message": finding.message,
    }
    return json.dumps(entry) + "\n"
