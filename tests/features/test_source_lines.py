"""Between PTX and its source: the place of a statement, and the lines of PTX of a line of the source."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.explanations import source_places
from ptx_lsp.explanations.source_places import SourcePlace, begins_of_parts, in_force_steps, of_location_steps
from ptx_lsp.features.source_lines import lines_of, source_files
from ptx_lsp.steps import result_of
from ptx_lsp.text.ranges import Position
from tests.analysed import analysed
from tests.features.modules import hover_at, marked
from tests.features.source_lines import TEXT


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("mov.b32 %r1", []),
        ("mov.b32 %r2", [SourcePlace("k.cu", 12, 5)]),
        ("mov.b32 %r3", [SourcePlace("k.cu", 12, 5)]),
        ("mov.b32 %r4", [SourcePlace("inc/half.cuh", 3, 7), SourcePlace("k.cu", 13, 5)]),
        ("mov.b32 %r5", [SourcePlace("k.cu", 12, 9)]),
    ],
)
def test_the_place_of_a_statement(statement: str, expected: list[SourcePlace]) -> None:
    module = analysed(TEXT)
    assert result_of(in_force_steps(module, line_of(module, statement))) == expected


def test_a_location_of_another_function_does_not_count() -> None:
    module = analysed(TEXT)
    assert result_of(in_force_steps(module, module.document.line_count - 3)) == []


def test_a_location_in_a_comment_does_not_count() -> None:
    given = "\t.loc 1 12 5\n"
    assert given in TEXT
    text = TEXT.replace(given, f'{given}/*\n\t.loc 1 77 7\n.file 7 "x.cu"\n*/', 1)
    module = analysed(text)
    assert result_of(in_force_steps(module, line_of(module, "mov.b32 %r2"))) == [SourcePlace("k.cu", 12, 5)]
    assert [each for some in lines_of(module, frozenset((1,)), 77) for each in some] == []
    assert [each for some in source_files(module) for each in some] == [(1, "k.cu"), (2, "inc/half.cuh")]


def line_of(module: Module, text: str) -> int:
    """The first line that holds a text."""
    return next(n for n in range(module.document.line_count) if text in module.document.line(n))


def test_the_place_that_a_location_names() -> None:
    module, position = marked(TEXT.replace(".loc 2 3", ".loc 2¦ 3"))
    assert result_of(of_location_steps(module, position)) == [SourcePlace("inc/half.cuh", 3, 7)]
    assert result_of(of_location_steps(module, Position(9, 3))) == []


def test_the_lines_of_a_line_of_the_source() -> None:
    module = analysed(TEXT)
    assert [each for some in source_files(module) for each in some] == [(1, "k.cu"), (2, "inc/half.cuh")]
    found = [tuple(each) for some in lines_of(module, frozenset((1,)), 12) for each in some]
    assert found == [(9, 10), (14, 15)]
    assert [tuple(each) for some in lines_of(module, frozenset((2,)), 3) for each in some] == [(12, 12)]
    assert [each for some in lines_of(module, frozenset((1,)), 99) for each in some] == []


def test_a_lone_return_ends_a_line() -> None:
    module = analysed(TEXT.replace("{\n", "{ // one\r// two\r\n", 1))
    assert "mov.b32 %r2" in module.document.line(10)
    assert [tuple(each) for some in lines_of(module, frozenset((1,)), 12) for each in some] == [(10, 11), (15, 16)]


def test_a_location_may_follow_a_lone_return() -> None:
    text = TEXT.replace("\n.file 2", "\r.file 2").replace("\n\t.loc 1 12", "\r\t.loc 1 12")
    assert text.count("\r") == 1 + TEXT.count("\t.loc 1 12")
    module = analysed(text)
    assert [each for some in source_files(module) for each in some] == [(1, "k.cu"), (2, "inc/half.cuh")]
    found = [tuple(each) for some in lines_of(module, frozenset((1,)), 12) for each in some]
    assert found == [(9, 10), (14, 15)]
    assert result_of(in_force_steps(module, 9)) == [SourcePlace("k.cu", 12, 5)]


def test_a_run_may_reach_over_chunks() -> None:
    body = "\t.loc 1 12 5\n" + "\tmov.b32 %r2, 1;\n" * 1_000 + "\tret;\n"
    module = analysed(TEXT[: TEXT.index("\tmov")] + body + "}\n")
    assert [tuple(each) for some in lines_of(module, frozenset((1,)), 12) for each in some] == [(8, 1_008)]


def test_the_hover_of_an_opcode_names_the_source() -> None:
    assert "- from k.cu:12:5" in hover_at(TEXT, "mov.b32 %r2")
    assert "- from inc/half.cuh:3:7\n- inlined at k.cu:13:5" in hover_at(TEXT, "mov.b32 %r4")
    assert "from" not in hover_at(TEXT, "mov.b32 %r1").splitlines()[-1]


def test_examples_without_locations_have_no_places() -> None:
    text = (Path(__file__).parents[2] / "examples" / "gaussian.ptx").read_text("utf-8")
    module = analysed(text)
    assert result_of(in_force_steps(module, module.document.line_count // 2)) == []


def long_text(rows: int) -> str:
    """The text with many other locations above and below those that are asked for."""
    above, other = TEXT.split("\t.loc 2 3 7")
    row = "\t.loc 1 {0} 3, function_name name, inlined_at 1 {1} 3\n\tmov.b32 %r1, {0};\n"
    return f"{above}{''.join(row.format(100 + n, 99 + n) for n in range(rows))}\t.loc 2 3 7{other}"


@pytest.mark.parametrize("rows", [10, 400])
def test_the_nearest_lines_are_searched_first(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    searched: list[int] = []

    def counted(text: str) -> Iterator[int]:
        for begin in begins_of_parts(text):
            searched.append(len(text) - begin)
            yield begin

    monkeypatch.setattr(source_places, "begins_of_parts", counted)
    module = analysed(long_text(rows))
    last = SourcePlace("k.cu", 100 + rows - 1, 3)
    assert result_of(in_force_steps(module, line_of(module, "mov.b32 %r4") - 2))[:2] == [
        last,
        SourcePlace("k.cu", last.line - 1, 3),
    ]
    assert max(searched) < 8_000  # of up to 25,000 characters


def test_parts_begin_with_lines_and_end_with_all() -> None:
    text = long_text(400)
    found = list(begins_of_parts(text))
    assert found == sorted(found, reverse=True)
    assert found[-1] == 0
    assert all(text[begin - 1] == "\n" for begin in found[:-1])
    assert len(found) > 1
