"""Text after the closing brace of a function: statements of the function, or declarations that belong inside one."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Severity
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.reader import read as read_block
from ptx_lsp.reading.state import Below
from ptx_lsp.text.ranges import Position, Range
from tests.analysis.first_news import lines_read, shown, shown_first
from tests.analysis.incremental import disagreement
from tests.analysis.random_edits import SMALL_SIZES, chunk_sizes
from tests.oracle.assembler import Assembler, needs_assembler

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .u32 a)\n{\n"
MISPLACED = ".reg .b32 %r<4>;\n.param .b32 p;\n.loc 1 1 1\n"
NEXT = ".entry l()\n{\n\tmov.b32 %r1, 1;\n\tst.param.b32 [p], %r1;\n\tld.param.b32 %r2, [p];\n\tret;\n}\n"


def errors(module: Module) -> list[tuple[str, int]]:
    """The code and line (from 0) of each error, in the order of the text."""
    module.work()
    found = [f for f in module.findings() if f.severity is Severity.ERROR]
    return [(f.code, f.range.line) for f in sorted(found, key=lambda f: f.range)]


AT_THEMSELVES = [("declaration-space", 7), ("declaration-space", 8), ("misplaced-directive", 9)]


def test_declarations_after_a_finished_function_are_reported_at_themselves_and_their_names_are_known() -> None:
    assert errors(Module(HEAD + "\tret;\n}\n" + MISPLACED + NEXT)) == AT_THEMSELVES


@needs_assembler
@pytest.mark.parametrize("number", range(3))
def test_ptxas_reports_them_in_the_same_lines(number: int) -> None:
    line = MISPLACED.splitlines(keepends=True)[number]
    text = HEAD + "\tret;\n}\n" + line + ".entry l()\n{\n\tret;\n}\n"
    assert {m.line - 1 for m in Assembler().module(text).messages if m.line} == {7}
    assert errors(Module(text)) == [(AT_THEMSELVES[number][0], 7)]


@pytest.mark.parametrize("statement", ["\tmov.b32 %r1, 1;\n", "$done:\n", "{\n}\n"])
def test_if_statements_of_the_function_follow_the_brace_is_the_one_mistake(statement: str) -> None:
    assert errors(Module(HEAD + "}\n" + MISPLACED + statement + "\tret;\n}\n")) == [("early-brace", 5)]


def test_an_edit_far_below_decides_what_is_reported() -> None:
    module = Module(HEAD + "\tret;\n}\n" + MISPLACED + "// nothing here\n" * 500 + NEXT)
    assert errors(module) == AT_THEMSELVES
    module.edit(Range(400, 0, 400, 0), "\tmov.b32 %r1, 1;\n}\n")
    assert errors(module) == [("early-brace", 6)]
    assert disagreement(module) is None
    module.edit(Range(400, 0, 402, 0), "")
    assert errors(module) == AT_THEMSELVES
    assert disagreement(module) is None


def test_a_brace_that_ends_no_function_any_more_is_not_early_before_the_rest_has_been_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    adds = "\t.reg .b32 %r<4>;\n" + "\tadd.u32 %r1, %r2, %r3;\n" * 200
    module = Module(HEAD + adds + "{\n\tret;\n}\n" + adds * 20 + "\tret;\n}\n")
    line = HEAD.count("\n") + adds.count("\n") + 1
    module.work()
    module.edit(Range(line, 0, line, 0), "}")
    while not module.work(0.0):
        pass
    assert "early-brace" in [f.code for f in module.findings()]
    read: list[int] = []

    def watched(reader: BlockReader, below: Below) -> None:
        read_block(reader, below)
        read.append(reader.block.lines)

    monkeypatch.setattr("ptx_lsp.analysis.incremental.read", watched)
    module.edit(Range(line, 0, line, 1), "")
    while "early-brace" in [f.code for f in module.findings()]:
        module.work(0.0)
    assert sum(read) < 1000
    while not module.work(0.0):
        pass
    assert sum(read) > 3000
    assert disagreement(module) is None


def test_a_brace_opens_the_last_body_before_it_also_if_a_function_around_it_continues_below() -> None:
    text = HEAD + "\tbar.sync 0;\n.entry inner()\n{\n\tret;\n}\n\tbar.sync 0;\n}\n"
    module = Module(text)
    module.work()
    for line in (number for number, each in enumerate(text.split("\n")) if each == "{"):
        body = module.last_body_before(Position(line, 1))
        assert body is not None
        assert body.opening.resolved().line == line


def test_the_last_body_before_a_line_does_not_depend_on_the_blocks() -> None:
    above = HEAD + "\tbar.sync 0;\n.entry inner()\n{\n"
    with chunk_sizes(SMALL_SIZES[0]):
        module = Module(above + "\tret;\n}\n" + "\tbar.sync 0;\n" * 40 + "}\n")
        module.work()
    for line in (above.count("\n"), module.document.line_count - 3):
        body = module.last_body_before(Position(line, 1))
        assert body is not None
        assert body.opening.resolved().line == above.count("\n") - 1


def test_the_lines_between_a_brace_and_the_end_of_its_function_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = "\t{\n\t.reg .b32 %inner;\n" + "\tadd.s32 %inner, %inner, 1;\n" * 60 + "\t}\n"
    around = "\t.reg .b32 %r<2>;\n" + "\tmov.b32 %r1, 1;\n" * 200
    text = HEAD + around + inner + "\tmov.b32 %r1, 1;\n" * 200 + "\tret;\n}\n"
    module = Module(text)
    assert module.work()
    line = text.split("\n").index("\t.reg .b32 %inner;") + 1
    lengths = lines_read(monkeypatch, "incremental", "foreseen.edited_piece")
    module.edit(Range(line, 0, line, 0), "}")
    first = shown_first(module)
    assert [code for code, _ in first] == ["early-brace"]
    assert sum(lengths) < 10
    assert module.work()
    assert first <= shown(module)
