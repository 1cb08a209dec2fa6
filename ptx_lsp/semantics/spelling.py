"""The word that somebody probably meant."""

from collections.abc import Iterable

_LONGEST = 60  # beyond that nobody misspelt a word of PTX, and comparing costs the square of the length


def nearest(word: str, words: Iterable[str]) -> str:
    """The one of `words` that is spelt most like `word`, or an empty text where none comes near."""
    from difflib import get_close_matches

    if len(word) > _LONGEST:
        return ""
    found = get_close_matches(word.lower(), sorted(words), 1, 0.6)
    return found[0] if found else ""
