"""Floats with a well-known name: shown beside their digits."""

import math

_NAMES: tuple[tuple[str, float], ...] = (
    ("pi", math.pi),
    ("2 pi", 2 * math.pi),
    ("pi/2", math.pi / 2),
    ("pi/4", math.pi / 4),
    ("1/pi", 1 / math.pi),
    ("2/pi", 2 / math.pi),
    ("1/(2 pi)", 0.5 / math.pi),
    ("pi/180", math.pi / 180),
    ("180/pi", 180 / math.pi),
    ("e", math.e),
    ("1/e", 1 / math.e),
    ("log2(e)", 1 / math.log(2)),
    ("log2(10)", math.log2(10)),
    ("ln(2)", math.log(2)),
    ("ln(10)", math.log(10)),
    ("log10(e)", math.log10(math.e)),
    ("log10(2)", math.log10(2)),
    ("sqrt(2)", math.sqrt(2)),
    ("1/sqrt(2)", math.sqrt(0.5)),
    ("sqrt(3)", math.sqrt(3)),
    ("sqrt(pi)", math.sqrt(math.pi)),
    ("1/sqrt(pi)", 1 / math.sqrt(math.pi)),
    ("2/sqrt(pi)", 2 / math.sqrt(math.pi)),
    ("sqrt(2/pi)", math.sqrt(2 / math.pi)),
    ("sqrt(2 pi)", math.sqrt(2 * math.pi)),
    ("1/3", 1 / 3),
    ("2/3", 2 / 3),
    ("the golden ratio", (1 + math.sqrt(5)) / 2),
)

_CLOSENESS = 2e-7  # about two units in the last place of a single
_SHORT = 12  # a number of at most this many characters needs no other name


def known_as(value: float) -> str:
    """The name of the number near a float, `log2(e)` or `2^-24`; empty if it has none or its digits are short."""
    if value == 0 or value != value or math.isinf(value):
        return ""
    sign = "-" if value < 0 else ""
    mantissa, exponent = math.frexp(abs(value))
    if mantissa == 0.5:
        return f"{sign}2^{exponent - 1}" if len(repr(value)) > _SHORT or not -4 <= exponent <= 17 else ""
    for name, number in _NAMES:
        if math.isclose(abs(value), number, rel_tol=_CLOSENESS):
            return f"{'minus ' if sign else ''}{name}"
    return ""
