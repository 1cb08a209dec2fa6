"""The reports of functions from before an edit: they are shown until the functions have been read again."""

from __future__ import annotations

from ptx_lsp.analysis.block_map import BlockMap, Move
from ptx_lsp.light_classes import Iterable, NamedTuple, Sequence
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.braces import EARLY_BRACE
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Holder

_LABELS = frozenset(("undefined-label", "label-expected"))
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
    """

    def __init__(self, block_map: BlockMap) -> None:
        self._block_map = block_map
        self._unread: list[Block] = []
        self._of_functions: list[_OfFunction] = []

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
        if len(move.pieces) > 1:
            self.keep(bodies)

    def keep(self, bodies: Iterable[Body]) -> None:
        """Keep the reports of these functions."""
        for body in bodies:
            for report in (*body.names, *body.usage):
                self._keep(report, body)

    def _keep(self, report: Report, body: Body) -> None:
        holder = report.mark.holder
        self._of_functions.append(_OfFunction(report, body, holder.generation if isinstance(holder, Block) else 0))

    def besides(self, present: Iterable[Sequence[Report]]) -> list[Report]:
        """The reports that are not among the present ones of functions and may still be right."""
        holds = self._block_map.holds
        self._unread = [piece for piece in self._unread if piece.stale and holds(piece)]
        unread = min((piece.index for piece in self._unread), default=None)
        known = {_key(report) for reports in present for report in reports}
        found: list[Report] = []
        for one in self._of_functions:
            key = _key(one.report)
            if key not in known and self._may_be_right(one, unread):
                known.add(key)
                found.append(one.report)
        return found

    def _may_be_right(self, one: _OfFunction, unread: int | None) -> bool:
        """Whether a report of a function may still be right; `unread` is the index of the first unread block."""
        report, body, generation = one
        holder = report.mark.holder
        was_read = isinstance(holder, Block) and holder.generation != generation
        is_present = self._is_present(body)
        if report.code in _UNDECLARED:
            # in what has been read, all uses are known
            is_sure = was_read or (is_present and (unread is None or holder.index < unread))
            return not is_sure and body.scope.lookup(report.data.get("highest") or self._text(report)) is None
        if report.code == EARLY_BRACE:
            is_sure = False  # the text below may have another function now, whose end is not known yet
        elif is_present:
            is_sure = unread is None
        else:
            is_sure = was_read and _are_concluded(holder)
        return not is_sure and (report.code not in _LABELS or body.scope.label(self._text(report)) is None)

    def _is_present(self, body: Body) -> bool:
        """Whether a function is one of the present ones."""
        opener = body.opening.holder
        return isinstance(opener, Block) and self._block_map.holds(opener) and any(p.body is body for p in opener.parts)

    def _text(self, report: Report) -> str:
        return self._block_map.document.text(report.mark.resolved())


def _are_concluded(block: Holder) -> bool:
    """Whether all functions in a block have been read to their ends."""
    return isinstance(block, Block) and all(part.body.concluded for part in block.parts)


def _key(report: Report) -> tuple[str, int, int]:
    return (report.code, *report.mark.resolved()[:2])
