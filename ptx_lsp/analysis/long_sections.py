"""Blocks with statements of many lines, or many broken ones: how they grow, and what is read of them in one step.

A section of debug information is one statement of perhaps 100,000 lines. Its rows are looked at in steps. An edit that
changes plain rows into other plain rows changes only the labels of the section. A table may have 100,000 values: a copy
of it that has those of the edited line alone shows what is wrong with them.
"""

from __future__ import annotations

from time import perf_counter

from ptx_lsp.analysis.block_map import GATHERED, BlockMap, Move
from ptx_lsp.isa.directive_names import LOCATION, SECTION
from ptx_lsp.late_modules import late_module
from ptx_lsp.light_classes import TYPE_CHECKING, Iterator, NamedTuple, Set
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.reader import read
from ptx_lsp.reading.state import NOTHING_BELOW, PlainRows, State
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Mark
from ptx_lsp.syntax.known_values import remember_values
from ptx_lsp.text.document import Document
from ptx_lsp.text.lines import count_line_ends
from ptx_lsp.text.ranges import EditEffect, Range

if TYPE_CHECKING:
    from ptx_lsp.reading import copied_blocks
else:
    copied_blocks = late_module("ptx_lsp.reading.copied_blocks")  # with all trees; only for edits

_CHUNKS_PER_STEP = 16
_IN_TABLE = (",\n", ",\r\n")
_MEANING_MORE = ("/", "\r", SECTION, LOCATION)  # a comment may suppress findings


class RowsAhead:
    """Looks at the rows of long sections, and at the values of tables, in steps, before they are read.

    To read them takes little time then.
    """

    def __init__(self, document: Document) -> None:
        """The document must not be edited after this."""
        self._document = document
        self._last: Block | None = None
        self._steps: Iterator[None] = iter(())  # through the rows or values below the begin of the last block

    def are_known(self, block: Block, deadline: float) -> bool:
        """Look at the sections that begin in a block and follow one another, or at a table that continues below it.

        False if time ran out.
        """
        if block is not self._last:
            most = max(block.chunks, 2 * GATHERED)  # chunks below may become parts of the block first
            first = self._document.chunk_with(SECTION, block.chunk, block.chunk + most)
            if first is not None:
                from ptx_lsp.syntax.section_rows import remember_rows  # few texts have sections

                self._last, self._steps = block, remember_rows(self._texts(first))
            elif self._document.chunk(block.chunk + block.chunks - 1).endswith(_IN_TABLE):
                self._last, self._steps = block, remember_values(self._texts(block.chunk))
        return block is not self._last or all(perf_counter() < deadline for _ in self._steps)

    def _texts(self, first: int) -> Iterator[str]:
        """The text from a chunk on, in parts."""
        document = self._document
        for at in range(first, document.chunk_count, _CHUNKS_PER_STEP):
            yield "".join(map(document.chunk, range(at, min(at + _CHUNKS_PER_STEP, document.chunk_count))))


def unread_from(first: Block, most: int, block_map: BlockMap) -> list[Block]:
    """The blocks from `first` on that have never been read, up to a number of characters.

    None if the first one has been read, or is longer.
    """
    found: list[Block] = []
    place = block_map.place(first)
    while place < len(block_map.blocks) and (block := block_map.blocks[place]).entry is None:
        most -= len(block_map.text(block))
        if most < 0:
            break
        found.append(block)
        place += 1
    return found


def take_all(block: Block, others: list[Block], block_map: BlockMap) -> str:
    """Make the blocks after `block` parts of it; returns their text."""
    text, first = "".join(map(block_map.text, others)), block_map.place(block) + 1
    del block_map.blocks[first : first + len(others)]
    for other in others:
        block.chunks, block.lines = block.chunks + other.chunks, block.lines + other.lines
        other.index = block.index
    return text


def take_first_chunk(block: Block, other: Block, document: Document) -> str:
    """Make the first chunk of the block after `block`, which has several and was never read, a part of `block`.

    Returns its text.
    """
    chunk = other.chunk
    lines = document.chunk_line_ends(chunk)
    block.chunks, block.lines = block.chunks + 1, block.lines + lines
    other.chunk, other.chunks = chunk + 1, other.chunks - 1
    other.line, other.lines = other.line + lines, other.lines - lines
    Mark.moves += 1
    return document.chunk(chunk)


def divide_below(block_map: BlockMap, block: Block, text: str) -> list[Block]:
    """Divide a block below the lines of this text, with which it begins; the new blocks, of one chunk each."""
    document, lines = block_map.document, count_line_ends(text)
    last = block.chunk + block.chunks + document.begin_chunk(block.line + lines)
    first = document.chunk_at(block.line + lines)
    rest = [Block(1, document.chunk_line_ends(chunk)) for chunk in range(first, last)]
    block.chunks, block.lines = first - block.chunk, lines
    place = block_map.place(block)
    block_map.blocks[place + 1 : place + 1] = rest
    block_map.number(place)
    return rest


