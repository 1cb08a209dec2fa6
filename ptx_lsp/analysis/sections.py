"""Sections with debug information as compilers write them: read by one pattern, however long they are.

As all of the quick scan it stands in front of the full way: what is not surely fine is left to it.
"""

import re
from collections.abc import Callable

from ptx_lsp.analysis.fold import CHECKED, Fold
from ptx_lsp.analysis.pieces import NAME
from ptx_lsp.analysis.plain import has_all
from ptx_lsp.analysis.scan import END_OF_LINE
from ptx_lsp.semantics.debug import debug_information
from ptx_lsp.semantics.requirements import since

_LABELS_SINCE = since("a label inside a `.section`")
_END = r"[ \t]*+(?://[^\r\n]*+)?\r?\n"
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_HALF = r"(?:[1-9][0-9]{0,3}|0)"
_WORD = r"(?:0[xX][0-9a-fA-F]{1,8}|[1-9][0-9]{0,8}|0)"
_PLACE = rf"(?:\.[a-z_]++|{NAME})(?:[ \t]*+\+[ \t]*+{_WORD})?"


def _data(type_: str, number: str) -> str:
    return rf"\.{type_}[ \t]++{number}(?:[ \t]*+,[ \t]*+{number}|(?!))*+"


_ROWS = re.compile(
    rf"""(?:[ \t]*+(?:{_data("b8", _BYTE)}|{_data("b(?:32|64)", _WORD)}|{_data("b16", _HALF)}
    |\.b(?:32|64)[ \t]++{_PLACE}|{NAME}[ \t]*+:)?{_END}|(?!))*+""",
    re.X | re.A,
)
_HEAD = re.compile(r"[ \t]*+\.section[ \t]++\.[a-zA-Z_]\w*+[ \t]*+(?:\r?\n[ \t]*+)?\{[ \t]*+\r?\n", re.A)
_CLOSE = re.compile(rf"[ \t]*+\}}{END_OF_LINE.pattern}", re.A)
_LABEL = re.compile(rf"^[ \t]*+({NAME})[ \t]*+:", re.M | re.A)


def section(fold: Fold, start: int, extend: Callable[[], bool]) -> int:
    """Take the section at the offset `start` of a module. Returns where its last line ends, 0 where it is not so plain.

    `extend` makes the text of the block longer, and tells whether it could.
    """
    head = _HEAD.match(fold.text, start)
    if head is None or not has_all(fold) or CHECKED not in fold.header:
        return 0
    end = head.end()
    while True:
        rows = _ROWS.match(fold.text, end)
        end = rows.end() if rows is not None else end
        if end < len(fold.text) or not extend():
            break
    close = _CLOSE.match(fold.text, end)
    if close is None:
        return 0
    labels = _LABEL.findall(fold.text, head.end(), end)
    if labels and (fold.profile.version < _LABELS_SINCE or len(set(labels)) < len(labels)):
        return 0
    fold.declare(debug_information(fold.scopes[-1], fold.mark(start, start + 1)))
    return close.end()
