"""Columns of a line, and positions: code points, as the core counts them, and the units that an editor counts in."""

from ptx_lsp.light_classes import Enum
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range


class Encoding(Enum):
    """The unit of an editor's columns; the values are the names of the Language Server Protocol."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def units(line: str, column: int, encoding: Encoding) -> int:
    """The column in `encoding`'s units of code point `column` of `line`; both count from 0.

    A column outside the line counts as its nearest end.
    """
    column = max(0, min(column, len(line)))
    if encoding is Encoding.UTF32 or line.isascii():
        return column
    return _width(line[:column], encoding)


def code_points(line: str, column: int, encoding: Encoding) -> int:
    """The code point of `line` at column `column` in `encoding`'s units; both count from 0.

    A column outside the line counts as its nearest end, and one inside a character as that character's beginning.
    """
    if column <= 0:
        return 0
    if encoding is Encoding.UTF32 or line.isascii():
        return min(column, len(line))
    limit = 0x7F if encoding is Encoding.UTF8 else 0xFFFF
    at = 0
    for index, character in enumerate(line):
        at += 1 if ord(character) <= limit else _width(character, encoding)
        if at > column:
            return index
    return len(line)


def position_in(document: Document, line: int, column: int, encoding: Encoding) -> Position:
    """The position in code points for a column in `encoding`'s units, clamped to the document."""
    if line >= document.line_count:
        return document.end()
    if line < 0:
        return Position(0, 0)
    return Position(line, code_points(document.line(line), column, encoding))


def range_in(document: Document, start: tuple[int, int], end: tuple[int, int], encoding: Encoding) -> Range:
    """The range in code points between two places in `encoding`'s units, clamped to the document."""
    return Range(*position_in(document, *start, encoding), *position_in(document, *end, encoding))


def _width(text: str, encoding: Encoding) -> int:
    # surrogatepass: bytes that are not UTF-8 arrive as lone surrogates
    if encoding is Encoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
