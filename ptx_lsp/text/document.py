"""The text of a document as chunks of whole lines, so that the cost of an edit depends only on its size."""

from itertools import accumulate, pairwise

from ptx_lsp.light_classes import Iterable, Sequence, bisect_left, bisect_right
from ptx_lsp.text.lines import Encoding, code_points, count_line_ends, find_line_end, line_starts
from ptx_lsp.text.ranges import EditEffect, Position, Range

LINES_PER_CHUNK = 128
CHARACTERS_PER_CHUNK = 4096
LINES_PER_EDITED_CHUNK = 8
"""People type again where they typed before: the text there is cut into smaller chunks, so that edits cost less."""
BACK = 4
"""A chunk ends at a line with `;` if there is one in the last quarter of its greatest size: what is read chunk by chunk
then needs no text of the next one more often than not."""
FEW_CHUNKS = 3
"""An edit of more chunks than this was pasted, not typed, and is not cut into smaller chunks."""

MOST_LOCATED = 8
"""Chunks whose lines are located: a finding and its notes are often far from each other."""

_IN_LIST = (",", "(", ")")  # how a line ends in the parameters of a function
_FEW_BRACES = 4  # of vectors, after the end of a function in the same chunk

END_OF_FUNCTION = "\n}\n"
"""A chunk probably ends with a function if its text ends like this; a function may end in other ways."""


