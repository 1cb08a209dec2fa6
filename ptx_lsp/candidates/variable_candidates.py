"""The variables, parameters and functions that an operand may name."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ptx_lsp.candidates.declared_order import in_order, last_declared
from ptx_lsp.candidates.nearby_names import Mentions
from ptx_lsp.reading.statement_context import PositionContext
from ptx_lsp.semantics.symbols import Scope, Symbol, SymbolKind, symbol_kind

MOST_NEAREST = 400
"""Names of a scope that are looked at."""

MOST_MEMBERS = 20
"""Members of a family that are offered."""

_NAMED = frozenset((SymbolKind.VARIABLE, SymbolKind.PARAMETER, SymbolKind.FUNCTION, SymbolKind.ENTRY))


class VariableCandidate(NamedTuple):
    """A name that an operand may have; `symbol` is its declaration, perhaps that of its family."""

    name: str
    symbol: Symbol


def variables(
    context: PositionContext, near: Mentions, takes: Callable[[str], bool], word: str
) -> list[VariableCandidate]:
    """The names that begin with `word` and whose kinds (`judgement.kinds`) fit.

    Names of inner scopes come first. In each scope, the first names are those that nothing nearby mentions, at first
    those declared after the last one that was read, then those mentioned last.
    """
    found: list[VariableCandidate] = []
    mentioned = {**near.written_below, **near.read_below, **near.written, **near.read}
    begun = [name for name in mentioned if name.startswith(word)] if word else list(mentioned)
    fits = _remembered(takes)

    def is_candidate(symbol: Symbol) -> bool:
        return symbol.kind in _NAMED and fits(symbol_kind(symbol))

    for around in context.scope.outward():
        nearest = last_declared(context, around, word, MOST_NEAREST, is_candidate)
        names = dict.fromkeys(symbol.name for symbol in nearest)
        names.update(dict.fromkeys(filter(around.members.__contains__, begun)))
        here: list[VariableCandidate] = []
        for name in names:
            symbol = around.own(name)
            if symbol is not None and is_candidate(symbol):
                here.append(VariableCandidate(name, symbol))
        if len(around.members) > MOST_NEAREST:  # the names just above the cursor are the most likely ones
            here.reverse()
        here += [each for each in _of_families(around, word) if fits(symbol_kind(each.symbol))]
        seen = [each for each in here if context.scope.lookup(each.name) is each.symbol]  # no inner name hides it
        found += _ordered(seen, near, mentioned)
    return found


def _remembered(takes: Callable[[str], bool]) -> Callable[[str], bool]:
    """The same answers, each worked out once."""
    known: dict[str, bool] = {}

    def remembered(kind: str) -> bool:
        answer = known.get(kind)
        if answer is None:
            answer = known[kind] = takes(kind)
        return answer

    return remembered


def _of_families(scope: Scope, word: str) -> Iterator[VariableCandidate]:
    """The first members of the families of parameters and variables that a scope declares, as `.param .u64 %P<2>`."""
    for family in in_order(symbol for symbols in scope.families.values() for symbol in symbols):
        if family.kind in _NAMED and scope.sees(family):
            names = (f"{family.name}{number}" for number in range(min(family.count or 0, MOST_MEMBERS)))
            yield from (VariableCandidate(name, family) for name in names if name.startswith(word))


def _ordered(symbols: list[VariableCandidate], near: Mentions, mentioned: dict[str, int]) -> list[VariableCandidate]:
    unused = [symbol for symbol in symbols if symbol.name not in mentioned]
    above = [symbol for symbol in symbols if symbol.name in near.read]
    if above:  # compilers read parameters in the order of their declarations
        after = symbols.index(min(above, key=lambda s: near.read[s.name]))
        later = [symbol for symbol in symbols[after:] if symbol.name not in mentioned]
        unused = [*later[:_LATER], *(symbol for symbol in unused if symbol not in later[:_LATER])]
    used = sorted((s for s in symbols if s.name in mentioned), key=lambda s: _distance(s.name, near))
    return [*unused[:_UNUSED], *used[:_USED], *unused[_UNUSED:], *used[_USED:]]


_UNUSED, _USED = 13, 7
"""Names of which kind come first; together the items that a client shows."""

_LATER = 10
"""Names declared after the last one that was read, which come before those that were passed over."""


def _distance(name: str, near: Mentions) -> int:
    tables = (near.written, near.read, near.written_below, near.read_below)
    return min(table[name] for table in tables if name in table)
