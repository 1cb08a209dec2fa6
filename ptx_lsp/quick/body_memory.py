"""Remembered bodies: the whole body of a function is fine wherever the names around it have the same meaning.

Templates and small functions that are not inlined give many functions whose bodies differ only in the name of
the function, which is the begin of the names of its parameters. The text of a body, the meaning of the names that it
does not declare itself, the version and the target decide whether it is fine, and what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from operator import attrgetter

from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.memo import Memo
from ptx_lsp.quick.effect import DECLARED, NAMES, PARAMETER, WORDS, WRITTEN, Effect, LineEffect, NamePlace, View
from ptx_lsp.quick.operand_kinds import OWN
from ptx_lsp.semantics.symbols import DIGITS, Mark, Scope, Symbol

LONGEST_BODY = 30_000  # characters
MOST_BRACES_AT_MARGIN = 64  # of one body
_OWN = "\r"  # in place of the name of the function; no text that recognisers read has one before a parameter's name
_BEFORE_NAMES = "[ \t"
_MEANING = attrgetter(*(name for name in Symbol.__slots__ if name not in ("mark", "name")))

Meaning = tuple[object, ...] | None  # of a name: what its symbol says except name and place; None without a symbol


class BodyText(NamedTuple):
    """A body in a text: the offsets of the line after its `{` and of its `}`, and the key for the memory."""

    start: int
    brace: int
    key: str


class KnownBody(NamedTuple):
    """What the body of a function does. Lines count from that after the `{`.

    `line` has all names that are mentioned, written, and declared between inner braces, except for `parameters`, which
    are the names of parameters among them. `declares` are the registers and variables that the body declares, with
    their lines and columns. `outer` are the names that may have another meaning around the function, with their
    meanings. `own` are the names of `declares` and the labels; `stems` are those of the register families. The names of
    parameters begin with `\\r` in place of the name of the function.
    """

    line: LineEffect
    parameters: tuple[str, ...]
    labels: tuple[NamePlace, ...]
    branches: tuple[NamePlace, ...]
    declares: tuple[tuple[Symbol, int, int], ...]
    outer: tuple[tuple[str, Meaning], ...]
    own: frozenset[str]
    stems: frozenset[str]


BodyMemory = Memo[str, KnownBody]


def body_at(text: str, start: int, function: str) -> BodyText | None:
    """The body that begins at the offset `start`, after the line of its `{`; None if it is long or has no plain end."""
    end = _end(text, start)
    if end < 0:
        return None
    body = text[start : end + 1]
    if "\r" in body:
        return None
    own = function + PARAMETER
    if own in body:
        for before in _BEFORE_NAMES:
            body = body.replace(before + own, before + _OWN + PARAMETER)
    return BodyText(start, end + 1, body)


def _end(text: str, start: int) -> int:
    """The offset before the line of the `}` that probably ends a body; -1 without one.

    Inner braces may be at the margin too. Braces in comments are counted: a wrong end is noticed when the body is read.
    """
    end = start - 1
    for _ in range(MOST_BRACES_AT_MARGIN):
        end = text.find("\n}\n", end, start + LONGEST_BODY)
        if end < 0 or text.count("{", start, end) <= text.count("}", start, end):
            return end
        end += 1
    return -1


def known_body(body: BodyText, first: int, view: View, name_mark: Callable[[str, int, int], Mark]) -> Effect | None:
    """The effect of a body with its `}`, if it is known and fine here; it begins with the line `first` of its block.

    The scope of the view is that of the function, which declares the parameters and nothing else so far.
    """
    known = view.known.bodies.get(body.key)
    if known is None or not view.shallow or not _fits(known, view.scope, view.table.function):
        return None
    effect = Effect(body.brace + len("}\n"))
    effect.lines.append(_with_parameters(known, view.table.function))
    effect.labels = [NamePlace(name, line + first, column) for name, line, column in known.labels]
    effect.branches = [NamePlace(name, line + first, column) for name, line, column in known.branches]
    effect.declares = tuple(
        _at(symbol, name_mark(symbol.name, line + first, column)) for symbol, line, column in known.declares
    )
    effect.closes = body.brace
    return effect


def _fits(known: KnownBody, scope: Scope, function: str) -> bool:
    """Whether all other names have the same meaning here as before, and those that the body declares are free."""
    if not _is_free(scope, known.own, known.stems):
        return False
    for name, meaning in known.outer:
        symbol = scope.lookup(function + name[1:] if name[0] == _OWN else name)
        if (symbol if symbol is None else _MEANING(symbol)) != meaning:
            return False
    return True


def _is_free(scope: Scope, own: frozenset[str], stems: frozenset[str]) -> bool:
    """Whether the parameters have other names than the body's, and no name outside hides a member of its families."""
    if not own.isdisjoint(scope.members) or not stems.isdisjoint(scope.numbered):
        return False
    around = scope.parent
    return not scope.families and around is not None and not around.families and stems.isdisjoint(around.numbered)


