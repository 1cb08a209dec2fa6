"""Comments that suppress findings: `ptx-lsp: ignore[code]`, with the reach of each and how it is written.

`ignore` is about the line of the comment, `ignore-next-line` about the line after it, `ignore-file` about the whole
file. Codes are separated by commas; without codes, every finding is suppressed.
"""

from ptx_lsp.light_classes import Enum

MARKER = "ptx-lsp:"
UNUSED = "unused-suppression"


class SuppressionReach(Enum):
    """The part of a file in which a comment suppresses findings; the value is the end of its keyword."""

    __hash__ = object.__hash__  # the hash of Enum is written in Python and five times as slow

    LINE = ""
    NEXT_LINE = "-next-line"
    FILE = "-file"


KEYWORD = rf"[ \t]*{MARKER}[ \t]*ignore(-next-line|-file)?(?![\w-])(?:[ \t]*\[([^\[\]\n]*)\])?"
"""The pattern of such a comment without the characters that begin it: group 1 is its reach, group 2 its codes."""

_PLACES = {
    SuppressionReach.LINE: "starts on this line",
    SuppressionReach.NEXT_LINE: "starts on the next line",
    SuppressionReach.FILE: "is in this file",
}


def reach_of(keyword_end: str | None) -> SuppressionReach:
    """The reach for group 1 of `KEYWORD`."""
    return SuppressionReach(keyword_end or "")


def codes_of(listed: str | None) -> tuple[str, ...]:
    """The codes for group 2 of `KEYWORD`; empty for every code."""
    return tuple(filter(None, (code.strip() for code in (listed or "").split(","))))


def comment(codes: tuple[str, ...], reach: SuppressionReach) -> str:
    """The comment of PTX that suppresses findings with these codes."""
    return f"// {MARKER} ignore{reach.value}[{', '.join(codes)}]"


def unused_message(codes: tuple[str, ...], reach: SuppressionReach) -> str:
    """The message about a comment that suppresses nothing."""
    what = " or ".join(f"`{code}`" for code in codes)
    return f"no finding {what} {_PLACES[reach]}" if what else f"no finding {_PLACES[reach]}"
