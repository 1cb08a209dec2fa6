"""What the elements of a vector are together: ptxas holds a vector, not each of its elements, against a slot.

Observed with ptxas 13.5: every element is compared with the one before it. Untyped bits go with everything of their
width; integers, floats, packed halves and predicates keep to their own. Untyped bits anywhere decide alone, and so they
do where signed and unsigned integers are mixed; else the first element decides.
"""

from functools import cache
from itertools import pairwise
from typing import NamedTuple

from ptx_lsp.isa.types import TYPES

NATURE = {"s": "integers", "u": "integers", "f": "floats", "h": "packed halves", "p": "predicates"}
CONSTANTS = {"float": "f", "single": "f", "double": "f", "int8": "s", "int16": "s", "int32": "s", "int64": "s"}
PREDICATE_WIDTH = 32
"""A predicate counts as 32 bits among other elements (observed: ptxas 13.5)."""

DECIMAL = frozenset(("float", "double"))


class Whole(NamedTuple):
    """What a vector counts as: the kind and the index of the element that decides, and the index of one that it does
    not go with (-1: none), in its width or in its nature."""

    kind: str
    decider: int
    other_width: int = -1
    other_nature: int = -1


def counted_as(kind: str) -> str:
    """What an element of a vector counts as: the name of a variable of one value counts as a register of its type.

    Observed with ptxas 13.5, in every state space; arrays and vector variables are refused.
    """
    space, colon, type_ = kind.partition(":")
    return type_ if colon and space.startswith(".") and type_ in TYPES else kind


def is_element(kind: str) -> bool:
    """Whether a kind is a register, a special register or a constant: one that counts by its type alone."""
    return _letter(kind) != ""


def whole_of(kinds: list[str]) -> Whole | None:
    """What elements are together, of those that `is_element`; None where there are none of these."""
    found = [(i, _bare(k), _letter(k)) for i, k in enumerate(kinds) if is_element(k)]
    if not found:
        return None
    registers = [f for f in found if f[1] not in CONSTANTS]
    bits = [f for f in registers if f[2] == "b"]
    index, kind, _ = (bits or registers or found)[0]
    width = _width(kind)
    other_width = next((i for i, k, _ in registers if _width(k) != width), -1)
    if {"s", "u"} <= {letter for _, _, letter in registers}:
        kind = f".b{width}"
    return Whole(kind, index, other_width, stranger(kinds))


def stranger(kinds: list[str]) -> int:
    """The index of the first element that does not go with the one before it, of those that `is_element`; -1: none."""
    letters = [(index, letter) for index, kind in enumerate(kinds) if (letter := _letter(kind))]
    for (_, before), (index, letter) in pairwise(letters):
        if "b" not in (before, letter) and NATURE[before] != NATURE[letter]:
            return index
    return -1


def _bare(kind: str) -> str:
    return kind.partition("@")[0].lstrip("%")


@cache
def _letter(kind: str) -> str:
    bare = _bare(kind)
    letter = CONSTANTS.get(bare) or (TYPES[bare].letter if bare in TYPES else "")
    return letter if letter == "b" or letter in NATURE else ""


@cache
def _width(kind: str) -> int:
    return PREDICATE_WIDTH if kind == ".pred" else TYPES[kind].bits if kind in TYPES else 0
