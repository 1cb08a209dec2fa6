"""The names that the text around the cursor mentions: how near, and whether a statement writes or reads them.

The text is read with patterns and not parsed, because the answer only orders what is offered. What a chunk of the
document mentions is remembered, so that a key costs only the chunk that it changes.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from ptx_lsp.isa.opcode_sets import WITHOUT_RESULT
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range

LINES_ABOVE = 400
LINES_BELOW = 250
FAR = 1_500
"""Lines above and below those, of which only the names are read, and which of them are first operands."""

MOST_CHUNKS = 400
"""Chunks that are remembered."""

LONGEST = 80_000
"""Characters of the text above or below a position."""

NAME = lazy_pattern(r"(?<![\w$%.])[%$A-Za-z_][\w$]*")
_MARKED = lazy_pattern(r"%[\w$]+")  # a fifth of the time of NAME
_STATEMENT = lazy_pattern(
    r"(?:^|(?<=[;{}:]))[ \t]*(?:@!?([%\w$]+)[ \t]+)?([A-Za-z]\w*)((?:\.[\w:]+)*)(?=[ \t({\[%])"
    r"([^;\n]*(?:,[ \t]*(?://[^\n]*)?\n[^;\n]*)*)",
    re.M,
)
_FIRST_OPERAND = lazy_pattern(r"\s*(\{[^{}]*\}|\([^()]*\)|[^,]*)")
_HEADER = lazy_pattern(r"^[^/\n\"]*\.(?:entry|func)\b", re.M)
_END = lazy_pattern(
    r"^\}(?=(?:\s|//[^\n]*)*\.(?:visible|extern|weak|common|entry|func|global|const|shared|section|file|alias))"
    r"|^[^/\n\"]*\.(?:entry|func)\b",
    re.M,
)
_RESULT = lazy_pattern(r"^[ \t]*(?:@!?[%\w$]+[ \t]+)?[a-z]\w*(?:\.[\w:]+)*[ \t]+\{?([%$A-Za-z_][\w$]*)", re.M)


class Nearby(NamedTuple):
    """A statement as far as a pattern can read it: the names that it writes, those that it reads, and its text.

    `kept` are the results of a statement with a guard: they keep their values if it is false.
    """

    opcode: str
    operands: str
    results: tuple[str, ...]
    reads: tuple[str, ...]
    kept: tuple[str, ...] = ()


class Mentions(NamedTuple):
    """What the text around the cursor does with names.

    Each table has the distance in statements from the cursor, by name, of the nearest statement: `written` and `read`
    above the cursor, `written_below` and `read_below` below it. `reads` is the number of reads above. `far_above` and
    `far_below` are the names of the text beyond, the nearest first, each with whether it is the first operand of a
    statement there. `statements` are those above, the nearest first.
    """

    written: dict[str, int]
    read: dict[str, int]
    written_below: dict[str, int]
    read_below: dict[str, int]
    reads: dict[str, int]
    far_above: dict[str, bool]
    far_below: dict[str, bool]
    statements: tuple[Nearby, ...]


def mentions(document: Document, position: Position, prefix: str = "") -> Mentions:
    """The names near a position, of the function around it.

    `prefix` is the text of the statement before the position; the rest of the line of the position does not count.
    """
    near, far = _divided_at(chunks_above(document, position, prefix), LINES_ABOVE)
    statements = tuple(each for chunk in near for each in reversed(_statements(chunk)))
    written: dict[str, int] = {}
    read: dict[str, int] = {}
    reads: dict[str, int] = {}
    for distance, statement in enumerate(statements):
        for name in statement.results:
            written.setdefault(name, distance)
        for name in statement.reads:
            read.setdefault(name, distance)
            reads[name] = reads.get(name, 0) + 1
    near_below, far_below = _divided_at(chunks_below(document, position), LINES_BELOW)
    written_below: dict[str, int] = {}
    read_below: dict[str, int] = {}
    for distance, statement in enumerate(each for chunk in near_below for each in _statements(chunk)):
        for name in statement.results:
            written_below.setdefault(name, distance)
        for name in (*statement.reads, *statement.kept):
            read_below.setdefault(name, distance)
    beyond = (_joined(far, True), _joined(far_below, False))
    return Mentions(written, read, written_below, read_below, reads, *beyond, statements)


def read_in_steps(document: Document, position: Position, prefix: str) -> Iterator[None]:
    """Read the text that `mentions` asks for, a chunk in each step: what it mentions is then remembered."""
    above, below = chunks_above(document, position, prefix), chunks_below(document, position)
    for chunks, lines, backward in ((above, LINES_ABOVE, True), (below, LINES_BELOW, False)):
        for chunk, is_near in _with_nearness(chunks, lines):
            if is_near:
                _statements(chunk)
            else:
                _far_names(chunk, backward)
            yield


def _divided_at(chunks: Iterable[str], lines: int) -> tuple[list[str], list[str]]:
    """The first chunks, which have at least that many lines together, and the others."""
    near: list[str] = []
    far: list[str] = []
    for chunk, is_near in _with_nearness(chunks, lines):
        (near if is_near else far).append(chunk)
    return near, far


def _with_nearness(chunks: Iterable[str], lines: int) -> Iterator[tuple[str, bool]]:
    """Each chunk, and whether the chunks before it have fewer lines than `lines` together."""
    before = 0
    for chunk in chunks:
        yield chunk, before < lines
        before += chunk.count("\n")


def chunks_above(document: Document, position: Position, prefix: str = "") -> Iterator[str]:
    """The text of the function above a position, from the nearest chunk on; the first one ends before the prefix."""
    index = document.chunk_at(position.line)
    text = document.text(Range(document.chunk_line(index), 0, *position))
    if prefix and text.endswith(prefix):
        text = text[: -len(prefix)]
    while True:
        head = _last_head(text)
        yield text[head:] if head >= 0 else text
        index -= 1
        if head >= 0 or index < 0 or position.line - document.chunk_line(index) > LINES_ABOVE + FAR:
            return
        text = document.chunk(index)


def chunks_below(document: Document, position: Position) -> Iterator[str]:
    """The text of the function below the line of a position, from the nearest chunk on."""
    index = document.chunk_at(position.line)
    last = document.chunk_line(index) + document.chunk_line_ends(index)
    text = document.text(Range(position.line + 1, 0, max(last, position.line + 1), 0))
    while True:
        end = _first_end(text)
        yield text[:end] if end >= 0 else text
        index += 1
        if end >= 0 or index >= document.chunk_count:
            return
        if document.chunk_line(index) - position.line > LINES_BELOW + FAR:
            return
        text = document.chunk(index)


@forgettable
@lru_cache(maxsize=MOST_CHUNKS)
def _last_head(text: str) -> int:
    """The offset of the last head of a function in a text, -1 without one."""
    return max((found.start() for found in _HEADER.finditer(text)), default=-1)


@forgettable
@lru_cache(maxsize=MOST_CHUNKS)
def _first_end(text: str) -> int:
    """The offset of the first brace that closes a function, or of the head of the next one; -1 without them.

    Inline assembly and the calls of GCC have braces at the begin of a line too; after these, code follows.
    """
    found = _END.search(text)
    return found.start() if found else -1


@forgettable
@lru_cache(maxsize=MOST_CHUNKS)
def _statements(text: str) -> tuple[Nearby, ...]:
    """The statements of a text, in order."""
    return tuple(_nearby(*found) for found in _STATEMENT.findall(text))


def _nearby(guard: str, opcode: str, modifiers: str, operands: str) -> Nearby:
    """A statement; the names that it writes are known by the position of its operands."""
    reads = [guard] if guard else []
    first = _FIRST_OPERAND.match(operands)
    if first is None or first[1].startswith("[") or opcode in WITHOUT_RESULT:
        return Nearby(opcode + modifiers, operands, (), (*reads, *NAME.findall(operands)))
    results = tuple(NAME.findall(first[1]))
    read = (*reads, *NAME.findall(operands, first.end()))
    return Nearby(opcode + modifiers, operands, results, read, results if guard else ())


def _joined(chunks: list[str], backward: bool) -> dict[str, bool]:
    """The names of some chunks, the nearest first, each with whether it is the first operand of a statement."""
    found: dict[str, bool] = {}
    for chunk in chunks:
        for name, result in _far_names(chunk, backward):
            found[name] = result or found.get(name, False)
    return found


@forgettable
@lru_cache(maxsize=MOST_CHUNKS)
def _far_names(text: str, backward: bool) -> tuple[tuple[str, bool], ...]:
    results = set(_RESULT.findall(text))
    names = (_MARKED if "%" in text else NAME).findall(text)
    return tuple((name, name in results) for name in dict.fromkeys(reversed(names) if backward else names))


def text_above(document: Document, position: Position) -> str:
    """The text above a position, from the head of the function around it, or as much of it as is read."""
    first = max(0, position.line - LINES_ABOVE)
    text = document.text(Range(first, 0, position.line, position.column))[-LONGEST:]
    heads = list(_HEADER.finditer(text))
    return text[heads[-1].start() :] if heads else text


def text_below(document: Document, position: Position) -> str:
    """The text below the line of a position, to the end of the function around it, or as much of it as is read."""
    text = document.text(Range(position.line + 1, 0, position.line + 1 + LINES_BELOW, 0))[:LONGEST]
    end = _END.search(text)
    return text[: end.start()] if end else text
