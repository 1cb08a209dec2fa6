"""The first look at an edited piece of a block, before what is above it in the block is read again.

A text is read in long blocks; the first edit in one divides it. The state in which the edited piece begins is mostly
that of before the edit: what the statements of the piece report is shown with it, and the piece is read again after
the pieces above it.
"""

from __future__ import annotations

from ptx_lsp.analysis.block_map import BlockMap, Move
from ptx_lsp.light_classes import Sequence
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.block import Block, FunctionPart
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.reader import read
from ptx_lsp.reading.set_aside import copy_to_read
from ptx_lsp.reading.state import CHECKED, NOTHING_BELOW, State
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.text.ranges import Range

FEWEST = 24  # lines above the piece: it takes longer to read them than to find the state below them
_MOST_LINES = 64  # of a piece that is looked at
_MOST_ABOVE = 8  # chunks above the piece, at one of whose ends the state must be known
_BELOW = 1  # chunks below the piece: a broken statement may end there
# the last line of a text after which another statement begins, unless that begins with a comma
_END = lazy_pattern(r"[^/\n]*;\s*|[ \t]*\}\s*|[\w$]+:\s*|[ \t]*\.loc\b[^/\n]*[^/,\s]\s*", 0)
_NAMING = lazy_pattern(r"[ \t]*(?:\.(?!loc)|[\w$]+[ \t]*:)", 0)  # a statement that may declare a name
_HIDDEN_BRACE = lazy_pattern(r"""(?://|")[^\n]*[{}]""", 0)


def look_ahead(block: Block, piece: Block, range_: Range, block_map: BlockMap) -> bool:
    """Give a piece of a divided block the reports of its statements if new ones are known; whether that was done.

    `block` is the first piece, which has the results of the whole block from before the edit of `range_`.
    """
    is_near = piece.line - block.line < FEWEST or range_.line != range_.end_line
    if is_near or piece.lines > _MOST_LINES or not _is_plain(block):
        return False
    if _NAMING.match(block_map.document.line(range_.line)) is not None:
        return False
    reports = _reports(block, piece, block_map)
    before, now = _shown(piece.reports), _shown(reports)
    if not before < now:
        return False  # it is not known whether the others are solved
    piece.reports = reports
    return True


def _reports(block: Block, piece: Block, block_map: BlockMap) -> list[Report]:
    """The reports of the statements in a piece of a divided block; none if the state above it is not known."""
    chunk = block_map.document.chunk
    above = list(map(chunk, range(block.chunk, piece.chunk)))
    found = _last_known(block, above)
    if found is None:
        return []
    number, state = found
    first = block.line + sum(map(block_map.document.chunk_line_ends, range(block.chunk, block.chunk + number)))
    upper, place = block_map.place(block_map.at_line(first)), block_map.place(piece)
    end = piece.chunk + piece.chunks
    below = map(chunk, range(end, min(end + _BELOW, block_map.document.chunk_count)))
    text = "".join((*above[number:], block_map.text(piece), *below))
    if "/*" in text or any(one.reports for one in block_map.blocks[max(upper - 1, 0) : place]):
        return []  # a statement of a mistake above may continue there
    copy = copy_to_read(block, state, first - block.line)
    copy.index, copy.line = piece.index, first
    reader = BlockReader(copy, text)
    reader.scopes[0].horizon.index = piece.index
    read(reader, NOTHING_BELOW)
    found_here = Move({copy: first}, block_map.blocks[upper : place + _BELOW + 1], None).reports(reader.reports)
    return [report for report in found_here if report.mark.holder is piece]


def _shown(reports: list[Report]) -> set[tuple[object, ...]]:
    return {(report.code, report.mark.range, report.message) for report in reports}


def _is_plain(block: Block) -> bool:
    """Whether what is found in the statements of a block depends on the names above them alone."""
    entry, now = block.entry, block.exit
    if entry is None or now is None or block.suppressions or CHECKED not in now.header:
        return False
    return entry.comment is None and not entry.buried and (entry.profile is now.profile or not entry.header)


def _last_known(block: Block, above: Sequence[str]) -> tuple[int, State] | None:
    """The number of the chunks above the last place at which the state is known, and that state."""
    text = "".join(above)
    if "/*" in text or "\r" in text:
        return None
    offset = len(text)
    for number in range(len(above), max(0, len(above) - _MOST_ABOVE), -1):
        if _ends_statement(text, offset) and (state := _state_at(block, text, offset)) is not None:
            return number, state
        offset -= len(above[number - 1])
    return None


def _ends_statement(text: str, offset: int) -> bool:
    """Whether a statement ends in the last line above an offset that is not a comment."""
    end = offset
    while end > 0:
        begin = text.rfind("\n", 0, end - 1) + 1
        line = text[begin:end].strip()
        if line and not line.startswith("//"):
            return _END.fullmatch(text, begin, end) is not None and not text[offset:].lstrip().startswith(",")
        end = begin
    return False


def _state_at(block: Block, text: str, offset: int) -> State | None:
    """The state at an offset between two statements of the text above a piece of a block; None if it is not known."""
    entry, now = block.entry, block.exit
    assert entry is not None, "the block was read"
    assert now is not None, "the block was read"
    part = next((part for part in block.parts if part.stop is None or part.stop >= offset), None)
    if part is None or part.start >= offset or not _is_simple(part):
        return None
    begins_above = part.body is entry.body
    depth = text.count("{", part.start, offset) - text.count("}", part.start, offset)
    if depth != (not begins_above) or _HIDDEN_BRACE.search(text, part.start, offset) is not None:
        return None
    if begins_above:
        return entry._replace(lost=0) if len(entry.scopes) == 2 else None
    scopes = (entry.scopes[0], part.body.scope)
    return State(scopes, part.body, None, False, False, now.header, now.profile)


def _is_simple(part: FunctionPart) -> bool:
    return not (part.cut or part.resumed_at or part.too_deep or part.doubtful or part.lost_labels)
