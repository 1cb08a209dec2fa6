"""The tokens of C, C++, CUDA C++ and OpenCL C inside one inline-assembly statement.

A tokenizer of our own: a statement must be found in text that no grammar accepts (half-typed, or with macros that
mean whole declarations), with exact positions, in time linear in the text, and without a compiled dependency.
Tree-sitter's grammars lose the rest of a function after an error and are native code; clang needs a compile command.
"""

import re
from enum import Enum
from typing import NamedTuple

from ptx_lsp.text.lines import LINE_END

END = rf"(?:{LINE_END.pattern})"
"""A pattern of the end of a line."""
REST_OF_LINE = rf"(?:[^\\\r\n]|\\(?:{END}|.)?|(?!))*+"
"""A pattern of the text up to the end of a line that has no backslash before it."""
BLOCK_COMMENT = r"/\*(?:[^*]|\*(?!/)|(?!))*+\*/"
"""A pattern of a comment that is closed."""
# Every loop is possessive and every end is optional, so that no pattern is tried twice at a place.
_SIMPLE = r"""[^()"'/\\\#{};\r\n]"""
_COMMON = rf"""
(?P<operand>"[=+&]{{0,2}}[a-zA-Z]{{1,2}}"[ ]*+\((?:{_SIMPLE}|\({_SIMPLE}*+\)|(?!))*+\))
|(?P<line>//{REST_OF_LINE})
|(?P<block>/\*(?:[^*]|\*(?!/)|(?!))*+(?:\*/)?)
|(?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{{0,16}})\((?:[^)]|\)(?!(?P=delimiter)")|(?!))*+(?:\)(?P=delimiter)")?)
|(?P<string>(?:u8|[uUL])?"(?:[^"\\\r\n]|\\(?:{END}|.)?|(?!))*+"?)
|(?P<character>(?:u8|[uUL])?'(?:[^'\\\r\n]|\\(?:{END}|.)?|(?!))*+'?)
|(?P<name>[^\W\d][\w$]*+)
|(?P<number>\.?\d(?:[\w.]|'(?=\w)|(?!))*+)
|(?P<punctuation>::|[\s\S])
"""
_TOKEN = re.compile(rf"(?P<space>(?:\s|\\{END}|(?!))++)|" + _COMMON, re.X)
_TOKEN_OF_DIRECTIVE = re.compile(rf"(?P<space>(?:[ \t\f\v]|\\{END}|(?!))++)|(?P<end>{END})|" + _COMMON, re.X)
_DIRECTIVE = re.compile(rf"\#[ \t]*(?P<word>\w*)(?P<rest>{REST_OF_LINE})")
_BRANCH_MARK = re.compile(r"(?:^|(?<=\r))[ \t]*(\#)[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b", re.M)
_NEVER = re.compile(r"\s*(?:0|false)\s*(?://.*|/\*.*)?\Z", re.S)
_OPENS = frozenset(("if", "ifdef", "ifndef"))
_CONTINUES = frozenset(("elif", "elifdef", "elifndef", "else"))
ASM_WORDS = frozenset(("asm", "__asm", "__asm__"))
_CLOSED = {")": "(", "]": "[", "}": "{"}


class Kind(Enum):
    """What a token is. Blanks and comments are no tokens."""

    NAME = "name"
    STRING = "string"
    RAW = "raw"
    OPERAND = "operand"
    """A whole operand in its most frequent form, such as `"=r"(x[0])`: one token instead of four, for speed."""
    OTHER = "other"
    BRANCH = "branch"
    """A preprocessor directive, or the lines of a branch that is passed over."""


class Token(NamedTuple):
    """A token from offset `start` to `end`. `depth` is the number of brackets around it; a bracket counts itself."""

    kind: Kind
    start: int
    end: int
    depth: int


class Tokens(NamedTuple):
    """The tokens of one statement up to its closing bracket.

    `end` is the offset after it. `closed` is True if the bracket was found. `ran_out` is True if the text ended
    first: more text may close it.
    """

    tokens: list[Token]
    end: int
    closed: bool
    ran_out: bool


_KINDS = {"name": Kind.NAME, "string": Kind.STRING, "raw": Kind.RAW, "operand": Kind.OPERAND, "end": Kind.OTHER}
_PASSED_OVER = frozenset(("space", "line", "block"))
_BRACKETS = frozenset("()[]{};")
_BLANK_BEFORE = re.compile(rf"[\r\n](?:[ \t\f\v]|\\{END}|{BLOCK_COMMENT}|(?!))*+\Z")


