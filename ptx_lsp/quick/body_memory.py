"""Remembered bodies: the whole body of a function is fine wherever the names around it have the same meaning.

Templates and small functions that are not inlined give many functions whose bodies differ only in names: that of the
function, with which the names of its parameters begin, its number in the names of its labels, and the names of the
functions and variables that it uses. The text of a body without these names, the meanings of all names that it does not
declare itself, the version and the target decide whether it is fine, and what it does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from itertools import chain
from operator import attrgetter

from ptx_lsp.constants.literals import WARP_SIZE
from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.memo import Memo
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.quick.effect import DECLARED, NAMES, PARAMETER, WORDS, WRITTEN, Effect, LineEffect, NamePlace, View
from ptx_lsp.quick.operand_kinds import OWN
from ptx_lsp.semantics.declarations import RESERVED
from ptx_lsp.semantics.symbols import DIGITS, Mark, Scope, Symbol

LONGEST_BODY = 30_000  # characters
MOST_BRACES_AT_MARGIN = 64  # of one body
# No text that recognisers read has this character. In the key of a body, the character alone replaces the name of the
# function; followed by `L`, it replaces the beginning of the names of its labels; two of them with a number in between
# replace the name of a function or variable of the module, and with `V` and a number that of a variable of the body.
_MARK = "\x01"
_BEFORE_NAMES = "[ \t"
_LABELS = "$L__BB"  # compilers write it, the number of the function, and `_` before the number of a label
_MOST_DIGITS = 9
_SEPARATORS = str.maketrans(dict.fromkeys(",;()[]{}+-|!", " "))
_STRING = '"nounroll"'  # the only string in which no name is sought: it has no blanks
_WORDS = (*RESERVED, WARP_SIZE, "function_name", "inlined_at")  # words with a meaning of their own
_SPACES = (".shared ", ".local ")
_VARIABLE = lazy_pattern(
    r"\.(?:shared|local) (?:\.align [0-9]++ )?\.\w++[ \t]++([a-zA-Z_$][\w$]*+)(?:\[[0-9]++\])?;", re.A
)
_MEANING = attrgetter(*(name for name in Symbol.__slots__ if name not in ("mark", "name", "signature")))
_MEANING_OF_PARAMETER = attrgetter(*(name for name in Symbol.__slots__ if name not in ("mark", "name")))

Meaning = tuple[object, ...] | None  # of a name: what its symbol says except name and place; None without a symbol


class Names(NamedTuple):
    """The names that vary in a body.

    They are that of the function, the beginning of the names of its labels, those that the module declares, and those
    of the variables that the body declares.
    """

    function: str
    labels: str
    outer: tuple[str, ...]
    variables: tuple[str, ...]


class BodyText(NamedTuple):
    """A body in a text: the offsets of the line after its `{` and of its `}`, the key for the memory, and its names."""

    start: int
    brace: int
    key: str
    names: Names


class KnownBody(NamedTuple):
    """What the body of a function does. Lines count from that after the `{`.

    `line` has all names that are mentioned, written, and declared between inner braces, except for those that vary;
    `mentioned` and `written` have these. `declares` are the registers and variables that the body declares, with
    their lines and columns. `outer` are the names that may have another meaning around the function, with their
    meanings. `own` are the names of `declares` and the labels; `stems` are those of the register families. Names that
    vary are written as in the key.
    """

    line: LineEffect
    mentioned: tuple[str, ...]
    written: tuple[str, ...]
    labels: tuple[NamePlace, ...]
    branches: tuple[NamePlace, ...]
    declares: tuple[tuple[Symbol, int, int], ...]
    outer: tuple[tuple[str, Meaning], ...]
    own: frozenset[str]
    stems: frozenset[str]


BodyMemory = Memo[str, KnownBody]


def body_at(text: str, start: int, function: str, members: Container[str]) -> BodyText | None:
    """The body that begins at the offset `start`, after the line of its `{`; None if it is long or has no plain end.

    `members` are the names that the module declares.
    """
    end = _end(text, start)
    if end < 0:
        return None
    key = text[start : end + 1]
    if "\r" in key or _MARK in key:
        return None
    own = function + PARAMETER
    if own in key:
        for before in _BEFORE_NAMES:
            key = key.replace(before + own, before + _MARK + PARAMETER)
        if own in key:
            return None
    labels = _begin_of_labels(key)
    if labels:
        key = key.replace(labels, _MARK + "L")
    outer: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    if key.count('"') == 2 * key.count(_STRING):
        words = key.translate(_SEPARATORS).split()
        key, outer = _without_names(key, words, filter(members.__contains__, words), "")
        declared = _VARIABLE.findall(key) if any(space in key for space in _SPACES) else ()
        if declared:
            key, variables = _without_names(key, words, declared, "V")
    return BodyText(start, end + 1, key, Names(function, labels, outer, variables))


def _begin_of_labels(body: str) -> str:
    """How the names of the labels of a body begin, with the number of its function; empty if they have no number."""
    begin = body.find(_LABELS)
    first = begin + len(_LABELS)
    end = body.find("_", first, first + _MOST_DIGITS) if begin >= 0 else -1
    return body[begin : end + 1] if end >= 0 and body[first:end].isdecimal() else ""


def _without_names(body: str, words: list[str], names: Iterable[str], kind: str) -> tuple[str, tuple[str, ...]]:
    """A body of these words with `kind` and a number in place of each of these names, and the names by their number."""
    found: list[str] = []
    for name in dict.fromkeys(names):
        # A name that is also a part of another word stays, and so does one that may be an opcode: opcodes have small
        # letters and digits only, and a statement that is fine has no other name at the place of an opcode.
        if body.count(name) == words.count(name) and not may_be_word(name):
            body = body.replace(name, f"{_MARK}{kind}{len(found)}{_MARK}")
            found.append(name)
    return body, tuple(found)


def may_be_word(name: str) -> bool:
    """Whether a name may also be a word of PTX at the same place."""
    return (name.isalnum() and name == name.lower()) or name[0] == "%" or name in _WORDS


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
    if known is None or not view.shallow or not _fits(known, view.scope, body.names):
        return None
    names = body.names
    effect = Effect(body.brace + len("}\n"))
    effect.lines.append(_with_names(known, names))
    effect.labels = [NamePlace(_written_out(name, names), line + first, column) for name, line, column in known.labels]
    effect.branches = [
        NamePlace(_written_out(name, names), line + first, column) for name, line, column in known.branches
    ]
    declares = []
    for symbol, line, column in known.declares:
        name = _written_out(symbol.name, names)
        declares.append(_at(symbol, name, name_mark(name, line + first, column)))
    effect.declares = tuple(declares)
    effect.closes = body.brace
    return effect


def _written_out(name: str, names: Names) -> str:
    """A name as the text has it; `name` is written as in the key."""
    if name[0] != _MARK:
        return name
    if name[1] == "L":
        return names.labels + name[2:]
    if name[-1] != _MARK:
        return names.function + name[1:]
    return names.variables[int(name[2:-1])] if name[1] == "V" else names.outer[int(name[1:-1])]


def _fits(known: KnownBody, scope: Scope, names: Names) -> bool:
    """Whether all other names have the same meaning here as before, and those that the body declares are free."""
    own = known.own
    if names.labels or names.variables:
        own = frozenset(_written_out(name, names) for name in own)
    if not _is_free(scope, own, known.stems) or not own.isdisjoint(names.outer):
        return False
    if _may_be_members((*names.outer, *names.variables), (*known.stems, *known.line.declared)):
        return False
    return all(_meaning(scope.lookup(_written_out(name, names))) == meaning for name, meaning in known.outer)


def _may_be_members(names: Iterable[str], families: tuple[str, ...]) -> bool:
    """Whether one of these names may be that of a member of a family of registers, which hides the outer name."""
    return any(name[-1] in DIGITS and name.startswith(families) for name in names)


def _meaning(symbol: Symbol | None) -> Meaning:
    """What a symbol says except names and places."""
    if symbol is None or symbol.signature is None:
        return symbol if symbol is None else _MEANING(symbol)
    returns, parameters, *rest = symbol.signature
    formals = tuple(map(_MEANING_OF_PARAMETER, returns)), tuple(map(_MEANING_OF_PARAMETER, parameters))
    return *_MEANING(symbol), *formals, *rest


def _is_free(scope: Scope, own: frozenset[str], stems: frozenset[str]) -> bool:
    """Whether the parameters have other names than the body's, and no name outside hides a member of its families."""
    if not own.isdisjoint(scope.members) or not stems.isdisjoint(scope.numbered):
        return False
    around = scope.parent
    return not scope.families and around is not None and not around.families and stems.isdisjoint(around.numbered)


