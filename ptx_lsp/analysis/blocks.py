"""What is remembered of a module: blocks of whole statements, the state between them, and the functions over them."""

from __future__ import annotations

import re
from itertools import chain
from typing import NamedTuple

from ptx_lsp.analysis.known import DECLARED, NAMES, WRITTEN, Fact
from ptx_lsp.semantics.reports import Mark, Report
from ptx_lsp.semantics.surroundings import LabelUse, Profile
from ptx_lsp.semantics.symbols import DIGITS, Scope, Symbol
from ptx_lsp.semantics.traces import Trait

MEMBERS = "<>"
TOLD_AT_MOST = 21  # uses of an undeclared name: the first, and twenty beside it


class Body:
    """The body of one function.

    `names` and `usage` are the reports that only the whole function can give: labels that nowhere stand and undeclared
    names; registers that nothing writes or uses; they hold once it has been `concluded`.
    """

    __slots__ = ("concluded", "names", "scope", "symbol", "usage")

    def __init__(self, symbol: Symbol, scope: Scope) -> None:
        self.symbol = symbol
        self.scope = scope
        self.concluded = False
        self.names: list[Report] = []
        self.usage: list[Report] = []

    @property
    def opening(self) -> Mark:
        """The place of the brace that opens it."""
        assert self.scope.opening is not None, "only the module's scope has no brace"
        return self.scope.opening


class OpenComment(NamedTuple):
    """A `/*` that is not closed in its block.

    `leaning` tells that a statement before it was judged as it is because no `*/` stands anywhere below.
    """

    mark: Mark
    leaning: bool


class State(NamedTuple):
    """What holds between two statements.

    `scopes` are the open scopes, the module's first. `body` is the function around, None at module level; `closed` the
    function that the last closing brace, at `closed_at`, ended; inside a function, `closed_at` tells that it goes on
    behind its end. `astray` is set while text outside of any function has
    been reported already. `header` are the directives of the module's header so far. `comment` is the comment around.
    """

    scopes: tuple[Scope, ...]
    body: Body | None
    closed: Body | None
    closed_at: Mark | None
    astray: bool
    header: tuple[str, ...]
    profile: Profile
    comment: OpenComment | None = None
    buried: int = 0  # braces that were opened beyond the depth that is looked at


class Declared(NamedTuple):
    """A name that a block declares in a scope that is open at its end or around it."""

    scope: Scope
    symbol: Symbol


class Suspicion(NamedTuple):
    """Names have changed their meaning: who mentions one must be read again.

    `names` finds them, None where there are too many. Of numbers in its group only those from `least` on count.
    """

    names: re.Pattern[str] | None
    least: int | None = None

    def falls_on(self, text: str) -> bool:
        """Whether a text mentions such a name."""
        if self.names is None:
            return True
        if self.least is None:
            return self.names.search(text) is not None
        shortest = len(str(self.least))
        return any(len(n) >= shortest and int(n[:18]) >= self.least for n in set(self.names.findall(text)))


class Block:
    """A run of chunks of the document that begins and ends between statements, and what reading it gave.

    `chunk` and `line` are its first, `chunks` and `lines` how many; `entry` is the state it was, or is to be, read
    with, None before its turn has come. It is to be read again where it is `stale`, or a suspicion falls on its text.
    """

    __slots__ = (
        "chunk",
        "chunks",
        "declared",
        "entry",
        "exit",
        "index",
        "line",
        "lines",
        "parts",
        "reports",
        "stale",
        "suppressions",
        "suspicions",
    )

    def __init__(self, chunks: int, lines: int) -> None:
        self.index = 0
        self.chunk = 0
        self.line = 0
        self.chunks = chunks
        self.lines = lines
        self.entry: State | None = None
        self.exit: State | None = None
        self.stale = True
        self.declared: list[Declared] = []
        self.parts: list[Part] = []
        self.reports: list[Report] = []
        self.suppressions: list[Suppression] = []
        self.suspicions: tuple[Suspicion, ...] = ()


class Suppression(NamedTuple):
    """A comment that silences findings: which codes (empty: all), on which line of its block, and where it stands."""

    codes: tuple[str, ...]
    line: int
    mark: Mark


class Cut(NamedTuple):
    """Where a function ends without its brace: the brace that is open, and the directive that belongs outside."""

    opening: Mark | None
    noticed: Mark
    directive: str


