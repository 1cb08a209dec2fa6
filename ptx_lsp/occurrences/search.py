"""Where a symbol occurs: the text is searched for its name, then the meaning of each place is found, block by block.

A block in which the name can mean nothing else is not read again: see `plain_blocks`. Every other one is read again on
copies of its scopes, so that the analysis does not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import attrgetter
from string import ascii_letters, digits
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.directive_names import SECTION_DATA_TEXT
from ptx_lsp.occurrences.line_statements import LineStatements
from ptx_lsp.occurrences.plain_blocks import Place, PlainBlocks, part_at
from ptx_lsp.occurrences.target import (
    Target,
    declarations_of,
    has_sections,
    is_declared_at,
    is_in_debug_data,
    target_in,
)
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.state import is_in_comment
from ptx_lsp.reading.statement_context import holding_steps
from ptx_lsp.semantics.execution import Role, accesses
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import SECTIONS, SymbolKind
from ptx_lsp.syntax.names import Name, Where, names_in
from ptx_lsp.syntax.plain_text import NAME_TEXT
from ptx_lsp.syntax.tree import Instruction, Statement
from ptx_lsp.text.kept_lines import KeptText
from ptx_lsp.text.ranges import Position, Range

PLAIN = True
"""False in tests only: then every block that mentions the name is read again."""

_SECTION_ROW = re.compile(rf"[ \t]*{SECTION_DATA_TEXT}[ \t]+[^;={{\[(/\n]*\Z")
_DECLARING = (Where.DECLARED, Where.LABEL)
_BY_RANGE = attrgetter("range")
_BY_START = attrgetter("start")
_NAME = re.compile(NAME_TEXT, re.A)
_DIGITS = re.compile("[0-9]+")
_CONTINUES = frozenset(ascii_letters + digits + "_$")  # characters that continue a name
_PART_OF_NAME = _CONTINUES | frozenset("%.")  # characters before a name that make it a part of another word


class Occurrence(NamedTuple):
    """A place at which a symbol is named; `range` is that of the name, `role` what is done with the symbol there."""

    range: Range
    role: Role


def occurrences(module: Module, target: Target, roles: bool = True) -> Iterator[list[Occurrence]]:
    """The occurrences of a symbol, declarations among them, in the order of the text, in lists that may be empty.

    Between two lists the caller may pause, and must stop if the module is edited. Without `roles` every use has the
    role `READ`, which takes a fraction of the time.
    """
    if target.lone:
        yield [Occurrence(target.declared, Role.DECLARATION)]
        return
    search = _Search(module, target, roles)
    declaring = module.block_map.at_line(target.declared.line)
    for block in reach(module, target):
        text = module.block_map.text(block)
        found = []
        if target.symbol.count is not None and block is declaring:
            found.append(Occurrence(target.declared, Role.DECLARATION))
        if target.name in text and (offsets := _mentions(target, text)):
            for each in search.in_block(block, text, offsets):
                if each is not None:
                    found.append(each)
                yield []
            found.sort(key=_BY_RANGE)
        yield found


def _mentions(target: Target, text: str) -> list[int]:
    """The offsets at which the name of a target is in a text, in comments and strings too."""
    found = []
    name, at = target.name, -1
    while (at := text.find(name, at + 1)) >= 0:  # to find a text is twenty times as fast as a pattern
        if at and text[at - 1] in _PART_OF_NAME:
            continue
        end = at + len(name)
        if target.family:
            member = _DIGITS.match(text, end)
            end = member.end() if member is not None else len(text)
        if (end < len(text) and text[end] not in _CONTINUES) or (end == len(text) and not target.family):
            found.append(at)
    return found


def reach(module: Module, target: Target) -> Iterator[Block]:
    """The blocks in which the target may be named."""
    blocks = module.block_map.blocks
    is_label = target.symbol.kind is SymbolKind.LABEL
    if target.opening is None or (is_label and has_sections(module)):
        yield from blocks  # also those above the declaration, for `target_in`
        return
    for block in blocks_of_scope(module, target, target.opening):
        yield block
    yield from _with_sections_below(module, target, module.block_map.place(block))


def blocks_of_scope(module: Module, target: Target, opening: Position) -> Iterator[Block]:
    """The blocks of the scope of a target, which the brace at `opening` opens; at least one."""
    first = min(opening, target.declared.start)
    block: Block | None = module.block_map.at_line(first.line)
    while block is not None:
        yield block
        if block.line + block.lines >= opening.line and not _is_open_after(block, target):
            return
        block = module.block_map.after(block)


def _with_sections_below(module: Module, target: Target, number: int) -> Iterator[Block]:
    """The blocks below the one with this number that have debug data, which may name a variable of a function."""
    if is_in_debug_data(target):
        for mark in sorted((symbol.mark.resolved() for symbol in module.declarations(SECTIONS)), key=_BY_START):
            block = module.block_map.at_line(mark.line)
            place = module.block_map.place(block)
            if place > number:
                number = place
                yield block


def _is_open_after(block: Block, target: Target) -> bool:
    """Whether the scope of the target is open at the end of a block, or may continue below."""
    exit_ = block.exit
    if exit_ is None:
        return False
    closed = (exit_.closed.scope,) if exit_.closed is not None else ()
    openings = [scope.opening for scope in (*exit_.scopes, *closed) if scope.opening is not None]
    return any(opening.resolved().start == target.opening for opening in openings)


class _Search:
    """The search of one target; `roles` is True if the roles are to be found."""

    def __init__(self, module: Module, target: Target, roles: bool) -> None:
        self._module = module
        self._target = target
        self._roles = roles
        self._plain = PlainBlocks(module, target)
        self._declarations = frozenset(symbol.mark.resolved() for symbol in declarations_of(module, target))
        self._known = _KnownNames(None)

    def in_block(self, block: Block, text: str, offsets: list[int]) -> Iterator[Occurrence | None]:
        """Those of the mentions at some offsets in a block that mean the target, and None for the others.

        None of them is in a comment that is open where the block begins.
        """
        lines = LineStatements(text)
        if is_in_comment(block.entry):
            end = text.find("*/")
            offsets = [offset for offset in offsets if 0 <= end < offset]
        rows = [offset for offset in offsets if self._is_in_section(block, text, offset)]
        if rows:
            offsets = sorted({*offsets} - {*rows})
            yield from (Occurrence(self._range(block, lines, text, offset), Role.ADDRESS) for offset in rows)
        plain = self._plain.mentions(block, text, offsets) if PLAIN and offsets else None
        if plain is not None:
            yield from (self._of_place(block, lines, text, place) for place in plain)
        elif offsets := self._plain.possible(block, offsets) if PLAIN else offsets:
            yield from self._by_reading(block, text, offsets)

    def _is_in_section(self, block: Block, text: str, offset: int) -> bool:
        """Whether a mention is in a row of debug data, which may have 100,000 rows and is not parsed again."""
        target = self._target
        if not is_in_debug_data(target):
            return False
        if part_at(block, offset) is not None:
            return False
        return _SECTION_ROW.match(text, text.rfind("\n", 0, offset) + 1, offset) is not None

    def _range(self, block: Block, lines: LineStatements, text: str, offset: int) -> Range:
        name = _NAME.match(text, offset)
        length = name.end() - offset if name is not None else len(self._target.name)
        return lines.range_of(offset, offset + length).shifted(block.line)

    def _of_place(self, block: Block, lines: LineStatements, text: str, place: Place) -> Occurrence | None:
        range_ = self._range(block, lines, text, place.offset)
        if range_ == self._target.declared:
            return Occurrence(range_, Role.DECLARATION)
        if (
            not self._roles and not block.reports and lines.is_named(place.offset)
        ):  # the parser may skip broken operands
            return Occurrence(range_, Role.READ)
        statement = lines.around(place.offset, place.begin)
        if statement is None:
            return None
        if statement is not self._known.statement:
            self._known = _KnownNames(statement)
        name = self._known.names.get(place.offset)
        if name is None or (name.where in _DECLARING and not self._is_declaration(place, range_)):
            return None  # a declaration that declares nothing, because it is in a wrong place
        return Occurrence(range_, self._role(name, place.surroundings(text)))

    def _is_declaration(self, place: Place, range_: Range) -> bool:
        """Whether the target is declared at a range, for the first time or again; `place` is in its function."""
        if range_ in self._declarations:
            return True
        symbol = self._target.symbol
        return is_declared_at(place.scope.table(symbol).get(symbol.name, []), range_)

    def _by_reading(self, block: Block, text: str, offsets: list[int]) -> Iterator[Occurrence | None]:
        sought = frozenset(offsets)
        for context in holding_steps(block, KeptText(text), offsets):
            if context is None:
                yield None
                continue
            self._known = _KnownNames(context.statement)
            for name in self._known.names.values():
                if name.start in sought:
                    target = target_in(self._module, context, name)
                    if target is not None and target.declared == self._target.declared:
                        role = self._role(name, context.surroundings)
                        yield Occurrence(context.range(name.start, name.end), role)

    def _role(self, name: Name, surroundings: Surroundings) -> Role:
        """The role of a name in the known statement."""
        if name.where in _DECLARING:
            return Role.DECLARATION
        if name.where is Where.DATA:
            return Role.ADDRESS
        return self._known.role(name, surroundings) if self._roles else Role.READ


class _KnownNames:
    """The names of the statement that was looked at last, by their offsets: one may have thousands."""

    def __init__(self, statement: Statement | None) -> None:
        self.statement = statement
        self.names = {name.start: name for name in names_in(statement)} if statement is not None else {}
        self._roles: dict[int, Role] | None = None

    def role(self, name: Name, surroundings: Surroundings) -> Role:
        """What an instruction does with one of its names; `READ` for other statements."""
        if not isinstance(self.statement, Instruction):
            return Role.READ
        if self._roles is None:
            self._roles = {access.name.start: access.role for access in accesses(self.statement, surroundings)}
        return self._roles.get(name.start, Role.READ)