class Document:
    """A text that can be edited in place. Positions are (line, column) from 0, in code points.

    A chunk is whole lines with their line ends; only the last may end without one. No chunk but the only one is empty,
    and no `\\r\\n` is split between two. A line longer than a chunk should be is a chunk of its own.
    """

    __slots__ = ("__weakref__", "_chunks", "_ending", "_first_lines", "_line_ends", "_located", "_total", "wide_chunks")

    def __init__(self, text: str = "") -> None:
        counted = cut_and_counted(text) or [("", 0)]
        self._chunks: list[str] = [chunk for chunk, _ in counted]
        self._line_ends: list[int] = [count for _, count in counted]
        self._total = sum(self._line_ends)
        self.wide_chunks = 0 if text.isascii() else sum(not chunk.isascii() for chunk in self._chunks)
        """How many chunks have a character that is not ASCII."""
        # the first line of each chunk, for the first chunks only; extended when more are needed
        self._first_lines: list[int] = [0]
        self._located: dict[int, list[int]] = {}
        self._ending: int | None = None  # the number of chunks with a `*/`, counted at the first request

    @property
    def line_count(self) -> int:
        """How many lines there are: one more than line ends, so at least 1."""
        return self._total + 1

    @property
    def chunk_count(self) -> int:
        """How many chunks there are, at least 1."""
        return len(self._chunks)

    @property
    def character_count(self) -> int:
        """The number of code points of the text, counted at each call."""
        return sum(map(len, self._chunks))

    def chunk(self, index: int) -> str:
        """The text of a chunk, whole lines with their line ends."""
        return self._chunks[index]

    def chunk_with(self, sought: str, first: int, end: int) -> int | None:
        """The first of the chunks `first` to `end` (exclusive) in which a text occurs; None without one."""
        numbers = range(first, min(end, len(self._chunks)))
        return next((n for n in numbers if sought[0] in self._chunks[n] and sought in self._chunks[n]), None)

    def holds_comment_end(self) -> bool:
        """Whether any chunk has a `*/`; only the first answer takes a look at each."""
        if self._ending is None:
            self._ending = _with_comment_end(self._chunks)
        return self._ending > 0

    def chunk_line_ends(self, index: int) -> int:
        """The number of line ends in a chunk. The last line of the text may have none."""
        return self._line_ends[index]

    def chunk_line(self, index: int) -> int:
        """The number of the first line of a chunk."""
        if index >= len(self._first_lines):
            self._number_chunks(index)
        return self._first_lines[index]

    def chunk_at(self, line: int) -> int:
        """The index of the chunk in which a line begins; a line beyond the text counts as the last."""
        first_lines = self._first_lines
        if line >= first_lines[-1] and len(first_lines) < len(self._chunks):
            self._number_chunks_up_to_line(line)
        return max(0, bisect_right(first_lines, line) - 1)

    def line(self, number: int) -> str:
        """A line without its line end. Empty if there is no such line: a mark may be older than an edit."""
        if not 0 <= number <= self._total:
            return ""
        index = self.chunk_at(number)
        start, end = self._bounds(index, number - self.chunk_line(index))
        return self._chunks[index][start:end]

    def text(self, range_: Range) -> str:
        """The text of a range, clamped to the document."""
        first, start = self._place(range_.start)
        last, end = self._place(max(range_.start, range_.end))
        if first == last:
            return self._chunks[first][start:end]
        return self._chunks[first][start:] + "".join(self._chunks[first + 1 : last]) + self._chunks[last][:end]

    def are_ascii(self, lines: Iterable[int]) -> bool:
        """True if the chunks that hold these lines have only ASCII characters; lines beyond the text are ignored."""
        # `isascii` reads a flag of the string, so whole chunks cost less than the lines alone
        return all(self._chunks[self.chunk_at(line)].isascii() for line in lines if line <= self._total)

    def whole(self) -> str:
        """The whole text as one string."""
        return "".join(self._chunks)

    def clamp(self, position: Position) -> Position:
        """The nearest position that exists: a column beyond its line is the line's end, before the line end."""
        line, column = position
        if line < 0:
            return Position(0, 0)
        if line > self._total:
            return self.end()
        return Position(line, max(0, min(column, len(self.line(line)))))

    def end(self) -> Position:
        """The position after the last character."""
        return Position(self._total, len(self.line(self._total)))

    def position(self, line: int, column: int, encoding: Encoding) -> Position:
        """The position in code points for a column in `encoding`'s units, clamped to the document."""
        if line >= self.line_count:
            return self.end()
        if line < 0:
            return Position(0, 0)
        return Position(line, code_points(self.line(line), column, encoding))

    def range(self, start: tuple[int, int], end: tuple[int, int], encoding: Encoding) -> Range:
        """The range in code points between two places in `encoding`'s units, clamped to the document."""
        return Range(*self.position(*start, encoding), *self.position(*end, encoding))

    def append(self, text: str, finely: bool = False) -> None:
        """Append text; of the chunks that there are, only the last one changes. `finely` is that of `cut`."""
        if text:
            last = len(self._chunks) - 1
            self._replace(last, last + 1, cut(self._chunks[last] + text, finely))

    def edit(self, range_: Range, new_text: str) -> EditEffect:
        """Replace the text of `range_` (clamped) by `new_text`. Only the chunks that it touches are cut again.

        A neighbour is touched if a line, or a `\\r\\n`, now crosses their boundary.
        """
        line, column, end_line, end_column = range_
        start = self.clamp(Position(line, column))
        end = self.clamp(max(Position(line, column), Position(end_line, end_column)))
        first, start_offset = self._place(start)
        last, end_offset = self._place(end)
        text = self._chunks[first][:start_offset] + new_text + self._chunks[last][end_offset:]
        first, last, text = self._joined(first, last, text)
        pieces = cut(text, finely=True)
        if not pieces and last - first + 1 == len(self._chunks):
            pieces = [""]
        moved = self._replace(first, last + 1, pieces)
        return EditEffect(first, last + 1 - first, len(pieces), Range(*start, *end), moved)

    def cut_again(self, first: int, count: int) -> int:
        """Cut `count` chunks from `first` on into the small chunks of an edit; the number of chunks that they are now.

        They stay as they are if they are too long for that.
        """
        pieces = cut("".join(self._chunks[first : first + count]), finely=True)
        if len(pieces) > count:
            self._replace(first, first + count, pieces)
        return max(count, len(pieces))

    def begin_chunk(self, line: int) -> int:
        """Let a chunk begin with a line that the text has; how many more chunks there are."""
        index = self.chunk_at(line)
        start, _ = self._bounds(index, line - self.chunk_line(index))
        if start:
            self._replace(index, index + 1, [self._chunks[index][:start], self._chunks[index][start:]])
        return int(start > 0)

    def _joined(self, first: int, last: int, text: str) -> tuple[int, int, str]:
        """The chunks and text of an edit, extended until no line or `\\r\\n` crosses their boundaries."""
        chunks = self._chunks
        if first and (not text or text[0] == "\n") and chunks[first - 1][-1] == "\r":
            first -= 1
            text = chunks[first] + text
        while last + 1 < len(chunks) and not _complete(text, chunks[last + 1]):
            last += 1
            text += chunks[last]
        return first, last, text

    def _replace(self, first: int, last: int, pieces: list[str]) -> int:
        counts = list(map(count_line_ends, pieces))
        moved = sum(counts) - sum(self._line_ends[first:last])
        same_shape = counts == self._line_ends[first:last]
        for chunk in self._chunks[first:last]:
            self.wide_chunks -= not chunk.isascii()
        for piece in pieces:
            self.wide_chunks += not piece.isascii()
        if self._ending is not None:
            self._ending += _with_comment_end(pieces) - _with_comment_end(self._chunks[first:last])
        self._chunks[first:last] = pieces
        self._line_ends[first:last] = counts
        self._total += moved
        self._located.clear()
        if not same_shape:
            del self._first_lines[min(first + 1, len(self._chunks)) :]
        return moved

    def _number_chunks(self, index: int) -> None:
        known = self._first_lines
        begin = len(known) - 1
        known[begin:] = accumulate(self._line_ends[begin:index], initial=known[begin])

    def _number_chunks_up_to_line(self, line: int) -> None:
        step = 64
        while self._first_lines[-1] <= line and len(self._first_lines) < len(self._chunks):
            self._number_chunks(min(len(self._chunks) - 1, len(self._first_lines) + step))
            step *= 2

    def _place(self, position: Position) -> tuple[int, int]:
        """The chunk of a position, and the offset of the position in it; clamps."""
        line, column = position
        if line > self._total:
            return len(self._chunks) - 1, len(self._chunks[-1])
        if line < 0:
            return 0, 0
        index = self.chunk_at(line)
        start, end = self._bounds(index, line - self.chunk_line(index))
        return index, max(start, min(start + column, end))

    def chunk_starts(self, index: int, lines: Sequence[str] | None = None) -> Sequence[int]:
        """The offsets at which the lines of a chunk begin, until the next edit.

        `lines`, if given, is the chunk split at each `\\n`: a short text is split once.
        """
        starts = self._located.get(index)
        if starts is None:
            if len(self._located) == MOST_LOCATED:
                self._located.clear()
            starts = self._located[index] = line_starts(self._chunks[index], lines)
        return starts

    def position_in_chunk(self, index: int, offset: int) -> Position:
        """The position in the document of an offset in a chunk."""
        starts = self.chunk_starts(index)
        line = bisect_right(starts, offset) - 1
        return Position(self.chunk_line(index) + line, offset - starts[line])

    def _bounds(self, index: int, line: int) -> tuple[int, int]:
        """Where a line of a chunk begins and ends, without its line end."""
        chunk = self._chunks[index]
        starts = self.chunk_starts(index)
        start = starts[line]
        if line + 1 == len(starts):
            return start, len(chunk)
        end = starts[line + 1] - 1
        if end > start and chunk[end] == "\n" and chunk[end - 1] == "\r":
            end -= 1
        return start, end


