"""A text in another language under analysis: opened once, edited many times, its findings kept up to date.

`scanned_text.py` says where its statements are. The verdict on a statement is remembered by its text
(`known_statements.py`), so typing in one statement judges that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import NamedTuple

from ptx_lsp.analysis.module import Checks
from ptx_lsp.embedded.collected_findings import Ranged, RunFindings, collected
from ptx_lsp.embedded.host_findings import suppressed
from ptx_lsp.embedded.inline_statement import Embedded, EmbeddedOptions, embed
from ptx_lsp.embedded.known_statements import Known, known_steps
from ptx_lsp.embedded.scanned_text import MOST_CHUNKS, ScannedText
from ptx_lsp.embedded.statement_findings import with_ranges
from ptx_lsp.embedded.targets import CANDIDATES
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.hosts.statement import Host
from ptx_lsp.isa.versions import Target
from ptx_lsp.text.document import Document
from ptx_lsp.text.lines import LineIndex
from ptx_lsp.text.ranges import EditEffect, Position, Range


class Located(NamedTuple):
    """A statement with its place in the document."""

    known: Known
    begin: Position

    @property
    def lines(self) -> LineIndex:
        """The lines of the statement, at their places in the document."""
        return LineIndex(self.known.source, self.begin)


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
        self.host = host
        self.checks = checks or Checks()
        self.targets = targets
        self.options = EmbeddedOptions(self.checks, targets or CANDIDATES)
        self._scanned = ScannedText(Document(text) if isinstance(text, str) else text, host)
        self._findings: list[Finding] = []
        self._is_current = False  # True if the findings are those of the present text
        self._steps: Iterator[None] | None = None  # the rest of the work that follows the scan, if it has begun
        self._steps_of_lines: dict[tuple[int, int], Iterator[None]] = {}  # the same for lines that requests ask for

    @property
    def document(self) -> Document:
        """The present text."""
        return self._scanned.document

    @property
    def holds_assembly(self) -> bool:
        """Whether the text has the letters of a statement; without them nothing is scanned."""
        return self._scanned.holds_assembly

    def edit(self, range_: Range | None, new_text: str) -> None:
        """Replace the text of `range_` (None: the whole text); nothing is analysed before `work` is called."""
        self._is_current, self._steps = False, None
        self._steps_of_lines.clear()
        if range_ is None:
            self._scanned.replace(new_text)
            self._findings = []
        else:
            self._move_findings(self._scanned.edit(range_, new_text))

    def _move_findings(self, effect: EditEffect) -> None:
        """Keep the earlier findings at their places until the new ones are known, but none that the edit touched."""
        end = effect.range.end_line
        kept = (each for each in self._findings if each.range.end_line < effect.range.line or each.range.line > end)
        self._findings = [each.shifted(effect.lines) if each.range.line > end else each for each in kept]

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
        if not self._scanned.scan(deadline):
            return False
        if self._steps is None:
            self._steps = self._judge_and_collect(visible)
        if not _done(self._steps, deadline):
            return False
        self._steps = None
        self._steps_of_lines.clear()
        self._is_current = True
        return True

    def work_on(self, lines: tuple[int, int], budget: float) -> bool:
        """Analyse at least the statements that touch some lines, the first and the last one; True if they are known.

        Takes at most about `budget` seconds.
        """
        deadline = perf_counter() + budget
        if self.settled or not self._scanned.scan(deadline):
            return self.settled
        steps = self._steps_of_lines.setdefault(lines, self._judge_lines(lines))
        if not _done(steps, deadline):
            return False
        del self._steps_of_lines[lines]
        return True

    def _judge_and_collect(self, visible: tuple[int, int] | None) -> Iterator[None]:
        """Judge all statements and collect their findings, in small steps."""
        if visible is not None:
            yield from self._judge_lines(visible)
        for index in range(len(self._scanned.runs)):
            yield from self._judge(index)
            yield
        runs = [RunFindings(index, run.ranged, run.provides) for index, run in enumerate(self._scanned.runs)]
        yield
        found = yield from collected(self.document, runs)
        self._findings = suppressed(found, self._scanned.chunks_with_marker(), self.options)

    def _judge_lines(self, lines: tuple[int, int]) -> Iterator[None]:
        """Judge the statements that touch some lines; a statement that begins there may end in a later run."""
        last = self.document.chunk_at(lines[1])
        for index in range(self._scanned.run_at(lines[0]), len(self._scanned.runs)):
            state = self._scanned.runs[index].state
            if index > last and state is not None and not state.pending:
                return
            yield from self._judge(index)

    def _judge(self, index: int) -> Iterator[None]:
        """Judge the statements of the run that begins with a chunk."""
        run, line = self._scanned.runs[index], self.document.chunk_line(index)
        while (number := len(run.known)) < len(run.statements):
            statement = run.statements[number]
            source = self._scanned.source(index, statement)
            known = yield from known_steps(statement.shifted(-statement.start), source, self.options)
            if len(run.known) > number:
                continue  # a request has judged it meanwhile
            run.known.append((statement.start, known))
            run.provides |= known.provides
            if known.findings:
                begin = self._scanned.position(index, statement.start)
                lines = LineIndex(source, Position(begin.line - line, begin.column))
                run.ranged += (Ranged(placed, with_ranges(placed, lines), source) for placed in known.findings)
            yield

    # --- what was found ---------------------------------------------------------------------------------------------

    def statements(self, lines: tuple[int, int] | None = None) -> Iterator[Located]:
        """The statements that have been judged, in the order of the text; with `lines` those that touch these lines.

        `lines` are the first and the last one, from 0. A few statements beside them may be among the result.
        """
        first, last = 0, len(self._scanned.runs)
        if lines is not None:
            first, last = self._scanned.run_at(lines[0]), self.document.chunk_at(lines[1]) + MOST_CHUNKS
        for index in range(first, min(last, len(self._scanned.runs))):
            for start, known in self._scanned.runs[index].known:
                located = Located(known, self._scanned.position(index, start))
                if lines is not None and located.begin.line > lines[1]:
                    return
                yield located

    def statement_at(self, position: Position) -> Located | None:
        """The statement around a position, or None. Outside of statements that takes microseconds."""
        if not self.holds_assembly or position.line >= self.document.line_count:
            return None
        run = self._scanned.run_at(position.line)
        offset = self._scanned.offset(run, position)
        for start, known in self._scanned.runs[run].known:
            if start <= offset <= start + len(known.source):
                return Located(known, self._scanned.position(run, start))
        return None

    def embedded_after(self, edits: Iterable[Edit], located: Located, half_typed: bool = False) -> Embedded | None:
        """A statement with its PTX after edits that are all in it, which are not made; None if it would have none.

        With `half_typed`, a template counts that may become PTX while it is typed.
        """
        found = self._scanned.statement_after(edits, located.begin)
        if found is None:
            return None
        statement, source = found
        return embed(statement, lambda start, end: source[start:end], self.options, half_typed)

    def known(self) -> Iterator[Known]:
        """What is known of each statement that has been judged, in the order of the text."""
        return (known for run in self._scanned.runs for _, known in run.known)

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
    """Take steps until none is left (True), or until a time of the performance counter."""
    return not any(deadline is not None and perf_counter() > deadline for _ in steps)
