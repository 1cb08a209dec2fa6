"""`textDocument/documentHighlight`."""

from lsprotocol import types

from ptx_lsp.features import document_highlight as feature
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.positioned import found_at
from ptx_lsp.server.requests.wire_ranges import wire_range
from ptx_lsp.server.server import Server


async def document_highlight(
    server: Server, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | ErrorResult | None:
    """The highlights of the symbol at a position; an error if the document is edited before they are complete."""
    result = await found_at(server, params, feature.document_highlight)
    if not isinstance(result, tuple):
        return result
    document, found = result
    return [
        types.DocumentHighlight(wire_range(document, each.range), types.DocumentHighlightKind(each.kind.value))
        for each in found
    ]
