"""Findings as the diagnostics of the protocol, formatted straight to JSON text, and when their messages are sent.

Ten thousand diagnostics cost 54 ms as objects of lsprotocol through cattrs, and 3 ms this way.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache

from ptx_lsp.findings.finding import Finding, Severity, Tag
from ptx_lsp.isa.manual import page_url
from ptx_lsp.memo import forgettable
from ptx_lsp.package_data import read_text
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.text.ranges import Range

SOURCE = "ptx-lsp"

MOST_UNSENT = 1 << 20
"""Bytes; publications are kept back while this many or more are unsent."""

_NOWHERE = Range(0, 0, 0, 0)
_quoted = json.dumps
_Column = Callable[[int, int], int]  # the client's column for a line and a column in code points


def diagnostics_json(document: OpenDocument, findings: Sequence[Finding], hidden: int, *, wide: bool = True) -> str:
    """A JSON array of diagnostics. If `hidden`, the number of findings left out, is not 0, the first one says so.

    `wide` is False if the client's columns are surely those in code points: see `may_have_wide_columns`.
    """
    uri = _quoted(document.uri)
    if wide:
        parts = [_diagnostic(document.column, uri, finding) for finding in findings]
    else:
        parts = document.written.texts(findings, lambda finding: _plain_diagnostic(uri, finding))
    if hidden:
        parts.insert(0, _note(hidden))
    return "[" + ",".join(parts) + "]"


def may_have_wide_columns(document: OpenDocument, findings: Iterable[Finding]) -> bool:
    """Whether the client's columns of a finding may differ from those in code points.

    Then two lists of findings that are equal may not be equal for the client.
    """
    if not document.text.wide_chunks:
        return False
    ranges = [
        range_ for finding in findings for range_ in (finding.range, *(related.range for related in finding.related))
    ]
    return document.may_have_wide({line for range_ in ranges for line in (range_.line, range_.end_line)})


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


class Publications:
    """Sends diagnostics. While the client does not read, only the newest message of each document is kept.

    `unsent` gives the number of bytes that the client has not read yet.
    """

    def __init__(self, send: Callable[[str], None], unsent: Callable[[], int]) -> None:
        self._send = send
        self._unsent = unsent
        self._kept: dict[str, str] = {}  # by URI the newest message of a document; the one kept longest is first

    def send(self, uri: str, message: str) -> None:
        """Send the newest message of a document, or keep it until the client reads and drop the one kept before."""
        self._kept.pop(uri, None)
        self._kept[uri] = message
        self.flush()

    def flush(self) -> None:
        """Send the kept messages, the oldest first, until too many bytes are unsent."""
        while self._kept and self._unsent() < MOST_UNSENT:
            uri = next(iter(self._kept))
            self._send(self._kept.pop(uri))


def _note(hidden: int) -> str:
    what = "finding is" if hidden == 1 else "findings are"
    message = f"{hidden:,} more {what} not shown; `ptx.diagnostics.maximum` sets how many are"
    place = '{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}'
    return f'{{"range":{place},"severity":{Severity.INFORMATION:d},"source":"{SOURCE}","message":{_quoted(message)}}}'


def _same_column(line: int, column: int) -> int:
    return column


def _plain_diagnostic(uri: str, finding: Finding) -> str:
    """A diagnostic whose columns for the client are those in code points."""
    code, (line, first, end_line, end), message, severity, related, tags, data, source = finding
    if related:
        return _diagnostic(_same_column, uri, finding)
    items = tuple(data.items()) if data else ()
    return (
        f'{{"range":{{"start":{{"line":{line},"character":{first}}},"end":{{"line":{end_line},"character":{end}}}}},'
        f"{_end(code, message, severity, tags, items, source)}"
    )


# an edit that adds a line moves all findings below it
@forgettable
@lru_cache(4096)
def _end(
    code: str, message: str, severity: Severity, tags: tuple[Tag, ...], items: tuple[tuple[str, str], ...], source: str
) -> str:
    """The text after the range of a diagnostic without related places."""
    text = _diagnostic(_same_column, "", Finding(code, _NOWHERE, message, severity, (), tags, dict(items), source))
    return text.removeprefix(f'{{"range":{_range(_same_column, _NOWHERE)},')


def _diagnostic(column: _Column, uri: str, finding: Finding) -> str:
    text = (
        f'{{"range":{_range(column, finding.range)},"severity":{finding.severity:d},'
        f'{_code_and_source(finding)},"message":{_message(finding.message)}'
    )
    if finding.tags:
        text += f',"tags":{_numbers([tag.value for tag in finding.tags])}'
    if finding.related:
        places = (
            f'{{"location":{{"uri":{uri},"range":{_range(column, related.range)}}},'
            f'"message":{_message(related.message)}}}'
            for related in finding.related
        )
        text += f',"relatedInformation":[{",".join(places)}]'
    if finding.data:
        text += f',"data":{_data(tuple(finding.data.items()))}'
    return text + "}"


# a publication has all findings of a document, and most of them were in the one before
@forgettable
@lru_cache(4096)
def _message(message: str) -> str:
    return _quoted(message)


@forgettable
@lru_cache(4096)
def _data(items: tuple[tuple[str, str], ...]) -> str:
    return _quoted(dict(items))


def _code_and_source(finding: Finding) -> str:
    if not finding.source:
        return f'"code":"{finding.code}",{_description(finding.code)}"source":"{SOURCE}"'
    code = f'"code":{_quoted(finding.code)},' if finding.code else ""
    return f'{code}"source":{_quoted(finding.source)}'


def _range(column: _Column, range_: Range) -> str:
    line, first, end_line, end = range_
    return (
        f'{{"start":{{"line":{line},"character":{column(line, first)}}},'
        f'"end":{{"line":{end_line},"character":{column(end_line, end)}}}}}'
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