def statement_tokens(text: str, start: int, limit: int, in_directive: bool) -> Tokens:
    """The tokens from `start`, which is at an opening parenthesis, up to the parenthesis that closes it.

    A statement that is not closed ends before `;` or `}` outside of braces, before another `asm`, and, if
    `in_directive`, at the end of the directive. Nothing at or after `limit` is read.
    """
    pattern = _TOKEN_OF_DIRECTIVE if in_directive else _TOKEN
    tokens: list[Token] = []
    brackets = _Brackets()
    at = start
    while at < limit:
        found, closed = _run_of_tokens(pattern, text, at, limit, tokens, brackets)
        if closed:
            return Tokens(tokens, tokens[-1].end, True, False)
        if found is None:
            break
        if found[0] != "#":
            return Tokens(tokens, found.start(), False, False)
        at = _branch(text, found.start(), limit)
        tokens.append(Token(Kind.BRANCH, found.start(), at, len(brackets.open)))
    last = tokens[-1].start if tokens else start
    return Tokens(tokens, last if limit < len(text) else limit, False, True)


def _run_of_tokens(
    pattern: re.Pattern[str], text: str, at: int, limit: int, tokens: list[Token], brackets: "_Brackets"
) -> tuple[re.Match[str] | None, bool]:
    """Add the tokens from `at` up to the closing parenthesis (True), or to a token that belongs to no statement.

    That token is a directive's `#`, what ends the statement too early, or None at `limit`.
    """
    depth = len(brackets.open)
    for found in pattern.finditer(text, at, limit):
        group = found.lastgroup
        if group in _PASSED_OVER:
            continue
        here, end = found.span()
        kind = _KINDS.get(group or "", Kind.OTHER)
        if kind is Kind.NAME:
            if found[0] in ASM_WORDS:
                return found, False
        elif kind is Kind.OTHER:
            spelling = found[0]
            if group == "end" or (spelling == "#" and pattern is _TOKEN and _begins_line(text, at, here)):
                return found, False
            if spelling in _BRACKETS:
                if brackets.stop(spelling):
                    return found, False
                inner = brackets.depth(spelling)
                tokens.append(Token(kind, here, end, inner))
                depth = len(brackets.open)
                if not depth:
                    return found, True
                continue
        tokens.append(Token(kind, here, end, depth))
    return None, False


def _begins_line(text: str, first: int, at: int) -> bool:
    """Whether only blanks and comments precede `at` in its line; looks back to `first` at most, and 200 code points."""
    window = text[max(first - 1, at - 200, 0) : at]
    return _BLANK_BEFORE.search(window) is not None


class _Brackets:
    """The brackets that are open, outermost first, and how many of each kind."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.count = {"(": 0, "[": 0, "{": 0}

    def stop(self, token: str) -> bool:
        """Whether this bracket or `;` cannot belong to the statement: the statement was not closed."""
        return token in (";", "}") and not self.count["{"]

    def depth(self, token: str) -> int:
        """The depth of a bracket or `;`; opens and closes brackets. `]` without its bracket is passed over."""
        depth = len(self.open)
        if token in self.count:
            self.open.append(token)
            self.count[token] += 1
            return depth + 1
        opening = _CLOSED.get(token)
        if opening is None or (token == "]" and self.open[-1:] != ["["]):
            return depth
        while self.count[opening]:
            closed = self.open.pop()
            self.count[closed] -= 1
            if closed == opening:
                return len(self.open) + 1
        return depth


def _branch(text: str, at: int, limit: int) -> int:
    """Where the directive at `at`, and the branch that is passed over after it, end."""
    found = _DIRECTIVE.match(text, at, limit)
    assert found is not None
    word = found["word"]
    passed_over = word in _CONTINUES or (word in _OPENS and _NEVER.match(found["rest"]) is not None)
    if not passed_over:
        return found.end()
    inner = 0
    for mark in _BRANCH_MARK.finditer(text, found.end(), limit):
        if mark[2] in _OPENS:
            inner += 1
        elif mark[2] == "endif":
            if not inner:
                return _end_of_directive(text, mark.start(1), limit)
            inner -= 1
        elif not inner and word in _OPENS:
            return _end_of_directive(text, mark.start(1), limit)
    return limit


def _end_of_directive(text: str, at: int, limit: int) -> int:
    found = _DIRECTIVE.match(text, at, limit)
    return found.end() if found else limit
