"""Selectors of the video instructions: which bytes or half-words of a register an operand stands for.

Source: PTX ISA, #scalar-video-instructions and #simd-video-instructions; checked with ptxas 13.5.
"""

import re
from functools import cache

SELECTORS: dict[str, str] = {
    "part": "b[0-3]|h[01]",
    "halfmask": "h0|h1|h10",
    "halves": "h[0-3][0-3]",
    "bytemask": "b(?=.)3?2?1?0?",
    "bytes": "b[0-7]{4}",
}
"""What may stand behind the dot, as a pattern, by the flag with which the rows allow it."""

EXAMPLES: dict[str, str] = {
    "part": "`.b0` to `.b3`, `.h0` or `.h1`",
    "halfmask": "`.h0`, `.h1` or `.h10`",
    "halves": "`.h` and two digits from 0 to 3",
    "bytemask": "`.b` and digits from 3 to 0 in falling order",
    "bytes": "`.b` and four digits from 0 to 7",
}
"""The same in words, for messages."""


@cache
def selects(flag: str, selector: str) -> bool:
    """Whether a selector, without its dot, is one that a flag of the rows allows."""
    return flag in SELECTORS and re.fullmatch(SELECTORS[flag], selector) is not None


def is_selector(text: str) -> bool:
    """Whether some video instruction has this selector, without its dot."""
    return any(selects(flag, text) for flag in SELECTORS)
