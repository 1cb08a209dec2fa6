"""Selection ranges: from a token over its operand, statement, block and function to the whole document.

Each range is contained in the next one and is shorter than it.
"""

import re
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from itertools import accumulate, chain
from operator import attrgetter
from typing import Generic, TypeVar

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.token_words import open_comment
from ptx_lsp.outline.constructs import construct_steps
from ptx_lsp.outline.near_constructs import near_construct_steps
from ptx_lsp.outline.nesting import Construct, Constructs, Kind
from ptx_lsp.reading.statement_context import StatementContext, is_too_long
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range

_TOKEN = re.compile(r"[\w$%]+|\.[\w:]+|[^\w\s]", re.ASCII)
LONGEST_LINE = 100_000
"""Characters; in a longer line no token is selected alone."""

MOST_NESTED = 250
"""Ranges of an answer, the innermost and the whole document: clients read the nested answer by recursion."""

_FEW_POSITIONS = 8
"""Positions for each of which only the constructs near it are looked for."""

_ITEMS_PER_STEP = 5_000
_line, _end_line = attrgetter("line"), attrgetter("end_line")
_Lines = TypeVar("_Lines", Range, Construct)


class _Around(Generic[_Lines]):
    """Ranges or constructs in the order of the text, to be found by a line; they may be nested."""

    def __init__(self, items: Sequence[_Lines]) -> None:
        self._items: Sequence[_Lines] = items
        self._lines: list[int] = []
        self._ends: list[int] = []  # the last line of all up to each one

    def steps(self) -> Iterator[None]:
        """Look at all of them, in steps."""
        for begin in range(0, len(self._items), _ITEMS_PER_STEP):
            some = self._items[begin : begin + _ITEMS_PER_STEP]
            self._lines += map(_line, some)
            before = self._ends[-1:]
            self._ends += list(accumulate(chain(before, map(_end_line, some)), max))[len(before) :]
            yield

    def of(self, line: int) -> Iterator[_Lines]:
        """Those with a line, the last one first."""
        items, ends = self._items, self._ends
        at = bisect_right(self._lines, line) - 1
        while at >= 0 and ends[at] >= line:
            if items[at].end_line >= line:
                yield items[at]
            at -= 1


class _Found:
    """The constructs of a document, to be found by a line."""

    def __init__(self, found: Constructs) -> None:
        lists = (found.headers, found.comments, found.assembly, found.locations, found.lists)
        self.ranges = [_Around(ranges) for ranges in lists]
        self.braced = _Around(found.braced)
        self.outline = _Around(found.outline)

    def steps(self) -> Iterator[None]:
        """Look at the constructs, in steps."""
        for ranges in self.ranges:
            yield from ranges.steps()
        yield from self.braced.steps()
        yield from self.outline.steps()


def selection_steps(module: Module, positions: Sequence[Position]) -> Generator[None, None, list[list[Range]]]:
    """For each position the ranges around it, the innermost first, the whole document last. They are found in steps."""
    document = module.document
    around: _Found | None = None
    if len(positions) > _FEW_POSITIONS:
        around = _Found((yield from construct_steps(document)))
        yield from around.steps()
    answer = []
    for position in positions:
        found = around
        if found is None:
            line = document.clamp(position).line
            found = _Found((yield from near_construct_steps(document, line, line)))
            yield from found.steps()
        context = yield from module.statement_steps(position)
        answer.append(_ranges_at(document, found, position, context))
        yield
    return answer


def _ranges_at(document: Document, found: _Found, position: Position, context: StatementContext | None) -> list[Range]:
    whole = Range(0, 0, *document.end())
    ranges = {whole, *_constructs(document, found, position), *_token(document, position)}
    if context is not None and open_comment(context.text, context.statement.start, context.statement.end) < 0:
        ranges.update(_statement(context, context.offset(position)))
    around = [each for each in ranges if each.contains(position) and each.start < each.end]
    around.sort(key=lambda each: (each.start, (-each.end_line, -each.end_column)))
    return _nested(around) or [whole]


def _nested(ranges: list[Range]) -> list[Range]:
    """Those of the ranges that are nested, the innermost first; `ranges` begin with the first and longest ones."""
    chain: list[Range] = []
    for range_ in ranges:
        if not chain or (chain[-1].end >= range_.end and chain[-1] != range_):
            chain.append(range_)
    chain.reverse()
    if len(chain) > MOST_NESTED:
        del chain[MOST_NESTED - 1 : -1]
    return chain


def _token(document: Document, position: Position) -> Iterator[Range]:
    line = document.line(position.line)
    if len(line) > LONGEST_LINE:
        return
    if line.strip():
        indentation = len(line) - len(line.lstrip())
        yield Range(position.line, indentation, position.line, len(line.rstrip()))
    touching = [each for each in _TOKEN.finditer(line) if each.start() <= position.column <= each.end()]
    if touching:  # between two tokens, a name or number
        best = next((each for each in touching if each[0][0].isalnum() or each[0][0] in "_$%"), touching[-1])
        yield Range(position.line, best.start(), position.line, best.end())


def _statement(context: StatementContext, offset: int) -> Iterator[Range]:
    """The statement, its operands together, and each part of it around an offset."""
    statement = context.statement
    yield context.range(statement.start, statement.end)
    if is_too_long(statement):
        return
    if isinstance(statement, Instruction):
        words = (statement.opcode, *statement.modifiers)
        yield context.range(words[0].start, words[-1].end)
        if statement.operands:
            yield context.range(statement.operands[0].start, statement.operands[-1].end)
    pending: list[object] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple) and hasattr(node, "start") and hasattr(node, "end"):
            if not node.start <= offset <= node.end:
                continue
            yield context.range(node.start, node.end)
        if isinstance(node, tuple):
            pending.extend(part for part in node if isinstance(part, tuple))


def _constructs(document: Document, found: _Found, position: Position) -> Iterator[Range]:
    line = position.line
    for ranges in found.ranges:
        yield from ranges.of(line)
    for construct in found.braced.of(line):
        yield construct.range
        yield Range(construct.open_line, construct.opening - 1, construct.end_line, construct.end_column)
        end_column = construct.end_column - 1 if construct.closed else construct.end_column
        yield Range(construct.open_line, construct.opening, construct.end_line, end_column)
    for construct in found.outline.of(line):
        yield construct.range
        yield from _blocks(document, construct)
        yield from (each.range for each in construct.children if each.line <= line <= each.end_line)


def _blocks(document: Document, function: Construct) -> Iterator[Range]:
    """The block of a function before its first label; the others are the ranges of the labels."""
    label = next((each for each in function.children if each.kind is Kind.LABEL), None)
    if label is not None and label.line > function.open_line + 1:
        yield Range(function.open_line + 1, 0, label.line - 1, len(document.line(label.line - 1)))
