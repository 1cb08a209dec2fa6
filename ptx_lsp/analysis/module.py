"""A module under analysis: opened once, edited many times, its findings kept up to date.

This is the one analysis: the command line, the server and the library all use it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import methodcaller
from time import perf_counter

from ptx_lsp.analysis import suppressions
from ptx_lsp.analysis.blocks import Block, Body, State
from ptx_lsp.analysis.checks import Checks
from ptx_lsp.analysis.end import at_end, without_later_ends
from ptx_lsp.analysis.fold import Fold
from ptx_lsp.analysis.layout import BY_INDEX, Layout, keeps_scopes
from ptx_lsp.analysis.linking import UNDEFINED, undefined_functions
from ptx_lsp.analysis.located import Located, collect_demands, locate, locate_at
from ptx_lsp.analysis.reading import Below, read
from ptx_lsp.analysis.recognition import SAMPLE, recognise, says_version
from ptx_lsp.analysis.revision import Revision, agree, transplant
from ptx_lsp.analysis.whole import Whole
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.semantics.debug import SECTIONS
from ptx_lsp.semantics.demands import Demanding
from ptx_lsp.semantics.reports import Report, place
from ptx_lsp.semantics.structure import UNDECLARED_PROFILE
from ptx_lsp.semantics.symbols import EVERYTHING, Scope, Symbol
from ptx_lsp.text.document import LINES_PER_CHUNK, Document
from ptx_lsp.text.ranges import Position, Range

# up to this many lines, an edit that changes more than one statement is followed by a fresh look at everything: it
# takes some 100 ms, in slices, after the findings can be shown
ANEW_LINES = 20_000
ROUNDS = 12  # an edit is settled after two or three; broken text must not keep its blocks waiting for each other


class Module:
    """One document's analysis. `edit` is cheap and only marks what is to be done; `work` does it."""

    def __init__(self, text: str | Document, checks: Checks | None = None) -> None:
        self.checks = checks or Checks()
        self._open(Document(text) if isinstance(text, str) else text)

    def _open(self, document: Document) -> None:
        self.document = document
        self._foreign = _recognised(document)
        self._root = Scope()
        self._layout = Layout(self.document)
        self._whole = Whole(self._layout)
        self._revision = Revision()
        self._before: Fold | None = None  # what was read last
        self._rounds = 0
        self._doubt = False  # whether an edit changed more than the inside of a block
        self._fresh = True  # not edited yet: this is the fresh look itself
        self._anew: Module | None = None
        self._telling: set[Block] = set()  # the blocks that have anything to say: few, of many
        self._urgent: list[Block] = []  # what has been edited
        self._ahead: list[Block] = []  # what was edited and has been read; what stands above may still be stale
        self._early: list[Block] = []  # of these, those for which it was
        self._queue: list[Block] = [] if self._foreign else self._layout.blocks[::-1]
        self._more = False  # whether anything is left to be told of functions as wholes
        self._settled = bool(self._foreign)
        profile = UNDECLARED_PROFILE._replace(maximum=self.checks.maximum_version)
        self._layout.blocks[0].entry = State((self._root,), None, None, None, False, (), profile)

    def edit(self, range_: Range | None, new_text: str) -> None:
        """Replace the text of `range_` (None: the whole text); nothing is analysed before `work` is called."""
        if range_ is None or self._foreign is not None:
            self._replace_all(range_, new_text)
            return
        self._before = None
        self._anew = None
        self._rounds = 0
        self._settled = self._fresh = False
        edit = self.document.edit(range_, new_text)
        block, gone, new = self._layout.edited(edit)
        self._doubt |= bool(gone or (new and (edit.lines > LINES_PER_CHUNK or not keeps_scopes(block))))
        for other in gone:
            other.index = block.index  # what it declared stood here
            self._drop(other)
        self._whole.edited(block, edit)
        block.stale = True
        self._urgent += (*new[::-1], block)
        self._enqueue(new[::-1])

    def _replace_all(self, range_: Range | None, new_text: str) -> None:
        if range_ is not None:
            self.document.edit(range_, new_text)
            new_text = self.document.whole()
        self._open(Document(new_text))

    def _enqueue(self, blocks: Sequence[Block], stale: bool = True) -> None:
        # the queue is read from its end: what stands first in the text comes first
        queue = self._queue
        before = len(queue)
        for block in blocks:
            block.stale |= stale
            if block not in queue[-8:]:
                queue.append(block)
        if any(queue[i - 1].index < queue[i].index for i in range(max(1, before), len(queue))):
            queue.sort(key=lambda b: -b.index)

    # --- analysis ---------------------------------------------------------------------------------------------------

    def work(self, budget: float | None = None, visible: tuple[int, int] | None = None) -> bool:
        """Analyse what has changed, for at most about `budget` seconds. True when nothing is left to do.

        The lines `visible` (from 0, the last one included) come first where they can.
        """
        deadline = None if budget is None else perf_counter() + budget
        if visible is not None and not self._settled:
            self._prefer(*visible)
        while True:
            if not self._settled:
                if not self._drain(deadline) or not self._whole.look_for_labels(deadline):
                    return False
                if not self._settle():
                    continue
                if deadline is not None and (self._more or (self._doubt and not self._fresh)):
                    return False  # the findings can be shown before the rest is done
            if not self._whole.count(deadline):
                return False
            self._recognise()
            return self._look_anew(deadline) if self._doubt and not self._fresh else True

    def _prefer(self, line: int, end_line: int) -> None:
        # what somebody looks at comes first, where it is known in which state it begins
        block: Block | None = self._layout.at_line(line)
        while block is not None and block.line <= end_line:
            if block.entry is not None and (block.stale or block.suspicions):
                self._urgent.insert(0, block)
            block = self._layout.after(block)

    def _drain(self, deadline: float | None) -> bool:
        """Read what is stale, what was edited first and then from above; False where time ran out."""
        while self._urgent or self._queue or self._early:
            if not (self._urgent or self._queue):
                self._enqueue([block for block in self._early if self._layout.holds(block)])
                self._early = []
                continue
            urgent = bool(self._urgent)
            block = (self._urgent or self._queue).pop()
            if block.entry is not None and (block.stale or self._is_suspect(block)):
                # mostly what is edited is read from above, or is one block
                if self._ahead and self._ahead[-1].index > block.index:
                    self._early += self._ahead
                    self._ahead = []
                if urgent:
                    self._ahead.append(block)
                elif block.exit is None and self._before is not None and self._before.is_plain:
                    self._layout.gather(block)  # what has never been read is read in larger blocks, where it is quick
                self._read(block)
            if deadline is not None and perf_counter() >= deadline:
                return False
        self._ahead = []
        return True

    def _is_suspect(self, block: Block) -> bool:
        suspicions, block.suspicions = block.suspicions, ()
        return bool(suspicions) and any(map(methodcaller("falls_on", self._layout.text(block)), suspicions))

    def _settle(self) -> bool:
        """All that was stale has been read: see what that means for the rest. True where nothing is stale now."""
        self._rounds += 1
        more = self._rounds <= ROUNDS
        again = self._revision.affected(self._layout) if more else []
        if self._revision.renamed:
            self._whole.doubt_undeclared()
        self._more = self._whole.conclude(self._revision.unlabelled if more else None)
        self._doubt |= self._revision.renamed
        self._enqueue(again, stale=False)
        self._settled = not again
        self._before = None
        if self._settled and not self._fresh and _recognised(self.document) is not None:
            self._open(self.document)
        return self._settled

    def _recognise(self) -> None:
        # an edit may have taken away all that made the text PTX
        if not says_version(self._layout.text(self._layout.blocks[0])):
            self._foreign = _recognised(self.document)

    @property
    def settled(self) -> bool:
        """Whether the findings are those of the present text, as far as can be told without looking at all of it."""
        return self._settled

    def _look_anew(self, deadline: float | None) -> bool:
        # whatever an edit may do to scopes and names far away, a fresh reading has it right
        if self.document.line_count > ANEW_LINES:
            return True
        if self._anew is None:
            self._anew = Module(self.document, self.checks)
        left = None if deadline is None else max(0.0, deadline - perf_counter())
        if not self._anew.work(left):
            return False
        self.__dict__.update(self._anew.__dict__)
        return True

    def _read(self, block: Block) -> None:
        self._withdraw(block)
        self._root.horizon.index = block.index
        before, self._before = self._before, None
        handed_on = before is not None and before.block.exit is block.entry
        fold = Fold(block, self._layout.text(block), before=before if handed_on else None)
        read(fold, Below(lambda: self._following(block), lambda sought: self._stands_below(block, sought)))
        self._root.horizon.index = EVERYTHING
        block.stale, block.suspicions = False, ()
        block.reports, block.parts, block.declared = fold.reports, fold.parts, fold.declared
        block.suppressions = suppressions.suppressions(block, fold.text)
        block.exit = fold.state()
        if block.reports or block.suppressions or fold.profile is not fold.entry_profile:
            self._telling.add(block)
        else:
            self._telling.discard(block)
        self._doubt |= fold.odd and not self._revision.loading
        self._revision.was_read(block)
        self._hand_on(block)
        self._lean_no_more(block)
        self._revision.adopt(block, self._layout)
        self._whole.was_read(block)
        self._before = fold

    def _following(self, block: Block) -> str | None:
        following = self._layout.after(block)
        if following is None:
            return None
        text = self._layout.text(following)
        self._drop(following)
        self._layout.absorb(block, following)
        following.index = block.index
        return text

    def _lean_no_more(self, block: Block) -> None:
        """Where a comment ends, statements before it that counted on its having no end must be read again."""
        assert block.entry is not None
        comment = block.entry.comment
        if comment is not None and comment.leaning and block.exit is not None and block.exit.comment is not comment:
            opening = comment.mark.holder
            if self._layout.holds(opening):
                self._enqueue((self._layout.blocks[self._layout.place(opening)],))

    def _stands_below(self, block: Block, sought: str) -> bool:
        chunks = range(block.chunk + block.chunks, self.document.chunk_count)
        return any(sought in self.document.chunk(number) for number in chunks)

    def _drop(self, block: Block) -> None:
        # a block that is none any more
        block.stale, block.suspicions = False, ()
        self._telling.discard(block)
        self._withdraw(block)

    def _withdraw(self, block: Block) -> None:
        for declared in reversed(block.declared):
            declared.scope.withdraw(declared.symbol)
        self._revision.was_withdrawn(block)
        self._whole.was_withdrawn(block)

    def _hand_on(self, block: Block) -> None:
        """Let the next block begin in the state in which this one ended."""
        following = self._layout.after(block)
        if following is None or block.exit is None:
            return
        if following.entry is not None and agree(block, following, self._revision):
            again = transplant(block, following, self._revision, self._layout)
            if again is not None:
                self._doubt = True
                self._enqueue((again,))
            return
        if following.entry is not block.exit:
            self._doubt |= following.entry is not None
            following.entry = block.exit
            if not following.stale or following.exit is not None:
                self._enqueue((following,))

    # --- what was found ---------------------------------------------------------------------------------------------

    def reports(self) -> list[Report]:
        """Every report, suppressed ones left out, in no order."""
        found: list[Report] = []
        silencers = []
        if not self._settled:
            self._whole.preview()
        telling = sorted(self._telling, key=BY_INDEX)
        for block in telling:
            found += block.reports
            silencers += block.suppressions
        found = without_later_ends(found)
        found += self._whole.reports()
        found += at_end(self._layout, telling)
        if self.checks.level(UNDEFINED, Severity.INFORMATION) is not None:
            found += undefined_functions(self._layout, self._root)
        return suppressions.apply(found, silencers) if silencers else found

    def findings(self) -> list[Finding]:
        """Every finding, in the order of the text. What has not been read again since an edit keeps its findings."""
        return self.leading_findings(None)[0]

    def leading_findings(self, most: int | None) -> tuple[list[Finding], int]:
        """At most so many findings (None: all), in the order of the text, and how many more there are.

        The most severe come first to be among them, and of those that are alike the first in the text.
        """
        if self._foreign is not None:
            return [self._foreign], 0
        told = [(severity, report) for report in self.reports() if (severity := self._severity(report)) is not None]
        more = 0 if most is None else max(0, len(told) - most)
        if more:
            told = sorted(told, key=_weight)[:most]
        found = [_with_severity(report.resolved(), severity) for severity, report in told]
        found.sort(key=_order)
        return found, more

    def _severity(self, report: Report) -> Severity | None:
        return self.checks.level(report.code, report.severity)

    # --- for the features -------------------------------------------------------------------------------------------

    def statement_at(self, position: Position) -> Located | None:
        """The statement around a position, with what it sees; None between statements."""
        block = self._layout.at_line(position.line)
        if block.entry is None or self._foreign is not None:
            return None
        return locate_at(block, self._layout.text(block), position)

    def statements(self, range_: Range) -> Iterator[Located]:
        """Every statement that touches a range, in order, until the next edit.

        What a statement sees is right until the next one is asked for.
        """
        block: Block | None = self._layout.at_line(range_.line)
        while block is not None and block.line <= range_.end_line:
            for located in self._statements_of(block):
                here = located.range(located.statement.start, located.statement.end)
                if here.line <= range_.end_line and here.end_line >= range_.line:
                    yield located
            block = self._layout.after(block)

    def _statements_of(self, block: Block) -> Iterator[Located]:
        if block.entry is None or self._foreign is not None:
            return iter(())
        return locate(block, self._layout.text(block))

    @property
    def foreign(self) -> Finding | None:
        """The one finding for a text that is no PTX at all, and not analysed; None for PTX."""
        return self._foreign

    def demands(self) -> Iterator[list[Demanding]]:
        """What the statements demand of any module's version and target: a list for each block, in order."""
        for block in self._layout.blocks:
            if block.entry is not None and self._foreign is None:
                yield collect_demands(block, self._layout.text(block))

    def symbols(self) -> list[Symbol]:
        """The module's own names: functions, kernels and variables, in source order."""
        found = [s for symbols in self._root.members.values() for s in symbols if s.name != SECTIONS]
        return sorted(found, key=lambda s: s.mark.resolved())

    def bodies(self) -> list[Body]:
        """The functions with a body, in source order."""
        return self._whole.bodies()


def _recognised(document: Document) -> Finding | None:
    # mostly `.version` stands in the first chunk; where it does, the rest need not be looked at
    first = ""
    for number in range(document.chunk_count):
        first += document.chunk(number)
        if len(first) >= SAMPLE:
            break
    return None if recognise(first) is None else recognise(document.whole())


def _with_severity(finding: Finding, severity: Severity) -> Finding:
    if finding.severity is severity:
        return finding
    return Finding(finding.code, finding.range, finding.message, severity, finding.related, finding.tags, finding.data)


def _weight(told: tuple[Severity, Report]) -> tuple[Severity, int, int, int, str, str]:
    severity, report = told
    return severity, *place(report.mark), report.code, report.message


def _order(finding: Finding) -> tuple[Range, int, str, str]:
    return finding.range, finding.severity, finding.code, finding.message
