"""The order of declarations in the text: that of a scope's tables changes when a part of the text is read again."""

from collections.abc import Iterable

from ptx_lsp.semantics.symbols import Symbol, place


def in_order(symbols: Iterable[Symbol]) -> list[Symbol]:
    """Some symbols in the order of their declarations."""
    return sorted(symbols, key=lambda symbol: place(symbol.mark))
