"""`textDocument/linkedEditingRange`."""

from lsprotocol import types

from ptx_lsp.features import linked_editing_range as feature
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.requests.positioned import found_at
from ptx_lsp.server.requests.wire_ranges import core_position, wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.text.moving_ranges import MovingRanges
from ptx_lsp.text.ranges import Position, Range

MOST_KEPT = 1_000
"""Places of an answer that are kept: each edit moves them."""


async def linked_editing_range(
    server: Server, params: types.LinkedEditingRangeParams
) -> types.LinkedEditingRanges | ErrorResult | None:
    """The places of the label at a position, or those of the last answer if they do not have its new name yet.

    None if there is no label.
    """
    result = await found_at(server, params, feature.linked_editing_ranges)
    if not isinstance(result, tuple):
        return result
    document, found = result
    linked = _still_linked(document, core_position(document, params.position), found)
    if not linked:
        linked = found
        document.linked = MovingRanges(found) if 1 < len(found) <= MOST_KEPT else None
    ranges = [wire_range(document, range_) for range_ in linked]
    return types.LinkedEditingRanges(ranges, feature.NAME_PATTERN) if ranges else None


def _still_linked(document: OpenDocument, position: Position, found: list[Range]) -> list[Range]:
    if document.linked is None:
        return []
    places = [each.range.start for each in document.linked.ranges]
    return feature.still_linked(document.text, position, places, found)
