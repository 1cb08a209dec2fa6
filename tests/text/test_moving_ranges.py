"""Ranges that move with edits: compared with offsets in a plain string."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_lsp.text.document import Document
from ptx_lsp.text.moving_ranges import MovingRanges, end_of, replaced_lines
from ptx_lsp.text.ranges import Position, Range

Span = tuple[int, int]
TEXT = st.text(st.sampled_from("abc\n"), max_size=60)
SPAN = st.tuples(st.integers(0, 60), st.integers(0, 60))
EDITS = st.lists(st.tuples(SPAN, TEXT), max_size=8)


def position(text: str, offset: int) -> Position:
    """The position of an offset."""
    return Position(text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1)


def range_of(text: str, start: int, end: int) -> Range:
    """The range of two offsets."""
    return Range(*position(text, start), *position(text, end))


def clamped(span: tuple[int, int], text: str) -> tuple[int, int]:
    """Two offsets in a text, in order."""
    start, end = sorted(min(each, len(text)) for each in span)
    return start, end


def edited(moving: MovingRanges, text: str, start: int, end: int, new: str) -> tuple[str, bool]:
    """Replace the text between two offsets; the new text, and what `edit` returned."""
    document = Document(text)
    replaced = range_of(text, start, end)
    lines = document.edit(replaced, new).lines
    return document.whole(), moving.edit(replaced, end_of(replaced, new, lines))


@settings(max_examples=300, deadline=None)
@given(TEXT, st.lists(SPAN, max_size=130), EDITS)
def test_ranges_follow_the_text(
    text: str, spans: list[tuple[int, int]], edits: list[tuple[tuple[int, int], str]]
) -> None:
    places = [clamped(span, text) for span in spans]
    moving = MovingRanges(range_of(text, *place) for place in places)
    touched = [False] * len(places)
    for span, new in edits:
        start, end = clamped(span, text)
        grown = len(new) - (end - start)
        after = []
        for number, (first, last) in enumerate(places):
            touched[number] |= start < last and end > first
            first = first if first < start else start + len(new) if first < end or first == start else first + grown
            last = last if last <= start else start if last < end else last + grown
            after.append((first, max(first, last)))
        places = after
        text, _ = edited(moving, text, start, end, new)
        assert [each.range for each in moving.ranges] == [range_of(text, *place) for place in places]
        assert [each.edited for each in moving.ranges] == touched


@settings(max_examples=200, deadline=None)
@given(TEXT, SPAN, SPAN, TEXT)
def test_the_text_of_a_range_that_was_not_edited_is_the_same(
    text: str, span: tuple[int, int], replaced: tuple[int, int], new: str
) -> None:
    first, last = clamped(span, text)
    moving = MovingRanges([range_of(text, first, last)])
    after, changed = edited(moving, text, *clamped(replaced, text), new)
    (one,) = moving.ranges
    assert changed == one.edited
    assert one.edited or Document(after).text(one.range) == text[first:last]


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("ab\n\r"), max_size=30), st.text(st.sampled_from("ab\n\r"), max_size=30))
def test_the_difference_of_two_texts_is_an_edit_that_gives_the_second(old: str, new: str) -> None:
    replaced, text = replaced_lines(old, new)
    document = Document(old)
    document.edit(replaced, text)
    assert document.whole() == new


def test_lines_that_are_the_same_are_not_in_the_difference() -> None:
    assert replaced_lines("a\nb\nc\n", "a\nx\ny\nc\n") == (Range(1, 0, 2, 0), "x\ny\n")
    assert replaced_lines("a\nb", "a\nb") == (Range(0, 0, 0, 0), "")


def test_an_edit_far_away_costs_one_step_for_each_group() -> None:
    moving = MovingRanges(Range(line, 0, line, 4) for line in range(10_000))
    assert moving.edit(Range(0, 0, 0, 0), Position(1, 0)) is False
    assert [each.range.line for each in moving.ranges] == list(range(1, 10_001))
    assert len(moving._groups) < 200
