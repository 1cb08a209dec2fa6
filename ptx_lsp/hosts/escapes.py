"""The escapes of string literals, one row per language: from the text between the quotes to decoded text with its map.

Sources: C++ [lex.string], [lex.ccon]; Python's reference, "String and Bytes literals"; Rust's reference, "Tokens";
LLVM's language reference, "Lexical structure"; MLIR's language reference; Julia's manual, "Strings".
"""

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from ptx_lsp.hosts.source_map import Run
from ptx_lsp.text.lines import LINE_END

_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_LINE_END = LINE_END.pattern


def is_escaped(text: str, start: int, at: int) -> bool:
    """Whether an odd number of backslashes, none of them before the offset `start`, is directly before `at`."""
    first = at
    while first > start and text[first - 1] == "\\":
        first -= 1
    return (at - first) % 2 == 1


class Decoded(NamedTuple):
    """Decoded text and the map of its code points to the source."""

    text: str
    runs: tuple[Run, ...]


class Escapes(NamedTuple):
    """How a kind of literal is decoded: `pattern` finds what is not plain, `resolve` gives the text it means."""

    pattern: re.Pattern[str]
    resolve: Callable[[re.Match[str]], str]

    def decode(self, source: str, start: int, end: int) -> Decoded:
        """The text of a literal whose content is in `source` from `start` to `end`, without the quotes."""
        parts: list[str] = []
        runs: list[Run] = []
        at, decoded = start, 0
        for found in self.pattern.finditer(source, start, end):
            here = found.start()
            if here > at:
                runs.append(Run(decoded, here - at, at, here))
                parts.append(source[at:here])
                decoded += here - at
            at = found.end()
            if text := self.resolve(found):
                runs.append(Run(decoded, len(text), here, at))
                parts.append(text)
                decoded += len(text)
        if end > at:
            runs.append(Run(decoded, end - at, at, end))
            parts.append(source[at:end])
        return Decoded("".join(parts), tuple(runs))


def _character(digits: str, base: int, otherwise: str) -> str:
    """The code point with this number, or the escape as it is written if no code point has it."""
    number = int(digits, base)
    return chr(number) if number < 0x110000 else otherwise


def _c(found: re.Match[str]) -> str:
    body = found[0][1:]
    if found[0][0] != "\\" or not body:
        return found[0]
    first = body[0]
    if first in "\r\n":
        return ""
    if first in "01234567":
        return _character(body, 8, body)
    if first in "xuU" and len(body) > 1:
        # a hexadecimal escape takes all digits that follow; more than a few are an error of the host
        return _character(body[1:][-8:], 16, body)
    return {**_SIMPLE, "e": "\x1b"}.get(first, body)


def _python(found: re.Match[str]) -> str:
    if found[0][0] != "\\":
        return "\n"
    body = found[0][1:]
    if not body:
        return "\\"
    first = body[0]
    if first in "\r\n":
        return ""
    if first in "01234567":
        return _character(body, 8, found[0])
    if first in "xuU" and len(body) > 1:
        return _character(body[1:], 16, found[0])
    if first == "N" and len(body) > 1:
        try:
            return unicodedata.lookup(body[2:-1])
        except KeyError:
            return found[0]
    if first in "\\'\"":
        return first
    return _SIMPLE.get(first, found[0])


def _braces(found: re.Match[str], otherwise: Callable[[re.Match[str]], str]) -> str:
    return found[0][0] if found[0] in ("{{", "}}") else otherwise(found)


def _rust(found: re.Match[str]) -> str:
    if found[0][0] != "\\":
        return "\n"
    body = found[0][1:]
    if not body or body[0] in "\r\n":
        return ""
    if body[0] == "x" and len(body) > 1:
        return _character(body[1:], 16, found[0])
    if body[0] == "u" and len(body) > 1:
        digits = body[2:-1].replace("_", "")
        return _character(digits, 16, found[0]) if digits else found[0]
    return {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}.get(body, body)


def _llvm(found: re.Match[str]) -> str:
    body = found[0][1:]
    return "\\" if body == "\\" else chr(int(body, 16))


def _mlir(found: re.Match[str]) -> str:
    body = found[0][1:]
    if len(body) == 2:
        return chr(int(body, 16))
    return {"n": "\n", "t": "\t"}.get(body, body)


def _julia(found: re.Match[str]) -> str:
    if found[0][0] != "\\":
        return "\n"
    body = found[0][1:]
    if not body or body[0] in "\r\n":
        return ""
    if body[0] in "01234567":
        return _character(body, 8, body)
    if body[0] in "xuU" and len(body) > 1:
        return _character(body[1:], 16, body)
    return {**_SIMPLE, "e": "\x1b"}.get(body[0], body)


def _line_end(_found: re.Match[str]) -> str:
    return "\n"


def _julia_raw(found: re.Match[str]) -> str:
    # backslashes are escapes only before a quote
    return "\n" if found[0][0] == "\r" else "\\" * (len(found[0]) // 2)


C = Escapes(
    re.compile(
        rf"\\(?:{_LINE_END}|[0-7]{{1,3}}|x[0-9a-fA-F]++|u[0-9a-fA-F]{{4}}|U[0-9a-fA-F]{{8}}|[\s\S]|\Z)", re.ASCII
    ),
    _c,
)
C_RAW = Escapes(re.compile(r"\r\n?"), _line_end)
PYTHON = Escapes(
    re.compile(
        rf"\\(?:{_LINE_END}|[0-7]{{1,3}}|x[0-9a-fA-F]{{2}}|u[0-9a-fA-F]{{4}}|U[0-9a-fA-F]{{8}}"
        rf"|N\{{[^{{}}\r\n]{{1,99}}\}}|[\s\S]|\Z)|\r\n?",
        re.ASCII,
    ),
    _python,
)
PYTHON_RAW = C_RAW
# f-strings also write a brace twice
PYTHON_FORMAT = Escapes(
    re.compile(PYTHON.pattern.pattern + r"|\{\{|\}\}", re.ASCII), lambda found: _braces(found, _python)
)
PYTHON_FORMAT_RAW = Escapes(re.compile(r"\r\n?|\{\{|\}\}"), lambda found: _braces(found, _line_end))
RUST = Escapes(
    re.compile(
        rf"\\(?:(?:{_LINE_END})[ \t\r\n]*+|x[0-9a-fA-F]{{2}}|u\{{[0-9a-fA-F_]{{1,8}}\}}|[\s\S]|\Z)|\r\n", re.ASCII
    ),
    _rust,
)
RUST_RAW = Escapes(re.compile(r"\r\n"), _line_end)
LLVM = Escapes(re.compile(r"\\(?:\\|[0-9a-fA-F]{2})", re.ASCII), _llvm)
MLIR = Escapes(re.compile(r"\\(?:[0-9a-fA-F]{2}|[nt\"\\])", re.ASCII), _mlir)
JULIA = Escapes(
    re.compile(
        rf"\\(?:(?:{_LINE_END})[ \t]*+|[0-7]{{1,3}}|x[0-9a-fA-F]{{1,2}}|u[0-9a-fA-F]{{1,4}}|U[0-9a-fA-F]{{1,8}}"
        rf"|[\s\S]|\Z)|\r\n?",
        re.ASCII,
    ),
    _julia,
)
JULIA_RAW = Escapes(re.compile(r'\\++(?="|\Z)|\r\n?'), _julia_raw)
