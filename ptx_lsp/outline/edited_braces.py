"""What the lines around an edit show of the braces of a function."""

from ptx_lsp.isa.directive_names import ENTRY, FILE, FUNC, SECTION
from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.isa.spaces import POINTED_SPACES
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.ranges import Range


def _any_of(*words: str) -> str:
    """A pattern of these words, which begin with a dot."""
    return "|".join(f"\\{word}\\b" for word in words)


_WITH_LINKAGE = rf"(?:(?:{_any_of(*LINKAGES)})\s++|(?!))?+"
# after the brace that ends a function, and after prototypes and variables: what is outside of functions, or the end
_BELOW = lazy_pattern(
    rf"\}}(?:\s++|//[^\n]*+|{_WITH_LINKAGE}(?:{_any_of(FUNC, *POINTED_SPACES)})[^;{{}}\"/]*+;|(?!))*+(?:\Z|("
    rf"{_any_of(FILE, SECTION)}|{_WITH_LINKAGE}(?:{_any_of(ENTRY)}|{_any_of(FUNC)}(?=[^;{{}}]*+\{{))))"
)


def opens_scope(before: str, line: str) -> bool:
    """Whether an edit of a line of a function leaves one scope more open below it: by a `{` more, or a `}` less.

    `before` is the line before the edit; both are without comments. A statement must end above the line.
    """
    old, new = before.strip(), line.strip()
    if not new:
        return old == "}"
    return new[0] == "{" and new[1:].lstrip() == old and (not old or old[-1] in ";:")


def outside_below(text: str, line: int, is_last: bool) -> tuple[Range, ...] | None:
    """What shows that a brace is open, below the brace that ends a function, at which a text begins.

    That is the place of a directive outside of functions, in a document in which the text begins in the line `line`, or
    nothing at the end of the document; `is_last` is true if the text contains that. None if it is something else.
    """
    found = _BELOW.match(text)
    if found is None or not found[1]:
        return () if found is not None and is_last else None
    start, end = found.span(1)
    if "\n" in found[1] or "\n" not in text[:start]:
        return None
    line, begin = line + text.count("\n", 0, start), text.rfind("\n", 0, start) + 1
    return (Range(line, start - begin, line, end - begin),)
