"""`textDocument/references`: in the document, and in the modules of the workspace that are linked with it."""

from lsprotocol import types

from ptx_lsp.features import references as feature
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.other_modules import references_elsewhere, shared_name
from ptx_lsp.server.requests.positioned import locations_at
from ptx_lsp.server.server import Server


async def references(server: Server, params: types.ReferenceParams) -> list[types.Location] | ErrorResult | None:
    """The places of the symbol at a position; an error if the document is edited before they are complete."""
    declarations = params.context.include_declaration
    here = await locations_at(server, params, lambda module, at: feature.references(module, at, declarations))
    shared = await shared_name(server, params) if isinstance(here, list) else None
    if shared is None or not isinstance(here, list):
        return here
    return here + await references_elsewhere(server, params.text_document.uri, shared.name, declarations)
