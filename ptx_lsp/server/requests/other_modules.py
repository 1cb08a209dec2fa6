"""Where other modules of the workspace declare, define and use a name that is linked with one of this module."""

import asyncio

from lsprotocol import types
from pygls.uris import to_fs_path

from ptx_lsp.features.references import references
from ptx_lsp.features.shared_names import SharedName, shared_name_steps
from ptx_lsp.occurrences.needed_lines import of_symbol
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.requests.positioned import Positioned
from ptx_lsp.server.requests.watched_files import watch_files
from ptx_lsp.server.requests.wire_ranges import core_position, wire_range
from ptx_lsp.server.scheduler import SLICE
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import Dependence, gather, result_for
from ptx_lsp.server.workspace_index import ModuleNames, NameInFile
from ptx_lsp.text.ranges import Range

_PAUSE = 0.002  # seconds between two slices: open documents come first


async def names_of_workspace(server: Server, without: str = "") -> list[ModuleNames]:
    """The names of each open document, except the one with the URI `without`, and of each file of the workspace."""
    watch_files(server)
    roots, limit = list(server.workspace.folders), server.settings.indexed_files
    return await server.index.names(roots, limit, server.ptx_documents(), server.watching, without)


async def shared_name(server: Server, place: Positioned) -> SharedName | None:
    """The name at a position of an analysed document, if other modules can declare or define it too."""
    document = server.document(place.text_document.uri)
    if document is None:
        return None
    position = core_position(document, place.position)
    needs = Dependence(position.line, lambda module: of_symbol(module, position))
    return await result_for(server, document, lambda module: shared_name_steps(module, position), needs)


async def names_elsewhere(server: Server, uri: str, name: str) -> list[NameInFile]:
    """The places in other modules that declare or define a name."""
    return [
        each
        for module in await names_of_workspace(server, uri)
        for each in module.by_name.get(name, ())
        if each.uri != uri and (each.name.is_shared or not each.name.is_defined)
    ]


def locations(names: list[NameInFile]) -> list[types.Location]:
    """The places of names."""
    return [types.Location(each.uri, _range(each)) for each in names]


def _range(each: NameInFile) -> types.Range:
    start, end = each.range["start"], each.range["end"]
    return types.Range(types.Position(**start), types.Position(**end))


async def references_elsewhere(server: Server, uri: str, name: str, declarations: bool) -> list[types.Location]:
    """The places of a name in other modules; with `declarations` also those that declare it."""
    found: list[types.Location] = []
    by_file = {each.uri: each for each in reversed(await names_elsewhere(server, uri, name))}
    for other, first in by_file.items():
        document = await analysed(server, other)
        ranges = await _references(server, document, first, declarations) if document is not None else []
        if document is not None:
            found += [types.Location(other, wire_range(document, range_)) for range_ in ranges]
    return found


async def analysed(server: Server, uri: str) -> OpenDocument | None:
    """The document of a URI: the open one, or its file, analysed; None if it cannot be read."""
    document = server.document(uri)
    if document is not None:
        return document
    path = to_fs_path(uri)
    try:
        document = server.index.read(path) if path else None
    except OSError:
        return None
    while document is not None and not document.module.work(SLICE):
        await asyncio.sleep(_PAUSE)
    return document


async def _references(server: Server, document: OpenDocument, first: NameInFile, declarations: bool) -> list[Range]:
    """The places of a name in one module, from the place of its first declaration; none if it is edited meanwhile.

    `declarations`: true for its declarations too.
    """
    position = first.name.range.start
    return await gather(server, document, lambda module: references(module, position, declarations)) or []
