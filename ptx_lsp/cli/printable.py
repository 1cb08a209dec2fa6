"""Text for a terminal: made safe, if it is from files and file names, and numbers with their nouns."""

_UNSAFE = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_REPLACEMENT = "\ufffd"


def counted(number: int, noun: str) -> str:
    """A number with its noun, which takes an `s` in the plural: `1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def printable(text: str) -> str:
    """The text with a replacement character for each character that a terminal executes or does not show.

    These are, by Unicode's categories, control and format characters (among them those that change the direction of
    the text), lone surrogates, and the separators of lines and paragraphs.
    """
    if text.isprintable():
        return text
    from unicodedata import category

    return "".join(_REPLACEMENT if category(c) in _UNSAFE else c for c in text)
