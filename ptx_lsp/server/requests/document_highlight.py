"""`textDocument/documentHighlight`."""

from lsprotocol import types

from ptx_lsp.features import document_highlight as feature
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult
from ptx_lsp.server.requests.wire_ranges import core_position, wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import gather


async def document_highlight(
    server: Server, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | ErrorResult | None:
    """The highlights of the symbol at a position; an error if the document is edited before they are complete."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    position = core_position(document, params.position)
    found = await gather(server, document, lambda module: feature.document_highlight(module, position))
    if found is None:
        return CONTENT_MODIFIED
    return [
        types.DocumentHighlight(wire_range(document, each.range), types.DocumentHighlightKind(each.kind.value))
        for each in found
    ]
