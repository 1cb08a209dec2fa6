"""Columns of one line: code points, as the core counts them, and the units that an editor counts in."""

from ptx_lsp.light_classes import Enum


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
    """The code point of `line` at which column `column` in `encoding`'s units lies; both count from 0.

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


def _width(text: str, encoding: Encoding) -> int:
    # surrogatepass: bytes that are not UTF-8 arrive as lone surrogates
    if encoding is Encoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
