"""From the text of a number to its value, by the assembler's arithmetic.

Section `constants` of the PTX ISA; what happens beyond 64 bits was observed with ptxas 13.5.
"""

from ptx_lsp.constants.constant import MASK, SIGN, Constant, ValueType, double
from ptx_lsp.isa.special_registers import THREADS_PER_WARP, WARP_SIZE
from ptx_lsp.light_classes import Enum, NamedTuple
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.text.lines import beginning_of

_INTEGER = lazy_pattern(
    r"(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<bin>[01]+)|(?P<oct>0[0-7]*)|(?P<dec>[1-9][0-9]*))(?P<u>U?)"
)
_REAL = lazy_pattern(r"(?=\.?[0-9])(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?(?:[eE](?P<power>[+-]?[0-9]+))?")
_EXACT = lazy_pattern(r"0(?:[fF](?P<single>[0-9a-fA-F]{8})|[dD](?P<double>[0-9a-fA-F]{16}))")
_BASES = {"hex": 16, "bin": 2, "oct": 8, "dec": 10}
_SURE_DIGITS = {16: 15, 2: 63, 8: 21, 10: 18}  # the most digits that never reach bit 63 of a 64-bit integer

# A double that is a multiple of 2**-1074 and below 2**-1022 has fewer significant decimal digits than this.
_SUBNORMAL_DIGITS = 800

_LONGEST_SHOWN = 40  # characters of a literal in a message


class Mistake(Enum):
    """Why a literal has no value."""

    MALFORMED = "no number of PTX"
    OVERFLOW = "too large"
    UNDERFLOW = "too small"


class Literal(NamedTuple):
    """A literal's value, or why it has none. `wrapped`: true if the value is the written number modulo 2**64."""

    constant: Constant | None
    mistake: Mistake | None = None
    wrapped: bool = False


_MALFORMED = Literal(None, Mistake.MALFORMED)
_OVERFLOW = Literal(None, Mistake.OVERFLOW)
_UNDERFLOW = Literal(None, Mistake.UNDERFLOW)


def read_literal(text: str) -> Literal:
    """The value of a literal as written, without a sign or blanks: a number or `WARP_SZ`; never raises."""
    if text == WARP_SIZE:
        return Literal(Constant(ValueType.S64, THREADS_PER_WARP))
    match = _INTEGER.fullmatch(text)
    if match:
        kind = next(k for k in _BASES if match[k] is not None)
        return _read_integer(match[kind], _BASES[kind], bool(match["u"]))
    match = _EXACT.fullmatch(text)
    if match and match["single"]:
        return Literal(Constant(ValueType.F32, int(match["single"], 16)))
    if match:
        return Literal(Constant(ValueType.F64, int(match["double"], 16)))
    match = _REAL.fullmatch(text)
    if match and (match["part"] is not None or match["power"] is not None):
        return _read_real(text, match["whole"] + (match["part"] or ""), match)
    return _MALFORMED


def _read_integer(digits: str, base: int, suffix: bool) -> Literal:
    digits = digits.lstrip("0") or "0"
    wrapped = False
    if len(digits) <= _SURE_DIGITS[base]:
        value = int(digits, base)
    else:
        value = 0
        for digit in digits:
            # ptxas tests only bit 63 before each digit, so it misses a value of 2**64: 18446744073709551616 is 0.
            if value & SIGN:
                return _OVERFLOW
            value = value * base + int(digit, base)
            wrapped |= value > MASK
            value &= MASK
    kind = ValueType.U64 if suffix or value & SIGN else ValueType.S64
    return Literal(Constant(kind, value), wrapped=wrapped)


def _read_real(text: str, digits: str, match: re.Match[str]) -> Literal:
    """The correctly rounded value. As in C's strtod, infinity and inexact subnormals are out of range."""
    value = float(text)
    if value in (float("inf"), float("-inf")):
        return _OVERFLOW
    if value > 2.0**-1022 or not digits.strip("0"):
        return Literal(double(value))
    return Literal(double(value)) if _exact_or_normal(digits, match, value) else _UNDERFLOW


def _exact_or_normal(digits: str, match: re.Match[str], value: float) -> bool:
    """Whether a number of at most 2**-1022 is exactly a double, or rounds to 2**-1022."""
    from fractions import Fraction

    significant = digits.lstrip("0").rstrip("0")
    point = len(match["whole"]) - (len(digits) - len(digits.lstrip("0")))  # digits before the point, or minus zeros
    power = _exponent(match["power"] or "0") + point
    if power < -400 or value == 0:
        return False
    kept = significant[:_SUBNORMAL_DIGITS]
    exact = Fraction(int(kept)) * Fraction(10) ** (power - len(kept))
    whole = kept == significant
    if whole and Fraction(value) == exact:
        return True
    halfway = Fraction(2) ** -1022 - Fraction(2) ** -1076  # rounds up to 2**-1022 with 53 bits, ties to even
    return exact >= halfway


def _exponent(power: str) -> int:
    """The value of an exponent; a very long one becomes a value outside of every range."""
    digits = power.lstrip("+-").lstrip("0") or "0"
    size = int(digits) if len(digits) < 10 else 10**10
    return -size if power.startswith("-") else size


def shown_literal(text: str) -> str:
    """A literal as a message shows it: with its first characters only, if it is long."""
    return beginning_of(text, _LONGEST_SHOWN)
