"""A block is divided before an edit, and its results are shared among the pieces: only the edited one is read at once.

A text is read in long blocks. At the first edit in one, it is cut above and below the edited lines, at places where the
state is known without reading: between two statements of a function, outside of its inner braces, or after a function.
Each piece gets what was found in its lines. Which of the names that a function mentions are in which piece is known
when the pieces are read again.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, chain

from ptx_lsp.light_classes import Callable, Iterator, NamedTuple, Protocol, Sequence, attrgetter
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.block import Block, FunctionPart, PlainRows
from ptx_lsp.reading.state import CHECKED, NO_MISTAKE, Declared, State
from ptx_lsp.semantics.symbols import Mark, SymbolKind, place
from ptx_lsp.text.document import CHARACTERS_PER_CHUNK, LINES_PER_CHUNK, Document, cut
from ptx_lsp.text.ranges import Range

JOINED = 8  # chunks near an edited one, at most, that become one block
MOST_PARTS = 256  # about as many blocks come of one that is divided, however long a section in it is
# the last line of a text after which another statement begins, unless that begins with a comma
_END = lazy_pattern(r"[^/\n]*;\s*|[ \t]*\}\s*|[\w$]+:\s*|[ \t]*\.loc\b[^/\n]*[^/,\s]\s*", 0)
_OBJECTS = (".texref", ".surfref")  # those of the whole module are counted by block
_BRACE = lazy_pattern(r"//[^\n]*|[{}]", 0)
_START = attrgetter("start")


class _Blocks(Protocol):
    """The blocks of a document: `BlockMap` describes the methods."""

    document: Document
    blocks: list[Block]

    def place(self, block: Block) -> int: ...

    def cut_into(self, block: Block, ends: Sequence[int], chunks: int) -> list[Block]: ...


class _Cut(NamedTuple):
    """A place between two chunks of a block: the number of chunks above it, its offset, and the state there."""

    chunks: int
    offset: int
    state: State


class _Pieces(NamedTuple):
    """The pieces of a block, the first of which is the block itself; the lines and offsets in it where they begin."""

    pieces: list[Block]
    lines: list[int]
    offsets: list[int]

    def of(self, mark: Mark) -> Block:
        """Move a mark of the block to the piece of its line; the piece."""
        if mark.holder is self.pieces[0]:
            number = bisect_right(self.lines, mark.range[0]) - 1
            if number:
                mark.holder, mark.range = self.pieces[number], mark.range.shifted(-self.lines[number])
        return mark.holder  # type: ignore[return-value]  # only marks of the block are asked for


class Division(NamedTuple):
    """A block that is divided: its pieces, and what must be known of each place between two of them."""

    places: _Pieces
    cuts: list[_Cut]


def divide(block: Block, range_: Range, block_map: _Blocks) -> Division | None:
    """Divide a block before the edit of a range; None if it stays as it is, because its results cannot be shared."""
    document = block_map.document
    end = range_.end_line - block.line
    if not _may_be_shared(block, block_map) or end >= block.lines:
        return None
    first = document.chunk_at(range_.line)
    chunks = [document.chunk(number) for number in range(block.chunk, block.chunk + block.chunks)]
    chunks[first - block.chunk : first - block.chunk + 1] = cut(document.chunk(first), finely=True)
    begins = list(accumulate((text.count("\n") for text in chunks), initial=0))[:-1]
    upper, lower = bisect_right(begins, range_.line - block.line) - 1, bisect_right(begins, end)
    cuts = list(_cuts(block, chunks, upper, lower))
    if not cuts:
        return None
    document.cut_again(first, 1)
    pieces = block_map.cut_into(block, [one.chunks for one in cuts], len(chunks))
    lines = [piece.line - block.line for piece in pieces]
    return Division(_Pieces(pieces, lines, [0, *(one.offset for one in cuts)]), cuts)


def _may_be_shared(block: Block, block_map: _Blocks) -> bool:
    """Whether a block was read, and what was found in it depends on its lines alone and on names."""
    entry, now = block.entry, block.exit
    if block.stale or block.suspicions or entry is None or now is None or not block.parts:
        return False
    if block.suppressions or block.looks_below:
        return False
    if entry.comment is not None or entry.profile is not now.profile or CHECKED not in entry.header:
        return False
    if entry.header != now.header or entry.buried:
        return False
    if any(part.traces or part.cut or part.resumed_at or part.too_deep for part in block.parts):
        return False
    if any(symbol.type in _OBJECTS for _, symbol in block.declared if symbol.kind is not SymbolKind.LABEL):
        return False
    number = block_map.place(block)
    return not number or not block_map.blocks[number - 1].looks_below


def in_small_blocks(block: Block, first: int, last: int, document: Document) -> list[Block]:
    """Divide a block: each chunk from `first` to `last` is a block, those above and below are joined again.

    Returns the blocks after the first one, which have not been read.
    """
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
    return new


# --- where it is cut --------------------------------------------------------------------------------------------------


def _cuts(block: Block, chunks: list[str], upper: int, lower: int) -> Iterator[_Cut]:
    """Where a block may be cut: at the last such place up to the chunk `upper`, and the first one from `lower` on."""
    text = "".join(chunks)
    if "/*" in text or "\r" in text:
        return
    offsets = list(accumulate(map(len, chunks), initial=0))
    braces = [(found.start(), found[0]) for found in _BRACE.finditer(text) if len(found[0]) == 1]
    assert block.entry is not None, "the block was read"
    assert block.exit is not None, "the block was read"
    if len(block.entry.scopes) + sum(1 if sign == "{" else -1 for _, sign in braces) != len(block.exit.scopes):
        return
    lines = {report.mark.range.line for report in block.reports}
    for numbers in (range(upper, 0, -1), range(lower, len(chunks))):
        for number in numbers:
            above, begin = chunks[number - 1], text.count("\n", 0, offsets[number - 1])
            if lines and not lines.isdisjoint(range(begin, begin + above.count("\n") + 1)):
                continue
            if not _ends_statement(text, offsets[number]):
                continue
            state = _state_at(block.entry, block.parts, text, offsets[number], braces)
            if state is not None:
                yield _Cut(number, offsets[number], state)
                break


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


def _state_at(
    entry: State, parts: list[FunctionPart], text: str, offset: int, braces: list[tuple[int, str]]
) -> State | None:
    """The state at an offset between two statements of a block with these parts; None if it is not known."""
    above = None
    for part in parts:
        if part.start >= offset:
            break
        if part.stop is None or part.stop >= offset:
            return _state_in(part, entry, offset, braces) if _is_simple(part) else None
        above = part
    if above is None or above.stop is None:
        return None
    between = text[above.stop + 1 : offset].split("\n")
    if any(line and not line.isspace() and not line.lstrip().startswith("//") for line in between):
        return None
    return State(entry.scopes[:1], None, above.body, True, False, entry.header, entry.profile)


def _state_in(part: FunctionPart, entry: State, offset: int, braces: list[tuple[int, str]]) -> State | None:
    """The state at an offset in a part of a function; None in inner braces. `entry` is that of its block."""
    begins_above = part.body is entry.body
    least = 0 if begins_above else 1  # the part of a function that begins in the block has its brace
    depth = 0
    for at, sign in braces:
        if part.start <= at < offset:
            depth += 1 if sign == "{" else -1
            if depth < least:
                return None
    if depth != least:
        return None
    if begins_above:
        return entry._replace(lost=NO_MISTAKE)
    return State((entry.scopes[0], part.body.scope), part.body, None, False, False, entry.header, entry.profile)


def _is_simple(part: FunctionPart) -> bool:
    return not (part.undeclared or part.doubtful or part.lost_labels or part.loads)


# --- the results of the pieces ----------------------------------------------------------------------------------------


def share(division: Division, was_withdrawn: Callable[[Block], None]) -> None:
    """Give each piece of a block its state, and the names and parts of functions of its lines.

    `was_withdrawn` is called for each block whose parts of functions are other ones before or after this.
    """
    places, cuts = division
    pieces = places.pieces
    block = pieces[0]
    Mark.moves += 1
    spans = [_span(part, places.offsets) for part in block.parts]
    parts, declared = block.parts, block.declared
    block.parts = [part for part, (first, last) in zip(parts, spans, strict=True) if first != last]
    declared = [*declared, *chain.from_iterable(_closed_names(part, block) for part in block.parts)]
    was_withdrawn(block)
    block.generation += 1
    pieces[-1].exit = block.exit
    for above, below, cut_ in zip(pieces, pieces[1:], cuts, strict=False):
        above.exit = below.entry = cut_.state
    for piece in pieces:
        piece.stale, piece.declared, piece.parts = False, [], []
    for part, (first, last) in zip(parts, spans, strict=True):
        if first != last:
            _split(part, places, first, last)
    for piece in pieces:
        was_withdrawn(piece)
    for part, (first, last) in zip(parts, spans, strict=True):
        if first == last:
            _move_part(part, places, first)
    for one in declared:
        piece = places.of(one.symbol.mark)
        open_scopes = [state.scopes for state in (piece.entry, piece.exit) if state is not None]
        if any(one.scope in scopes for scopes in open_scopes):
            piece.declared.append(one)
    _share_rows(places, block.sections, block.row_runs)
    for piece in pieces:
        piece.parts.sort(key=_START)
        piece.declared.sort(key=_by_place)


def _share_rows(places: _Pieces, sections: tuple[PlainRows, ...], runs: tuple[tuple[int, int], ...]) -> None:
    for piece, first in zip(places.pieces, places.lines, strict=True):
        lines = range(first, first + piece.lines)
        piece.sections = tuple(_shifted(rows, first) for rows in sections if rows.first in lines)
        piece.row_runs = tuple((start - first, end - first) for start, end in runs if start in lines)


def _shifted(rows: PlainRows, lines: int) -> PlainRows:
    shifted = PlainRows(rows.first - lines, rows.end - lines, rows.profile)
    shifted.labels = rows.labels
    return shifted


def _span(part: FunctionPart, begins: list[int]) -> tuple[int, int]:
    """The numbers of the first and the last piece in which a part is."""
    last = len(begins) - 1 if part.stop is None else bisect_right(begins, part.stop) - 1
    return bisect_right(begins, part.start) - 1, last


def _closed_names(part: FunctionPart, block: Block) -> Iterator[Declared]:
    """What a function declares that begins and ends in a block: no other block can see it yet."""
    scope = part.body.scope
    if part.stop is not None and part.body.opening.holder is block:
        for table in (scope.members, scope.families, scope.labels):
            yield from (Declared(scope, symbol) for symbols in table.values() for symbol in symbols)


def _split(part: FunctionPart, places: _Pieces, first: int, last: int) -> None:
    """Give each piece, from `first` to `last`, the part of a function that is in it."""
    found = {piece: FunctionPart(part.body, piece) for piece in places.pieces[first : last + 1]}
    for piece, one in found.items():
        one.read, one.written, one.inner = part.read, part.written, part.inner
        piece.parts.append(one)
    for use in part.label_uses:
        found[places.of(use.mark)].label_uses.append(use)
    for label in part.labels:
        found[places.of(label.mark)].labels.append(label)
    places.of(part.body.opening)
    begin = found[places.pieces[first]]
    begin.start, begin.results = part.start - places.offsets[first], part.results
    end = found[places.pieces[last]]
    end.ends, end.closing, end.misplaced_end = part.ends, part.closing, part.misplaced_end
    if part.stop is not None:
        end.stop = part.stop - places.offsets[last]
    if part.closing is not None:
        places.of(part.closing)


def _move_part(part: FunctionPart, places: _Pieces, number: int) -> None:
    """Move a part that is wholly in the piece with this number."""
    piece, begin = places.pieces[number], places.offsets[number]
    piece.parts.append(part)
    if not number:
        return
    part.block = piece
    part.start -= begin
    part.stop = part.stop - begin if part.stop is not None else None
    scope = part.body.scope
    for table in () if part.is_known else (scope.members, scope.families):
        for symbol in chain.from_iterable(table.values()):
            places.of(symbol.mark)
    for mark in (*part.move_to(piece, places.lines[number]), part.body.opening, part.closing):
        if mark is not None:
            places.of(mark)


def _by_place(declared: Declared) -> tuple[int, int, int]:
    return place(declared.symbol.mark)
