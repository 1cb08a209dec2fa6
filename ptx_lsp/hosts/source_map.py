"""Where decoded text comes from: runs of code points that map to a source text, in both directions.

All offsets are code points from 0; all ranges are half-open. Nothing here knows a language.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of source text: from offset `start` up to but without `end`."""

    start: int
    end: int


class Run(NamedTuple):
    """`length` code points of decoded text, from offset `decoded`, that come from the source from `start` to `end`.

    If both are equally long, each code point comes from its own; otherwise (an escape) all of them come from the whole
    source stretch. Source text that gives no decoded text (a line continuation) is between two runs.
    """

    decoded: int
    length: int
    start: int
    end: int

    @property
    def is_plain(self) -> bool:
        """True if each code point comes from its own."""
        return self.end - self.start == self.length

    def source(self, offset: int) -> Span:
        """The source of the decoded code point at `offset`, which must be in this run."""
        if not self.is_plain:
            return Span(self.start, self.end)
        at = self.start + offset - self.decoded
        return Span(at, at + 1)

    def shifted(self, by: int) -> "Run":
        """The same run, its source `by` code points further."""
        return Run(self.decoded, self.length, self.start + by, self.end + by)


_DECODED = attrgetter("decoded")
_START = attrgetter("start")


def source_of(runs: Sequence[Run], offset: int) -> Span:
    """The source of the decoded code point at `offset`, which must be one that `runs` cover."""
    return runs[bisect_right(runs, offset, key=_DECODED) - 1].source(offset)


def offset_of(runs: Sequence[Run], source: int) -> int | None:
    """The decoded code point that the source code point at `source` belongs to; None if it gives none."""
    index = bisect_right(runs, source, key=_START) - 1
    if index < 0 or source >= runs[index].end:
        return None
    run = runs[index]
    return run.decoded + source - run.start if run.is_plain else run.decoded


def composed(runs: Iterable[Run], outer: Sequence[Run]) -> tuple[Run, ...]:
    """`runs` map to a text that was itself decoded with the map `outer`: the map to the source of that text.

    `outer` must cover the text that `runs` mention; what it does not cover is left out.
    """
    result: list[Run] = []
    for run in runs:
        if run.end - run.start != run.length:
            result.append(Run(run.decoded, run.length, *source_range(outer, run.start, run.end)))
            continue
        result += _cut(run, outer)
    return tuple(result)


def source_range(outer: Sequence[Run], start: int, end: int) -> Span:
    """The source of the decoded text from `start` to `end`; the place of its beginning if it is empty."""
    if not outer:
        return Span(0, 0)
    if end > start:
        return Span(source_of(outer, start).start, source_of(outer, end - 1).end)
    last = outer[-1]
    at = last.end if start >= last.decoded + last.length else source_of(outer, start).start
    return Span(at, at)


def _cut(run: Run, outer: Sequence[Run]) -> list[Run]:
    """A run whose code points map one to one, cut where the outer map changes."""
    pieces: list[Run] = []
    begin = max(0, bisect_right(outer, run.start, key=_DECODED) - 1)
    for index in range(begin, len(outer)):
        below = outer[index]
        if below.decoded >= run.end:
            break
        start, end = max(run.start, below.decoded), min(run.end, below.decoded + below.length)
        if start < end:
            first, last = below.source(start), below.source(end - 1)
            pieces.append(Run(run.decoded + start - run.start, end - start, first.start, last.end))
    return pieces


def joined(runs: Iterable[Run]) -> tuple[Run, ...]:
    """The same map with neighbours that continue each other as one run. A run of one code point keeps its escape."""
    result: list[Run] = []
    for run in runs:
        last = result[-1] if result else None
        if last and last.end == run.start and last.is_plain and run.is_plain:
            result[-1] = Run(last.decoded, last.length + run.length, last.start, run.end)
        else:
            result.append(run)
    return tuple(result)
