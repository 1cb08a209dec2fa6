"""Fixes for numbers with C suffixes."""

import re
import struct
from collections.abc import Iterator

from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit, Fix, safe_if
from ptx_lsp.fixes.verification import Site, fits

_FLOAT = re.compile(r"([0-9]*\.[0-9]*(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)[fFlL]")
_WHOLE_FLOAT = re.compile(r"([0-9]+)[fF]")
_BITS = re.compile(r"0[fF]([0-9a-fA-F]{1,7})|0[dD]([0-9a-fA-F]{1,15})")
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlL]+)")


def spell_number(finding: Finding, site: Site) -> Iterator[Fix]:
    """`1.0` for `1.0f` and `1f`, `10U` for `10u` and `10ull`, `10` for `10L` and, where no float may be, for `10f`."""
    spelt = respelt(site.marked)
    whole = _WHOLE_FLOAT.fullmatch(site.marked)
    for number in filter(None, (spelt, whole[1] if whole else "")):
        right = fits(site, site.start, site.end, number)
        if right or number == spelt:
            yield Fix(f"write `{number}`", (Edit(finding.range, number),), safe_if(right))
        if right:
            return


def fill_bits(finding: Finding, site: Site) -> Iterator[Fix]:
    """`0f3F800000` for `0f3F80000`: the bits of a float with zeros at their end, where people lose one."""
    found = _BITS.fullmatch(site.marked)
    if found is not None:
        width = 8 if found[1] else 16
        digits = (found[1] or found[2]).ljust(width, "0")
        (value,) = struct.unpack(">f" if found[1] else ">d", bytes.fromhex(digits))
        spelt = site.marked[:2] + digits
        yield Fix(f"write `{spelt}`, which is {value:.9g}", (Edit(finding.range, spelt),))


def respelt(text: str) -> str:
    """A number of C in the spelling of PTX; empty if `text` is not a number with a C suffix."""
    if found := _FLOAT.fullmatch(text):
        return found[1]
    if found := _WHOLE_FLOAT.fullmatch(text):
        # `0f` is the prefix of the bits of a float
        return f"{int(found[1])}.0"
    if found := _INTEGER.fullmatch(text):
        return found[1] + ("U" if "u" in found[2].lower() else "")
    return ""
