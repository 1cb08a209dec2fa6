"""`textDocument/prepareRename` and `textDocument/rename`."""

from lsprotocol import types

from ptx_lsp.features import rename as feature
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.positioned import found_at
from ptx_lsp.server.requests.wire_ranges import wire_range
from ptx_lsp.server.server import Server

REQUEST_FAILED = -32803


async def prepare_rename(
    server: Server, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | ErrorResult | None:
    """The name at a position and its range; an error with the reason if it cannot be renamed."""
    try:
        result = await found_at(server, params, lambda module, at: iter([[feature.prepare_rename(module, at)]]))
    except feature.RenameRefused as refused:
        return ErrorResult(REQUEST_FAILED, str(refused))
    if not isinstance(result, tuple):
        return result
    document, found = result
    ((range_, name),) = found
    return types.PrepareRenamePlaceholder(wire_range(document, range_), name)


async def rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit | ErrorResult | None:
    """The edits that rename a symbol; an error with the reason if it cannot have this name."""
    try:
        result = await found_at(server, params, lambda module, at: feature.rename(module, at, params.new_name))
    except feature.RenameRefused as refused:
        return ErrorResult(REQUEST_FAILED, str(refused))
    if not isinstance(result, tuple):
        return result
    document, found = result
    edits = [types.TextEdit(wire_range(document, each.range), each.text) for each in found]
    return types.WorkspaceEdit(changes={document.uri: edits})
