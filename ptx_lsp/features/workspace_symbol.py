"""`workspace/symbol`: the functions, kernels and variables of all modules whose names fit a query."""

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.outline.nesting import Construct, Kind
from ptx_lsp.text.ranges import Range

_EXTERN = ".extern"
_OF_MODULE = frozenset((Kind.ENTRY, Kind.FUNCTION, Kind.VARIABLE))


class ModuleName(NamedTuple):
    """A name that a module declares outside of functions.

    `range` is that of the name, `whole` that of the declaration with the body of a function. `is_defined` is False for
    a declaration whose definition is elsewhere. `is_shared` is True if other modules can name it.
    """

    name: str
    kind: Kind
    range: Range
    whole: Range
    is_defined: bool
    is_shared: bool


def module_names(outline: list[Construct]) -> Iterator[ModuleName]:
    """The names of a module, from the outline of its text, in the order of the text."""
    for each in outline:
        if each.kind in _OF_MODULE and not each.name.startswith("."):
            yield ModuleName(each.name, each.kind, each.name_range, each.range, _is_defined(each), _is_shared(each))


def _is_defined(construct: Construct) -> bool:
    if construct.kind is Kind.VARIABLE:
        return _EXTERN not in construct.detail.split()
    return construct.opening >= 0


def _is_shared(construct: Construct) -> bool:
    return any(word in LINKAGES for word in construct.detail.split())


def fits(query: str, name: str) -> bool:
    """Whether the characters of a query are in a name in this order; small letters also mean capital ones."""
    at = 0
    for letter in query:
        found = name.find(letter, at)
        if letter.islower():
            capital = name.find(letter.upper(), at)
            found = min(found, capital) if found >= 0 and capital >= 0 else max(found, capital)
        if found < 0:
            return False
        at = found + 1
    return True
