"""Places in operands: what one line shows, and what is parsed once, are what a parser finds from the first line."""

import pytest

from ptx_lsp.syntax.operand_places import OperandPlaces, is_plain_instruction, is_plain_operand
from tests.calls import calls_of
from tests.quick.sample_lines import LINES

MORE = (
    *("call %r1, %r2;", "call.uni %r1;", "add..s32 %r1, %r2;", "add.s32. %r1, %r2;", "ld.a::b.u32 %r1, [%rd1+-4];"),
    *("add.s32 %r1 %r2;", "add.s32 %r1, %r2 + 1;", "mov.b64 {%r1,%r2}, %rd1;", "@%p1 st.u32 [%rd1], %r1 ;", "x: %r1;"),
    *("ret %r1;", "bra %r1;", "brx.idx %r1, x;", "mov.u32 %r1, %tid.x;", "add.s32 %r1, -5, 08;", "@%p1 bra x;"),
    *("st.u8 \t[%SP+305], %rs49;", "@!%p1 ret;", "{ .reg .b32 %r; mov.b32 %r, 1; }", '.pragma "x";'),
)


@pytest.mark.parametrize("line", [*LINES, *MORE])
@pytest.mark.parametrize(
    "between", ["", "\n \t\n", "{ // callseq 0, 0\n", "\t} // callseq 0, 0\n", "add // ;\n", "// {\n"]
)
def test_places_in_operands_are_those_that_the_parser_finds(line: str, between: str) -> None:
    text = f"\tret;\n{between}{line}\n\tret;\n"
    start = text.index(line, len("\tret;\n"))
    places, parsed = (OperandPlaces(text, 0, has_sections=sections) for sections in (False, True))
    for offset in range(start, text.index("\n", start)):
        if text[offset].isalnum():
            assert places.holds(offset) == parsed.holds(offset), text[offset:]


def test_one_line_shows_the_operands_of_most_instructions() -> None:
    text = "\tret;\n\n\tst.u8 \t[%SP+305], %rs49;\n@%p1 bra $L;\n"
    start = text.index("\tst")
    assert is_plain_instruction(text, start)
    assert is_plain_operand(text, start, text.index("%rs49"))
    assert not is_plain_operand(text, start, text.index("st"))
    branch = text.index("@%p1")
    assert is_plain_instruction(text, branch)
    assert is_plain_operand(text, branch, text.index("%p1"))
    assert not is_plain_operand(text, branch, text.index("$L"))


def test_a_statement_is_parsed_once_for_all_places() -> None:
    def calls(lines: int, asked: int) -> int:
        line = "{ .reg .b32 %q; abs.s32 %q, %r1; }\n"
        text = line * lines
        offsets = [text.index("%r1", number * len(line)) for number in range(lines // 2, lines // 2 + asked)]
        places = OperandPlaces(text, 0, has_sections=False)
        places.holds(0)
        return calls_of(lambda: [places.holds(offset) for offset in offsets])

    assert calls(300, 100) < 3 * calls(300, 1)


def test_the_statements_of_a_line_are_parsed_once() -> None:
    def calls(count: int) -> int:
        text = "ret;\n" + "(%r1) %r1; " * count + "\n"
        places = OperandPlaces(text, 0, has_sections=False)
        offsets = [found for found in range(len(text)) if text.startswith("%r1;", found)]
        return calls_of(lambda: [places.holds(offset) for offset in offsets])

    assert calls(400) < 6 * calls(100)
