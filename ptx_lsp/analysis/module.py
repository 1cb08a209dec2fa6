"""A module under analysis: opened once, edited many times, its findings kept up to date, as the user's settings ask.

This is the one analysis: the command line, the server and the library all use it.
"""

from __future__ import annotations

from time import perf_counter

from ptx_lsp.analysis.block_map import BlockMap
from ptx_lsp.analysis.incremental import IncrementalAnalysis
from ptx_lsp.analysis.module_checks import UNDEFINED, Collected
from ptx_lsp.findings.codes import is_off
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.isa.targets import read_targets
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.light_classes import TYPE_CHECKING, Callable, Generator, Iterator, Mapping, MappingProxyType, NamedTuple
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.surroundings import (
    CODE,
    ORDER,
    UNDECLARED_PROFILE,
    WITH_SUGGESTION,
    KeptFindings,
    Levels,
    Profile,
    Report,
)
from ptx_lsp.semantics.symbols import SECTIONS, Symbol
from ptx_lsp.syntax.not_ptx import is_surely_ptx, recognise_document
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range

if TYPE_CHECKING:
    import re

    from ptx_lsp.analysis.leading_reports import LeadingReports
    from ptx_lsp.config.settings import Settings
    from ptx_lsp.reading.statement_context import PositionContext, StatementContext
    from ptx_lsp.semantics.environment import Environment
    from ptx_lsp.semantics.need_sets import StatementNeeds
    from ptx_lsp.text.kept_lines import KeptText

    Statements = Iterator[StatementContext | None]

UNCHANGED: Mapping[str, Severity | None] = MappingProxyType({})


class Checks(NamedTuple):
    """Settings that change which findings are shown.

    `severities` overrides the default severity of a code; None switches the code off. `maximum_version` is the highest
    PTX ISA version that the user's tools accept; a statement that needs a higher one is reported. `in_editor` is true
    if an editor shows the findings: some rules are off there. `target` is the target that the user compiles for: limits
    such as the size of shared memory are those of this target. None: those of the module's `.target`.
    """

    severities: Mapping[str, Severity | None] = UNCHANGED
    maximum_version: Version | None = None
    in_editor: bool = False
    target: Target | None = None

    def level(self, code: str, usual: Severity) -> Severity | None:
        """The severity of a finding of this code: `usual` unless a setting overrides it; None if the code is off."""
        if code in self.severities:
            return self.severities[code]
        return None if is_off(code, self.in_editor) else usual


def checks_of(settings: Settings, ignored: frozenset[str] = frozenset(), *, in_editor: bool = False) -> Checks:
    """The checks that settings ask for, of a file in which the codes `ignored` are not reported."""
    maximum = settings.maximum_version
    return Checks(
        severities=settings.levels(ignored, in_editor=in_editor),
        maximum_version=None if maximum is None else Version(*maximum),
        in_editor=in_editor,
        target=next(iter(read_targets(settings.targets)), None),
    )


# In a document of at most this many lines, the whole text is analysed again after an edit that changed more than one
# block. This takes some 100 ms, in slices, after the findings can be shown.
FRESH_LINES = 20_000

# The most characters above a position that are read for its context, if they have not been read since the last edit.
LONGEST_CONTEXT = 1_000_000


