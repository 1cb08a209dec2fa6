"""Statements, comments and names that reach from one block into the next, before and after an edit."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.text.document import LINES_PER_CHUNK, Document
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.analysis.incremental import apply, disagreement
from tests.analysis.random_edits import Step, insert

HEAD = (
    ".version 9.4\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %r<9>;\n\t.reg .pred %p<3>;\n"
)
FIRST = HEAD.count("\n")  # the first line of the body
PLAIN = "\tadd.s32 %r1, %r2, 3;\n"
LONG = 2 * LINES_PER_CHUNK
TAIL = "\tret;\n}\n"
END = Document(HEAD + PLAIN * 2 * LONG).chunk_line_ends(0)  # the number of lines of the first block of plain lines


def removal(line: int, work: str = "all") -> Step:
    """The removal of a line, as a step."""
    return Step(Range(line, 0, line + 1, 0), "", work)


COMMENT = "// words that say nothing, and more of them\n" * LONG
BRANCH = HEAD + "\tbra L;\n" + PLAIN * LONG + "L:\n" + TAIL
TWO_LABELS = HEAD + PLAIN * 3 + "L:\n" + PLAIN * LONG + "L:\n" + TAIL
SINGLE = HEAD + "\t.reg .b32 %a;\n" + PLAIN * LONG + "\tmov.b32 %a, 1;\n" + PLAIN * LONG + "\t.reg .b32 %z;\n" + TAIL
BROKEN = PLAIN * (END - FIRST - 1) + "\tadd.s32 [%r1 x: ~ %r3;\n" + PLAIN * LONG

VARIABLES = "".join(f".global .b32 g{n};\n" for n in range(LONG))
USES = "".join(f"\tst.global.u32 [g{n}], %r1;\n" for n in range(LONG))
LOWER, *UPPER = HEAD.split(".visible")
GLOBALS = LOWER + VARIABLES + ".visible" + "".join(UPPER) + USES + TAIL

CASES: dict[str, tuple[str, list[Step]]] = {
    "a long comment after an unfinished statement": (
        HEAD + PLAIN + "\tadd.s32 %r1, %r2\n" + COMMENT + "\t, %r3;\n" + PLAIN * LONG + TAIL,
        [insert(FIRST, 1, "x"), insert(FIRST + LONG, 0, "\n", "block")],
    ),
    "a long comment after a label": (
        HEAD + "L:\n" + COMMENT + "\t.branchtargets M;\nM:\n" + PLAIN * LONG + TAIL,
        [insert(FIRST, 0, "\n"), insert(FIRST + 2, 0, " ")],
    ),
    "a list and other statements after a label in the last line of a block": (
        HEAD + PLAIN * (END - FIRST - 1) + "L:\n" + PLAIN * LONG + "M:\n" + TAIL,
        [insert(END, 0, "\t.branchtargets M;\n"), removal(END), insert(END, 0, "M1:\n"), insert(END + 1, 0, ".c")],
    ),
    "a label that is removed, far below its branch": (BRANCH, [removal(FIRST + 1 + LONG)]),
    "a label that is removed, far above its branch": (
        HEAD + "L:\n" + PLAIN * LONG + "\tbra L;\n" + TAIL,
        [removal(FIRST)],
    ),
    "an edit above the second label of a name": (TWO_LABELS, [insert(FIRST, 3, " ")]),
    "the second label of a name comes": (TWO_LABELS.replace("L:\n", "", 1), [insert(FIRST, 0, "L:\n")]),
    "the first label of a name is removed": (TWO_LABELS, [removal(FIRST + 3)]),
    "two edits, and names below": (SINGLE, [removal(FIRST, "nothing"), insert(FIRST + 2 * LONG, 0, "\n")]),
    "a line that is reported once, at the end of a block": (
        HEAD + BROKEN + TAIL,
        [insert(FIRST + 3, 0, "\n"), removal(FIRST + 3), insert(END - 2, 2, "x"), insert(END - 1, 2, "y")],
    ),
    "edits above and below, and the lower one read first": (
        GLOBALS,
        [insert(4, 3, "(", "block"), insert(2 * LONG, 0, "L:", "all"), Step(Range(4, 3, 4, 4), "", "all")],
    ),
    "lines joined above, and an edit below": (
        GLOBALS,
        [Step(Range(4, 3, 7, 3), "(", "block"), insert(2 * LONG, 0, "L:", "all")],
    ),
    "a statement after the end of a function is removed": (
        HEAD + "\tbra M;\n" + PLAIN * (END - FIRST - 2) + "}\n.reg .pred %q;\n.global .b32 g;\n" * LONG,
        [Step(Range(END, 0, END, 4), "", "all"), insert(END, 0, ".reg")],
    ),
    "a variable moves below its uses": (
        GLOBALS,
        [
            Step(Range(FIRST, 0, FIRST + 1, 0), "", "nothing"),
            insert(2 * LONG + 20, 0, f".global .b32 g{FIRST - 3};\n", "all"),
        ],
    ),
    "a string at the end of a block that ends in a semicolon": (
        HEAD + PLAIN * (END - FIRST - 1) + '\tbar"sync 0;\n;\n' + PLAIN * LONG + TAIL,
        [insert(FIRST + 2, 0, " "), insert(FIRST + LONG, 0, "\n")],
    ),
    "a register read in a block comment first": (
        HEAD
        + PLAIN
        + "/*\n"
        + PLAIN
        + "\tadd.s32 %r1, %r7, 1;\n*/\n"
        + PLAIN * LONG
        + "\tadd.s32 %r1, %r7, 1;\n"
        + TAIL,
        [insert(FIRST, 1, " "), insert(FIRST + 9, 0, "/*"), insert(FIRST + LONG, 0, "*/")],
    ),
    "a register read in a comment first": (
        HEAD + PLAIN * 3 + "// %r7\n" + PLAIN * LONG + "\tadd.s32 %r1, %r7, %r2;\n" + TAIL,
        [insert(FIRST, 3, " "), insert(FIRST + LONG, 0, "// %r7\n")],
    ),
}


@pytest.mark.parametrize("fresh_lines", [None, -1])
@pytest.mark.parametrize("name", CASES)
def test_incremental_is_full(name: str, fresh_lines: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a file that is so large that no fresh analysis follows an edit."""
    text, steps = CASES[name]
    module = analysed(text)
    if fresh_lines is not None:
        monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", fresh_lines)
    for step in steps:
        apply(module, step)
        assert disagreement(module) is None


