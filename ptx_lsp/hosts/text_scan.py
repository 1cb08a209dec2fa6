"""A scan of a text: how far it has come, and what it has found; and comments, which may be nested."""

import re
from collections.abc import Callable, Mapping

from ptx_lsp.hosts.statement import CODE, AsmStatement, ScanMode, Scanned


class TextScan:
    """`text` is read up to the offset `at`, which is in `mode`. `last` is True if no more text follows it."""

    __slots__ = ("at", "last", "mode", "statements", "text")

    def __init__(self, text: str, mode: ScanMode, last: bool) -> None:
        self.text = text
        self.mode = mode
        self.last = last
        self.at = 0
        self.statements: list[AsmStatement] = []


Handler = Callable[[TextScan, int, int], bool]
"""What is done at a place of interest, after which the scan is: it takes the scan, the offset of the place, and the
offset where the search for it began. False if the text must be read again from `at`, when more of it is known."""

_LINE = re.compile(r"[^\r\n]*+")


def read_code(scan: TextScan, interest: re.Pattern[str], handlers: Mapping[str, Handler]) -> bool:
    """Go to the next match of `interest` and past it, and call the handler for its text, the result of which is
    returned. Without a match, the text is read to its end."""
    first = scan.at
    found = interest.search(scan.text, first)
    if found is None:
        scan.at = len(scan.text)
        return True
    scan.at = found.end()
    return handlers[found[0]](scan, found.start(), first)


def pass_match(scan: TextScan, pattern: re.Pattern[str], start: int) -> bool:
    """Go to the end of what matches at an offset, if anything does. True, as a handler returns it."""
    found = pattern.match(scan.text, start)
    scan.at = found.end() if found is not None else scan.at
    return True


def pass_line(scan: TextScan, start: int, first: int) -> bool:
    """The handler of a comment that ends with its line."""
    return pass_match(scan, _LINE, start)


def leave_nested_comment(scan: TextScan, marks: re.Pattern[str]) -> None:
    """Go to the end of the comment that the scan is in, or of the text; for `marks` see `nested_comment_end`."""
    scan.at, depth = nested_comment_end(marks, scan.text, scan.at, len(scan.text), scan.mode.depth)
    scan.mode = scan.mode._replace(depth=depth) if depth else CODE


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
