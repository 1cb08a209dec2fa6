"""Julia's string literals: where one ends, its interpolations, and its pieces.

Source: Julia's manual, "Strings". The indentation that Julia removes from `\"\"\"` strings is kept: it is blank.
"""

import re
from typing import NamedTuple

from ptx_lsp.hosts.escapes import JULIA, JULIA_RAW
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import Piece, PieceKind

_IN_TEXT = re.compile(r'\\(?:\r\n|[\s\S])|\$\(|\$[^\W\d]\w*!?|"""|"')
_IN_RAW_TEXT = re.compile(r'\\++"?|"""|"')
_IN_FIELD = re.compile(r'"""|"|[()]')


class Literal(NamedTuple):
    """A string literal with its quotes and prefix, the range of its body, and its interpolations.

    `raw` is True if it has a prefix, so that it has neither escapes nor interpolations. `closed` is True if its
    closing quote was found.
    """

    start: int
    end: int
    body: Span
    raw: bool
    closed: bool
    fields: tuple[Span, ...]


def read_string(text: str, start: int, quote_at: int, limit: int) -> Literal:
    """The literal that begins at `start`, its opening quote at `quote_at`. One that is not closed ends at `limit`."""
    quote = '"""' if text.startswith('"""', quote_at) else '"'
    body = quote_at + len(quote)
    if quote == '"' and text.startswith('"', body):
        return Literal(start, body + 1, Span(body, body), quote_at > start, True, ())
    if quote_at > start:
        end = _raw_end(text, body, limit, quote)
        fields: tuple[Span, ...] = ()
    else:
        end, fields = _text_end(text, body, limit, quote)
    closed = end < limit
    return Literal(start, end + len(quote) if closed else limit, Span(body, end), quote_at > start, closed, fields)


def _raw_end(text: str, at: int, limit: int, quote: str) -> int:
    while found := _IN_RAW_TEXT.search(text, at, limit):
        at = found.end()
        token = found[0]
        if token[0] == "\\":
            # an odd number of backslashes escapes the quote after them
            if token[-1] == '"' and len(token) % 2:
                at -= 1
        elif token == quote or quote == '"':
            return found.start()
    return limit


def _text_end(text: str, at: int, limit: int, quote: str) -> tuple[int, tuple[Span, ...]]:
    """Where the text ends, and its outermost interpolations. `open` are quotes and parentheses, outermost first."""
    open_ = [quote]
    fields: list[Span] = []
    opened = at
    while at < limit:
        top = open_[-1]
        found = (_IN_FIELD if top == "(" else _IN_TEXT).search(text, at, limit)
        if found is None:
            break
        token, here, at = found[0], found.start(), found.end()
        if top == "(":
            if token == ")":
                open_.pop()
                if len(open_) == 1:
                    fields.append(Span(opened, at))
            else:
                open_.append(token)
        elif token == "$(":
            opened = here if len(open_) == 1 else opened
            open_.append("(")
        elif token[0] == "$":
            if len(open_) == 1:
                fields.append(Span(here, at))
        elif token[0] == '"' and (token == top or top == '"'):
            if len(open_) == 1:
                return here, tuple(fields)
            open_.pop()
            at = here + len(top)
    return limit, (*fields, Span(opened, limit)) if len(open_) > 1 else tuple(fields)


def string_pieces(text: str, literal: Literal) -> list[Piece]:
    """The pieces of a literal: one, or those between and of its interpolations."""
    escapes = JULIA_RAW if literal.raw else JULIA
    pieces: list[Piece] = []
    begins, at = literal.start, literal.body.start
    for field in literal.fields:
        pieces.append(Piece(PieceKind.LITERAL, begins, field.start, *escapes.decode(text, at, field.start)))
        pieces.append(Piece(PieceKind.FIELD, field.start, field.end, None))
        begins = at = field.end
    return [*pieces, Piece(PieceKind.LITERAL, begins, literal.end, *escapes.decode(text, at, literal.body.end))]
