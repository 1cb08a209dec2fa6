"""The occurrences of every register and label, compared with a plain count that is made without the analysis."""

from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences import search
from ptx_lsp.occurrences.target import target_at
from ptx_lsp.text.ranges import Position
from tests.analysed import analysed
from tests.occurrences.counting import differences, plain_count

ROOT = Path(__file__).parents[2]
FILES = sorted((*ROOT.joinpath("examples").glob("*.ptx"), *ROOT.joinpath("tests", "data").glob("*.ptx")))

SHADOWED = """.version 9.4
.target sm_90
.address_size 64
.global .b32 x;
.func f(.param .b32 L)
{
\t.reg .b32 %r<10>, x;
L:\tmov.b32 %r1, x; // %r1 x L
\t{
\t\t.reg .b32 %r<5>, x;
\t\tmov.b32 %r1, %r7; mov.b32 x, %r1;
L:\t\tbra L;
\t\t{ .reg .pred x; @x bra L; }
\t\tadd.s32 %r4, %r4, %r5;
\t}
\tadd.s32 %r1, %r1, x;
\tbra L;
}
.func g()
{
\t.reg .b32 %r<3>;
\tmov.b32 %r1, %r2; /* %r1
\t%r1 */ mov.b32
\t\t%r1,
\t\t%r1;
\tret;
}
"""


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_every_register_and_label_of_a_file(path: Path) -> None:
    compared, wrong = differences(path.read_text())
    assert compared
    assert wrong == []


def test_names_that_hide_others() -> None:
    compared, wrong = differences(SHADOWED)
    assert wrong == []
    assert compared == len(plain_count(SHADOWED)) > 10


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_blocks_that_are_not_read_again_give_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path.read_text()
    module = analysed(text)
    found = [everything(module, line, column) for line, column in places(text)]
    monkeypatch.setattr(search, "PLAIN", False)
    assert [everything(module, line, column) for line, column in places(text)] == found
    assert any(found)


def places(text: str) -> list[tuple[int, int]]:
    """Every third place at which a name begins."""
    found = []
    for number, line in enumerate(text.split("\n")):
        found += [(number, at) for at in range(len(line)) if line[at] in "%$_" and line[at - 1 : at] in " \t,[{("]
    return found[::3]


def everything(module: Module, line: int, column: int) -> list[search.Occurrence]:
    """The occurrences of the symbol at a place, with their roles."""
    target = target_at(module, Position(line, column))
    return [] if target is None else [each for some in search.occurrences(module, target.target) for each in some]


def test_the_first_name_of_a_block_is_found() -> None:
    begin = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n\t.reg .b32 %r<3>;\n"
    lines = "".join(f"L{number}:\n\tmov.b32 %r1, {number};\n" for number in range(400))
    module = analysed(f"{begin}{lines}\tret;\n}}\n")
    begins = [block.line for block in module.block_map.blocks]
    labels = [line for line in begins if module.document.line(line).startswith("L")]
    assert labels
    for line in labels:
        found = target_at(module, Position(line, 0))
        assert found is not None
        assert found.target.name == module.document.line(line).rstrip(":")