def _at(symbol: Symbol, mark: Mark) -> Symbol:
    # the attributes that declarations in a body can have; a keyword argument costs more
    return Symbol(
        symbol.name,
        symbol.kind,
        mark,
        symbol.space,
        symbol.type,
        symbol.vector,
        symbol.dimensions,
        symbol.count,
        symbol.alignment,
        symbol.linkage,
    )


def _with_parameters(known: KnownBody, function: str) -> LineEffect:
    if not known.parameters:
        return known.line
    return known.line._replace(names=(*known.line.names, *(function + name[1:] for name in known.parameters)))


class BodyResults(NamedTuple):
    """What reading a body gave: the effects of its lines, its labels and branches, and the names between inner braces.

    The body begins with the line `first` of its block. `function` is the symbol of the function.
    """

    function: Symbol
    first: int
    lines: Iterable[LineEffect]
    labels: Iterable[Symbol]
    branches: Iterable[tuple[str, Mark]]
    inner: Iterable[str]


def remember_body(memory: BodyMemory, key: str, scope: Scope, results: BodyResults) -> None:
    """Remember a body that is fine. `scope` is that of the function, which has all declarations by now."""
    function, first = results.function.name, results.first
    effects = set(results.lines)
    names = set(chain.from_iterable(map(NAMES, effects)))
    words = {word.partition(" ")[0] for word in chain.from_iterable(map(WORDS, effects))}
    written = set(chain.from_iterable(map(WRITTEN, effects)))
    inner = set(results.inner).union(chain.from_iterable(map(DECLARED, effects)))
    prefix = function + PARAMETER
    parameters = {name for name in names if name.startswith(prefix)}
    declares = [symbol for symbol in _declared(scope) if symbol.mark.range.line >= first]
    stems = frozenset(symbol.name for symbol in declares if symbol.count is not None)
    own = frozenset(symbol.name for symbol in (*declares, *results.labels))
    if not written.isdisjoint(parameters) or any(symbol != _at(symbol, symbol.mark) for symbol in declares):
        return
    around = scope.parent
    given = {name: symbols[0] for name, symbols in scope.members.items() if symbols[0].mark.range.line < first}
    if around is None or around.families or not stems.isdisjoint(around.numbered):
        return
    outer = {}
    for name in {name.partition(".")[0] for name in (*names, *words, *written, *inner)}:
        if name.rstrip(DIGITS) in stems:
            continue
        full = function + name[1:] if name[0] == OWN else name
        symbol = given.get(full) or around.lookup(full)
        short = _OWN + full[len(function) :] if full.startswith(prefix) else full
        outer[short] = symbol if symbol is None else _MEANING(symbol)
    memory[key] = KnownBody(
        LineEffect((), tuple(names - parameters), tuple(written), tuple(inner)),
        tuple(_OWN + name[len(function) :] for name in parameters),
        tuple(NamePlace(label.name, *_place(label.mark, first)) for label in results.labels),
        tuple(NamePlace(name, *_place(mark, first)) for name, mark in results.branches),
        tuple((symbol, *_place(symbol.mark, first)) for symbol in sorted(declares, key=lambda s: s.mark.range)),
        tuple(outer.items()),
        own,
        stems,
    )


def _declared(scope: Scope) -> list[Symbol]:
    return [symbol for table in (scope.members, scope.families) for symbols in table.values() for symbol in symbols]


def _place(mark: Mark, first: int) -> tuple[int, int]:
    return mark.range.line - first, mark.range.column
