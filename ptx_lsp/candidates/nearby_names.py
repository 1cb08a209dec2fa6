"""The names that the text around the cursor mentions: how near, and whether a statement writes or reads them.

The text is read with patterns and not parsed, because the answer only orders what is offered. What a piece of the
text mentions is remembered, so that a key costs only the pieces that it changes.
"""

import re
from collections import Counter
from collections.abc import Generator
from functools import lru_cache
from itertools import chain, filterfalse
from typing import NamedTuple

from ptx_lsp.candidates.nearby_text import MOST_PIECES, TextPiece, pieces_above, pieces_below
from ptx_lsp.isa.opcode_sets import WITHOUT_RESULT
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position

NAME = lazy_pattern(r"(?<![\w$%.])[%$A-Za-z_][\w$]*", re.A)
_PERCENT = "%"
_PERCENT_NAME = lazy_pattern(r"%[\w$]+", re.A)  # a fifth of the time of NAME
_STATEMENT = lazy_pattern(
    r"(?:^|(?<=[;{}])|(?<=:)(?<!::))[ \t]*+(?:@!?([%\w$]+)[ \t]+)?"
    r"([A-Za-z]\w*+)((?:\.\w*(?:::\w+)*)*)(?=[ \t({\[%]|\n[ \t]*+\{)"
    r"((?:\n(?=[ \t]*+\{))?[ \t]*+([%$A-Za-z_][\w$]*+(?=[ \t]*[,;]))?"
    r"(?:[^;\n,]++|,(?:[ \t]*+(?://[^\n]*+)?\n)?|(?!))*+)",
    re.M | re.A,
)
_FIRST_OPERAND = lazy_pattern(r"\s*(\{[^{}]*\}|\([^()]*\)|[^,]*)")
_REG = ".reg"
_REGISTERS = lazy_pattern(r"\.reg\b[^;]*+;")
_RESULT = lazy_pattern(
    r"\n[ \t]*+(?:@!?[%\w$]+[ \t]+)?[a-z][\w.:]*+(?:[ \t]++|\n[ \t]*+(?=\{))\{?([%$A-Za-z_][\w$]*)", re.A
)


MOST_OPERANDS = 4_096
"""Statements whose names are remembered."""


class Nearby(NamedTuple):
    """A statement as far as a pattern can read it: the names that it writes, those that it reads, and its text.

    `kept` are the results of a statement with a guard: they keep their values if it is false.
    """

    opcode: str
    operands: str
    results: tuple[str, ...]
    reads: tuple[str, ...]
    kept: tuple[str, ...] = ()


class FarNames(NamedTuple):
    """The names of a text, the nearest first, and those of them that are the first operand of a statement there.

    `results` are empty where only the names were asked for. `written_once` are those of them that the statements above
    the cursor mention once.
    """

    names: dict[str, None]
    results: frozenset[str]
    written_once: frozenset[str] = frozenset()


class Mentions(NamedTuple):
    """What the text around the cursor does with names.

    Each table has the distance in statements from the cursor, by name, of the nearest statement: `written` and `read`
    above the cursor, `written_below` and `read_below` below it. `reads` is the number of reads above. `far_above` and
    `far_below` are those of the text beyond. `statements` are those above and `below` those below, the nearest first.
    """

    written: dict[str, int]
    read: dict[str, int]
    written_below: dict[str, int]
    read_below: dict[str, int]
    reads: dict[str, int]
    far_above: FarNames
    far_below: FarNames
    statements: tuple[Nearby, ...]
    below: tuple[Nearby, ...] = ()


def mention_steps(
    document: Document, position: Position, prefix: str = "", results_below: bool = True
) -> Generator[None, None, Mentions]:
    """The names near a position, of the function around it, in steps of one piece of the text.

    `prefix` is the text of the statement before the position; the rest of the line of the position does not count.
    `results_below`: true if `far_below` has results; to find them takes as long as the names.
    """
    above, below, with_percent = yield from _reading_steps(document, position, prefix, results_below)
    statements = tuple(chain.from_iterable(reversed(_statements(piece.text)) for piece in above if piece.is_near))
    written: dict[str, int] = {}
    read: dict[str, int] = {}
    reads: dict[str, int] = {}
    for distance, (_, _, results, names, _) in enumerate(statements):
        for name in results:
            written.setdefault(name, distance)
        for name in names:
            read.setdefault(name, distance)
            reads[name] = reads.get(name, 0) + 1
    yield
    written_below: dict[str, int] = {}
    read_below: dict[str, int] = {}
    following = tuple(chain.from_iterable(_statements(piece.text) for piece in below if piece.is_near))
    for distance, (_, _, results, names, kept) in enumerate(following):
        for name in results:
            written_below.setdefault(name, distance)
        for name in (*names, *kept) if kept else names:
            read_below.setdefault(name, distance)
    yield
    beyond = (_joined_above(above, with_percent), _joined_below(below, with_percent, results_below))
    return Mentions(written, read, written_below, read_below, reads, *beyond, statements, following)


