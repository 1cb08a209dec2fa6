"""`textDocument/inlineValue`: folded constants while debugging, formatted straight to JSON, in slices."""

import json
from collections.abc import Iterator

from lsprotocol import types

from ptx_lsp.features.inline_value import InlineValue, inline_values
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult, JsonParts, list_parts
from ptx_lsp.server.requests.feature_choices import choices
from ptx_lsp.server.requests.wire_ranges import core_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import answer_in_slices, gather
from ptx_lsp.text.ranges import Range

_VALUES_PER_STEP = 200


async def inline_value(server: Server, params: types.InlineValueParams) -> JsonParts | ErrorResult | None:
    """The values of the constants in a range, down to the line where the program has stopped."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    range_ = core_range(document, params.range)
    stopped = core_range(document, params.context.stopped_location)
    shown = Range(*range_.start, *min(range_.end, stopped.end))
    chosen = choices(server.settings_of(document.uri))
    found = await gather(server, document, lambda module: inline_values(module, shown, chosen))
    if found is None:
        return CONTENT_MODIFIED
    return await answer_in_slices(server, document, list_parts(_portions(document, found)))


def _portions(document: OpenDocument, found: list[InlineValue]) -> Iterator[list[str]]:
    for begin in range(0, len(found), _VALUES_PER_STEP):
        yield [
            f'{{"range":{json.dumps(document.wire_range(each.range))},"text":{json.dumps(each.text)}}}'
            for each in found[begin : begin + _VALUES_PER_STEP]
        ]
