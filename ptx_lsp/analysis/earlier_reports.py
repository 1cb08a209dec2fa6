"""The reports of functions from before an edit: they are shown until the functions have been read again."""

from __future__ import annotations

from ptx_lsp.analysis.block_map import BlockMap, Move
from ptx_lsp.analysis.function_reports import conclude_names, parts_of
from ptx_lsp.analysis.module_checks import BELONGS_INSIDE
from ptx_lsp.light_classes import Iterable, NamedTuple, Sequence, Set
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.braces import EARLY_BRACE, UNCLOSED_BRACE
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Holder, Mark, place
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Range

_LABELS = frozenset(("undefined-label", "label-expected"))
_BRACES = frozenset((EARLY_BRACE, "unmatched-brace"))
_UNDECLARED = frozenset(("undeclared", "register-index"))


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
    the reports of statements outside of functions, in blocks that were read again.
    """

    def __init__(self, block_map: BlockMap) -> None:
        self._block_map = block_map
        self._unread: list[Block] = []
        self._of_functions: list[_OfFunction] = []
        self._displaced: list[tuple[Mark, Mark]] = []
        self._outside: list[Report] = []

    def moved(self, move: Move, bodies: Iterable[Body]) -> None:
        """Note that the text of blocks with parts of these functions is in other blocks, which must be read."""
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
        line, column = move.edit.range.start
        block = self._block_map.at_line(line)
        return Mark(block, Range(line - block.line, column, line - block.line, column))

    @property
    def bodies(self) -> Iterable[Body]:
        """The functions whose reports are kept."""
        return dict.fromkeys(one.body for one in self._of_functions)

    def keep(self, bodies: Iterable[Body], outside: Iterable[Report] = ()) -> None:
        """Keep the reports of these functions, and those about statements `outside` of functions."""
        self._outside += outside
        for body in bodies:
            for report in (*body.names, *body.usage):
                self._keep(report, body)

    def _keep(self, report: Report, body: Body) -> None:
        holder = report.mark.holder
        self._of_functions.append(_OfFunction(report, body, holder.generation if isinstance(holder, Block) else 0))

    def without_displaced(self, of_blocks: list[list[Report]], endings: list[tuple[Mark, Block]]) -> list[list[Report]]:
        """The reports of the blocks without those for which an early brace may be the mistake.

        `endings` has braces that end a function, each with an unread block below that may continue it. What an earlier
        brace displaced, edited or not, was not shown, and is not shown before the analysis is settled.
        """
        early = [one.report for one in self._of_functions if one.report.code == EARLY_BRACE]
        hidden = [(place(begin), place(end)) for begin, end in self._displaced]
        hidden += [(place(brace.mark), place(brace.related[0][0])) for brace in early]
        below = [(place(brace), (unread.index, 0, 0)) for brace, unread in endings]
        if not (hidden or below):
            return of_blocks
        known = set(map(_key, self._outside))

        def is_shown(report: Report) -> bool:
            if report.code not in BELONGS_INSIDE:
                return True
            spans = hidden if _key(report) in known else [*hidden, *below]
            return not any(begin < place(report.mark) < end for begin, end in spans)

        return [list(filter(is_shown, reports)) for reports in of_blocks]

    def with_present(self, present: Iterable[Sequence[Report]]) -> list[Report]:
        """The present reports of functions, each once, and the earlier ones that may still be right."""
        holds = self._block_map.holds
        self._unread = [piece for piece in self._unread if piece.stale and holds(piece)]
        unread = min((piece.index for piece in self._unread), default=None)
        ends = {body: self._end(body) for body in self.bodies}
        found = {_key(report): report for reports in present for report in reports}
        for one in self._of_functions:
            key = _key(one.report)
            if key not in found and self._may_be_right(one, unread, ends[one.body]):
                found[key] = one.report
        return list(found.values())

    def _may_be_right(self, one: _OfFunction, unread: int | None, end: int | None) -> bool:
        """Whether a report of a function may still be right.

        `unread` is the index of the first unread piece, `end` that of the last block of the function, None if it is
        not one of the present ones.
        """
        report, body, generation = one
        holder = report.mark.holder
        was_read = isinstance(holder, Block) and holder.generation != generation
        is_inside = end is not None and holder.index <= end
        if report.code in _UNDECLARED:
            # in what has been read, all uses are known
            is_sure = was_read or (is_inside and (unread is None or holder.index < unread))
        elif report.code == EARLY_BRACE:
            is_sure = False  # the text below may have another function now, whose end is not known yet
        else:
            is_sure = (is_inside and unread is None) or (was_read and _are_concluded(holder))
        return not is_sure and not _is_solved(report, body, self._block_map.document)

    def _end(self, body: Body) -> int | None:
        """The index of the last block of a function, None if it is not one of the present ones."""
        parts = parts_of(body, self._block_map)
        return parts[-1].block.index if parts and parts[0].block is body.opening.holder else None


def certain_names(
    body: Body, parts: list[FunctionPart], read: Set[Holder], document: Document, below: Block | None
) -> list[Report]:
    """The reports about the names of a function before all of its blocks have been read: see `conclude_names`.

    `read` are the blocks that were read since the last edit. Whether a name in another block is declared may depend on
    a block above that must be read: until then, its reports are the earlier ones that may still be right. The same
    holds for labels, if a broken statement may be one: that depends on all missing labels. `below` is an unread block
    that may continue the function after its last part.
    """
    found = conclude_names(body, parts, early=True, may_continue=below is not None)
    if below is not None and any(part.resumed_by_brace for part in parts):  # its end decides which brace is reported
        found = [one for one in found if one.code not in _BRACES] + [one for one in body.names if one.code in _BRACES]
    if not parts[-1].ends or (below is not None and parts[-1].cut is not None):  # perhaps it is open at the end
        found = [one for one in found if one.code != UNCLOSED_BRACE]
        found += [one for one in body.names if one.code == UNCLOSED_BRACE]
    unread = next((b.index for part in parts if (b := part.block).stale or b.suspicions), None)
    if unread is None and below is not None:
        unread = below.index
    has_labels = unread is None and not any(part.lost_labels for part in parts)

    def is_certain(report: Report) -> bool:
        if report.code in _LABELS:
            return has_labels  # a label may be anywhere in its function
        return unread is None or report.mark.holder.index < unread or report.mark.holder in read

    kept = [report for report in body.names if not (is_certain(report) or _is_solved(report, body, document))]
    return [*filter(is_certain, found), *kept]


def _is_solved(report: Report, body: Body, document: Document) -> bool:
    """Whether a name that was reported as missing is there now."""
    if report.code in _UNDECLARED:
        name = report.data.get("highest") or document.text(report.mark.resolved())
        symbol = body.scope.lookup(name)
        return symbol is not None and place(symbol.mark) <= place(report.mark)
    return report.code in _LABELS and body.scope.label(document.text(report.mark.resolved())) is not None


def _are_concluded(block: Holder) -> bool:
    """Whether all functions in a block have been read to their ends."""
    return isinstance(block, Block) and all(part.body.concluded for part in block.parts)


def _key(report: Report) -> tuple[str, int, int]:
    return (report.code, *report.mark.resolved()[:2])
