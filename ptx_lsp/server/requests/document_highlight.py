"""`textDocument/documentHighlight`."""

from lsprotocol import types

from ptx_lsp.features import document_highlight as feature
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.positioned import found_at, found_inside
from ptx_lsp.server.requests.wire_ranges import core_position, wire_range
from ptx_lsp.server.server import Server


async def document_highlight(
    server: Server, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | ErrorResult | None:
    """The highlights of the symbol at a position; an error if the document is edited before they are complete."""
    if (host := server.host_document(params.text_document.uri)) is not None:
        from ptx_lsp.embedded.document_highlight import document_highlight as highlights_inside

        position = core_position(host, params.position)
        inside = await found_inside(server, host, position.line, lambda text: highlights_inside(text, position))
        return _answer(host, inside) if isinstance(inside, list) else inside
    result = await found_at(server, params, feature.document_highlight)
    return _answer(*result) if isinstance(result, tuple) else result


def _answer(document: OpenDocument, found: list[feature.Highlight]) -> list[types.DocumentHighlight]:
    return [
        types.DocumentHighlight(wire_range(document, each.range), types.DocumentHighlightKind(each.kind.value))
        for each in found
    ]
