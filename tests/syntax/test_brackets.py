"""Brackets that are not closed: what they cost. Which of them are reported, and where, is in `tests/mdtest`."""

from ptx_lsp.syntax.statements import parse_statements
from tests.growth import LINEAR, growth


def test_many_open_addresses_take_linear_time() -> None:
    """To know whether an address has several parts, the parser goes back to the opcode."""

    def parse(text: str) -> None:
        list(parse_statements(text))

    opcode, address = "st.global.f32 ", "[a, b), "
    assert growth(parse, opcode + address * 2_000, opcode + address * 8_000) < LINEAR
