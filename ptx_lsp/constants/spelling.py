"""Constants as text: decimal, hexadecimal, and the exact expansion of a float."""

import struct

from ptx_lsp.constants.arithmetic import is_nan
from ptx_lsp.constants.constant import SIGN, Constant, ValueType, bits_of_double, double_from_bits, single_from_bits


def decimal(constant: Constant) -> str:
    """The value in decimal; for a float the shortest digits that read back as it: `18`, `-2`, `1.442695`, `inf`."""
    if constant.type is ValueType.F64:
        return decimal_double(constant.bits)
    if constant.type is ValueType.F32:
        return decimal_single(constant.bits)
    return str(constant.integer)


def hexadecimal(constant: Constant) -> str:
    """The pattern in hexadecimal with all its digits: 16, or 8 for an exact single."""
    return f"0x{constant.bits:08x}" if constant.type is ValueType.F32 else f"0x{constant.bits:016x}"


def single_literal(bits: int) -> str:
    """The exact literal of the single with a pattern: `0f3F800000`."""
    return f"0f{bits:08X}"


def double_literal(bits: int) -> str:
    """The exact literal of the double with a pattern: `0d3FF0000000000000`."""
    return f"0d{bits:016X}"


def typed(constant: Constant) -> str:
    """Value and type in one: `-2 (.s64)`."""
    return f"{decimal(constant)} (.{constant.type.value})"


def decimal_double(bits: int) -> str:
    """The shortest decimal that reads back as the double with this pattern."""
    return "NaN" if is_nan(bits) else repr(double_from_bits(bits))


def decimal_single(bits: int) -> str:
    """The shortest decimal that reads back as the single with this pattern."""
    if bits & 0x7FFFFFFF > 0x7F800000:
        return "NaN"
    value = single_from_bits(bits)
    if value in (float("inf"), float("-inf")):
        return repr(value)
    candidates = (float(f"{value:.{digits}g}") for digits in range(1, 10))
    return repr(next((c for c in candidates if bits_of_single(c) == bits), value))


def exact(value: float) -> str:
    """All decimal digits of a float; with an exponent if plain digits would need many zeros."""
    from decimal import Decimal

    if value != value or value in (float("inf"), float("-inf")):
        return decimal_double(bits_of_double(value))
    number = Decimal(value)
    if value == 0 or 1e-5 <= abs(value) < 1e17:
        text = f"{number:f}"
        return text if "." in text else text + ".0"
    sign, digits, exponent = number.as_tuple()
    plain = "".join(map(str, digits)).rstrip("0")
    power = len(digits) + int(exponent) - 1
    return f"{'-' if sign else ''}{plain[0]}.{plain[1:] or '0'}e{power:+03d}"


def bits_of_single(value: float) -> int:
    """The pattern of the single nearest to a double, ties to even. Infinity if out of range; a NaN is made quiet."""
    if value != value:
        pattern = bits_of_double(value)
        return (pattern & SIGN) >> 32 | 0x7FC00000 | pattern >> 29 & 0x3FFFFF
    try:
        result: int = struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        return 0xFF800000 if value < 0 else 0x7F800000
    return result
