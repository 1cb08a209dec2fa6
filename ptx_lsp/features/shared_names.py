"""The name at a position, if other modules can declare or define it too."""

from collections.abc import Generator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.occurrences.target import declarations_of, target_steps
from ptx_lsp.semantics.symbols import Symbol, SymbolKind
from ptx_lsp.text.ranges import Position

_EXTERN = ".extern"
_SHARED_KINDS = frozenset((SymbolKind.FUNCTION, SymbolKind.ENTRY, SymbolKind.VARIABLE))


class SharedName(NamedTuple):
    """A name; `is_defined` is True if this module defines it, `is_declared` if it has another declaration here."""

    name: str
    is_defined: bool
    is_declared: bool


def shared_name_steps(module: Module, position: Position) -> Generator[object, None, SharedName | None]:
    """The name of a function, kernel or variable that is linked with those of other modules; None for other names.

    It is found in steps between which the module must not be edited.
    """
    found = yield from target_steps(module, position)
    if found is None or found.target.opening is not None or found.target.lone:
        return None
    symbols = [symbol for symbol in declarations_of(module, found.target) if symbol.kind in _SHARED_KINDS]
    if not any(symbol.linkage in LINKAGES or not symbol.defined for symbol in symbols):
        return None
    return SharedName(
        found.target.name,
        any(map(_is_definition, symbols)),
        not all(map(_is_definition, symbols)),
    )


def _is_definition(symbol: Symbol) -> bool:
    return symbol.defined and symbol.linkage != _EXTERN
