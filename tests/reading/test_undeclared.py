"""Undeclared names give the same reports, however the text is divided into blocks."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Severity
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.analysis.incremental import disagreement
from tests.analysis.random_edits import SMALL_SIZES, chunk_sizes
from tests.oracle.assembler import Assembler, needs_assembler

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n.entry a()\n{\n"
INNER = "{\n\t.reg .b32 %r5, q;\n}\n"
USES = "\tmov.b32 %r6, %r5;\n" * 30 + "\tmov.b32 q, %r7;\n" * 200
# the function continues after its end, or has no end
DAMAGED = ("}\n\tadd.s32 %r6, %r5, %r8;\n}\n", "\n.entry b()\n{\n\tret;\n}\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("end", [*DAMAGED, "}\n"])
@pytest.mark.parametrize("line", [20, 40, 100, 200])
def test_reports_do_not_depend_on_the_blocks(end: str, line: int) -> None:
    module = analysed(HEAD + INNER + USES + end)
    for _ in range(2):
        module.edit(Range(line, 0, line, 0), " ")
        module.work()
    assert disagreement(module) is None


def test_in_a_damaged_function_names_between_braces_may_be_meant() -> None:
    def reported(end: str) -> list[str]:
        module = analysed(HEAD + INNER + "\tmov.b32 %f1, %r5;\n\tmov.b32 q, %f2;\n" + end)
        return sorted(f.data["name"] for f in module.findings() if f.code == "undeclared")

    assert reported("}\n") == ["%f1", "%r5", "q"]
    assert reported(DAMAGED[0]) == ["%f1"]


LABELS = """\tmov.u32 %r5, $below;
\tadd.s32 %r5, %r5, $below;
\tst.global.u32 [%rd1], $below;
\tld.global.u32 %r5, [inside];
\t@$below bra $below;
\tmov.u32
\t\t%r5, %below;
{
inside:
}
$below:
%below:
"""


def labels_as_operands(module: Module) -> list[int]:
    """The lines (from 0) of the findings about labels that are operands, in order."""
    module.work()
    return sorted(f.range.line for f in module.findings() if f.code == "label-as-operand")


@needs_assembler
def test_each_use_of_a_label_as_an_operand_is_reported_where_ptxas_reports_it() -> None:
    text = HEAD + "\t.reg .b32 %r5;\n\t.reg .b64 %rd1;\n" + LABELS + "}\n"
    lines = [text[: text.index("\t" + use)].count("\n") for use in ("mov", "add", "st.", "ld.", "@", "mov.u32\n")]
    refused = {message.line - 1 for message in Assembler().module(text).messages if message.line}
    assert refused == set(lines)
    module = Module(text)
    assert labels_as_operands(module) == [*lines[:5], lines[5] + 1]
    assert {f.code for f in module.findings() if f.severity is Severity.ERROR} == {"label-as-operand"}


def test_an_edit_of_a_label_changes_the_reports_of_its_uses() -> None:
    body = "\t.reg .b32 %r5;\n" + "\tmov.b32 %r5, $far;\n" * 300
    text = HEAD + body + "\n" + "\tmov.b32 %r5, $far;\n" + "}\n"
    module = Module(text)
    assert labels_as_operands(module) == []
    place = text.count("\n") - 3
    module.edit(Range(place, 0, place, 0), "$far:")
    assert len(labels_as_operands(module)) == 301
    assert disagreement(module) is None
    module.edit(Range(place, 0, place, 5), "")
    assert labels_as_operands(module) == []
    assert [f.data["name"] for f in module.findings() if f.code == "undeclared"] == ["$far"]
    assert disagreement(module) is None


def test_the_needed_count_is_that_of_the_low_32_bits_of_a_number() -> None:
    number = (1 << 32) + 4
    module = analysed(HEAD + f"\t.reg .b32 %r<4>;\n\tmov.b32 %r{number}, 0;\n}}\n")
    (found,) = (finding for finding in module.findings() if finding.code == "register-index")
    assert found.data["count"] == "5"


@pytest.mark.parametrize("above", [0, 40])  # empty lines, after which the uses are in other chunks
def test_the_uses_of_a_family_of_plain_names_are_in_the_order_of_the_text(above: int) -> None:
    uses = "\tmov.b32 x7, x8;\n\tmov.b32 x8, x7;\n"
    with chunk_sizes(SMALL_SIZES[1]):
        module = analysed(HEAD + "\t.reg .b32 x<2>;\n" + "\n" * above + uses * 3 + "}\n")
        (found,) = (finding for finding in module.findings() if finding.code == "register-index")
    places = [found.range.start, *(related.range.start for related in found.related[1:])]
    assert len(places) == 12
    assert places == sorted(places)