def cut(text: str, finely: bool = False) -> list[str]:
    """A text as chunks of whole lines; an empty list for the empty text.

    `finely`: true for chunks of `LINES_PER_EDITED_CHUNK` lines; a text of more than `FEW_CHUNKS` chunks ignores it.
    """
    may_be_few = finely and len(text) <= FEW_CHUNKS * CHARACTERS_PER_CHUNK
    if may_be_few and count_line_ends(text) <= FEW_CHUNKS * LINES_PER_CHUNK:
        return _by_lines(text, LINES_PER_EDITED_CHUNK)
    return [chunk for chunk, _ in cut_and_counted(text)]


def cut_and_counted(text: str) -> list[tuple[str, int]]:
    """A text as chunks of whole lines, each with the number of its line ends; an empty list for the empty text."""
    if len(text) <= CHARACTERS_PER_CHUNK * 3 // 2:
        count = count_line_ends(text)  # once: most of many files are one chunk
        if count <= 2 * LINES_PER_CHUNK:
            return [(text, count)] if text else []
        return _counted(_by_lines(text, LINES_PER_CHUNK))
    pieces: list[tuple[str, int]] = []
    start = 0
    while start < len(text):
        end = _cut_point(text, start)
        pieces += _evenly(text[start:end])
        start = end
    return pieces


