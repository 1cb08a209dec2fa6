"""The inline-assembly statements of LLVM IR and of MLIR, which share strings, constraints and `$0`.

LLVM IR: `call T asm sideeffect "...", "..."(args)`. MLIR: `llvm.inline_asm`, `nvvm.inline_ptx`,
`tt.elementwise_inline_asm`. Sources: LLVM's language reference, "Inline Assembler Expressions"; MLIR's LLVM and NVVM
dialects. Nothing is open at the end of a part: a string that is not closed in the text ends with its line.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ptx_lsp.hosts.constraints import bind, split_constraints
from ptx_lsp.hosts.escapes import LLVM, MLIR, Escapes
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import (
    CODE,
    LONGEST,
    AsmStatement,
    Dialect,
    Host,
    Operand,
    Piece,
    PieceKind,
    Role,
    ScanMode,
    Scanned,
    Template,
    Word,
)

_STRING = r'"[^"]*+"'
_MLIR_STRING = r'"(?:[^"\\]|\\[\s\S]|(?!))*+"'
_IR_COMMENT = r";[^\r\n]*+|/\*(?:[^*]|\*(?!/)|(?!))*+\*/"
_MLIR_COMMENT = r"//[^\r\n]*+"


class _Language(NamedTuple):
    """What differs between the two: the places of interest, one token, the escapes of a string, and the words that
    begin a statement.
    """

    host: Host
    interest: re.Pattern[str]
    token: re.Pattern[str]
    escapes: Escapes
    words: tuple[str, ...]


def _token(string: str, comment: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<space>\s++)|(?P<comment>{comment})|(?P<string>{string})|(?P<arrow>->)|(?P<name>[%@#!]?[\w.$-]++)|(?P<other>[\s\S])"
    )


_IR = _Language(
    Host.LLVM,
    re.compile(r'[";]|/\*|asm'),
    _token(_STRING, _IR_COMMENT),
    LLVM,
    ("asm",),
)
_MLIR = _Language(
    Host.MLIR,
    re.compile('"|//|asm|inline_ptx'),
    _token(_MLIR_STRING, _MLIR_COMMENT),
    MLIR,
    ("llvm.inline_asm", "nvvm.inline_ptx", "tt.elementwise_inline_asm"),
)
_COMMENT = re.compile(r"[^\r\n]*+")
_STRINGS = {Host.LLVM: re.compile(_STRING), Host.MLIR: re.compile(_MLIR_STRING)}
_IR_FLAGS = frozenset(("sideeffect", "alignstack", "inteldialect", "unwind"))
_MODULE = re.compile(r"(?:\A|\s)module[ \t]+\Z")
_VALUE = re.compile(r"%[\w.$-]++(?:#\d+)?")
_ROLES = {"ro": (Role.IN, "r"), "rw": (Role.INOUT, "rw"), "wo": (Role.OUT, "w")}
_WORD_CHARACTERS = re.compile(r"[\w.$%@-]")
_MOST_FLAGS = 64
"""At most this number of tokens is between the name of an MLIR operation and its template."""


class _Token(NamedTuple):
    """A token: `kind` is "string", "name" or "other"."""

    kind: str
    spelling: str
    start: int
    end: int


class _NeedsMore(Exception):
    """The text ends inside a statement, and more text may follow."""


class _Reader:
    """The tokens after a place, one at a time. Raises _NeedsMore at the end of a text that more may follow."""

    def __init__(self, text: str, at: int, limit: int, language: _Language, may_grow: bool) -> None:
        self.text = text
        self.at = at
        self.limit = limit
        self.language = language
        self.may_grow = may_grow

    def peek(self) -> _Token | None:
        """The next token; None at the end."""
        at = self.at
        while at < self.limit:
            found = self.language.token.match(self.text, at, self.limit)
            assert found is not None
            group = found.lastgroup or ""
            if group == "other" and found[0] == '"' and self.may_grow:
                raise _NeedsMore
            if group not in ("space", "comment"):
                return _Token(group, found[0], found.start(), found.end())
            at = found.end()
        if self.may_grow:
            raise _NeedsMore
        return None

    def take(self, *spellings: str) -> _Token | None:
        """The next token if it has one of these spellings; then goes past it."""
        token = self.peek()
        if token is None or (token.spelling not in spellings):
            return None
        self.at = token.end
        return token

    def string(self) -> Piece | None:
        """The next token if it is a string; then goes past it."""
        token = self.peek()
        if token is None or token.kind != "string":
            return None
        self.at = token.end
        decoded = self.language.escapes.decode(self.text, token.start + 1, token.end - 1)
        return Piece(PieceKind.LITERAL, token.start, token.end, *decoded)

    def group(self) -> list[_Token] | None:
        """The tokens of the brackets that open here, without them; None if none open or they are not closed."""
        token = self.peek()
        if token is None or token.spelling not in ("(", "{", "<"):
            return None
        inside: list[_Token] = []
        depth = 0
        closing = {"(": ")", "{": "}", "<": ">"}[token.spelling]
        opening = token.spelling
        while token is not None:
            self.at = token.end
            depth += (token.spelling == opening) - (token.spelling == closing)
            if not depth:
                return inside[1:]
            if token.spelling in self.language.words:
                return None
            inside.append(token)
            token = self.peek()
        return None


def scan_ir(text: str, mode: ScanMode, last: bool) -> Scanned:
    """The statements of LLVM IR. `last` is True if no more text follows."""
    return _scan(text, last, _IR)


def scan_mlir(text: str, mode: ScanMode, last: bool) -> Scanned:
    """The statements of MLIR. `last` is True if no more text follows."""
    return _scan(text, last, _MLIR)


def _scan(text: str, last: bool, language: _Language) -> Scanned:
    statements: list[AsmStatement] = []
    at = 0
    while found := language.interest.search(text, at):
        start, word = found.start(), found[0]
        if word == '"':
            closed = _STRINGS[language.host].match(text, start, min(len(text), start + LONGEST))
            if closed is None and not last and len(text) - start < LONGEST:
                return Scanned(statements, start, CODE)
            at = closed.end() if closed else _line_end(text, start)
        elif word in (";", "//"):
            at = _line_end(text, start)
        elif word == "/*":
            end = text.find("*/", start + 2)
            if end < 0 and not last and len(text) - start < LONGEST:
                return Scanned(statements, start, CODE)
            at = end + 2 if end >= 0 else found.end()
        else:
            at = found.end()
            word = _word_that_ends(text, at, language)
            if not word:
                continue
            start = at - len(word)
            limit = min(len(text), start + LONGEST)
            may_grow = not last and len(text) - start < LONGEST
            reader = _Reader(text, at, limit, language, may_grow)
            try:
                statement = _ir(text, start, reader) if language is _IR else _mlir(word, start, reader)
            except _NeedsMore:
                return Scanned(statements, start, CODE)
            if statement:
                statements.append(statement)
                at = statement.end
    return Scanned(statements, len(text), CODE)


def _word_that_ends(text: str, end: int, language: _Language) -> str:
    """The word that begins a statement and ends at `end`; "" if no such word does."""
    for word in language.words:
        start = end - len(word)
        before = text[start - 1] if start > 0 else " "
        after = text[end] if end < len(text) else " "
        if text.startswith(word, max(start, 0)) and not _WORD_CHARACTERS.match(before):
            return "" if _WORD_CHARACTERS.match(after) else word
    return ""


def _line_end(text: str, at: int) -> int:
    found = _COMMENT.match(text, at)
    return max(found.end() if found else at, at + 1)


def _ir(text: str, start: int, reader: _Reader) -> AsmStatement | None:
    if _MODULE.search(text[max(0, start - 12) : start]):
        return None
    options: list[Word] = []
    while flag := reader.take(*_IR_FLAGS):
        options.append(Word(flag.spelling, Span(flag.start, flag.end)))
    template = reader.string()
    if template is None or not reader.take(","):
        return None
    constraints = reader.string()
    if constraints is None:
        return None
    end = reader.at
    given = reader.group()
    expressions = [_trimmed(part) for part in _split(given)] if given is not None else []
    bound = bind(split_constraints(Template((constraints,))), expressions)
    return AsmStatement(
        Host.LLVM,
        "asm",
        start,
        end if given is None else reader.at,
        Template((template,)),
        Dialect.DOLLAR,
        bound.operands,
        bound.clobbers,
        options=tuple(options),
        volatile=any(option.text == "sideeffect" for option in options),
        whole=bound.whole and given is not None,
    )


def _split(tokens: Sequence[_Token]) -> list[list[_Token]]:
    """The tokens between the commas that are in no brackets."""
    parts: list[list[_Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.spelling in ("(", "[", "{", "<")) - (token.spelling in (")", "]", "}", ">"))
        if token.spelling == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _trimmed(tokens: Sequence[_Token]) -> Span:
    return Span(tokens[0].start, tokens[-1].end)


def _mlir(word: str, start: int, reader: _Reader) -> AsmStatement | None:
    if word == "nvvm.inline_ptx":
        return _inline_ptx(start, reader)
    volatile = False
    for _ in range(_MOST_FLAGS):
        template = reader.string()
        token = reader.peek()
        if template or token is None or token.spelling[0] == "%" or token.spelling in _MLIR.words:
            break
        volatile = volatile or token.spelling == "has_side_effects"
        reader.at = token.end
    if template is None:
        return None
    if word == "llvm.inline_asm":
        constraints = reader.string() if reader.take(",") else None
        options: list[Word] = []
    else:
        constraints, options, pure = _attributes(reader)
        volatile = not pure
    if constraints is None:
        return None
    values = _values(reader)
    bound = bind(split_constraints(Template((constraints,))), values)
    return AsmStatement(
        Host.MLIR,
        word,
        start,
        reader.at,
        Template((template,)),
        Dialect.DOLLAR,
        bound.operands,
        bound.clobbers,
        options=tuple(options),
        volatile=volatile,
        whole=bound.whole,
    )


def _attributes(reader: _Reader) -> tuple[Piece | None, list[Word], bool]:
    """The attributes `{constraints = "...", packed_element = 1 : i32, pure = true}` of Triton's operation."""
    token = reader.peek()
    if token is None or token.spelling != "{":
        return None, [], False
    first = reader.at
    inside = reader.group()
    if inside is None:
        return None, [], False
    after = reader.at
    constraints, options, pure = None, [], False
    for part in _split(inside):
        spelling = [token.spelling for token in part]
        if spelling[:2] == ["constraints", "="] and len(part) > 2:
            reader.at = part[2].start
            constraints = reader.string()
        elif len(part) > 2 and spelling[1] == "=":
            pure = pure or spelling[:3] == ["pure", "=", "true"]
            options.append(Word(f"{spelling[0]}={spelling[2]}", Span(part[0].start, part[2].end)))
    reader.at = max(first, after)
    return constraints, options, pure


