"""`textDocument/linkedEditingRange`."""

from lsprotocol import types

from ptx_lsp.features import linked_editing_range as feature
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult
from ptx_lsp.server.requests.wire_ranges import core_position, wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import gather


async def linked_editing_range(
    server: Server, params: types.LinkedEditingRangeParams
) -> types.LinkedEditingRanges | ErrorResult | None:
    """The places of the label at a position; None if there is no label."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    position = core_position(document, params.position)
    found = await gather(server, document, lambda module: feature.linked_editing_ranges(module, position))
    if found is None:
        return CONTENT_MODIFIED
    ranges = [wire_range(document, range_) for range_ in found]
    return types.LinkedEditingRanges(ranges, feature.NAME_PATTERN) if ranges else None
