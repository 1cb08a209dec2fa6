"""The lines of a text: where they end, and their columns in code points and in the units that an editor counts in.

Lines end at `\\n`, `\\r\\n` and `\\r`, and nowhere else. The core counts columns in code points.
"""

from __future__ import annotations

from itertools import accumulate

from ptx_lsp.light_classes import Enum, Sequence, bisect_right
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.ranges import Position, Range

LINE_END = lazy_pattern(r"\r\n?|\n")
LINE_BEGIN = r"(?:^|(?<=\r))"
"""Part of a pattern with `re.M`: the begin of a line. `^` alone is not found after a lone carriage return."""

_LONE_RETURN = lazy_pattern(r"\r(?!\n)")
_WINDOW = 4096  # characters that are searched first


def line_starts(text: str, lines: Sequence[str] | None = None, begin: int = 0) -> list[int]:
    """The offset at which each line of `text` begins, ascending from `begin`; the text after the last line end counts.

    `lines`, if given, is the text split at each `\\n`. `begin` is the offset of the text.
    """
    if "\r" in text:
        return [begin, *(begin + match.end() for match in LINE_END.finditer(text))]
    starts = list(accumulate([length + 1 for length in map(len, lines or text.split("\n"))], initial=begin))
    starts.pop()
    return starts


def has_lone_return(text: str) -> bool:
    """Whether a line of the text ends with a `\\r` alone, which patterns for lines do not know."""
    # a search for one character is four times as fast as a pattern
    return "\r" in text and _LONE_RETURN.search(text) is not None


def split_lines(text: str) -> list[str]:
    """The lines of a text with their line ends; the last one has none, and is empty after a line end."""
    starts = line_starts(text)
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def begin_of_line(text: str, offset: int) -> int:
    """The offset at which the line of `offset` begins; an offset between `\\r` and `\\n` is in the line before."""
    after_return = text.rfind("\r", 0, offset)
    if text.startswith("\r\n", after_return) and after_return + 1 == offset:
        after_return = text.rfind("\r", 0, after_return)
    return max(text.rfind("\n", 0, offset), after_return) + 1


def find_line_end(text: str, start: int) -> int:
    """The offset of the first line end from `start` on, -1 without one."""
    # in windows: a search for a \r that never comes, from each of many long lines, would be quadratic
    size = _WINDOW
    while start < len(text):
        newline = text.find("\n", start, start + size)
        found = text.find("\r", start, start + size if newline < 0 else newline)
        if found >= 0 or newline >= 0:
            return found if found >= 0 else newline
        start += size
        size *= 2
    return -1


def count_line_ends(text: str, end: int | None = None) -> int:
    """How many line ends there are in `text`, or before the offset `end`."""
    count = text.count("\n", 0, end)
    if "\r" in text:
        count += text.count("\r", 0, end) - text.count("\r\n", 0, end)
    return count


def indentation(line: str) -> str:
    """The blanks that a line begins with."""
    return line[: len(line) - len(line.lstrip())]


_BEGIN = Position(0, 0)


class LineIndex:
    """The lines of a text: from offsets to positions and back.

    The text may be a part of a document that begins at `first`, a position of it.
    """

    def __init__(self, text: str, first: Position = _BEGIN) -> None:
        self.text = text
        self.first = first
        self.starts: Sequence[int] = line_starts(text)

    def line(self, offset: int) -> int:
        """The number of the line that an offset is in, from 0, in the text."""
        return bisect_right(self.starts, offset) - 1

    def position(self, offset: int) -> Position:
        """The position of an offset."""
        line = self.line(offset)
        column = offset - self.starts[line]
        return Position(self.first.line + line, column if line else self.first.column + column)

    def offset(self, position: Position) -> int:
        """The offset of a position, clamped to the text."""
        line = position.line - self.first.line
        if line < 0 or (line == 0 and position.column < self.first.column):
            return 0
        line = min(line, len(self.starts) - 1)
        column = position.column if line else position.column - self.first.column
        return min(self.starts[line] + column, len(self.text))

    def range(self, start: int, end: int) -> Range:
        """The range between two offsets."""
        return Range(*self.position(start), *self.position(end))


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


def _width(text: str, encoding: Encoding) -> int:
    # surrogatepass: bytes that are not UTF-8 arrive as lone surrogates
    if encoding is Encoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def beginning_of(text: str, longest: int) -> str:
    """A text of the source for a message: its beginning and `...` if it has more than `longest` characters."""
    return text if len(text) <= longest else text[: longest - 3] + "..."
