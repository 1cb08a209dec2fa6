"""`textDocument/declaration`."""

from lsprotocol import types

from ptx_lsp.features import declaration as feature
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.positioned import locations_at
from ptx_lsp.server.server import Server


async def declaration(server: Server, params: types.DeclarationParams) -> list[types.Location] | ErrorResult | None:
    """The places of the name in the declarations of a symbol; an error if the document is edited meanwhile."""
    return await locations_at(server, params, lambda module, position: iter([feature.declaration(module, position)]))
