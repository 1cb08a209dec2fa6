"""A block: a run of chunks of the document that begins and ends between statements, with the results of its reading.

While it is read, it has a text with lines and tokens. A function has one part in each block that it is in.
"""

from __future__ import annotations

from itertools import chain

from ptx_lsp.light_classes import TYPE_CHECKING, Callable, Iterator, NamedTuple, Sequence, Set, bisect_right
from ptx_lsp.quick.effect import DECLARED, NAMES, WRITTEN, LineEffect
from ptx_lsp.reading.state import Body, Cut, Declared, PlainRows, State, Suppression
from ptx_lsp.semantics.surroundings import Report, ScopedUse, Undeclared, UndeclaredUses
from ptx_lsp.semantics.symbols import DIGITS, Holder, Mark, Places, Symbol
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

if TYPE_CHECKING:
    from ptx_lsp.quick.body_text import BodyText
    from ptx_lsp.quick.function_memory import Sample
    from ptx_lsp.quick.known import Known
    from ptx_lsp.semantics.traces import Trait
    from ptx_lsp.syntax.lexer import Cursor


SplitText = tuple[list[str], Sequence[int]]
"""A text split at each `\\n`, and the offsets at which its lines begin."""


class BlockText:
    """The text of a block. `lines` are split at `\\n`; `starts` are the offsets at which the lines of PTX begin.

    Both are made when they are needed: a block of sections or of known functions does not need them. `fresh` is true if
    there is no report before the next statement on its line, as in the cursor. `begin` is the end of the comment around
    the begin, 0 without one. `cursor` is the last one, which may read only a part of a long text, None before.
    """

    __slots__ = ("_counted", "_holder", "_kept", "_lines", "_places", "_starts", "begin", "cursor", "fresh", "text")

    def __init__(
        self, text: str, holder: Holder, split: SplitText | None = None, kept: Sequence[int] | None = None
    ) -> None:
        """`split` are the lines of the text, if they are known.

        `kept` are the offsets at which the lines begin, if some of them were left out: then the text must not grow.
        """
        self.text = text
        self.fresh, self.begin = True, 0
        self._holder = holder
        self.cursor: Cursor | None = None
        self._lines = split[0] if split is not None else None
        self._starts = list(split[1]) if split is not None else None
        self._kept = kept
        known = self._starts if kept is None else kept
        self._places = Places(holder, known) if known is not None else None  # type: ignore[arg-type]  # not changed
        # the last offset whose line was counted, and this line; None if not only `\n` ends lines
        self._counted: tuple[int, int] | None = None if kept is not None or "\r" in text else (0, 0)

    @property
    def lines(self) -> list[str]:
        """The lines, without their `\\n`."""
        if self._lines is None:
            self._lines = self.text.split("\n")
        return self._lines

    @property
    def starts(self) -> Sequence[int]:
        """The offsets at which the lines begin; a lone `\\r` ends a line too."""
        if self._kept is not None:
            return self._kept
        if self._starts is None:
            self._starts = line_starts(self.text, self.lines)
            self._places = Places(self._holder, self._starts)
        return self._starts

    @property
    def mark(self) -> Callable[[int, int], Mark]:
        """Make the mark of the text from one offset to another."""
        return self._counted_mark if self._places is None else self._places.mark

    def grow(self, text: str) -> None:
        """Add text at the end. What `mark` gave before is not for places in it."""
        if len(text) > 1 << 15:  # characters of a section: to find all its lines takes long, and little needs them
            self._lines = self._starts = self._places = None
        if self._starts is not None:
            if self.text.endswith("\r") and text.startswith("\n"):
                self._starts.pop()  # one line end, not two
            self._starts += line_starts(text, begin=len(self.text))[1:]
        if self._lines is not None:  # only the new text is split: a block may grow a thousand times
            first, *more = text.split("\n")
            self._lines[-1] += first
            self._lines += more
        self.text += text
        self.cursor, self._counted = None, None if "\r" in text else self._counted

    def end(self, offset: int) -> None:
        """Leave out the text from an offset on, at which a line begins."""
        if self._starts is not None:
            self._starts = self._starts[: bisect_right(self._starts, offset)]
            self._places = Places(self._holder, self._starts)
        self.text, self._lines, self.cursor = self.text[:offset], None, None

    def begins_line(self, offset: int) -> bool:
        """Whether a line begins at an offset, in a text in which each `\\r` is followed by `\\n`."""
        return not offset or self.text[offset - 1] == "\n"

    def line_at(self, offset: int) -> int:
        """The number (from 0) of the line of an offset."""
        if self._starts is None and self._counted is not None and self._counted[0] <= offset:
            line = self._counted[1] + self.text.count("\n", self._counted[0], offset)
            self._counted = offset, line
            return line
        # the property takes longer than the search
        starts = self.starts if self._kept is not None or self._starts is None else self._starts
        return bisect_right(starts, offset) - 1

    def lines_between(self, start: int, end: int) -> int:
        """How many lines end between two offsets."""
        return self.text.count("\n", start, end) if self._starts is None else self.line_at(end) - self.line_at(start)

    def note_line(self, offset: int, line: int) -> None:
        """Note the number (from 0) of the line that begins at an offset, so that no line is counted up to there."""
        if self._starts is None and self._counted is not None:
            self._counted = offset, line

    def _counted_mark(self, start: int, end: int) -> Mark:
        line, text = self.line_at(start), self.text
        if self._starts is not None:
            return Places(self._holder, self._starts).mark(start, end)
        begin, last = text.rfind("\n", 0, start) + 1, text.rfind("\n", start, end) + 1
        lines = text.count("\n", start, end)
        return Mark(self._holder, Range(line, start - begin, line + lines, end - (last or begin)))

    def name_mark(self, name: str, line: int, column: int) -> Mark:
        """The mark of a name at a line and column (from 0)."""
        return Mark(self._holder, tuple.__new__(Range, (line, column, line, column + len(name))))

    def forget_tokens(self) -> None:
        """Let the next cursor read its tokens again: the last one may have taken problems of other statements."""
        self.cursor = None

    def cursor_at(self, offset: int) -> Cursor:
        """A cursor at the first token from `offset` on; no token may begin before it and end after it.

        Tokens that were read ahead are not read again: there may be no `;` for a long time.
        """
        from ptx_lsp.syntax.partial_cursor import cursor_at  # a short file may need no parser

        self.cursor = cursor_at(self.cursor, self.text, offset, offset == self.begin)
        return self.cursor

    def is_part(self, cursor: Cursor) -> bool:
        """Whether a cursor reads only a part of the text, so that a statement may seem to end at the end of that."""
        return cursor is self.cursor and cursor.limit < len(self.text)


