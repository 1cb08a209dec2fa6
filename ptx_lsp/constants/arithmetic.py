"""The results of the operators once the types are known: integers by value, doubles by bit pattern."""

import operator

from ptx_lsp.constants.constant import SIGN, bits_of_double, double_from_bits
from ptx_lsp.light_classes import Callable

INFINITY = 0x7FF << 52
QUIET = 1 << 51
DEFAULT_NAN = 0xFFF8 << 48  # the result of invalid operations on x86, and so in ptxas

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def _divide(dividend: int, divisor: int) -> int:
    quotient = abs(dividend) // abs(divisor)
    return -quotient if (dividend < 0) != (divisor < 0) else quotient


def _as_integer(compare: Callable[[float, float], bool]) -> Callable[[int, int], int]:
    return lambda left, right: int(compare(left, right))


INTEGERS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": lambda value, count: value << (count & 63),
    ">>": lambda value, count: value >> (count & 63),
    "&&": lambda left, right: int(left != 0 and right != 0),
    "||": lambda left, right: int(left != 0 or right != 0),
    **{symbol: _as_integer(compare) for symbol, compare in COMPARISONS.items()},
}

_DOUBLES: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def compute_doubles(symbol: str, left: int, right: int) -> int:
    """The pattern that `+ - * /` gives for two patterns; the divisor is not zero.

    A NaN operand is the result, made quiet. If both are NaNs, `+` and `*` return the right one, `-` and `/` the left
    one (observed: ptxas 13.5).
    """
    for operand in (right, left) if symbol in "+*" else (left, right):
        if is_nan(operand):
            return operand | QUIET
    result = bits_of_double(_DOUBLES[symbol](double_from_bits(left), double_from_bits(right)))
    return DEFAULT_NAN if is_nan(result) else result


def compare_doubles(symbol: str, left: int, right: int) -> bool:
    """Whether the comparison is true for two patterns, by IEEE 754: with a NaN only `!=` is true."""
    return COMPARISONS[symbol](double_from_bits(left), double_from_bits(right))


def is_nan(pattern: int) -> bool:
    """Whether a double's pattern is a NaN."""
    return pattern & (SIGN - 1) > INFINITY
