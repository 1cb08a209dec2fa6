"""The types and modifiers of semantic tokens, in the order of the legend that the server announces.

The names are those of the protocol, so that every editor has colours for them. A register is a `variable`, a variable
in memory is a `variable` that is `static`, and a special register is a `variable` of the `defaultLibrary`.
"""

from enum import IntEnum, IntFlag
from typing import NamedTuple


class TokenType(IntEnum):
    """What a token is; the value is its index in the legend."""

    OPCODE = 0
    DIRECTIVE = 1
    TYPE = 2
    MODIFIER = 3
    VARIABLE = 4
    PARAMETER = 5
    LABEL = 6
    FUNCTION = 7
    NUMBER = 8
    STRING = 9
    COMMENT = 10


class TokenModifier(IntFlag):
    """More about a token; each value is one bit, in the order of the legend.

    `UNUSED` is set if nothing uses what is declared, `STATIC` for a variable in memory, `DEFAULT_LIBRARY` for a special
    register. A name that is read and written has both bits.
    """

    DECLARATION = 1
    READ = 2
    WRITE = 4
    UNUSED = 8
    DEPRECATED = 16
    STATIC = 32
    DEFAULT_LIBRARY = 64


TYPE_NAMES = (
    *("keyword", "macro", "type", "modifier", "variable", "parameter", "label", "function"),
    *("number", "string", "comment"),
)
"""The names of the types in the protocol."""

MODIFIER_NAMES = ("declaration", "read", "write", "unused", "deprecated", "static", "defaultLibrary")
"""The names of the modifiers; `read`, `write` and `unused` are not in the protocol's list, which may be extended."""


class Token(NamedTuple):
    """One coloured word; `line` and `column` count from 0, `column` and `length` in code points."""

    line: int
    column: int
    length: int
    type: TokenType
    modifiers: int
