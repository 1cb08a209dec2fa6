"""The reports of functions from before an edit: they are shown until the functions have been read again."""

from __future__ import annotations

from itertools import compress, zip_longest
from math import inf

from ptx_lsp.analysis.block_map import MOST_PIECES, BlockMap, Move
from ptx_lsp.analysis.function_reports import conclude_names, damaged, parts_of
from ptx_lsp.light_classes import Collection, Container, Iterable, Iterator, NamedTuple, Set, attrgetter
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading import braces
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.braces import BELONGS_INSIDE, EARLY_BRACE, END_OF_BODY, UNCLOSED_BRACE, WRONG_BRACES, is_whole
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.surroundings import CODE, Report
from ptx_lsp.semantics.symbols import Holder, Mark, place
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Range

_LABELS = frozenset(("undefined-label", "label-expected"))
UNDECLARED = frozenset(("undeclared", "register-index"))
_BLOCK, _BY_BRACE, _LOST_LABELS = map(attrgetter, ("block", "resumed_by_brace", "lost_labels"))
_CLOSING, _STALE, _SUSPICIONS = map(attrgetter, ("closing", "stale", "suspicions"))
_ABOVE = Range(-1, 0, -1, 0)  # the begin of a block
_SCOPES = lazy_pattern(r"[{}]|\.reg\b")


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
        line, column = move.edit.range.start
        block = self._block_map.at_line(line)
        return Mark(block, Range(line - block.line, column, line - block.line, column))

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

    def with_recent(self, recent: list[list[Report]]) -> list[list[Report]]:
        """The `recent` reports of functions, each once, and the earlier ones that may still be right.

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
            if key not in found and self._may_be_right(one, unread, ends[one.body]):
                found[key] = one.report
        return [list(found.values())]

    def _may_be_right(self, one: _OfFunction, unread: int | None, end: tuple[float, ...] | None) -> bool:
        """Whether a report of a function may still be right.

        `unread` is the index of the first unread piece, `end` the place of the end of the function, None if it is not
        one of the present ones.
        """
        report, body, generation = one
        holder = report.mark.holder
        was_read = isinstance(holder, Block) and holder.generation != generation
        is_inside = end is not None and place(report.mark) <= end
        if report.code in UNDECLARED:
            # in what has been read, all uses are known, unless its function is read for the first time
            is_read = was_read and _are_concluded(holder)
            is_sure = is_read or (is_inside and (unread is None or holder.index < unread))
        elif report.code == EARLY_BRACE:
            # if it still ends a function, that may be another one now, whose end is not known yet
            is_sure = was_read and (unread is None or holder.index < unread) and not _ends_function(report.mark)
        else:
            is_sure = (is_inside and unread is None) or (was_read and _are_concluded(holder))
        return not is_sure and not _is_solved(report, body, self._block_map.document)

    def _end(self, body: Body) -> tuple[float, ...] | None:
        """The place of the end of a function, None if it is not one of the present ones."""
        parts = parts_of(body, self._block_map)
        if not parts or parts[0].block is not body.opening.holder:
            return None
        end = _end_of(parts[-1])
        return place(end) if end is not None else (parts[-1].block.index, inf)


def unread_below(part: FunctionPart, block_map: BlockMap) -> Block | None:
    """The block below that must be read after an edit and may continue a function whose last part is given."""
    block: Block | None = part.block
    while block is not None and block.exit is not None and (block.exit.closed is part.body or not part.ends):
        block = block_map.after(block)
        if block is None or block.stale or not part.ends:
            return block if block is not None and block.stale else None
    return None


def _declares_below(part: FunctionPart, block_map: BlockMap) -> bool:
    """Whether an unread text below a part of a function may declare registers of it; another name may be meant then.

    What inner braces below the part declare is not meant.
    """
    block: Block | None = part.block
    depth = 0  # how many of the braces that begin below the part are open
    while not part.ends and block is not None and (block := block_map.after(block)) is not None and block.stale:
        text = block_map.text(block)
        end = text.find("\n}")
        while end >= 0 and END_OF_BODY.match(text, end) is None:
            end = text.find("\n}", end + 1)
        for found in _SCOPES.finditer(text, 0, len(text) if end < 0 else end):
            sign = found[0]
            if sign == "{":
                depth += 1
            elif sign == "}":
                depth = max(0, depth - 1)
            elif not depth:
                return True
        if end >= 0:
            break
    return False


def _left_below(body: Body, last: FunctionPart) -> list[tuple[Report, Body]]:
    """The reports of a function that are below its present end, in its `last` part: in another function, perhaps."""
    end = _end_of(last)
    if end is None:
        return []
    return [(report, body) for report in (*body.names, *body.usage) if place(report.mark) > place(end)]


def _end_of(last: FunctionPart) -> Mark | None:
    """The end of a function, in its last part; None if it has none there."""
    return last.cut.noticed if last.cut is not None else last.closing


class Read(NamedTuple):
    """The `blocks` that were read since the last edit.

    `knows_others` is true if all other blocks are known that must be read: those in which the names of registers may
    have other meanings, because declarations have changed.
    """

    blocks: Set[Holder]
    knows_others: bool


class Preview(NamedTuple):
    """What is certain about functions before all of their blocks have been read again: see `preview`."""

    bodies: list[Body]
    spans: list[tuple[Mark, Mark]]
    left: list[tuple[Report, Body]]


def _between(
    parts: list[FunctionPart], block_map: BlockMap, uncertain: Container[Holder]
) -> Iterator[tuple[Mark, Mark]]:
    """Each brace that ends a function which may continue in an unread block below, and the begin of that block.

    Also each brace in an `uncertain` block after which the function continues, which may be too early, and the
    statement there.
    """
    for part, after in compress(zip_longest(parts, parts[1:]), map(_CLOSING, parts)):
        assert part.closing is not None, "others are left out"
        unread = unread_below(part, block_map)
        if unread is not None:
            yield part.closing, Mark(unread, Range(0, 0, 0, 0))
        elif part.block in uncertain and after and after.resumed_at is not None:
            yield part.closing, after.resumed_at


def preview(
    touched: Iterable[Body],
    block_map: BlockMap,
    read: Read,
    edited: bool,
    uncertain_scopes: bool,
    whole: Container[Holder],
) -> Preview:
    """Set the reports of functions to what is certain before all of their blocks have been read again.

    `touched` are functions of which a part was read again or withdrawn. The text was `edited` before.
    `uncertain_scopes`: in blocks that must be read, other scopes may be open than before the edit. `whole` are those of
    `EarlierReports`. Returns the functions whose reports have been set, the `spans` in which statements may be in a
    function although a brace above them ends it, and the earlier reports that are below the present ends of their
    functions.
    """
    found = Preview([], [], [])
    for body in touched:
        parts = parts_of(body, block_map)
        if not parts:
            continue
        found.bodies.append(body)
        below = unread_below(parts[-1], block_map) if edited else None
        if edited:
            found.spans.extend(_between(parts, block_map, read.blocks if below is not None else ()))
        if below is None or parts[-1].cut is not None:
            found.left.extend(_left_below(body, parts[-1]))
        is_new = body.opening.holder in whole and not body.concluded
        matches = is_whole(body) or (is_new and not _declares_below(parts[-1], block_map))
        ends_as_before = matches and not uncertain_scopes
        body.names = _certain_names(body, parts, read, block_map, below, ends_as_before)
    for block, part in _ended_above(read, block_map) if edited else ():
        if unread_below(part, block_map) is not None:
            found.spans.append((Mark(block, _ABOVE), Mark(block, Range(block.lines + 1, 0, block.lines + 1, 0))))
    return found


def _ended_above(read: Read, block_map: BlockMap) -> Iterator[tuple[Block, FunctionPart]]:
    """The blocks that were read below the end of a function, each with the last part of that function."""
    for block in read.blocks:
        if not isinstance(block, Block) or block.entry is None or not block_map.holds(block):
            continue
        at = block_map.place(block)
        above = block_map.blocks[max(0, at - MOST_PIECES) : at]
        last = next((other.parts[-1] for other in reversed(above) if other.parts), None)
        if last is not None and last.body is block.entry.closed:
            yield block, last


def _certain_names(
    body: Body,
    parts: list[FunctionPart],
    read: Read,
    block_map: BlockMap,
    below: Block | None,
    ends_as_before: bool,
) -> list[Report]:
    """The reports about the names of a function before all of its blocks have been read: see `conclude_names`.

    Whether a name in a block that was not `read` is declared may depend on a block above that must be read, or on a
    changed declaration: until then, its reports are the earlier ones that may still be right. The same holds for
    labels, if a broken statement may be one: that depends on all missing labels. `below` is an unread block that may
    continue the function after its last part. Unless it `ends_as_before`, no undeclared name is certain in a function
    that an unread block may end or continue. If an edit has closed the function, declarations below its end are no
    longer reported as those of a function.
    """
    continues = below is not None
    stays_whole = ends_as_before and continues
    found = conclude_names(body, parts, block_map.text, early=True, may_continue=continues, whole=stays_whole)
    if below is not None and any(map(_BY_BRACE, parts)):  # its end decides which brace is reported
        found = [one for one in found if one.code not in WRONG_BRACES] + [
            one for one in body.names if one.code in WRONG_BRACES
        ]
    last, open_ = parts[-1], [one for one in body.names if one.code == UNCLOSED_BRACE]
    is_old = last.cut is not None and last.block not in read.blocks
    if not last.ends or is_old or (below is not None and last.cut is not None):  # perhaps it is open at the end
        found = [one for one in found if one.code != UNCLOSED_BRACE] + open_
    if is_old and not open_:  # an edit has closed it: declarations there are outside again
        last.block.reports = [one for one in last.block.reports if one.code not in braces.BELONGS_OUTSIDE]
    blocks = list(map(_BLOCK, parts))  # here and below: of a thousand parts, with little work for each
    is_stale = any(map(_STALE, blocks))
    unread = below.index if below is not None else None
    if is_stale or any(map(_SUSPICIONS, blocks)):
        unread = next(block.index for block in blocks if block.stale or block.suspicions)
    has_labels = unread is None and not any(map(_LOST_LABELS, parts))
    # so may a family of registers and, if the braces do not match, an inner scope
    may_change = below is not None or is_stale or damaged(parts)
    has_names = unread is None or not may_change or ends_as_before

    def is_certain(report: Report) -> bool:
        if report.code in _LABELS:
            return has_labels  # a label may be anywhere in its function
        was_read = report.mark.holder in read.blocks
        if report.code in UNDECLARED and not (has_names and (was_read or read.knows_others)):
            return False
        return was_read or unread is None or report.mark.holder.index < unread

    kept = [report for report in body.names if not (is_certain(report) or _is_solved(report, body, block_map.document))]
    return [*filter(is_certain, found), *kept]


def ends_as_known(body: Body) -> bool:
    """Whether a function was read to its end: its brace, or where it is cut off because it lacks one."""
    if is_whole(body):
        return True
    codes = set(map(CODE, body.names))
    return body.concluded and UNCLOSED_BRACE in codes and not codes & WRONG_BRACES


def declares_for_certain(body: Body, parts: Iterable[FunctionPart]) -> bool:
    """Whether it is certain which names a function declares: see `conclude_undeclared`; `parts` are all of it."""
    inner_may_matter = not is_whole(body)
    return not any(part.doubtful or (inner_may_matter and part.inner) for part in parts)


def _is_solved(report: Report, body: Body, document: Document) -> bool:
    """Whether a name that was reported as missing is there now."""
    if report.code in UNDECLARED:
        name = report.data.get("highest") or document.text(report.mark.resolved())
        symbol = body.scope.lookup(name)
        return symbol is not None and place(symbol.mark) <= place(report.mark)
    return report.code in _LABELS and body.scope.label(document.text(report.mark.resolved())) is not None


def _ends_function(brace: Mark) -> bool:
    """Whether a brace, in a block that has been read, ends a function."""
    parts = brace.holder.parts if isinstance(brace.holder, Block) else []
    return any(part.closing is not None and place(part.closing) == place(brace) for part in parts)


def _are_concluded(block: Holder) -> bool:
    """Whether all functions in a block have been read to their ends."""
    return isinstance(block, Block) and all(part.body.concluded for part in block.parts)


def _key(report: Report) -> tuple[str, int, int]:
    mark = report.mark  # no range is made
    return report.code, mark.range[0] + mark.holder.line, mark.range[1]
