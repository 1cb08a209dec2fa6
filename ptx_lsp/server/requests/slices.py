"""Runs long work for a request in slices, so that no other request waits for it."""

import asyncio
from collections.abc import Generator
from time import perf_counter
from typing import TypeVar

from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.scheduling import SLICE
from ptx_lsp.server.server import Server

R = TypeVar("R")


async def in_slices(server: Server, document: OpenDocument, steps: Generator[None, None, R]) -> R | None:
    """The result of a generator that yields after each small step; None if the document is edited or closed meanwhile.

    Other requests, and the analysis, run between the slices.
    """
    module, edited = document.module, document.edited
    begun = perf_counter()
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: R = done.value
            return result
        if perf_counter() - begun > SLICE:
            await asyncio.sleep(0)
            if document.module is not module or document.edited != edited or server.document(document.uri) is None:
                return None
            begun = perf_counter()
