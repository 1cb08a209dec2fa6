"""Remembered bodies: the whole body of a function is fine wherever the names around it have the same meaning.

Templates and small functions that are not inlined give many functions whose bodies differ only in names: that of the
function, with which the names of its parameters begin, its number in the names of its labels, and the names of the
functions and variables that it uses. The text of a body without these names, the meanings of all names that it does not
declare itself, the version and the target decide whether it is fine, and what it does.
"""

from __future__ import annotations

from itertools import chain

from ptx_lsp.light_classes import Callable, Collection, Iterable, Mapping, NamedTuple, attrgetter
from ptx_lsp.memo import Memo
from ptx_lsp.quick.body_text import (
    VARYING_MARK,
    VARYING_NAME,
    BodyText,
    Names,
    column_in_key,
    growth,
    marks_of,
    shortened,
    written_out,
)
from ptx_lsp.quick.effect import DECLARED, NAMES, WORDS, WRITTEN, Effect, LineEffect
from ptx_lsp.quick.operand_kinds import OWN
from ptx_lsp.semantics.surroundings import NamePlace
from ptx_lsp.semantics.symbols import DIGITS, Mark, Scope, Symbol, place

_MEANING = attrgetter(*(name for name in Symbol.__slots__ if name not in ("mark", "name", "names", "signature")))
_MEANING_OF_PARAMETER = attrgetter(*(name for name in Symbol.__slots__ if name not in ("mark", "name", "names")))

_new = tuple.__new__  # the constructor of a named tuple takes three times as long
Meaning = tuple[object, ...] | None  # of a name: what its symbol says except names and place; None without a symbol


class BodyPlaces(NamedTuple):
    """The labels, branches and declared names of a body. Lines count from that after the `{`; columns are the key's.

    `inner_labels` are the labels between inner braces, to which nothing branches. `declares` are the registers,
    variables and lists of targets that the body declares, with their lines and columns. `undeclared` are the uses of
    names that nothing declares: they are reported at the end of the function. `shifted` are the lines of the
    key, by number, in which a name that varies is before a place: there, the column in the text depends on the length
    of the name.
    """

    labels: tuple[NamePlace, ...]
    inner_labels: tuple[NamePlace, ...]
    branches: tuple[NamePlace, ...]
    declares: tuple[tuple[Symbol, int, int], ...]
    undeclared: tuple[NamePlace, ...]
    shifted: dict[int, str]


class KnownBody(NamedTuple):
    """What the body of a function does.

    `line` has all names that are mentioned, written, and declared between inner braces, except for those that vary;
    `mentioned`, `written` and `inner` have these. `outer` are the names that may have another meaning around the
    function, with their meanings. `own` are the names that the body declares in its own scope, labels included; `stems`
    are those of the register families. Names that vary are written as in the key.
    """

    line: LineEffect
    mentioned: tuple[str, ...]
    written: tuple[str, ...]
    inner: tuple[str, ...]
    places: BodyPlaces
    outer: tuple[tuple[str, Meaning], ...]
    own: frozenset[str]
    stems: frozenset[str]


BodyMemory = Memo[str, KnownBody]


def known_body(
    memory: BodyMemory, body: BodyText, first: int, scope: Scope, name_mark: Callable[[str, int, int], Mark]
) -> Effect | None:
    """The effect of a body with its `}`, if it is known and fine here; it begins with the line `first` of its block.

    The scope is that of the function, which declares the parameters and nothing else so far.
    """
    known = memory.get(body.key)
    if known is None or not _fits(known, scope, body.names):
        return None
    return body_effect(known, body.names, body.brace, first, name_mark)


