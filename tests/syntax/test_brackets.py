"""Brackets that are not closed: what they cost. Which of them are reported, and where, is in `tests/mdtest`."""

from ptx_lsp.syntax.statements import parse_statements
from tests.growth import LINEAR, growth


def test_many_open_addresses_take_linear_time() -> None:
    """To know whether an address has several parts, the parser goes back to the opcode."""

    def parse(text: str) -> None:
        list(parse_statements(text))

    opcode, address = "st.global.f32 ", "[a, b), "
    assert growth(parse, opcode + address * 2_000, opcode + address * 8_000) < LINEAR


def test_a_scope_below_a_stray_brace_is_no_list() -> None:
    found = [type(statement).__name__ for statement, _ in parse_statements("ret {\n{\nL:\n}\n}\n")]
    assert found == ["Instruction", "OpenBrace", "Label", "CloseBrace", "CloseBrace"]
