"""`textDocument/declaration`: where the symbol under the cursor is declared."""

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.target import declarations_of, target_at
from ptx_lsp.text.ranges import Position, Range


def declaration(module: Module, position: Position) -> list[Range]:
    """The places of the name in its declarations; empty if there is no name, or nothing declares it.

    For a function with declarations and a definition, these are the declarations. If it has a definition only, and for
    every other symbol, the result is that of `definition`.
    """
    found = target_at(module, position)
    if found is None:
        return []
    symbols = declarations_of(module, found.target)
    declaring = [symbol for symbol in symbols if not symbol.defined] or symbols
    return [symbol.mark.resolved() for symbol in declaring]
