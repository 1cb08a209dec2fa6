"""Brackets that are not closed: what they cost. Which of them are reported, and where, is in `tests/mdtest`."""

import pytest

from ptx_lsp.syntax.statements import parse_statements
from tests.growth import LINEAR, growth


@pytest.mark.parametrize("operand", ["[a, b), ", "(a), ", "(a, b), "])
def test_many_operands_in_wrong_brackets_take_linear_time(operand: str) -> None:
    """To know what an operand should be, the parser goes back to the opcode."""

    def parse(text: str) -> None:
        list(parse_statements(text))

    opcode = "st.global.f32 "
    assert growth(parse, opcode + operand * 2_000, opcode + operand * 8_000) < LINEAR


def test_a_scope_below_a_stray_brace_is_no_list() -> None:
    found = [type(statement).__name__ for statement, _ in parse_statements("ret {\n{\nL:\n}\n}\n")]
    assert found == ["Instruction", "OpenBrace", "Label", "CloseBrace", "CloseBrace"]
