"""The functions, scopes, labels, variables and comments of a document with their whole ranges, also in broken text.

They are found by a scan of the text, not by the analysis, so they are right while a document is being loaded. What the
scan found in a chunk is kept until the chunk is edited.
"""

from collections.abc import Generator
from weakref import WeakKeyDictionary, proxy

from ptx_lsp.outline.nesting import Constructs, Nesting
from ptx_lsp.outline.scanned_chunks import (
    CHUNKS_PER_STEP,
    KNOWN_CHUNKS_PER_STEP,
    ScannedChunks,
    forget_scans,
    scanned_chunks,
)
from ptx_lsp.steps import result_of
from ptx_lsp.text.document import Document


class _Search:
    """The search of one text, done step by step by all that need its result: `found` is None before its end."""

    __slots__ = ("_index", "_nesting", "_scans", "chunks", "found")

    def __init__(self, document: Document, scans: ScannedChunks) -> None:
        self.chunks = scans.chunks
        self.found: Constructs | None = None
        self._scans = scans
        self._nesting = Nesting(proxy(document))  # the document must not live as long as its search
        self._index = 0

    def step(self) -> None:
        """Search the next chunks, for about half a millisecond."""
        scans, last, new = self._scans, len(self.chunks) - 1, 0
        begin = self._index
        for index in range(begin, min(begin + KNOWN_CHUNKS_PER_STEP, last + 1)):
            new += scans.needs_scan(index)
            self._nesting.take(index, scans.scan(index))
            self._index = index + 1
            if new == CHUNKS_PER_STEP:
                break
        if self._index > last:
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
    scans = scanned_chunks(document)
    search = _searches.get(document)
    if search is None or search.chunks is not scans.chunks:
        search = _Search(document, scans)
        _searches[document] = search
    while search.found is None:
        search.step()
        yield
    return search.found


def forget_constructs(document: Document) -> Generator[None, None, None]:
    """Forget what was found in a document that is not needed any more, in steps of less than a millisecond."""
    _searches.pop(document, None)
    yield from forget_scans(document)
