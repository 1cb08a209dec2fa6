"""The reports of functions from before an edit: they are shown until the functions have been read again."""

from __future__ import annotations

from math import inf

from ptx_lsp.analysis.block_map import BlockMap, Move
from ptx_lsp.analysis.foreseen.certain_reports import LABELS, UNDECLARED, end_of, is_solved
from ptx_lsp.analysis.function_reports import parts_of
from ptx_lsp.light_classes import Collection, Container, Iterable, NamedTuple
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.braces import BELONGS_INSIDE, EARLY_BRACE, UNCLOSED_BRACE, is_whole
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Holder, Mark, place
from ptx_lsp.text.ranges import Range


class _OfFunction(NamedTuple):
    """A report of a function, and the generation of its block before that was read again."""

    report: Report
    body: Body
    generation: int


class EarlierReports:
    """The reports of functions from before an edit, until the analysis is settled.

    `_unread` are edited blocks, and pieces of divided ones, that may not have been read yet. `_of_functions` has the
    reports of the functions that had parts in divided blocks, or that began in a block that was read again.
    `_displaced` are the begin and end of the text that an edited brace had put outside of its function. `_outside` are
    the reports of statements outside of functions, in blocks that were read again. `whole` are pieces of divided blocks
    in which all functions had their braces before the edit: if that has no brace, the functions have them now.
    """

    def __init__(self, block_map: BlockMap) -> None:
        self._block_map = block_map
        self.whole: set[Holder] = set()
        self._unread: list[Block] = []
        self._of_functions: list[_OfFunction] = []
        self._displaced: list[tuple[Mark, Mark]] = []
        self._outside: list[Report] = []

    def moved(self, move: Move, bodies: Collection[Body]) -> None:
        """Note that the text of blocks with parts of these functions is in other blocks, which must be read."""
        if all(map(is_whole, bodies)) if move.edit is not None else not self.whole.isdisjoint(move.blocks):
            self.whole.update(move.pieces)
        else:
            self.whole.difference_update(move.pieces)
        before, self._of_functions = self._of_functions, []
        for one in before:
            report = next(iter(move.reports((one.report,))), None)
            if report is not None and report.mark.holder is one.report.mark.holder:
                self._of_functions.append(one._replace(report=report))
            elif report is not None:
                self._keep(report, one.body)
        self._unread += move.pieces
        self._outside = move.reports(self._outside)
        if move.has_other_blocks:
            shown = [report for piece in move.pieces for report in piece.reports]
            self.keep(bodies, [report for report in shown if report.code in BELONGS_INSIDE])
        self._displaced = [(move.mark(begin) or begin, move.mark(end) or end) for begin, end in self._displaced]
        braces = [report for report in move.gone if report.code == EARLY_BRACE]
        ends = [move.mark(brace.related[0][0]) for brace in braces]
        self._displaced += [(self._begin(move), end) for end in ends if end is not None]

    def _begin(self, move: Move) -> Mark:
        """Where the edit of a move begins."""
        assert move.edit is not None, "only an edit removes reports"
        start = move.edit.range.start
        return self._block_map.mark(Range(*start, *start))

    @property
    def bodies(self) -> Iterable[Body]:
        """The functions whose reports are kept."""
        return dict.fromkeys(one.body for one in self._of_functions)

    def keep(
        self, bodies: Iterable[Body], outside: Iterable[Report] = (), braces: Iterable[tuple[Report, Body]] = ()
    ) -> None:
        """Keep the reports of these functions, of statements `outside` of functions, and of early `braces`."""
        self._outside += outside
        for body in bodies:
            for report in (*body.names, *body.usage):
                self._keep(report, body)
        for report, body in braces:
            if all(report is not one.report for one in self._of_functions):
                self._keep(report, body)

    def _keep(self, report: Report, body: Body) -> None:
        holder = report.mark.holder
        self._of_functions.append(_OfFunction(report, body, holder.generation if isinstance(holder, Block) else 0))

    def without_displaced(self, of_blocks: list[list[Report]], spans: list[tuple[Mark, Mark]]) -> list[list[Report]]:
        """The reports of the blocks without those for which an early brace may be the mistake.

        `spans` have the text in which this is not known yet: see `preview`. What an earlier brace displaced, edited or
        not, was not shown, and is not shown before the analysis is settled.
        """
        early = [one.report for one in self._of_functions if one.report.code == EARLY_BRACE]
        hidden = [(place(begin), place(end)) for begin, end in self._displaced]
        hidden += [(place(brace.mark), place(brace.related[0][0])) for brace in early]
        below = [(place(brace), place(end)) for brace, end in spans]
        if not (hidden or below):
            return of_blocks
        known = set(map(_key, self._outside))

        def is_shown(report: Report) -> bool:
            if report.code not in BELONGS_INSIDE:
                return True
            spans = hidden if _key(report) in known else [*hidden, *below]
            return not any(begin < place(report.mark) < end for begin, end in spans)

        return [list(filter(is_shown, reports)) for reports in of_blocks]

    def with_recent(self, recent: list[list[Report]], touched: Container[Body]) -> list[list[Report]]:
        """The `recent` reports of functions, each once, and the earlier ones that may still be right.

        `touched` are the functions that have not been checked since a part of them was read again or withdrawn.
        `recent` are the lists that may have changed since the analysis was settled. No earlier report is in the other
        lists, and none of theirs is in two.
        """
        holds = self._block_map.holds
        self._unread = [piece for piece in self._unread if piece.stale and holds(piece)]
        unread = min((piece.index for piece in self._unread), default=None)
        ends = {body: self._end(body) for body in self.bodies}
        found = {_key(report): report for reports in recent for report in reports}
        for one in self._of_functions:
            key = _key(one.report)
            if key not in found and self._may_be_right(one, unread, ends[one.body], touched):
                found[key] = one.report
        return [list(found.values())]

    def _may_be_right(
        self, one: _OfFunction, unread: int | None, end: tuple[float, ...] | None, touched: Container[Body]
    ) -> bool:
        """Whether a report of a function may still be right; `touched` are those of `with_recent`.

        `unread` is the index of the first unread piece, `end` the place of the end of the function, None if it is not
        one of the present ones.
        """
        report, body, generation = one
        holder = report.mark.holder
        was_read = isinstance(holder, Block) and holder.generation != generation
        is_inside = end is not None and place(report.mark) <= end
        if report.code in UNDECLARED:
            # in what has been read, all uses are known, unless its function is another one or read for the first time
            is_read = was_read and _are_concluded(holder, () if is_inside else touched)
            is_sure = is_read or (is_inside and (unread is None or holder.index < unread))
        elif report.code == EARLY_BRACE:
            # if it still ends a function, that may be another one now, whose end is not known yet
            is_sure = was_read and (unread is None or holder.index < unread) and not _ends_function(report.mark)
        elif report.code == UNCLOSED_BRACE and self._is_open_at_end(report.mark):
            is_sure = False  # it is reported again when the analysis is settled
        elif report.code in LABELS and not is_inside:
            # it may be in another function now, of which no label is certain before it is checked
            is_sure = was_read and _are_concluded(holder, touched)
        else:
            is_sure = (is_inside and unread is None) or (was_read and _are_concluded(holder))
        return not is_sure and not is_solved(report, body, self._block_map)

    def _is_open_at_end(self, brace: Mark) -> bool:
        """Whether a brace is open at the end of the text, as far as that is known."""
        last = self._block_map.blocks[-1].exit
        opened = [scope.opening for scope in last.scopes if scope.opening is not None] if last is not None else ()
        return place(brace) in map(place, opened)

    def _end(self, body: Body) -> tuple[float, ...] | None:
        """The place of the end of a function, None if it is not one of the present ones."""
        parts = parts_of(body, self._block_map)
        if not parts or parts[0].block is not body.opening.holder:
            return None
        end = end_of(parts[-1])
        return place(end) if end is not None else (parts[-1].block.index, inf)


def _ends_function(brace: Mark) -> bool:
    """Whether a brace, in a block that has been read, ends a function."""
    parts = brace.holder.parts if isinstance(brace.holder, Block) else []
    return any(part.closing is not None and place(part.closing) == place(brace) for part in parts)


def _are_concluded(block: Holder, touched: Container[Body] = ()) -> bool:
    """Whether all functions in a block have been read to their ends, and are not among the `touched` ones."""
    return isinstance(block, Block) and all(part.body.concluded and part.body not in touched for part in block.parts)


def _key(report: Report) -> tuple[str, int, int]:
    mark = report.mark  # no range is made
    return report.code, mark.range[0] + mark.holder.line, mark.range[1]
