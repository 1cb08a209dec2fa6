"""Fixes: a title, the edits that resolve a finding, and whether they are safe."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range


class Edit(NamedTuple):
    """One replacement: the text of `range` becomes `text`. An empty range inserts, an empty text deletes."""

    range: Range
    text: str


class Safety(Enum):
    """What a fix may do to the meaning of a program.

    SAFE: the fixed program does what its author evidently meant. The text has one interpretation, or all its
    interpretations compute the same bits. Examples: a missing `;`, `.gloabl` for `.global`, `.s64` for `.u64` in
    `atom.add`.

    UNSAFE: the fix makes a choice that only the author can make. It may change signedness, width, rounding, the half
    of a product, the opcode or the order of operands, or declare a name that may be a typo. Its title says what
    changes.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"


def safe_if(is_sure: bool) -> Safety:
    """SAFE if it is sure what the author meant, UNSAFE otherwise."""
    return Safety.SAFE if is_sure else Safety.UNSAFE


@dataclass(frozen=True, slots=True)
class Fix:
    """One way to fix a finding.

    `title` is an imperative for a menu; the title of an unsafe fix also says what changes. `preferred` is true for at
    most one fix of a finding, and that fix is safe. Only `catalogue.fixes` sets it: the first safe fix is preferred.
    """

    title: str
    edits: tuple[Edit, ...]
    safety: Safety = Safety.UNSAFE
    preferred: bool = False

    @property
    def safe(self) -> bool:
        """Whether `check --fix` and "fix all" may apply it."""
        return self.safety is Safety.SAFE


def insertion(place: Range, text: str) -> Edit:
    """Put `text` at the end of `place`."""
    return Edit(Range(place.end_line, place.end_column, place.end_line, place.end_column), text)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` after these edits. Their positions are those of `text` itself.

    Of edits that overlap, only the one that begins first is made. Two insertions at the same place are made in their
    order.
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
