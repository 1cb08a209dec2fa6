"""What was meant by an undeclared name: a declared name, a special register, or a word of another language."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from ptx_lsp.isa import habits
from ptx_lsp.isa.special_registers import special_registers
from ptx_lsp.semantics.reports import Mark, place
from ptx_lsp.semantics.symbols import DIGITS, Scope, Symbol

MOST_NAMES = 100
"""A scope with more names above the use is not searched: 10,000 undeclared names took 47 s with a limit of 2,000."""

_SHORTEST = 3  # letters of a name of which one may be a typo; shorter ones are alike by chance
_COMPONENTS = ("x", "y", "z", "w")


class Suggestion(NamedTuple):
    """What to write instead of an undeclared name.

    `message` is the end of a sentence; `text` replaces the name and is empty where that takes another statement.
    `safe` is true where nobody can have meant anything else.
    """

    message: str
    text: str = ""
    safe: bool = False


def suggest(name: str, use: Mark, scope: Scope) -> Suggestion | None:
    """What was meant by `name`, used at `use` in a function whose scope is `scope`; None where that is not known."""
    near = _declared_name(name, use, scope)
    if near:
        return Suggestion(f"did you mean `{near}`?", near)
    habit = habits.name(name)
    if habit is not None:
        return Suggestion(habit.message)
    special = special_name(name)
    if special:
        safe = special.lower() == name.lower()
        return Suggestion(f"did you mean the special register `{special}`?", special, safe)
    return None


@lru_cache(10_000)
def special_name(name: str) -> str:
    """The special register, with its component if `name` holds one, that `name` misspells; empty where there is none.

    `%laneId`, `laneid`, `%tidx`, `%tid_x` and `%ctadi` do.
    """
    bare = _bare(name)
    for known, register in special_registers().items():
        own = _bare(known)
        if own == bare:
            return known
        if register.vector and bare[:-1].rstrip("_") == own and bare[-1:] in _COMPONENTS:
            return f"{known}.{bare[-1]}"
    if name[:1] == "%" and len(bare) > _SHORTEST:
        return next((known for known in special_registers() if _is_typo(bare, _bare(known))), "")
    return ""


def near_name(name: str, names: Iterable[str]) -> str:
    """The one of `names` that `name` misspells: of another case, without its `%`, or with one slip; empty for none."""
    found, slip = "", ""
    for other in names:
        if _bare(other) == _bare(name):
            found = found or other
        elif not slip and _is_typo(_bare(name), _bare(other)):
            slip = other
    return found or slip


def _declared_name(name: str, use: Mark, scope: Scope) -> str:
    symbols = _visible(use, scope)
    digits = name[len(name.rstrip(DIGITS)) :]
    names: dict[str, None] = {}
    for symbol in symbols:
        if symbol.count is None:
            names[symbol.name] = None
        elif digits and int(digits[:9]) < symbol.count:
            names[symbol.name + digits] = None
    names.pop(name, None)
    return near_name(name, names)


def _visible(use: Mark, scope: Scope | None) -> list[Symbol]:
    """The names that are declared above a use, in a scope and those around it, without scopes of too many names."""
    where = place(use)
    found: list[Symbol] = []
    while scope is not None:
        above = (
            symbols[0]
            for symbols in chain(scope.members.values(), scope.families.values())
            if place(symbols[0].mark) < where
        )
        names = list(islice(above, MOST_NAMES + 1))
        if len(names) <= MOST_NAMES:
            found += names
        scope = scope.parent
    return found


@lru_cache(10_000)
def _bare(name: str) -> str:
    return name.lstrip("%").lower()


def _is_typo(word: str, other: str) -> bool:
    """Whether one letter is wrong, missing, too many, or swapped with its neighbour; digits are no letters."""
    stem, other_stem = word.rstrip(DIGITS), other.rstrip(DIGITS)
    if word[len(stem) :] != other[len(other_stem) :]:
        # `tile4` for `tile`, but never `r1` for `r2`
        return stem == other and len(stem) > _SHORTEST
    if min(len(stem), len(other_stem)) < _SHORTEST or abs(len(stem) - len(other_stem)) > 1:
        return False
    first = 0
    while first < min(len(stem), len(other_stem)) and stem[first] == other_stem[first]:
        first += 1
    rest, other_rest = stem[first:], other_stem[first:]
    return (
        rest[1:] == other_rest[1:]
        or rest[1:] == other_rest
        or rest == other_rest[1:]
        or (rest[:2] == other_rest[1::-1] and rest[2:] == other_rest[2:])
    )
