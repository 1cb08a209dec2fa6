"""`textDocument/declaration`: in this document, or in other modules if this one has a definition only."""

from lsprotocol import types

from ptx_lsp.features import declaration as feature
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.other_modules import locations, names_elsewhere, shared_name
from ptx_lsp.server.requests.positioned import locations_at, locations_inside
from ptx_lsp.server.requests.wire_ranges import core_position
from ptx_lsp.server.server import Server


async def declaration(server: Server, params: types.DeclarationParams) -> list[types.Location] | ErrorResult | None:
    """The places of the name in the declarations of a symbol; an error if the document is edited meanwhile."""
    if (host := server.host_document(params.text_document.uri)) is not None:
        from ptx_lsp.embedded.definition import declaration as declaration_inside

        position = core_position(host, params.position)
        return await locations_inside(server, host, position.line, lambda text: declaration_inside(text, position))
    here = await locations_at(server, params, feature.declaration_steps)
    shared = await shared_name(server, params) if isinstance(here, list) else None
    if shared is None or shared.is_declared:
        return here
    others = await names_elsewhere(server, params.text_document.uri, shared.name)
    return locations([each for each in others if not each.name.is_defined]) or here
