"""The tokens of Rust inside one assembly macro. Source: Rust's reference, "Tokens"."""

import re
from enum import Enum
from typing import NamedTuple

from ptx_lsp.hosts.escapes import RUST, RUST_RAW
from ptx_lsp.hosts.statement import Piece, PieceKind
from ptx_lsp.hosts.text_scan import nested_comment_end

_TOKEN = re.compile(
    r"""
(?P<space>\s++)
|(?P<line>//[^\r\n]*+)
|(?P<block>/\*)
|(?P<raw>(?:br|cr|r)(?P<fence>\#{0,99})"(?:[^"]++|"(?!(?P=fence))|(?!))*+(?:"(?P=fence))?)
|(?P<string>[bc]?"(?:[^"\\]++|\\[\s\S]?|(?!))*+"?)
|(?P<character>b?'(?:[^'\\\r\n]|\\(?:u\{[^}'\r\n]*+\}|x..|.))')
|(?P<lifetime>'[^\W\d]\w*+)
|(?P<name>(?:r\#)?[^\W\d]\w*+)
|(?P<number>\d\w*+)
|(?P<arrow>=>)
|(?P<other>[\s\S])
""",
    re.X,
)
NESTED_COMMENT = re.compile(r"(?P<begin>/\*)|\*/")
_OPENING = {")": "(", "]": "[", "}": "{"}
MACROS = frozenset(("asm", "ptx_asm"))


class Kind(Enum):
    """What a token is. Blanks and comments are no tokens."""

    NAME = "name"
    STRING = "string"
    OTHER = "other"


class Token(NamedTuple):
    """A token from offset `start` to `end`. `depth` is the number of brackets around it; a bracket counts itself."""

    kind: Kind
    spelling: str
    start: int
    end: int
    depth: int


class Tokens(NamedTuple):
    """The tokens of one macro with its brackets, and the offset after them.

    `closed` is True if the closing bracket was found; `ran_out` is True if the text ended before it.
    """

    tokens: list[Token]
    end: int
    closed: bool
    ran_out: bool


def macro_tokens(text: str, start: int, limit: int) -> Tokens:
    """The tokens from the opening bracket at `start` up to the one that closes it.

    A macro that is not closed ends before a `;` directly in it, before `}` without its brace, and before the next
    assembly macro.
    """
    tokens: list[Token] = []
    brackets: list[str] = []
    at = start
    while at < limit:
        found = _TOKEN.match(text, at, limit)
        assert found is not None
        group, here, at = found.lastgroup or "", at, found.end()
        spelling = found[0]
        if group == "block":
            at, _ = nested_comment_end(NESTED_COMMENT, text, at, limit, 1)
        if group in ("space", "line", "block"):
            continue
        if _stops(text, spelling, at, brackets):
            return Tokens(tokens, here, False, False)
        depth = len(brackets)
        if spelling in ("(", "[", "{"):
            brackets.append(spelling)
            depth += 1
        elif spelling in _OPENING and brackets[-1:] == [_OPENING[spelling]]:
            brackets.pop()
        kind = Kind.NAME if group == "name" else Kind.STRING if group in ("raw", "string") else Kind.OTHER
        tokens.append(Token(kind, spelling, here, at, depth))
        if not brackets:
            return Tokens(tokens, at, True, False)
    last = tokens[-1].start if tokens else start
    return Tokens(tokens, last if limit < len(text) else limit, False, True)


def _stops(text: str, spelling: str, end: int, brackets: list[str]) -> bool:
    """Whether this token cannot belong to the macro: it was not closed."""
    if spelling == ";":
        return len(brackets) == 1
    if spelling == "}":
        return brackets[-1:] != ["{"]
    return spelling in MACROS and text.startswith("!", end)


def literal_piece(text: str, token: Token) -> Piece | None:
    """The piece of a string token; None for bytes, which hold no text."""
    prefix = token.spelling[: token.spelling.index('"')]
    if prefix[:1] in ("b", "c"):
        return None
    start = token.start + len(prefix) + 1
    closing = '"' + prefix[1:]
    closed = token.spelling.endswith(closing) and token.end - len(closing) >= start
    decoded = (RUST_RAW if prefix else RUST).decode(text, start, token.end - len(closing) if closed else token.end)
    return Piece(PieceKind.LITERAL, token.start, token.end, *decoded)
