"""The labels that a branch can go to, and those that a function still lacks."""

import re
from collections.abc import Generator, Iterable, Mapping
from functools import lru_cache
from itertools import islice, zip_longest

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.nearby_text import (
    FAR,
    LINES_BELOW,
    MOST_PIECES,
    pieces_above,
    pieces_below,
    text_above,
    text_below,
)
from ptx_lsp.candidates.numbered_names import moved, numbered
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.symbols import Scope, Symbol
from ptx_lsp.text.ranges import Position

MOST_LABELS = 3_000  # of one scope that are looked at
_DEFINED = lazy_pattern(r"^[ \t]*([%$A-Za-z_][\w$]*)[ \t]*:(?![ \t]*\.(?:callproto|branchtar|calltar))", re.M)
_USED = lazy_pattern(r"\bbra(?:\.uni)?[ \t]+([%$A-Za-z_][\w$]*)|\.branchtargets[ \t]+([^;]*);")
_DEBUG = lazy_pattern(r"[$_.L]*(?:tmp|func_begin|func_end|info_string)[0-9]*")  # labels that debug data refers to
_NAME = lazy_pattern(r"[%$A-Za-z_][\w$]*")
_LABELS_PER_STEP = 300
_BACKWARD = 2
"""A label above the cursor counts as that many times as far away: most branches go forward."""

MOST_NEXT = 3
"""Series of labels whose next number is offered."""


def branch_label_steps(module: Module, position: Position, scope: Scope, word: str) -> Generator[None, None, list[str]]:
    """The labels that a branch at a position can go to, of whose label `word` is typed, in steps.

    They are those of four orders in turns: labels without a branch and all labels, each by their distance; labels of
    the branches nearby; and labels whose number is one off that of the nearest branch. The last label of the function
    is among the first, because threads without work go there from anywhere. Last come the labels that branches name and
    nothing defines.
    """
    above = [piece.text for piece in pieces_above(module.document, position)]
    below = [piece.text for piece in pieces_below(module.document, position)]
    if word and above and above[0].endswith(word):
        above[0] = above[0][: -len(word)]
    yield
    for piece in (*above, *below):
        _uses(piece)  # is remembered
        _definitions(piece)
        yield
    used_above = [name for piece in above for name in reversed(_uses(piece))]
    used_below = [name for piece in below for name in _uses(piece)]
    used = {*used_above, *used_below}
    distances, last = yield from _distance_steps(position, scope, above, below)
    nearest = sorted(distances, key=lambda name: (distances[name], name))
    yield
    unused = [n for n in nearest if n not in used and distances[n] < LINES_BELOW + FAR and not _DEBUG.fullmatch(n)]
    branches = dict.fromkeys(name for names in zip_longest(used_below, used_above, fillvalue="") for name in names)
    yield
    beside = [name for label in (*used_above[:1], *used_below[:1]) for name in _beside(label)]
    orders = (unused, nearest, _among(distances, branches), [*_among(distances, beside), last])
    found = dict.fromkeys(name for turn in zip_longest(*orders, fillvalue="") for name in turn if name)
    return [*found, *sorted(used - distances.keys())]


def _distance_steps(
    position: Position, scope: Scope, above: list[str], below: list[str]
) -> Generator[None, None, tuple[dict[str, int], str]]:
    """How far away each label is, from a position between two texts: in lines, twice as many above it. In steps.

    And the label that is last in the text, of those that the scope sees; empty without one.
    """
    found: dict[str, int] = {}
    last, last_line = "", position.line
    for number, symbol in enumerate(_known_labels(scope)):
        line = symbol.mark.resolved().line
        away = line - position.line
        found[symbol.name] = away if away > 0 else -away * _BACKWARD
        if line > last_line and not _DEBUG.fullmatch(symbol.name):
            last, last_line = symbol.name, line
        if number % _LABELS_PER_STEP == 0:
            yield
    passed = 0
    for piece in above:
        lines = piece.count("\n")
        for name, line in reversed(_definitions(piece)):
            found.setdefault(name, (passed + lines - line) * _BACKWARD)
        passed += lines
    passed = 1
    for piece in below:
        for name, line in _definitions(piece):
            found.setdefault(name, passed + line)
        passed += piece.count("\n")
    yield
    # a half-typed `bra` is read as a label without its colon
    words = frozenset(opcodes())
    return {name: lines for name, lines in found.items() if name not in words}, last


def _among(labels: Mapping[str, int], names: Iterable[str]) -> list[str]:
    return [name for name in names if name in labels]


def _beside(label: str) -> list[str]:
    """The next label of a series and the one before: compilers number labels in the order of their branches."""
    return [name for name in (moved(label, 1), moved(label, -1)) if name]


def _known_labels(scope: Scope) -> list[Symbol]:
    """The labels that a scope sees."""
    found: list[Symbol] = []
    for around in scope.outward():
        found += [symbols[0] for symbols in islice(around.labels.values(), MOST_LABELS) if symbols]
    return found


def lacking_labels(module: Module, position: Position, scope: Scope) -> list[str]:
    """The labels that can be defined at a position: those that branches nearby name, then the next of each series."""
    above, below = text_above(module.document, position), text_below(module.document, position)
    defined = [found[1] for found in _DEFINED.finditer(above)]
    others = {*defined, *(found[1] for found in _DEFINED.finditer(below))}
    # what the line had when it was read last is perhaps the label that is being typed
    others |= {symbol.name for symbol in _known_labels(scope) if symbol.mark.resolved().line != position.line}
    nearest = [*reversed(_uses(above)), *_uses(below)]
    lacking = [name for name in dict.fromkeys(nearest) if name not in others]
    return list(dict.fromkeys((*lacking, *_next(defined, others))))


@forgettable
@lru_cache(maxsize=MOST_PIECES)
def _definitions(text: str) -> tuple[tuple[str, int], ...]:
    """The labels that a text defines, each with the number of lines above it in the text."""
    return tuple((found[1], text.count("\n", 0, found.start())) for found in _DEFINED.finditer(text))


@forgettable
@lru_cache(maxsize=MOST_PIECES)
def _uses(text: str) -> tuple[str, ...]:
    return tuple(name for found in _USED.finditer(text) for name in _NAME.findall(found[1] or found[2]))


def _next(defined: list[str], taken: set[str]) -> list[str]:
    """The next free name of each series of labels, `$L__tmp7` after `$L__tmp6`; the nearest series first."""
    found: dict[str, str] = {}
    for name in reversed(defined):
        stem, _, number = numbered(name)
        if number < 0 or stem in found:
            continue
        number += 1
        while stem + str(number) in taken:
            number += 1
        found[stem] = stem + str(number)
        if len(found) == MOST_NEXT:
            break
    return list(found.values())
