"""What is certain about the functions that an edit has reached, before all of their blocks have been read again."""

from __future__ import annotations

from itertools import compress, zip_longest

from ptx_lsp.analysis.block_map import MOST_PIECES, BlockMap
from ptx_lsp.analysis.function_reports import conclude_names, damaged, parts_of
from ptx_lsp.light_classes import Container, Iterable, Iterator, NamedTuple, Set, attrgetter
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.braces import (
    BELONGS_OUTSIDE,
    END_OF_BODY,
    MISPLACED,
    UNCLOSED_BRACE,
    WRONG_BRACES,
    is_whole,
)
from ptx_lsp.reading.state import Body
from ptx_lsp.semantics.surroundings import CODE, Report
from ptx_lsp.semantics.symbols import Holder, Mark, place
from ptx_lsp.text.ranges import Range

LABELS = frozenset(("undefined-label", "label-expected"))
UNDECLARED = frozenset(("undeclared", "register-index"))
_BLOCK, _BY_BRACE, _LOST_LABELS = map(attrgetter, ("block", "resumed_by_brace", "lost_labels"))
_CLOSING, _STALE, _SUSPICIONS = map(attrgetter, ("closing", "stale", "suspicions"))
_ABOVE = Range(-1, 0, -1, 0)  # the begin of a block
_SCOPES = lazy_pattern(r"[{}]|\.reg\b")


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
    end = end_of(last)
    if end is None:
        return []
    return [(report, body) for report in (*body.names, *body.usage) if place(report.mark) > place(end)]


def end_of(last: FunctionPart) -> Mark | None:
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
        if part.cut is not None:
            continue  # a misplaced directive puts no statement outside
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
    if below is not None and last.cut is not None:  # what follows decides whether that directive is misplaced
        at = place(last.cut.noticed)
        found += [one for one in body.names if one.code == MISPLACED and place(one.mark) == at]
    if is_old and not open_:  # an edit has closed it: declarations there are outside again
        last.block.reports = [one for one in last.block.reports if one.code not in BELONGS_OUTSIDE]
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
        if report.code in LABELS:
            return has_labels  # a label may be anywhere in its function
        was_read = report.mark.holder in read.blocks
        if report.code in UNDECLARED and not (has_names and (was_read or read.knows_others)):
            return False
        return was_read or unread is None or report.mark.holder.index < unread

    kept = [report for report in body.names if not (is_certain(report) or is_solved(report, body, block_map))]
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


def is_solved(report: Report, body: Body, block_map: BlockMap) -> bool:
    """Whether a name that was reported as missing is there now, in the same function as far as that is known."""
    document = block_map.document
    if report.code in UNDECLARED:
        name = report.data.get("highest") or document.text(report.mark.resolved())
        symbol = body.scope.lookup(name)
        if symbol is None or place(symbol.mark) > place(report.mark):
            return False
        return not _may_end_between(body, symbol.mark, report.mark, block_map)
    return report.code in LABELS and body.scope.label(document.text(report.mark.resolved())) is not None


def _may_end_between(body: Body, first: Mark, last: Mark, block_map: BlockMap) -> bool:
    """Whether a function ends between two marks, or may end in an unread text there."""
    blocks = block_map.blocks[block_map.place(first.holder) : block_map.place(last.holder)]
    for block in blocks:
        if block.stale:
            if "\n}" in "\n" + block_map.text(block):
                return True
        elif any(part.ends and part.body is body for part in block.parts):
            return True
    return False
