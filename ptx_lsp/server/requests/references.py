"""`textDocument/references`: in the document, and in the modules of the workspace that are linked with it.

The places are formatted straight to JSON, in slices: a long document may name a variable 100,000 times.
"""

import json
from functools import partial
from itertools import chain

from lsprotocol import types

from ptx_lsp.features import references as feature
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import ErrorResult, JsonParts, in_portions, list_parts
from ptx_lsp.server.requests.other_modules import references_elsewhere, shared_name
from ptx_lsp.server.requests.positioned import found_at, locations_inside
from ptx_lsp.server.requests.wire_ranges import core_position
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import answer_in_slices
from ptx_lsp.text.ranges import Range

_PLACES_PER_STEP = 200


Answer = JsonParts | list[types.Location] | ErrorResult | None


async def references(server: Server, params: types.ReferenceParams) -> Answer:
    """The places of the symbol at a position; an error if the document is edited before they are complete."""
    declarations = params.context.include_declaration
    if (host := server.host_document(params.text_document.uri)) is not None:
        from ptx_lsp.embedded.references import references as references_inside

        position = core_position(host, params.position)
        return await locations_inside(
            server, host, position.line, lambda analysis: references_inside(analysis, position, declarations)
        )
    here = await found_at(server, params, lambda module, at: feature.references(module, at, declarations))
    if not isinstance(here, tuple):
        return here
    document, found = here
    shared = await shared_name(server, params)
    others: list[types.Location] = []
    if shared is not None:
        others = await references_elsewhere(server, document.uri, shared.name, declarations)
    places = in_portions(found, partial(_here, document, json.dumps(document.uri)), _PLACES_PER_STEP)
    portions = chain(places, [[_elsewhere(each) for each in others]])
    return await answer_in_slices(server, document, list_parts(portions))


def _here(document: OpenDocument, uri: str, place: Range) -> str:
    """A `Location` as JSON; `uri` is that of the document, as JSON."""
    line, end_line = place.line, place.end_line
    start, end = document.column(line, place.column), document.column(end_line, place.end_column)
    return (
        f'{{"uri":{uri},"range":{{"start":{{"line":{line},"character":{start}}},'
        f'"end":{{"line":{end_line},"character":{end}}}}}}}'
    )


def _elsewhere(place: types.Location) -> str:
    start, end = place.range.start, place.range.end
    return (
        f'{{"uri":{json.dumps(place.uri)},"range":{{"start":{{"line":{start.line},"character":{start.character}}},'
        f'"end":{{"line":{end.line},"character":{end.character}}}}}}}'
    )
