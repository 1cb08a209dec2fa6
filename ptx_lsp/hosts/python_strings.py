"""Python's string literals: where one ends, and its pieces.

Not the standard library's `tokenize` or `ast`: both give up at the first error of the file, and a file is half-typed
most of the time that an editor has it open; `tokenize` also splits f-strings differently in Python 3.11 and 3.12.
Source: Python's reference, "String and Bytes literals" and "Formatted string literals".
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ptx_lsp.hosts.escapes import PYTHON, PYTHON_FORMAT, PYTHON_FORMAT_RAW, PYTHON_RAW, Escapes
from ptx_lsp.hosts.nested import Inner, inner_text
from ptx_lsp.hosts.source_map import Span, composed, source_range
from ptx_lsp.hosts.statement import Piece, PieceKind

OPENING = re.compile(r"([rRbBfFuUtT]{0,3})(\"\"\"|'''|\"|')")
_BODIES = {
    '"': re.compile(r'(?:[^"\\\r\n]++|\\(?:\r\n|[\s\S])?|(?!))*+'),
    "'": re.compile(r"(?:[^'\\\r\n]++|\\(?:\r\n|[\s\S])?|(?!))*+"),
    '"""': re.compile(r'(?:[^"\\]++|\\[\s\S]?|"(?!"")|(?!))*+'),
    "'''": re.compile(r"(?:[^'\\]++|\\[\s\S]?|'(?!'')|(?!))*+"),
}
_QUOTES = r"\"\"\"|'''|[\"']"
_IN_TEXT = re.compile(rf"\\N\{{[^{{}}\r\n]{{0,99}}\}}|\\(?:\r\n|[\s\S])|\{{\{{?|\}}\}}?|{_QUOTES}|[\r\n]")
_IN_RAW_TEXT = re.compile(rf"\\(?:\r\n|[^{{}}])|\{{\{{?|\}}\}}?|{_QUOTES}|[\r\n]")
_IN_FIELD = re.compile(rf"[rRbBfFuUtT]{{0,3}}(?:{_QUOTES})|[()\[\]{{}}:\r\n]")


class Literal(NamedTuple):
    """A string literal: its range with prefix and quotes, the range of its body, the fields if it is an f-string.

    `closed` is True if its closing quote was found.
    """

    start: int
    end: int
    body: Span
    prefix: str
    closed: bool
    fields: tuple[Span, ...] = ()

    @property
    def is_bytes(self) -> bool:
        """True for `b"..."`, which holds no text."""
        return "b" in self.prefix

    @property
    def is_format(self) -> bool:
        """True for f-strings and t-strings."""
        return "f" in self.prefix or "t" in self.prefix


def read_string(text: str, start: int, limit: int) -> Literal:
    """The literal whose prefix or opening quote is at `start`. One that is not closed ends at its line's end, or at
    `limit` if it has three quotes.
    """
    opening = OPENING.match(text, start)
    assert opening is not None
    prefix, quote = opening[1].lower(), opening[2]
    at = opening.end()
    fields: tuple[Span, ...] = ()
    if "f" in prefix or "t" in prefix:
        end, fields = _format_end(text, at, limit, quote, "r" in prefix)
    else:
        body = _BODIES[quote].match(text, at, limit)
        end = body.end() if body else at
    closed = text.startswith(quote, end) and end + len(quote) <= limit
    return Literal(start, end + len(quote) if closed else end, Span(at, end), prefix, closed, fields)


class _Frame(NamedTuple):
    """Where the reader of an f-string is: in the "text" of a string, a "field", its format "spec", or a "bracket".

    `quote` is the quote that ends the string, or the bracket.
    """

    kind: str
    quote: str
    raw: bool


def _format_end(text: str, at: int, limit: int, quote: str, raw: bool) -> tuple[int, tuple[Span, ...]]:
    """Where the body of an f-string ends, and its outermost fields. A field may hold further strings."""
    stack = [_Frame("text", quote, raw)]
    fields: list[Span] = []
    opened = at
    while at < limit:
        kind, frame_quote, frame_raw = stack[-1]
        in_text = kind in ("text", "spec")
        pattern = (_IN_RAW_TEXT if frame_raw else _IN_TEXT) if in_text else _IN_FIELD
        found = pattern.search(text, at, limit)
        if found is None:
            break
        token, here, at = found[0], found.start(), found.end()
        if token in "\r\n":
            if len(quote) == 1:
                return here, _with_open_field(fields, stack, opened, here)
            while len(stack) > 1 and in_text and len(stack[-1].quote) == 1:
                stack.pop()
                in_text = stack[-1].kind in ("text", "spec")
        elif in_text and token == frame_quote:
            if kind == "spec" or len(stack) == 1:
                return here, _with_open_field(fields, stack, opened, here)
            stack.pop()
        elif token == "{" or (kind == "spec" and token == "{{"):
            opened = here if len(stack) == 1 else opened
            at = here + 1
            stack.append(_Frame("field", frame_quote, frame_raw) if in_text else _Frame("bracket", "{", False))
        elif not in_text or kind == "spec":
            at = _in_field(text, found, stack, limit)
            if len(stack) == 1:
                fields.append(Span(opened, at))
    return limit, _with_open_field(fields, stack, opened, limit)


