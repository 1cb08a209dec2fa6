"""Converts positions, ranges and edits between code points and what the client reads: lsprotocol's classes or JSON."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.server.documents import OpenDocument
from ptx_lsp.text.ranges import Position, Range

if TYPE_CHECKING:  # most requests have no edits
    from ptx_lsp.features.formatting import BlankEdit
    from ptx_lsp.fixes.fix import Edit

_EDITS_PER_STEP = 100


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


def text_edits(document: OpenDocument, edits: "Sequence[Edit | BlankEdit]") -> Iterator[list[str]]:
    """The edits of a document, each a `TextEdit` as JSON, in portions: there may be 100,000."""
    for begin in range(0, len(edits), _EDITS_PER_STEP):
        yield [
            f'{{"range":{json.dumps(document.wire_range(edit.range))},"newText":{json.dumps(edit.text)}}}'
            for edit in edits[begin : begin + _EDITS_PER_STEP]
        ]
