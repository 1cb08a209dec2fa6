"""`textDocument/declaration`: where the symbol under the cursor is declared."""

from collections.abc import Generator, Iterator
from typing import Any

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.target import declarations_of, target_steps
from ptx_lsp.text.ranges import Position, Range


def declaration(module: Module, position: Position) -> list[Range]:
    """The places of the name in its declarations; empty if there is no name, or nothing declares it.

    For a function with declarations and a definition, these are the declarations. If it has a definition only, and for
    every other symbol, the result is that of `definition`.
    """
    return [place for some in declaration_steps(module, position) for place in some]


def declaration_steps(module: Module, position: Position) -> Iterator[list[Range]]:
    """The places of `declaration`, in lists of which most are empty. The module must not be edited between them."""
    yield (yield from _places(module, position))


def _places(module: Module, position: Position) -> Generator[list[Any], None, list[Range]]:
    found = yield from target_steps(module, position)
    if found is None:
        return []
    symbols = declarations_of(module, found.target)
    declaring = [symbol for symbol in symbols if not symbol.defined] or symbols
    return [symbol.mark.resolved() for symbol in declaring]