def body_effect(
    known: KnownBody, names: Names, brace: int, first: int, name_mark: Callable[[str, int, int], Mark]
) -> Effect:
    """The effect of a known body with these names; its `}` is at the offset `brace`."""
    places, shifted = known.places, known.places.shifted

    def place(name: str, line: int, column: int) -> NamePlace:
        if line in shifted:
            column += sum(growth(found[0], names) for found in VARYING_NAME.finditer(shifted[line], 0, column))
        return _new(NamePlace, (written_out(name, names), line + first, column))

    effect = Effect(brace + len("}\n"))
    effect.lines.append(_with_names(known, names))
    effect.labels = [place(*each) for each in places.labels]
    effect.inner_labels = [place(*each) for each in places.inner_labels]
    effect.branches = [place(*each) for each in places.branches]
    effect.undeclared = [place(*each) for each in places.undeclared]
    declares = []
    for symbol, line, column in places.declares:
        here = place(symbol.name, line, column)
        listed = tuple(written_out(name, names) for name in symbol.names)
        declares.append(_at(symbol, here.name, name_mark(*here), listed))
    effect.declares = tuple(declares)
    effect.closes = brace
    return effect


def _fits(known: KnownBody, scope: Scope, names: Names) -> bool:
    """Whether all other names have the same meaning here as before, and those that the body declares are free."""
    own = known.own
    if names.labels or names.variables:
        own = frozenset(written_out(name, names) for name in own)
    if not _is_free(scope, own, known.stems) or not own.isdisjoint(names.outer):
        return False
    if may_be_members((*names.outer, *names.variables), (*known.stems, *known.line.declared)):
        return False
    return all(meaning_of(scope.lookup(written_out(name, names))) == meaning for name, meaning in known.outer)


def may_be_members(names: Iterable[str], families: tuple[str, ...]) -> bool:
    """Whether one of these names may be that of a member of a family of registers, which hides the outer name."""
    return any(name[-1] in DIGITS and name.startswith(families) for name in names)


def meaning_of(symbol: Symbol | None) -> Meaning:
    """What a symbol says except names and places."""
    if symbol is None or symbol.model is None:
        return symbol if symbol is None else _MEANING(symbol)
    returns, parameters, *rest = symbol.model
    formals = tuple(map(_MEANING_OF_PARAMETER, returns)), tuple(map(_MEANING_OF_PARAMETER, parameters))
    return *_MEANING(symbol), *formals, *rest


def _is_free(scope: Scope, own: frozenset[str], stems: frozenset[str]) -> bool:
    """Whether the parameters have other names than the body's, and no name outside hides a member of its families."""
    if not own.isdisjoint(scope.members) or not stems.isdisjoint(scope.numbered):
        return False
    around = scope.parent
    return not scope.families and around is not None and not around.families and not has_any(around.numbered, stems)


def has_any(table: Mapping[str, object], names: Collection[str]) -> bool:
    """Whether a table has one of these names: `isdisjoint` would look at every key of a large table."""
    return any(map(table.__contains__, names))


def _at(symbol: Symbol, name: str, mark: Mark, listed: tuple[str, ...]) -> Symbol:
    # the attributes that declarations in a body can have; a keyword argument costs more
    return Symbol(
        name,
        symbol.kind,
        mark,
        symbol.space,
        symbol.type,
        symbol.vector,
        symbol.dimensions,
        symbol.count,
        symbol.alignment,
        symbol.linkage,
        names=listed,
    )


def _with_names(known: KnownBody, names: Names) -> LineEffect:
    if not known.mentioned and not known.written and not known.inner:
        return known.line
    _, mentioned, written, declared = known.line
    declared = (*declared, *(written_out(name, names) for name in known.inner))
    mentioned = (*mentioned, *(written_out(name, names) for name in known.mentioned))
    written = (*written, *(written_out(name, names) for name in known.written))
    return LineEffect((), mentioned, written, declared)


