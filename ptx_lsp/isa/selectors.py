"""Selectors of the video instructions: the bytes or half-words of a register that an operand reads or writes.

Source: PTX ISA, #scalar-video-instructions and #simd-video-instructions; checked with ptxas 13.5.
"""

from ptx_lsp.light_classes import lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import re

SELECTORS: dict[str, str] = {
    "part": "b[0-3]|h[01]",
    "halfmask": "h0|h1|h10",
    "halves": "h[0-3][0-3]",
    "bytemask": "b(?=.)3?2?1?0?",
    "bytes": "b[0-7]{4}",
}
"""The selectors after the dot, as a pattern, by the flag with which the rows allow them."""

_DIGITS = {"b": "01234567", "h": "0123"}
LONGEST = len("b7654")

EXAMPLES: dict[str, str] = {
    "part": "`.b0` to `.b3`, `.h0` or `.h1`",
    "halfmask": "`.h0`, `.h1` or `.h10`",
    "halves": "`.h` and two digits from 0 to 3",
    "bytemask": "`.b` and digits from 3 to 0 in falling order",
    "bytes": "`.b` and four digits from 0 to 7",
}
"""The same as text for messages."""


@forgettable
@lru_cache(maxsize=4096)
def selects(flag: str, selector: str) -> bool:
    """Whether a flag of the rows allows a selector (without its dot)."""
    return flag in SELECTORS and re.fullmatch(SELECTORS[flag], selector) is not None


def is_selector(text: str) -> bool:
    """Whether ptxas reads this (without its dot) as a selector; most of these no instruction has."""
    digits = _DIGITS.get(text[:1])
    return digits is not None and len(text) <= LONGEST and not text[1:].strip(digits)
