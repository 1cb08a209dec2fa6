"""The order of declarations in the text: that of a scope's tables changes when a part of the text is read again."""

from collections.abc import Iterable

from ptx_lsp.semantics.symbols import Symbol


def in_order(symbols: Iterable[Symbol]) -> list[Symbol]:
    """Some symbols in the order of their declarations."""
    return sorted(symbols, key=place)


def place(symbol: Symbol) -> tuple[int, int]:
    """The line and the column of a declaration."""
    mark = symbol.mark
    return mark.holder.line + mark.range.line, mark.range.column
