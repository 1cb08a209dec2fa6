"""A scan of a text: how far it has come, and what it has found."""

from collections.abc import Callable

from ptx_lsp.hosts.statement import AsmStatement, Scanned


class TextScan:
    """`text` is read up to the offset `at`, where the mode is `mode`. `last` is True if no more text follows it."""

    __slots__ = ("at", "last", "mode", "statements", "text")

    def __init__(self, text: str, mode: str, last: bool) -> None:
        self.text = text
        self.mode = mode
        self.last = last
        self.at = 0
        self.statements: list[AsmStatement] = []


def scanned(scan: TextScan, step: Callable[[TextScan], bool]) -> Scanned:
    """What a scan finds when it has read the text to its end, or to a step that returns False.

    Such a step needs more text: what begins at `at` has not ended.
    """
    while scan.at < len(scan.text) and step(scan):
        pass
    return Scanned(scan.statements, scan.at, scan.mode)
