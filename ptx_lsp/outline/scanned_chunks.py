"""The scans of all chunks of a document, made when they are needed and kept until the chunk is edited."""

from collections.abc import Generator, Iterator
from itertools import compress, count
from operator import ne
from weakref import WeakKeyDictionary

from ptx_lsp.outline.chunk_scan import Mode, Scan, scan_chunk
from ptx_lsp.text.document import Document

CHUNKS_PER_STEP = 4
"""Chunks between two steps if they must be scanned."""

KNOWN_CHUNKS_PER_STEP = 40
"""Chunks between two steps if they were scanned before."""


class ScannedChunks:
    """The scans of one document. `chunks` are those that it had at the last call of `scanned_chunks`.

    The first `known` scans are right; the others are those of the same chunks before an edit, or None.
    """

    __slots__ = ("_dropped", "_dropped_before", "_scans", "chunks", "known")

    def __init__(self) -> None:
        self.chunks: list[str] = []
        self.known = 0
        self._scans: list[Scan | None] = []
        # those that are not those of their chunks now, but may be again after an edit, or are those of others
        self._dropped: dict[tuple[str, Mode, bool], Scan] = {}
        self._dropped_before: dict[tuple[str, Mode, bool], Scan] = {}

    def update(self, chunks: list[str]) -> None:
        """Take the chunks of the present text; keep the scans of those at the begin and the end that are the same."""
        before = self.chunks
        if chunks == before:
            return
        most = min(len(before), len(chunks))
        first = next(compress(count(), map(ne, before, chunks)), most)
        last = next(compress(count(), map(ne, reversed(before), reversed(chunks))), most)
        last = min(last, most - first)
        changed = slice(first, len(before) - last)
        for chunk, scan in zip(before[changed], self._scans[changed], strict=True):
            if scan is not None:  # several edits have most chunks between them
                self._dropped[chunk, scan.begin, scan.last] = scan
        self._scans[changed] = [None] * (len(chunks) - first - last)
        self.known = max(0, min(self.known, first, most - 1))  # a chunk may be the last one now, or was before
        self.chunks = chunks

    def scan(self, index: int) -> Scan:
        """The scan of a chunk, all above which are known."""
        found = self._scans[index]
        if index < self.known and found is not None:
            return found
        above = self._scans[index - 1] if index else None
        mode, is_last = Mode() if above is None else above.mode, index == len(self.chunks) - 1
        if found is None or found.begin != mode or found.last != is_last:
            key = self.chunks[index], mode, is_last
            if found is not None:
                self._dropped[key[0], found.begin, found.last] = found
            found = self._dropped.get(key) or self._dropped_before.get(key) or scan_chunk(*key)
            self._scans[index] = found
        self.known = index + 1
        if is_last:
            self._dropped_before, self._dropped = self._dropped, {}
        return found

    def needs_scan(self, index: int) -> bool:
        """Whether the chunk has probably to be scanned."""
        return index >= self.known and self._scans[index] is None

    def up_to(self, index: int) -> Iterator[None]:
        """Make all scans before that of a chunk known, in steps of about half a millisecond."""
        while self.known < index:
            begin = self.known
            end = min(index, begin + KNOWN_CHUNKS_PER_STEP)
            new = 0
            while self.known < end and new < CHUNKS_PER_STEP:
                new += self.needs_scan(self.known)
                self.scan(self.known)
            yield

    def forget(self) -> Iterator[None]:
        """Drop all scans in steps of less than a millisecond."""
        self.known, self.chunks = 0, []
        while self._scans:
            del self._scans[-KNOWN_CHUNKS_PER_STEP:]
            yield
        for scans in (self._dropped, self._dropped_before):
            while scans:
                for _ in range(min(KNOWN_CHUNKS_PER_STEP, len(scans))):
                    scans.popitem()
                yield


_scanned: WeakKeyDictionary[Document, ScannedChunks] = WeakKeyDictionary()


def scanned_chunks(document: Document) -> ScannedChunks:
    """The scans of a document with its present chunks. They are used until the next edit."""
    scans = _scanned.get(document)
    if scans is None:
        scans = _scanned[document] = ScannedChunks()
    scans.update(list(map(document.chunk, range(document.chunk_count))))
    return scans


def forget_scans(document: Document) -> Generator[None, None, None]:
    """Forget the scans of a document that is not needed any more, in steps of less than a millisecond.

    Python takes 40 ms to drop the marks of a million lines at once.
    """
    scans = _scanned.pop(document, None)
    if scans is not None:
        yield from scans.forget()
