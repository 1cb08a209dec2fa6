"""Selection ranges: from a token over its operand, statement, block and function to the whole document.

Each range is contained in the next one and is shorter than it.
"""

import re
from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.outline.nesting import Construct, Constructs, Kind
from ptx_lsp.reading.statement_context import StatementContext, is_too_long
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range

_TOKEN = re.compile(r"[\w$%]+|\.[\w:]+|[^\w\s]", re.ASCII)
LONGEST_LINE = 100_000
"""Characters; in a longer line no token is selected alone."""


def selection_ranges(module: Module, found: Constructs, position: Position) -> list[Range]:
    """The ranges around a position, the innermost first, the whole document last; `found` are its constructs."""
    document = module.document
    whole = Range(0, 0, *document.end())
    ranges = {whole, *_constructs(document, found, position), *_token(document, position)}
    context = module.statement_at(position)
    if context is not None:
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


def _constructs(document: Document, found: Constructs, position: Position) -> Iterator[Range]:
    for ranges in (found.headers, found.comments, found.assembly, found.locations, found.lists):
        yield from (each for each in ranges if each.line <= position.line <= each.end_line)
    for construct in found.braced:
        if construct.line <= position.line <= construct.end_line:
            yield construct.range
            yield Range(construct.open_line, construct.opening - 1, construct.end_line, construct.end_column)
            end_column = construct.end_column - 1 if construct.closed else construct.end_column
            yield Range(construct.open_line, construct.opening, construct.end_line, end_column)
    for construct in found.outline:
        if construct.line <= position.line <= construct.end_line:
            yield construct.range
            yield from _blocks(document, construct)
            yield from (each.range for each in construct.children)


def _blocks(document: Document, function: Construct) -> Iterator[Range]:
    """The block of a function before its first label; the others are the ranges of the labels."""
    label = next((each for each in function.children if each.kind is Kind.LABEL), None)
    if label is not None and label.line > function.open_line + 1:
        yield Range(function.open_line + 1, 0, label.line - 1, len(document.line(label.line - 1)))
