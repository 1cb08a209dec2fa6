"""Text from files and file names, made safe for a terminal."""

_OBEYED = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_REPLACEMENT = "\ufffd"


def printable(text: str) -> str:
    """The text with the replacement character for whatever a terminal would obey, or show as nothing.

    These are, by Unicode's categories, control and format characters (among them those that turn the direction of
    writing), lone surrogates, and the separators of lines and paragraphs.
    """
    if text.isprintable():
        return text
    from unicodedata import category

    return "".join(_REPLACEMENT if category(c) in _OBEYED else c for c in text)
