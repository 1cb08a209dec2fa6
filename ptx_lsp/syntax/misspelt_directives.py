"""Which directive a misspelt or unfinished word was meant to be."""

from ptx_lsp.isa.directive_names import (
    FUNCTIONS,
    METADATA_SECTION,
    SECTION,
    SOURCE_SECTION,
    TARGET_LISTS,
    WITH_SIGNATURE,
)
from ptx_lsp.light_classes import lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.nearest_word import nearest
from ptx_lsp.syntax.directives import SHAPES
from ptx_lsp.syntax.lexer import NAME, Cursor
from ptx_lsp.syntax.recovery import DECLARING

_KNOWN = DECLARING | SHAPES.keys() | WITH_SIGNATURE | {*TARGET_LISTS, SECTION, METADATA_SECTION, SOURCE_SECTION}
_LIKENESS = 0.75
_SHORTEST_BEGUN = 2  # characters, with the dot: a longer begin of one directive alone means that directive
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


def is_misspelt_head(cursor: Cursor, word: str) -> bool:
    """Whether the word at the cursor, after `.visible` or such, was meant to be `.entry` or `.func`."""
    return word not in DECLARING and cursor.kinds[cursor.at + 1] in (NAME, "(") and meant_directive(word) in FUNCTIONS
