"""Findings as JSON, one object a line, for programs."""

import json

from ptx_lsp.cli.formats.checked_file import CheckedFile, Style
from ptx_lsp.cli.formats.places import manual_page
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Fix
from ptx_lsp.text.ranges import Range


def render(file: CheckedFile, style: Style) -> str:
    """One line of JSON for each finding; lines and columns from 1, columns in code points, ends exclusive."""
    return "".join(_line(file, finding) for finding in file.findings)


def _line(file: CheckedFile, finding: Finding) -> str:
    entry = {
        "path": file.path,
        **place(finding.range),
        "severity": finding.severity.name.lower(),
        "code": finding.code,
        "message": finding.message,
        "url": manual_page(finding.code) or None,
        "related": [{"path": file.path, **place(each.range), "message": each.message} for each in finding.related],
        "fixes": [_fix(each) for each in file.fixes_of(finding)],
    }
    return json.dumps(entry) + "\n"


def _fix(fix: Fix) -> dict[str, object]:
    edits = [{**place(edit.range), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def place(range_: Range) -> dict[str, int]:
    """A range with lines and columns from 1, its end exclusive."""
    return {
        "line": range_.line + 1,
        "column": range_.column + 1,
        "end_line": range_.end_line + 1,
        "end_column": range_.end_column + 1,
    }
