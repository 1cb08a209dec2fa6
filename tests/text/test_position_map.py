"""From positions in a text to those in the text that it was taken from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_lsp.text.position_map import MappedPiece, PositionMap
from ptx_lsp.text.ranges import Position, Range

# the text `add%0` and a line end and `ret`, from `"add%%0\n\tret"` on line 7: the escapes are `%%`, `\n` and `\t`
ESCAPED = PositionMap(
    [
        MappedPiece(Range(0, 0, 0, 3), Range(7, 1, 7, 4)),
        MappedPiece(Range(0, 3, 0, 4), Range(7, 4, 7, 6)),
        MappedPiece(Range(0, 4, 0, 5), Range(7, 6, 7, 7)),
        MappedPiece(Range(0, 5, 1, 0), Range(7, 7, 7, 9)),
        MappedPiece(Range(1, 0, 1, 1), Range(7, 9, 7, 11)),
        MappedPiece(Range(1, 1, 1, 4), Range(7, 11, 7, 14)),
    ]
)


@pytest.mark.parametrize(
    ("range_", "origin"),
    [
        (Range(0, 0, 0, 3), Range(7, 1, 7, 4)),
        (Range(0, 1, 0, 2), Range(7, 2, 7, 3)),
        (Range(0, 3, 0, 5), Range(7, 4, 7, 7)),
        (Range(0, 4, 1, 4), Range(7, 6, 7, 14)),
        (Range(1, 1, 1, 4), Range(7, 11, 7, 14)),
        (Range(1, 4, 1, 4), Range(7, 14, 7, 14)),
        (Range(0, 0, 0, 0), Range(7, 1, 7, 1)),
        (Range(0, 3, 0, 4), Range(7, 4, 7, 6)),
        (Range(1, 0, 1, 5), None),
        (Range(2, 0, 2, 1), None),
    ],
)
def test_a_range_with_escapes_has_its_origin(range_: Range, origin: Range | None) -> None:
    assert ESCAPED.origin(range_) == origin


def test_a_range_that_touches_a_hole_has_no_origin() -> None:
    holed = PositionMap(
        [MappedPiece(Range(0, 0, 0, 4), Range(0, 8, 0, 12)), MappedPiece(Range(0, 9, 0, 12), Range(3, 0, 3, 3))]
    )
    assert holed.origin(Range(0, 1, 0, 4)) == (0, 9, 0, 12)
    assert holed.origin(Range(0, 9, 0, 10)) == (3, 0, 3, 1)
    assert holed.origin(Range(0, 2, 0, 6)) is None
    assert holed.origin(Range(0, 2, 0, 10)) is None
    assert holed.origin(Range(0, 5, 0, 6)) is None


WIDTHS = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=8)


@given(WIDTHS, st.integers(0, 40), st.integers(0, 40))
def test_every_range_is_in_the_origin_of_its_pieces(widths: list[tuple[int, int]], one: int, other: int) -> None:
    pieces = []
    here = there = 0
    for width, origin in widths:
        pieces.append(MappedPiece(Range(0, here, 0, here + width), Range(5, there, 5, there + origin)))
        here, there = here + width, there + origin
    start, end = sorted((min(one, here), min(other, here)))
    found = PositionMap(pieces).origin(Range(0, start, 0, end))
    assert found is not None
    covered = [piece for piece in pieces if piece.here.column < end and piece.here.end_column > start]
    if covered:
        assert covered[0].there.start <= found.start <= found.end <= covered[-1].there.end
        assert found.start <= Position(5, covered[0].there.end_column - 1) or not covered[0].is_exact
