"""Requests whose work may take long: done in slices, between which the server handles other messages."""

from collections.abc import Callable, Generator, Iterator
from time import perf_counter
from typing import TypeVar

from ptx_lsp.analysis.module import Module
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.scheduler import SLICE
from ptx_lsp.server.server import Server

LONG = 20
"""Pauses after which a request has made more objects than a search for garbage can look at in a few milliseconds."""

R = TypeVar("R")
T = TypeVar("T")


async def gather(
    server: Server, document: OpenDocument, begin: Callable[[Module], Iterator[list[T]]]
) -> list[T] | None:
    """All that the steps of `begin` give for the analysed document; None if it is edited, opened or closed meanwhile.

    The document may be a file that is not open and has been analysed. `begin` is called once the blocks of the document
    have been read. A slice ends with the first step that goes beyond `SLICE` seconds.
    """
    edited, opened = document.edited, server.document(document.uri)
    if not document.module.settled:
        await server.scheduler.complete(document)
    module = document.module
    found: list[T] = []
    steps = begin(module)
    begun = perf_counter()
    while document.module is module and document.edited == edited and server.document(document.uri) is opened:
        step = next(steps, None)
        if step is None:
            return found
        found += step
        if perf_counter() - begun > SLICE:
            await server.pause()
            begun = perf_counter()
    return None


async def result_for(
    server: Server, document: OpenDocument, begin: Callable[[Module], Generator[object, None, R]]
) -> R | None:
    """The result of a generator for the analysed document, under the conditions of `gather`."""

    def steps(module: Module) -> Iterator[list[R]]:
        generator = begin(module)
        while True:
            try:
                next(generator)
            except StopIteration as done:
                yield [done.value]
                return
            yield []

    found = await gather(server, document, steps)
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
                await server.pause()
                is_open = document.uri in server.documents
                if document.analysis is not analysis or document.edited != edited or not is_open:
                    return None
                begun = perf_counter()
    finally:
        server.scheduler.requests -= 1
        if pauses >= LONG:
            server.garbage.loaded()  # what it keeps, such as the outline, is no garbage soon
