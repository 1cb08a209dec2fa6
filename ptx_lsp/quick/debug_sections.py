"""Recognises debug information as compilers write it: a `.file`, the `.loc` of a text, and a section.

A section is recognised by one pattern for all of its lines.
"""

from __future__ import annotations

from ptx_lsp.isa.versions import Version
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.quick.declarations import END_OF_LINE, has_plain
from ptx_lsp.quick.effect import POSITION, Effect, LineEffect
from ptx_lsp.quick.known import Known, View
from ptx_lsp.semantics.debug_symbols import debug_information, file_name, file_symbol
from ptx_lsp.semantics.inlined_code import INLINED_SINCE, are_positions, locations
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.syntax.section_rows import SectionRows

# The first versions that have a label and a difference of labels inside a `.section`: `semantics/requirements.py` has
# them too, but its import takes a hundredth of the time for a file of 16,000 lines.
LABELS_SINCE = Version(7, 0)
DIFFERENCES_SINCE = Version(7, 5)
_CLOSE = lazy_pattern(rf"[ \t]*+\}}{END_OF_LINE.pattern}", re.A)

# Older compilers add a time and a size. What follows after blanks and comments is a dot or the end of the text: neither
# a comma nor a second string.
_NUMBER = "(?:0|[1-9][0-9]{0,17})"
_FILE = lazy_pattern(
    rf"""[ \t]*+\.file[ \t]++(0|[1-9][0-9]{{0,8}})[ \t]++"(?:[^"\\\r\n]++|\\\\|(?!))*+"
    (,[ \t]*+{_NUMBER},[ \t]*+{_NUMBER}|(?!))?+{END_OF_LINE.pattern}
    (?=(?:[ \t\r\n]++|//[^\n]*+|(?!))*+(?:\.|(\Z)))""",
    re.X | re.A,
)


def source_file(text: str, start: int, view: View, at_end: bool) -> Effect | None:
    """The effect of the `.file` at the offset `start`, outside of functions; None unless it is fine.

    `at_end` is true if nothing follows below the text.
    """
    match = _FILE.match(text, start)
    if match is None or not match[0].isascii() or view.scope.own(file_name(match[1])) is not None:
        return None
    if (match[2] and not has_plain(view.known.profile)) or (match[3] is not None and not at_end):
        return None
    return Effect.of_declaration(match.end(), (file_symbol(match[1], view.mark(*match.span(1))),))


def has_inlined(profile: Profile) -> bool:
    """Whether a `.loc` may have the position of inlined code, for certain."""
    return profile.maximum is None and profile.version >= INLINED_SINCE


def find_positions(lines: list[str], places: list[int], effects: list[LineEffect | None], known: Known) -> None:
    """Find each line at these places that is a `.loc` as compilers write it, and fine; its effect becomes `POSITION`.

    It is not known whether the statement of such a line continues below it.
    """
    texts = list({lines[place] for place in places})
    if not are_positions(texts):  # to find each location takes twice as long
        inlined = has_inlined(known.profile)
        located = zip(texts, locations(texts), strict=True)
        texts = [line for line, (at, name, _) in located if at and (inlined or not name)]
    found = dict.fromkeys(texts, POSITION)
    known.lines.add_all(found)
    for place in places:
        effects[place] = found.get(lines[place])


def section(text: str, start: int, rows: SectionRows, view: View) -> Effect | None:
    """The effect of the section at the offset `start`, which has these rows; None unless it is fine.

    The effect ends at the end of the section's last line.
    """
    profile = view.known.profile
    if not (rows.has_brace and has_plain(profile)):
        return None
    close = _CLOSE.match(text, rows.end)
    if close is None:
        return None
    labels = _fine_labels(text, rows, profile)
    if labels is None or len(set(labels)) < len(labels):
        return None
    return Effect.of_declaration(close.end(), debug_information(view.mark(start, start + 1)))


def labels_of_rows(text: str, profile: Profile) -> list[str] | None:
    """The labels of a text, in order; None unless it consists of rows of a section that are fine in any section."""
    rows = SectionRows(text, 0)
    return _fine_labels(text, rows, profile) if rows.end == len(text) else None


def may_leave_out_rows(text: str, parts: list[SectionRows], profile: Profile) -> bool:
    """Whether every one of these rows is fine in every section, unless it has a label that is there already."""
    if profile.version >= max(DIFFERENCES_SINCE, LABELS_SINCE):
        return True
    return all(_fine_labels(text, rows, profile) is not None for rows in parts)


def _fine_labels(text: str, rows: SectionRows, profile: Profile) -> list[str] | None:
    """The labels of rows; None if the version of the module does not have what the rows have."""
    if profile.version < DIFFERENCES_SINCE and rows.has_differences(text):
        return None
    labels = rows.labels(text)
    return None if labels and profile.version < LABELS_SINCE else labels