def _at(symbol: Symbol, name: str, mark: Mark) -> Symbol:
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
    )


def _with_names(known: KnownBody, names: Names) -> LineEffect:
    if not known.mentioned and not known.written:
        return known.line
    _, mentioned, written, declared = known.line
    mentioned = (*mentioned, *(_written_out(name, names) for name in known.mentioned))
    written = (*written, *(_written_out(name, names) for name in known.written))
    return LineEffect((), mentioned, written, declared)


class BodyResults(NamedTuple):
    """What reading a body gave: the effects of its lines, its labels and branches, and the names between inner braces.

    The body begins with the line `first` of its block.
    """

    first: int
    lines: Iterable[LineEffect]
    labels: Iterable[Symbol]
    branches: Iterable[tuple[str, Mark]]
    inner: Iterable[str]


def remember_body(memory: BodyMemory, body: BodyText, scope: Scope, results: BodyResults) -> None:
    """Remember a body that is fine. `scope` is that of the function, which has all declarations by now."""
    first, names = results.first, body.names
    effects = set(results.lines)
    mentioned = set(chain.from_iterable(map(NAMES, effects)))
    words = {word.partition(" ")[0] for word in chain.from_iterable(map(WORDS, effects))}
    written = set(chain.from_iterable(map(WRITTEN, effects)))
    inner = set(results.inner).union(chain.from_iterable(map(DECLARED, effects)))
    declares = [symbol for symbol in _declared(scope) if symbol.mark.range.line >= first]
    stems = frozenset(symbol.name for symbol in declares if symbol.count is not None)
    own = {symbol.name for symbol in (*declares, *results.labels)}
    if any(symbol != _at(symbol, symbol.name, symbol.mark) for symbol in declares):
        return
    around = scope.parent
    given = {name: symbols[0] for name, symbols in scope.members.items() if symbols[0].mark.range.line < first}
    if around is None or around.families or not stems.isdisjoint(around.numbered):
        return
    if not (own | inner).isdisjoint(names.outer) or not own.issuperset(names.variables):
        return
    named = {name: f"{_MARK}{number}{_MARK}" for number, name in enumerate(names.outer)}
    named |= {name: f"{_MARK}V{number}{_MARK}" for number, name in enumerate(names.variables)}
    if not inner.isdisjoint(named) or _may_be_members(named, (*stems, *inner)):
        return
    outer = {}
    for name in {name.partition(".")[0] for name in (*mentioned, *words, *written, *inner)}:
        if name.rstrip(DIGITS) in stems:
            continue
        full = names.function + name[1:] if name[0] == OWN else name
        outer[_shortened(full, named, names)] = _meaning(given.get(full) or around.lookup(full))
    known = KnownBody(
        LineEffect((), _fixed(mentioned, named, names), _fixed(written, named, names), tuple(inner)),
        _varying(mentioned, named, names),
        _varying(written, named, names),
        tuple(_name_place(label.name, label.mark, first, names) for label in results.labels),
        tuple(_name_place(name, mark, first, names) for name, mark in results.branches),
        tuple(
            (_at(symbol, _shortened(symbol.name, named, names), symbol.mark), *_place(symbol.mark, first))
            for symbol in sorted(declares, key=lambda s: s.mark.range)
        ),
        tuple(outer.items()),
        frozenset(_shortened(name, named, names) for name in own),
        stems,
    )
    if not _vary(inner, known, body):
        memory[body.key] = known


