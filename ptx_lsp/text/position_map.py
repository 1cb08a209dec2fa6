"""From the positions of a text to those of another text that it was taken from, piece by piece."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

from ptx_lsp.light_classes import Iterable, NamedTuple
from ptx_lsp.text.ranges import Position, Range


class MappedPiece(NamedTuple):
    """A stretch of the text (`here`) with its origin (`there`).

    If both are in one line and are equally long, each character has its own origin. Otherwise, as for an escape
    sequence, the origin of each character is the whole of `there`.
    """

    here: Range
    there: Range

    @property
    def is_exact(self) -> bool:
        """Whether each character of the piece has its own origin."""
        here, there = self
        in_one_line = here.line == here.end_line and there.line == there.end_line
        return in_one_line and here.end_column - here.column == there.end_column - there.column


class PositionMap:
    """The pieces of a text, in order and without overlaps. Text between two of them has no origin: it is a hole."""

    def __init__(self, pieces: Iterable[MappedPiece]) -> None:
        self._pieces = tuple(pieces)
        self._starts = [piece.here.start for piece in self._pieces]

    def origin(self, range_: Range) -> Range | None:
        """Where a range of the text comes from; None if a part of it is in a hole, or all of it is outside the pieces.

        A range that begins or ends inside of an escape sequence comes from the whole sequence.
        """
        first = self._piece_at(range_.start, is_end=False)
        last = first if range_.start == range_.end else self._piece_at(range_.end, is_end=True)
        if first is None or last is None:
            return None
        pieces = self._pieces[first : last + 1]
        if any(one.here.end != other.here.start for one, other in pairwise(pieces)):
            return None
        start, end = _start(pieces[0], range_.start), _end(pieces[-1], range_.end)
        return Range(*start, *max(start, end))

    def _piece_at(self, position: Position, is_end: bool) -> int | None:
        """The number of the piece that holds a position: the character after it, or that before it if it `is_end`."""
        number = bisect_right(self._starts, position) - 1
        if is_end and number > 0 and self._starts[number] == position:
            number -= 1
        if number < 0 or position > self._pieces[number].here.end:
            return None
        return number


def _start(piece: MappedPiece, position: Position) -> Position:
    if piece.is_exact:
        return Position(piece.there.line, piece.there.column + position.column - piece.here.column)
    return piece.there.start if position < piece.here.end else piece.there.end


def _end(piece: MappedPiece, position: Position) -> Position:
    if piece.is_exact:
        return Position(piece.there.line, piece.there.column + position.column - piece.here.column)
    return piece.there.end if position > piece.here.start else piece.there.start
