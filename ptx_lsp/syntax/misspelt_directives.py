"""Which directive a misspelt or unfinished word was meant to be."""

from ptx_lsp.isa.directive_names import (
    ENTRY,
    FUNC,
    FUNCTIONS,
    METADATA_SECTION,
    OF_PARAMETERS,
    SECTION,
    SOURCE_SECTION,
    TARGET,
    TARGET_LISTS,
    WITH_SIGNATURE,
)
from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.light_classes import lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.nearest_word import nearest
from ptx_lsp.patterns import lazy_pattern, re
from ptx_lsp.syntax.directives import SHAPES
from ptx_lsp.syntax.header_ends import continues_list
from ptx_lsp.syntax.lexer import DOTTED, NAME, Cursor
from ptx_lsp.syntax.recovery import DECLARING, SPECIFIERS, report_stray
from ptx_lsp.syntax.tree import Specifier, Word

_KNOWN = DECLARING | SHAPES.keys() | WITH_SIGNATURE | {*TARGET_LISTS, SECTION, METADATA_SECTION, SOURCE_SECTION}
_LIKENESS = 0.75
_SHORTEST_BEGUN = 2  # characters, with the dot: a longer begin of one directive alone means that directive
_ARCHITECTURE = lazy_pattern(r"sm_[0-9]++[af]?\Z", re.A)
_RARE = ".loc_intermediate"  # its begin means `.loc`


@forgettable
@lru_cache(maxsize=256)
def meant_directive(word: str) -> str:
    """The directive whose name is nearest to `word` (both with their dots), or `word` if no name is near."""
    if word.lower() in _KNOWN:
        return word.lower()
    begun = [name for name in _KNOWN if name.startswith(word) and name != _RARE]
    if len(begun) == 1 and len(word) > _SHORTEST_BEGUN:
        return begun[0]
    return nearest(word, _KNOWN, _LIKENESS) or word


def misspelt_head(cursor: Cursor, word: str, linked: bool) -> str:
    """The `.entry` or `.func` that the word at the cursor was meant to be; empty if it begins no header.

    `linked`: true after `.visible` or such. A list of parameters below an unknown word belongs to an unfinished header.
    """
    after = cursor.at + 1
    if word in SPECIFIERS:
        return ""
    meant = meant_directive(word)
    if cursor.on_new_line(after) and continues_list(cursor, after):
        return meant if meant in FUNCTIONS else ENTRY
    return meant if linked and cursor.kinds[after] in (NAME, "(") and meant in FUNCTIONS else ""


def missing_head(cursor: Cursor, specifiers: list[Specifier]) -> Word | None:
    """The `.entry` or `.func` that is missing before the name at the cursor, after linkages; None if it is no header.

    It is reported. The last specifier, if it is no linkage, is in its place and is dropped.
    """
    kinds, at = cursor.kinds, cursor.at
    if kinds[at + 1] == NAME and kinds[at + 2] == "(" and all(each.word.text in LINKAGES for each in specifiers):
        report_stray(cursor, f"is in the place of `{ENTRY}` or `{FUNC}`")
        cursor.at = at + 1
        return Word(ENTRY if cursor.word(at + 3) == ".param" else FUNC, cursor.starts[at], cursor.starts[at])
    if kinds[at + 1] != "(" or not (kinds[at + 2] == ")" or cursor.word(at + 2) in OF_PARAMETERS):
        return None
    if any(each.word.text not in LINKAGES for each in specifiers[:-1]):
        return None
    start, end = cursor.starts[at], cursor.ends[at]
    last = specifiers[-1]
    if last.word.text in LINKAGES:
        message = f"`{ENTRY}` or `{FUNC}` is missing before `{cursor.word(at)}`"
    else:
        message, start, end = f"`{last.word.text}` is in the place of `{ENTRY}` or `{FUNC}`", last.start, last.end
        specifiers.pop()
    cursor.problem("unknown-directive", message, start, end)
    is_kernel = cursor.word(at + 2) == ".param" and all(each.word.text != ".extern" for each in specifiers)
    return Word(ENTRY if is_kernel else FUNC, start, start)


def broken_target(cursor: Cursor, word: str) -> Word | None:
    """The word `.target` if the word at the cursor is before it or in its place, which is reported; else None."""
    kinds, at = cursor.kinds, cursor.at
    joined = kinds[at + 1] == DOTTED and kinds[at + 2] == NAME
    if joined and cursor.word(at + 1) == TARGET and not cursor.on_new_line(at + 1) and word in (TARGET, *FUNCTIONS):
        report_stray(cursor, f"is not expected before `{TARGET}`")
        cursor.at = at + 2
        return Word(TARGET, cursor.starts[at + 1], cursor.ends[at + 1])
    last = at + 1 if joined else at
    whole = cursor.text[cursor.starts[at] : cursor.ends[last]]
    if last > at and whole.replace(".", "") != TARGET[1:]:
        return None
    if word == TARGET or kinds[last + 1] != NAME or _ARCHITECTURE.match(cursor.word(last + 1)) is None:
        return None
    if not cursor.on_new_line(last + 2):
        return None
    start, end = cursor.starts[at], cursor.ends[last]
    message = f"`{whole}` is in the place of `{TARGET}`"
    cursor.problem("unknown-directive", message, start, end, data=(("replacement", TARGET),))
    cursor.at = last + 1
    return Word(TARGET, start, end)
