"""A text without some of its lines, in which positions of the whole text are still found."""

from __future__ import annotations

from ptx_lsp.light_classes import NamedTuple, Sequence, bisect_right
from ptx_lsp.text.document import Document
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

_END = 1 << 60  # a line beyond the end of every text


class KeptText(NamedTuple):
    """A text, and the offsets at which the lines of the whole text begin; None if nothing was left out.

    A line that was left out begins where the first line below it does that was not.
    """

    text: str
    starts: Sequence[int] | None = None


class KeptStarts(Sequence[int]):
    """The offsets at which lines begin, some of which were left out: they take no memory.

    `firsts` are the first lines of the parts that were kept, `starts` the offsets of the lines of each part, and `ends`
    the offsets at which the parts end. `count` is the number of all lines.
    """

    __slots__ = ("_count", "_ends", "_firsts", "_starts")

    def __init__(self, firsts: list[int], starts: list[list[int]], ends: list[int], count: int) -> None:
        self._firsts = firsts
        self._starts = starts
        self._ends = ends
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, line: int) -> int:  # type: ignore[override]  # nothing asks for a slice
        if not 0 <= line < self._count:
            raise IndexError(line)
        part = bisect_right(self._firsts, line) - 1
        starts, within = self._starts[part], line - self._firsts[part]
        return starts[within] if within < len(starts) else self._ends[part]


def without_lines(document: Document, first: int, end: int | None, gaps: Sequence[tuple[int, int]]) -> KeptText:
    """The lines of a document from `first` to `end` (from 0, exclusive; None: to the end of the text) without some.

    `gaps` are the lines that are left out, each from a line to another one (exclusive), in order; none of them is the
    first one.
    """
    pieces: list[str] = []
    firsts: list[int] = []
    starts: list[list[int]] = []
    ends: list[int] = []
    offset, at = 0, first
    for gap, below in (*gaps, (_END if end is None else end, None)):
        piece = document.text(Range(at, 0, gap, 0))
        here = line_starts(piece, begin=offset)
        offset += len(piece)
        if below is not None:
            here.pop()  # the begin of the next part
        pieces.append(piece)
        firsts.append(at - first)
        starts.append(here)
        ends.append(offset)
        at = below or at
    return KeptText("".join(pieces), KeptStarts(firsts, starts, ends, firsts[-1] + len(starts[-1])))
