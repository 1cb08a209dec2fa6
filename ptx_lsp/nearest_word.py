"""The known word that is most similar to a misspelt one."""

from ptx_lsp.light_classes import Iterable

_LONGEST = 60  # characters; hardly a known word is longer, and a comparison costs the square of the length
LIKENESS = 0.6
"""How similar two words must be, from 0 to 1: the share of their characters that they have in common, in order."""


def nearest(word: str, words: Iterable[str], likeness: float = LIKENESS) -> str:
    """The one of `words` that is most similar to `word`; an empty text if none is similar or `word` is very long.

    Letters of another case are other letters.
    """
    if len(word) > _LONGEST:
        return ""
    from difflib import SequenceMatcher  # only a text with a mistake needs it

    matcher = SequenceMatcher(None, "", word)
    most, found = likeness, ""
    for bound, known in sorted(_bounds(word, words), reverse=True):
        if bound < most:
            break
        matcher.set_seq1(known)
        if matcher.quick_ratio() >= most:
            most, found = max((most, found), (matcher.ratio(), known))
    return found


def guess(word: str, words: Iterable[str]) -> tuple[str, dict[str, str]]:
    """The end of a message about an unknown word, and the data for the fix that replaces it by a similar known word.

    Both are empty if none of `words` is similar. A capital letter of `word` is as good as the small one.
    """
    found = nearest(word.lower(), words)
    return (f"; did you mean `{found}`?", {"replacement": found}) if found else ("", {})


def _bounds(word: str, words: Iterable[str]) -> Iterable[tuple[float, str]]:
    """How similar each of `words` may be at most: to compare two words costs twenty times as much as to see that."""
    others = dict.fromkeys(map(ord, word))
    for known in words:
        common = len(known) - len(known.translate(others))
        yield 2 * min(common, len(word)) / ((len(known) + len(word)) or 1), known