class BodyResults(NamedTuple):
    """What reading a body gave: the effects of its lines, its labels and branches, and the names between inner braces.

    The body begins with the line `first` of its block. `labels` are those of its own scope, to which alone it branches;
    `inner_labels` are those between inner braces. `undeclared` are the uses of undeclared names, in order.
    """

    first: int
    lines: Iterable[LineEffect]
    labels: Iterable[Symbol]
    branches: Iterable[tuple[str, Mark]]
    inner: Iterable[str]
    inner_labels: Iterable[Symbol]
    undeclared: Collection[tuple[str, Mark]]


class _LineNames(NamedTuple):
    """The names in the lines of a body: mentioned, looked up with their kinds, written, declared in inner braces."""

    mentioned: set[str]
    looked_up: set[str]
    written: set[str]
    inner: set[str]


def remember_body(memory: BodyMemory, body: BodyText, scope: Scope, results: BodyResults) -> None:
    """Remember a body that is fine, if possible. `scope` is that of the function, which has all declarations by now."""
    names, lines = body.names, _line_names(results)
    if not lines.mentioned.issuperset(name for name, _ in results.undeclared):
        return  # it is not known what these names mean around the function
    declares = _declared_in(scope, results.first, results.first + body.key.count("\n"))
    if declares is None:
        return
    stems = frozenset(symbol.name for symbol in declares if symbol.count is not None)
    own = {symbol.name for symbol in (*declares, *results.labels)}
    if not _are_only_here(own | lines.inner, stems, scope, names):
        return
    named = dict(zip((*names.outer, *names.variables), chain.from_iterable(marks_of(names)), strict=True))
    if may_be_members(named, (*stems, *lines.inner.difference(named))):
        return
    others = _besides_members(lines.mentioned.union(lines.looked_up, lines.written, lines.inner), stems)
    free = [name for name in {name.partition(".")[0] for name in others} if name.rstrip(DIGITS) not in stems]
    found = _outer_symbols(free, names.function, results.first, scope)
    if found is None:
        return
    varying = _varying(others, named, names)
    (read, varying_read), (assigned, varying_assigned), (within, varying_within) = (
        _divided(given, varying) for given in (lines.mentioned, lines.written, lines.inner)
    )
    known = KnownBody(
        LineEffect((), read, assigned, within),
        varying_read,
        varying_assigned,
        varying_within,
        _places(body, results, declares, named),
        tuple([(shortened(name, named, names), meaning_of(symbol)) for name, symbol in found.items()]),
        frozenset(shortened(name, named, names) for name in own),
        stems,
    )
    if not _vary(others.difference(varying) | lines.inner, known, names):
        memory[body.key] = known


def _besides_members(given: set[str], stems: frozenset[str]) -> set[str]:
    """These names without the members of these families, if none of the members can be a name that varies.

    Most names of a body are such members, as `%r1`.
    """
    if any(stem[0] != "%" for stem in stems):
        return given
    return {name for name in given if name.rstrip(DIGITS) not in stems}


def _line_names(results: BodyResults) -> _LineNames:
    effects = list(results.lines)
    mentioned, words, written, inner = (
        set[str]().union(*map(part, effects)) for part in (NAMES, WORDS, WRITTEN, DECLARED)
    )
    return _LineNames(mentioned, {word.partition(" ")[0] for word in words}, written, inner.union(results.inner))


def _declared_in(scope: Scope, first: int, last: int) -> list[Symbol] | None:
    """What a function declares from the line `first` of its block on, where its body begins.

    None if the function continues below the line `last`, or if a symbol says more than declarations in bodies do.
    """
    found = [symbol for symbol in _declared(scope) if symbol.mark.range.line >= first]
    if any(symbol.mark.range.line > last for symbol in found):
        return None
    if any(symbol != _at(symbol, symbol.name, symbol.mark, symbol.names) for symbol in found):
        return None
    return found


def _are_only_here(own: set[str], stems: frozenset[str], scope: Scope, names: Names) -> bool:
    """Whether the names that a body declares, with the families `stems`, are no outer ones, and all its variables."""
    around = scope.parent
    if around is None or around.families or has_any(around.numbered, stems):
        return False
    return own.isdisjoint(names.outer) and own.issuperset(names.variables)


