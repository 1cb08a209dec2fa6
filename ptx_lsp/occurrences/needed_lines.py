"""On which lines of a text an answer about a name depends: it can be given as soon as these have been read."""

import re
from collections.abc import Generator
from typing import Any, NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.search import blocks_of_scope
from ptx_lsp.occurrences.section_labels import named_in
from ptx_lsp.occurrences.target import Found, Target, found_steps, is_in_debug_data, whole_name
from ptx_lsp.semantics.symbols import DIGITS
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position

_CHUNKS_PER_STEP = 500


class Needed(NamedTuple):
    """The lines from `first` to `last` (from 0, both included), as far as they have one of the `words`.

    What these mean depends on the text above the lines too: see `Module.knows`.
    """

    first: int
    last: int
    words: tuple[str, ...]

    @classmethod
    def line(cls, number: int) -> "Needed":
        """All of one line."""
        return cls(number, number, ("",))


Steps = Generator[list[Any], None, Needed | None]


def named(module: Module, position: Position) -> Steps:
    """The line of a symbol at a position; all of the text (None) without one: the answer gives the reason for that."""
    found = yield from found_steps(module, position)
    return Needed.line(position.line) if isinstance(found, Found) else None


def at_place(module: Module, position: Position) -> Steps:
    """What the meaning of the name at a position depends on: its line, or, if it has no meaning yet, all (None).

    That line must be known. The module must not be edited between two steps.
    """
    found = yield from found_steps(module, position)
    return Needed.line(position.line) if isinstance(found, Found) or _names_nothing(module, position, found) else None


def of_symbol(module: Module, position: Position, new_name: str = "") -> Steps:
    """The same for all places of the symbol at a position, and for those of its new name if it gets one.

    If it gets one and there is no symbol, the answer gives the reason, which depends on all of the text.
    """
    found = yield from found_steps(module, position)
    if not isinstance(found, Found):
        return None if new_name or not _names_nothing(module, position, found) else Needed.line(position.line)
    target = found.target
    if target.lone:
        return Needed.line(position.line)
    stem = new_name.rstrip(DIGITS)
    first, last = position.line, position.line
    if target.opening is not None:
        first = min(target.opening, target.declared.start).line
        for block in blocks_of_scope(module, target, target.opening):
            last = max(last, block.line + block.lines - 1)
            yield []
    if _may_be_anywhere(target):
        name = re.compile(re.escape(target.name)) if target.family else whole_name(target.name)
        first, last = 0, max(last, (yield from _last_line_with(module.document, target.name, name)))
        if stem:  # other families of this stem may have such members
            last = max(last, (yield from _last_line_with(module.document, stem, re.compile(re.escape(stem)))))
    return Needed(first, last, (target.name, stem) if stem else (target.name,))


def _may_be_anywhere(target: Target) -> bool:
    return target.opening is None or is_in_debug_data(target)


def _names_nothing(module: Module, position: Position, is_name: bool) -> bool:
    """Whether there is no name at a position, nor one of a section."""
    if is_name:
        return False
    line = module.document.line(position.line) if position.line < module.document.line_count else ""
    return not any(start <= position.column <= start + len(name) for start, name in named_in(line))


def _last_line_with(document: Document, word: str, pattern: re.Pattern[str]) -> Generator[list[Any], None, int]:
    """The last line of the last chunk that has a word as in a pattern; 0 without one."""
    for number in range(document.chunk_count - 1, -1, -1):
        chunk = document.chunk(number)
        if word in chunk and pattern.search(chunk):
            return document.position_in_chunk(number, len(chunk)).line
        if not number % _CHUNKS_PER_STEP:
            yield []
    return 0
