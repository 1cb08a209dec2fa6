"""The first place at which a function reads a name, for a report about it: only the text says where."""

from __future__ import annotations

from ptx_lsp.analysis.block_map import BlockMap
from ptx_lsp.analysis.module_checks import begin_of
from ptx_lsp.isa.directive_names import SECTION
from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.reading.block import FunctionPart
from ptx_lsp.semantics.symbols import Mark
from ptx_lsp.syntax.operand_places import OperandPlaces, is_plain_instruction, is_plain_operand
from ptx_lsp.syntax.plain_text import places_of_name, without_comments
from ptx_lsp.text.lines import begin_of_line, count_line_ends
from ptx_lsp.text.ranges import Range


class _Searched(NamedTuple):
    """A part of a function whose names are looked for, the text of its block, and the offsets between which it is.

    `has_sections` and `has_block_comments` are true if there may be some, which may hide what a line is.
    """

    part: FunctionPart
    text: str
    first: int
    stop: int
    has_sections: bool
    has_block_comments: bool


class _Blanked(NamedTuple):
    """A text with blanks in place of the comments of a part, and the operands in it."""

    text: str
    operands: OperandPlaces


class FirstReads:
    """Finds names in the parts of a function, while that is concluded: most names are looked for in the same part."""

    def __init__(self, block_map: BlockMap) -> None:
        self._block_map = block_map
        self._searched: _Searched | None = None
        self._blanked: _Blanked | None = None  # of the same part, if it was needed

    def find(self, part: FunctionPart, name: str) -> Mark | None:
        """The first place in a part at which a name is an operand or a guard, but not the target of a branch."""
        searched = self._searched
        if searched is None or searched.part is not part:
            searched, self._blanked = _search(part, self._block_map.text(part.block)), None
            self._searched = searched
        at = next(places_of_name(searched.text, name, part.start, searched.stop), -1)
        if at < 0:
            return None
        if not (searched.has_sections or searched.has_block_comments) and _is_plainly_read(searched.text, at):
            mark = _mark(searched, at, name)
            if mark is not None:
                return mark
        return self._among_operands(searched, name)

    def _among_operands(self, searched: _Searched, name: str) -> Mark | None:
        if self._blanked is None:
            self._blanked = _blank(searched)
        text, operands = self._blanked
        for at in places_of_name(text, name, searched.part.start, searched.stop):
            if operands.holds(at) and (mark := _mark(searched, at, name)) is not None:
                return mark
        return None


def _search(part: FunctionPart, text: str) -> _Searched:
    stop, first = len(text) if part.stop is None else part.stop, begin_of(part, text)
    has_sections, has_block_comments = (text.find(begin, first, stop) >= 0 for begin in (SECTION, "/*"))
    return _Searched(part, text, first, stop, has_sections, has_block_comments)


def _is_plainly_read(text: str, at: int) -> bool:
    """Whether the line of an offset is an instruction, and the offset in an operand or its guard, for certain."""
    start = begin_of_line(text, at)
    return is_plain_instruction(text, start) and is_plain_operand(text, start, at)


def _blank(searched: _Searched) -> _Blanked:
    text, first, stop = searched.text, searched.first, searched.stop
    # names in thousands of comments would be looked at one by one
    text = text[:first] + without_comments(text[first:stop]) + text[stop:]
    return _Blanked(text, OperandPlaces(text, first, has_sections=searched.has_sections))


def _mark(searched: _Searched, at: int, name: str) -> Mark | None:
    """The place of a name; None if it is the target of a branch there, which reads nothing."""
    part, start = searched.part, begin_of_line(searched.text, at)
    line, column = count_line_ends(searched.text, start), at - start
    range_ = Range(line, column, line, column + len(name))
    if any(use.name == name and use.mark.range == range_ for use in part.label_uses):
        return None
    return Mark(part.block, range_)