def _outer_symbols(names: Iterable[str], function: str, first: int, scope: Scope) -> dict[str, Symbol | None] | None:
    """What these names of a body, which begins with the line `first`, mean outside of it; parameters are outside.

    None if one of them was declared after the body was read.
    """
    given = {name: symbols[0] for name, symbols in scope.members.items() if symbols[0].mark.range.line < first}
    found: dict[str, Symbol | None] = {}
    for name in names:
        full = function + name[1:] if name[0] == OWN else name
        found[full] = symbol = given.get(full) or (scope.parent.lookup(full) if scope.parent is not None else None)
        if symbol is not None and scope.opening is not None and place(symbol.mark) > place(scope.opening):
            return None
    return found


def _places(body: BodyText, results: BodyResults, declares: list[Symbol], named: dict[str, str]) -> BodyPlaces:
    lines, names = body.key.split("\n"), body.names
    shifted: dict[int, str] = {}

    def place(name: str, mark: Mark) -> NamePlace:
        line, column = mark.range.line - results.first, mark.range.column
        if (
            -1 < lines[line].find(VARYING_MARK) < column
        ):  # most names are alone in their lines, or are the first that varies
            shifted[line] = lines[line]
            column = column_in_key(lines[line], column, names)
        return _new(NamePlace, (name, line, column))

    labels, inner_labels = (
        tuple([place(shortened(label.name, {}, names), label.mark) for label in given])
        for given in (results.labels, results.inner_labels)
    )
    branches, undeclared = (
        tuple([place(shortened(name, {}, names), mark) for name, mark in given])
        for given in (results.branches, results.undeclared)
    )
    declared = tuple(
        (_with_short_names(symbol, named, names), *place("", symbol.mark)[1:])
        for symbol in sorted(declares, key=lambda s: s.mark.range)
    )
    return BodyPlaces(labels, inner_labels, branches, declared, undeclared, shifted)


def _with_short_names(symbol: Symbol, named: dict[str, str], names: Names) -> Symbol:
    """A symbol with names as the key has them."""
    listed = tuple(shortened(name, {}, names) for name in symbol.names)
    return _at(symbol, shortened(symbol.name, named, names), symbol.mark, listed)


def _varying(given: set[str], named: dict[str, str], names: Names) -> dict[str, str]:
    """Those of these names that vary, with what the key has for them."""
    return {name: short for name in given if (short := shortened(name, named, names))[0] == VARYING_MARK}


def _divided(given: set[str], varying: dict[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those of these names that do not vary, and those that do, written as in the key."""
    return tuple(given.difference(varying)), tuple([short for name, short in varying.items() if name in given])


def _vary(others: Iterable[str], known: KnownBody, names: Names) -> bool:
    """Whether the body cannot be remembered, because more varies than its key shows.

    That is a declared name, a name inside of another one, or one to which the body branches although it is no label.
    `others` are all names of the body that do not vary, and perhaps without members of the families that it declares.
    """
    declared = {symbol.name for symbol, _, _ in known.places.declares}
    given = (*others, *declared, *(name for name, _ in known.outer))
    if names.labels and names.labels in "\n".join(given):
        return True
    if any(name[0] == VARYING_MARK and name[1] not in "LV" for name in known.own):
        return True
    if any(VARYING_MARK in use.name for use in known.places.undeclared):
        return True
    others = {*names.outer, *names.variables}
    return any(
        label.name in others or (label.name[0] == VARYING_MARK and label.name[1] != "L")
        for label in (*known.places.labels, *known.places.inner_labels, *known.places.branches)
    )


def _declared(scope: Scope) -> list[Symbol]:
    return [symbol for table in (scope.members, scope.families) for symbols in table.values() for symbol in symbols]
