"""Where lines end: at `\\n`, `\\r\\n` and `\\r`, and nowhere else."""

from collections.abc import Sequence
from itertools import accumulate

from ptx_lsp.patterns import lazy_pattern

_PLUS_ONE = (1).__add__
LINE_END = lazy_pattern(r"\r\n?|\n")


def line_starts(text: str, lines: Sequence[str] | None = None) -> list[int]:
    """The offset at which each line of `text` begins, ascending from 0; the text after the last line end counts.

    `lines`, if given, is the text split at each `\\n`.
    """
    if "\r" in text:
        return [0, *(match.end() for match in LINE_END.finditer(text))]
    starts = list(accumulate(map(_PLUS_ONE, map(len, lines or text.split("\n"))), initial=0))
    starts.pop()
    return starts


def count_line_ends(text: str) -> int:
    """How many line ends there are in `text`."""
    count = text.count("\n")
    if "\r" in text:
        count += text.count("\r") - text.count("\r\n")
    return count
