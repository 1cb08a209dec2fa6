"""Document links: the files that a path in a `.file` directive can mean."""

import re

_ESCAPE = re.compile(r"\\(?:([0-7]{3})|x([0-9a-fA-F]{2})|([\\\"'nt]))")
_CHARACTERS = {"n": "\n", "t": "\t"}


def spellings(path: str) -> list[str]:
    """The paths that a written path can mean: as it is, and with its escapes resolved, as compilers of C write them.

    Octal and hexadecimal escapes are bytes of UTF-8.
    """
    data = _ESCAPE.sub(_unescaped, path)
    try:
        resolved = data.encode("latin-1").decode("utf-8") if data != path and path.isascii() else data
    except UnicodeDecodeError:
        resolved = data
    return list(dict.fromkeys((path, resolved)))


def _unescaped(match: re.Match[str]) -> str:
    octal, hexadecimal, character = match.groups()
    if octal is not None:
        return chr(int(octal, 8) & 0xFF)
    if hexadecimal is not None:
        return chr(int(hexadecimal, 16))
    return _CHARACTERS.get(character, character)
