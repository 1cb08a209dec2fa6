"""Statements with what they see: what hover and the other features ask for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.blocks import Block, Body, State
from ptx_lsp.analysis.fold import Fold
from ptx_lsp.analysis.reading import NOTHING_BELOW, read
from ptx_lsp.analysis.transitions import take
from ptx_lsp.isa.versions import Version
from ptx_lsp.judgement.verdict import Verdict
from ptx_lsp.semantics.demands import Demanding
from ptx_lsp.semantics.instructions import Examined
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import DIGITS, Scope, Symbol
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.syntax.tree import Instruction, Problem, Statement
from ptx_lsp.text.ranges import Position, Range

LONGEST_INSTRUCTION = 8_192
"""Characters; those that compilers write have some 2,000 at most."""


class Located(NamedTuple):
    """A statement with what it sees. Its offsets count from the beginning of `text`, which begins at line `line`."""

    statement: Statement
    text: str
    line: int
    line_starts: list[int]
    surroundings: Surroundings
    examined: Examined | None

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on an instruction; None for other statements and for calls."""
        return self.examined.verdict if self.examined is not None else None

    def range(self, start: int, end: int) -> Range:
        """The range in the document of two offsets."""
        starts = self.line_starts
        first = bisect_right(starts, start) - 1
        last = bisect_right(starts, end) - 1
        return Range(first, start - starts[first], last, end - starts[last]).shifted(self.line)

    def offset(self, position: Position) -> int:
        """The offset of a position in the document; clamped to the text."""
        line = min(max(position.line - self.line, 0), len(self.line_starts) - 1)
        return min(self.line_starts[line] + position.column, len(self.text))


def locate(block: Block, text: str) -> Iterator[Located]:
    """The statements of a block in order; each sees the names that are declared above it, and all labels.

    What a statement sees is right until the next one is asked for. Nothing that the module remembers is changed.
    """
    fold = Fold(_aside(block), text)
    for statement, problems in parse_statements(text, fold.begin()):
        yield _take(fold, statement, problems, block)


def locate_at(block: Block, text: str, position: Position) -> Located | None:
    """The statement of a block around a position as `locate` gives it; None between statements.

    The statements above it are parsed, and judged only where they may change what it sees: a quarter of the work.
    """
    fold = Fold(_aside(block), text)
    line = position.line - block.line
    if not 0 <= line < len(fold.starts):
        return None
    for statement, problems in parse_statements(text, fold.begin()):
        if statement.end < fold.starts[line]:
            if not isinstance(statement, Instruction) or fold.part is None:
                _advance(fold, statement, problems, block)
            continue
        located = _take(fold, statement, problems, block)
        range_ = located.range(statement.start, statement.end)
        if range_.contains(position):
            return located
        if range_.line > position.line:
            break
    return None


def _take(fold: Fold, statement: Statement, problems: tuple[Problem, ...], block: Block) -> Located:
    before = fold.surroundings()
    _advance(fold, statement, problems, block)
    seen = before if len(fold.scopes) - 1 < before.depth else fold.surroundings()
    return Located(statement, fold.text, block.line, fold.starts, seen, fold.examined)


def _advance(fold: Fold, statement: Statement, problems: tuple[Problem, ...], block: Block) -> None:
    around = fold.body
    take(fold, statement, broken=bool(problems) or is_too_long(statement))
    if fold.body is not None and fold.body is not around:
        _add_labels(fold.body, block)


def is_too_long(statement: Statement) -> bool:
    """Whether nothing is told about a statement because to judge it once more would keep everybody waiting."""
    return isinstance(statement, Instruction) and statement.end - statement.start > LONGEST_INSTRUCTION


def _add_labels(body: Body, block: Block) -> None:
    """Give a function that begins in the block the labels that the module knows of it, from the blocks below too."""
    for known in (part.body for part in block.parts):
        begins_here = known.opening.holder is block and known.opening.range == body.opening.range
        if begins_here and known.symbol == body.symbol:
            body.scope.labels.update({name: list(labels) for name, labels in known.scope.labels.items()})


def collect_demands(block: Block, text: str) -> list[Demanding]:
    """What the statements of a block demand of versions and targets. Nothing that the module remembers is touched."""
    found: list[Demanding] = []
    aside = _aside(block)
    assert aside.entry is not None
    # whatever demands anything is above that maximum, and goes the full way
    aside.entry = aside.entry._replace(profile=aside.entry.profile._replace(maximum=Version(0, 0)))
    read(Fold(aside, text, found), NOTHING_BELOW)
    return found


def _aside(block: Block) -> Block:
    aside = Block(block.chunks, block.lines)
    aside.index, aside.line = block.index, block.line
    assert block.entry is not None
    aside.entry = _without(block.entry, block)
    return aside


def _without(entry: State, block: Block) -> State:
    """A copy of the state, with the scopes as they were before the block declared anything in them.

    Whatever is declared in the copy is not declared in the scopes of the module.
    """
    scopes: list[Scope] = []
    for scope in entry.scopes:
        scopes.append(_copy(scope, scopes[-1] if scopes else None, block))
    scopes[0].horizon.index = block.index
    body, closed = entry.body, entry.closed
    if body is not None:
        body = Body(body.symbol, scopes[entry.scopes.index(body.scope)])
    if closed is not None:
        closed = Body(closed.symbol, _copy(closed.scope, scopes[0], block))
    return entry._replace(scopes=tuple(scopes), body=body, closed=closed)


def _copy(scope: Scope, parent: Scope | None, block: Block) -> Scope:
    copy = Scope(parent, scope.opening)
    copy.members = _filtered(scope.members, block)
    copy.families = _filtered(scope.families, block)
    copy.labels = {name: list(labels) for name, labels in scope.labels.items()}
    copy.numbered = dict(scope.numbered)
    for name, symbols in scope.members.items():
        stem = name.rstrip(DIGITS)
        if stem != name:
            copy.numbered[stem] -= len(symbols) - len(copy.members.get(name, ()))
    return copy


def _filtered(table: dict[str, list[Symbol]], block: Block) -> dict[str, list[Symbol]]:
    found = {name: [s for s in symbols if s.mark.holder is not block] for name, symbols in table.items()}
    return {name: symbols for name, symbols in found.items() if symbols}
