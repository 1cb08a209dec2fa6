"""The names that the text around the cursor mentions: how near, and whether a statement writes or reads them.

The text is read with patterns and not parsed: this takes a millisecond, and the answer only orders what is offered.
"""

import re
from typing import NamedTuple

from ptx_lsp.isa.opcode_sets import WITHOUT_RESULT
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range

LINES_ABOVE = 600
LINES_BELOW = 400
LONGEST = 80_000
"""Characters that are read in one direction."""

_NAME = lazy_pattern(r"(?<![\w$%.])[%$A-Za-z_][\w$]*")
_STATEMENT = lazy_pattern(
    r"(?:^|(?<=[;{}:]))[ \t]*(?:@!?([%\w$]+)[ \t]+)?([A-Za-z]\w*)((?:\.[\w:]+)*)(?=[ \t({\[%])([^;\n]*(?:,[ \t]*(?://[^\n]*)?\n[^;\n]*)*)",
    re.M,
)
_FIRST_OPERAND = lazy_pattern(r"\s*(\{[^{}]*\}|\([^()]*\)|[^,]*)")
_HEADER = lazy_pattern(r"^[^/\n\"]*\.(?:entry|func)\b", re.M)
_END = lazy_pattern(r"^\}", re.M)
_PREDICATE = lazy_pattern(r"@!?([%\w$]+)")


class Mentions(NamedTuple):
    """What the text around the cursor does with names.

    Each table has the distance in statements from the cursor, by name, of the nearest statement: `written` and `read`
    above the cursor, `written_below` and `read_below` below it. `reads` is the number of reads above.
    """

    written: dict[str, int]
    read: dict[str, int]
    written_below: dict[str, int]
    read_below: dict[str, int]
    reads: dict[str, int]


def mentions(document: Document, position: Position, prefix: str = "") -> Mentions:
    """The names near a position, of the function around it.

    `prefix` is the text of the statement before the position; the rest of the line of the position does not count.
    """
    above, below = text_above(document, position), text_below(document, position)
    if prefix and above.endswith(prefix):
        above = above[: -len(prefix)]
    written: dict[str, int] = {}
    read: dict[str, int] = {}
    reads: dict[str, int] = {}
    statements = _STATEMENT.findall(above)
    for distance, statement in enumerate(reversed(statements)):
        results, operands = _divided(statement)
        for name in results:
            written.setdefault(name, distance)
        for name in operands:
            read.setdefault(name, distance)
            reads[name] = reads.get(name, 0) + 1
    written_below: dict[str, int] = {}
    read_below: dict[str, int] = {}
    for distance, statement in enumerate(_STATEMENT.findall(below)):
        results, operands = _divided(statement)
        for name in results:
            written_below.setdefault(name, distance)
        for name in operands:
            read_below.setdefault(name, distance)
    return Mentions(written, read, written_below, read_below, reads)


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


def _divided(statement: tuple[str, str, str, str]) -> tuple[list[str], list[str]]:
    """The names that a statement writes, by the position of its operands, and those that it reads."""
    guard, opcode, _, operands = statement
    reads = [guard] if guard else []
    first = _FIRST_OPERAND.match(operands)
    if first is None or first[1].startswith("[") or opcode in WITHOUT_RESULT:
        return [], reads + _NAME.findall(operands)
    return _NAME.findall(first[1]), reads + _NAME.findall(operands, first.end())
