"""The blocks of a document: their places, how an edit divides and joins them, and in which order they are read."""

from ptx_lsp.light_classes import Iterable, Mapping, Sequence, attrgetter, bisect_left, bisect_right
from ptx_lsp.reading.block import Block, SplitText
from ptx_lsp.reading.braces import END_OF_BODY
from ptx_lsp.reading.reader import LONG_BLOCK
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.symbols import Holder, Mark
from ptx_lsp.text.document import CHARACTERS_PER_CHUNK, END_OF_FUNCTION, LINES_PER_CHUNK, Document
from ptx_lsp.text.ranges import EditEffect, Position, Range

JOINED = 8  # chunks near an edited one, at most, that become one block
GATHERED = 2  # chunks that become one block while a text is read for the first time
GATHERED_AT_ONCE = 8  # the same, if nothing waits for the end of a slice of the work
MOST_GATHERED = 64  # the same, in the later blocks of a text without edits, which are probably not to come
MOST_PIECES = 32  # an edit divides a block into fewer ones, which have not been read
MOST_PARTS = 256  # about as many blocks come of one that is divided, however long a section in it is
_LOOK_BELOW = 256  # characters below a brace, which show whether it ends a function
_MOST_LOOKED_AT = 32  # lines below a block on which its reading may have depended
BY_INDEX, _BY_CHUNK, _BY_LINE = map(attrgetter, ("index", "chunk", "line"))


def gathered_at_once(block: Block, edited: bool) -> int:
    """The number of chunks that become one block if nothing waits, in a text that was `edited` or not."""
    # functions become templates at the end of a block: the first blocks are short
    return GATHERED_AT_ONCE if edited else min(max(GATHERED_AT_ONCE, block.chunk), MOST_GATHERED)


