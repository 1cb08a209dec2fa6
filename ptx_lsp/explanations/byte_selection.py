"""The selector of `prmt` as the list of the bytes that it selects.

Source: PTX ISA, #data-movement-and-conversion-instructions-prmt.
"""

from ptx_lsp.isa.matching import Match

_MODES = {
    ".f4e": ("3210", "4321", "5432", "6543"),
    ".b4e": ("5670", "6701", "7012", "0123"),
    ".rc8": ("0000", "1111", "2222", "3333"),
    ".ecl": ("3210", "3211", "3222", "3333"),
    ".ecr": ("0000", "1110", "2210", "3210"),
    ".rc16": ("1010", "3232", "1010", "3232"),
}
"""The bytes of the result, the highest first, for each value of the low two bits of the selector."""

_BYTES = ("a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3")
_SIGN = 8


def selected_bytes(match: Match, selector: int) -> str:
    """The bytes of a constant selector: "bytes of `d`, the highest first: `b1 b0 a1 a0`"; `a0` is the lowest of `a`."""
    return f"bytes of `d`, the highest first: `{byte_names(match, selector)}`"


def byte_names(match: Match, selector: int) -> str:
    """The bytes that a constant selector selects, the highest first: "b1 b0 a1 a0"."""
    mode = next((_MODES[word] for word in match.words if word in _MODES), None)
    if mode is not None:
        digits = [int(digit) for digit in mode[selector & 3]]
    else:
        digits = [selector >> shift & 15 for shift in (12, 8, 4, 0)]
    return " ".join(_BYTES[d % _SIGN] if d < _SIGN else f"sign({_BYTES[d % _SIGN]})" for d in digits)