class Module:
    """The analysis of one document. `edit` is cheap: it only marks the work, which `work` does.

    With an `environment`, the text is a fragment, such as the template of inline assembly. It sees the names of the
    environment, and its findings are at the positions of the host text; all other positions are those of the fragment.
    """

    def __init__(
        self, text: str | Document, checks: Checks | None = None, environment: Environment | None = None
    ) -> None:
        self.checks = checks or Checks()
        self.environment = environment
        self._leading: LeadingReports | None = None  # made when there are too many reports
        self._levels = Levels(self.checks.level)
        self._kept = KeptFindings(self._levels)
        self._outdated: list[IncrementalAnalysis] = []  # those from before the last edit, which are to be given up
        self._open(Document(text) if isinstance(text, str) else text)

    def _open(self, document: Document) -> None:
        self.document = document
        self._foreign = self._recognised()
        self._analysis = self._new_analysis()
        self._fresh: IncrementalAnalysis | None = None  # if a fresh analysis is in progress, that one
        # the one that the fresh analysis has replaced: requests that began before may use it until the next edit
        self._replaced: IncrementalAnalysis | None = None
        self._surely_ptx: tuple[Block, int] | None = None  # the first block and its generation that showed it is PTX

    def _new_analysis(self) -> IncrementalAnalysis:
        checks = self.checks
        return IncrementalAnalysis(self.document, checks.maximum_version, self.environment, checks.target)

    def _recognised(self) -> Finding | None:
        """The one finding for a text that is no PTX at all; None for PTX, and for every fragment."""
        return recognise_document(self.document) if self.environment is None else None

    def edit(self, range_: Range | None, new_text: str) -> None:
        """Replace the text of `range_` (None: the whole text); nothing is analysed before `work` is called."""
        if range_ is None or self._foreign is not None:
            if range_ is not None:
                self.document.edit(range_, new_text)
                new_text = self.document.whole()
            self._outdated += filter(None, (self._analysis, self._replaced, self._fresh))
            self._open(Document(new_text))
            return
        self._outdated += filter(None, (self._replaced, self._fresh))
        self._replaced = self._fresh = None
        self._analysis.edit(range_, new_text)

    def forget(self) -> Iterator[None]:
        """Give up, in small steps, what the analysis has found: the module is not needed any more."""
        from ptx_lsp.analysis.forgetting import forget_analyses  # not for a text that is read once

        return forget_analyses(*self._outdated, self._analysis, self._replaced, self._fresh)

    # --- analysis ---------------------------------------------------------------------------------------------------

    def work(self, budget: float | None = None, visible: tuple[int, int] | None = None) -> bool:
        """Analyse what has changed, for at most about `budget` seconds. True if no work is left.

        The lines `visible` (from 0, the last one included) are analysed first if that is possible.
        """
        if self._foreign is not None:
            return True
        analysis = self._analysis
        deadline = None if budget is None else perf_counter() + budget
        if not analysis.settled:
            if not analysis.settle(deadline, visible):
                return False
            if analysis.edited and self._has_become_foreign():
                self._open(self.document)
                return True
            if deadline is not None and (analysis.has_slow_checks or self._needs_fresh_analysis):
                return False  # the findings can be shown before the rest of the work
        done = analysis.finish(deadline) and (not self._needs_fresh_analysis or self._analyse_again(deadline))
        if not done or not self._outdated:
            return done
        from ptx_lsp.analysis.forgetting import forget_outdated  # here and above: not for a text that is read once

        return forget_outdated(self._outdated, deadline)

    @property
    def settled(self) -> bool:
        """True if incremental analysis is complete: the findings are those of the present text."""
        return self._foreign is not None or self._analysis.settled

    def knows(self, first: int, last: int, words: tuple[str, ...]) -> bool:
        """Whether it is known what these words mean on some lines: no edit, and no unread text, can change that."""
        from ptx_lsp.analysis.suspicions import is_known  # few requests come before the analysis is settled

        here = self._analysis
        return self.settled or is_known(here.block_map, here.queue, here.invalidation.changes(), first, last, words)

    @property
    def has_news(self) -> bool:
        """True if findings have probably changed since the last look at them, and the last edit has been read."""
        return self._foreign is None and self._analysis.has_news

    def _has_become_foreign(self) -> bool:
        """Whether an edit has removed everything that shows that the text is PTX."""
        blocks = self._analysis.block_map
        first = blocks.blocks[0]
        if self._surely_ptx != (first, first.generation):
            if not is_surely_ptx(blocks.text(first)):
                return self._recognised() is not None
            self._surely_ptx = (first, first.generation)
        return False

    @property
    def _needs_fresh_analysis(self) -> bool:
        return self._analysis.edited and self._analysis.reaches_far and self.document.line_count <= FRESH_LINES

    def _analyse_again(self, deadline: float | None) -> bool:
        """Analyse the whole text again, and replace the present analysis by the result; False if time ran out."""
        fresh = self._fresh = self._fresh or self._new_analysis()
        if is_done := fresh.settle(deadline, None) and fresh.finish(deadline):
            self._replaced, self._analysis, self._fresh = self._analysis, fresh, None
        return is_done

    # --- what was found ---------------------------------------------------------------------------------------------

    def reports(self) -> list[Report]:
        """Every report that is not suppressed, in no order."""
        return self._analysis.suggestions.added_to(self._collected().all(), self._analysis.settled)

    def _collected(self) -> Collected:
        shows_undefined = self.checks.level(UNDEFINED, Severity.INFORMATION) is not None
        return self._analysis.collected(undefined_functions=shows_undefined)

    def findings(self) -> list[Finding]:
        """Every finding, in the order of the text. Blocks that must be read again after an edit keep their findings."""
        return self.leading_findings(None)[0]

    def leading_findings(self, most: int | None, near: Range | None = None) -> tuple[list[Finding], int]:
        """At most `most` findings (None: all), in the order of the text, and the number of the others.

        They are the most severe findings, and of findings of one severity the first ones in the text. If `near`, a
        range of the text, is given, the result has only those that are on its lines.
        """
        if self._foreign is not None:
            return [self._foreign], 0
        collected = self._collected()
        if not collected.size and not collected.comments:
            return [], 0
        chosen, more = self._chosen(collected, most, near)
        shown = self._analysis.suggestions.added_to(chosen, self._analysis.settled)
        if near is not None:
            shown = [report for report in shown if report.mark.is_on(near)]
        found = self._kept.findings(shown, keep=most is not None)  # an editor asks after every edit
        if self.environment is not None:
            found = [there for finding in found if (there := self.environment.finding_in_host(finding)) is not None]
        found.sort(key=ORDER)
        return found, more

    def _chosen(self, collected: Collected, most: int | None, near: Range | None) -> tuple[list[Report], int]:
        if most is not None and collected.size > most:
            from ptx_lsp.analysis.leading_reports import LeadingReports  # few texts have more

            self._leading = self._leading or LeadingReports(self._levels)
            return self._leading.choose(collected, most)
        reports = collected.all()
        here = reports if near is None else [report for report in reports if report.mark.is_on(near)]
        if WITH_SUGGESTION.isdisjoint(map(CODE, here)):  # a suggestion depends on the reports above
            reports = here
        off = {code for code in set(map(CODE, reports)) if self.checks.level(code, Severity.ERROR) is None}
        return [report for report in reports if report.code not in off] if off else reports, 0

    # --- for the features; what only they need is imported when one of them asks -----------------------------------

    def statement_at(self, position: Position) -> StatementContext | None:
        """The statement around a position, with its surroundings; None between statements."""
        from ptx_lsp.steps import result_of

        return result_of(self.statement_steps(position))

    def statement_steps(self, position: Position) -> Generator[None, None, StatementContext | None]:
        """The result of `statement_at`, in steps between which the module must not be edited."""
        from ptx_lsp.reading.statement_context import statement_steps

        block, seen, _ = self.seen(self._analysis.block_map.at_line(position.line), Range(*position, *position))
        if block.entry is None or self._foreign is not None:
            return None
        return (yield from statement_steps(block, seen, position))

    def context_at(self, position: Position) -> PositionContext | None:
        """The context of a position, also between statements and in broken ones; None if the text is not PTX."""
        from ptx_lsp.steps import result_of

        return result_of(self.context_steps(position))

    def context_steps(self, position: Position) -> Generator[None, None, PositionContext | None]:
        """The result of `context_at`, in steps between which the module must not be edited."""
        from ptx_lsp.reading.blanked_text import kept_text
        from ptx_lsp.reading.statement_context import context_steps
        from ptx_lsp.text.kept_lines import KeptText

        if self._foreign is not None:
            return None
        block = (blocks := self._analysis.block_map).at_line(position.line)
        place, texts, length = blocks.place(block), [blocks.text(block)], 0
        # an edit has divided a block, or the last statement above is broken, and the position may be in it
        while place and length < LONGEST_CONTEXT and (block.entry is None or blocks.blocks[place - 1].looks_below):
            block = blocks.blocks[place := place - 1]
            texts.insert(0, blocks.text(block))
            length += len(texts[0])
        if block.entry is None:
            return None
        kept = kept_text(self.document, block, Range(*position, *position)) if len(texts) == 1 else None
        seen = kept or KeptText("".join(texts))
        return (yield from context_steps(block, seen, position, blocks.blocks[:place]))

    def statements(self, range_: Range) -> Iterator[StatementContext]:
        """Every statement that touches a range, in order, until the next edit.

        The surroundings of a statement are valid until the next statement is requested.
        """
        return (context for context in self.statements_with_pauses(range_) if context is not None)

    def statements_with_pauses(self, range_: Range) -> Statements:
        """The same statements, and None after others and after each block, where the caller may pause."""
        from ptx_lsp.reading.statement_context import statements_of

        return self._between(range_, range_, lambda block, seen: statements_of(block, seen, range_))

    def statements_outside(self, range_: Range, left_out: re.Pattern[str], *, complete: bool = True) -> Statements:
        """The statements of a range that `left_out` does not match, as in `statements`, but not judged: much less work.

        None for each statement that had to be read above the range, and after each block, where the caller may pause.
        The text that matches is not parsed: it must be whole statements that do not change the surroundings of others,
        or comments. In a block with a mistake, nothing is left out. Unless `complete`, the surroundings may lack
        labels, and variables of functions that none of these statements mentions: less work again.
        """
        from ptx_lsp.reading.statement_context import statements_outside as outside

        return self._between(range_, None, lambda block, seen: outside(block, seen, left_out, complete=complete))

    def _between(
        self, range_: Range, rows: Range | None, of_block: Callable[[Block, KeptText], Statements]
    ) -> Statements:
        """Those statements of the blocks of a range that touch it; None for each one above that `of_block` gives.

        Also None after each block: many may have no statement to give. `of_block` is given what `seen` gives. The
        blocks may be read, joined or divided meanwhile, but not edited.
        """
        line = range_.line
        while line <= min(range_.end_line, self.document.line_count - 1) and self._foreign is None:
            block, seen, following = self.seen(self._analysis.block_map.at_line(line), rows)
            end = following.line if following is not None else self.document.line_count
            is_inside = line <= block.line and end <= range_.end_line
            for one in of_block(block, seen) if block.entry is not None else ():
                place = range_ if is_inside or one is None else one.range(one.statement.start, one.statement.end)
                if place.line > range_.end_line:
                    break
                yield one if place.end_line >= line else None
            yield None
            line = end

    def seen(self, block: Block, rows: Range | None) -> tuple[Block, KeptText, Block | None]:
        """The result of `BlockMap.with_pieces`, without the rows of sections that are far from `rows` (None: all)."""
        from ptx_lsp.reading.blanked_text import kept_text
        from ptx_lsp.text.kept_lines import KeptText

        blocks = self._analysis.block_map
        if (seen := kept_text(self.document, block, rows)) is not None:
            return block, seen, blocks.after(block)
        block, text, following = blocks.with_pieces(block)
        return block, KeptText(text), following

    @property
    def foreign(self) -> Finding | None:
        """The one finding of a text that is not PTX, which is not analysed; None for PTX."""
        return self._foreign

    @property
    def profile(self) -> Profile:
        """The version and target that the module is written for, by the part of its header that has been read."""
        exit_ = self._analysis.block_map.blocks[-1].exit
        return exit_.profile if exit_ is not None else UNDECLARED_PROFILE

    def needs(self) -> Iterator[list[StatementNeeds]]:
        """What the statements need of the version and the target: a list for each block, in order."""
        from ptx_lsp.reading.copied_blocks import collect_needs

        for block in self._analysis.block_map.blocks:
            if block.entry is not None and self._foreign is None:
                yield collect_needs(block, self._analysis.block_map.text(block))

    def symbols(self) -> list[Symbol]:
        """The module's own names: functions, kernels and variables, in source order."""
        found = [s for symbols in self._analysis.root.members.values() for s in symbols if s.name != SECTIONS]
        return sorted(found, key=lambda s: s.mark.resolved())

    def declarations(self, name: str) -> list[Symbol]:
        """Every declaration of a name at module level, in source order: a function may have several."""
        return list(self._analysis.root.members.get(name, ()))

    @property
    def block_map(self) -> BlockMap:
        """The blocks in order, for what is found block by block. They change with the next edit."""
        return self._analysis.block_map

    def last_body_before(self, position: Position) -> Body | None:
        """The last function whose body begins at or above a position; None without one."""
        return self._analysis.functions.last_body_before(position)

    def bodies(self) -> list[Body]:
        """The functions with a body, in source order."""
        return list(self.each_body())

    def each_body(self) -> Iterator[Body]:
        """The same one after the other, until the next edit: a long text may have 100,000."""
        return self._analysis.functions.bodies()