class EditedRows(NamedTuple):
    """Rows that an edit will change: the rows of their section, and the text of the edited lines, with line ends."""

    block: Block
    rows: PlainRows
    range: Range
    text: str


class Relabelled(NamedTuple):
    """A block whose sections have other labels after an edit: those that they no longer have, and the new ones."""

    block: Block
    gone: Set[str]
    new: Set[str]


def rows_at(block_map: BlockMap, range_: Range) -> EditedRows | None:
    """What an edit of a range will change, if that is only rows of a section; otherwise None."""
    block = block_map.at_line(range_.line)
    if not block.sections or block.stale or block.suspicions:
        return None
    first, last = range_.line - block.line, range_.end_line - block.line
    for rows in block.sections:
        if rows.first <= first <= last < rows.end:
            lines = Range(range_.line, 0, range_.end_line + 1, 0)
            return EditedRows(block, rows, lines, block_map.document.text(lines))
    return None


def relabelled(block_map: BlockMap, before: EditedRows, edit: EditEffect) -> Relabelled | None:
    """What an edit has changed in the labels of sections, if it has changed nothing else; otherwise None.

    If it has changed nothing else, the block and its place are brought up to date.
    """
    block, rows = before.block, before.rows
    is_inside = block.chunk <= edit.first and edit.first + edit.removed <= block.chunk + block.chunks
    if edit.lines or not is_inside:
        return None
    now = block_map.document.text(before.range)
    if any(sign in text for sign in _MEANING_MORE for text in (before.text, now)):
        return None
    from ptx_lsp.quick.debug_sections import labels_of_rows  # here and below: not for short files

    found, gone = labels_of_rows(now, rows.profile), labels_of_rows(before.text, rows.profile)
    if found is None or gone is None or len(set(found)) < len(found):
        return None
    new, old = set(found), set(gone)
    if rows.labels is None:
        chunks = range(block.chunk, block.chunk + block.chunks + edit.added - edit.removed)
        if not _find_labels(block, "".join(map(block_map.document.chunk, chunks))):
            return None
    elif not rows.labels.isdisjoint(new - old):
        return None
    else:
        rows.labels -= old
        rows.labels |= new
    _cut_differently(block_map, block, edit.added - edit.removed)
    block.generation += 1
    if block.parts and len(now) != len(before.text):
        _move_parts(block, block_map.document, before.range.line, len(now) - len(before.text))
    others = [other.labels for other in block.sections if other is not rows and other.labels is not None]
    return Relabelled(block, old.difference(new, *others), new - old)


def _cut_differently(block_map: BlockMap, block: Block, more: int) -> None:
    """Note that an edit, which has added or removed no line, has cut the text of a block into more or fewer chunks."""
    if more:
        block.chunks += more
        block_map.shift(block_map.place(block) + 1, 0, more)


def _move_parts(block: Block, document: Document, line: int, more: int) -> None:
    """Move the parts of functions below a line of a block; the line has `more` characters more than before."""
    chunk = document.chunk_at(line)
    begin = document.chunk_starts(chunk)[line - document.chunk_line(chunk)]
    begin += sum(len(document.chunk(above)) for above in range(block.chunk, chunk))
    for part in block.parts:
        if part.start > begin:
            part.start += more
        if part.stop is not None and part.stop > begin:
            part.stop += more


def _find_labels(block: Block, text: str) -> bool:
    """Note the labels of the sections of a block with a text; False if that is not possible."""
    from ptx_lsp.syntax.section_rows import rows_of

    found: list[set[str]] = []
    at = text.find(SECTION)
    while at >= 0:
        rows = rows_of(text, text.rfind("\n", 0, at) + 1)
        if rows is None:
            return False
        labels = rows.labels(text)
        found.append(set(labels))
        if len(found[-1]) < len(labels):
            return False
        at = text.find(SECTION, rows.end)
    if len(found) != len(block.sections):
        return False
    for section, labels_now in zip(block.sections, found, strict=True):
        section.labels = labels_now
    return True


# --- the values of long tables ----------------------------------------------------------------------------------------

_TABLE = lazy_pattern(r"[ \t]*\.[^={;/\"]*=[ \t]*\{", 0)
_VALUES = lazy_pattern(r"[\w$ \t.,+()-]*", re.A)  # in a line: no brace, no comment, and no end of the statement
_NAMED = lazy_pattern(r"(?<![\w$])[A-Za-z_$]", re.A)
_NOT_IN_VALUES = '{};"/'
_MISTAKES = (",", ";", "}", '"')  # each of them alone is found on its line, whatever the values below it are
_LONGEST_LINE = 1 << 12  # characters of a line that is read as a whole
_AROUND = 8  # values on each side of an edited one that are read


