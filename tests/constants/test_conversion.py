"""Constants at their use. Patterns and rejections were read from cubins of ptxas 13.5; `test_oracle` checks again."""

import pytest

from ptx_lsp.constants.conversion import Doubt, as_initialiser, as_operand, doubt_message
from tests.constants.expressions import value

OPERANDS: dict[tuple[str, str], tuple[int, Doubt | None] | None] = {
    ("0x1ffffffff", "u32"): (0xFFFFFFFF, Doubt.BITS_LOST),
    ("0xffffffff", "s32"): (0xFFFFFFFF, None),
    ("-1", "u32"): (0xFFFFFFFF, None),
    ("-2147483648", "b32"): (0x80000000, None),
    ("-2147483649", "b32"): (0x7FFFFFFF, Doubt.BITS_LOST),
    ("~0xff", "u16"): (0xFF00, None),
    ("127+1", "s8"): (0x80, None),
    ("1", "f32"): None,
    ("1.0", "u32"): None,
    ("1.0", "b32"): None,
    ("1.0", "b64"): (0x3FF0000000000000, None),
    ("1.0", "b16"): None,
    ("0f3f800001", "b32"): (0x3F800001, None),
    ("0f3f800001", "b64"): None,
    ("0f3f800001", "f32"): (0x3F800001, None),
    ("0f3f800001", "f64"): (0x3F800001, Doubt.SINGLE_AS_DOUBLE),
    ("-(0f3f800001)", "b64"): (0x800000003F800001, None),
    ("1.1", "f32"): (0x3F8CCCCD, None),
    ("0d7ff4000012345678", ".f32"): (0x7FE00000, None),
    ("0d7fefffffffffffff", "f32"): (0x7F800000, Doubt.INFINITE),
    ("1e-45", "f32"): (1, None),
    ("1.0", "f16"): None,
    ("0x100000000", "pred"): (1, None),
    ("0", "pred"): (0, None),
    ("1.0", "pred"): None,
}


@pytest.mark.parametrize(("text", "kind"), OPERANDS)
def test_an_operand_keeps_the_bits_of_its_kind(text: str, kind: str) -> None:
    converted = as_operand(value(text), kind)
    assert (converted and (converted.bits, converted.doubt)) == OPERANDS[text, kind]


def test_as_initial_value_a_float_also_goes_into_bits() -> None:
    single, low = as_initialiser(value("1.1"), ".b32"), as_initialiser(value("1.1"), "b8")
    assert single is not None
    assert low is not None
    assert (single.bits, single.hexadecimal) == (0x3F8CCCCD, "0x3f8ccccd")
    assert (low.bits, low.doubt) == (0x9A, Doubt.LOW_BITS)
    assert as_initialiser(value("1"), "pred") is None
    assert as_initialiser(value("1.0"), "u64") is None


def test_the_text_of_a_converted_constant() -> None:
    lost = as_operand(value("0x1ffffffff"), "s32")
    assert lost is not None
    assert (lost.decimal, lost.hexadecimal, lost.width) == ("-1", "0xffffffff", 32)
    assert doubt_message(value("0x1ffffffff"), lost) == "a 33-bit value in `.s32`: the assembler uses 0xffffffff (-1)"
    real = as_operand(value("0f3FB8AA3B"), "f32")
    assert real is not None
    assert real.decimal == "1.442695"
