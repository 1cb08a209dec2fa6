"""Columns keep their value when they are converted to an editor's units and back, in every encoding."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_lsp.text.lines import Encoding, code_points, units

LINE = "a\u00e9\u20ac\U0001f600b"  # 1, 2, 3, 4 and 1 bytes; the fourth is two units of UTF-16


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [
        (Encoding.UTF8, [0, 1, 3, 6, 10, 11]),
        (Encoding.UTF16, [0, 1, 2, 3, 5, 6]),
        (Encoding.UTF32, [0, 1, 2, 3, 4, 5]),
    ],
)
def test_columns_in_code_points_and_units_are_converted(encoding: Encoding, columns: list[int]) -> None:
    assert [units(LINE, i, encoding) for i in range(6)] == columns
    assert [code_points(LINE, c, encoding) for c in columns] == list(range(6))


def test_a_column_inside_a_character_is_its_beginning() -> None:
    assert [code_points(LINE, c, Encoding.UTF8) for c in range(12)] == [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 5]
    assert [code_points(LINE, c, Encoding.UTF16) for c in range(7)] == [0, 1, 2, 3, 3, 4, 5]


@pytest.mark.parametrize("encoding", list(Encoding))
@pytest.mark.parametrize("line", ["", "abc", LINE])
def test_columns_beyond_the_line_are_its_ends(line: str, encoding: Encoding) -> None:
    end = units(line, len(line), encoding)
    assert units(line, -3, encoding) == 0
    assert units(line, len(line) + 5, encoding) == end
    assert code_points(line, -3, encoding) == 0
    assert code_points(line, end + 5, encoding) == len(line)


@given(st.text(st.characters(exclude_characters="\r\n"), max_size=30), st.sampled_from(list(Encoding)))
def test_round_trip(line: str, encoding: Encoding) -> None:
    for column in range(len(line) + 1):
        assert code_points(line, units(line, column, encoding), encoding) == column


@given(st.text(max_size=30), st.sampled_from(list(Encoding)))
def test_units_are_those_of_the_codec(line: str, encoding: Encoding) -> None:
    width = {Encoding.UTF8: 1, Encoding.UTF16: 2, Encoding.UTF32: 4}[encoding]
    codec = encoding.value if width == 1 else encoding.value + "-le"
    assert units(line, len(line), encoding) == len(line.encode(codec, "surrogatepass")) // width


def test_an_invalid_utf_8_byte_is_one_unit_of_utf_16() -> None:
    line = b"a\xffb".decode("utf-8", "surrogateescape")
    assert units(line, 2, Encoding.UTF16) == 2
    assert code_points(line, 2, Encoding.UTF16) == 2
