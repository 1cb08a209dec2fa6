"""Findings are made again only where a report or its place has changed: most are those of before an edit."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.semantics import surroundings
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.calls import Call, noted_calls

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
KERNEL = ".entry kernel_{}()\n{{\n.reg .b32 %r<9>;\nadd.s32 %r1, %r1, %wrong;\n{}ret;\n}}\n"
LINES = 6
KERNELS = 200
OF_BLOCK = 16  # kernels: the most in a block in which there was an edit
MOST = 100


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """The calls that made a finding of a report, since the list was cleared."""
    return noted_calls(monkeypatch, surroundings, "resolved")


def module_of(statement: str = "") -> Module:
    return analysed(HEADER + "".join(KERNEL.format(number, statement) for number in range(KERNELS)))


def edit(module: Module, text: str, line: int = HEADER.count("\n") + LINES + 3) -> None:
    """Insert a text at the begin of a line; without one, of a statement in the second kernel."""
    module.edit(Range(line, 0, line, 0), text)
    module.work()


@pytest.mark.parametrize("most", [MOST, 10 * KERNELS])
def test_an_edit_makes_the_findings_of_its_function_alone(made: list[Call], most: int) -> None:
    module = module_of()
    before, _ = module.leading_findings(most)
    assert len(made) == len(before) >= MOST
    edit(module, " ")  # divides the block of the edit
    module.leading_findings(most)
    made.clear()
    edit(module, "mov.b32 %r2, %mistaken; ")
    after, _ = module.leading_findings(most)
    assert len(made) <= OF_BLOCK
    assert after != before
    assert after == module.findings()[: len(after)]


def test_a_new_line_moves_the_findings_below_it_alone(made: list[Call]) -> None:
    module = module_of()
    middle = HEADER.count("\n") + KERNELS // 2 * LINES + 3
    edit(module, " ", middle)
    module.leading_findings(10 * KERNELS)
    made.clear()
    edit(module, "\n", middle)
    after, _ = module.leading_findings(10 * KERNELS)
    assert len(made) <= KERNELS // 2 + OF_BLOCK
    assert after == module.findings()


def test_a_place_beside_a_finding_moves_with_its_declaration(made: list[Call]) -> None:
    """The related place of an unchanged report is another one after an edit above it."""
    module = analysed(f"{HEADER}.func first() {{ ret; }}\n" + "//\n" * 2000 + ".func first() { ret; }\n")
    before = module.leading_findings(MOST)[0]
    assert [related.range.line for finding in before for related in finding.related] == [3]
    made.clear()
    edit(module, "\n\n", 3)
    after = module.leading_findings(MOST)[0]
    assert [related.range.line for finding in after for related in finding.related] == [5]
    assert len(made) == 1


def test_names_that_are_suggested_are_kept_too(made: list[Call]) -> None:
    module = module_of("mov.b32 %r1, %tidx;\n")
    module.leading_findings(10 * KERNELS)
    edit(module, " ")
    module.leading_findings(10 * KERNELS)
    made.clear()
    module.leading_findings(10 * KERNELS)
    assert not made
