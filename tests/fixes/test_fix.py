"""Making edits in a text."""

from hypothesis import given
from hypothesis import strategies as st

from ptx_lsp.fixes.fix import Edit, apply_edits, insertion
from ptx_lsp.text.ranges import Range


def test_edits_are_made_in_the_positions_before_them() -> None:
    edits = [Edit(Range(1, 0, 1, 3), "xy"), Edit(Range(0, 1, 0, 1), "--"), insertion(Range(2, 0, 2, 1), "!")]
    assert apply_edits("abc\r\ndef\rg", edits) == "a--bc\r\nxy\rg!"


def test_of_two_that_overlap_the_first_is_made() -> None:
    assert apply_edits("abcdef", [Edit(Range(0, 2, 0, 5), "-"), Edit(Range(0, 1, 0, 3), "+")]) == "a+def"


def test_two_insertions_at_one_place_keep_their_order() -> None:
    place = Range(0, 0, 0, 1)
    assert apply_edits("ab", [insertion(place, "1"), insertion(place, "2")]) == "a12b"


@given(st.text(alphabet="ab\n"), st.text(alphabet="xy", max_size=3), st.data())
def test_one_edit_is_a_slice(text: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    before, upto = text[:start], text[:end]
    place = Range(before.count("\n"), start - before.rfind("\n") - 1, upto.count("\n"), end - upto.rfind("\n") - 1)
    assert apply_edits(text, [Edit(place, new)]) == text[:start] + new + text[end:]
