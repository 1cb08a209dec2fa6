"""`textDocument/prepareRename` and `textDocument/rename`."""

from lsprotocol import types

from ptx_lsp.features import rename as feature
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult
from ptx_lsp.server.requests.wire_ranges import core_position, wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import gather

REQUEST_FAILED = -32803


async def prepare_rename(
    server: Server, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | ErrorResult | None:
    """The name at a position and its range; an error with the reason if it cannot be renamed."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    position = core_position(document, params.position)
    try:
        found = await gather(server, document, lambda module: iter([[feature.prepare_rename(module, position)]]))
    except feature.RenameRefused as refused:
        return ErrorResult(REQUEST_FAILED, str(refused))
    if found is None:
        return CONTENT_MODIFIED
    ((range_, name),) = found
    return types.PrepareRenamePlaceholder(wire_range(document, range_), name)


async def rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit | ErrorResult | None:
    """The edits that rename a symbol; an error with the reason if it cannot have this name."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    position = core_position(document, params.position)
    try:
        found = await gather(server, document, lambda module: feature.rename(module, position, params.new_name))
    except feature.RenameRefused as refused:
        return ErrorResult(REQUEST_FAILED, str(refused))
    if found is None:
        return CONTENT_MODIFIED
    edits = [types.TextEdit(wire_range(document, each.range), each.text) for each in found]
    return types.WorkspaceEdit(changes={document.uri: edits})
