"""Findings with one line for each: the position, the severity, the message, the code."""

from ptx_lsp.cli.formats.checked_file import CheckedFile, Style
from ptx_lsp.cli.formats.text import code_of, headline


def render(file: CheckedFile, style: Style) -> str:
    """One line for each finding."""
    return "".join(
        headline(file.path, each.range, each.severity.name.lower(), code_of(each, style), style)
        for each in file.findings
    )
