"""The part of one function in one block, for the checks that need the whole function."""

from __future__ import annotations

from itertools import chain

from ptx_lsp.light_classes import TYPE_CHECKING
from ptx_lsp.quick.line_memory import DECLARED, NAMES, WRITTEN, LineEffect
from ptx_lsp.reading.state import Body, Cut
from ptx_lsp.semantics.reports import Mark
from ptx_lsp.semantics.surroundings import LabelUse, Undeclared
from ptx_lsp.semantics.symbols import DIGITS, Symbol
from ptx_lsp.semantics.traces import Trait

if TYPE_CHECKING:
    from ptx_lsp.reading.block import Block

MEMBERS = "<>"
MOST_USES = 1_000
"""The most uses of an undeclared name that are kept; each is reported if the name is a label."""


class UndeclaredUses:
    """The uses of an undeclared name, or of undeclared registers `%r1`, `%r2` of one stem.

    `uses` are the first `MOST_USES`, in order. `highest` is the name with the highest number. `several` is true if
    there is more than one name.
    """

    __slots__ = ("highest", "several", "uses")

    def __init__(self) -> None:
        self.uses: list[Undeclared] = []
        self.highest = ""
        self.several = False

    def add(self, use: Undeclared) -> None:
        """Add one use."""
        name = use.name
        if len(self.uses) < MOST_USES:
            self.uses.append(use)
        if name != self.highest:
            self.several |= bool(self.highest)
            self.highest = max(self.highest, name, key=_by_number)

    def merge(self, other: UndeclaredUses) -> None:
        """Add uses that are below the present ones."""
        self.uses += other.uses[: MOST_USES - len(self.uses)]
        self.several |= other.several or (bool(self.highest) and self.highest != other.highest)
        self.highest = max(self.highest, other.highest, key=_by_number)


def _by_number(name: str) -> tuple[int, str]:
    return len(name), name


class FunctionPart:
    """The part of one function that is in one block.

    The text of the part is from the offset `start` in the block to `stop` (None: to the end of the block).

    While the block is read, `mentions` grows by the names in operands, `writes` by those that are written, `inner` by
    those that are declared between braces of the function, `lines` by the effects of recognised lines, and
    `undeclared_names` by the uses of undeclared names. `seal` turns them into `read` (the names that are only read),
    `written` and `undeclared`. The first two are one text each, because there are many parts and few are asked again.
    The keys of `undeclared` are `%r<>` for `%r1` and `%r2`, and a name for all others.

    `labels` are those of the part, `label_uses` are its branches. `missing` are the uses whose label was not found;
    `labels_checked` is true if they have been looked up and no such label was withdrawn since then. `loads` are the
    loads from `.param` variables of the body without a call of the part above them that returns a result there, and
    `results` are the variables in which calls return their results. `traces` are the statements that only a full
    compile checks, with their values, in the order of their traits.

    `ends` is true if the function ends in this part: at the brace `closing`, or without a brace, see `cut`.
    `resumed_at` is the first statement after the closing brace that still belongs to the function; `resumed_by_brace`
    is true if that is a `{`. `too_deep` is the first brace that is deeper than the assembler can read.
    """

    __slots__ = (
        *("block", "body", "closing", "cut", "ends", "inner", "label_uses", "labels", "labels_checked", "lines"),
        *("loads", "mentions", "missing", "read", "results", "resumed_at", "resumed_by_brace", "start", "stop"),
        *("too_deep", "traces", "undeclared", "undeclared_names", "writes", "written"),
    )

    def __init__(self, body: Body, block: Block, start: int = 0) -> None:
        self.body = body
        self.block = block
        self.start = start
        self.stop: int | None = None
        self.labels: list[Symbol] = []
        self.label_uses: list[LabelUse] = []
        self.labels_checked = False
        self.missing: list[LabelUse] = []
        self.loads: list[LabelUse] = []
        self.results: list[LabelUse] = []
        self.traces: tuple[tuple[Trait, int, Mark], ...] = ()
        self.undeclared_names: list[Undeclared] = []
        self.undeclared: dict[str, UndeclaredUses] = {}
        self.mentions: list[str] = []
        self.writes: list[str] = []
        self.inner: list[str] = []
        self.lines: list[LineEffect] = []
        self.read = ""
        self.written = ""
        self.ends = False
        self.cut: Cut | None = None
        self.closing: Mark | None = None
        self.resumed_at: Mark | None = None
        self.resumed_by_brace = False
        self.too_deep: Mark | None = None

    def seal(self) -> tuple[set[str], set[str]]:
        """Finish the part after it has been read. Returns the names that it only reads, and those that it writes."""
        lines, self.lines = self.lines, []
        written = set(self.writes).union(chain.from_iterable(map(WRITTEN, lines)))
        read = set(self.mentions).union(chain.from_iterable(map(NAMES, lines)))
        read.difference_update(written, [use.name for use in self.label_uses])
        self.read, self.written = " ".join(read), " ".join(written)
        if self.inner or any(map(DECLARED, lines)):
            self.inner = list(set(self.inner).union(chain.from_iterable(map(DECLARED, lines))))
        self.mentions, self.writes = [], []
        for use in self.undeclared_names:
            name = use.name
            stem = name.rstrip(DIGITS)
            key = stem + MEMBERS if name[0] == "%" and stem != name else name
            self.undeclared.setdefault(key, UndeclaredUses()).add(use)
        self.undeclared_names = []
        return read, written