MEMBERS, PARAMETERS = "<>", "()"


class FunctionPart:
    """The part of one function that is in one block.

    The text of the part is from the offset `start` in the block to `stop` (None: to the end of the block).

    While the block is read, `mentions` grows by the names in operands, `writes` by those that are written, `inner` by
    those that are declared between braces of the function, `lines` by the effects of recognised lines, and
    `undeclared_names` by the uses of undeclared names. `seal` turns them into `read` (the names that are only read),
    `written` and `undeclared`. The first two are one text each, because there are many parts and few are asked again;
    `registers` are the same names as two sets, until they have been counted.
    The keys of `undeclared` are `%r<>` for `%r1` and `%r2`, and a name for all others.

    `labels` are those of the part, `label_uses` are its branches. `missing` are the uses whose label was not found;
    `labels_checked` is true if they have been looked up and no such label was withdrawn since then. `loads` are the
    loads from `.param` variables of the body without a call of the part above them that returns a result there, and
    `results` are the variables in which calls return their results. `traces` are the statements that only a full
    compile checks, with their values: by trait, and those of one trait in the order of the text.

    `doubtful` are the names, without the digits at their ends, that broken declarations may have declared, with the
    place of the first such declaration; `MEMBERS` if it is unknown which, `PARAMETERS` if it is no register.
    `lost_labels` has, for each broken statement that may have been a label, the names before its colon, also as one
    name. `ends` is true if the function ends in this part: at the brace `closing`, or without a brace, see `cut`.
    `resumed_at` is the first statement after the closing brace that still belongs to the function; `resumed_by_brace`
    is true if that is a `{`. `sample` is what a template of the function is made of, if it may have one. `too_deep` is
    the first brace that is deeper than the assembler can read. `misplaced_end` is true if the brace `closing` belongs
    to a mistake that is reported: it may be in the place of a `;`.
    """

    is_known = False
    """True if the part is a whole function that is known."""

    __slots__ = (
        *("block", "body", "closing", "cut", "doubtful", "ends", "inner", "label_uses", "labels", "labels_checked"),
        *("lines", "loads", "lost_labels", "mentions", "misplaced_end", "missing", "read", "registers", "results"),
        *("resumed_at", "resumed_by_brace", "sample", "start", "stop", "too_deep", "traces", "undeclared"),
        *("undeclared_names", "writes", "written", "_label_names"),
    )

    def __init__(self, body: Body, block: Block, start: int = 0) -> None:
        self.body = body
        self.block = block
        self.start = start
        self.stop: int | None = None
        self.labels: list[Symbol] = []
        self._label_names: str | None = None  # made at the first request
        self.label_uses: list[ScopedUse] = []
        self.labels_checked = False
        self.missing: list[ScopedUse] = []
        self.loads: list[ScopedUse] = []
        self.results: list[ScopedUse] = []
        self.traces: tuple[tuple[Trait, int, Mark], ...] = ()
        self.doubtful: dict[str, Mark] = {}
        self.lost_labels: list[frozenset[str]] = []
        self.undeclared_names: list[Undeclared] = []
        self.undeclared: dict[str, UndeclaredUses] = {}
        self.mentions: list[str] = []
        self.writes: list[str] = []
        self.inner: list[str] = []
        self.lines: list[LineEffect] = []
        self.registers: tuple[set[str], set[str]] | None = None
        self.read = ""
        self.written = ""
        self.ends = False
        self.cut: Cut | None = None
        self.closing: Mark | None = None
        self.misplaced_end = False
        self.resumed_at: Mark | None = None
        self.resumed_by_brace = False
        self.too_deep: Mark | None = None
        self.sample: Sample | None = None

    @property
    def label_names(self) -> str:
        """The names of the labels, each between two line ends, after the part was sealed."""
        if self._label_names is None:
            self._label_names = "\n".join(("", *(label.name for label in self.labels), ""))
        return self._label_names

    def names_among(self, wanted: Set[str]) -> Set[str]:
        """Those of these names that the part mentions, after it was sealed."""
        return wanted & {*self.read.split(), *self.written.split()}

    def undeclared_uses(self) -> Iterator[Undeclared]:
        """The uses of undeclared names that are kept, after the part was sealed."""
        return chain.from_iterable(unknown.uses for unknown in self.undeclared.values())

    def shown(self) -> tuple[object, ...]:
        """What the findings of the function are made of before it has been read to its end."""
        marks = self.ends, self.misplaced_end, self.cut is None, self.resumed_at is None, self.undeclared.keys()
        return *marks, {label.name for label in self.labels}, {use.name for use in self.label_uses}

    @property
    def is_quiet(self) -> bool:
        """Whether the part, which was read for the first time, probably shows no finding of its function."""
        if self.undeclared or self.cut or self.resumed_at or self.misplaced_end or self.too_deep:
            return False
        return not self.ends or (self.body.concluded and not (self.body.names or self.body.usage))

    def forget_function(self) -> None:
        """Give up what refers back to the part: it is not needed any more."""

    def seal(self) -> None:
        """Finish the part after it has been read."""
        lines, self.lines = self.lines, []
        written = set(self.writes).union(*map(WRITTEN, lines))
        read = set(self.mentions).union(*map(NAMES, lines))
        read.difference_update(written)
        self.read, self.written = " ".join(read), " ".join(written)
        if self.inner or any(map(DECLARED, lines)):
            self.inner = list(set(self.inner).union(chain.from_iterable(map(DECLARED, lines))))
        for use in self.undeclared_names:
            name = use.name
            stem = name.rstrip(DIGITS)
            key = stem + MEMBERS if name[0] == "%" and stem != name else name
            self.undeclared.setdefault(key, UndeclaredUses()).add(use)
        self.mentions, self.writes, self.undeclared_names = [], [], []
        self.registers = read, written


