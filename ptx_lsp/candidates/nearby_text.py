"""The text of the function around a position, in pieces that are the same wherever the document is divided.

A piece begins and ends between two lines, so that no pattern of the readers finds more or less in two pieces than in
one: none of them goes beyond the line of its match except up to a `;`, and a piece ends after a line with one. Most
pieces are the same after an edit: what a piece mentions is remembered by its text.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ptx_lsp.isa.directive_names import ENTRY, FUNC
from ptx_lsp.memo import forgettable
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.syntax.plain_text import HEADER_LINE
from ptx_lsp.text.document import Document
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Position, Range

LINES_ABOVE = 400
LINES_BELOW = 250
FAR = 1_500
"""Lines above and below those, of which only the names are read, and which of them are first operands."""

MOST_PIECES = 400
"""Pieces that are remembered."""

LONGEST = 80_000
"""Characters of the text above or below a position for the readers of a single string."""

LONGEST_PIECES = 400_000
"""Characters of all pieces above or below a position."""

_STEP = 32
"""The lines at which the near text ends are multiples of this, so that few lines that are typed move the end."""

_END_OF_STATEMENT = lazy_pattern(r";[ \t]*\n", 0)
_HEADER = lazy_pattern(HEADER_LINE, re.M)
_END = lazy_pattern(
    r"^\}(?=(?:\s++|//[^\n]*+|(?!))*+\.(?:visible|extern|weak|common|entry|func|global|const|shared|section|file|alias))"
    rf"|{HEADER_LINE}",
    re.M,
)


class TextPiece(NamedTuple):
    """Whole lines, except the first or the last one at the position; `is_near` is false beyond the near lines."""

    text: str
    is_near: bool


def pieces_above(document: Document, position: Position, prefix: str = "") -> Iterator[TextPiece]:
    """The text of the function above a position, from the nearest piece on; without `prefix` at its end."""
    end = _before(document, position, prefix)
    near = min(_multiple(position.line - LINES_ABOVE), end.line)
    far = _multiple(near - FAR)
    left = LONGEST_PIECES
    for first, last, is_near in ((near, end, True), (far, Position(near, 0), False)):
        for text in _backward(document, first, last):
            head = _last_head(text)
            kept = text[max(head, len(text) - left, 0) :]
            left -= len(kept)
            yield TextPiece(kept, is_near)
            if head >= 0 or left <= 0:
                return
        if near == 0:
            return


def pieces_below(document: Document, position: Position) -> Iterator[TextPiece]:
    """The text of the function below the line of a position, from the nearest piece on."""
    begin = position.line + 1
    near = _multiple(begin + LINES_BELOW) + _STEP
    left = LONGEST_PIECES
    for first, last, is_near in ((begin, near, True), (near, near + FAR, False)):
        for text in _forward(document, first, last):
            end = _first_end(text)
            kept = text[: min(end if end >= 0 else len(text), left)]
            left -= len(kept)
            yield TextPiece(kept, is_near)
            if end >= 0 or left <= 0:
                return


def declaring_pieces(document: Document, position: Position, lines: int) -> Iterator[str]:
    """The text of some lines above that of a position, whatever functions are in it, the last piece first."""
    return _backward(document, _multiple(position.line - lines), Position(position.line, 0))


def _multiple(line: int) -> int:
    return max(0, line // _STEP * _STEP)


def _before(document: Document, position: Position, prefix: str) -> Position:
    """Where `prefix` begins, if it ends at a position; else the position."""
    starts = line_starts(prefix)
    line = position.line - len(starts) + 1
    column = position.column - len(prefix)
    if len(starts) > 1:
        column = len(document.line(line)) - len(prefix[: starts[1]].rstrip("\r\n"))
    if line < 0 or column < 0 or document.text(Range(line, column, *position)) != prefix:
        return position
    return Position(line, column)


def _backward(document: Document, first: int, end: Position) -> Iterator[str]:
    """The pieces from the line `first` to a position, the last one first."""
    index = document.chunk_at(end.line)
    text = document.text(Range(max(first, document.chunk_line(index)), 0, *end))
    begun: list[str] = []  # the parts of a piece whose begin is not found, the last part first
    while True:
        text = _with_newlines(text)
        is_last = document.chunk_line(index) <= first
        begin = 0 if is_last else _first_begin(text)
        begun.append(text[max(begin, 0) :])
        if begin >= 0:
            yield "".join(reversed(begun))
            begun = [text[:begin]]
        if is_last:
            return
        index -= 1
        line = document.chunk_line(index)
        text = document.chunk(index) if line >= first else document.text(_lines(first, _end_line(document, index)))


def _forward(document: Document, first: int, last: int) -> Iterator[str]:
    """The pieces from the line `first` to the line before `last`, the first one first."""
    begun: list[str] = []
    for index in range(document.chunk_at(first), document.chunk_count):
        line, end = document.chunk_line(index), _end_line(document, index)
        if line >= last:
            break
        is_whole = line >= first and end <= last
        text = document.chunk(index) if is_whole else document.text(_lines(max(line, first), min(end, last)))
        text = _with_newlines(text)
        begin = _first_begin(text)
        if begin < 0:
            begun.append(text)
        else:
            yield "".join((*begun, text[:begin]))
            begun = [text[begin:]]
    yield "".join(begun)


def _end_line(document: Document, index: int) -> int:
    """The line after a chunk; beyond the text for the last chunk, whose last line has no end."""
    last = document.chunk_line(index) + document.chunk_line_ends(index)
    return last if index + 1 < document.chunk_count else last + 1


def _lines(first: int, end: int) -> Range:
    return Range(first, 0, max(first, end), 0)


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _first_begin(text: str) -> int:
    """The offset after the first line that surely ends a statement, -1 without one."""
    # a pattern of the whole line would be tried at each character of the longest names
    for found in _END_OF_STATEMENT.finditer(text):
        end = found.start()
        begin = text.rfind("\n", 0, end) + 1
        if text.find("/", begin, end) < 0 and text.find('"', begin, end) < 0:
            return found.end()
    return -1


@forgettable
@lru_cache(maxsize=MOST_PIECES)
def _last_head(text: str) -> int:
    """The offset of the last head of a function in a text, -1 without one."""
    if not _may_have_head(text):
        return -1
    return max((found.start() for found in _HEADER.finditer(text)), default=-1)


@forgettable
@lru_cache(maxsize=MOST_PIECES)
def _first_end(text: str) -> int:
    """The offset of the first brace that closes a function, or of the head of the next one; -1 without them.

    Inline assembly and the calls of GCC have braces at the begin of a line too; after these, code follows.
    """
    if not _may_have_head(text) and "\n}" not in text and not text.startswith("}"):
        return -1
    found = _END.search(text)
    return found.start() if found else -1


def _may_have_head(text: str) -> bool:
    """Whether a text has a word of the head of a function: such a search takes a tenth of the time of the patterns."""
    return ENTRY in text or FUNC in text


def text_above(document: Document, position: Position) -> str:
    """The text above a position, from the head of the function around it, or as much of it as is read."""
    first = max(0, position.line - LINES_ABOVE)
    text = _with_newlines(document.text(Range(first, 0, position.line, position.column)))[-LONGEST:]
    heads = list(_HEADER.finditer(text))
    return text[heads[-1].start() :] if heads else text


def text_below(document: Document, position: Position) -> str:
    """The text below the line of a position, to the end of the function around it, or as much of it as is read."""
    lines = _lines(position.line + 1, position.line + 1 + LINES_BELOW)
    text = _with_newlines(document.text(lines))[:LONGEST]
    end = _END.search(text)
    return text[: end.start()] if end else text
