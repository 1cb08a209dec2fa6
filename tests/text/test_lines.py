"""Lines end at `\\n`, `\\r\\n` and `\\r`, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_lsp.text.lines import count_line_ends, line_starts, split_lines


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", [0]),
        ("a", [0]),
        ("a\n", [0, 2]),
        ("a\r\nb", [0, 3]),
        ("a\rb", [0, 2]),
        ("\r\r\n\n\r", [0, 1, 3, 4, 5]),
        ("a\x0b\x0c\x1c\x85\u2028b", [0]),
    ],
)
def test_line_starts(text: str, starts: list[int]) -> None:
    assert line_starts(text) == starts
    assert count_line_ends(text) == len(starts) - 1


@given(st.text(st.sampled_from("a\r\n\x0c\u2028"), max_size=60))
def test_every_line_is_the_text_between_two_starts(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert [len("".join(lines[:number])) for number in range(len(lines))] == line_starts(text)
    for line in lines[:-1]:
        assert line.endswith(("\r", "\n"))
        assert not line.rstrip("\r\n").count("\n")
    bare = [line.removesuffix("\n").removesuffix("\r") for line in lines]
    assert not any(c in line for line in bare for c in "\r\n")
    assert count_line_ends(text) == len(lines) - 1
