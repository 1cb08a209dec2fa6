"""The constructs around some lines of a document, without those of the rest of it.

The head of a function or section ends everything above it, so the search begins and ends at such heads.
"""

from collections.abc import Generator

from ptx_lsp.outline.chunk_scan import Scan
from ptx_lsp.outline.marks import Header, MarkKind
from ptx_lsp.outline.nesting import Constructs, Nesting
from ptx_lsp.outline.scanned_chunks import CHUNKS_PER_STEP, KNOWN_CHUNKS_PER_STEP, scanned_chunks
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position

_RUNS = frozenset((MarkKind.COMMENTS, MarkKind.LOCATIONS))
_ASSEMBLY = frozenset((MarkKind.BEGIN_ASSEMBLY, MarkKind.END_ASSEMBLY))
_LOOKED_AT_PER_STEP = 500  # chunks of which only the marks of one kind are of interest


def near_construct_steps(document: Document, first: int, last: int) -> Generator[None, None, Constructs]:
    """The constructs that have the lines from `first` to `last` (included), as in `construct_steps`, with some others.

    In steps, between which the document must not be edited.
    """
    search = _Search(document, first, last)
    yield from search.begin()
    while not search.is_done:
        search.step()
        yield
    yield from search.end_assembly()
    return search.nesting.found


def function_line_steps(document: Document, name: str) -> Generator[None, None, int | None]:
    """The line of the name of a function: where it has a body, else where it is first declared; None without one.

    In steps, between which the document must not be edited.
    """
    scans = scanned_chunks(document)
    yield from scans.up_to(document.chunk_count)
    found: int | None = None
    for index in range(document.chunk_count):
        scan = scans.scan(index)
        for number in scan.ends:
            header = scan.marks[number].item
            if isinstance(header, Header) and header.name is not None and header.name.name == name:
                line = header.name.line + document.chunk_line(index)
                if header.body:
                    return line
                found = line if found is None else found
        if not index % _LOOKED_AT_PER_STEP:
            yield
    return found


class _Search:
    """The search around the lines `first` to `last`; `is_done` when all constructs that have them are in `nesting`."""

    def __init__(self, document: Document, first: int, last: int) -> None:
        self.document = document
        self.first, self.last = first, last
        self.nesting = Nesting(document)
        self.is_done = False
        self._scans = scanned_chunks(document)
        self._index = 0  # of the next chunk
        self._number = 0  # of its next mark

    def begin(self) -> Generator[None, None, None]:
        """Take what is above the nearest head of a function or section above the lines, as far as it is needed."""
        scans, document = self._scans, self.document
        at = document.chunk_at(self.first)
        yield from scans.up_to(at + 1)
        index, number = self._head_above(at)
        start = index
        while start and _may_continue(scans.scan(start)):
            start -= 1
        self.nesting.assembly = yield from self._assembly_above(start)
        for each in range(start, index):
            self.nesting.take(each, scans.scan(each))
        if number:
            self.nesting.take_marks(scans.scan(index).marks[:number], document.chunk_line(index))
        if start < index or number:
            self.nesting.leave_all()
        self._index, self._number = index, number

    def _head_above(self, at: int) -> tuple[int, int]:
        """The chunk and the mark of the last head above the first line, in the chunk `at` or above it.

        The begin of the text without one.
        """
        for index in range(at, -1, -1):
            scan = self._scans.scan(index)
            if scan.ends:
                above = self.first - self.document.chunk_line(index)
                found = [number for number in scan.ends if scan.marks[number].line < above]
                if found:
                    return index, found[-1]
        return 0, 0

    def _assembly_above(self, end: int) -> Generator[None, None, Position | None]:
        """Where inline assembly begins that does not end above a chunk."""
        for index in range(end - 1, -1, -1):
            scan = self._scans.scan(index)
            if scan.has_assembly:
                mark = next(mark for mark in reversed(scan.marks) if mark.kind in _ASSEMBLY)
                is_open = mark.kind is MarkKind.BEGIN_ASSEMBLY
                return Position(mark.line + self.document.chunk_line(index), mark.column) if is_open else None
            if not index % _LOOKED_AT_PER_STEP:
                yield
        return None

    def step(self) -> None:
        """Take the next chunks, for about half a millisecond."""
        new = 0
        for _ in range(KNOWN_CHUNKS_PER_STEP):
            new += self._scans.needs_scan(self._index)
            self._take()
            if self.is_done or new == CHUNKS_PER_STEP:
                return

    def _take(self) -> None:
        """Take the next chunk, or its marks up to the first head below the lines."""
        nesting, begin = self.nesting, self._number
        scan, first = self._scans.scan(self._index), self.document.chunk_line(self._index)
        for number in scan.ends:
            line = scan.marks[number].line + first
            if number >= begin and line > self.last:
                nesting.take_marks(scan.marks[begin:number], first)
                begin = number
                if not self._is_run_on(line):
                    nesting.end_above(scan.marks[number], first)
                    self._number, self.is_done = number, True
                    return
        nesting.take_marks(scan.marks[begin:], first)
        self._index, self._number = self._index + 1, 0
        if self._index == len(self._scans.chunks):
            nesting.finish()
            self.is_done = True
        elif not (nesting.open or scan.mode.carried or scan.mode.skipped_to):
            following = self.document.chunk_line(self._index)
            if following > self.last and not self._is_run_on(following - 1):
                nesting.end_runs()
                self.is_done = True

    def _is_run_on(self, line: int) -> bool:
        """Whether a run of comments or of `.loc` reaches a line, and may continue below it."""
        found = self.nesting.found
        return any(runs and runs[-1].end_line >= line for runs in (found.comments, found.locations))

    def end_assembly(self) -> Generator[None, None, None]:
        """Find the end of inline assembly that begins at or above the lines."""
        nesting = self.nesting
        begin = nesting.assembly
        if begin is None or begin.line > self.last:
            return
        for index in range(self._index, len(self._scans.chunks)):
            scan = self._scans.scan(index)
            if scan.has_assembly:
                marks = scan.marks[self._number if index == self._index else 0 :]
                mark = next((mark for mark in marks if mark.kind in _ASSEMBLY), None)
                if mark is not None:
                    nesting.take_marks((mark,), self.document.chunk_line(index))
                    return
            if not index % CHUNKS_PER_STEP:
                yield


def _may_continue(scan: Scan) -> bool:
    """Whether a comment or another run may begin above a chunk and continue in it."""
    if scan.begin.skipped_to:
        return True
    return bool(scan.marks) and scan.marks[0].line <= 0 and scan.marks[0].kind in _RUNS
