"""What a fix is: a title and the edits that mend a finding."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range


class Edit(NamedTuple):
    """One replacement: the text of `range` becomes `text`. An empty range inserts, an empty text deletes."""

    range: Range
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """One way to mend a finding.

    `title` is an imperative for a menu. `preferred` marks the one that an author most likely wants; `certain` that it
    cannot be meant otherwise, so that `check --fix` makes it unasked.
    """

    title: str
    edits: tuple[Edit, ...]
    preferred: bool = False
    certain: bool = False


def insertion(place: Range, text: str) -> Edit:
    """Put `text` at the end of `place`."""
    return Edit(Range(place.end_line, place.end_column, place.end_line, place.end_column), text)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` with these edits made, each in the positions before any of them.

    Of edits that overlap, the one that begins first is made and the others are left out; two insertions at the same
    place are made in their order.
    """
    starts = line_starts(text)
    kept: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda e: (e.range.start, e.range.end)):
        start = starts[edit.range.line] + edit.range.column
        end = starts[edit.range.end_line] + edit.range.end_column
        if start >= done:
            kept += (text[done:start], edit.text)
            done = end
    return "".join(kept) + text[done:]
