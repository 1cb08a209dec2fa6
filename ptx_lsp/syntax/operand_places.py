"""Which places of a text are in the operands or the guard of an instruction.

One line shows it for most instructions. For the others, a statement is parsed once, however many places are looked up.
"""

from __future__ import annotations

from ptx_lsp.isa.opcode_sets import COMMON
from ptx_lsp.late_modules import late_module
from ptx_lsp.light_classes import TYPE_CHECKING, Iterator, bisect_right
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.plain_text import LINE, NAME_TEXT
from ptx_lsp.text.lines import begin_of_line

if TYPE_CHECKING:
    from ptx_lsp.syntax import recovery, statements, tree
    from ptx_lsp.syntax.statements import Parsed
else:
    # most texts need no parser
    recovery = late_module("ptx_lsp.syntax.recovery")
    statements = late_module("ptx_lsp.syntax.statements")
    tree = late_module("ptx_lsp.syntax.tree")

# an opcode and operands that surely have no mistake of syntax
_PLAIN_OPCODE = lazy_pattern(r"(?!call\b)[a-z]\w*+(?:\.\w++(?:::\w++|(?!))*+|(?!))*+", re.A)
_NUMBER = r"-?(?:0|[1-9][0-9]{0,8}+)"
_VALUE = rf"(?:{NAME_TEXT}|{_NUMBER})"
_OPERAND = rf"(?:{_VALUE}|\[{NAME_TEXT}(?:\+{_NUMBER})?\]|\{{{_VALUE}(?:,[ ]?{_VALUE}|(?!))*+\}})"
_PLAIN_OPERANDS = lazy_pattern(rf"{_OPERAND}(?:,[ ]?{_OPERAND}|(?!))*+[ \t]*+", re.A)

_BRACES = ("{", "}")  # alone in a line
_ABOVE = 512  # code points above a line in which the nearest line with any text is looked for
_MOST_LINES = 16  # above a place, among which a statement must begin that need not be parsed from further above


class OperandPlaces:
    """The places in operands and guards of complete instructions, in a text that has blanks for its comments.

    `first` is an offset between two statements. `has_sections` is true if a section may be below it, in which no line
    shows where a statement begins.
    """

    def __init__(self, text: str, first: int, *, has_sections: bool) -> None:
        self._text = text
        self._first = first
        self._has_sections = has_sections
        self._all = _ParsedStatements(text, first)
        self._near = self._all  # those from the line of the last place on that was looked up so

    def holds(self, offset: int) -> bool:
        """Whether the text at an offset is part of the operands or the guard of a complete instruction."""
        line = begin_of_line(self._text, offset)
        if not self._has_sections:
            if is_plain_instruction(self._text, line) and is_plain_operand(self._text, line, offset):
                return True
            start = _start_above(self._text, line, self._first)
            if start is not None:
                if start != self._near.first:
                    self._near = _ParsedStatements(self._text, start)
                return self._near.hold(offset)
        return self._all.hold(offset)


class _ParsedStatements:
    """The statements of a text from the offset `first` on, which is between two statements; each is parsed once."""

    def __init__(self, text: str, first: int) -> None:
        self.first = first
        self._text = text
        self._parsed: Iterator[Parsed] | None = None
        self._ends = [first]  # of those that have been parsed
        self._operands: list[tuple[tuple[int, int], ...]] = [()]  # of each of these

    def hold(self, offset: int) -> bool:
        """Whether the text at an offset is part of the operands or the guard of a complete one."""
        if self._parsed is None:
            self._parsed = statements.parse_statements(self._text, self.first)
        while self._ends[-1] <= offset and (found := next(self._parsed, None)) is not None:
            self._ends.append(found[0].end)
            self._operands.append(tuple(_operands(found)))
        at = bisect_right(self._ends, offset)
        return at < len(self._ends) and any(start <= offset < end for start, end in self._operands[at])


def _operands(parsed: Parsed) -> Iterator[tuple[int, int]]:
    """The begin and end of the guard and of each operand, if the statement is a complete instruction."""
    statement, problems = parsed
    if isinstance(statement, tree.Instruction) and recovery.HARMLESS.issuperset(each.code for each in problems):
        for node in (statement.guard, *statement.operands):
            if node is not None:
                yield node.start, node.end


def is_plain_instruction(text: str, start: int) -> bool:
    """Whether the line that begins at the offset `start` is one instruction, by the nearest line above with any text.

    There is no block comment in the text around the line.
    """
    line = LINE.match(text, start)
    if line is None or not (line[2] or line[3]):
        return False
    first = max(start - _ABOVE, 0)
    before = begin_of_line(text, first + len(text[first:start].rstrip()))
    above = text[before:start].strip()
    if '"' not in above:
        above = above.partition("//")[0].rstrip()
        if above.endswith(";") or above in _BRACES:
            return True
    line_above = LINE.match(text, before)
    return line_above is not None and bool(line_above[2] or line_above[3] or line_above[5])


def is_plain_operand(text: str, start: int, offset: int) -> bool:
    """Whether an offset is in the operands or guard of the instruction that begins with the line at `start`, surely.

    It must be a line for which `is_plain_instruction` is true.
    """
    found = LINE.match(text, start)
    if found is None or not any(found.start(group) <= offset < found.end(group) for group in (1, 4)):
        return False
    if found[2]:
        return True
    if found[3].partition(".")[0] not in COMMON:
        return False  # perhaps a directive without its dot: `const.f32 %f1;`
    return bool(_PLAIN_OPCODE.fullmatch(found[3]) and _PLAIN_OPERANDS.fullmatch(found[4] or ""))


def _start_above(text: str, start: int, first: int) -> int | None:
    """The nearest begin of a statement from the line at `start` upwards, but not above `first`; None if it is far."""
    for _ in range(_MOST_LINES):
        if start <= first:
            return first
        if is_plain_instruction(text, start):
            return start
        start = begin_of_line(text, start - 1)
    return None
