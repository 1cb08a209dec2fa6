"""Fixes for a constant of the wrong kind: an integer in a float slot, or a float in an integer slot."""

import re
from collections.abc import Iterator
from math import isinf

from ptx_lsp.constants.constant import bits_of_double, double_from_bits, single_from_bits
from ptx_lsp.constants.spelling import bits_of_single, double_literal, single_literal
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, safe_if
from ptx_lsp.fixes.verification import Site, helps
from ptx_lsp.isa.same_bits import ANY_BITS
from ptx_lsp.syntax.tree import Instruction

_INTEGER = re.compile(r"([+-]?\s*)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)U?")
_DECIMAL = re.compile(r"[+-]?\s*(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?\s*[0-9]+[eE][+-]?[0-9]+")
_EXACT = re.compile(r"0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}")
# integers with exactly as many hexadecimal digits as a float has can only be the bits of the float
_FLOAT_BITS = re.compile(r"0[xX](?:[0-9a-fA-F]{8}|[0-9a-fA-F]{16})")
_EXACT_LIMIT = 1 << 53  # up to it, a double has the value of every integer
_SINGLE_DIGITS = 8  # the hex digits of a float in single precision
MOST_VALUES = 4096
_PERMITTED = re.compile(
    r"must be (?:(?P<list>[0-9]+(?:, [0-9]+)*(?: or [0-9]+)?);"
    r"|a (?:multiple of (?P<step>[1-9][0-9]*)|power of two) from (?P<first>[0-9]+) to (?P<last>[0-9]+))"
)


def change_constant(finding: Finding, site: Site) -> Iterator[Fix]:
    """The same constant in a spelling that the slot takes, if the statement is correct with it.

    A hexadecimal integer is first read as the bits of a float, because compilers write floats like that. Then an
    integer is offered as the float of the same value, and a float as an integer of the same value or as its bits. The
    first of these is safe, and a zero where the instruction moves bits, because all its readings are the same bits:
    a constant of the wrong kind may also belong to another operand.
    """
    bits = _FLOAT_BITS.fullmatch(site.marked) is not None
    zero = _is_moved_zero(site)
    for spelling, title in _spellings(site.marked):
        if helps(site, site.start, site.end, spelling):
            safe = zero or (bits and spelling[2:].lower() == site.marked[2:].lower())
            safety = safe_if(safe)
            yield Fix(f"write `{spelling}`{title}", (Edit(finding.range, spelling),), safety)


def _is_moved_zero(site: Site) -> bool:
    """Whether the constant is an integer zero without a sign, and the instruction only moves its bits."""
    statement = site.located.statement
    found = _INTEGER.fullmatch(site.marked)
    plain = found is not None and not found[1] and _integer(found[2]) == 0
    return plain and isinstance(statement, Instruction) and statement.opcode.text in ANY_BITS


def nearest_value(finding: Finding, site: Site) -> Iterator[Fix]:
    """The permitted values next to a constant that is out of range, if only certain values are permitted.

    A mere range gives no fix: its end is rarely what was meant.
    """
    found = _INTEGER.fullmatch(site.marked)
    permitted = _PERMITTED.search(finding.message)
    if found is None or permitted is None or found[1].strip() == "-":
        return
    value = _integer(found[2])
    values = [each for each in _values(permitted) if helps(site, site.start, site.end, str(each))]
    below = max((each for each in values if each < value), default=None)
    above = min((each for each in values if each > value), default=None)
    for each in (above, below):
        if each is not None:
            yield Fix(f"write `{each}` instead of `{site.marked}`", (Edit(finding.range, str(each)),))


def _values(permitted: re.Match[str]) -> list[int]:
    """The values that a message permits: a list, the multiples of a number, or the powers of two in a range."""
    if permitted["list"]:
        return [int(number) for number in re.findall(r"[0-9]+", permitted["list"])]
    first, last = int(permitted["first"]), int(permitted["last"])
    if permitted["step"]:
        return [each for each in range(0, min(last, MOST_VALUES) + 1, int(permitted["step"])) if each >= first]
    return [1 << power for power in range(32) if first <= 1 << power <= last]


def _spellings(text: str) -> Iterator[tuple[str, str]]:
    if found := _INTEGER.fullmatch(text):
        sign, digits = found[1].strip(), found[2]
        if not sign and digits[:2] in ("0x", "0X"):
            yield from _as_bits(digits[2:])
        value = _integer(digits)
        if value <= _EXACT_LIMIT:
            yield f"{sign}{value}.0", ""
    elif _EXACT.fullmatch(text):
        digits = text[2:]
        bits = int(digits, 16)
        number = single_from_bits(bits) if len(digits) == _SINGLE_DIGITS else double_from_bits(bits)
        yield f"0x{digits}", f" (the same bits as {number!r})"
        yield from _as_integer(number)
    elif _DECIMAL.fullmatch(text):
        value_text = "".join(text.split())
        number = float(value_text)
        yield from _bits_of(number)
        yield from _as_integer(number)


def _as_integer(number: float) -> Iterator[tuple[str, str]]:
    if number.is_integer() and abs(number) <= _EXACT_LIMIT:
        yield str(int(number)), ""


def _as_bits(digits: str) -> Iterator[tuple[str, str]]:
    if len(digits) <= 8:
        bits = int(digits, 16)
        yield single_literal(bits), f" (the same bits: {single_from_bits(bits):.9g})"
    elif len(digits) <= 16:
        bits = int(digits, 16)
        yield double_literal(bits), f" (the same bits: {double_from_bits(bits):.17g})"


def _bits_of(number: float) -> Iterator[tuple[str, str]]:
    single = bits_of_single(number)
    if isinf(number) or not isinf(single_from_bits(single)):
        yield single_literal(single), f" ({number!r} as an exact `.f32`)"
    yield double_literal(bits_of_double(number)), f" ({number!r} as an exact `.f64`)"


def _integer(digits: str) -> int:
    if digits[:2] in ("0x", "0X", "0b", "0B"):
        return int(digits, 0)
    return int(digits, 8 if digits.startswith("0") and len(digits) > 1 else 10)
