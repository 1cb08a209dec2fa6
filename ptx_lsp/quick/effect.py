"""What a recogniser gives: the effect of a run of lines, or of one statement, on the block that holds it.

An effect says what the text does. It changes nothing: `ptx_lsp/reading/` applies it. A recogniser that is not sure
that a text is fine gives None, and the parser reads the text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ptx_lsp.quick.instruction_outcomes import Known
from ptx_lsp.quick.line_memory import LineEffect
from ptx_lsp.quick.operand_kinds import KindTable
from ptx_lsp.semantics.reports import Mark
from ptx_lsp.semantics.symbols import Scope, Symbol


class View(NamedTuple):
    """What a recogniser sees of the module around a text.

    `scope` is the innermost open scope and `table` the kinds of operands in it; `known` is what the process knows for
    the version and target of the module. `mark` makes a mark of two offsets in the text. `shallow` is True if inline
    assembly may open its braces here without becoming too deep for the assembler.
    """

    scope: Scope
    table: KindTable
    known: Known
    mark: Callable[[int, int], Mark]
    shallow: bool = True


class Place(NamedTuple):
    """A name with its line in the block and its column, both from 0."""

    name: str
    line: int
    column: int


class NewBody(NamedTuple):
    """The body of a function that begins: its symbol, its parameters with the results first, the offset of its `{`."""

    symbol: Symbol
    parameters: tuple[Symbol, ...]
    brace: int


class Effect:
    """What a run of lines does, or one statement. A line is a run of one.

    `count` is the number of lines of a run, `end` the offset at which a statement ends. `lines` hold the names that are
    mentioned and written, with their kinds. `labels`, `branches` (uses of labels) and `undeclared` (registers that
    nothing declares) are in the order of the text. `declares` are the names that the innermost scope declares; nothing
    follows a declaration in a run, because it may change what a name means. The change of scope is `opens`, the offset
    of a `{`, or `closes`, the offset of a `}`, or `body`, a function that begins; -1 and None if there is none.
    """

    __slots__ = (
        *("body", "branches", "callee", "closes", "count", "declares", "end", "labels", "lines", "loads", "opens"),
        *("results", "undeclared"),
    )

    def __init__(self, end: int = 0) -> None:
        self.count = 0
        self.end = end
        self.lines: list[LineEffect] = []
        self.labels: list[Place] = []
        self.branches: list[Place] = []
        self.undeclared: list[Place] = []
        self.loads: list[Place] = []
        self.results: list[str] = []
        self.callee: Mark | None = None
        self.declares: tuple[Symbol, ...] = ()
        self.opens = -1
        self.closes = -1
        self.body: NewBody | None = None

    @classmethod
    def of_declaration(cls, end: int, symbols: tuple[Symbol, ...]) -> Effect:
        """The effect of a declaration that ends at the offset `end`."""
        effect = cls(end)
        effect.declares = symbols
        return effect
