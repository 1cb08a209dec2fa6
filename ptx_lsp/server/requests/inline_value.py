"""`textDocument/inlineValue`: folded constants while debugging."""

from lsprotocol import types

from ptx_lsp.features.inline_value import inline_values
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult
from ptx_lsp.server.requests.feature_choices import choices
from ptx_lsp.server.requests.wire_ranges import core_range, wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import gather
from ptx_lsp.text.ranges import Range


async def inline_value(
    server: Server, params: types.InlineValueParams
) -> list[types.InlineValueText] | ErrorResult | None:
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
    return [types.InlineValueText(wire_range(document, each.range), each.text) for each in found]
