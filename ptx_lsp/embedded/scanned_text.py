"""Where the statements with inline assembly of a text are, kept up to date through edits.

The text is scanned run by run, and a run is scanned again after an edit only until the scanner is in the state in which
the next run begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import perf_counter

from ptx_lsp.embedded.known_statements import ScannedRun
from ptx_lsp.findings.suppression import MARKER
from ptx_lsp.fixes.fix import Edit, apply_edits
from ptx_lsp.hosts.scan import scan_lines, worth_scanning
from ptx_lsp.hosts.statement import START, AsmStatement, Host
from ptx_lsp.text.document import Document
from ptx_lsp.text.lines import LineIndex
from ptx_lsp.text.ranges import EditEffect, Position, Range

MOST_CHUNKS = 64
"""The most chunks of one run: a statement that is longer is scanned in parts."""


class ScannedText:
    """A document in another language and its runs. `edit` is cheap: it marks the work, which `scan` does.

    There is one run for each chunk of the document, with the same index; all indices here are those of chunks.
    """

    def __init__(self, document: Document, host: Host) -> None:
        self.document = document
        self.host = host
        self.runs: list[ScannedRun] = []
        self._with_letters: list[bool] = []  # by chunk: whether it may have a statement
        self._with_marker: list[bool] = []  # by chunk: whether it may have a comment about findings
        self._dirty: list[int] = []  # chunks from which to scan
        self._until = 0  # the chunk up to which all must be scanned, whatever the states
        self._open()

    def _open(self) -> None:
        count = self.document.chunk_count
        self._with_letters, self._with_marker = [], []
        self._look_at(0, 0, count)
        self.runs = [ScannedRun(START if not index else None) for index in range(count)]
        self._mark(0)

    def replace(self, text: str) -> None:
        """Replace the whole text."""
        self.document = Document(text)
        self._dirty = []
        self._open()

    def edit(self, range_: Range, new_text: str) -> EditEffect:
        """Replace the text of a range; the statements of the chunks in it are forgotten until the next scan."""
        had_letters = self.holds_assembly
        effect = self.document.edit(range_, new_text)
        first, end = effect.first, effect.first + effect.added
        self._look_at(first, first + effect.removed, end)
        state = self.runs[first].state if first < len(self.runs) else None
        self.runs[first : first + effect.removed] = [ScannedRun() for _ in range(effect.added)]
        if effect.added:
            self.runs[first].state = state
        self.runs[0].state = START
        self._mark(first if had_letters else 0, end)
        return effect

    def _look_at(self, first: int, end: int, new_end: int) -> None:
        """Note which chunks from `first` to `new_end` must be scanned; they have replaced those up to `end`."""
        chunks = [self.document.chunk(index) for index in range(first, new_end)]
        self._with_letters[first:end] = [worth_scanning(chunk, self.host) for chunk in chunks]
        self._with_marker[first:end] = [MARKER in chunk for chunk in chunks]

    @property
    def holds_assembly(self) -> bool:
        """Whether the text has the letters of a statement; without them nothing is scanned."""
        return True in self._with_letters

    def _mark(self, first: int, end: int = 0) -> None:
        """Mark the chunks from `first` to `end` to be scanned, besides those that an earlier edit has marked."""
        if self._dirty:
            first, end = min(self._dirty[0], first), self.document.chunk_count
        self._dirty = [first] if self.holds_assembly and first < self.document.chunk_count else []
        self._until = max(end, first + 1)

    def scan(self, deadline: float | None) -> bool:
        """Scan what is marked, up to a time of the performance counter (None: all of it). True if no chunk is left."""
        while self._dirty:
            self._scan_run(self._dirty[0])
            if deadline is not None and perf_counter() > deadline:
                return not self._dirty
        return True

    def _scan_run(self, index: int) -> None:
        """Scan the run around a chunk; then the next one is dirty, unless it begins in the state that is known."""
        while self.runs[index].state is None:
            index -= 1
        state = self.runs[index].state
        assert state is not None, "the first chunk has a state"
        after, statements, length = state, list[AsmStatement](), 0
        end, more, chunks = index, 1, self.document.chunk_count
        while end == index or (after.pending and end < chunks and end - index < MOST_CHUNKS):
            texts = [self.document.chunk(each) for each in range(end, min(end + more, chunks))]
            end += len(texts)
            found, after = scan_lines(texts, self.host, after, last=end == chunks)
            statements += (statement.shifted(length) for statement in found)
            length += sum(map(len, texts))
            more = 1 if found else 2 * more  # the same statement continues: it is scanned from its beginning each time
        for inner in range(index, end):
            self.runs[inner] = ScannedRun()
        self.runs[index].state = state
        self.runs[index].statements = statements
        self._dirty = []
        if end < chunks and (end < self._until or self.runs[end].state != after):
            self.runs[end].state = after
            self._dirty = [end]

    def run_at(self, line: int) -> int:
        """The first chunk of the run around a line."""
        index = self.document.chunk_at(line)
        while index and self.runs[index].state is None:
            index -= 1
        return index

    def source(self, index: int, statement: AsmStatement) -> str:
        """The text of a statement whose offsets count from the chunk `index`."""
        first, before = index, 0
        while before > statement.start and first:
            first -= 1
            before -= len(self.document.chunk(first))
        parts: list[str] = []
        at, length = first, before
        while length < statement.end and at < self.document.chunk_count:
            parts.append(self.document.chunk(at))
            length += len(parts[-1])
            at += 1
        return "".join(parts)[statement.start - before : statement.end - before]

    def position(self, index: int, offset: int) -> Position:
        """The position of an offset that counts from the beginning of a chunk."""
        while offset < 0 and index:
            index -= 1
            offset += len(self.document.chunk(index))
        while offset >= len(chunk := self.document.chunk(index)) and index + 1 < self.document.chunk_count:
            offset -= len(chunk)
            index += 1
        return LineIndex(self.document.chunk(index), Position(self.document.chunk_line(index), 0)).position(offset)

    def offset(self, run: int, position: Position) -> int:
        """The offset of a position, from the beginning of the first chunk of its run."""
        index = self.document.chunk_at(position.line)
        chunk = LineIndex(self.document.chunk(index), Position(self.document.chunk_line(index), 0))
        return chunk.offset(position) + sum(len(self.document.chunk(each)) for each in range(run, index))

    def chunks_with_marker(self) -> Iterator[tuple[int, str]]:
        """The chunks that may have a comment about findings, each with its first line."""
        for index, has_marker in enumerate(self._with_marker):
            if has_marker:
                yield self.document.chunk_line(index), self.document.chunk(index)

    def statement_after(self, edits: Iterable[Edit], begin: Position) -> tuple[AsmStatement, str] | None:
        """The statement that begins at a position and its source, after edits in its run that are not made here.

        None if no statement would begin there. The offsets of the statement count from its beginning.
        """
        first = self.run_at(begin.line)
        count = self.document.chunk_count
        end = next((index for index in range(first + 1, count) if self.runs[index].state is not None), count)
        line = self.document.chunk_line(first)
        before = "".join(map(self.document.chunk, range(first, end)))
        start = LineIndex(before).offset(Position(begin.line - line, begin.column))
        text = apply_edits(before, [Edit(edit.range.shifted(-line), edit.text) for edit in edits])
        statements, _ = scan_lines([text], self.host, self.runs[first].state or START, last=end == count)
        found = next((each for each in statements if each.start == start), None)
        return (found.shifted(-start), text[start:]) if found is not None else None
