"""Makes text from files and file names safe for a terminal."""

_UNSAFE = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_REPLACEMENT = "\ufffd"


def printable(text: str) -> str:
    """The text with a replacement character for each character that a terminal executes or does not show.

    These are, by Unicode's categories, control and format characters (among them those that change the direction of
    the text), lone surrogates, and the separators of lines and paragraphs.
    """
    if text.isprintable():
        return text
    from unicodedata import category

    return "".join(_REPLACEMENT if category(c) in _UNSAFE else c for c in text)
