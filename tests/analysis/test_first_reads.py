"""Where a register that nothing writes is read first: not in a comment, and not where a branch names a label."""

import pytest

from tests.analysed import analysed

HEAD = ".version 8.0\n.target sm_80\n.global .b32 start;\n.entry k()\n{\n\t.reg .b32 %r<99>;\n\t.reg .pred %p<2>;\n"
READ = "\tst.global.b32 [start], %r1;\n"


def first_reads(text: str) -> list[tuple[int, int]]:
    """The line and column at which each register that nothing writes is read first, in order."""
    found = [each.range.start for each in analysed(text).findings() if each.code == "never-written"]
    return [(start.line, start.column) for start in found]


@pytest.mark.parametrize(
    "above",
    [
        "",
        "\tmov.b32 %r2, 1;\n",
        "\t// %r1\n",
        "\tmov.b32 %r2, 1; // %r1\n",
        "\t/* %r1\n\t%r1 */\n",
        "\t/* */ mov.b32 %r2, /* %r1 */ 1;\n",
        '\t.pragma "%r1";\n',
        "\t{ // %r1;\n\tret;\n\t} // %r1\n",
        "\tmov.b32 %r11, 1;\n",
        "\tbra L;\nL:\n",
    ],
)
def test_the_first_read_is_an_operand(above: str) -> None:
    line = (HEAD + above).count("\n")
    assert first_reads(f"{HEAD}{above}{READ}{READ}\tret;\n}}\n") == [(line, READ.index("%r1"))]


def test_the_name_of_a_label_is_no_read() -> None:
    labelled = "\t.reg .b32 x;\n\t{\n\tbra x;\nx:\n\t}\n"
    line = (HEAD + labelled).count("\n")
    assert first_reads(f"{HEAD}{labelled}{READ.replace('%r1', 'x')}\tret;\n}}\n") == [(line, READ.index("%r1"))]


def test_a_first_read_may_be_a_guard_or_in_a_statement_of_several_lines() -> None:
    line = HEAD.count("\n")
    statements = "\t@%p1 ret;\n\tadd.s32 %r2,\n\t%r3, // %r1\n\t%r1;\n"
    assert first_reads(f"{HEAD}{statements}\tret;\n}}\n") == [(line, 2), (line + 2, 1), (line + 3, 1)]
