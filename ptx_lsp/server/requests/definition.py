"""`textDocument/definition`: in this document, or in another module if this one has a declaration only."""

from lsprotocol import types

from ptx_lsp.features import definition as feature
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.other_modules import locations, names_elsewhere, shared_name
from ptx_lsp.server.requests.positioned import locations_at
from ptx_lsp.server.server import Server


async def definition(server: Server, params: types.DefinitionParams) -> list[types.Location] | ErrorResult | None:
    """The places of the name in the definitions of a symbol; an error if the document is edited meanwhile."""
    here = await locations_at(server, params, lambda module, position: iter([feature.definition(module, position)]))
    shared = await shared_name(server, params) if isinstance(here, list) else None
    if shared is None or shared.is_defined:
        return here
    others = await names_elsewhere(server, params.text_document.uri, shared.name)
    return locations([each for each in others if each.name.is_defined]) or here
