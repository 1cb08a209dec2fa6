"""The checks that need a whole function. They are made after all of its parts, each in one block, have been read."""

from __future__ import annotations

from time import perf_counter

from ptx_lsp.analysis.block_map import BlockMap, Move
from ptx_lsp.analysis.function_reports import (
    UsageCounts,
    conclude_names,
    conclude_usage,
    damaged,
    look_for_labels,
    never_written,
    parts_of,
    whole_functions,
)
from ptx_lsp.analysis.module_checks import Noted, conclude_launch, has_traces, traces_of, unused_labels
from ptx_lsp.light_classes import TYPE_CHECKING, Container, Iterable, Iterator, attrgetter
from ptx_lsp.reading.block import Block, BlockText, FunctionPart
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Holder, Mark
from ptx_lsp.text.ranges import Position

if TYPE_CHECKING:
    from ptx_lsp.analysis.first_reads import FirstReads

_NAME = attrgetter("name")
KEPT_COUNTS = 4  # functions; one edit may touch two of them, and users often return to an earlier place


class FunctionChecks:
    """The functions of a module: those that must be checked, and the usage counts of those that were edited last.

    A function is touched if one of its parts was read or withdrawn after the function was concluded, that is, checked
    as a whole. It is uncounted if the usage counts of its parts are not complete. `_gathered` has the parts of the
    functions whose labels were looked up, until a block is read or withdrawn: a long function has many.
    """

    def __init__(self, block_map: BlockMap) -> None:
        self._block_map = block_map
        self.touched: dict[Body, None] = {}
        self._reports = _ReportsByBlock(block_map)
        self._counts: dict[Body, UsageCounts] = {}  # of functions not concluded, and of those edited last
        self._uncounted: dict[Body, None] = {}  # functions whose usage is reported after their counts are complete
        self._gathered: dict[Body, list[FunctionPart]] = {}
        self._search: Iterator[None] | None = None  # for the labels of these, step by step
        self.unconcluded: list[Body] | None = None  # of the touched ones, while they are concluded; in reverse order
        self._gone: list[Body] = []  # those that began in blocks that were withdrawn, until the next block is read
        self.uncertain_scopes = False  # since an edit other scopes may be open in blocks that have not been read
        self._noted = Noted()
        self._first_reads: FirstReads | None = None  # while a function is concluded
        self._read: set[Holder] = set()  # the blocks that were read since the last edit, in an edited text
        self._left: list[tuple[Report, Body]] = []  # reports that are below the ends of their functions since then
        self._spans: list[tuple[Mark, Mark]] | None = None  # the result of a preview that is asked for again
        self._edited = False
        self._suspects = True  # the blocks are known that are to be read because declarations have changed
        self.whole: Container[Holder] = ()  # those of `EarlierReports`

    def moved(self, move: Move, more: Iterable[Body]) -> list[Body]:
        """Keep the findings of the functions in blocks whose text is in other blocks until it is read again.

        Returns these functions. `more` are others that may have findings there.
        """
        self._edited = True
        self._read.difference_update(move.pieces)
        self._left = [(there, body) for report, body in self._left for there in move.reports((report,))]
        for block in move.blocks:
            self._noted.was_withdrawn(block)
            for part in block.parts:
                part.traces = ()
        bodies = list(dict.fromkeys(part.body for block in move.blocks for part in block.parts))
        for body in dict.fromkeys((*bodies, *more)):
            if body.names or body.usage:
                body.names, body.usage = move.reports(body.names), move.reports(body.usage)
                self._reports.changed(body.opening.holder)
        return bodies

    def was_withdrawn(self, block: Block) -> None:
        """Forget the parts of a block that will be read again, or that is no longer part of the document."""
        self._gathered, self._search = {}, None
        self._spans = self.unconcluded = None
        self._noted.was_withdrawn(block)
        self._reports.changed(block)
        for part in block.parts:
            self.touched[part.body] = None
            if part.body.opening.holder is block:
                self._gone.append(part.body)
            if (counts := self._counts.get(part.body)) is not None:
                counts.discount(part)

    def was_read(self, block: Block, source: BlockText) -> None:
        """Conclude the functions that end in a block, of the text `source`, if all of their blocks have been read."""
        self._gathered, self._search = {}, None
        unchecked = [part for part in block.parts if not (part.is_known and part.body.concluded)]
        traced = bool(unchecked) and block.exit is not None and has_traces(source.text, block.exit.profile)
        for part in unchecked:
            registers, part.registers = part.registers, None
            part.traces = traces_of(part, source) if traced else ()
            counts = self._counts.get(part.body)
            if counts is None and not part.body.concluded:
                counts = self._counts[part.body] = UsageCounts()
            if counts is not None:
                counts.count(part, registers)
            self.touched[part.body] = None
        self._noted.was_read(block)
        if self._edited or any(part.is_known and part.body.usage for part in block.parts):
            self._reports.changed(block)
        if self._edited:
            self._read.add(block)
        above = block.entry.closed if self._edited and block.entry is not None else None
        if above is not None and above in self.touched and not above.concluded:
            self._conclude_end(above, parts_of(above, self._block_map))
        ended = [part.body for part in block.parts if part.ends and not part.body.concluded]
        inside = whole_functions(block) if ended else {}
        for body in ended:
            if not body.concluded:
                self._conclude_end(body, inside.get(body) or parts_of(body, self._block_map))
        while self._gone:
            if not parts_of(body := self._gone.pop(), self._block_map):
                self.touched.pop(body, None)

    def _conclude_end(self, body: Body, parts: list[FunctionPart]) -> None:
        """Conclude a function that ends in its last part, if all of its parts have been read."""
        # without parts, the block of the opening brace was edited and will be read again
        if not parts or not parts[-1].ends or any(p.block.stale for p in parts):
            return
        if self._edited:
            from ptx_lsp.analysis.foreseen.certain_reports import unread_below  # not for a text that is read once

            if unread_below(parts[-1], self._block_map) is not None:
                return
        del self.touched[body]
        self._conclude(body, parts)
        if parts[0].sample is not None:
            from ptx_lsp.reading.known_functions import learn_function  # not for short files

            learn_function(parts, self._block_map.text(parts[0].block))

    def was_edited(self, changed: str) -> bool:
        """Note an edit; `changed` is the text that it removes and inserts. Returns `uncertain_scopes` before it."""
        before = self.uncertain_scopes
        self.uncertain_scopes |= "{" in changed or "}" in changed
        self._left.clear()
        self._gathered, self._search = {}, None
        self._spans, self._suspects, self.unconcluded = None, False, None
        return before

    def preview(self) -> tuple[list[tuple[Mark, Mark]], list[tuple[Report, Body]]]:
        """Report what is certain about the touched functions before all of their blocks have been read again.

        Returns the spans in which statements may be in a function although a brace above them ends it, and the earlier
        reports that are below the present ends of their functions.
        """
        if (spans := self._spans) is not None:
            self._spans = None
            return spans, self._left
        from ptx_lsp.analysis.foreseen.certain_reports import Read, preview  # not for a text that is read once

        read = Read(self._read, self._suspects)
        found = preview(self.touched, self._block_map, read, self._edited, self.uncertain_scopes, self.whole)
        for body in found.bodies:
            self._reports.changed(body.opening.holder)
        self._left += found.left
        return found.spans, self._left

    def has_fewer_reports(self) -> bool:
        """Whether fewer reports about names are certain now in the touched functions; False after most blocks."""
        is_asked = not len(self._read) & (len(self._read) - 1)  # after 1, 2, 4, 8: the answer takes long
        before = [(body, len(body.names)) for body in self.touched if is_asked and body.names]
        spans = self.preview()[0] if before else None
        has_fewer = any(len(body.names) < count for body, count in before)
        self._spans = spans if has_fewer else None  # that is shown next
        return has_fewer

    def conclude(self, unlabelled: set[str] | None, deadline: float | None) -> bool:
        """Conclude every touched function that is not under suspicion; False if time ran out.

        `unlabelled` are the labels that were withdrawn (None: any may be).
        """
        bodies = self.unconcluded = list(self.touched)[::-1] if self.unconcluded is None else self.unconcluded
        while bodies:
            self._conclude_touched(bodies.pop(), unlabelled)
            if deadline is not None and perf_counter() >= deadline:
                return False
        self.unconcluded = None
        self._gathered, self._search = {}, None
        self._read, self._left = set(), []
        self._spans, self._suspects, self.uncertain_scopes = None, True, False
        return True

    def _conclude_touched(self, body: Body, unlabelled: set[str] | None) -> None:
        parts = self._gathered.get(body) or parts_of(body, self._block_map)
        if parts:
            self._unmark_labels(body, parts, unlabelled)
        if not any(part.block.suspicions for part in parts):  # otherwise some may be read again
            del self.touched[body]
            if parts:
                self._conclude(body, parts)

    def _unmark_labels(self, body: Body, parts: list[FunctionPart], unlabelled: set[str] | None) -> None:
        """Mark the parts that branch to a withdrawn label: their labels must be looked up again."""
        if unlabelled is not None:
            counts = self._counts.get(body)
            unlabelled = {name for name in unlabelled if counts is None or counts.branches_to(name)}
            if not unlabelled:
                return
        for part in parts:
            if unlabelled is None or not unlabelled.isdisjoint(map(_NAME, part.label_uses)):
                part.labels_checked = False

    def look_for_labels(self, deadline: float | None) -> bool:
        """Look up the labels that the touched functions branch to; False if time ran out."""
        self._search = search = self._search or self._look_for_labels()
        return not self.touched or not any(deadline is not None and perf_counter() >= deadline for _ in search)

    def _look_for_labels(self) -> Iterator[None]:
        for body in self.touched:
            self._gathered[body] = parts = parts_of(body, self._block_map)
            for part in parts:
                if not part.labels_checked:
                    look_for_labels(part)
                    yield
            yield

    def _conclude(self, body: Body, parts: list[FunctionPart]) -> None:
        """Check a function; `parts` are all of it, at least one."""
        body.names = conclude_names(body, parts, self._block_map.text)
        body.closing = parts[-1].closing if parts[-1].cut is None else None
        counts = self._counts.pop(body, None) or UsageCounts()
        counts.expect(parts)
        if self._edited:
            self._keep(body, counts)
        if damaged(parts) or any(part.undeclared for part in parts):
            body.usage = []  # the registers of such a function are uncertain
        elif counts.pending:
            self._uncounted[body] = None
        else:
            body.usage = conclude_usage(body, parts, counts, self._find) + unused_labels(counts.unused_labels(parts))
            self._first_reads = None
            if any(part.loads for part in parts):
                from ptx_lsp.reading.call_sequences import conclude_sequences  # few texts have calls with results

                body.usage += conclude_sequences(parts)
            body.usage += conclude_launch(body, parts)
        self._reports.changed(body.opening.holder)
        body.concluded = True

    def _keep(self, body: Body, counts: UsageCounts) -> None:
        self._counts[body] = counts
        while len(self._counts) > KEPT_COUNTS:
            first = next(iter(self._counts))
            if first in self.touched or first in self._uncounted:
                break
            del self._counts[first]
            self._uncounted.pop(first, None)

    @property
    def usage_pending(self) -> bool:
        """True if the usage counts of a function are not complete; `count` completes them."""
        return bool(self._uncounted)

    def count(self, deadline: float | None) -> bool:
        """Complete the usage counts of edited functions, and report their usage; False if time ran out."""
        while self._uncounted:
            body = next(iter(self._uncounted))
            counts = self._counts[body]
            while counts.pending:
                counts.count(next(iter(counts.pending)))
                if deadline is not None and perf_counter() >= deadline:
                    return False
            parts, found = parts_of(body, self._block_map), len(counts.first_reads)
            for _ in never_written(body, parts, counts, self._find):
                if deadline is not None and len(counts.first_reads) > found and perf_counter() >= deadline:
                    return False
            del self._uncounted[body]
            if parts:
                self._conclude(body, parts)
        return True

    def _find(self, part: FunctionPart, name: str) -> Mark | None:
        if self._first_reads is None:
            from ptx_lsp.analysis.first_reads import FirstReads  # few texts read a register that nothing writes

            self._first_reads = FirstReads(self._block_map)
        return self._first_reads.find(part, name)

    def bodies(self) -> Iterator[Body]:
        """Every function with a body, in source order, until the next edit."""
        seen: set[Body] = set()
        for block in self._block_map.blocks:
            for part in block.parts:
                if part.body not in seen:
                    seen.add(part.body)
                    yield part.body

    def last_body_before(self, position: Position) -> Body | None:
        """The last function whose body begins at or above a position; None without one."""
        blocks, found = self._block_map.blocks, set[Body]()
        for place in range(self._block_map.place(self._block_map.at_line(position.line)), -1, -1):
            for part in reversed(blocks[place].parts):
                if part.body.opening.resolved().start <= position:
                    found.add(part.body)
                    if not part.body.scope.continued:  # otherwise one that begins later may be above the part
                        return max(found, key=lambda body: body.opening.resolved().start)
        return max(found, key=lambda body: body.opening.resolved().start, default=None)

    def reports(self) -> tuple[list[list[Report]], list[list[Report]]]:
        """The reports about functions: those that have not changed since `settled` was called, and the others.

        Both have a list for each block in which such functions begin, which is replaced if it changes.
        """
        self._reports.gather()
        return list(self._reports.earlier.values()), list(self._reports.recent.values())

    def settled(self) -> None:
        """Note that the analysis is settled."""
        self._reports.earlier.update(self._reports.recent)
        self._reports.recent.clear()
        self.whole = ()

    def gather_reports(self) -> None:
        """Do a part of the work of `reports` now."""
        self._reports.gather()

    def reports_of_programs(self) -> list[Report]:
        """The reports about kernels with what they call."""
        last = self._block_map.blocks[-1].exit
        if last is None or not self._noted.is_suspicious():
            return []
        from ptx_lsp.analysis.program_checks import program_reports  # few modules need it

        return program_reports({body: parts_of(body, self._block_map) for body in self.bodies()}, last)


class _ReportsByBlock:
    """The reports about the functions of a module: a list for each block in which such functions begin.

    After an edit only some lists are `recent`: the others, which may have ten thousand reports, are not looked at.
    """

    __slots__ = ("_block_map", "_changed", "earlier", "recent")

    def __init__(self, block_map: BlockMap) -> None:
        self._block_map = block_map
        self.earlier: dict[Holder, list[Report]] = {}
        self.recent: dict[Holder, list[Report]] = {}  # those that have changed since `settled` was called
        self._changed: set[Holder] = set()

    def changed(self, block: Holder) -> None:
        """Note that the functions that begin in a block, or their reports, have changed."""
        self._changed.add(block)

    def gather(self) -> None:
        """Replace the lists of the blocks that have changed: a long text has 10,000 at its end."""
        for block in self._changed:
            self.earlier.pop(block, None)
            found = _reports_of(block) if isinstance(block, Block) and self._block_map.holds(block) else []
            if found:
                self.recent[block] = found
            else:
                self.recent.pop(block, None)
        self._changed.clear()


def _reports_of(block: Block) -> list[Report]:
    bodies = dict.fromkeys(part.body for part in block.parts if part.body.opening.holder is block)
    return [report for body in bodies for report in (*body.names, *body.usage)]
