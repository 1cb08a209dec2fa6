"""Statements with what they see: what hover and the other features ask for."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from ptx_lsp.analysis.blocks import Block, State
from ptx_lsp.analysis.fold import Fold
from ptx_lsp.analysis.reading import NOTHING_BELOW, read
from ptx_lsp.analysis.transitions import take
from ptx_lsp.isa.versions import Version
from ptx_lsp.judgement.verdict import Verdict
from ptx_lsp.semantics.demands import Demanding
from ptx_lsp.semantics.instructions import Examined
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.semantics.symbols import Scope, Symbol
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.syntax.tree import Instruction, Problem, Statement
from ptx_lsp.text.ranges import Position, Range


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


def locate(block: Block, text: str) -> list[Located]:
    """Every statement of a block the full way. Nothing that the module remembers is touched."""
    fold = Fold(_aside(block), text)
    found = [
        _take(fold, statement, problems, block.line) for statement, problems in parse_statements(text, fold.begin())
    ]
    _add_labels(fold, block)
    return found


def locate_at(block: Block, text: str, position: Position) -> Located | None:
    """The statement of a block around a position as `locate` has it; None between statements.

    What stands before it is parsed, and judged only where it may change what the statement sees: a quarter of the work.
    """
    fold = Fold(_aside(block), text)
    line = position.line - block.line
    if not 0 <= line < len(fold.starts):
        return None
    for statement, problems in parse_statements(text, fold.begin()):
        if statement.end < fold.starts[line]:
            if not isinstance(statement, Instruction) or fold.part is None:
                take(fold, statement, broken=bool(problems))
            continue
        located = _take(fold, statement, problems, block.line)
        range_ = located.range(statement.start, statement.end)
        if range_.contains(position):
            _add_labels(fold, block)
            return located
        if range_.line > position.line:
            break
    return None


def _take(fold: Fold, statement: Statement, problems: tuple[Problem, ...], line: int) -> Located:
    before = fold.surroundings()
    take(fold, statement, broken=bool(problems))
    seen = before if len(fold.scopes) - 1 < before.depth else fold.surroundings()
    return Located(statement, fold.text, line, fold.starts, seen, fold.examined)


def _add_labels(fold: Fold, block: Block) -> None:
    for mine, known in zip(fold.parts, block.parts, strict=False):
        # of a function that begins here, labels may stand in blocks below
        for name, labels in known.body.scope.labels.items():
            mine.body.scope.labels.setdefault(name, labels)


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
    # the scopes as they were before the block declared anything in them
    scopes: list[Scope] = []
    for scope in entry.scopes:
        copy = Scope(scopes[-1] if scopes else None, scope.opening)
        copy.members = _filtered(scope.members, block)
        copy.families = _filtered(scope.families, block)
        copy.labels = dict(scope.labels)
        scopes.append(copy)
    scopes[0].horizon.index = block.index
    return entry._replace(scopes=tuple(scopes))


def _filtered(table: dict[str, list[Symbol]], block: Block) -> dict[str, list[Symbol]]:
    found = {name: [s for s in symbols if s.mark.holder is not block] for name, symbols in table.items()}
    return {name: symbols for name, symbols in found.items() if symbols}
