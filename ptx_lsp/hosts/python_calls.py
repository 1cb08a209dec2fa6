"""The calls of Python that take inline assembly: their arguments, by a tokenizer that survives half-typed text."""

import re
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from ptx_lsp.hosts.python_strings import (
    BRACES,
    PERCENT,
    filled_in,
    read_string,
    string_pieces,
)
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import Piece, PieceKind

_TOKEN = re.compile(
    r"""
(?P<space>(?:\s|\\(?:\r\n?|\n)|(?!))++)
|(?P<comment>\#[^\r\n]*+)
|(?P<string>[rRbBfFuUtT]{0,3}["'])
|(?P<name>[^\W\d]\w*+)
|(?P<number>\.?\d[\w.]*+)
|(?P<other>[\s\S])
""",
    re.X,
)
_GAP = re.compile(r"[ \t]*+(?=\()")
# A line that begins with one of these is a new statement, even inside of brackets: they were not closed.
_SIMPLE_STATEMENTS = ("assert", "break", "continue", "del", "global", "import", "nonlocal", "pass", "raise", "return")
_STATEMENTS = frozenset((*_SIMPLE_STATEMENTS, "class", "def", "except", "finally", "try", "while", "with"))
_OPERATORS = ("and", "in", "is", "not", "or")
_IN_EXPRESSIONS = frozenset((*_OPERATORS, "async", "await", "else", "for", "from", "if", "lambda", "yield"))
_OPENING = {")": "(", "]": "[", "}": "{"}
_MOST_PARENTHESES = 8
_TRANSPARENT = frozenset(("strip", "lstrip", "rstrip"))
_DEDENT = frozenset(("dedent", "cleandoc"))


class Kind(Enum):
    """What a token is."""

    NAME = "name"
    STRING = "string"
    CALL = "call"
    """A whole call that itself takes inline assembly."""
    OTHER = "other"


class Token(NamedTuple):
    """A token from offset `start` to `end`. `depth` is the number of brackets around it; a bracket counts itself."""

    kind: Kind
    start: int
    end: int
    depth: int


class Call(NamedTuple):
    """A call `name(...)`: `start` is where the name begins, `tokens` are those between its parentheses.

    `depth` is that of tokens directly in them. `closed` is True if the call's closing parenthesis was found.
    """

    name: str
    start: int
    end: int
    tokens: Sequence[Token]
    depth: int
    closed: bool


class Calls(NamedTuple):
    """A call with those inside it, inner ones first. `ran_out` is True if the text ended before the outermost did."""

    calls: list[Call]
    end: int
    ran_out: bool


class Argument(NamedTuple):
    """An argument of a call. `name` is that of `name=value`, "" for a positional one."""

    name: str
    tokens: Sequence[Token]

    @property
    def where(self) -> Span:
        """The source of its value."""
        return Span(self.tokens[0].start, self.tokens[-1].end)


class _Reader:
    """Reads one call and those inside it. `open` are the brackets that are open, `frames` the calls among them."""

    def __init__(self, text: str, names: frozenset[str], limit: int) -> None:
        self.text = text
        self.names = names
        self.limit = limit
        self.open: list[str] = []
        self.count = {"(": 0, "[": 0, "{": 0}
        self.frames: list[tuple[str, int, int, list[Token]]] = []
        self.done: list[Call] = []

    def read(self, name: str, start: int, at: int) -> Calls:
        """Read the call whose name begins at `start` and whose parenthesis is at `at`."""
        text, limit = self.text, self.limit
        self._begin(name, start)
        at += 1
        line_begins = False
        while at < limit and self.frames:
            found = _TOKEN.match(text, at, limit)
            assert found is not None
            group, here, at = found.lastgroup, at, found.end()
            if group == "space":
                line_begins = "\n" in found[0] or "\r" in found[0]
                continue
            if group == "comment":
                continue
            if group == "name":
                if line_begins and (found[0] in _STATEMENTS or self._begins_statement(found[0])):
                    self._close_all(here)
                    return Calls(self.done, here, False)
                gap = _GAP.match(text, at, limit) if found[0] in self.names else None
                if gap:
                    at = gap.end() + 1
                    self._begin(found[0], here)
                else:
                    self._add(Kind.NAME, here, at)
            elif group == "string":
                at = read_string(text, here, limit).end
                self._add(Kind.STRING, here, at)
            else:
                self._other(found[0], here, at)
            line_begins = False
        ran_out = bool(self.frames)
        self._close_all(min(at, limit))
        return Calls(self.done, at, ran_out)

    def _begins_statement(self, name: str) -> bool:
        """Whether a name that begins a line cannot continue the call: the end of a value is before it."""
        tokens = self.frames[-1][3]
        if not tokens or name in _IN_EXPRESSIONS:
            return False
        kind, start, end, _ = tokens[-1]
        before = self.text[start:end]
        if kind is Kind.OTHER:
            return before in _OPENING or before[0].isdigit()
        return before not in _IN_EXPRESSIONS

    def _begin(self, name: str, start: int) -> None:
        self.open.append("(")
        self.count["("] += 1
        self.frames.append((name, start, len(self.open), []))

    def _add(self, kind: Kind, start: int, end: int, depth: int | None = None) -> None:
        self.frames[-1][3].append(Token(kind, start, end, len(self.open) if depth is None else depth))

    def _other(self, token: str, start: int, end: int) -> None:
        if token in self.count:
            self.open.append(token)
            self.count[token] += 1
        opening = _OPENING.get(token)
        depth = len(self.open)
        if opening and self.count[opening]:
            while self.open[-1] != opening:
                self._pop(start, False)
            depth = len(self.open)
            if self._pop(end, True):
                return
        if self.frames:
            self._add(Kind.OTHER, start, end, depth)

    def _pop(self, end: int, closed: bool) -> bool:
        """Close the innermost bracket, and the call if it is a call's; then True.

        `closed` is false if the text has no bracket that closes it.
        """
        ends_call = len(self.open) == self.frames[-1][2]
        self.count[self.open.pop()] -= 1
        if ends_call:
            name, start, depth, tokens = self.frames.pop()
            self.done.append(Call(name, start, end, tokens, depth, closed))
            if self.frames:
                self._add(Kind.CALL, start, end)
        return ends_call

    def _close_all(self, end: int) -> None:
        while self.frames:
            self._pop(end, False)


