"""Converts positions and ranges between code points and lsprotocol's classes."""

from lsprotocol import types

from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.text.ranges import Position, Range


def core_range(document: OpenDocument, range_: types.Range) -> Range:
    """The range in code points for a range of the client, clamped to the document."""
    return Range(*core_position(document, range_.start), *core_position(document, range_.end))


def core_position(document: OpenDocument, position: types.Position) -> Position:
    """The position in code points for a position of the client, clamped to the document."""
    return document.position({"line": position.line, "character": position.character})


def wire_range(document: OpenDocument, range_: Range) -> types.Range:
    """The client's range for a range in code points."""
    start = types.Position(range_.line, document.column(range_.line, range_.column))
    end = types.Position(range_.end_line, document.column(range_.end_line, range_.end_column))
    return types.Range(start, end)
