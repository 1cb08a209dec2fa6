"""`textDocument/formatting`, `rangeFormatting` and `onTypeFormatting`, in slices."""

from collections.abc import Generator

from lsprotocol import types

from ptx_lsp.features.formatted_range import format_range_steps
from ptx_lsp.features.formatting import BlankEdit, format_steps
from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.server.protocol import ErrorResult, JsonParts, list_parts
from ptx_lsp.server.requests.wire_ranges import core_range, text_edits
from ptx_lsp.server.server import Server
from ptx_lsp.server.sliced_requests import answer_in_slices

Answer = JsonParts | ErrorResult | None


async def formatting(server: Server, params: types.DocumentFormattingParams) -> Answer:
    """The edits that format a document: one for each stretch of blanks that changes."""
    document = server.document(params.text_document.uri)
    if document is None or document.module.foreign is not None:
        return None
    return await _answer(server, document, _whole(document))


async def range_formatting(server: Server, params: types.DocumentRangeFormattingParams) -> Answer:
    """The edits that format the lines of a range."""
    document = server.document(params.text_document.uri)
    if document is None or document.module.foreign is not None:
        return None
    range_ = core_range(document, params.range)
    last = range_.end_line - (range_.end_column == 0 and range_.end_line > range_.line)
    return await _answer(server, document, format_range_steps(document.module, range_.line, last))


async def on_type_formatting(server: Server, params: types.DocumentOnTypeFormattingParams) -> Answer:
    """The edits that format the line that was completed by `;`, `}` or a new line, if the setting allows it."""
    document = server.document(params.text_document.uri)
    if document is None or not server.settings.format_on_type or document.module.foreign is not None:
        return None
    line = params.position.line - (params.ch == "\n")
    if not 0 <= line < document.module.document.line_count:
        return None
    return await _answer(server, document, format_range_steps(document.module, line, line))


async def _answer(server: Server, document: OpenDocument, steps: Generator[None, None, list[BlankEdit]]) -> Answer:
    return await answer_in_slices(server, document, _formatted(document, steps))


def _formatted(
    document: OpenDocument, steps: Generator[None, None, list[BlankEdit]]
) -> Generator[None, None, JsonParts]:
    edits = yield from steps
    return (yield from list_parts(text_edits(document, edits)))


def _whole(document: OpenDocument) -> Generator[None, None, list[BlankEdit]]:
    edits: list[BlankEdit] = []
    for some in format_steps(document.module.document):
        edits += some
        yield
    return edits
