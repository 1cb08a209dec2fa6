"""Document symbols: functions with their parameters, variables and labels, and the variables of the module.

Registers are not symbols: there are thousands of them. The range of a function is the whole function with its body, so
that editors can show it at the top of their window; that of a label is its block, up to the next label.
"""

from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.outline.constructs import find_constructs
from ptx_lsp.outline.nesting import Construct, Kind

Symbol = Construct
"""A symbol: `range` is its whole range, `name_range` that of its name, `children` what is inside it."""

__all__ = ["Kind", "Symbol", "document_symbols", "flat"]


def document_symbols(module: Module) -> list[Symbol]:
    """The symbols of a document in the order of the text; inner ones are the children of outer ones."""
    return find_constructs(module.document).outline


def flat(symbols: list[Symbol]) -> Iterator[Symbol]:
    """All symbols with their children, in the order of the text."""
    for symbol in symbols:
        yield symbol
        yield from symbol.children
