"""`textDocument/selectionRange`: formatted straight to JSON, in slices, as a client may ask about many positions."""

import json
from collections.abc import Generator, Sequence
from functools import partial

from lsprotocol import types

from ptx_lsp.features import selection_range as feature
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import ErrorResult, JsonParts, in_portions, list_parts
from ptx_lsp.server.requests.wire_ranges import core_position
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import answer_in_slices
from ptx_lsp.text.ranges import Position, Range

_SELECTIONS_PER_STEP = 50


async def selection_range(server: Server, params: types.SelectionRangeParams) -> JsonParts | ErrorResult | None:
    """For each position the innermost range around it, with the others as its parents, as JSON."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    return await answer_in_slices(server, document, _selections(document, params.positions))


def _selections(document: OpenDocument, places: Sequence[types.Position]) -> Generator[None, None, JsonParts]:
    positions: list[Position] = []
    for begin in range(0, len(places), _SELECTIONS_PER_STEP):
        positions += (core_position(document, place) for place in places[begin : begin + _SELECTIONS_PER_STEP])
        yield
    chains = yield from feature.selection_steps(document.module, positions)
    return (yield from list_parts(in_portions(chains, partial(_json, document), _SELECTIONS_PER_STEP)))


def _json(document: OpenDocument, chain: list[Range]) -> str:
    """A `SelectionRange` as JSON: the first range, with the others as its parents."""
    selections = [f'{{"range":{json.dumps(document.wire_range(each))}' for each in chain]
    return ',"parent":'.join(selections) + "}" * len(selections)
