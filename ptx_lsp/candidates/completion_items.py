"""What completion offers: items in order, and the text that each of them replaces."""

from collections.abc import Generator
from enum import Enum
from typing import NamedTuple

from ptx_lsp.text.ranges import Range


class ItemKind(Enum):
    """What an item is."""

    OPCODE = "opcode"
    MODIFIER = "modifier"
    DIRECTIVE = "directive"
    TYPE = "type"
    SPACE = "state space"
    REGISTER = "register"
    SPECIAL_REGISTER = "special register"
    ELEMENT = "element of a vector"
    VARIABLE = "variable"
    PARAMETER = "parameter"
    FUNCTION = "function"
    LABEL = "label"
    NUMBER = "number"
    TEXT = "text"
    SNIPPET = "snippet"


class Item(NamedTuple):
    """One item.

    `label` is shown, and the client compares it with what is typed, or `compared` if that is not empty. `text` is what
    it inserts, with tab stops as in `${1:name}` if `snippet` is true; empty if it is the label. `detail` is shown
    beside the label. `lacking` says why the module cannot use it, empty if it can. `about` is for `explain`: the opcode
    text of which the label is a modifier, or the name of the function of a label that names a parameter.
    """

    label: str
    kind: ItemKind
    detail: str = ""
    text: str = ""
    snippet: bool = False
    lacking: str = ""
    about: str = ""
    compared: str = ""


Found = tuple[list[Item], bool]
"""Items, and whether another letter may bring others."""

FoundInSteps = Generator[None, None, Found]


class Completions(NamedTuple):
    """The items in order, the most likely first; each of them replaces the text of `range`, which is in one line.

    `incomplete` is true if there are more items, which another letter may bring: members of large families of
    registers.
    """

    range: Range
    items: tuple[Item, ...]
    incomplete: bool = False
