"""Blocks in which a name can mean only one symbol, so that its places are found without reading the block again."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.target import Target
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.surroundings import Profile, Surroundings
from ptx_lsp.semantics.symbols import DIGITS, Mark, Scope, SymbolKind
from ptx_lsp.syntax.plain_text import NAME_TEXT
from ptx_lsp.text.lines import has_lone_return
from ptx_lsp.text.ranges import Range

_NAME = re.compile(NAME_TEXT, re.A)


class _Nowhere:
    """The holder of marks that are made and thrown away."""

    line = index = 0


NOWHERE = Mark(_Nowhere(), Range(0, 0, 0, 0))


class Place(NamedTuple):
    """A mention of the target at an offset in a block; `begin` is the offset where its function begins in the block."""

    offset: int
    begin: int
    scope: Scope
    profile: Profile

    def surroundings(self, text: str) -> Surroundings:
        """What the statement sees: every name of its function, those that are declared below it as well."""
        return Surroundings(self.profile, self.scope, None, 1, text, lambda start, end: NOWHERE, [], [], [])


def part_at(block: Block, offset: int) -> FunctionPart | None:
    """The part of a function around an offset in a block."""
    index = bisect_right(block.parts, offset, key=lambda part: part.start) - 1
    part = block.parts[index] if index >= 0 else None
    return part if part is not None and (part.stop is None or offset < part.stop) else None


class PlainBlocks:
    """Which mentions of a target in a block surely mean it."""

    def __init__(self, module: Module, target: Target) -> None:
        self._module = module
        self._target = target
        self._is_label = target.symbol.kind is SymbolKind.LABEL
        self._unique: bool | None = None  # for a label: whether its name means nothing else in its function

    def mentions(self, block: Block, text: str, offsets: Sequence[int]) -> list[Place] | None:
        """Those of some mentions that mean the target, if the block shows it without being read again; else None."""
        target = self._target
        if not _is_known(block) or self._declares(block) or not _is_plain(text):
            return None
        if block.line < target.declared.line and not self._is_label:
            # a use above its declaration means something else, or nothing, or what `target_in` finds
            return [] if target.opening is not None else None
        found: list[Place] = []
        profile = self._module.profile
        looked_at: FunctionPart | None = None  # the part that was looked at last: nothing in it can mean anything else
        for offset in offsets:
            part = part_at(block, offset)
            if part is None:
                if target.opening is None or block.reports:
                    return None  # a statement that is wrong in a function, such as a section, may end it
                continue
            if target.opening is not None and part.body.opening.resolved().start != target.opening:
                if self._is_inside(part):
                    return None
                continue
            if part is not looked_at and not self._can_mean_nothing_else(block, part):
                return None
            looked_at = part
            if not target.family or self._is_member(part.body.scope, text, offset):
                found.append(Place(offset, part.start, part.body.scope, profile))
        return found

    def possible(self, block: Block, offsets: list[int]) -> list[int]:
        """Those of some mentions in a block that may mean the target: one in another function does not.

        A block may have many small functions with the same names.
        """
        opening = self._target.opening
        if opening is None or not _is_known(block):
            return offsets
        found: list[int] = []
        looked_at: FunctionPart | None = None
        may_be = True  # in the part that was looked at last
        for offset in offsets:
            part = part_at(block, offset)
            if part is not None and part is not looked_at:
                looked_at, may_be = part, part.body.opening.resolved().start == opening or self._is_inside(part)
            if part is None or may_be:
                found.append(offset)
        return found

    def _is_member(self, scope: Scope, text: str, offset: int) -> bool:
        """Whether the name at an offset is a member of the family: its number is not too high."""
        name = _NAME.match(text, offset)
        meaning = scope.lookup(name[0]) if name is not None else None
        return meaning is not None and meaning.mark.resolved() == self._target.declared

    def _declares(self, block: Block) -> bool:
        if self._is_label or self._target.is_outside:
            return False
        return self._module.block_map.at_line(self._target.declared.line) is block

    def _is_inside(self, part: FunctionPart) -> bool:
        """Whether the scope of the target may be one between braces of the function of a part."""
        opening = part.body.opening.resolved().start
        target = self._target.opening
        closing = part.body.closing.resolved().start if part.body.closing is not None else None
        return target is not None and opening < target and (closing is None or target < closing)

    def _can_mean_nothing_else(self, block: Block, part: FunctionPart) -> bool:
        target, scope = self._target, part.body.scope
        if any(self._may_hide(name) for name in part.inner) or block.entry is None:
            return False
        if part.body is block.entry.body and any(self._is_declared_in(inner) for inner in block.entry.scopes[2:]):
            return False
        if self._is_label:
            return self._is_unique_label(part.body)
        if scope.labels.get(target.name) or any(label.name == target.name for label in part.labels):
            return False
        if not part.is_known and any(use.name == target.name for use in part.label_uses):
            return False  # it is named where only a label can be meant
        if target.opening is None:
            return not self._is_declared_in(scope)
        if target.family:
            return self._target.symbol.name not in _stems(scope)
        meaning = scope.own(target.name)
        return meaning is not None and meaning.mark.resolved() == target.declared

    def _may_hide(self, name: str) -> bool:
        """Whether a declaration of this name, or of a family with this stem, can hide the target."""
        target = self._target
        stem = target.symbol.name.rstrip(DIGITS)
        has_members = target.family or stem != target.name
        return name == target.name or (has_members and name.rstrip(DIGITS) == stem)

    def _is_declared_in(self, scope: Scope) -> bool:
        if self._target.family:
            stem = self._target.symbol.name
            return stem in scope.families or stem in _stems(scope)
        return scope.own(self._target.name) is not None or self._target.name in scope.labels

    def _is_unique_label(self, body: Body) -> bool:
        if self._unique is None:
            name, scope = self._target.name, body.scope
            parts = (part for block in self._blocks_of(body) for part in block.parts)
            same = [label for part in parts if part.body.scope is scope for label in part.labels if label.name == name]
            around = scope.parent
            self._unique = len(same) == 1 and scope.own(name) is None and (around is None or around.own(name) is None)
        return self._unique

    def _blocks_of(self, body: Body) -> list[Block]:
        """The blocks that may have parts of a function: a text of a million lines may have 30,000 others."""
        block_map = self._module.block_map
        if body.closing is None or body.is_given:
            return block_map.blocks
        first, last = (block_map.at_line(mark.resolved().line) for mark in (body.opening, body.closing))
        return block_map.blocks[block_map.place(first) : block_map.place(last) + 1]


def _stems(scope: Scope) -> set[str]:
    """The stems of single names that end in digits: they may hide members of a family."""
    return {stem for stem, count in scope.numbered.items() if count}


def _is_known(block: Block) -> bool:
    """Whether the parts of a block are those of its text."""
    return not block.stale and not block.suspicions and block.entry is not None


def _is_plain(text: str) -> bool:
    """Whether the lines of a text can be looked at one by one."""
    return "/*" not in text and "*/" not in text and not has_lone_return(text)
