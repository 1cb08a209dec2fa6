"""Whether a function reads and writes a name: a name that it both reads and writes is not a typo."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.semantics.symbols import Symbol
from ptx_lsp.syntax.tree import Address, Instruction
from ptx_lsp.text.document import Document
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Position

MOST_LINES = 20_000
"""At most this many lines around a finding are searched."""

MOST_USES = 100
"""At most this many uses of a name are examined."""

MOST_DISTINCT = 12
"""At most this many different uses are checked with a type."""


class FunctionAccess(NamedTuple):
    """The accesses of a function to a name: `read` and `written` are true if it has at least one of that kind."""

    read: bool
    written: bool


class NameUse(NamedTuple):
    """A name, and a statement that mentions it."""

    name: str
    text: str
    located: StatementContext


def function_access(name: str, finding: Finding, module: Module) -> FunctionAccess:
    """Whether the function around `finding` reads `name`, and whether it writes it, where nothing declares it.

    An inner block can declare the name for itself: its uses there are those of another register.
    """
    read = written = False
    for located, offset in uses(name, finding, module):
        if located.surroundings.scope.lookup(name) is not None:
            continue
        reads, writes = _roles(located, offset)
        read, written = read or reads, written or writes
        if read and written:
            break
    return FunctionAccess(read, written)


def uses(
    name: str, finding: Finding, module: Module, *, is_pattern: bool = False
) -> Iterator[tuple[StatementContext, int]]:
    """The instructions of the function that mention `name`, with the offset of the name in their text.

    If `is_pattern`, `name` is a regular expression. For a finding at a declaration, it is the function around that.
    """
    here = module.statement_at(finding.range.start)
    function = here.surroundings.function if here is not None else None
    if function is None:
        return
    word = re.compile(rf"(?<![\w$%]){name if is_pattern else re.escape(name)}(?![\w$])")
    first = max(0, function.mark.resolved().start.line)  # -1 in a fragment, whose function has no header
    last = min(_end_of(function, first, module), first + MOST_LINES)
    found = line = 0
    for position in _matches(word, module.document, first, last):
        if position.line > line and found >= MOST_USES:
            return
        line = position.line
        located = module.statement_at(position)
        if located is None or located.surroundings.function is None:
            continue
        if located.surroundings.function.mark.resolved() != function.mark.resolved():
            return
        if isinstance(located.statement, Instruction):
            yield located, located.offset(position)
            found += 1


def _end_of(function: Symbol, line: int, module: Module) -> int:
    """A line below a function, which is named on a line: the one below the brace that opens the next function."""
    begin, blocks = function.mark.resolved().start, module.block_map
    for number in range(blocks.place(blocks.at_line(line)), len(blocks.blocks)):
        for part in blocks.blocks[number].parts:
            if part.body.symbol.mark.resolved().start > begin:
                return part.body.opening.resolved().line + 1
    return module.document.line_count


def _matches(word: re.Pattern[str], document: Document, first: int, last: int) -> Iterator[Position]:
    """The places of a pattern without line ends in the lines from `first` to `last` (exclusive)."""
    for index in range(document.chunk_at(first), document.chunk_count):
        above = document.chunk_line(index)
        if above >= last:
            return
        starts: list[int] = []
        for match in word.finditer(document.chunk(index)):
            starts = starts or line_starts(document.chunk(index))
            line = bisect_right(starts, match.start()) - 1
            if first <= above + line < last:
                yield Position(above + line, match.start() - starts[line])


def distinct_uses(
    name: str, finding: Finding, module: Module, *, is_pattern: bool = False, undeclared: bool = False
) -> list[NameUse]:
    """A few uses of a name: one for each opcode text and name. If `is_pattern`, `name` is a regular expression.

    With `undeclared`, only those that no declaration covers: an inner block can declare the name for itself.
    """
    pattern = re.compile(name if is_pattern else re.escape(name))
    found: dict[tuple[str, str], NameUse] = {}
    for located, offset in uses(name, finding, module, is_pattern=is_pattern):
        statement, match = located.statement, pattern.match(located.text, offset)
        declared = undeclared and match is not None and located.surroundings.scope.lookup(match[0]) is not None
        if match is not None and isinstance(statement, Instruction) and not declared:
            text = located.text[statement.start : statement.end]
            found.setdefault((statement.text, match[0]), NameUse(match[0], text, located))
        if len(found) == MOST_DISTINCT:
            break
    return list(found.values())


def _roles(located: StatementContext, offset: int) -> tuple[bool, bool]:
    """Whether the instruction reads, and writes, the name at that offset."""
    statement = located.statement
    assert isinstance(statement, Instruction)
    index = next((i for i, operand in enumerate(statement.operands) if operand.start <= offset < operand.end), -1)
    verdict = located.verdict
    if index < 0 or verdict is None or isinstance(statement.operands[index], Address):
        return True, False
    return index not in verdict.written or index in verdict.read_too, index in verdict.written