class BlockMap:
    """The blocks of a document in order. The `index` of a block is greater than that of the block above; with gaps."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.blocks = [Block(1, document.chunk_line_ends(i)) for i in range(document.chunk_count)]
        self._joined: set[Block] = set()  # blocks of several small chunks beside an edited one
        self.number(0)

    def place(self, block: Holder) -> int:
        """The place of a block in `blocks`."""
        return bisect_left(self.blocks, block.index, key=BY_INDEX)

    def holds(self, block: Holder) -> bool:
        """Whether a block is still part of the document."""
        place = self.place(block)
        return place < len(self.blocks) and self.blocks[place] is block

    def at_line(self, line: int) -> Block:
        """The block of a line (from 0); the last block for lines beyond the text."""
        return self.blocks[max(0, bisect_right(self.blocks, line, key=_BY_LINE) - 1)]

    def mark(self, range_: Range) -> Mark:
        """The mark of a range of the document, in the block of its first line."""
        block = self.at_line(range_.line)
        return Mark(block, range_.shifted(-block.line))

    def after(self, block: Block) -> Block | None:
        """The next block, or None."""
        blocks = self.blocks
        return None if blocks[-1] is block or (place := self.place(block) + 1) >= len(blocks) else blocks[place]

    def first_read(self, block: Block) -> Block | None:
        """The first block from `block` on that has an entry state, if few blocks above it have none; otherwise None."""
        place = self.place(block)
        return next((one for one in self.blocks[place : place + MOST_PIECES] if one.entry is not None), None)

    def with_pieces(self, block: Block) -> tuple[Block, str, Block | None]:
        """A block with an entry state and its text, with those of the unread pieces that an edit divided it into.

        If `block` is such a piece, it is the block above the pieces. The third value is the first block below them, or
        None.
        """
        first = place = self.place(block)
        while first and self.blocks[first].entry is None and place - first < MOST_PIECES:
            first -= 1
        begin = self.blocks[first]
        following = self.after(begin)
        below = self.first_read(following) if begin.entry is not None and following is not None else None
        if below is None or below is following:
            return block, self.text(block), self.after(block)
        pieces = self.blocks[first : self.place(below)]
        return begin, "".join(map(self.text, pieces)), below

    def text(self, block: Block) -> str:
        """The text of a block."""
        chunk = self.document.chunk
        if block.chunks == 1:
            return chunk(block.chunk)
        return "".join(map(chunk, range(block.chunk, block.chunk + block.chunks)))

    def comment_ends_below(self, block: Block) -> bool:
        """Whether a `*/` is in a chunk below a block."""
        document, first = self.document, block.chunk + block.chunks
        return document.holds_comment_end() and document.chunk_with("*/", first, document.chunk_count) is not None

    def look_below(self, block: Block, lines: int) -> str:
        """The text of up to this number of lines below a block."""
        pieces, chunk = list[str](), block.chunk + block.chunks
        while lines > 0 and chunk < self.document.chunk_count:
            text, starts = self.document.chunk(chunk), self.document.chunk_starts(chunk)
            pieces.append(text[: starts[lines]] if lines < len(starts) else text)
            lines, chunk = lines - len(starts) + 1, chunk + 1
        return "".join(pieces)

    def looking_at(self, block: Block) -> list[Block]:
        """The blocks above one that was edited whose reading depended on another text below them, the lowest first."""
        place, lines, found = self.place(block), 0, list[Block]()
        while place and lines <= _MOST_LOOKED_AT:
            above = self.blocks[place := place - 1]
            if (looked := above.looks_below) and not self.look_below(above, looked.count("\n") + 1).startswith(looked):
                found.append(above)
            lines += above.lines
        return found

    def lines(self, block: Block) -> tuple[str, SplitText | None]:
        """The text of a block, and its lines if the document may need the offsets at which they begin too."""
        if block.chunks != 1:  # it has none if an edit has removed all its text
            return self.text(block), None
        lines = (text := self.document.chunk(block.chunk)).split("\n")
        return text, (lines, self.document.chunk_starts(block.chunk, lines))

    def replace(self, block: Block) -> Block:
        """Put a new block, which was never read, in the place of a block; the old one is no longer in the map."""
        new = Block(block.chunks, block.lines)
        new.index, new.chunk, new.line = block.index, block.chunk, block.line
        self.blocks[self.place(block)] = new
        return new

    def gather(self, block: Block, chunks: int) -> list[Block]:
        """Make the blocks below that have never been read a part of a block, up to this number of chunks.

        If possible, the block then ends with a function, up to twice as far: a function in one block costs least.
        Returns the blocks that are parts of it now.
        """
        if block.chunks >= chunks:
            return []
        first = self.place(block) + 1
        count, last, whole = block.chunks, first, 0
        for place in range(first, len(self.blocks)):
            following = self.blocks[place]
            count += following.chunks
            if following.entry is not None or following.exit is not None or count > (chunks if whole else 2 * chunks):
                break
            if count <= chunks:
                last = place + 1
            if self._ends_with_function(following.chunk + following.chunks - 1):
                whole = place + 1
        gathered = self.blocks[first : whole or last]
        del self.blocks[first : whole or last]
        for following in gathered:
            following.stale = False  # it is no longer a block
            block.chunks += following.chunks
            block.lines += following.lines
        return gathered

    def _ends_with_function(self, chunk: int) -> bool:
        """Whether a chunk probably ends with a function, and not with inline assembly."""
        if not self.document.chunk(chunk).endswith(END_OF_FUNCTION):
            return False
        if chunk + 1 == self.document.chunk_count:
            return True
        return END_OF_BODY.match(END_OF_FUNCTION + self.document.chunk(chunk + 1)[:_LOOK_BELOW]) is not None

    def edited(self, edit: EditEffect) -> tuple[Block, list[Block], list[Block]]:
        """Adapt the blocks to an edit of the document.

        Returns the block in which the edit begins, the removed blocks, and the new blocks after the first one.
        """
        first = bisect_right(self.blocks, edit.first, key=_BY_CHUNK) - 1
        last = bisect_right(self.blocks, edit.first + edit.removed - 1, key=_BY_CHUNK) - 1
        block, gone = self.blocks[first], self.blocks[first + 1 : last + 1]
        chunks = block.chunks + sum(b.chunks for b in gone) - edit.removed + edit.added
        lines = block.lines + sum(b.lines for b in gone) + edit.lines
        block.chunks, block.lines, new = chunks, lines, list[Block]()
        Mark.moves += edit.lines != 0
        finer = edit.added > edit.removed or block in self._joined
        self._joined.difference_update((block, *gone))
        if chunks > 1 and (finer or self._is_long(block.chunk, chunks, lines)):
            first_edited = self.document.chunk_at(edit.range.line)
            new = self._divided(block, first_edited, self.document.chunk_at(edit.range.end_line + edit.lines))
        if gone or new:
            self.blocks[first + 1 : last + 1] = new
            self.number(first)
        elif edit.lines or edit.added != edit.removed:
            self.shift(first + 1, edit.lines, edit.added - edit.removed)
        return block, gone, new

    def divide(self, block: Block) -> list[Block]:
        """Divide a block into blocks, each longer than the one above; returns those after the first one, if any."""
        block.chunks = self.document.cut_again(block.chunk, block.chunks)
        new = self._divided(block, block.chunk, block.chunk)
        place = self.place(block)
        self.blocks[place + 1 : place + 1] = new
        self.number(place)
        return new

    def _divided(self, block: Block, first: int, last: int) -> list[Block]:
        """Divide a block: each chunk from `first` to `last` is a block, those above and below are joined again.

        Returns the blocks after the first one.
        """
        document = self.document
        new: list[Block] = []
        one, size, alone, many = block, 0, False, 1 + block.chunks // MOST_PARTS
        longest, widest = LINES_PER_CHUNK * many, CHARACTERS_PER_CHUNK * many
        chunks = range(block.chunk, block.chunk + block.chunks)
        one.chunks = one.lines = 0
        for number in chunks:
            ends, length = document.chunk_line_ends(number), len(document.chunk(number))
            has_edit = first <= number <= last
            # what an edit changes is mostly found a few lines below it
            most = min(JOINED, max(1, number - last - 1)) if number > last else JOINED
            full = one.chunks >= most * many or one.lines + ends > longest or size + length > widest
            if one.chunks and (has_edit or alone or full):
                one, size = Block(0, 0), 0
                one.generation = int(has_edit)  # it will be read again: its lines are remembered at once
                new.append(one)
            one.chunks, one.lines, size, alone = one.chunks + 1, one.lines + ends, size + length, has_edit
        self._joined.update(one for one in (block, *new) if one.chunks > 1)
        return new

    def _is_long(self, chunk: int, chunks: int, lines: int) -> bool:
        size = sum(len(self.document.chunk(i)) for i in range(chunk, chunk + chunks))
        return lines > LONG_BLOCK * LINES_PER_CHUNK or size > LONG_BLOCK * CHARACTERS_PER_CHUNK

    def shift(self, first: int, lines: int, chunks: int) -> None:
        """Move the blocks from a place on down, by these numbers of lines and chunks."""
        for block in self.blocks[first:]:
            block.line += lines
            block.chunk += chunks

    def number(self, first: int) -> None:
        """Work out the places of the blocks from this one on, which may be new, from the one above."""
        if first:
            before = self.blocks[first - 1]
            index, chunk, line = before.index + 1, before.chunk + before.chunks, before.line + before.lines
        else:
            index = chunk = line = 0
        for block in self.blocks[first:]:
            block.index, block.chunk, block.line = index, chunk, line
            index += 1
            chunk += block.chunks
            line += block.lines


class Move:
    """Where the marks of blocks are now that their text is in `pieces`, the first of them at the top.

    `blocks` has the line at which each of these blocks began. With an `edit`, marks in the edited lines are nowhere,
    and those below are shifted. `has_other_blocks` is true if some text is in another block now. `gone` grows by the
    reports in the edited lines.
    """

    def __init__(self, blocks: Mapping[Block, int], pieces: Sequence[Block], edit: EditEffect | None) -> None:
        self._lines_before: Mapping[Holder, int] = blocks  # type: ignore[assignment]
        self.blocks = tuple(blocks)
        self.pieces = pieces
        self._lines = [piece.line for piece in pieces]
        self.edit = edit
        self.has_other_blocks = self.blocks != tuple(pieces)
        self.gone: list[Report] = []

    def mark(self, mark: Mark) -> Mark | None:
        """The place of a mark now; None if it was edited."""
        range_, begin = mark.range, self._lines_before.get(mark.holder)
        if begin is None:
            return mark
        line = begin + range_.line
        if self.edit is not None and begin + range_.end_line >= self.edit.range.line:
            if line <= self.edit.range.end_line:
                return None
            line += self.edit.lines
        return self._moved(mark, line)

    def _moved(self, mark: Mark, line: int) -> Mark:
        piece = self.pieces[max(0, bisect_right(self._lines, line) - 1)]
        by = line - piece.line - mark.range.line
        return mark if piece is mark.holder and not by else Mark(piece, mark.range.shifted(by))

    def _beside(self, mark: Mark) -> Mark | None:
        """The line of a mark that is on an edited line and was not edited itself; None if it was."""
        assert self.edit is not None, "only an edit removes marks"
        begin, edited = self._lines_before[mark.holder], self.edit.range
        line = begin + mark.range.line
        if edited.end <= Position(line, mark.range.column):
            line += self.edit.lines
        elif edited.start < Position(begin + mark.range.end_line, mark.range.end_column):
            return None
        return self._moved(mark, line)

    def reports(self, reports: Iterable[Report]) -> list[Report]:
        """Reports with their present marks, without those whose places were edited."""
        found = []
        for report in reports:
            mark = self.mark(report.mark)
            if mark is None:
                self.gone.append(report)
                continue
            if report.related:
                related = tuple((self.mark(other) or other, text) for other, text in report.related)
                report = report._replace(mark=mark, related=related)
            elif mark is not report.mark:
                report = report._replace(mark=mark)
            found.append(report)
        return found

    def share(self) -> None:
        """Give each piece the reports and suppressions of its text, which it has until it is read."""
        reports = self.reports([report for block in self.blocks for report in block.reports])
        suppressions = [one for block in self.blocks for one in block.suppressions]
        for piece in self.pieces:
            piece.reports = [report for report in reports if report.mark.holder is piece]
            piece.suppressions = []
        for one in suppressions:
            mark = self.mark(one.mark) or self._beside(one.mark)
            if mark is not None and isinstance(mark.holder, Block):
                mark.holder.suppressions.append(one._replace(mark=mark))


_LAST = 8  # blocks at the end of the queue; a block that is added again is searched among these


class WorkQueue:
    """The blocks that must be read. It may also contain blocks that have been read since, or that were removed.

    A block is in up to two of these lists, each of which is read from its end:

    * `_first`: blocks that were edited, and blocks that the client shows. They are read before all others, and the
      block that was edited last is read first. Their entry states may be outdated, because blocks above them may still
      have to be read.
    * `_rest`: all other blocks that are stale or under suspicion, sorted: the first in the text is at the end.

    `_ahead` has those blocks that were read from `_first` and above which no block has been read since. When a block
    above them is read, they move to `again`, because they were read with an outdated entry state. They are read again
    after the other two lists, if they still exist.

    Invariant: while `next` has not returned None, every stale block with an entry state is in `_first` or `_rest`.
    """

    __slots__ = ("_ahead", "_block_map", "_first", "_rest", "again")

    def __init__(self, block_map: BlockMap, blocks: Sequence[Block]) -> None:
        """Add all of `blocks`, which are in the order of the text."""
        self._block_map = block_map
        self._first: list[Block] = []
        self._rest: list[Block] = list(blocks[::-1])
        self._ahead: list[Block] = []
        self.again: list[Block] = []

    def add_edited(self, block: Block, new: Sequence[Block]) -> None:
        """Add an edited block and the `new` blocks after it, which are in the order of the text."""
        block.stale = True
        self._first += (*new[::-1], block)
        self.add(new[::-1])

    def add_shown(self, line: int, end_line: int) -> None:
        """Add the blocks of lines that the client shows; they are read after the blocks that were edited."""
        block: Block | None = self._block_map.at_line(line)
        while block is not None and block.line <= end_line:
            if block.entry is not None and (block.stale or block.suspicions):
                self._first.insert(0, block)
            block = self._block_map.after(block)

    def add(self, blocks: Sequence[Block], stale: bool = True) -> None:
        """Add these blocks, which are in the reverse order of the text.

        If they are not `stale`, they are read only if one of their suspicions applies.
        """
        rest = self._rest
        before = len(rest)
        for block in blocks:
            block.stale |= stale
            if block not in rest[-_LAST:]:
                rest.append(block)
        if blocks and any(rest[i - 1].index < rest[i].index for i in range(max(1, before), len(rest))):
            rest.sort(key=lambda b: -b.index)

    @property
    def has_more(self) -> bool:
        """Whether a block may have to be read."""
        return bool(self._first or self._rest or self.again)

    def next(self) -> tuple[Block, bool] | None:
        """Remove the next block and return it, with True if it was in `_first`; None if the queue is empty."""
        while not (self._first or self._rest):
            if not self.again:
                self._ahead = []
                return None
            again, self.again = self.again, []
            self.add([block for block in again if self._block_map.holds(block)])
        if self._first:
            return self._first.pop(), True
        return self._rest.pop(), False

    def reads(self, block: Block, first: bool) -> None:
        """Note that a block will be read now; `first` is true if it was in `_first`."""
        if self._ahead and self._ahead[-1].index > block.index:
            self.again += self._ahead
            self._ahead = []
        if first:
            self._ahead.append(block)
