"""Where the keys and values of a TOML text are: `tomllib` reads the values and does not say it.

The text is one that `tomllib` has read without an error, so that the tokens are found without checking them again.
"""

import tomllib

from ptx_lsp.light_classes import Mapping
from ptx_lsp.patterns import lazy_pattern

Path = tuple[str | int, ...]
Span = tuple[int, int]
"""The offsets where a key or value begins and ends."""

# each alternative begins with a character that no other one begins with, except the strings: the longer one is first
_TOKEN = lazy_pattern(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}'
    r"|'''(?:[^']|'(?!''))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|[^\s\"'#\[\]{}=,.]+"
    r"|[\[\]{}=,.\n]"
    r"|#[^\n]*",
    16,  # re.S
)
_END = ""
MOST_KEYS = 64
"""The most keys on a path: `tomllib` takes time with the square of their number."""

_OPAQUE = lazy_pattern(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*')
_BETWEEN_KEYS = lazy_pattern(r"[^\w\-. \t]+")


def has_long_keys(text: str) -> bool:
    """Whether a text, which need not be TOML, may have a dotted key of more than `MOST_KEYS` parts."""
    return any(piece.count(".") > MOST_KEYS for piece in _BETWEEN_KEYS.split(_OPAQUE.sub("_", text)))


def places(text: str) -> Mapping[Path, Span]:
    """The places of all keys and of the elements of arrays.

    A path holds the keys from the root and, for an element, its index. The place of a path that ends with a key is the
    key, for a table its header; that of an element is its value. Raises RecursionError if values are nested too deeply.
    """
    return _Walk(text).places()


class _Walk:
    """One pass over the tokens."""

    def __init__(self, text: str) -> None:
        found = ((match[0], match.start(), match.end()) for match in _TOKEN.finditer(text))
        self._tokens = [token for token in found if token[0][0] != "#"]
        self._tokens.append((_END, len(text), len(text)))
        self._at = 0
        self._found: dict[Path, Span] = {}

    def places(self) -> Mapping[Path, Span]:
        """Every key and element of the text."""
        table: Path = ()
        while self._word != _END:
            if self._word == "\n":
                self._at += 1
            elif self._word == "[":
                while self._word == "[":
                    self._at += 1
                table = self._key(())
                while self._word == "]":
                    self._at += 1
            else:
                self._assignment(table)
        return self._found

    @property
    def _word(self) -> str:
        return self._tokens[self._at][0]

    def _assignment(self, table: Path) -> None:
        path = self._key(table)
        self._at += 1  # the `=`
        self._value(path)

    def _key(self, table: Path) -> Path:
        """Read the parts of a key up to a `=` or `]`; each part is a place."""
        path = table
        while self._word not in ("=", "]", _END):
            word, start, end = self._tokens[self._at]
            if word != ".":
                path = (*path, _plain(word))
                if len(path) > MOST_KEYS:
                    raise RecursionError
                self._found.setdefault(path, (start, end))
            self._at += 1
        return path

    def _value(self, path: Path) -> None:
        opening = self._word
        if opening not in ("[", "{"):
            while self._word not in (",", "]", "}", "\n", _END):
                self._at += 1
            return
        self._at += 1
        index = 0
        while self._word not in ("]", "}", _END):
            if self._word in (",", "\n"):
                self._at += 1
            elif opening == "{":
                self._assignment(path)
            else:
                start = self._tokens[self._at][1]
                self._value((*path, index))
                self._found[*path, index] = (start, self._tokens[self._at - 1][2])
                index += 1
        self._at += 1


def _plain(word: str) -> str:
    """A part of a key without its quotes."""
    return str(tomllib.loads(f"x = {word}")["x"]) if word[0] in "\"'" else word
