"""A scan of a text: how far it has come, and what it has found; and the end of comments that may be nested."""

import re
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


def next_place(scan: TextScan, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The next match of a pattern, which the scan then has read; None, and all of the text is read, without a match."""
    found = pattern.search(scan.text, scan.at)
    scan.at = len(scan.text) if found is None else found.end()
    return found


def nested_comment_end(marks: re.Pattern[str], text: str, at: int, limit: int, depth: int) -> tuple[int, int]:
    """Where the comment around `at` ends, which is `depth` deep there, and how deep it is at its end: 0 if closed.

    `marks` finds where comments begin, as its group `begin`, and where they end. Nothing at or after `limit` is read.
    """
    for mark in marks.finditer(text, at, limit):
        depth += 1 if mark["begin"] else -1
        if not depth:
            return mark.end(), 0
    return limit, depth


def scanned(scan: TextScan, step: Callable[[TextScan], bool]) -> Scanned:
    """What a scan finds when it has read the text to its end, or to a step that returns False.

    Such a step needs more text: what begins at `at` has not ended.
    """
    while scan.at < len(scan.text) and step(scan):
        pass
    return Scanned(scan.statements, scan.at, scan.mode)