def _reading_steps(
    document: Document, position: Position, prefix: str, results_below: bool
) -> Generator[None, None, tuple[list[TextPiece], list[TextPiece], bool]]:
    """Read the text around a position, a piece in each step: what it mentions is then remembered.

    The result is the pieces above and below, and whether the registers of the function have a mark.
    """
    above: list[TextPiece] = []
    below: list[TextPiece] = []
    with_percent = False
    for found, pieces, backward in (
        (above, pieces_above(document, position, prefix), True),
        (below, pieces_below(document, position), False),
    ):
        for piece in pieces:
            found.append(piece)
            if piece.is_near:
                _statements(piece.text)
                with_percent = with_percent or (backward and _PERCENT in piece.text)
            elif backward:
                _far_above(piece.text, with_percent)
            else:
                _far_below(piece.text, with_percent, results_below)
            yield
    return above, below, with_percent


@forgettable
@lru_cache(maxsize=MOST_OPERANDS)
def names_in(operands: str) -> list[str]:
    """The names in the operands of a statement, in order. The list must not be changed."""
    return NAME.findall(operands)


@forgettable
@lru_cache(maxsize=MOST_PIECES)
def _statements(text: str) -> tuple[Nearby, ...]:
    """The statements of a text, in order."""
    return tuple(_nearby(*found) for found in _STATEMENT.findall(text))


def _nearby(guard: str, opcode: str, modifiers: str, operands: str, single: str) -> Nearby:
    """A statement; the names that it writes are known by the position of its operands.

    `single` is its first operand, if that is a name alone.
    """
    names = tuple(NAME.findall(operands))
    results = 1 if single else 0
    if not single and (first := _FIRST_OPERAND.match(operands)) is not None and not first[1].startswith("["):
        results = len(NAME.findall(first[1]))
    if opcode in WITHOUT_RESULT:
        results = 0
    written, read = names[:results], names[results:]
    if not guard:
        return Nearby(opcode + modifiers, operands, written, read)
    return Nearby(opcode + modifiers, operands, written, (guard, *read), written)


def _joined_above(pieces: list[TextPiece], with_percent: bool) -> FarNames:
    """What the far ones of some pieces above the cursor mention, the nearest piece first."""
    names: dict[str, None] = {}
    results: set[str] = set()
    once: set[str] = set()
    for found in (_far_above(piece.text, with_percent) for piece in pieces if not piece.is_near):
        results.update(found.results)
        once.difference_update(found.names)
        once.update(filterfalse(names.__contains__, found.written_once))
        names.update(found.names)
    return FarNames(names, frozenset(results), frozenset(once))


def _joined_below(pieces: list[TextPiece], with_percent: bool, with_results: bool) -> FarNames:
    """What the far ones of some pieces below the cursor mention, the nearest piece first."""
    found = [_far_below(piece.text, with_percent, with_results) for piece in pieces if not piece.is_near]
    names = dict.fromkeys(chain.from_iterable(each.names for each in found))
    return FarNames(names, frozenset().union(*(each.results for each in found)))


@forgettable
@lru_cache(maxsize=MOST_PIECES)
def _far_above(text: str, with_percent: bool) -> FarNames:
    """What a text mentions, its end first.

    `with_percent`: true if the registers of the function begin with `%`; then other names are not searched for.
    """
    pattern = _PERCENT_NAME if with_percent else NAME
    names = pattern.findall(text)
    counts = Counter(pattern.findall(_REGISTERS.sub("", text)) if _REG in text else names)
    results = _far_results(text)
    return FarNames(dict.fromkeys(reversed(names)), results, frozenset(each for each in results if counts[each] == 1))


@forgettable
@lru_cache(maxsize=MOST_PIECES)
def _far_below(text: str, with_percent: bool, with_results: bool) -> FarNames:
    """What a text mentions, its begin first; `with_percent` as above."""
    names = dict.fromkeys((_PERCENT_NAME if with_percent else NAME).findall(text))
    return FarNames(names, _far_results(text) if with_results else frozenset())


def _far_results(text: str) -> frozenset[str]:
    """The first operands of the statements of a text, other names than those of registers among them."""
    return frozenset(_RESULT.findall("\n" + text))
