"""The rows of a section are the same whether its text is known at once, grows, or was looked up before."""

import random

import pytest

from ptx_lsp.memo import forget_all
from ptx_lsp.syntax import section_rows
from ptx_lsp.syntax.section_rows import SectionRows, remember_rows, rows_below, rows_of
from tests.calls import noted_calls

HEAD = "\t.section\t.debug_str\n\t{\n"
ROW = ".b8 " + ",".join(["95"] * 40) + "\n"


def section(labels: int, rows: int) -> str:
    return HEAD + "".join(f"$L__info_string{n}:\n{ROW * rows}" for n in range(labels)) + '\t}\n.file 1 "a.cu"\n'


@pytest.mark.parametrize("wrong", [None, "", "x\n", "$L__more:\n", ".b8 256\n", "// { a comment: }\n", ".b8 1 }\n"])
def test_the_rows_end_and_have_labels_as_a_plain_count_says(wrong: str | None) -> None:
    chance = random.Random(3)
    for tried in range(30):
        text = section(chance.randrange(60), chance.randrange(6))
        if wrong is not None:
            at = text.find("\n", chance.randrange(len(HEAD), len(text) - 25)) + 1
            text = text[:at] + wrong + text[at:]
        expected = len(HEAD)
        for line in text[len(HEAD) :].splitlines(keepends=True):
            if not (line.startswith(("$L", "//")) or line in (ROW, "")):
                break
            expected += len(line)
        labels = [line.split(":")[0] for line in text[:expected].splitlines() if line.startswith("$")]
        if tried % 3 == 0:
            forget_all()
        rows = rows_of(text, 0)
        assert rows is not None
        assert (rows.end, rows.labels(text)) == (expected, labels)
        first = text.find("\n", chance.randrange(len(HEAD), len(text))) + 1 or len(text)
        grown = SectionRows(text[:first], len(HEAD))
        assert grown.end == min(first, expected)
        grown.look(text)
        assert (grown.end, grown.labels(text)) == (expected, labels)


@pytest.mark.parametrize("size", [100, 5_000, 1_000_000])
@pytest.mark.parametrize("wrong", ["", "x\n", ".b8 256\n"])
def test_what_was_looked_at_is_found_again(wrong: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f".b8 {number % 256}, {number % 251}\n" for number in range(5_000))
    text = f"{HEAD}{rows}{wrong}{rows}}}\n{HEAD}{rows}}}\n"
    forget_all()
    steps = list(remember_rows(text[at : at + size] for at in range(0, len(text), size)))
    assert len(steps) == -(-len(text) // size) or wrong
    pieces = noted_calls(monkeypatch, section_rows, "_are_rows")
    for head in (0, text.index(HEAD, 1)):
        first = rows_of(text, head)
        assert first is not None
        parts = [first]
        while (below := rows_below(text, parts)) is not None:
            parts.append(below)
    assert len(pieces) <= 3  # the ends of three runs of rows


def test_other_text_has_no_rows() -> None:
    assert rows_of("\t.section .x { .b8 1 }\n", 0) is None
    assert rows_of(".file 1\n", 0) is None
