"""Recognises headers whose end is not in their text: they may continue below it, or what is below may end them."""

from __future__ import annotations

from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.plain_text import NAME_TEXT, NEXT_HEADER, OF_HEADER

_WITHOUT_END = lazy_pattern(
    rf"[ \t]*+(?:(?:\.(?:visible|weak|extern)[ \t]++)?\.(?:entry|func)\b(?:[^{{}};.]++|\.(?!{OF_HEADER})|(?!))*+"
    r"|\.file[ \t][^\n]*+(?:\s++|//[^\n]*+|(?!))*+)\Z",
    re.A,
)
# the last header of a text, without its semicolon
_LAST_DECLARED = lazy_pattern(
    rf"[ \t]*+(?:\.(?:visible|weak|extern)[ \t]++)?\.func[ \t]*+(?:\([^(){{}};]*+\)[ \t]*+)?{NAME_TEXT}[ \t]*+"
    r"\([^(){};]*+\)\s*+\Z",
    re.A,
)
_BEGINS_HEADER = lazy_pattern(rf"[ \t\r\n]*+{NEXT_HEADER}", re.A)


def may_continue_below(text: str, start: int) -> bool:
    """Whether a header or a `.file` begins at the offset `start` and may continue below."""
    return _WITHOUT_END.match(text, start) is not None


def is_last_declared(text: str, start: int) -> bool:
    """Whether the header of a declared function is at the offset `start`, without a semicolon, and nothing after it."""
    return _LAST_DECLARED.match(text, start) is not None


def begins_header(text: str) -> bool:
    """Whether a text begins with a header: it ends one above it that has no semicolon (observed: ptxas 13.5)."""
    return _BEGINS_HEADER.match(text) is not None
