"""The edits of one message as few replacements: the result is that of the edits one by one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_lsp.text.document import Document
from ptx_lsp.text.joined_edits import NEAR, Replacement, SentEdit, joined, replacements
from ptx_lsp.text.lines import Encoding, LineIndex, units
from ptx_lsp.text.ranges import Range

TEXT = st.text(st.sampled_from("abé😀\n"), max_size=60) | st.text(st.sampled_from("ab\r\n"), max_size=60)
SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), TEXT), min_size=2, max_size=8)


def place(text: str, offset: int, encoding: Encoding) -> tuple[int, int]:
    """The line and the column, as a client counts it, of an offset in a text; one in a line end is before it."""
    line, column = Document(text).clamp(LineIndex(text).position(offset))
    return line, units(Document(text).line(line), column, encoding)


def one_by_one(text: str, edits: list[SentEdit], encoding: Encoding) -> str:
    """The text after the edits."""
    document = Document(text)
    for start, end, new in edits:
        document.edit(document.range(start, end, encoding), new)
    return document.whole()


def together(text: str, edits: list[SentEdit], encoding: Encoding) -> str | None:
    """The text after the joined edits; None if they must be made one by one."""
    document = Document(text)
    several = replacements(document, edits, encoding)
    if several is None:
        return None
    for range_, new in reversed(list(joined(document, several))):
        document.edit(range_, new)
    return document.whole()


@settings(max_examples=400, deadline=None)
@given(TEXT, SPANS, st.sampled_from(list(Encoding)), st.sampled_from(("upwards", "downwards", "anyhow")))
def test_joined_edits_have_the_result_of_the_edits(
    text: str, spans: list[tuple[int, int, str]], encoding: Encoding, direction: str
) -> None:
    offsets = sorted(min(each, len(text)) for span in spans for each in span[:2])
    ordered = list(zip(offsets[::2], offsets[1::2], (new for _, _, new in spans), strict=True))
    if direction == "upwards":
        edits = [SentEdit(place(text, a, encoding), place(text, b, encoding), new) for a, b, new in ordered[::-1]]
    elif direction == "downwards":
        edits, now, grown = [], text, 0
        for a, b, new in ordered:
            edits.append(SentEdit(place(now, a + grown, encoding), place(now, b + grown, encoding), new))
            now = now[: a + grown] + new + now[b + grown :]
            grown += len(new) - (b - a)
    else:
        edits = [SentEdit(place(text, a, encoding), place(text, b, encoding), new) for a, b, new in spans]
    found = together(text, edits, encoding)
    assert found in (None, one_by_one(text, edits, encoding))
    if direction != "anyhow" and "\r" not in text + "".join(new for _, _, new in spans):
        assert found is not None


LINES = "\n".join(f"line {number}" for number in range(100))


@pytest.mark.parametrize("step", [1, -1])
def test_edits_of_neighbours_are_one(step: int) -> None:
    edits = [SentEdit((line, 0), (line, 0), "// ") for line in range(10, 60)[::step]]
    document = Document(LINES)
    several = replacements(document, edits, Encoding.UTF16)
    assert several is not None
    assert len(several) == 50
    expected = "\n".join(f"// line {line}" for line in range(10, 60)).removesuffix("line 59")
    assert list(joined(document, several)) == [Replacement(Range(10, 0, 59, 0), expected)]


def test_edits_far_from_each_other_stay_alone() -> None:
    edits = [SentEdit((line, 0), (line, 4), "row") for line in (10, 11 + NEAR, 80)]
    document = Document(LINES)
    several = replacements(document, edits, Encoding.UTF16)
    assert several is not None
    assert list(joined(document, several)) == several


@pytest.mark.parametrize(
    "edits",
    [
        [SentEdit((5, 0), (5, 1), ""), SentEdit((9, 0), (9, 1), ""), SentEdit((3, 0), (3, 1), "")],
        [SentEdit((5, 0), (5, 99), ""), SentEdit((3, 0), (3, 1), "")],
        [SentEdit((100, 0), (100, 0), ""), SentEdit((3, 0), (3, 1), "")],
        [SentEdit((5, 3), (5, 1), ""), SentEdit((3, 0), (3, 1), "")],
        [SentEdit((5, 0), (5, 0), "a\r"), SentEdit((3, 0), (3, 1), "")],
        [SentEdit((5, 0), (5, 1), ""), SentEdit((-1, 0), (3, 1), "")],
    ],
    ids=["both directions", "no such column", "no such line", "end before start", "lone return", "negative line"],
)
def test_other_edits_are_made_one_by_one(edits: list[SentEdit]) -> None:
    assert replacements(Document(LINES), edits, Encoding.UTF16) is None