def reports_of_values(
    pieces: tuple[Block, ...], edit: EditEffect, texts: tuple[str, str], had_reports: bool, block_map: BlockMap
) -> list[Report] | None:
    """The reports of the values in an edited line of a table, read without most other values of the table.

    The first of the `pieces` has the results from before the edit, which replaced the first of the `texts`. None if it
    is not certain that the edited line has values of a table, and as many as before. If the line `had_reports`, all of
    it is read.
    """
    block, line, document = pieces[0], edit.range.line, block_map.document
    entry, now = block.entry, block.exit
    if edit.lines or entry is None or now is None or entry.body:
        return None
    above = [one.symbol.mark for one in block.declared if one.symbol.mark.range.line <= line - block.line]
    if not above or above[-1].holder is not block:
        return None
    begin, (removed, inserted) = block.line + above[-1].range.line, texts
    head = _TABLE.match(document.line(begin))
    if head is None or any(one.line + report.mark.range.line >= begin for one in pieces for report in one.reports):
        return None
    if not _has_only_values(document.text(Range(begin, head.end(), line, edit.range.column))):
        return None
    text, column = document.line(line), edit.range.column
    around = len(text) if had_reports or '"' in inserted else _AROUND
    if (around > _AROUND and len(text) > _LONGEST_LINE) or not _may_be_few(removed, inserted):
        return None
    first, last = _few_values(text, 0 if begin < line else head.end(), column, len(inserted), around)
    few, mistake = text[first:last], inserted if inserted.strip() in _MISTAKES else ""
    below = text[column + len(inserted) : last]
    if around > _AROUND and text[last:].strip():
        return None
    if not _are_enough(few, below + document.line(line + 1), removed + inserted):
        return None
    if _VALUES.fullmatch(text[first:column] + inserted.removeprefix(mistake) + below) is None:
        return None
    state = State(entry.scopes[:1], None, None, entry.after_end, False, now.header, now.profile)
    copy = copied_blocks.copy_to_read(block, state, above[-1].range.line)
    assert copy.entry is not None, "it has a state"
    copy.index = copy.entry.scopes[0].horizon.index = block_map.at_line(line).index
    copy.line = begin
    before = "\n" * (line - begin) + " " * (first if begin < line else first - head.end())
    reader = BlockReader(copy, f"{head[0]}{before}{few}\n0}};\n")
    read(reader, NOTHING_BELOW)
    found = [one for one in reader.reports if one.mark.range.line == one.mark.range.end_line == line - begin]
    return Move({copy: begin}, pieces, None).reports(found)


def _may_be_few(removed: str, inserted: str) -> bool:
    """Whether what an edit of values does is known from few of them: it changes values, or types or removes a mistake.

    Without a mistake, a table has as many values after the edit as before.
    """
    if removed.strip() in _MISTAKES or inserted.strip() in _MISTAKES:
        return True
    return removed.count(",") == inserted.count(",") and _VALUES.fullmatch(removed) is not None


def _are_enough(few: str, below: str, changed: str) -> bool:
    """Whether a few values show what is wrong with them; `below` are those after an edit, which has `changed` a text.

    A mistake at the begin of a line may be one of the line above. Names decide what is wrong after a `;` or `}` that is
    too early, and where that statement ends.
    """
    if few.lstrip()[:1] in ("", *_MISTAKES) or ("}" in changed and not below.lstrip(" \t,")[:1].isdigit()):
        return False
    return not (";" in changed or "}" in changed) or _NAMED.search(few) is None


def _has_only_values(text: str) -> bool:
    """Whether a text, from the brace that begins a table to an edit, has values of it, with a comma before its line."""
    above, line_end, _ = text.rpartition("\n")
    return not any(map(text.__contains__, _NOT_IN_VALUES)) and (not line_end or above.rstrip()[-1:] in ("", ","))


def _few_values(line: str, first: int, column: int, inserted: int, around: int) -> tuple[int, int]:
    """The begin and end of values around an edit, in a line that has values from a place on; the last has a comma.

    They are up to this number on each side. Both are the same if no comma is below the edit.
    """
    begin, end = column, column + inserted
    for _ in range(around):
        begin = line.rfind(",", first, max(begin, first))
        if begin < 0:
            break
    begin = max(begin + 1, first)
    if line.find(",", end) < 0:
        return begin, begin
    for _ in range(around):
        following = line.find(",", end) + 1
        if not following:
            break
        end = following
    return begin, end
