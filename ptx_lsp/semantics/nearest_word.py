"""The known word that is most similar to a misspelt one."""

from ptx_lsp.light_classes import Iterable

_LONGEST = 60  # characters; no word of PTX is longer, and a comparison costs the square of the length


def nearest(word: str, words: Iterable[str]) -> str:
    """The one of `words` that is most similar to `word`; an empty text if none is similar."""
    from difflib import get_close_matches

    if len(word) > _LONGEST:
        return ""
    found = get_close_matches(word.lower(), sorted(words), 1, 0.6)
    return found[0] if found else ""
