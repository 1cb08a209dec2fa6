"""`textDocument/references`."""

from lsprotocol import types

from ptx_lsp.features import references as feature
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.positioned import locations_at
from ptx_lsp.server.server import Server


async def references(server: Server, params: types.ReferenceParams) -> list[types.Location] | ErrorResult | None:
    """The places of the symbol at a position; an error if the document is edited before they are complete."""
    declarations = params.context.include_declaration
    return await locations_at(server, params, lambda module, at: feature.references(module, at, declarations))