def read_calls(text: str, name: str, start: int, limit: int, names: frozenset[str]) -> Calls | None:
    """The call whose name begins at `start`, and the calls of `names` inside it; None if no parenthesis follows."""
    gap = _GAP.match(text, start + len(name), limit)
    return _Reader(text, names, limit).read(name, start, gap.end()) if gap else None


def arguments(text: str, call: Call) -> list[Argument]:
    """The arguments of a call."""
    found: list[Argument] = []
    for tokens in split(text, call.tokens, call.depth):
        name = ""
        if (
            len(tokens) > 2
            and tokens[0].kind is Kind.NAME
            and _is(text, tokens[1], "=")
            and not _is(text, tokens[2], "=")
        ):
            name = text[tokens[0].start : tokens[0].end]
            tokens = tokens[2:]
        found.append(Argument(name, tokens))
    return found


def split(text: str, tokens: Sequence[Token], depth: int, at: str = ",") -> list[Sequence[Token]]:
    """The tokens between the separators at `depth`; empty parts are left out."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.depth == depth and _is(text, token, at):
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def elements(text: str, argument: Argument) -> list[Sequence[Token]] | None:
    """The elements of a list or tuple display; None if the argument is something else."""
    tokens = argument.tokens
    if not _bracketed(text, tokens) or text[tokens[0].start] == "{":
        return None
    return split(text, tokens[1:-1], tokens[0].depth)


def string_argument(text: str, tokens: Sequence[Token]) -> list[Piece]:
    """The pieces of an expression that gives a string: literals, what is known of sums and formats, and holes."""
    tokens = _unwrapped(text, tokens)
    if not tokens:
        return []
    pieces: list[Piece] = []
    for term in split(text, tokens, _base(text, tokens), "+"):
        pieces += _term(text, _unwrapped(text, term))
    return pieces


def _term(text: str, tokens: Sequence[Token]) -> list[Piece]:
    count = 0
    while count < len(tokens) and tokens[count].kind is Kind.STRING:
        count += 1
    rest = tokens[count:]
    if not count:
        return _hole(tokens)
    literals = [read_string(text, token.start, token.end) for token in tokens[:count]]
    if any(literal.is_bytes for literal in literals):
        return _hole(tokens)
    pieces = [piece for literal in literals for piece in string_pieces(text, literal)]
    words = [text[token.start : token.end] for token in rest[:2]]
    if not rest:
        return pieces
    if words[0] == "." and words[1:] == ["format"]:
        return list(filled_in(pieces, BRACES))
    if words[0] == "%":
        return list(filled_in(pieces, PERCENT))
    return _hole(tokens)


def _hole(tokens: Sequence[Token]) -> list[Piece]:
    return [Piece(PieceKind.NAME, tokens[0].start, tokens[-1].end, None)] if tokens else []


def _unwrapped(text: str, tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens without parentheses around all of them, `textwrap.dedent(...)`, and `.strip()` after them."""
    for _ in range(_MOST_PARENTHESES):
        tokens = _without_strip(text, tokens)
        if _bracketed(text, tokens) and text[tokens[0].start] == "(":
            if len(split(text, tokens[1:-1], tokens[0].depth)) != 1:
                return tokens
            tokens = tokens[1:-1]
            continue
        at = next((index for index, token in enumerate(tokens[:4]) if _is(text, token, "(")), 0)
        before = text[tokens[at - 1].start : tokens[at - 1].end] if at else ""
        if before not in _DEDENT or not _bracketed(text, tokens[at:]):
            return tokens
        tokens = tokens[at + 1 : -1]
    return tokens


def _without_strip(text: str, tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens without a final `.strip()`, which takes blanks away only."""
    if len(tokens) < 5 or not _is(text, tokens[-1], ")") or not _is(text, tokens[-2], "("):
        return tokens
    name = text[tokens[-3].start : tokens[-3].end]
    return tokens[:-4] if name in _TRANSPARENT and _is(text, tokens[-4], ".") else tokens


def _bracketed(text: str, tokens: Sequence[Token]) -> bool:
    """Whether one pair of brackets is around all other tokens."""
    if len(tokens) < 2 or text[tokens[0].start] not in "([{" or text[tokens[-1].start] not in ")]}":
        return False
    depth = tokens[0].depth
    inside = all(t.depth > depth or not _is_closing(text, t) for t in tokens[1:-1])
    return tokens[0].kind is tokens[-1].kind is Kind.OTHER and tokens[-1].depth == depth and inside


def _base(text: str, tokens: Sequence[Token]) -> int:
    first = tokens[0]
    return first.depth - 1 if first.kind is Kind.OTHER and text[first.start] in "([{" else first.depth


def _is(text: str, token: Token, spelling: str) -> bool:
    return token.kind is Kind.OTHER and text.startswith(spelling, token.start)


def _is_closing(text: str, token: Token) -> bool:
    return token.kind is Kind.OTHER and text[token.start] in ")]}"
