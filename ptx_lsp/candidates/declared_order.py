"""The order of declarations in the text: that of a scope's tables changes when a part of the text is read again."""

from collections.abc import Callable, Iterable
from operator import attrgetter

from ptx_lsp.reading.statement_context import PositionContext
from ptx_lsp.semantics.symbols import Scope, Symbol

_PLACE = attrgetter("mark.holder.index", "mark.range")


def in_order(symbols: Iterable[Symbol]) -> list[Symbol]:
    """Some symbols in the order of their declarations."""
    return sorted(symbols, key=_PLACE)


def last_declared(
    context: PositionContext, scope: Scope, word: str, most: int, wanted: Callable[[Symbol], bool]
) -> list[Symbol]:
    """The symbols of the single names that begin with `word` and that a scope declares above a position, in order.

    They are those of the last `most` that are `wanted`. Labels are not among them.
    """
    if len(scope.members) > most:
        return list(filter(wanted, in_order(context.last_declared(scope, word, most))[-most:]))
    first = (symbols[0] for symbols in scope.members.values())
    return in_order(each for each in first if each.name.startswith(word) and wanted(each) and scope.sees(each))
