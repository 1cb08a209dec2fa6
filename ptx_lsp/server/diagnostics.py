"""Findings as the diagnostics of the protocol, formatted straight to JSON text.

Ten thousand diagnostics cost 54 ms as objects of lsprotocol through cattrs, and 3 ms this way.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache

from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.isa.manual import page_url
from ptx_lsp.package_data import read_text
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.text.ranges import Range

SOURCE = "ptx-lsp"

_quoted = json.dumps


def diagnostics_json(document: OpenDocument, findings: Iterable[Finding], hidden: int) -> str:
    """A JSON array of diagnostics. If some are `hidden`, the first one says how many."""
    uri = _quoted(document.uri)
    parts = [_diagnostic(document, uri, finding) for finding in findings]
    if hidden:
        parts.insert(0, _note(hidden))
    return "[" + ",".join(parts) + "]"


def may_have_wide_columns(document: OpenDocument, findings: Iterable[Finding]) -> bool:
    """Whether the client's columns of a finding may differ from those in code points.

    Then two lists of findings that are equal may not be equal for the client.
    """
    return any(
        document.may_be_wide(range_.line) or document.may_be_wide(range_.end_line)
        for finding in findings
        for range_ in (finding.range, *(related.range for related in finding.related))
    )


def publication(document: OpenDocument, diagnostics: str) -> str:
    """The notification that publishes an array of diagnostics for a document at its version."""
    version = "" if document.version is None else f'"version":{document.version},'
    return (
        '{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":'
        f'{_quoted(document.uri)},{version}"diagnostics":{diagnostics}}}}}'
    )


def withdrawal(uri: str) -> str:
    """The notification that removes all diagnostics of a document."""
    return (
        '{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":'
        f'{_quoted(uri)},"diagnostics":[]}}}}'
    )


def _note(hidden: int) -> str:
    what = "finding is" if hidden == 1 else "findings are"
    message = f"{hidden:,} more {what} not shown; `ptx.diagnostics.maximum` sets how many are"
    place = '{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}'
    return f'{{"range":{place},"severity":{Severity.INFORMATION:d},"source":"{SOURCE}","message":{_quoted(message)}}}'


def _diagnostic(document: OpenDocument, uri: str, finding: Finding) -> str:
    text = (
        f'{{"range":{_range(document, finding.range)},"severity":{finding.severity:d},'
        f'{_code_and_source(finding)},"message":{_quoted(finding.message)}'
    )
    if finding.tags:
        text += f',"tags":{_numbers([tag.value for tag in finding.tags])}'
    if finding.related:
        places = (
            f'{{"location":{{"uri":{uri},"range":{_range(document, related.range)}}},'
            f'"message":{_quoted(related.message)}}}'
            for related in finding.related
        )
        text += f',"relatedInformation":[{",".join(places)}]'
    if finding.data:
        text += f',"data":{_quoted(dict(finding.data))}'
    return text + "}"


def _code_and_source(finding: Finding) -> str:
    if not finding.source:
        return f'"code":"{finding.code}",{_description(finding.code)}"source":"{SOURCE}"'
    code = f'"code":{_quoted(finding.code)},' if finding.code else ""
    return f'{code}"source":{_quoted(finding.source)}'


def _range(document: OpenDocument, range_: Range) -> str:
    line, column, end_line, end_column = range_
    return (
        f'{{"start":{{"line":{line},"character":{document.column(line, column)}}},'
        f'"end":{{"line":{end_line},"character":{document.column(end_line, end_column)}}}}}'
    )


def _numbers(numbers: Sequence[int]) -> str:
    return "[" + ",".join(map(str, numbers)) + "]"


@cache
def _description(code: str) -> str:
    section = _section(code)
    return f'"codeDescription":{{"href":"{page_url(section)}"}},' if section else ""


def _section(code: str) -> str:
    """The anchor in NVIDIA's manual that the front matter of a code's page names; empty if it names none."""
    try:
        front = read_text("rules", code + ".md").split("---\n", 2)[1]
    except OSError:
        return ""
    fields = dict(line.split(": ", 1) for line in front.splitlines() if ": " in line)
    return fields.get("section", "").strip()