def _cut_point(text: str, start: int) -> int:
    limit = start + CHARACTERS_PER_CHUNK
    if limit >= len(text):
        return len(text)
    end = _end_of_function(text, start + CHARACTERS_PER_CHUNK // 32, limit)
    if end >= 0:
        return end
    found = text.rfind("\n", start, limit)
    found = max(found, text.rfind("\r", max(start, found), limit))
    if found < 0:
        found = find_line_end(text, limit)
    if found < 0:
        return len(text)
    end = found + 2 if text[found : found + 2] == "\r\n" else found + 1
    return _after_semicolon(text, max(start, end - CHARACTERS_PER_CHUNK // BACK), end)


def _end_of_function(text: str, start: int, limit: int) -> int:
    """The offset after the last `END_OF_FUNCTION` between two offsets; -1 without one."""
    last = limit - 1
    for _ in range(_FEW_BRACES):  # a search for one character is ten times as fast as one for three
        last = text.rfind("}", start + 1, last)
        if last < 0:
            return -1
        if text.startswith(END_OF_FUNCTION, last - 1):
            return last - 1 + len(END_OF_FUNCTION)
    last = text.rfind(END_OF_FUNCTION, start, last)
    return last + len(END_OF_FUNCTION) if last >= 0 else -1


def _after_semicolon(text: str, start: int, end: int, limit: int = 0) -> int:
    """The offset after the last line from `start` to `end` that ends with `;`.

    Without one it is `end`, or if that is in a list, the offset after the first line up to `limit` with `;` or `{`.
    """
    found = text.rfind(";\n", start, end)
    if found < 0 and end < limit and text[end - 2 : end - 1] in _IN_LIST:
        found = min(filter(end.__le__, (text.find(sign, end, limit) for sign in (";\n", "{\n"))), default=-1)
    return end if found < 0 else found + 2


def _with_comment_end(chunks: list[str]) -> int:
    return sum("*" in chunk and "*/" in chunk for chunk in chunks)  # to search for one character takes a tenth


def _counted(chunks: list[str]) -> list[tuple[str, int]]:
    return [(chunk, count_line_ends(chunk)) for chunk in chunks]


def _evenly(text: str) -> list[tuple[str, int]]:
    """What `_by_lines` gives for chunks of `LINES_PER_CHUNK` lines, or chunks with about as many characters each.

    Each has the number of its line ends.

    In a section, lines are so short that most texts must be cut; to find the begin of every line would take ten times
    as long.
    """
    if "\r" in text:
        return _counted(_by_lines(text, LINES_PER_CHUNK))
    count = text.count("\n")
    if count <= 2 * LINES_PER_CHUNK:
        return [(text, count)]
    if ";" in text:  # no section: its lines are not alike
        return _counted(_by_lines(text, LINES_PER_CHUNK))
    pieces = count // LINES_PER_CHUNK
    ends = [text.find("\n", len(text) * number // pieces) + 1 for number in range(1, pieces)]
    found = [text[start:end] for start, end in pairwise((0, *ends, len(text)))]
    counted = [(piece, piece.count("\n")) for piece in found]
    if all(0 < count <= 2 * LINES_PER_CHUNK for _, count in counted):
        return counted
    return _counted(_by_lines(text, LINES_PER_CHUNK))


def _by_lines(text: str, lines: int) -> list[str]:
    """A text as chunks of whole lines, each of at most twice `lines` lines and of similar size.

    One may be longer by 3 * `LINES_PER_EDITED_CHUNK`: the header of a function cannot be read without its end.
    """
    count = count_line_ends(text)
    if count <= 2 * lines:
        return [text] if text else []
    starts = line_starts(text)
    if starts[-1] == len(text):
        starts.pop()
    step = -(-count // (count // lines))
    ends, line = [0], step
    while line < len(starts):
        limit = starts[min(line + 3 * LINES_PER_EDITED_CHUNK, len(starts) - 1)]
        ends.append(_after_semicolon(text, starts[line - step // BACK - 1], starts[line], limit))
        line = max(line, bisect_left(starts, ends[-1])) + step
    return [text[start:end] for start, end in pairwise((*ends, len(text))) if start < end]


def _complete(text: str, following: str) -> bool:
    """Whether `text` can end before `following` and be a chunk.

    It ends with a line end, splits no `\\r\\n`, and has at least two lines or 128 characters. A shorter one is a chunk
    only if `following`, the chunk after it, is so long that copying it for each edit would cost more.
    """
    if not text or text[-1] not in "\r\n" or (text[-1] == "\r" and following[0] == "\n"):
        return False
    small = len(text) < CHARACTERS_PER_CHUNK // 32 and count_line_ends(text) < LINES_PER_EDITED_CHUNK // 4
    return not small or len(following) > CHARACTERS_PER_CHUNK * 2
