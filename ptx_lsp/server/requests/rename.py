"""`textDocument/prepareRename` and `textDocument/rename`: in the document, and in the modules linked with it."""

from collections.abc import Iterator

from lsprotocol import types
from pygls.uris import to_fs_path

from ptx_lsp.analysis.module import Module
from ptx_lsp.features import rename as feature
from ptx_lsp.fixes.fix import Edit
from ptx_lsp.occurrences.needed_lines import named, of_symbol
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult, JsonParts
from ptx_lsp.server.requests.other_modules import analysed, names_elsewhere, shared_name
from ptx_lsp.server.requests.positioned import found_at, found_inside
from ptx_lsp.server.requests.wire_ranges import core_position, wire_range
from ptx_lsp.server.requests.workspace_edit import changed, workspace_edit, workspace_edit_steps
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import answer_in_slices, completed, gather
from ptx_lsp.server.workspace_index import NameInFile
from ptx_lsp.text.ranges import Position, Range

REQUEST_FAILED = -32803  # the error code of the protocol

Answer = JsonParts | types.WorkspaceEdit | ErrorResult | None


async def prepare_rename(
    server: Server, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | ErrorResult | None:
    """The name at a position and its range; an error with the reason if it cannot be renamed."""
    if (host := server.host_document(params.text_document.uri)) is not None:
        return await _prepare_inside(server, host, params)
    try:
        result = await found_at(server, params, _prepared, named)
    except feature.RenameRefused as refused:
        return ErrorResult(REQUEST_FAILED, str(refused))
    if not isinstance(result, tuple):
        return result
    document, found = result
    ((range_, name),) = found
    return types.PrepareRenamePlaceholder(wire_range(document, range_), name)


def _prepared(module: Module, position: Position) -> Iterator[list[tuple[Range, str]]]:
    yield [(yield from feature.prepare_steps(module, position))]


async def rename(server: Server, params: types.RenameParams) -> Answer:
    """The edits that rename a symbol; an error with the reason if it cannot have this name."""
    if (host := server.host_document(params.text_document.uri)) is not None:
        return await _rename_inside(server, host, params)
    try:
        result = await found_at(
            server,
            params,
            lambda module, at: feature.rename(module, at, params.new_name),
            lambda module, at: of_symbol(module, at, params.new_name),
        )
    except feature.RenameRefused as refused:
        return ErrorResult(REQUEST_FAILED, str(refused))
    if not isinstance(result, tuple):
        return result
    document, found = result
    changes = [changed(document, found)]
    for first in await _linked(server, params):
        other = await analysed(server, first.uri)
        try:
            edits = await _edits_of(server, other, first, params.new_name) if other is not None else []
        except feature.RenameRefused as refused:
            return ErrorResult(REQUEST_FAILED, f"{refused}, in `{_shown(first.uri)}`")
        if edits is None:
            return CONTENT_MODIFIED
        if other is not None:
            changes.append(changed(other, edits))
    return await answer_in_slices(server, document, workspace_edit_steps(server.client, changes))


async def _prepare_inside(
    server: Server, document: OpenDocument, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | ErrorResult | None:
    """The name at a position of inline PTX and its range; None outside of it."""
    from ptx_lsp.embedded.rename import prepare_rename as prepare_inside

    position = core_position(document, params.position)
    try:
        found = await found_inside(server, document, position.line, lambda text: prepare_inside(text, position))
    except feature.RenameRefused as refused:
        return ErrorResult(REQUEST_FAILED, str(refused))
    if not isinstance(found, tuple):
        return found
    range_, name = found
    return types.PrepareRenamePlaceholder(wire_range(document, range_), name)


async def _rename_inside(server: Server, document: OpenDocument, params: types.RenameParams) -> Answer:
    """The edits that rename what is at a position of inline PTX; None outside of it."""
    from ptx_lsp.embedded.rename import rename as rename_inside

    position = core_position(document, params.position)
    if not await completed(server, document):  # other statements may have the name
        return CONTENT_MODIFIED
    try:
        found = rename_inside(document.host_text, position, params.new_name)
    except feature.RenameRefused as refused:
        return ErrorResult(REQUEST_FAILED, str(refused))
    if found is None:
        return None
    return workspace_edit(server.client, changed(document, found))


async def _linked(server: Server, params: types.RenameParams) -> list[NameInFile]:
    """The first place of the name in each other module that is linked with this one.

    It is known where one module of the workspace defines the name. Two that do belong to different programs, and a name
    without a definition may be that of a library.
    """
    shared = await shared_name(server, params)
    if shared is None:
        return []
    others = await names_elsewhere(server, params.text_document.uri, shared.name)
    defining = {each.uri for each in others if each.name.is_defined}
    if len(defining) + shared.is_defined != 1:
        return []
    return list({each.uri: each for each in reversed(others)}.values())


async def _edits_of(server: Server, document: OpenDocument, first: NameInFile, new_name: str) -> list[Edit] | None:
    """The edits of another module; None if it is edited meanwhile. Raises RenameRefused."""
    position = first.name.range.start
    return await gather(server, document, lambda module: feature.rename(module, position, new_name))


def _shown(uri: str) -> str:
    return (to_fs_path(uri) or uri).replace("\\", "/").rpartition("/")[2]
