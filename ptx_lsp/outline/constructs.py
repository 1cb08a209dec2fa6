"""The functions, scopes, labels, variables and comments of a document with their whole ranges, also in broken text.

They are found by a scan of the text, not by the analysis, so they are right while a document is being loaded. What the
scan found in a chunk is kept until the chunk is edited.
"""

from collections.abc import Generator, Iterator
from weakref import WeakKeyDictionary, proxy

from ptx_lsp.outline.chunk_scan import Mode, Scan, scan_chunk
from ptx_lsp.outline.nesting import Constructs, Nesting
from ptx_lsp.steps import result_of
from ptx_lsp.text.document import Document

CHUNKS_PER_STEP = 4
"""Chunks between two steps if they must be scanned."""

KNOWN_CHUNKS_PER_STEP = 40
"""Chunks between two steps if they were scanned before."""


class _Search:
    """The search of one text, done step by step by all that need its result: `found` is None before its end.

    `scans` has the known scans, by the arguments of `scan_chunk`: those of this text, and of the one before; `used` has
    those of this text that were taken so far.
    """

    __slots__ = ("_index", "_mode", "_nesting", "chunks", "found", "scans", "used")

    def __init__(self, document: Document, chunks: list[str], scans: dict[tuple[str, Mode, bool], Scan]) -> None:
        self.chunks = chunks
        self.scans = scans
        self.found: Constructs | None = None
        self.used: dict[tuple[str, Mode, bool], Scan] = {}
        self._nesting = Nesting(proxy(document))  # the document must not live as long as its search
        self._mode = Mode()
        self._index = 0

    def step(self) -> None:
        """Search the next chunks, for about half a millisecond."""
        chunks, scans, used, mode = self.chunks, self.scans, self.used, self._mode
        last, new = len(chunks) - 1, 0
        begin = self._index
        for index in range(begin, min(begin + KNOWN_CHUNKS_PER_STEP, last + 1)):
            key = chunks[index], mode, index == last
            scan = scans.get(key)
            if scan is None:
                scans[key] = scan = scan_chunk(*key)
                new += 1
            used[key] = scan
            mode = scan.mode
            self._nesting.take(index, scan)
            self._index = index + 1
            if new == CHUNKS_PER_STEP:
                break
        self._mode = mode
        if self._index > last:
            self.scans = used
            self.found = self._nesting.finish()


_searches: WeakKeyDictionary[Document, _Search] = WeakKeyDictionary()


def find_constructs(document: Document) -> Constructs:
    """The constructs of a document, found in one go."""
    return result_of(construct_steps(document))


def construct_steps(document: Document) -> Generator[None, None, Constructs]:
    """The constructs of a document, found in steps of about a millisecond. It must not be edited between them.

    Several callers may take steps in turn: they do the same work together. If all stop early, the next one continues,
    and after an edit what was found in the other chunks is used again.
    """
    chunks = document.chunks()
    search = _searches.get(document)
    if search is None or search.chunks != chunks:
        search = _Search(document, chunks, {} if search is None else search.scans)
        _searches[document] = search
    while search.found is None:
        search.step()
        yield
    return search.found


def forget_constructs(document: Document) -> Iterator[None]:
    """Forget what was found in a document that is not needed any more, in steps of less than a millisecond.

    Python takes 40 ms to drop the marks of a million lines at once.
    """
    search = _searches.pop(document, None)
    for scans in () if search is None else (search.scans, search.used):
        while scans:
            for _ in range(min(KNOWN_CHUNKS_PER_STEP, len(scans))):
                scans.popitem()
            yield
