"""The registers that an operand may name, the most likely first: those that the text nearby writes and reads."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from ptx_lsp.features.nearby_names import Mentions
from ptx_lsp.semantics.operands import symbol_kind
from ptx_lsp.semantics.symbols import DIGITS, Scope, Symbol, SymbolKind

MOST_DECLARED = 2_000
"""Registers with a declaration of their own that are looked at in a scope."""

MOST_FRESH = 4
"""Numbers of a family that are offered although nothing mentions them."""

_UNREAD, _RECENT, _LIVE, _OFTEN = 1.0, 1.2, 3.0, 3.0
_WANTED, _FRESH, _WRITTEN = 1.0, 1.0, 2.0


class Candidate(NamedTuple):
    """A register by its name; `fits` is false if its type does not fit the operand."""

    name: str
    symbol: Symbol
    fits: bool


class Wanted(NamedTuple):
    """What an operand takes: `takes` says whether a kind (`judgement.kinds`) fits; `written` is true for a result."""

    takes: Callable[[str], bool]
    written: bool


def registers(scope: Scope, near: Mentions, wanted: Wanted, word: str) -> list[Candidate]:
    """The registers of a scope whose names begin with `word`, in order; those that fit come first.

    Of a family they are those that are mentioned nearby and the next ones that are not; with digits in `word`, also
    the members whose numbers begin with them.
    """
    fits = _fitting(wanted)
    known: dict[str, Symbol] = {}
    for name in _mentioned(near):
        symbol = scope.lookup(name) if name.startswith(word) else None
        if symbol is not None and symbol.kind is SymbolKind.REGISTER:
            known[name] = symbol
    families, single = _declared(scope)
    used = _mentioned(near)
    fresh: list[str] = []
    for symbol in families:
        for name in _fresh(symbol, near, used):
            if name.startswith(word) and name not in known and scope.lookup(name) is symbol:
                known[name] = symbol
                fresh.append(name)
    for symbol in single:
        if symbol.name not in known and symbol.name.startswith(word):
            known[symbol.name] = symbol
            fresh.append(symbol.name)
    for name in _numbered(families, word):
        symbol_there = scope.lookup(name)
        if name not in known and symbol_there is not None and symbol_there.kind is SymbolKind.REGISTER:
            known[name] = symbol_there
    fitting = [name for name, symbol in known.items() if fits(symbol)]
    others = [name for name in known if name not in set(fitting)]
    order = _written_order if wanted.written else _read_order
    found = [Candidate(name, known[name], True) for name in order(fitting, near, fresh)]
    return found + [Candidate(name, known[name], False) for name in order(others, near, fresh)]


def _fitting(wanted: Wanted) -> Callable[[Symbol], bool]:
    known: dict[str, bool] = {}

    def fits(symbol: Symbol) -> bool:
        kind = symbol_kind(symbol)
        if kind not in known:
            known[kind] = wanted.takes(kind)
        return known[kind]

    return fits


def _mentioned(near: Mentions) -> dict[str, None]:
    found: dict[str, None] = {}
    for table in (near.written, near.read, near.read_below, near.written_below):
        found.update(dict.fromkeys(table))
    return found


def _declared(scope: Scope) -> tuple[list[Symbol], list[Symbol]]:
    """The families and the registers with a declaration of their own that a scope sees, the innermost scope first."""
    families: list[Symbol] = []
    single: list[Symbol] = []
    around: Scope | None = scope
    while around is not None and around.parent is not None:
        families += [symbol for symbols in around.families.values() for symbol in symbols]
        members = islice(around.members.values(), MOST_DECLARED)
        single += [symbols[0] for symbols in members if symbols[0].kind is SymbolKind.REGISTER]
        around = around.parent
    return families, single


def _fresh(family: Symbol, near: Mentions, used: dict[str, None]) -> Iterator[str]:
    """The first numbers of a family that nothing nearby mentions: after the last written one, and from the lowest."""
    stem, count = family.name, family.count or 0
    size = len(stem)
    numbers = [int(name[size:]) for name in near.written if name.startswith(stem) and _is_number(name[size:])]
    last = max((number for number in numbers if number < count), default=-1)
    latest = numbers[0] if numbers else -1  # the tables begin with the nearest names
    for begin in dict.fromkeys((latest, last, 0)):
        found = (f"{stem}{number}" for number in range(begin + 1, count) if f"{stem}{number}" not in used)
        yield from islice(found, MOST_FRESH)


def _is_number(digits: str) -> bool:
    return digits.isdecimal() and len(digits) < 10


def _numbered(families: Iterable[Symbol], word: str) -> Iterator[str]:
    """The members of families whose names begin with `word`, if it has a digit: itself and those with one more."""
    if word[-1:] not in DIGITS or not word:
        return
    yield word
    for digit in DIGITS:
        yield word + digit


def _read_order(names: list[str], near: Mentions, fresh: list[str]) -> list[str]:
    """An operand that is read: values that nothing has read yet, then those mentioned last, and those read often."""
    here = set(names)
    written = {name: distance for name, distance in near.written.items() if name in here}
    unread = [name for name in written if name not in near.read and name not in near.read_below]
    recent = _by_distance(here, near.written, near.read)
    live = [name for name in near.read_below if name in here]
    often = sorted((name for name in near.reads if name in here), key=lambda name: -near.reads[name])
    lists = ((unread, _UNREAD), (recent, _RECENT), (live, _LIVE), (often, _OFTEN))
    return _merged(names, lists)


def _written_order(names: list[str], near: Mentions, fresh: list[str]) -> list[str]:
    """An operand that is written: what is read and never written, then registers not used yet, then the last ones."""
    here = set(names)
    reads = (*near.read_below, *near.read)
    wanted = [n for n in dict.fromkeys(reads) if n in here and n not in near.written and n not in near.written_below]
    recent = _by_distance(here, near.written, near.read)
    new = [name for name in fresh if name in here]
    return _merged(names, ((wanted, _WANTED), (new, _FRESH), (recent, _WRITTEN)))


def _by_distance(here: set[str], *tables: dict[str, int]) -> list[str]:
    nearest: dict[str, int] = {}
    for table in tables:
        for name, distance in table.items():
            if name in here and distance < nearest.get(name, distance + 1):
                nearest[name] = distance
    return sorted(nearest, key=nearest.__getitem__)


def _merged(names: list[str], lists: Iterable[tuple[list[str], float]]) -> list[str]:
    """All names, ordered by the best of their places in some lists; the places of a list count with its weight."""
    best: dict[str, float] = {}
    for ranked, weight in lists:
        for place, name in enumerate(ranked, 1):
            best[name] = min(best.get(name, place * weight), place * weight)
    return sorted(names, key=lambda name: best.get(name, float("inf")))
