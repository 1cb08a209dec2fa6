"""Ranges of a text that move with its edits.

An edit shifts what is below it by lines, so the ranges are kept in groups of neighbours, each with its own shift: an
edit costs little for each group, and more only for the ranges near the edit.
"""

from __future__ import annotations

from ptx_lsp.light_classes import Iterable
from ptx_lsp.text.lines import split_lines
from ptx_lsp.text.ranges import Position, Range

_GROUP = 64  # ranges


class MovingRange:
    """A range that follows the edits of its text. `edited` is True once an edit has changed the text inside of it.

    Text that is inserted at one of its two ends is outside of it. A range of which all text is replaced becomes empty.
    """

    __slots__ = ("_group", "_range", "edited")

    def __init__(self, range_: Range) -> None:
        self._range = range_
        self._group: _Group | None = None
        self.edited = False

    @property
    def range(self) -> Range:
        """Where the range is in the present text."""
        return self._range if self._group is None else self._range.shifted(self._group.shift)


class _Group:
    """Ranges that are neighbours. `shift` is to be added to the lines of each, and of `first` and `last`."""

    __slots__ = ("first", "last", "ranges", "shift")

    def __init__(self, ranges: list[MovingRange]) -> None:
        self.ranges = ranges
        self.shift = 0
        self.first = min(each._range.line for each in ranges)
        self.last = max(each._range.end_line for each in ranges)
        for each in ranges:
            each._group = self


class MovingRanges:
    """The moving ranges of one text; `edit` is called for each edit of it."""

    def __init__(self, ranges: Iterable[Range] = ()) -> None:
        self.ranges = [MovingRange(range_) for range_ in ranges]
        """In the order in which they were given."""
        ordered = sorted(self.ranges, key=lambda each: each._range)
        self._groups = [_Group(ordered[at : at + _GROUP]) for at in range(0, len(ordered), _GROUP)]

    def edit(self, replaced: Range, end: Position) -> bool:
        """Move the ranges: the text of `replaced` was replaced by a text that ends at `end`.

        Returns whether this is the first edit that changed the text inside of one of the ranges.
        """
        lines = end.line - replaced.end_line
        changed = False
        for group in self._groups:
            if group.first + group.shift > replaced.end_line:
                group.shift += lines
            elif group.last + group.shift >= replaced.line:
                changed |= _edit_near(group, replaced, end)
        return changed


def _edit_near(group: _Group, replaced: Range, end: Position) -> bool:
    changed = False
    for each in group.ranges:
        now = each._range.shifted(group.shift)
        hit = replaced.start < now.end and replaced.end > now.start
        if now.start < replaced.start < now.end or now.start < replaced.end < now.end:
            hit = True  # an insertion inside of it
        changed |= hit and not each.edited
        each.edited |= hit
        start = _moved(now.start, replaced, end, at_end=True)
        finish = _moved(now.end, replaced, end, at_end=False)
        each._range = Range(*start, *max(start, finish))
    group.shift = 0
    group.first = min(each._range.line for each in group.ranges)
    group.last = max(each._range.end_line for each in group.ranges)
    return changed


def _moved(position: Position, replaced: Range, end: Position, at_end: bool) -> Position:
    """Where a position is after an edit.

    One in the replaced text, or at the place of an insertion, goes to its end, or to its start if not `at_end`.
    """
    if position < replaced.start or (position == replaced.start and not at_end):
        return position
    if position < replaced.end:
        return end if at_end else replaced.start
    if position.line == replaced.end_line:
        return Position(end.line, end.column + position.column - replaced.end_column)
    return Position(position.line + end.line - replaced.end_line, position.column)


def end_of(replaced: Range, new_text: str, lines: int) -> Position:
    """Where the text ends that replaced a range; `lines` is the number of lines by which the text below moved down."""
    last = max(new_text.rfind("\n"), new_text.rfind("\r")) + 1
    column = len(new_text) - last + (0 if last else replaced.column)
    return Position(replaced.end_line + lines, column)


def replaced_lines(old: str, new: str) -> tuple[Range, str]:
    """The lines in which two texts differ, as one edit of the old text: the replaced range, and the new text.

    Equal texts give an empty range at the beginning and an empty text.
    """
    before, after = split_lines(old), split_lines(new)
    shorter = min(len(before), len(after))
    first = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    if first == len(before) == len(after):
        return Range(0, 0, 0, 0), ""
    first = min(first, shorter - 1)
    same = next((i for i in range(shorter - first) if before[-1 - i] != after[-1 - i]), shorter - first)
    end = Position(len(before) - same, 0) if same else Position(len(before) - 1, len(before[-1]))
    return Range(first, 0, *end), "".join(after[first : len(after) - same])
