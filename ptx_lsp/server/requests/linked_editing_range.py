"""`textDocument/linkedEditingRange`."""

from lsprotocol import types

from ptx_lsp.features import linked_editing_range as feature
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.positioned import found_at
from ptx_lsp.server.requests.wire_ranges import wire_range
from ptx_lsp.server.server import Server


async def linked_editing_range(
    server: Server, params: types.LinkedEditingRangeParams
) -> types.LinkedEditingRanges | ErrorResult | None:
    """The places of the label at a position; None if there is no label."""
    result = await found_at(server, params, feature.linked_editing_ranges)
    if not isinstance(result, tuple):
        return result
    document, found = result
    ranges = [wire_range(document, range_) for range_ in found]
    return types.LinkedEditingRanges(ranges, feature.NAME_PATTERN) if ranges else None
