"""The holes of a body: which statements are not judged because a part of their text is not known."""

from ptx_lsp.hosts.statement import HOLE
from ptx_lsp.patterns import lazy_pattern

_TOKEN = lazy_pattern(rf'//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|"[^"\n]*"?|[;{{}}{HOLE}]|[^\s;{{}}{HOLE}"/]+|/')
_SOLID = lazy_pattern(r"[^\n]")


def without_holes(text: str) -> str:
    """The body with blanks in place of each statement that has a hole. Every other place stays where it is.

    A hole may be anything, also several statements; so the statement before it is one of those only if it ends with
    its `;` before the hole.
    """
    if HOLE not in text:
        return text
    parts = list(text)
    for start, end in _parts_with_holes(text):
        parts[start:end] = _SOLID.sub(" ", text[start:end])
    return "".join(parts)


def with_blank_holes(text: str, offset: int) -> str:
    """The same, but the statement with `offset` keeps its text, with a blank in place of each hole.

    So a statement can be completed that has the argument of a macro in it: `"ld.global." TYPE " %0, [%1];"`. The dot
    before a hole, which would have no modifier, is a blank too, except directly before `offset`.
    """
    blanked = without_holes(text)
    for start, end in _parts_with_holes(text):
        if start <= offset <= end:
            before = text[start:offset].replace(f".{HOLE}", "  ").replace(HOLE, " ")
            after = text[offset:end].replace(f".{HOLE}", "  ").replace(HOLE, " ")
            return blanked[:start] + before + after + blanked[end:]
    return blanked


def _parts_with_holes(text: str) -> list[tuple[int, int]]:
    """Where the statements and comments that have a hole begin and end."""
    parts: list[tuple[int, int]] = []
    start, end, broken, begun = 0, 0, False, False
    for found in _TOKEN.finditer(text):
        token, end = found[0], found.end()
        if token.startswith(("//", "/*")):
            parts += [(end - len(token), end)] if HOLE in token else []
            continue
        broken = broken or HOLE in token
        if token == ";" or (token in "{}" and not begun):
            if broken:
                parts.append((start, end))
            start, broken, begun = end, False, False
        else:
            begun = True
    if broken:
        parts.append((start, len(text)))
    return parts


def braces_match(text: str) -> bool:
    """Whether every brace of a body closes and is closed in it; comments and strings are passed over."""
    return not unpaired_braces(text)


def unpaired_braces(text: str) -> frozenset[str]:
    """`{` if a brace of a body does not close in it, `}` if one closes nothing, without comments and strings."""
    depth, unpaired = 0, set[str]()
    for found in _TOKEN.finditer(text):
        if found[0] == "{":
            depth += 1
        elif found[0] == "}" and depth:
            depth -= 1
        elif found[0] == "}":
            unpaired.add("}")
    return frozenset(unpaired | {"{"} if depth else unpaired)


def last_end(text: str) -> int:
    """The offset after the last semicolon: no declaration ends below it, and none is searched for there."""
    return text.rfind(";") + 1


def outside_braces(text: str) -> str:
    """The body with blanks in place of comments, strings and everything inside braces."""
    depth, at = 0, 0
    parts: list[str] = []
    for found in _TOKEN.finditer(text):
        token = found[0]
        depth -= token == "}"
        solid = depth == 0 and not token.startswith(("//", "/*", '"')) and token not in "{}"
        parts.append(text[at : found.start()])
        parts.append(token if solid else _SOLID.sub(" ", token))
        at = found.end()
        depth += token == "{"
    return "".join(parts) + text[at:]