def _in_field(text: str, found: re.Match[str], stack: list[_Frame], limit: int) -> int:
    """Take a token of a field or of its format. The offset at which to continue."""
    token, top = found[0], stack[-1]
    if token[0] == "}":
        index = len(stack) - 1
        while stack[index].kind == "bracket" and stack[index].quote != "{":
            index -= 1
        del stack[index:]
        return found.start() + 1
    if top.kind == "spec":
        return found.end()
    if token in ("(", "["):
        stack.append(_Frame("bracket", token, False))
    elif token in (")", "]"):
        if top.kind == "bracket":
            stack.pop()
    elif token == ":":
        if top.kind == "field":
            stack[-1] = top._replace(kind="spec")
    else:
        return _nested_string(text, found, stack, limit)
    return found.end()


def _nested_string(text: str, found: re.Match[str], stack: list[_Frame], limit: int) -> int:
    prefix = found[0].rstrip("\"'").lower()
    quote = found[0][len(prefix) :]
    if "f" in prefix or "t" in prefix:
        stack.append(_Frame("text", quote, "r" in prefix))
        return found.end()
    body = _BODIES[quote].match(text, found.end(), limit)
    end = body.end() if body else found.end()
    return end + len(quote) if text.startswith(quote, end) else max(end, found.end())


def _with_open_field(fields: list[Span], stack: list[_Frame], opened: int, end: int) -> tuple[Span, ...]:
    return (*fields, Span(opened, end)) if len(stack) > 1 else tuple(fields)


def string_pieces(text: str, literal: Literal) -> list[Piece]:
    """The pieces of a literal: one, or those between and of the fields of an f-string."""
    raw = "r" in literal.prefix
    if not literal.is_format:
        decoded = (PYTHON_RAW if raw else PYTHON).decode(text, *literal.body)
        return [Piece(PieceKind.LITERAL, literal.start, literal.end, *decoded)]
    escapes = PYTHON_FORMAT_RAW if raw else PYTHON_FORMAT
    pieces: list[Piece] = []
    begins, at = literal.start, literal.body.start
    for field in literal.fields:
        if field.start > at or not pieces:
            pieces.append(Piece(PieceKind.LITERAL, begins, field.start, *escapes.decode(text, at, field.start)))
        pieces.append(Piece(PieceKind.FIELD, field.start, field.end, None))
        begins = at = field.end
    return [*pieces, Piece(PieceKind.LITERAL, begins, literal.end, *escapes.decode(text, at, literal.body.end))]


class Format(NamedTuple):
    """A way to fill in the holes of a literal after it: `{}` with `.format`, `%s` with `%`.

    `hole` finds the holes, in group 1, and what is written twice for one character; `twice` undoes the latter.
    """

    hole: re.Pattern[str]
    twice: Escapes


BRACES = Format(
    re.compile(r"\{\{|\}\}|(\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+|(?!))*+\})"),
    Escapes(re.compile(r"\{\{|\}\}"), lambda found: found[0][0]),
)
PERCENT = Format(
    re.compile(r"%%|(%(?:\([^()%]*+\))?[-+ #0]*+[\d*]*+(?:\.[\d*]++)?[diouxXeEfFgGcrsa])"),
    Escapes(re.compile("%%"), lambda found: "%"),
)


def filled_in(pieces: Iterable[Piece], way: Format) -> Iterator[Piece]:
    """The pieces of literals whose holes a later expression fills in."""
    for piece in pieces:
        if piece.text is None:
            yield piece
            continue
        inner = inner_text([piece])
        begins, at = piece.start, 0
        for found in way.hole.finditer(inner.text):
            if found[1]:
                where = source_range(inner.runs, found.start(), found.end())
                yield _between(inner, way, at, found.start(), Span(begins, where.start))
                yield Piece(PieceKind.FIELD, where.start, where.end, None)
                begins, at = where.end, found.end()
        yield _between(inner, way, at, len(inner.text), Span(begins, piece.end))


def _between(inner: Inner, way: Format, start: int, end: int, where: Span) -> Piece:
    text, runs = way.twice.decode(inner.text, start, end)
    return Piece(PieceKind.LITERAL, where.start, where.end, text, composed(runs, inner.runs))
