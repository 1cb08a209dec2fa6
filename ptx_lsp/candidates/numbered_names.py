"""Names that end with a number: `%r7` is the member 7 of the family `%r`, `$L__tmp7` the label 7 of a series."""

from functools import lru_cache
from typing import NamedTuple

from ptx_lsp.memo import forgettable
from ptx_lsp.semantics.symbols import DIGITS, LONGEST_NUMBER

MOST_DIVIDED = 20_000
"""Names whose numbers are remembered: the names near the cursor are looked at with every key."""


class Numbered(NamedTuple):
    """A name without the digits at its end, these digits, and the number that they write.

    `number` is -1 without digits, and with `LONGEST_NUMBER` digits or more.
    """

    stem: str
    digits: str
    number: int


@forgettable
@lru_cache(maxsize=MOST_DIVIDED)
def numbered(name: str) -> Numbered:
    """The parts of a name."""
    stem = name.rstrip(DIGITS)
    digits = name[len(stem) :]
    return Numbered(stem, digits, int(digits) if digits and len(digits) < LONGEST_NUMBER else -1)


def moved(name: str, by: int) -> str:
    """The name of the same family whose number is larger by `by`; empty without a number, and if that is below 0."""
    stem, _, number = numbered(name)
    return f"{stem}{number + by}" if number >= 0 <= number + by else ""


def distance(first: str, second: str) -> int | None:
    """The difference between the numbers of two names; None if they are not of one family."""
    (stem, _, number), (other, _, last) = numbered(first), numbered(second)
    return last - number if stem == other and number >= 0 <= last else None
