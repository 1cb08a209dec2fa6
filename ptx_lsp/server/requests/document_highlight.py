"""`textDocument/documentHighlight`.

The places are formatted straight to JSON, in slices: a long document may name a variable 100,000 times.
"""

import json
from functools import partial

from lsprotocol import types

from ptx_lsp.features import document_highlight as feature
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import ErrorResult, JsonParts, in_portions, list_parts
from ptx_lsp.server.requests.positioned import found_at, found_inside
from ptx_lsp.server.requests.wire_ranges import core_position
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import answer_in_slices

_PLACES_PER_STEP = 200


async def document_highlight(server: Server, params: types.DocumentHighlightParams) -> JsonParts | ErrorResult | None:
    """The highlights of the symbol at a position; an error if the document is edited before they are complete."""
    if (host := server.host_document(params.text_document.uri)) is not None:
        from ptx_lsp.embedded.document_highlight import document_highlight as highlights_inside

        position = core_position(host, params.position)
        inside = await found_inside(server, host, position.line, lambda text: highlights_inside(text, position))
        return await _answer(server, host, inside) if isinstance(inside, list) else inside
    result = await found_at(server, params, feature.document_highlight)
    return await _answer(server, *result) if isinstance(result, tuple) else result


async def _answer(server: Server, document: OpenDocument, found: list[feature.Highlight]) -> JsonParts | ErrorResult:
    portions = in_portions(found, partial(_json, document), _PLACES_PER_STEP)
    return await answer_in_slices(server, document, list_parts(portions))


def _json(document: OpenDocument, highlight: feature.Highlight) -> str:
    return f'{{"range":{json.dumps(document.wire_range(highlight.range))},"kind":{highlight.kind.value}}}'
