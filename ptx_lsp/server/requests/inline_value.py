"""`textDocument/inlineValue`: folded constants while debugging, formatted straight to JSON, in slices."""

import json
from functools import partial

from lsprotocol import types

from ptx_lsp.features.inline_value import InlineValue, inline_values
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult, JsonParts, in_portions, list_parts
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
    portions = in_portions(found, partial(_json, document), _VALUES_PER_STEP)
    return await answer_in_slices(server, document, list_parts(portions))


def _json(document: OpenDocument, value: InlineValue) -> str:
    return f'{{"range":{json.dumps(document.wire_range(value.range))},"text":{json.dumps(value.text)}}}'
