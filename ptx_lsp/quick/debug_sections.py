"""Recognises debug information as compilers write it: a `.file`, and a section, by one pattern for all of its lines."""

from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.declarations import END_OF_LINE, has_plain
from ptx_lsp.quick.effect import Effect, View
from ptx_lsp.semantics.debug import debug_information, file_name, file_symbol
from ptx_lsp.semantics.requirements import since
from ptx_lsp.syntax.plain_text import NAME_TEXT

_LABELS_SINCE = since("a label inside a `.section`")
_END = r"[ \t]*+(?://[^\r\n]*+)?\r?\n"
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_HALF = r"(?:[1-9][0-9]{0,3}|0)"
_WORD = r"(?:0[xX][0-9a-fA-F]{1,8}|[1-9][0-9]{0,8}|0)"
_PLACE = rf"(?:\.[a-z_]++|{NAME_TEXT})(?:[ \t]*+\+[ \t]*+{_WORD})?"


def _data(type_: str, number: str) -> str:
    return rf"\.{type_}[ \t]++{number}(?:[ \t]*+,[ \t]*+{number}|(?!))*+"


_ROWS = lazy_pattern(
    rf"""(?:[ \t]*+(?:{_data("b8", _BYTE)}|{_data("b(?:32|64)", _WORD)}|{_data("b16", _HALF)}
    |\.b(?:32|64)[ \t]++{_PLACE}|{NAME_TEXT}[ \t]*+:)?{_END}|(?!))*+""",
    re.X | re.A,
)
_HEAD = lazy_pattern(r"[ \t]*+\.section[ \t]++\.[a-zA-Z_]\w*+[ \t]*+(?:\r?\n[ \t]*+)?\{[ \t]*+\r?\n", re.A)
_CLOSE = lazy_pattern(rf"[ \t]*+\}}{END_OF_LINE.pattern}", re.A)
_LABEL = lazy_pattern(rf"^[ \t]*+({NAME_TEXT})[ \t]*+:", re.M | re.A)

# the next statement begins with a dot, so that neither a comma nor a second string follows
_FILE = lazy_pattern(
    rf"""[ \t]*+\.file[ \t]++(0|[1-9][0-9]{{0,8}})[ \t]++"[^"\\\r\n]*+"{END_OF_LINE.pattern}(?=[ \t\r\n]*+\.)""", re.A
)


def source_file(text: str, start: int, view: View) -> Effect | None:
    """The effect of the `.file` at the offset `start`, outside of functions; None unless it is fine."""
    match = _FILE.match(text, start)
    if match is None or view.scope.own(file_name(match[1])) is not None:
        return None
    return Effect.of_declaration(match.end(), (file_symbol(match[1], view.mark(*match.span(1))),))


def rows_end(text: str, start: int) -> int:
    """The offset of the end of the rows of the section at the offset `start`; -1 if no section begins there.

    It is the end of the text if more rows may follow.
    """
    head = _HEAD.match(text, start)
    return -1 if head is None else further_rows_end(text, head.end())


def further_rows_end(text: str, start: int) -> int:
    """The offset of the end of the rows that begin at the offset `start`; `start` if there are none."""
    rows = _ROWS.match(text, start)
    return rows.end() if rows is not None else start


def section(text: str, start: int, end: int, view: View) -> Effect | None:
    """The effect of the section at the offset `start` whose rows end at the offset `end`; None unless it is fine.

    The effect ends at the end of the section's last line.
    """
    profile = view.known.profile
    if not has_plain(profile):
        return None
    close = _CLOSE.match(text, end)
    if close is None:
        return None
    labels = _LABEL.findall(text, start, end)
    if labels and (profile.version < _LABELS_SINCE or len(set(labels)) < len(labels)):
        return None
    return Effect.of_declaration(close.end(), debug_information(view.mark(start, start + 1)))
