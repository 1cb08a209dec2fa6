"""The known word that is most similar to a misspelt one."""

from ptx_lsp.light_classes import Iterable

_LONGEST = 60  # characters; hardly a known word is longer, and a comparison costs the square of the length
LIKENESS = 0.6
"""How similar two words must be, from 0 to 1: the share of their characters that they have in common, in order."""


def nearest(word: str, words: Iterable[str], likeness: float = LIKENESS) -> str:
    """The one of `words` that is most similar to `word`; an empty text if none is similar or `word` is very long.

    Letters of another case are other letters.
    """
    from difflib import get_close_matches  # only a text with a mistake needs it

    return next(iter(get_close_matches(word, words, 1, likeness)), "") if len(word) <= _LONGEST else ""
