"""`textDocument/references`."""

from lsprotocol import types

from ptx_lsp.features import references as feature
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult
from ptx_lsp.server.requests.wire_ranges import core_position, wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import gather


async def references(server: Server, params: types.ReferenceParams) -> list[types.Location] | ErrorResult | None:
    """The places of the symbol at a position; an error if the document is edited before they are complete."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    position, declarations = core_position(document, params.position), params.context.include_declaration
    found = await gather(server, document, lambda module: feature.references(module, position, declarations))
    if found is None:
        return CONTENT_MODIFIED
    return [types.Location(document.uri, wire_range(document, range_)) for range_ in found]
