"""Formatting of some lines: where it must begin, and what surrounds that place."""

from bisect import bisect_left, bisect_right
from collections.abc import Generator
from operator import attrgetter

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.formatting import LINES_PER_BLOCK, BlankEdit, document_style, format_steps
from ptx_lsp.isa.directive_names import UNALIGNED_SECTIONS
from ptx_lsp.layout.line_state import SAME_ASSEMBLY_COMMENT, Frame, State
from ptx_lsp.outline.near_constructs import near_construct_steps
from ptx_lsp.outline.nesting import Construct, Constructs, Kind
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Range

_OPEN_LINE = attrgetter("open_line")
_FARTHEST = 500
"""Lines above a range in which a statement must begin."""


def format_range_steps(module: Module, first: int, last: int) -> Generator[None, None, list[BlankEdit]]:
    """The edits that format the lines from `first` to `last` (included), in steps.

    No edits if no statement begins in the lines above: what surrounds these lines is then not known.
    """
    document = module.document
    nearest = min(first // LINES_PER_BLOCK * LINES_PER_BLOCK, document.line_count - 1)
    found = yield from near_construct_steps(document, max(0, nearest - _FARTHEST), nearest)
    begin = _beginning(document, found, nearest)
    if begin is None:
        return []
    end = (last // LINES_PER_BLOCK + 1) * LINES_PER_BLOCK - 1
    edits: list[BlankEdit] = []
    for some in format_steps(document, begin, end, _state(document, found, begin)):
        edits += [edit for edit in some if first <= edit.line <= last]
        yield
    return edits


def _beginning(document: Document, found: Constructs, line: int) -> int | None:
    """The nearest line at or above `line` that begins between two statements and outside of comments."""
    is_old = document_style(document).is_old
    for number in range(line, max(-1, line - _FARTHEST), -1):
        if number == 0:
            return 0
        if not any(_is_within(ranges, number) for ranges in (found.comments, found.assembly, found.headers)):
            above = document.line(number - 1).rstrip()
            ended = above.endswith((";", "{", "}", ":")) and "//" not in above and not _is_within(found.lists, number)
            around = _around(found, number) if ended else []
            if not ended or any(each.name in UNALIGNED_SECTIONS for each in around):
                continue
            if not (is_old and around and _is_in_assembly(document, around[-1].open_line, number)):
                return number
    return None


def _is_in_assembly(document: Document, first: int, number: int) -> bool:
    """Whether a line of a function that begins at `first` is between two comments that are the same."""
    above = document.text(Range(first, 0, number, 0))
    return sum(line.strip() == SAME_ASSEMBLY_COMMENT for line in above.split("\n")) % 2 == 1


def _is_within(ranges: list[Range], line: int) -> bool:
    """Whether a line is in one of the ranges, which are in the order of the text, and does not begin it."""
    index = bisect_right(ranges, line, key=lambda range_: range_.line) - 1
    return index >= 0 and ranges[index].line < line <= ranges[index].end_line


def _state(document: Document, found: Constructs, line: int) -> State:
    """The state at the beginning of a line."""
    return State(frames=tuple(_frame(document, each) for each in reversed(_around(found, line))))


def _around(found: Constructs, line: int) -> list[Construct]:
    """What is open at the beginning of a line, the last one first. A function or section ends all above it."""
    around: list[Construct] = []
    for index in range(bisect_left(found.braced, line, key=_OPEN_LINE) - 1, -1, -1):
        each = found.braced[index]
        if (each.end_line, each.end_column) > (line, 0):
            around.append(each)
        if each.kind is not Kind.SCOPE:
            break
    return around


def _frame(document: Document, construct: Construct) -> Frame:
    if construct.kind is Kind.SECTION:
        return Frame.SECTION
    if construct.kind is not Kind.SCOPE:
        return Frame.BODY
    rest = document.line(construct.open_line)[construct.opening :].strip()
    return Frame.TIGHT_SCOPE if rest and not rest.startswith("//") else Frame.SCOPE