class Undeclared:
    """A name that nothing declares, or registers `%r1`, `%r2` of one stem that nothing declares.

    `uses` are the first ones, in order, as many as a report tells; `highest` is the name with the highest number, and
    `several` tells whether there is more than one name.
    """

    __slots__ = ("highest", "several", "uses")

    def __init__(self, uses: list[tuple[str, Mark]] | None = None, highest: str = "") -> None:
        self.uses: list[tuple[str, Mark]] = uses or []
        self.highest = highest
        self.several = False

    def add(self, name: str, mark: Mark) -> None:
        """One more use."""
        if len(self.uses) < TOLD_AT_MOST:
            self.uses.append((name, mark))
        if name != self.highest:
            self.several |= bool(self.highest)
            self.highest = max(self.highest, name, key=_by_number)

    def merge(self, other: Undeclared) -> None:
        """More uses, from further below."""
        self.uses += other.uses[: TOLD_AT_MOST - len(self.uses)]
        self.several |= other.several or (bool(self.highest) and self.highest != other.highest)
        self.highest = max(self.highest, other.highest, key=_by_number)


def _by_number(name: str) -> tuple[int, str]:
    return len(name), name


class Part:
    """What one block holds of one function, for the checks that need the function whole.

    While it is read, `mentions` grows by the names in operands, `writes` by those that are written, and `known` by
    what is known of lines; `seal` keeps those that are read only and those that are `written`, each as one text: there
    are many parts, and few are ever asked again. Names that nothing declares are `noted` one by one, and sealed as
    `undeclared`: `%r1`, `%r2` as `%r<>`, others by their name.
    `traces` are the statements that compiling looks at, with their values, in the order of their traits.
    `ends` tells that the function ends in this block, at the brace `closing` or without one, as `cut` tells.
    `again` is where the function goes on behind its end, `at_brace` whether with a `{`. `inner` are the names declared
    between braces of the function, `loads` the `.param` variables of the body that are loaded before a call in the
    same part returns its result there, `results` those in which calls return; `too_deep` the first brace that is
    deeper than the assembler can read. It takes the block's text from the offset `start` to `stop` (None: to its
    end).
    """

    __slots__ = (
        "again",
        "at_brace",
        "block",
        "body",
        "closing",
        "cut",
        "ends",
        "inner",
        "known",
        "label_uses",
        "labels",
        "loads",
        "mentions",
        "missing",
        "noted",
        "read",
        "results",
        "sound",
        "start",
        "stop",
        "too_deep",
        "traces",
        "undeclared",
        "writes",
        "written",
    )

    def __init__(self, body: Body, block: Block, start: int = 0) -> None:
        self.body = body
        self.block = block
        self.label_uses: list[LabelUse] = []
        self.sound = False  # whether these were looked for, and no label of such a name has gone since
        self.missing: list[LabelUse] = []  # those that were not found then
        self.labels: list[Symbol] = []
        self.loads: list[LabelUse] = []
        self.results: list[LabelUse] = []
        self.noted: list[tuple[str, Mark]] = []
        self.traces: tuple[tuple[Trait, int, Mark], ...] = ()
        self.undeclared: dict[str, Undeclared] = {}
        self.mentions: list[str] = []
        self.writes: list[str] = []
        self.known: list[Fact] = []
        self.read = ""
        self.written = ""
        self.ends = False
        self.cut: Cut | None = None
        self.closing: Mark | None = None
        self.again: Mark | None = None
        self.at_brace = False
        self.too_deep: Mark | None = None
        self.inner: list[str] = []
        self.start = start
        self.stop: int | None = None

    def seal(self) -> tuple[set[str], set[str]]:
        """The part has been read. Returns the names that it reads only, and those that it writes."""
        known, self.known = self.known, []
        written = set(self.writes).union(chain.from_iterable(map(WRITTEN, known)))
        read = set(self.mentions).union(chain.from_iterable(map(NAMES, known)))
        read.difference_update(written, [use.name for use in self.label_uses])
        self.read, self.written = " ".join(read), " ".join(written)
        if self.inner or any(map(DECLARED, known)):
            self.inner = list(set(self.inner).union(chain.from_iterable(map(DECLARED, known))))
        self.mentions, self.writes = [], []
        for name, mark in self.noted:
            stem = name.rstrip(DIGITS)
            word = stem + MEMBERS if name[0] == "%" and stem != name else name
            self.undeclared.setdefault(word, Undeclared()).add(name, mark)
        self.noted = []
        return read, written
