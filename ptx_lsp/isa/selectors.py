"""Selectors of the video instructions: which bytes or half-words of a register an operand stands for.

Source: PTX ISA, #scalar-video-instructions and #simd-video-instructions; checked with ptxas 13.5.
"""

from itertools import product


def _masks(letter: str, count: int) -> frozenset[str]:
    """Every choice of parts, the highest first: `b0`, `b10`, ... `b3210`."""
    numbers = range(1, 2**count)
    return frozenset(letter + "".join(str(i) for i in range(count - 1, -1, -1) if n >> i & 1) for n in numbers)


def _picks(letter: str, count: int, of: int) -> frozenset[str]:
    """Every way to pick `count` parts out of those of both sources: `h32`, `b7654`."""
    return frozenset(letter + "".join(map(str, way)) for way in product(range(of), repeat=count))


SELECTORS: dict[str, frozenset[str]] = {
    "part": frozenset(("b0", "b1", "b2", "b3", "h0", "h1")),
    "halfmask": _masks("h", 2),
    "halves": _picks("h", 2, 4),
    "bytemask": _masks("b", 4),
    "bytes": _picks("b", 4, 8),
}
"""What may stand behind the dot, by the flag with which the rows allow it."""

EXAMPLES: dict[str, str] = {
    "part": "`.b0` to `.b3`, `.h0` or `.h1`",
    "halfmask": "`.h0`, `.h1` or `.h10`",
    "halves": "`.h` and two digits from 0 to 3",
    "bytemask": "`.b` and digits from 3 to 0 in falling order",
    "bytes": "`.b` and four digits from 0 to 7",
}
"""The same in words, for messages."""