def _values(reader: _Reader) -> list[Span]:
    """The operands `%a, %b#1` up to the colon before their types."""
    values: list[Span] = []
    while True:
        token = reader.peek()
        if token is None or (not token.spelling.startswith("%") and token.spelling != ","):
            return values
        if token.spelling != ",":
            values.append(Span(token.start, token.end))
        reader.at = token.end
        number = reader.peek() if token.spelling != "," else None
        if number and number.spelling.startswith("#") and number.start == token.end:
            values[-1] = Span(values[-1].start, number.end)
            reader.at = number.end


def _inline_ptx(start: int, reader: _Reader) -> AsmStatement | None:
    template = reader.string()
    if template is None:
        return None
    found: dict[str, list[Span]] = {"ro": [], "rw": [], "wo": []}
    end = reader.at
    while name := reader.take("ro", "rw"):
        inside = reader.group()
        if inside is None:
            break
        end = reader.at
        found[name.spelling] = [Span(t.start, t.end) for t in inside if t.spelling.startswith("%")]
    if reader.take("->"):
        found["wo"] = _types(reader)
        end = max(end, reader.at)
    # `$0` counts what is written first
    operands: list[Operand] = []
    for key in ("wo", "rw", "ro"):
        role, letter = _ROLES[key]
        for index, where in enumerate(found[key]):
            operands.append(Operand(len(operands), role, None, where, f"{letter}{index}", where))
    return AsmStatement(
        Host.MLIR,
        "nvvm.inline_ptx",
        start,
        end,
        Template((template,)),
        Dialect.ROLES,
        tuple(operands),
        volatile=True,
    )


def _types(reader: _Reader) -> list[Span]:
    """The types of the results, between commas."""
    found: list[Span] = []
    while (token := reader.peek()) and token.kind == "name" and not token.spelling.startswith("%"):
        reader.at = token.end
        following = reader.peek() if token.end < reader.limit else None
        if following and following.spelling == "<":
            reader.group()
        found.append(Span(token.start, reader.at))
        if not reader.take(","):
            break
    return found
