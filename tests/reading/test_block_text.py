"""The text of a block: the lines and marks of its offsets, before and after it was split, and while it grows."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from ptx_lsp.reading.block import Block, BlockText

TEXTS = st.text("a\n\r", max_size=8)
OFFSETS = st.integers(0, 24)


def place(text: str, offset: int) -> tuple[int, int]:
    """The line and column of an offset, counted in the text above it."""
    ends = [end.end() for end in re.finditer(r"\r\n|\r|\n", text) if end.end() <= offset]
    return len(ends), offset - (ends[-1] if ends else 0)


@given(st.lists(TEXTS, min_size=1, max_size=3), st.lists(st.tuples(OFFSETS, OFFSETS, st.booleans()), max_size=6))
@example(["a\n", "\ra"], [(0, 1, False), (4, 4, False)])
def test_lines_and_marks_are_those_of_the_offsets(parts: list[str], asked: list[tuple[int, int, bool]]) -> None:
    block = Block(1, 1)
    source, text = BlockText(parts[0], block), parts[0]
    for number, (one, other, splits) in enumerate(asked):
        if 0 < number < len(parts):
            source.grow(parts[number])
            text += parts[number]
        if splits:
            assert source.lines == text.split("\n")
            assert source.starts == sorted({0, *(end.end() for end in re.finditer(r"\r\n|\r|\n", text))})
        start, end = sorted((min(one, len(text)), min(other, len(text))))
        assert source.line_at(start) == place(text, start)[0]
        assert source.mark(start, end).range == (*place(text, start), *place(text, end))
        assert source.mark(start, end).holder is block


@given(st.text("a\n", max_size=8), OFFSETS)
def test_a_line_begins_after_each_line_end(text: str, offset: int) -> None:
    at = min(offset, len(text))
    assert BlockText(text, Block(1, 1)).begins_line(at) == (place(text, at)[1] == 0)


def test_the_text_is_not_split_for_offsets_in_ascending_order() -> None:
    text = "one;\ntwo;\nthree;\n"
    source = BlockText(text, Block(1, 3))
    marks = [source.mark(text.index(word), text.index(word) + len(word)) for word in ("one", "two", "three")]
    assert [mark.range[:2] for mark in marks] == [(0, 0), (1, 0), (2, 0)]
    assert source.mark(text.index("three"), len(text)).range == (2, 0, 3, 0)
    assert source._starts is None
    assert source._lines is None


def test_a_line_that_is_noted_is_counted_from_there() -> None:
    text = "one;\ntwo;\nthree;\n"
    source = BlockText(text, Block(1, 3))
    source.note_line(text.index("two"), 1)
    assert source.line_at(text.index("three")) == 2
    assert source.line_at(text.index("one")) == 0  # above it, the lines are split
    source.note_line(len(text), 3)
    assert source.line_at(text.index("two")) == 1
