"""Folding ranges: which ones there are, whole lines, the limit, and that they never overlap."""

from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.folding_range import COMMENT, REGION, Fold, folding_ranges
from ptx_lsp.outline.constructs import find_constructs
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Range
from tests.features.modules import in_body

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((*(ROOT / "examples").rglob("*.ptx"), *(ROOT / "tests" / "data").glob("*.ptx")))


def lines(text: str, most: int | None = None) -> list[tuple[int, int, str]]:
    """The ranges of whole lines: first and last line (from 0), and kind."""
    return [(fold.line, fold.end_line, fold.kind) for fold in folding_ranges(Module(text), True, most)]


KERNEL = """.visible .entry k(
\t.param .u64 a,
\t.param .u64 b
)
{
\tret;
\t{
\t\tret;
\t}
}
"""


def test_a_header_a_body_and_an_inner_scope_fold() -> None:
    assert lines(KERNEL) == [(0, 3, ""), (4, 8, ""), (6, 7, "")]
    assert folding_ranges(Module(KERNEL)) == [Fold(0, 3), Fold(4, 9, 1, 0), Fold(6, 8, 2, 1)]


def test_a_body_on_the_last_line_of_its_header_does_not_overlap_it() -> None:
    assert lines(KERNEL.replace(")\n{", ") {")) == [(0, 2, ""), (3, 7, ""), (5, 6, "")]


def test_comments_fold() -> None:
    assert lines("// a\n  // b\n\n// alone\n/* c\n d */\n.func f; // e\n// f\n") == [(0, 1, COMMENT), (4, 5, COMMENT)]


def test_a_comment_over_many_chunks_folds() -> None:
    inside = "text { // \n" * 2000
    assert lines(f"/*\n{inside}*/\n.func f;\n") == [(0, 2001, COMMENT)]
    run = "// text {\n" * 2000
    assert lines(f".func f;\n{run}.func g;\n") == [(1, 2000, COMMENT)]


def test_inline_assembly_folds_as_a_region() -> None:
    assembly = "\t// begin inline asm\n\tadd.s32 a, b, c;\n\t// end inline asm\n"
    text = f".func f() {{\n{assembly}{assembly}}}"
    assert lines(text) == [(0, 6, ""), (1, 3, REGION), (4, 6, REGION)]


def test_comments_between_inline_assembly_fold_alone() -> None:
    begin, end = "\t// begin inline asm\n", "\t// end inline asm\n"
    text = f"// a\n// b\n{begin}{end}{begin}// c\n // d\n{end}"
    assert lines(text) == [(0, 1, COMMENT), (2, 3, REGION), (4, 7, REGION), (5, 6, COMMENT)]
    assert find_constructs(Document(text)).assembly == [Range(2, 1, 3, 18), Range(4, 1, 7, 18)]


def test_sections_runs_of_loc_and_data_fold() -> None:
    text = (
        ".section .debug_str\n{\nname:\n.b8 1\n}\n"
        ".func f() {\n\t.loc 1 2 3\n\t.loc 1 3 4\n\t.loc 1 4 5\n\tret;\n\t.loc 1 5 6\n}\n"
        ".global .u32 t[4] = {\n1, 2,\n3, 4\n};\n"
    )
    assert lines(text) == [(1, 3, ""), (5, 10, ""), (6, 8, ""), (12, 14, "")]


def test_operands_over_several_lines_fold() -> None:
    assert lines(".func f() {\n\tmma.x {a,\n\t\tb,\n\t\tc},\n\t\td;\n}\n") == [(0, 4, ""), (1, 2, "")]


def test_the_longest_ranges_are_kept() -> None:
    assert lines(KERNEL, 2) == [(0, 3, ""), (4, 8, "")]
    assert lines(KERNEL, 0) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_ranges_of_whole_lines_are_nested_or_apart(path: Path) -> None:
    text = path.read_text("utf-8")
    for broken in (text, text.replace("}", "", 3), text.replace("{", "", 3), text[: len(text) // 2]):
        found = lines(broken)
        assert found or "{\n" not in broken
        around: list[tuple[int, int, str]] = []
        for fold in found:
            while around and around[-1][1] < fold[0]:
                around.pop()
            assert 0 <= fold[0] < fold[1] <= broken.count("\n")
            assert not around or (around[-1][0] < fold[0] and fold[1] <= around[-1][1])
            around.append(fold)


def test_a_run_of_locations_is_one_fold_wherever_the_text_is_divided() -> None:
    lines = [f"\t.loc 1 {n} 5\n" for n in range(1, 6)]
    for above in range(100, 140):
        text = in_body("\tadd.s32 %r1, %r2, 3;\n" * above + "".join(lines) + "\tadd.s32 %r1, %r2, 3;\n\t.loc 1 9 9\n")
        runs = find_constructs(Document(text)).locations
        first = text[: text.index(".loc")].count("\n")
        assert [(run.line, run.end_line) for run in runs] == [(first, first + 4)], above
