"""Requests about one position of a document: find the document, convert the position, and run the feature in slices."""

from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Protocol, TypeVar

from lsprotocol import types

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.needed_lines import Steps, of_symbol
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult
from ptx_lsp.server.requests.wire_ranges import core_position, wire_range
from ptx_lsp.server.scheduler import SLICE
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import Dependence, gather, result_for
from ptx_lsp.text.ranges import Position, Range

if TYPE_CHECKING:
    from ptx_lsp.embedded.host_text import HostText

T = TypeVar("T")


class Positioned(Protocol):
    """The parameters of a request about a position."""

    text_document: types.TextDocumentIdentifier
    position: types.Position


Needing = Callable[[Module, Position], Steps]
"""What an answer about a position needs to be known, as in `occurrences/needed_lines.py`."""


async def found_at(
    server: Server,
    params: Positioned,
    find: Callable[[Module, Position], Iterator[list[T]]],
    needing: Needing = of_symbol,
) -> tuple[OpenDocument, list[T]] | ErrorResult | None:
    """The document, and all that the steps of `find` give for the position; None if the document is not open.

    An error if the document is edited before they are complete.
    """
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    position = core_position(document, params.position)
    needs = Dependence(position.line, lambda module: needing(module, position))
    found = await gather(server, document, lambda module: find(module, position), needs)
    return CONTENT_MODIFIED if found is None else (document, found)


async def result_at(
    server: Server,
    params: Positioned,
    find: Callable[[Module, Position], Generator[object, None, T]],
    needing: Needing | None = None,
) -> tuple[OpenDocument, T] | ErrorResult | None:
    """The document, and the result of the steps of `find` for the position; None if the document is not open.

    An error if the document is edited before they are complete.
    """
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    position = core_position(document, params.position)
    needs = Dependence(position.line, lambda module: needing(module, position)) if needing is not None else None
    found = await result_for(server, document, lambda module: find(module, position), needs)
    return CONTENT_MODIFIED if found is None else (document, found)


async def known_inside(server: Server, document: OpenDocument, lines: tuple[int, int]) -> bool:
    """Analyse, in slices, the statements of a document in another language that touch some lines, first and last.

    False if it is edited or closed meanwhile.
    """
    analysis, edited = document.host_text, document.edited
    while not analysis.work_on(lines, SLICE):
        await server.pause()
        if document.analysis is not analysis or document.edited != edited:
            return False
    return True


async def found_inside(
    server: Server, document: OpenDocument, line: int, find: Callable[["HostText"], T]
) -> T | ErrorResult:
    """What `find` gives for a line of a document in another language, once it is analysed.

    An error if the document is edited meanwhile.
    """
    is_known = await known_inside(server, document, (line, line))
    return find(document.host_text) if is_known else CONTENT_MODIFIED


async def locations_inside(
    server: Server, document: OpenDocument, line: int, find: Callable[["HostText"], list[Range] | None]
) -> list[types.Location] | ErrorResult | None:
    """The ranges that `find` gives for a line of a document in another language, as locations in the document."""
    found = await found_inside(server, document, line, find)
    if isinstance(found, list):
        return [types.Location(document.uri, wire_range(document, range_)) for range_ in found]
    return found


async def locations_at(
    server: Server, params: Positioned, find: Callable[[Module, Position], Iterator[list[Range]]]
) -> list[types.Location] | ErrorResult | None:
    """The ranges that the steps of `find` give for the position, as locations in the document."""
    result = await found_at(server, params, find)
    if not isinstance(result, tuple):
        return result
    document, found = result
    return [types.Location(document.uri, wire_range(document, range_)) for range_ in found]