def _fixed(given: Iterable[str], named: dict[str, str], names: Names) -> tuple[str, ...]:
    return tuple(name for name in given if _shortened(name, named, names)[0] != _MARK)


def _varying(given: Iterable[str], named: dict[str, str], names: Names) -> tuple[str, ...]:
    return tuple(short for name in given if (short := _shortened(name, named, names))[0] == _MARK)


def _shortened(name: str, named: dict[str, str], names: Names) -> str:
    """A name as the key has it; `named` are the names of the module."""
    if name in named:
        return named[name]
    if name.startswith(names.function + PARAMETER):
        return _MARK + name[len(names.function) :]
    return _MARK + "L" + name[len(names.labels) :] if names.labels and name.startswith(names.labels) else name


def _name_place(name: str, mark: Mark, first: int, names: Names) -> NamePlace:
    return NamePlace(_shortened(name, {}, names), *_place(mark, first))


def _vary(inner: Iterable[str], known: KnownBody, body: BodyText) -> bool:
    """Whether the body cannot be remembered, because more varies than its key shows.

    That is a declared name, a name inside of another one, or the column of a name.
    """
    names, lines = body.names, body.key.split("\n")
    declared = {symbol.name for symbol, _, _ in known.declares}.union(inner)
    given = (*known.line.names, *known.line.written, *declared, *(name for name, _ in known.outer))
    if names.labels and any(names.labels in name for name in given):
        return True
    if any(name[0] == _MARK and name[1] not in "LV" for name in known.own):
        return True
    if any(label.name[0] == _MARK and label.name[1] != "L" for label in (*known.labels, *known.branches)):
        return True
    places = (place[1:] for place in (*known.labels, *known.branches, *known.declares))
    return any(-1 < lines[line].find(_MARK) < column for line, column in places)


def _declared(scope: Scope) -> list[Symbol]:
    return [symbol for table in (scope.members, scope.families) for symbols in table.values() for symbol in symbols]


def _place(mark: Mark, first: int) -> tuple[int, int]:
    return mark.range.line - first, mark.range.column
