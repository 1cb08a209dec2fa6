"""`textDocument/definition`."""

from lsprotocol import types

from ptx_lsp.features import definition as feature
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult
from ptx_lsp.server.requests.wire_ranges import core_position, wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import gather


async def definition(server: Server, params: types.DefinitionParams) -> list[types.Location] | ErrorResult | None:
    """The places of the name in the definitions of a symbol; an error if the document is edited meanwhile."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    position = core_position(document, params.position)
    found = await gather(server, document, lambda module: iter([feature.definition(module, position)]))
    if found is None:
        return CONTENT_MODIFIED
    return [types.Location(document.uri, wire_range(document, range_)) for range_ in found]
