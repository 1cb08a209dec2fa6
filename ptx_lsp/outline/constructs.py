"""The functions, scopes, labels, variables and comments of a document with their whole ranges, also in broken text.

They are found by a scan of the text, not by the analysis, so they are right while a document is being loaded. What the
scan found in a chunk is kept until the chunk is edited.
"""

from collections.abc import Generator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ptx_lsp.outline.chunk_scan import Mode, Scan, scan_chunk
from ptx_lsp.outline.nesting import Constructs, Nesting
from ptx_lsp.steps import result_of
from ptx_lsp.text.document import Document

CHUNKS_PER_STEP = 4
"""Chunks between two steps if they must be scanned."""

KNOWN_CHUNKS_PER_STEP = 40
"""Chunks between two steps if they were scanned before."""


class _Known(NamedTuple):
    """What is known of a document: the scans of its chunks by their arguments, and the constructs of these chunks."""

    scans: dict[tuple[str, Mode, bool], Scan]
    chunks: list[str]
    found: Constructs


_NOTHING = Constructs([], [], [], [], [], [], [], [])
_known: WeakKeyDictionary[Document, _Known] = WeakKeyDictionary()


def find_constructs(document: Document) -> Constructs:
    """The constructs of a document, found in one go."""
    return result_of(construct_steps(document))


def construct_steps(document: Document) -> Generator[None, None, Constructs]:
    """The constructs of a document, found in steps of about a millisecond. It must not be edited between them.

    If the caller stops early, what was found in the chunks is kept for the next call.
    """
    chunks = list(map(document.chunk, range(document.chunk_count)))
    known = _known.get(document)
    if known is not None and known.chunks == chunks:
        return known.found
    before = {} if known is None else known.scans
    scans: dict[tuple[str, Mode, bool], Scan] = {}
    nesting = Nesting(document)
    mode = Mode()
    new = 0
    try:
        for index, chunk in enumerate(chunks):
            key = chunk, mode, index == len(chunks) - 1
            scan = before.get(key) or scans.get(key)
            if scan is None:
                scan = scan_chunk(*key)
                new += 1
            scans[key] = scan
            mode = scan.mode
            nesting.take(index, scan)
            if not new % CHUNKS_PER_STEP or not index % KNOWN_CHUNKS_PER_STEP:
                new += 1
                yield
    except GeneratorExit:
        _known[document] = _Known(before | scans, [], _NOTHING)
        raise
    found = nesting.finish()
    _known[document] = _Known(scans, chunks, found)
    return found
