"""`textDocument/selectionRange`."""

from lsprotocol import types

from ptx_lsp.features import selection_range as feature
from ptx_lsp.outline.constructs import construct_steps
from ptx_lsp.server.protocol import CONTENT_MODIFIED, ErrorResult
from ptx_lsp.server.requests.wire_ranges import core_position, wire_range
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import in_slices


async def selection_range(
    server: Server, params: types.SelectionRangeParams
) -> list[types.SelectionRange] | ErrorResult | None:
    """For each position the innermost range around it, with the others as its parents."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    found = await in_slices(server, document, construct_steps(document.module.document))
    if found is None:
        return CONTENT_MODIFIED
    answer = []
    for place in params.positions:
        ranges = feature.selection_ranges(document.module, found, core_position(document, place))
        selection: types.SelectionRange | None = None
        for range_ in reversed(ranges):
            selection = types.SelectionRange(wire_range(document, range_), selection)
        assert selection is not None, "the whole document is around every position"
        answer.append(selection)
    return answer
