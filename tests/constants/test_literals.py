"""Literals as ptxas 13.5 reads them; the patterns of doubles are those of IEEE 754."""

import struct

import pytest

from ptx_lsp.constants.literals import Mistake, read_literal

INTEGERS = {
    "0": ("s64", 0), "0U": ("u64", 0), "00": ("s64", 0), "017": ("s64", 15), "07U": ("u64", 7), "0b101": ("s64", 5),
    "0B11U": ("u64", 3), "0xfF": ("s64", 255), "0X1fU": ("u64", 31), "9223372036854775808": ("u64", 2**63),
    "WARP_SZ": ("s64", 32), "0" * 100 + "7": ("s64", 7), "0x" + "0" * 5000 + "1": ("s64", 1),
}  # fmt: skip


@pytest.mark.parametrize("text", INTEGERS)
def test_an_integer_has_its_type_and_value(text: str) -> None:
    literal = read_literal(text)
    assert literal.constant is not None
    assert (literal.constant.type.value, literal.constant.integer, literal.wrapped) == (*INTEGERS[text], False)


# Truncated to 64 bits unless bit 63 was set before the last digit.
WRAPPED = {
    "18446744073709551616": 0,
    "0x123456789abcdef01": 0x23456789ABCDEF01,
    "04000000000000000000000": 0,
    "0b1" + "0" * 64: None,
    "0x80000000000000000": None,
    "99999999999999999999": None,
}


@pytest.mark.parametrize("text", WRAPPED)
def test_beyond_64_bits(text: str) -> None:
    literal = read_literal(text)
    assert (literal.constant and literal.constant.bits) == WRAPPED[text]
    assert literal.mistake is (Mistake.OVERFLOW if WRAPPED[text] is None else None)
    assert literal.wrapped is (WRAPPED[text] is not None)


REALS = {"1.": 1.0, ".5": 0.5, "1e5": 1e5, "1.e5": 1e5, "0e5": 0.0, "09.5": 9.5, "1E-3": 0.001, "0.0e999999999": 0.0}


@pytest.mark.parametrize("text", REALS)
def test_a_decimal_float_has_the_bits_of_a_double(text: str) -> None:
    literal = read_literal(text)
    assert literal.constant is not None
    assert literal.constant.bits == struct.unpack("<Q", struct.pack("<d", REALS[text]))[0]


LIMITS = {
    "1.7976931348623157e308": None,
    "1.7976931348623159e308": Mistake.OVERFLOW,
    "1e999999999999": Mistake.OVERFLOW,
    "1e-400": Mistake.UNDERFLOW,
    "1e-999999999999": Mistake.UNDERFLOW,
    "4.9e-324": Mistake.UNDERFLOW,
    "2.2250738585072014e-308": None,  # 2**-1022, apart from rounding
    "2.2250738585072013e-308": None,  # rounds up to 2**-1022
    "2.2250738585072012e-308": Mistake.UNDERFLOW,
    "2.2250738585072011e-308": Mistake.UNDERFLOW,
    "0." + "0" * 5000 + "1": Mistake.UNDERFLOW,
    f"{2.0**-1030:.1100f}": None,  # subnormal, but with all its digits
}


@pytest.mark.parametrize("text", LIMITS, ids=lambda t: t[:30])
def test_limits_of_reals(text: str) -> None:
    assert read_literal(text).mistake is LIMITS[text]


def test_exact_patterns() -> None:
    single, double = read_literal("0F3F800000").constant, read_literal("0dFFF8000000000123").constant
    assert single is not None
    assert double is not None
    assert (single.type.value, single.bits, single.real) == ("f32", 0x3F800000, 1.0)
    assert (double.type.value, double.bits) == ("f64", 0xFFF8000000000123)


@pytest.mark.parametrize(
    "text", ["", "1u", "0x1fu", "1UL", "08", "0b2", "0x", "0xU", "1e", ".e5", ".", "1.0f", "0f3f8", "-1"]
)
def test_other_texts_are_malformed(text: str) -> None:
    assert read_literal(text).mistake is Mistake.MALFORMED
