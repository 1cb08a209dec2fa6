"""The statements of a plain text around some offsets, in time linear in the text if the offsets ascend."""

from collections.abc import Iterator

from ptx_lsp.syntax.plain_text import LINE
from ptx_lsp.syntax.statements import Parsed, parse_statements
from ptx_lsp.syntax.tree import Statement
from ptx_lsp.text.lines import begin_of_line, count_line_ends
from ptx_lsp.text.ranges import Range

_GUARD, _BRANCH, _OPCODE, _OPERANDS = 1, 2, 3, 4  # groups of `LINE`
_FARTHEST = 32  # lines above a name in which the beginning of a statement is looked for


class LineStatements:
    """The lines and statements of a text. A line with thousands of names is looked at once, and so is a statement.

    A line is known by the offset at which it begins: to find those of all lines of a section takes many milliseconds.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._has_returns = "\r" in text
        self._counted = 0, 0  # the beginning of a line, and its number
        self._named: tuple[int, tuple[range, ...]] = -1, ()  # the line that was looked at last, and where it has names
        self._statements: Iterator[Parsed] = iter(())  # those below `_last`
        self._last: Statement | None = None  # the statement that was parsed last; None if there is no other one
        self._above = -1  # the end of the statement above it; -1 if nothing was parsed

    def range_of(self, start: int, end: int) -> Range:
        """The range of two offsets in one line."""
        line = self._line(start)
        counted, number = self._counted if self._counted[0] <= line else (0, 0)
        number += count_line_ends(self._text[counted:line])
        self._counted = line, number
        return Range(number, start - line, number, end - line)

    def _line(self, offset: int) -> int:
        """Where the line of an offset begins."""
        if self._has_returns:
            return begin_of_line(self._text, offset)
        return self._text.rfind("\n", 0, offset) + 1

    def is_named(self, offset: int) -> bool:
        """Whether the text at an offset is a name in an instruction that fills its line, after a complete line."""
        line = self._line(offset)
        if line != self._named[0]:
            self._named = line, self._places_of_names(line)
        return any(offset in place for place in self._named[1])

    def _places_of_names(self, line: int) -> tuple[range, ...]:
        match = LINE.match(self._text, line) if line and self._is_complete(self._line(line - 1)) else None
        if match is None or not (match[_BRANCH] or match[_OPCODE]):
            return ()
        return tuple(range(*match.span(group)) for group in (_GUARD, _BRANCH, _OPERANDS))

    def around(self, offset: int, begin: int) -> Statement | None:
        """The statement around an offset; `begin` is an offset between two statements above it."""
        if self._above < 0 or offset < self._above or self._end() <= offset:
            start = self._start(offset, begin)
            if not 0 <= self._above <= offset or self._end() < start:
                self._above, self._statements = start, parse_statements(self._text, start)
                self._advance()
            while self._end() <= offset:
                self._above = self._end()
                self._advance()
        return self._last if self._last is not None and self._last.start <= offset else None

    def _end(self) -> int:
        return self._last.end if self._last is not None else len(self._text) + 1

    def _advance(self) -> None:
        following = next(self._statements, None)
        self._last = following[0] if following is not None else None

    def _start(self, offset: int, begin: int) -> int:
        """An offset between two statements, in the line of an offset or as near above it as one is found."""
        line = self._line(offset)
        for _ in range(_FARTHEST):
            if line <= begin:
                break
            above = self._line(line - 1)
            if self._is_complete(above):
                return line
            line = above
        return begin

    def _is_complete(self, line: int) -> bool:
        """Whether a line is an instruction with its semicolon."""
        match = LINE.match(self._text, line)
        return match is not None and bool(match[_BRANCH] or match[_OPCODE])
