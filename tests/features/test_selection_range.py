"""Selection ranges: each step from a token to the document, in order and strictly growing."""

from itertools import pairwise
from pathlib import Path

import pytest

from ptx_lsp.analysis import module as analysis_of_module
from ptx_lsp.analysis.module import Module
from ptx_lsp.features.selection_range import MOST_NESTED, selection_steps
from ptx_lsp.steps import result_of
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed
from tests.features.modules import marked

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((*(ROOT / "examples").rglob("*.ptx"), *(ROOT / "tests" / "data").glob("*.ptx")))


def selected(text: str) -> list[str]:
    """The texts that are selected one after the other at the cursor."""
    module, position = marked(text)
    return [module.document.text(each) for each in selection_ranges(module, position)]


def selection_ranges(module: Module, position: Position) -> list[Range]:
    """The ranges around one position."""
    return result_of(selection_steps(module, (position,)))[0]


def test_an_address_grows_to_the_document() -> None:
    text = (
        ".version 8.4\n.target sm_90\n.entry k(.param .u64 p)\n{\n\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<9>;\n"
        "top:\n\t{\n\t@%p1 ld.global.v2.b32 {%r1, %r2}, [%r¦d1+8];\n\t}\n\tret;\n}\n"
    )
    found = selected(text)
    body = text.replace("¦", "")[text.index("{") :].rstrip("\n")
    statement = "@%p1 ld.global.v2.b32 {%r1, %r2}, [%rd1+8];"
    assert found == [
        "%rd1",
        "%rd1+8",
        "[%rd1+8]",
        "{%r1, %r2}, [%rd1+8]",
        statement,
        f"\n\t{statement}\n\t",
        f"{{\n\t{statement}\n\t}}",
        f"top:\n\t{{\n\t{statement}\n\t}}\n\tret;",
        body[1:-1],
        body,
        ".entry k(.param .u64 p)\n" + body,
        text.replace("¦", ""),
    ]


def test_the_elements_of_a_vector_are_selected_one_by_one() -> None:
    found = selected(".func f()\n{\n\tmov.b64 {%r1, %¦r2}, %rd1;\n}\n")
    assert found[:4] == ["%r2", "{%r1, %r2}", "{%r1, %r2}, %rd1", "mov.b64 {%r1, %r2}, %rd1;"]


def test_a_modifier_grows_to_its_opcode() -> None:
    assert selected(".func f()\n{\n\tld.glo¦bal.u32 %r1, [a];\n}\n")[:3] == [
        ".global",
        "ld.global.u32",
        "ld.global.u32 %r1, [a];",
    ]


def test_a_parenthesis_grows_to_its_expression() -> None:
    assert selected(".func f()\n{\n\tmov.u32 %r1, (1 + ¦2) * 3;\n}\n")[:4] == ["2", "1 + 2", "(1 + 2)", "(1 + 2) * 3"]


def test_a_parameter_grows_to_its_function() -> None:
    text = ".func f(.param .u32 ¦a, .param .u32 b)\n{\n\tret;\n}\n"
    assert selected(text)[:2] == ["a", ".param .u32 a"]
    assert selected(text)[-2] == text.replace("¦", "").rstrip("\n")


def test_a_comment_grows_to_its_lines() -> None:
    assert selected("// one ¦two\n// three\n.func f;\n")[:3] == ["two", "// one two", "// one two\n// three"]


def test_the_block_before_the_first_label_is_selected() -> None:
    found = selected(".func f()\n{\n\tadd.s32 a, ¦b, c;\n\tret;\nend:\n\tret;\n}\n")
    assert "\tadd.s32 a, b, c;\n\tret;" in found


def test_an_empty_document_has_one_range() -> None:
    assert selection_ranges(Module(""), Position(0, 0)) == [Range(0, 0, 0, 0)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_range_is_contained_in_the_next_one_and_is_shorter(path: Path) -> None:
    module = analysed(path.read_text("utf-8"))
    for line in range(0, module.document.line_count, 5):
        length = len(module.document.line(line))
        for column in {0, length // 3, length // 2, length}:
            position = Position(line, column)
            chain = selection_ranges(module, position)
            assert chain[-1] == Range(0, 0, *module.document.end())
            assert all(each.contains(position) for each in chain)
            for inner, outer in pairwise(chain):
                assert outer.start <= inner.start
                assert inner.end <= outer.end
                assert inner != outer


def test_clients_can_read_the_answer_of_deep_braces() -> None:
    module = analysed(".version 8.0\n.target sm_90\n.entry k()\n" + "{" * 3_000)
    found = selection_ranges(module, Position(3, 2_990))
    assert len(found) == MOST_NESTED
    assert found[-1] == Range(0, 0, 3, 3_000)
    assert found[0].contains(Position(3, 2_990))


@pytest.mark.parametrize("before", ["", ".", ".reg .b", "add.s32 %r1, "])
@pytest.mark.parametrize("line", [9, 12, 20])
def test_the_ranges_in_an_open_comment_do_not_depend_on_the_blocks(
    line: int, before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis_of_module, "FRESH_LINES", 0)
    text = ".version 8.0\n.target sm_90\n.entry k()\n{\n" + "\tret;\n" * 3 + before + "/*" + "\tret;\n" * 400
    fresh, module = Module(text), Module(text)
    fresh.work()
    module.work()
    for range_, new in ((Range(line, 0, line, 0), "*/"), (Range(line, 0, line, 2), "")):
        module.edit(range_, new)
        module.work()
    # a statement of a dot alone reaches to the end of the text, and so does its block
    assert (len(module.block_map.blocks) > len(fresh.block_map.blocks)) is (before != ".")
    for position in (Position(8, 3), Position(7, 0)):
        assert selection_ranges(module, position) == selection_ranges(fresh, position)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_many_positions_have_the_ranges_of_each_one(path: Path) -> None:
    module = analysed(path.read_text(encoding="utf-8"))
    positions = [Position(line, line % 7) for line in range(0, module.document.line_count, 5)]
    assert result_of(selection_steps(module, positions)) == [selection_ranges(module, each) for each in positions]