class WatchedBody(NamedTuple):
    """A body that is being read to be remembered: the offset of its `}`, and the state and counts before it.

    `first` is its first line in the block. `body` is None for the first body with its measures: it gets a key, and is
    remembered, when there is a second one.
    """

    body: BodyText | None
    measured: int
    brace: int
    part: FunctionPart
    first: int
    known: Known
    not_by_body: int
    reports: int


class ReadBody(NamedTuple):
    """What reading a body gave, before its part was sealed; `first` is its first line in the block."""

    part: FunctionPart
    first: int
    lines: list[LineEffect]
    mentions: list[str]
    writes: list[str]


class Block:
    """A run of chunks of the document that begins and ends between statements.

    `chunk` and `line` are the first ones, `chunks` and `lines` their numbers. `index` grows from each block to the
    next. `generation` grows by one each time the block is read, so that a cache can compare it: the text, the reports
    and the declarations of one generation of one block never change.

    `entry` is the state at the beginning of the block, None before the block above has been read; `exit` is the state
    at its end after it was last read. The block must be read again if it is `stale`, or if one of its `suspicions` is
    true of its text: each says whether a text mentions a name whose meaning has changed. `sections` are those that a
    recogniser has read; `row_runs` are lines of the others, from one to another (exclusive), that are rows.
    `looks_below` is the text below it on which its reading may have depended.
    """

    __slots__ = (
        *("chunk", "chunks", "declared", "entry", "exit", "generation", "index", "line", "lines", "looks_below"),
        *("parts", "reports", "row_runs", "sections", "stale", "suppressions", "suspicions"),
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
        self.looks_below = ""
        self.declared: list[Declared] = []
        self.parts: list[FunctionPart] = []
        self.reports: list[Report] = []
        self.suppressions: list[Suppression] = []
        self.suspicions: tuple[Callable[[str], bool], ...] = ()
        self.sections: tuple[PlainRows, ...] = ()
        self.row_runs: tuple[tuple[int, int], ...] = ()

    def forget_reading(self) -> None:
        """Give up what refers to other objects, except for the parts of functions: the block is not needed any more."""
        self.entry = self.exit = None
        self.declared, self.reports, self.suppressions = [], [], []
        self.suspicions = self.sections = self.row_runs = ()


class Results(NamedTuple):
    """What reading a block gave: see `Block`."""

    exit: State | None
    reports: list[Report]
    parts: list[FunctionPart]
    declared: list[Declared]

    def look_different(self, later: Block) -> bool:
        """Whether the block shows other findings later, as far as it alone shows.

        Without `exit`, it is a piece of a divided block: of the parts of functions in it, nothing is known.
        """
        before, now = ([(r.code, r.mark.range, r.message) for r in one.reports] for one in (self, later))
        if before != now:
            return True
        if self.exit is None:
            return not all(part.is_quiet for part in later.parts)
        if later.exit is not None and self.exit.comment is not later.exit.comment:
            return True
        return [part.shown() for part in self.parts] != [part.shown() for part in later.parts]
