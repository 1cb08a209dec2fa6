"""The difference between two texts as edits of whole lines: editors keep cursors and folds in the other lines."""

from difflib import SequenceMatcher

from ptx_lsp.fixes.fix import Edit
from ptx_lsp.text.lines import split_lines
from ptx_lsp.text.ranges import Range

MOST_COMPARED = 4_000
"""If there are more lines than this between the first and the last change, one edit replaces all of them."""


def line_edits(old: str, new: str) -> tuple[Edit, ...]:
    """Edits that turn `old` into `new`, in the order of the text and without overlap."""
    before, after = split_lines(old), split_lines(new)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    left, right = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(left) > MOST_COMPARED:
        return (_edit(before, head, len(before) - tail, right),)
    changes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return tuple(_edit(before, head + a, head + b, right[c:d]) for tag, a, b, c, d in changes if tag != "equal")


def _common(one: list[str], other: list[str]) -> int:
    """The number of lines at the beginning that are the same."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _edit(lines: list[str], first: int, last: int, new: list[str]) -> Edit:
    """The lines from `first` up to `last` become `new`."""
    if last < len(lines):
        return Edit(Range(first, 0, last, 0), "".join(new))
    end = len(lines) - 1
    column = len(lines[end])
    if first < len(lines):
        return Edit(Range(first, 0, end, column), "".join(new))
    return Edit(Range(end, column, end, column), "".join(new))
