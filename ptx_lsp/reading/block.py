"""A block: a run of chunks of the document that begins and ends between statements, with the results of its reading."""

from __future__ import annotations

import re

from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.reading.function_part import FunctionPart
from ptx_lsp.reading.state import Declared, State
from ptx_lsp.semantics.reports import Mark, Report


class Suspicion(NamedTuple):
    """Names whose meaning has changed: a block that mentions one of them must be read again.

    `names` is a pattern that finds them, None if there are too many: then every block is read again. If `least` is
    set, the group of the pattern is a number, and only numbers from `least` on have changed.
    """

    names: re.Pattern[str] | None
    least: int | None = None

    def applies_to(self, text: str) -> bool:
        """Whether a text mentions such a name."""
        if self.names is None:
            return True
        if self.least is None:
            return self.names.search(text) is not None
        shortest = len(str(self.least))
        return any(len(n) >= shortest and int(n[:18]) >= self.least for n in set(self.names.findall(text)))


class Suppression(NamedTuple):
    """A comment that suppresses findings: their codes (empty: all), its line in its block (from 0), and its place."""

    codes: tuple[str, ...]
    line: int
    mark: Mark


class Block:
    """A run of chunks of the document that begins and ends between statements.

    `chunk` and `line` are the first ones, `chunks` and `lines` their numbers. `index` grows from each block to the
    next. `generation` grows by one each time the block is read, so that a cache can compare it: the text, the reports
    and the declarations of one generation of one block never change.

    `entry` is the state at the begin of the block, None before the block above has been read; `exit` is the state at
    its end after it was last read. The block must be read again if it is `stale`, or if one of its `suspicions` applies
    to its text.
    """

    __slots__ = (
        *("chunk", "chunks", "declared", "entry", "exit", "generation", "index", "line", "lines", "parts"),
        *("reports", "stale", "suppressions", "suspicions"),
    )

    def __init__(self, chunks: int, lines: int) -> None:
        self.index = 0
        self.generation = 0
        self.chunk = 0
        self.line = 0
        self.chunks = chunks
        self.lines = lines
        self.entry: State | None = None
        self.exit: State | None = None
        self.stale = True
        self.declared: list[Declared] = []
        self.parts: list[FunctionPart] = []
        self.reports: list[Report] = []
        self.suppressions: list[Suppression] = []
        self.suspicions: tuple[Suspicion, ...] = ()
