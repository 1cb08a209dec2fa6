"""Inlay hints at offsets in the text of a block, and their kinds."""

from enum import Enum
from typing import NamedTuple


class HintKind(Enum):
    """The information in a hint; each kind can be switched off."""

    FOLDED_VALUE = "the value of an expression"
    HEX_FLOAT = "the decimal value of a float written as bits"
    TRUNCATED_VALUE = "what is left of a value"
    OPERAND_NAME = "the manual's name of an operand, or what a number counts"
    BITS = "the meaning of the bits of an integer"


class OffsetHint(NamedTuple):
    """A hint: `at` is its place, `about` the place that its tooltip describes, both offsets in the text of a block."""

    at: int
    label: str
    kind: HintKind
    about: int