def codes(body: str) -> list[str]:
    """The codes of the findings in a body."""
    module = analysed(HEAD + body + TAIL)
    return [f.code for f in module.findings()]


@pytest.mark.parametrize("target", ["L%r", "%", "$", "_", "L", "%r1%p1"])
def test_a_branch_means_the_same_in_every_line(target: str) -> None:
    assert codes(f"\tbra {target};\n") == codes(f"\tret; bra {target};\n")


def test_a_statement_may_end_after_a_comment() -> None:
    assert codes("\tadd.s32 %r1, %r2\n" + COMMENT + "\t, %r3;\n") == codes("\tadd.s32 %r1, %r2\n\t, %r3;\n")


@pytest.mark.parametrize("between", ["", "// a comment\n", "/* a\ncomment */\n", "\n", COMMENT])
def test_the_list_of_a_label_may_follow_a_comment(between: str) -> None:
    body = f"L:\n{between}\t.branchtargets M;\nM:\n\tbrx.idx %r1, L;\n"
    assert codes(body) == codes(body.replace("L:\n" + between, "L: "))


@pytest.mark.parametrize("between", ["", "// a comment\n", "/* a\ncomment */\n", "\n"])
def test_the_rest_of_a_position_may_follow_a_comment(between: str) -> None:
    parts = "\t.loc 1 2 3", ", function_name F, inlined_at 1 2 3\nF:\n"
    assert codes(parts[0] + "\n" + between + parts[1]) == codes("".join(parts))


@pytest.mark.parametrize("tail", ["\r, 0\n", "\r\r{ 7\n", "\rx\r\n", "\r", "\rx"])
def test_a_line_comment_continues_after_a_lone_return(tail: str) -> None:
    """Observed: ptxas 13.5 ends a comment at a line feed only."""
    for lines in range(END - FIRST - 3, END - FIRST + 1):
        text = HEAD + PLAIN * lines + TAIL + PLAIN.replace("\tadd", "// add").rstrip() + tail
        below = "\n// more\n" * LONG if tail.endswith("\n") else ""
        module = analysed(text + below)
        assert [f.code for f in module.findings()] == codes(PLAIN)


def test_the_rest_of_a_line_is_reported_once_wherever_blocks_end() -> None:
    line = "\tld.global.b32 %r1, [%rd1 x:+48];\n"
    for lines in range(END - FIRST - 3, END - FIRST + 3):
        assert codes(PLAIN * lines + line + PLAIN * LONG) == codes(PLAIN + line + PLAIN)


@pytest.mark.parametrize("lines", [3, 60, 700, 7000])
def test_functions_are_in_one_block_when_a_text_is_read_at_once(lines: int) -> None:
    body = "\t.reg .b32 %r<9>;\n" + "".join(f"\tadd.s32 %r{n % 9}, %r1, {n};\n" for n in range(lines))
    count = 40_000 // lines
    module = analysed(LOWER + "".join(f".func f{n}()\n{{\n{body}\tret;\n}}\n" for n in range(count)))
    parts = [part for block in module.block_map.blocks for part in block.parts]
    assert len({part.body for part in parts}) == count
    # a function may begin in the first block, which is short, and end below
    assert len({part.body for part in parts if part.stop is None}) <= 1


def test_labels_are_read_in_as_many_blocks_as_other_lines() -> None:
    lines = 20 * LONG
    module = Module(HEAD + "".join(f"L{n}:\n" for n in range(lines)) + TAIL)
    while not module.work(0):
        pass
    assert len(module.block_map.blocks) > 10
