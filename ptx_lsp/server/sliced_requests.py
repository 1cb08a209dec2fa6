"""Requests whose work may take long: done in slices, between which the server handles other messages."""

from collections.abc import Callable, Generator, Iterator
from functools import partial
from time import perf_counter
from typing import NamedTuple, TypeVar

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.needed_lines import Needed, Steps
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult
from ptx_lsp.server.scheduler import SLICE
from ptx_lsp.server.server import Server
from ptx_lsp.steps import with_empty_lists

LONG = 20
"""Pauses after which a request has made more objects than a search for garbage can look at in a few milliseconds."""

R = TypeVar("R")
T = TypeVar("T")


class Dependence(NamedTuple):
    """How to find what an answer depends on: by `steps`, once the line (from 0) of the place is known."""

    line: int
    steps: Callable[[Module], Steps]


async def gather(
    server: Server,
    document: OpenDocument,
    begin: Callable[[Module], Iterator[list[T]]],
    needs: Dependence | None = None,
) -> list[T] | None:
    """All that the steps of `begin` give for the analysed document; None if it is edited, opened or closed meanwhile.

    The document may be a file that is not open and has been analysed. `begin` is called once the blocks of the document
    have been read, or those that the answer needs, if `needs` is given: the answer is the same.
    """
    edited, opened = document.edited, server.document(document.uri)

    def is_same() -> bool:
        return document.edited == edited and server.document(document.uri) is opened

    while is_same() and not document.module.settled and server.scheduler.works_on(document):
        needed = await _when_known(server, document, needs, is_same) if needs is not None else None
        if needed is None:
            await _until(server, document, lambda: document.module.settled, is_same)
            break
        found = await _all_steps(server, document, begin, is_same)
        if found is None or _knows(document, needed):
            return found
        needs = None  # what was known is not known any more
    return await _all_steps(server, document, begin, is_same)


async def _all_steps(
    server: Server, document: OpenDocument, begin: Callable[[Module], Iterator[list[T]]], is_same: Callable[[], bool]
) -> list[T] | None:
    """All that the steps of `begin` give; None if something is not the same meanwhile.

    A slice ends with the first step that goes beyond `SLICE` seconds.
    """
    module = document.module
    found: list[T] = []
    steps = begin(module)
    server.scheduler.requests += 1
    try:
        begun = perf_counter()
        while document.module is module and is_same():
            step = next(steps, None)
            if step is None:
                return found
            found += step
            if perf_counter() - begun > SLICE:
                await server.pause()
                begun = perf_counter()
    finally:
        server.scheduler.requests -= 1
    return None


async def _when_known(
    server: Server, document: OpenDocument, needs: Dependence, is_same: Callable[[], bool]
) -> Needed | None:
    """Wait until what an answer needs is known, and return it; None if it needs all of the text.

    It is looked for again after each wait: a block that has not been read does not show whether a function ends in it.
    """
    await _until(server, document, partial(_knows, document, Needed.line(needs.line)), is_same)
    while is_same() and not document.module.settled and server.scheduler.works_on(document):
        found = await _all_steps(server, document, lambda module: _listed(needs.steps(module)), is_same)
        if not found or (needed := found[0]) is None or _knows(document, needed):
            return found[0] if found else None
        await _until(server, document, partial(_knows, document, needed), is_same)
    return None


def _knows(document: OpenDocument, needed: Needed) -> bool:
    return document.module.knows(*needed)


def _listed(steps: Generator[object, None, R]) -> Iterator[list[R]]:
    """The same steps, as lists, which are empty except for the last one, which has the result."""
    yield [(yield from with_empty_lists(steps))]


async def _until(
    server: Server, document: OpenDocument, is_known: Callable[[], bool], is_same: Callable[[], bool]
) -> None:
    """Wait until something is known, or something else is not the same any more, or the analysis ends."""
    while is_same() and not is_known() and server.scheduler.works_on(document):
        await server.scheduler.slice_done(document)


async def result_for(
    server: Server,
    document: OpenDocument,
    begin: Callable[[Module], Generator[object, None, R]],
    needs: Dependence | None = None,
) -> R | None:
    """The result of a generator for the analysed document, under the conditions of `gather`."""
    found = await gather(server, document, lambda module: _listed(begin(module)), needs)
    return None if found is None else found[0]


async def for_present_text(
    server: Server, document: OpenDocument, begin: Callable[[], Generator[object, None, R | None]]
) -> R | None:
    """The result of `in_slices`, begun again after each edit; None if the document is closed."""
    while True:
        analysis, edited = document.analysis, document.edited
        found = await in_slices(server, document, begin())
        is_same = document.analysis is analysis and document.edited == edited
        if found is not None or is_same or server.documents.get(document.uri) is not document:
            return found


async def answer_in_slices(
    server: Server, document: OpenDocument, steps: Generator[object, None, R]
) -> R | ErrorResult:
    """The result of `in_slices`, or the error for a document that is edited or closed meanwhile."""
    found = await in_slices(server, document, steps)
    return CONTENT_MODIFIED if found is None else found


async def completed(server: Server, document: OpenDocument) -> bool:
    """Wait for the end of the analysis; False if the document is edited meanwhile."""
    edited = document.edited
    await server.scheduler.complete(document)
    return document.edited == edited


async def in_slices(server: Server, document: OpenDocument, steps: Generator[object, None, R]) -> R | None:
    """The result of a generator that yields after each small step; None if the document is edited or closed meanwhile.

    Other requests, and the analysis, run between the slices.
    """
    analysis, edited = document.analysis, document.edited
    server.scheduler.requests += 1
    pauses = 0
    try:
        begun = perf_counter()
        while True:
            try:
                next(steps)
            except StopIteration as done:
                result: R = done.value
                return result
            if perf_counter() - begun > SLICE:
                pauses += 1
                if not pauses % LONG:
                    server.garbage.loaded()  # a table that drops as many objects as it gets delays the searches
                await server.pause()
                is_open = document.uri in server.documents
                if document.analysis is not analysis or document.edited != edited or not is_open:
                    return None
                begun = perf_counter()
    finally:
        server.scheduler.requests -= 1
        if pauses >= LONG:
            server.garbage.loaded()  # what it keeps, such as the outline, is no garbage soon
