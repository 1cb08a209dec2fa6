"""The values of long tables are found piece by piece, and the pieces below an edit are those of before."""

import random

import pytest

from ptx_lsp.syntax import known_values
from ptx_lsp.syntax.known_values import Values, find_values, pieces, remember_values, values_in

PLAIN = ("7", "255", "-300", "0xFFFFFFFFFF", "0f3F800000", "2.5", "0d3FF0000000000000", "18446744073709551615")


def table(seed: int, lines: int) -> str:
    """The lines of a table, with values that differ from line to line."""
    choice = random.Random(seed)
    return "".join(", ".join(str(choice.randrange(256)) for _ in range(16)) + ",\n" for _ in range(lines))


@pytest.mark.parametrize("seed", range(40))
def test_values_are_found_as_one_search_finds_them(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choice = random.Random(seed)
    text = table(seed, choice.choice((20, 400, 900)))
    for _ in range(choice.randrange(4)):
        at = choice.randrange(len(text))
        text = text[:at] + choice.choice(("x", ";", "}", "// a\n", "\n", ",", "-", *PLAIN)) + text[at:]
    limit = choice.choice((len(text), choice.randrange(len(text))))
    found = find_values(text, 0, limit)
    monkeypatch.setattr(known_values, "_LONGEST", 1 << 60)
    known_values._end_of_pieces.cache_clear()
    assert found == find_values(text, 0, limit)


def test_a_line_without_a_comma_at_its_end_does_not_end_the_values() -> None:
    text = table(4, 300).replace(",\n", "\n, ")
    found = find_values(text, 0, len(text))
    assert found is not None
    assert text[found[1] :].strip() == ","


def test_the_pieces_of_a_run_are_all_its_values() -> None:
    text = table(1, 2_000)
    found = find_values(text, 0, len(text))
    assert found is not None
    begin, end = found
    parts = [*pieces(text, begin, end)]
    assert "".join(text[first:last] for first, last, _ in parts) == text[begin:end]
    assert sum(values.number for _, _, values in parts) == 16 * 2_000
    assert len(parts) > 10


def test_an_edit_changes_few_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    text = table(2, 4_000)
    find_values(text, 0, len(text))
    before, at = set(known_values._known), text.index("\n", len(text) // 2) + 1
    find_values(text[:at] + "1, " + text[at:], 0, len(text) + 3)
    find_values(text, at, len(text))  # as below a mistake
    assert len(set(known_values._known) - before) < 20


def test_values_that_were_looked_at_in_steps_are_known() -> None:
    text = table(3, 4_000)
    parts = [text[at : at + 30_000] for at in range(0, len(text), 30_000)]
    steps = sum(1 for _ in remember_values(iter((".global .b8 t[64000] = {\n", *parts))))
    before = set(known_values._known)
    find_values(text, 0, len(text))
    assert steps == len(parts) + 1
    assert len(set(known_values._known) - before) < 20


def test_lines_that_are_no_values_end_the_steps() -> None:
    parts = ["add.s32 %r1, %r2, %r3;\n" * 2_000] * 20
    assert sum(1 for _ in remember_values(iter(parts))) < 3


@pytest.mark.parametrize(
    ("text", "bits", "floats", "fit"),
    [
        ("255,\n-128,\n", 8, False, True),
        ("256,", 8, False, False),
        ("-129,", 8, False, False),
        ("0xFF,", 8, False, True),
        ("0x100,", 8, False, False),
        ("0f3F800000, 2.5,", 0, True, True),
        ("0f3F800000, 2,", 0, True, False),
        ("0f3F800000, 7,", 32, True, True),
        ("0f3F800000,", 32, False, False),
        ("18446744073709551615,", 64, False, True),
        ("18446744073709551616,", 64, False, False),
        ("-9223372036854775808,", 64, False, True),
    ],
)
def test_values_fit_if_the_type_holds_all(text: str, bits: int, floats: bool, fit: bool) -> None:
    values = values_in(text)
    assert isinstance(values, Values)
    assert values.fit(1 << bits if bits else 0, floats) is fit


@pytest.mark.parametrize("text", ["1, 2\n", "1, x,", "1; 2,", "// a\n1,", "1,, 2,", ""])
def test_other_text_is_no_piece(text: str) -> None:
    assert values_in(text) is None
