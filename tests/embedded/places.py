"""Texts of hosts with a mark at the cursor, and what is at ranges of them."""

from collections.abc import Iterable

from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.hosts.statement import Host
from ptx_lsp.text.lines import LineIndex
from ptx_lsp.text.ranges import Position, Range

CURSOR = "¦"


def marked(text: str, host: Host = Host.CUDA) -> tuple[HostText, Position]:
    """The analysis of a text without the mark of the cursor, and the cursor."""
    before, _, after = text.partition(CURSOR)
    analysis = HostText(before + after, host, None, ())
    analysis.work()
    return analysis, LineIndex(before).position(len(before))


def shown(analysis: HostText, ranges: Iterable[Range] | None) -> str:
    """The text with `«` and `»` around some ranges; empty for None."""
    if ranges is None:
        return ""
    text = analysis.document.whole()
    lines = LineIndex(text)
    for each in sorted(ranges, reverse=True):
        start, end = lines.offset(each.start), lines.offset(each.end)
        text = f"{text[:start]}«{text[start:end]}»{text[end:]}"
    return text
