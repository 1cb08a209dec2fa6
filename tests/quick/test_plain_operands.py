"""Places in plain operands: what the pattern takes for an operand, the parser takes for one too."""

import pytest

from ptx_lsp.quick.statements import is_plain_instruction, is_plain_operand
from ptx_lsp.reading.places import is_operand
from tests.analysed import analysed
from tests.quick.comparison import parsed_statements_of
from tests.quick.heads import HEADS
from tests.quick.sample_lines import LINES

MORE = (
    *("call %r1, %r2;", "call.uni %r1;", "add..s32 %r1, %r2;", "add.s32. %r1, %r2;", "ld.a::b.u32 %r1, [%rd1+-4];"),
    *("add.s32 %r1 %r2;", "add.s32 %r1, %r2 + 1;", "mov.b64 {%r1,%r2}, %rd1;", "@%p1 st.u32 [%rd1], %r1 ;", "x: %r1;"),
    *(
        "ret %r1;",
        "bra %r1;",
        "brx.idx %r1, x;",
        "mov.u32 %r1, %tid.x;",
        "add.s32 %r1, -5, 08;",
        "st.u8 \t[%SP+305], %rs49;",
    ),
)


@pytest.mark.parametrize("line", [*LINES, *MORE])
def test_plain_operands_are_operands(line: str) -> None:
    text = "\tret;\n" + line + "\n\tret;\n"
    start = len("\tret;\n")
    if is_plain_instruction(text, 0, start):
        for offset in range(start, text.index("\n", start)):
            if text[offset].isalnum() and is_plain_operand(text, start, offset):
                assert is_operand(offset, text, start), text[offset:]


def test_registers_that_are_not_written_are_plain_operands() -> None:
    text = "\t.loc\t41 484 7\n\tst.u8 \t[%SP+305], %rs49;\n"
    at = text.index("%rs49")
    assert is_plain_operand(text, text.index("\tst"), at)
    assert not is_plain_operand(text, text.index("\tst"), text.index("st"))


def test_a_head_before_many_comments_needs_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    comments = "// a variable with a long name has been demoted\n" * 500
    text = HEADS[0] + comments + ".visible .entry k()\n.maxnreg 64\n{\n\tret;\n}\n"
    assert parsed_statements_of(text, monkeypatch) == []
    module = analysed(text)
    assert module.findings() == []
