"""The edits of one message, as fewer edits of the same text with the same result.

To an editor, a word that is replaced everywhere or a page that is commented out is thousands of edits. Each of them
costs the analysis more than it costs to read the few lines between two of them.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ptx_lsp.text.document import Document
from ptx_lsp.text.lines import Encoding, LineIndex, code_points, count_line_ends, has_lone_return, units
from ptx_lsp.text.ranges import Range

MANY = 8
"""Edits in one message from which on it is worth the time to join them."""

NEAR = 16
"""Lines between two edits, at most, that are read again so that the two are one edit."""

Place = tuple[int, int]
"""A line from 0, and a column in the units of the client."""

_BEGIN: Place = (0, 0)


class SentEdit(NamedTuple):
    """An edit as a client sends it: `text` replaces what is between two places."""

    start: Place
    end: Place
    text: str


class Replacement(NamedTuple):
    """A text that replaces a range, which exists in the document and is in code points."""

    range: Range
    text: str


def replacements(document: Document, edits: Sequence[SentEdit], encoding: Encoding) -> list[Replacement] | None:
    """What a sequence of edits replaces in a document; none has been made yet.

    The places of each edit are those of the text that the edits before it have made. The replacements all have the
    positions of the present text, do not overlap, and come in its order. None if the edits must be made one by one:
    if they go through the text in neither direction, if a place does not exist, or if a line near them ends with a
    `\\r` alone, which an edit can make one line end with a `\\n`.
    """
    placed = _upwards(edits)
    if placed is None:
        placed = _downwards(edits, encoding)
    if placed is None or placed[0].start < _BEGIN or placed[-1].end[0] >= document.line_count:
        return None
    chunks = range(document.chunk_at(placed[0].start[0]), document.chunk_at(placed[-1].end[0]) + 1)
    if any(has_lone_return(edit.text) for edit in edits) or any(has_lone_return(document.chunk(n)) for n in chunks):
        return None
    line_of = lru_cache(2)(document.line)  # most edits begin and end in the line of the one before
    found = [_in_code_points(line_of, edit, encoding) for edit in placed]
    return [each for each in found if each is not None] if None not in found else None


def joined(document: Document, several: Sequence[Replacement]) -> Iterator[Replacement]:
    """Replacements with the same result, those that are near each other as one.

    All are in the order of the text and have the positions of the present one.
    """
    group: list[Replacement] = []
    for each in several:
        if group and each.range.line > group[-1].range.end_line + NEAR:
            yield _as_one(document, group)
            group = []
        group.append(each)
    if group:
        yield _as_one(document, group)


def _upwards(edits: Sequence[SentEdit]) -> list[SentEdit] | None:
    """The edits from the last to the first, if each one is above the one before."""
    in_order = all(edit.end <= before.start for before, edit in pairwise(edits))
    return list(edits[::-1]) if in_order and all(edit.start <= edit.end for edit in edits) else None


def _downwards(edits: Sequence[SentEdit], encoding: Encoding) -> list[SentEdit] | None:
    """The edits at the places of the text before all of them, if each one is below the text of the one before."""
    placed: list[SentEdit] = []
    end_before, end_now = _BEGIN, _BEGIN  # of the last edit, in the text before all edits, and after that one
    for start, end, text in edits:
        if not end_now <= start <= end:
            return None
        start_before, end_before = (_moved(place, end_now, end_before) for place in (start, end))
        end_now = _moved(_size(text, encoding), _BEGIN, start)
        placed.append(SentEdit(start_before, end_before, text))
    return placed


def _moved(place: Place, origin: Place, target: Place) -> Place:
    """A place that is not above `origin`, after what is there has been moved to `target`."""
    line, column = place
    return line - origin[0] + target[0], column + (target[1] - origin[1] if line == origin[0] else 0)


def _size(text: str, encoding: Encoding) -> Place:
    """Where a text ends that begins at the first place."""
    last = text[text.rfind("\n") + 1 :]
    return count_line_ends(text), units(last, len(last), encoding)


def _in_code_points(line_of: Callable[[int], str], edit: SentEdit, encoding: Encoding) -> Replacement | None:
    (line, column), (end_line, end_column) = edit.start, edit.end
    start, end = _code_point(line_of(line), column, encoding), _code_point(line_of(end_line), end_column, encoding)
    return None if start is None or end is None else Replacement(Range(line, start, end_line, end), edit.text)


def _code_point(line: str, column: int, encoding: Encoding) -> int | None:
    """The code point of a line at a column of the client; None if the line has no such column."""
    if line.isascii():
        return column if 0 <= column <= len(line) else None
    found = code_points(line, column, encoding)
    return found if units(line, found, encoding) == column else None


def _as_one(document: Document, group: Sequence[Replacement]) -> Replacement:
    if len(group) == 1:
        return group[0]
    whole = Range(*group[0].range.start, *group[-1].range.end)
    text = document.text(whole)
    index = LineIndex(text, whole.start)
    pieces: list[str] = []
    kept = 0  # the offset from which on the text is still to be kept
    for range_, new in group:
        pieces += (text[kept : index.offset(range_.start)], new)
        kept = index.offset(range_.end)
    return Replacement(whole, "".join(pieces))
