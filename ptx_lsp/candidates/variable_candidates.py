"""The variables, parameters and functions that an operand may name."""

from collections.abc import Callable
from itertools import islice

from ptx_lsp.candidates.nearby_names import Mentions
from ptx_lsp.semantics.operands import symbol_kind
from ptx_lsp.semantics.symbols import Scope, Symbol, SymbolKind

MOST_NAMES = 3_000
"""Names of a scope that are looked at."""

_NAMED = frozenset((SymbolKind.VARIABLE, SymbolKind.PARAMETER, SymbolKind.FUNCTION, SymbolKind.ENTRY))


def variables(scope: Scope, near: Mentions, takes: Callable[[str], bool], word: str) -> list[Symbol]:
    """The names that begin with `word` and whose kinds (`judgement.kinds`) fit.

    Names of inner scopes come first. In each scope, the first names are those that nothing nearby mentions, at first
    those declared after the last one that was read, then those mentioned last.
    """
    found: list[Symbol] = []
    mentioned = {**near.written_below, **near.read_below, **near.written, **near.read}
    seen: set[str] = set()
    around: Scope | None = scope
    while around is not None:
        here: list[Symbol] = []
        names = dict.fromkeys(islice(reversed(around.members), MOST_NAMES))
        names.update((name, None) for name in mentioned if name in around.members)
        for name in names:
            symbol = around.own(name)
            if symbol is None or name in seen or symbol.kind not in _NAMED or not name.startswith(word):
                continue
            seen.add(name)
            if takes(symbol_kind(symbol)):
                here.append(symbol)
        here.reverse()  # the order of their declarations
        found += _ordered(here, near, mentioned)
        around = around.parent
    return found


def _ordered(symbols: list[Symbol], near: Mentions, mentioned: dict[str, int]) -> list[Symbol]:
    unused = [symbol for symbol in symbols if symbol.name not in mentioned]
    above = [symbol for symbol in symbols if symbol.name in near.read]
    if above:  # compilers read parameters in the order of their declarations
        after = symbols.index(min(above, key=lambda s: near.read[s.name]))
        later = [symbol for symbol in symbols[after:] if symbol.name not in mentioned]
        unused = [*later[:_LATER], *(symbol for symbol in unused if symbol not in later[:_LATER])]
    used = sorted((s for s in symbols if s.name in mentioned), key=lambda s: _distance(s.name, near))
    return [*unused[:_FIRST], *used[:_FIRST], *unused[_FIRST:], *used[_FIRST:]]


_FIRST = 10
_LATER = 4
"""Names declared after the last one that was read, which come before those that were passed over."""


def _distance(name: str, near: Mentions) -> int:
    tables = (near.written, near.read, near.written_below, near.read_below)
    return min(table[name] for table in tables if name in table)
