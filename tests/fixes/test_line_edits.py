"""What changed between two texts, as edits of lines."""

from hypothesis import given
from hypothesis import strategies as st

from ptx_lsp.fixes.fix import apply_edits
from ptx_lsp.fixes.line_edits import line_edits

TEXTS = st.text(alphabet="ab\n\r", max_size=30)


@given(TEXTS, TEXTS)
def test_the_edits_make_the_new_text(old: str, new: str) -> None:
    assert apply_edits(old, line_edits(old, new)) == new


def test_lines_that_stay_are_not_touched() -> None:
    (edit,) = line_edits("a\nb\nc\n", "a\nx\nc\n")
    assert (edit.range.line, edit.range.end_line, edit.text) == (1, 2, "x\n")
