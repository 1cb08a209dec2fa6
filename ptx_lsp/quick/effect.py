"""Effects, the results of recognisers: what a run of lines, or one statement, does in its block.

An effect changes nothing: `ptx_lsp/reading/` applies it. A recogniser that is not sure that a text is fine returns
None, and the parser reads the text.
"""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.quick.instruction_outcomes import Known
from ptx_lsp.quick.line_memory import LineEffect
from ptx_lsp.quick.operand_kinds import KindTable
from ptx_lsp.semantics.reports import Mark
from ptx_lsp.semantics.symbols import Scope, Symbol


class View(NamedTuple):
    """What a recogniser sees of the module around a text.

    `scope` is the innermost open scope and `table` has the kinds of operands in it. `known` is what the process has
    remembered for the version and target of the module. `mark` makes a mark from two offsets in the text. `shallow` is
    true if inline assembly may open its braces here without becoming too deep for the assembler.
    """

    scope: Scope
    table: KindTable
    known: Known
    mark: Callable[[int, int], Mark]
    shallow: bool = True


class NamePlace(NamedTuple):
    """A name with its line in the block and its column, both from 0."""

    name: str
    line: int
    column: int


class NewBody(NamedTuple):
    """The begin of a function body: the symbol, the results and then the parameters, and the offset of the `{`."""

    symbol: Symbol
    parameters: tuple[Symbol, ...]
    brace: int


class Effect:
    """What a run of lines, or one statement, does. One line is a run of one.

    `count` is the number of lines of a run, `end` the offset of the end of a statement. `lines` have the names that are
    mentioned and written, with their kinds. `labels`, `branches` (uses of labels) and `undeclared` (undeclared
    registers) are in the order of the text. `declares` are the names that the innermost scope declares. A declaration
    is the last line of its run, because it may change the meaning of a name. The change of scope is `opens`, the offset
    of a `{`, or `closes`, the offset of a `}`, or `body`, a function that begins; these are -1 or None without it.
    `stopped` is True if a run ended at a line that no recogniser of lines knows.
    """

    __slots__ = (
        *("body", "branches", "callee", "closes", "count", "declares", "end", "labels", "lines", "loads", "opens"),
        *("results", "stopped", "undeclared"),
    )

    def __init__(self, end: int = 0) -> None:
        self.count = 0
        self.stopped = False
        self.end = end
        self.lines: list[LineEffect] = []
        self.labels: list[NamePlace] = []
        self.branches: list[NamePlace] = []
        self.undeclared: list[NamePlace] = []
        self.loads: list[NamePlace] = []
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
