"""The names that a declaration probably gives: those that declarations above it give, and the next of their series.

Compilers and people name things by what they are: a family of 64-bit registers is `%rd` in every function of a file,
and the parameters of `f` are `f_param_0`, `f_param_1`. The text above is read with patterns and not parsed, because
nothing depends on the answer.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from ptx_lsp.candidates.nearby_text import MOST_PIECES, declaring_pieces
from ptx_lsp.candidates.numbered_names import numbered
from ptx_lsp.isa.directive_names import DECLARED_IN, FUNCTIONS, INITIALISED
from ptx_lsp.isa.register_families import FAMILY_NAMES
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position

MOST_LINES = 4_000
"""Lines above the declaration that are read."""

MOST_NAMES = 20  # of one answer
_MOST_NAMED = 400  # the number of the nearest declarations whose series are continued
MOST_WORDS = 12  # of a declaration before its name

_DECLARING = DECLARED_IN.union(FUNCTIONS)
_DECLARATION = lazy_pattern(
    r"(?P<head>\.(?:entry|func)\b)[ \t]*(?:\([^();]*\)\s*)?(?P<function>[\w$%]*)"
    rf"|(?P<space>\.(?:reg|param|local|shared|global|const))(?P<words>(?:[ \t]+\.?\w+){{0,{MOST_WORDS}}}?)[ \t]+"
    r"(?P<name>[%$A-Za-z_][\w$]*)(?=[ \t]*[<\[,;)=\n]|[ \t]*$)"
    r"|// *\.globl[ \t]+(?P<announced>[\w$%]+)"
)
_ANNOUNCED = ".globl"


class _Named(NamedTuple):
    """A name in the text: the space of its declaration or the head of its function, its type, its function."""

    space: str
    type: str
    name: str
    function: str


def likely_names(document: Document, position: Position, tokens: tuple[str, ...]) -> list[str]:
    """The names for a declaration of which `tokens` are there, the most likely first.

    A name that the function around the position declares already is followed by the next one of its series.
    """
    begin = max((i for i, token in enumerate(tokens) if token in _DECLARING), default=None)
    if begin is None:
        return []
    space, type_ = tokens[begin], _type(tokens[begin + 1 :])
    function = declared = function_in(tokens)
    above = list(_named_above(document, position))
    if space in FUNCTIONS:
        return _first_names(_functions(above))
    if function:
        above = [_Named(".param", "", name, function) for name in reversed(_names_in(tokens))] + above
    else:
        function = above[0].function if above else ""
    if space in INITIALISED:
        above, function = [_Named(each.space, each.type, each.name, "") for each in above], ""
    series = _series(above, space, type_, function)
    known = any(each.space == space and each.type == type_ for each in above)
    usual = [f"{declared}_param_{len(_names_in(tokens))}"] if declared not in ("", "?") else _usual(space, type_)
    return _first_names(chain(series, usual) if known else chain(usual, series))


def read_in_steps(document: Document, position: Position, tokens: tuple[str, ...]) -> Iterator[None]:
    """Read the text that `likely_names` asks for, a piece in each step: the names in it are then remembered."""
    if not _DECLARING.isdisjoint(tokens):
        for piece in declaring_pieces(document, position, MOST_LINES):
            _named_in(piece)
            yield


def _first_names(names: Iterator[str]) -> list[str]:
    found: dict[str, None] = {}
    for name in names:
        found[name] = None
        if len(found) == MOST_NAMES:
            break
    return list(found)


def _series(above: list[_Named], space: str, type_: str, function: str) -> Iterator[str]:
    """The names of declarations with this space, those with the same type first, as this function would have them."""
    taken = {each.name for each in above if each.function == function}
    of_space = [each for each in above if each.space == space and each.name not in FUNCTIONS]
    known: dict[str, tuple[int, int]] = {}
    for each in sorted(of_space[:_MOST_NAMED], key=lambda each: bool(each.type) and each.type != type_):
        name = each.name
        if each.function != function and each.function and name.startswith(each.function):
            name = function + name[len(each.function) :]
        if name not in taken:
            yield name
            continue
        yield from next_of_series(name, taken, known)
        yield name  # in another scope of the function


def next_of_series(name: str, taken: set[str], known: dict[str, tuple[int, int]]) -> Iterator[str]:
    """The next name of a series that is not taken. `known` keeps by stem a number and the next one that is not taken.

    A series of thousands of names, from each of which the next one is asked for, is counted through once.
    """
    stem, _, number = numbered(name)
    if number >= 0:
        first = number = number + 1
        lowest, free = known.get(stem, (0, 0))
        while f"{stem}{number}" in taken:
            number = free if lowest <= number < free else number + 1
        known[stem] = (first, number)
        yield f"{stem}{number}"


def _usual(space: str, type_: str) -> list[str]:
    return [FAMILY_NAMES[type_]] if space == ".reg" and type_ in FAMILY_NAMES else []


def _functions(above: list[_Named]) -> Iterator[str]:
    """The functions that a comment of the compiler announces, the last one first, then those that are named above."""
    yield from (each.name for each in above if each.space == _ANNOUNCED)
    yield from (each.name for each in above if each.space in FUNCTIONS and each.name)


def _type(tokens: tuple[str, ...]) -> str:
    """The type in the words of a declaration; empty if it is not there yet."""
    words = [token for token in tokens if token.startswith(".") and token[1:2].isalpha()]
    return next((word for word in words if (word[-1:].isdigit() and word[2:3].isdigit()) or word == ".pred"), "")


def function_in(tokens: tuple[str, ...]) -> str:
    """The name of the function whose header has these tokens; `?` if its name is not there yet, empty in no header."""
    for at, token in enumerate(tokens):
        if token in FUNCTIONS:
            rest = tokens[at + 1 :]
            if rest[:1] == ("(",) and ")" in rest:
                rest = rest[rest.index(")") + 1 :]
            return rest[0] if rest and rest[0] not in ("(", ")") else "?"
    return ""


def _names_in(tokens: tuple[str, ...]) -> list[str]:
    """The parameters that a header has so far."""
    return [
        token
        for token, after in zip(tokens, (*tokens[1:], ""), strict=True)
        if after in (",", ")", "[") and token[:1] not in ".[]()," and not token.isdigit()
    ]


def _named_above(document: Document, position: Position) -> Iterator[_Named]:
    """The names that the text above a position declares, the nearest first; each with the function that it is in."""
    function = ""
    ordered: list[_Named] = []
    for piece in reversed(list(declaring_pieces(document, position, MOST_LINES))):
        for each in _named_in(piece):
            if each.space in FUNCTIONS:
                function = each.name
            ordered.append(_Named(each.space, each.type, each.name, function))
    return reversed(ordered)


@forgettable
@lru_cache(maxsize=MOST_PIECES)
def _named_in(text: str) -> tuple[_Named, ...]:
    """The names that a text declares, in order, without the function around them."""
    found = []
    for match in _DECLARATION.finditer(text):
        if match["head"]:
            found.append(_Named(match["head"], "", match["function"], ""))
        elif match["announced"]:
            found.append(_Named(_ANNOUNCED, "", match["announced"], ""))
        else:
            found.append(_Named(match["space"], _type(tuple(match["words"].split())), match["name"], ""))
    return tuple(found)
