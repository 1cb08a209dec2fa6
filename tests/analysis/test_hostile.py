"""Slow and deep texts: nothing raises, every range is inside the text, and the work grows linearly with the text."""

from dataclasses import dataclass

import pytest

from benchmarks.hostile import ENTRY, PATTERNS, text_of
from ptx_lsp.quick import line_runs
from ptx_lsp.reading import parsed_statements
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.parsed_statements import apply_statement as take
from ptx_lsp.syntax import partial_cursor
from ptx_lsp.syntax.lexer import Cursor
from ptx_lsp.syntax.plain_text import LINE
from ptx_lsp.syntax.tree import Statement
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.analysis.fuzz import bad_findings
from tests.analysis.incremental import disagreement

pytestmark = pytest.mark.slow

SMALL, TIMES = 6000, 3  # both longer than a chunk
SLACK = 1.5  # blocks begin elsewhere
CONSTANT = 600
DEEPEST = 1664  # the most open braces, with that of the function, that ptxas reads (observed: ptxas 13.5)
NESTED = DEEPEST - 1


@dataclass(slots=True)
class Work:
    """The amount of work: the tokens, lines and statements that were read."""

    tokens: int = 0
    statements: int = 0
    lines: int = 0


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """The work that is counted while a test runs."""
    done = Work()
    read_batch, scan = Cursor.read_batch, LINE.findall

    def counted_batch(cursor: Cursor, initial: bool = False) -> None:
        before = len(cursor.kinds)
        read_batch(cursor, initial)
        done.tokens += len(cursor.kinds) - before

    def counted_take(reader_: BlockReader, statement: Statement, *, broken: bool = False) -> None:
        done.statements += 1
        take(reader_, statement, broken=broken)

    class CountedLines:
        def findall(self, text: str) -> list[tuple[str, ...]]:
            found: list[tuple[str, ...]] = scan(text)
            done.lines += len(found)
            return found

        match = LINE.match  # one line only

    monkeypatch.setattr(partial_cursor, "_AHEAD", 64)  # both texts are read in parts
    monkeypatch.setattr(Cursor, "read_batch", counted_batch)
    monkeypatch.setattr(parsed_statements, "apply_statement", counted_take)
    monkeypatch.setattr(line_runs, "LINE", CountedLines())
    return done


@pytest.mark.parametrize("pattern", PATTERNS, ids=repr)
def test_work_is_linear(pattern: str, work: Work) -> None:
    assert bad_findings(analysed(text_of(pattern, SMALL))) is None
    small = Work(work.tokens, work.statements, work.lines)
    assert bad_findings(analysed(text_of(pattern, SMALL * TIMES))) is None
    for before, both in zip(
        (small.tokens, small.statements, small.lines), (work.tokens, work.statements, work.lines), strict=True
    ):
        assert both - before <= SLACK * TIMES * before + CONSTANT


def deep(count: int, inside: str = "", between: str = "") -> str:
    """A function with `count` nested scopes."""
    return ENTRY + "{" + f"{between}{{" * (count - 1) + inside + "}" * count + "\nret;\n}\n"


@pytest.mark.parametrize("between", ["", "\n", " .reg .b32 a;\n"])
def test_braces_as_deep_as_the_assembler_reads(between: str) -> None:
    assert [f.code for f in analysed(deep(NESTED, "mov.b32 %r1, 1;", between)).findings()] == []
    text = deep(NESTED + 1, "mov.b32 %r1, 1;", between)
    found = analysed(text).findings()
    place = text.split("mov")[0].rindex("{")
    line = text[:place].count("\n")
    column = place - (text[:place].rfind("\n") + 1)
    assert [(f.code, f.range) for f in found] == [("crashes-assembler", Range(line, column, line, column + 1))]


def test_statements_that_are_too_deep_are_not_checked() -> None:
    inside = "foo %q1;\nL:\nL:\nbra M;\n.reg .b32 a;\n.reg .b32 a;\n.reg .b32 a, a;\n"
    assert [f.code for f in analysed(deep(NESTED + 5, inside)).findings()] == ["unused-registers", "crashes-assembler"]


def test_statements_after_deep_scopes_are_checked() -> None:
    text = deep(NESTED + 9, "mov.b32 %r1, 1;") + ".entry l() {\nadd.s32 %q1, 1, 2;\nret;\n}\n"
    assert [f.code for f in analysed(text).findings()] == ["crashes-assembler", "undeclared"]


@pytest.mark.parametrize("line", [9, NESTED - 1, NESTED + 3, NESTED + 40])
@pytest.mark.parametrize("new", ["{", "}", "x", "\n", "/*"])
def test_an_edit_among_deep_scopes(line: int, new: str) -> None:
    module = analysed(deep(NESTED + 60, "mov.b32 %r1, 1;", "\n"))
    module.edit(Range(line, 0, line, 0), new)
    assert disagreement(module) is None
    module.edit(Range(line, 0, line + (new == "\n"), len(new.strip("\n"))), "")
    assert disagreement(module) is None


def test_millions_of_braces() -> None:
    found = analysed(ENTRY + "{" * 300_000).findings()
    assert [f.code for f in found] == ["unclosed-brace", "crashes-assembler"]
