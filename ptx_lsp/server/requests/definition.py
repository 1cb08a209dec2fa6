"""`textDocument/definition`."""

from lsprotocol import types

from ptx_lsp.features import definition as feature
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.positioned import locations_at
from ptx_lsp.server.server import Server


async def definition(server: Server, params: types.DefinitionParams) -> list[types.Location] | ErrorResult | None:
    """The places of the name in the definitions of a symbol; an error if the document is edited meanwhile."""
    return await locations_at(server, params, lambda module, position: iter([feature.definition(module, position)]))
