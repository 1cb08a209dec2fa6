"""`textDocument/hover`."""

from lsprotocol import types

from ptx_lsp.explanations.description import Description
from ptx_lsp.features import hover as feature
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.feature_choices import choices
from ptx_lsp.server.requests.markup import markup
from ptx_lsp.server.requests.positioned import found_inside
from ptx_lsp.server.requests.wire_ranges import core_position, wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import for_present_text


async def hover(server: Server, params: types.HoverParams) -> types.Hover | ErrorResult | None:
    """The hover at a position, in Markdown if the client prefers it; None if there is nothing to say."""
    uri = params.text_document.uri
    document = server.document(uri) or server.host_document(uri)
    if document is None:
        return None
    found = await _found(server, document, params.position)
    if not isinstance(found, Description):
        return found
    return types.Hover(markup(server.client, found.parts), wire_range(document, found.range))


async def _found(server: Server, document: OpenDocument, place: types.Position) -> Description | ErrorResult | None:
    chosen = choices(server.settings_of(document.uri))
    if document.is_host:
        from ptx_lsp.embedded.hover import hover as hover_inside

        position = core_position(document, place)
        return await found_inside(server, document, position.line, lambda text: hover_inside(text, position, chosen))

    def steps() -> feature.Described:
        return feature.hover_steps(document.module, core_position(document, place), chosen)

    return await for_present_text(server, document, steps)
