"""Findings as commands of a GitHub workflow, which shows them at the lines of a pull request.

Format: GitHub Actions, "Workflow commands", https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from ptx_lsp.cli.formats.checked_file import CheckedFile, Style
from ptx_lsp.cli.formats.places import relative
from ptx_lsp.findings.finding import Finding, Severity

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}


def render(file: CheckedFile, style: Style) -> str:
    """One command for each finding; lines and columns from 1."""
    path = relative(file.path)
    return "".join(_command(path, finding) for finding in file.findings)


def _command(path: str, finding: Finding) -> str:
    place = finding.range
    properties = {"title": f"ptx-lsp ({finding.code})" if finding.code else finding.source, "file": path}
    properties |= {"line": str(place.line + 1), "endLine": str(place.end_line + 1)}
    if place.line == place.end_line:  # columns are allowed in one line only
        properties |= {"col": str(place.column + 1), "endColumn": str(place.end_column + 1)}
    listed = ",".join(f"{name}={_escaped_value(value)}" for name, value in properties.items())
    where = f"{path}:{place.line + 1}:{place.column + 1}"
    return f"::{_COMMANDS[finding.severity]} {listed}::{_escaped(f'{where}: {finding.message}')}\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_value(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
