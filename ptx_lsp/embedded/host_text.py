"""A text in another language under analysis: opened once, edited many times, its findings kept up to date.

It is scanned run by run, and a run is scanned again after an edit only until the scanner is in the state in which the
next run begins. The verdict on a statement is remembered by its text, so typing in one statement judges that one.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from time import perf_counter
from typing import NamedTuple

from ptx_lsp.analysis.module import Checks
from ptx_lsp.embedded.collected_findings import Ranged, RunFindings, collected
from ptx_lsp.embedded.fragment import judge_steps
from ptx_lsp.embedded.host_findings import declared_names, suppressed
from ptx_lsp.embedded.inline_statement import Embedded, EmbeddedOptions, embed
from ptx_lsp.embedded.statement_findings import Placed, embedded_findings, with_ranges
from ptx_lsp.embedded.targets import CANDIDATES
from ptx_lsp.findings.finding import Finding
from ptx_lsp.findings.suppression import MARKER
from ptx_lsp.fixes.fix import Edit, apply_edits
from ptx_lsp.hosts.scan import scan_lines, worth_scanning
from ptx_lsp.hosts.statement import START, AsmStatement, Host, State
from ptx_lsp.isa.versions import Target
from ptx_lsp.memo import Memo
from ptx_lsp.text.document import Document, EditEffect
from ptx_lsp.text.lines import LineIndex
from ptx_lsp.text.ranges import Position, Range

_MOST_CHUNKS = 64  # of one run: a statement that is longer is scanned in parts
_MOST_REMEMBERED = 10_000  # statements


class Known(NamedTuple):
    """What is known of a statement by its text alone: its PTX (None if it has none) and its findings.

    All offsets count from the beginning of the statement. `declares` are the names of PTX that it declares for others.
    """

    source: str
    embedded: Embedded | None
    findings: tuple[Placed, ...]
    declares: frozenset[str] = frozenset()


class Located(NamedTuple):
    """A statement with its place in the document."""

    known: Known
    begin: Position

    @property
    def lines(self) -> LineIndex:
        """The lines of the statement, at their places in the document."""
        return LineIndex(self.known.source, self.begin)


class _Run:
    """Chunks that are scanned together: the first one's state, and the statements that end in them.

    `statements` have offsets from the beginning of the first chunk. `known` is what is known of the first ones of them,
    which have been judged, each with its offset, `ranged` are their findings, `declares` the names that they declare
    for others. `state` is None for a chunk that is not the first of its run.
    """

    __slots__ = ("declares", "known", "ranged", "state", "statements")

    def __init__(self, state: State | None = None) -> None:
        self.state = state
        self.statements: list[AsmStatement] = []
        self.ranged: list[Ranged] = []
        self.known: list[tuple[int, Known]] = []
        self.declares: set[str] = set()


_known: Memo[tuple[object, ...], Known] = Memo(_MOST_REMEMBERED)


def _known_steps(statement: AsmStatement, source: str, options: EmbeddedOptions) -> Generator[None, None, Known]:
    """What is known of a statement that begins at offset 0 of its source, in small steps; it is remembered."""
    checks = options.checks
    key = (statement, source, options.targets, frozenset(checks.severities.items()), *checks[1:])
    known = _known.get(key)
    if known is None:

        def part(start: int, end: int) -> str:
            return source[start:end]

        embedded = embed(statement, part, options)
        if embedded is not None:
            yield from judge_steps(embedded.fragment, checks)
        found = embedded_findings(embedded, part, options) if embedded is not None else ()
        declares = declared_names(embedded) if embedded is not None else frozenset[str]()
        known = _known[key] = Known(source, embedded, found, declares)
    return known


def check_host(text: str, host: Host, checks: Checks | None = None, targets: Iterable[Target] = ()) -> list[Finding]:
    """Every finding of a text of this language, in the order of the text. Takes any text; raises nothing.

    `targets` are the targets that its statements are written for; without them they may be written for any.
    """
    analysis = HostText(text, host, checks, tuple(targets))
    analysis.work()
    return analysis.findings()


class HostText:
    """The analysis of one document in another language. `edit` is cheap: it marks the work, which `work` does."""

    def __init__(self, text: str | Document, host: Host, checks: Checks | None, targets: tuple[Target, ...]) -> None:
        self.document = Document(text) if isinstance(text, str) else text
        self.host = host
        self.checks = checks or Checks()
        self.targets = targets
        self.options = EmbeddedOptions(self.checks, targets or CANDIDATES)
        self._runs: list[_Run] = []
        self._with_letters: list[bool] = []  # by chunk: whether it may have a statement
        self._with_marker: list[bool] = []  # by chunk: whether it may have a comment about findings
        self._dirty: list[int] = []  # chunks from which to scan
        self._until = 0  # the chunk up to which all must be scanned, whatever the states
        self._findings: list[Finding] = []
        self._is_current = False  # True if the findings are those of the present text
        self._steps: Iterator[None] | None = None  # the rest of the work that follows the scan, if it has begun
        self._steps_of_lines: dict[tuple[int, int], Iterator[None]] = {}  # the same for lines that requests ask for
        self._open()

    def _open(self) -> None:
        count = self.document.chunk_count
        self._with_letters, self._with_marker = [], []
        self._look_at(0, 0, count)
        self._runs = [_Run(START if not index else None) for index in range(count)]
        self._mark(0)

    def edit(self, range_: Range | None, new_text: str) -> None:
        """Replace the text of `range_` (None: the whole text); nothing is analysed before `work` is called."""
        if range_ is None:
            self.document = Document(new_text)
            self._findings = []
            self._open()
            return
        had_letters = self.holds_assembly
        self._steps = None
        self._steps_of_lines.clear()
        effect = self.document.edit(range_, new_text)
        first, end = effect.first, effect.first + effect.added
        self._look_at(first, first + effect.removed, end)
        state = self._runs[first].state if first < len(self._runs) else None
        self._runs[first : first + effect.removed] = [_Run() for _ in range(effect.added)]
        if effect.added:
            self._runs[first].state = state
        self._runs[0].state = START
        self._is_current = False
        self._move_findings(effect)
        if self.holds_assembly:
            self._mark(first if had_letters else 0, end)

    def _look_at(self, first: int, end: int, new_end: int) -> None:
        """Note which chunks from `first` to `new_end` must be scanned; they have replaced those up to `end`."""
        chunks = [self.document.chunk(index) for index in range(first, new_end)]
        self._with_letters[first:end] = [worth_scanning(chunk, self.host) for chunk in chunks]
        self._with_marker[first:end] = [MARKER in chunk for chunk in chunks]

    @property
    def holds_assembly(self) -> bool:
        """Whether the text has the letters of a statement; without them nothing is scanned."""
        return True in self._with_letters

    def _move_findings(self, effect: EditEffect) -> None:
        """Keep the earlier findings at their places until the new ones are known, but none that the edit touched."""
        end = effect.range.end_line
        kept = (each for each in self._findings if each.range.end_line < effect.range.line or each.range.line > end)
        self._findings = [each.shifted(effect.lines) if each.range.line > end else each for each in kept]

    def _mark(self, first: int, end: int = 0) -> None:
        """Mark the chunks from `first` to `end` to be scanned, besides those that an earlier edit has marked."""
        self._is_current, self._steps = False, None
        self._steps_of_lines.clear()
        if self._dirty:
            first, end = min(self._dirty[0], first), self.document.chunk_count
        self._dirty = [first] if self.holds_assembly else []
        self._until = max(end, first + 1)

    # --- analysis ---------------------------------------------------------------------------------------------------

    @property
    def settled(self) -> bool:
        """True if the findings are those of the present text."""
        return self._is_current

    @property
    def has_news(self) -> bool:
        """False: no findings are known before `settled`."""
        return False

    def work(self, budget: float | None = None, visible: tuple[int, int] | None = None) -> bool:
        """Analyse what has changed, for at most about `budget` seconds. True if no work is left.

        `visible` are the lines, first and last, that are analysed first.
        """
        if self.settled:
            return True
        deadline = None if budget is None else perf_counter() + budget
        if not self._scan_all(deadline):
            return False
        if self._steps is None:
            self._steps = self._judge_and_collect(visible)
        if not _done(self._steps, deadline):
            return False
        self._steps = None
        self._is_current = True
        return True

    def work_on(self, lines: tuple[int, int], budget: float) -> bool:
        """Analyse at least the statements that touch some lines, the first and the last one; True if they are known.

        Takes at most about `budget` seconds.
        """
        deadline = perf_counter() + budget
        if self.settled or not self._scan_all(deadline):
            return self.settled
        steps = self._steps_of_lines.setdefault(lines, self._judge_lines(lines))
        if not _done(steps, deadline):
            return False
        del self._steps_of_lines[lines]
        return True

    def _scan_all(self, deadline: float | None) -> bool:
        while self._dirty:
            self._scan(self._dirty[0])
            if deadline is not None and perf_counter() > deadline:
                return not self._dirty
        return True

    def _scan(self, index: int) -> None:
        """Scan the run around a chunk; then the next one is dirty, unless it begins in the state that is known."""
        while self._runs[index].state is None:
            index -= 1
        state = self._runs[index].state
        assert state is not None, "the first chunk has a state"
        after, statements, length = state, list[AsmStatement](), 0
        end, more, chunks = index, 1, self.document.chunk_count
        while end == index or (after.pending and end < chunks and end - index < _MOST_CHUNKS):
            texts = [self.document.chunk(each) for each in range(end, min(end + more, chunks))]
            end += len(texts)
            found, after = scan_lines(texts, self.host, after, last=end == chunks)
            statements += (statement.shifted(length) for statement in found)
            length += sum(map(len, texts))
            more = 1 if found else 2 * more  # the same statement continues: it is scanned from its beginning each time
        for inner in range(index, end):
            self._runs[inner] = _Run()
        self._runs[index].state = state
        self._runs[index].statements = statements
        self._dirty = []
        if end < chunks and (end < self._until or self._runs[end].state != after):
            self._runs[end].state = after
            self._dirty = [end]

    def _judge_and_collect(self, visible: tuple[int, int] | None) -> Iterator[None]:
        """Judge all statements and collect their findings, in small steps."""
        if visible is not None:
            yield from self._judge_lines(visible)
        for index in range(len(self._runs)):
            yield from self._judge(index)
            yield
        runs = [RunFindings(index, run.ranged, run.declares) for index, run in enumerate(self._runs)]
        yield
        found = yield from collected(self.document, runs)
        self._findings = suppressed(found, self._chunks_with_marker(), self.options)

    def _judge_lines(self, lines: tuple[int, int]) -> Iterator[None]:
        """Judge the statements that touch some lines; a statement that begins there may end in a later run."""
        last = self.document.chunk_at(lines[1])
        for index in range(self._run_at(lines[0]), len(self._runs)):
            state = self._runs[index].state
            if index > last and state is not None and not state.pending:
                return
            yield from self._judge(index)

    def _judge(self, index: int) -> Iterator[None]:
        """Judge the statements of the run that begins with a chunk."""
        run, line = self._runs[index], self.document.chunk_line(index)
        while (number := len(run.known)) < len(run.statements):
            statement = run.statements[number]
            source = self._source(index, statement)
            known = yield from _known_steps(statement.shifted(-statement.start), source, self.options)
            if len(run.known) > number:
                continue  # a request has judged it meanwhile
            run.known.append((statement.start, known))
            run.declares |= known.declares
            if known.findings:
                begin = self._position(index, statement.start)
                lines = LineIndex(source, Position(begin.line - line, begin.column))
                run.ranged += (Ranged(placed, with_ranges(placed, lines), source) for placed in known.findings)
            yield

    def _source(self, index: int, statement: AsmStatement) -> str:
        """The text of a statement whose offsets count from the chunk `index`."""
        first, before = index, 0
        while before > statement.start and first:
            first -= 1
            before -= len(self.document.chunk(first))
        parts: list[str] = []
        at, length = first, before
        while length < statement.end and at < self.document.chunk_count:
            parts.append(self.document.chunk(at))
            length += len(parts[-1])
            at += 1
        return "".join(parts)[statement.start - before : statement.end - before]

    # --- what was found ---------------------------------------------------------------------------------------------

    def statements(self, lines: tuple[int, int] | None = None) -> Iterator[Located]:
        """The statements that have been judged, in the order of the text; with `lines` those that touch these lines.

        `lines` are the first and the last one, from 0. A few statements beside them may be among the result.
        """
        first, last = 0, len(self._runs)
        if lines is not None:
            first, last = self._run_at(lines[0]), self.document.chunk_at(lines[1]) + _MOST_CHUNKS
        for index in range(first, min(last, len(self._runs))):
            for start, known in self._runs[index].known:
                located = Located(known, self._position(index, start))
                if lines is not None and located.begin.line > lines[1]:
                    return
                yield located

    def _run_at(self, line: int) -> int:
        """The first chunk of the run around a line."""
        index = self.document.chunk_at(line)
        while index and self._runs[index].state is None:
            index -= 1
        return index

    def _position(self, index: int, offset: int) -> Position:
        """The position of an offset that counts from the beginning of a chunk."""
        while offset < 0 and index:
            index -= 1
            offset += len(self.document.chunk(index))
        while offset >= len(chunk := self.document.chunk(index)) and index + 1 < self.document.chunk_count:
            offset -= len(chunk)
            index += 1
        return LineIndex(self.document.chunk(index), Position(self.document.chunk_line(index), 0)).position(offset)

    def statement_at(self, position: Position) -> Located | None:
        """The statement around a position, or None. Outside of statements that takes microseconds."""
        if not self.holds_assembly or position.line >= self.document.line_count:
            return None
        index = self.document.chunk_at(position.line)
        chunk = LineIndex(self.document.chunk(index), Position(self.document.chunk_line(index), 0))
        offset = chunk.offset(position)
        run = self._run_at(position.line)
        offset += sum(len(self.document.chunk(each)) for each in range(run, index))
        for start, known in self._runs[run].known:
            if start <= offset <= start + len(known.source):
                return Located(known, self._position(run, start))
        return None

    def embedded_after(self, edits: Iterable[Edit], located: Located) -> Embedded | None:
        """A statement with its PTX after edits that are all in it, which are not made; None if it would have none."""
        first = self._run_at(located.begin.line)
        count = self.document.chunk_count
        end = next((index for index in range(first + 1, count) if self._runs[index].state is not None), count)
        line = self.document.chunk_line(first)
        before = "".join(map(self.document.chunk, range(first, end)))
        begin = LineIndex(before).offset(Position(located.begin.line - line, located.begin.column))
        text = apply_edits(before, [Edit(edit.range.shifted(-line), edit.text) for edit in edits])
        statements, _ = scan_lines([text], self.host, self._runs[first].state or START, last=end == count)
        found = next((each for each in statements if each.start == begin), None)
        if found is None:
            return None
        return embed(found.shifted(-begin), lambda start, end: text[begin + start : begin + end], self.options)

    def known(self) -> Iterator[Known]:
        """What is known of each statement that has been judged, in the order of the text."""
        return (known for run in self._runs for _, known in run.known)

    def _chunks_with_marker(self) -> Iterator[tuple[int, str]]:
        """The chunks that may have a comment about findings."""
        for index, has_marker in enumerate(self._with_marker):
            if has_marker:
                yield self.document.chunk_line(index), self.document.chunk(index)

    def findings(self) -> list[Finding]:
        """Every finding, in the order of the text. While there is work left, those known before the last edit."""
        return self._findings

    def leading_findings(self, most: int | None) -> tuple[list[Finding], int]:
        """At most `most` findings (None: all), in the order of the text, and the number of the others."""
        found = self.findings()
        if most is None or len(found) <= most:
            return found, 0
        leading = sorted(found, key=lambda finding: finding.severity)[:most]
        return sorted(leading, key=lambda finding: finding.range), len(found) - most


def _done(steps: Iterator[None], deadline: float | None) -> bool:
    """Takes steps until none is left (True), or until a time of the performance counter."""
    return not any(deadline is not None and perf_counter() > deadline for _ in steps)
