"""What is being typed: the place of the cursor in a statement of which only the beginning is there."""

import re
from enum import Enum
from typing import NamedTuple

from ptx_lsp.isa.directive_names import WITH_SIGNATURE
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.opcode_sets import CALL
from ptx_lsp.isa.spaces import SPACES
from ptx_lsp.judgement.fit import Path
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.syntax.lexer import DOTTED, END, NAME, Cursor
from ptx_lsp.syntax.recovery import DECLARING


class CursorPlace(Enum):
    """What the word at the cursor is."""

    STATEMENT = "the first word of a statement"
    OPCODE = "the opcode after a guard"
    GUARD = "the predicate of a guard"
    MODIFIER = "a modifier of an opcode"
    OPERAND = "an operand of an instruction, or a part of one"
    MEMBER = "an element of a vector, after a dot"
    DIRECTIVE = "a word with a dot at the beginning of a statement"
    DECLARATION = "a word with a dot in a declaration, a header or a list of parameters"
    ARGUMENT = "an argument of a directive, or a name that is declared"
    STRING = "the inside of a string"


class Typed(NamedTuple):
    """The word at the cursor and what is before it in its statement.

    `word` is the part of the word before the cursor, with its dot. `opcode` is the opcode, `modifiers` its modifiers
    before the word. `path` leads to the operand as `judgement.fit.Path` does, `brackets` are the open ones around
    the word; `operands` is the text of the operands before the word. `follows` is the token before the word. `tokens`
    are the texts of all tokens of the statement before the word.
    """

    place: CursorPlace
    word: str
    opcode: str = ""
    modifiers: tuple[str, ...] = ()
    path: Path = ()
    brackets: str = ""
    operands: str = ""
    follows: str = ""
    tokens: tuple[str, ...] = ()

    @property
    def opcode_text(self) -> str:
        """The opcode with the modifiers before the word: `add.s32`."""
        return self.opcode + "".join(self.modifiers)


_WORD = lazy_pattern(r"(?:\.(?:[A-Za-z_0-9][\w$]*+|(?!))?+(?::{1,2}+\w*+|(?!))*+|(?:%|(?<![\w$]))[\w$]*+)\Z", re.ASCII)
_VERSION = lazy_pattern(r"\s*(\.version)[ \t]+([\w.]*)")
_NOT_CODE = lazy_pattern(r'//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?|"[^"\n]*"?')
_OPENING, _CLOSING = "([{", ")]}"
_UNFINISHED = frozenset((",", "|", "!", "-", "+", "=", "@", *_OPENING))
_BEFORE_OPERAND = frozenset((",", "[", "{", "(", "|", "!", "-", "~"))


def half_typed(prefix: str, anywhere: bool = False) -> Typed | None:
    """What is being typed after `prefix`, the text of a statement up to the cursor; None in comments and fractions.

    `anywhere`: true for the operand at the cursor also where no operand can begin, such as after its name.
    """
    outside = _outside(prefix)
    if outside is None:
        return None
    if outside.count('"') % 2:
        before, _, word = outside.rpartition('"')
        return Typed(CursorPlace.STRING, word, tokens=tuple(token.text for token in _tokens(before)))
    if version := _VERSION.fullmatch(outside):
        return Typed(CursorPlace.ARGUMENT, version[2], follows=version[1], tokens=(version[1],))
    found = _WORD.search(outside, outside.rfind("\n") + 1)  # the prefix may be a section of a hundred thousand lines
    assert found is not None, "the pattern matches the empty word"
    word = found[0]
    tokens = _tokens(outside[: found.start()])
    end = tokens[-1].start + len(tokens[-1].text) if tokens else 0
    tokens = _last_statement(tokens, word, outside[end : found.start()])
    if word[1:2].isdigit() and word[0] == "." and not _adjoins(tokens, found.start()):
        return None  # a fraction, not a modifier such as `.2d`
    return _placed(tokens, word, outside, found.start(), anywhere)


def _outside(prefix: str) -> str | None:
    """The prefix with blanks in place of comments; None if it ends in one."""
    if "/" not in prefix and '"' not in prefix:
        return prefix
    for found in _NOT_CODE.finditer(prefix):
        text = found[0]
        if text[0] == '"' or found.end() < len(prefix):
            continue
        if text.startswith("//") or not text.endswith("*/") or len(text) < len("/**/"):
            return None
    return _NOT_CODE.sub(lambda found: found[0] if found[0][0] == '"' else " " * len(found[0]), prefix)


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    on_new_line: bool


def _tokens(text: str) -> list[_Token]:
    cursor = Cursor(text)
    found: list[_Token] = []
    end = 0
    while cursor.begin():
        for kind, start, finish in zip(cursor.kinds, cursor.starts, cursor.ends, strict=True):
            if kind != END:
                found.append(_Token(kind, text[start:finish], start, "\n" in text[end:start]))
                end = finish
        cursor.at = len(cursor.kinds)
        if cursor.kinds[-1] == END:
            break
    return found


def _last_statement(tokens: list[_Token], word: str, between: str) -> list[_Token]:
    """The tokens of the last statement: one that lacks its `;` ends where another line begins a statement.

    `between` is the text between the tokens and the word at the cursor.
    """
    first, depth = 0, 0
    on_new_line, is_modifier = "\n" in between, not between and word.startswith(".")
    for index, token in enumerate(tokens):
        if token.text in _OPENING:
            depth += 1
        elif token.text in _CLOSING:
            depth = max(0, depth - 1)
        elif token.text == ";":
            first, depth = index + 1, 0
        elif (
            depth
            and token.on_new_line
            and token.text in opcodes()
            and (_has_modifier(tokens[index : index + 2]) or (is_modifier and token is tokens[-1]))
        ):
            first, depth = index, 0  # brackets above it are not closed
        elif token.on_new_line and index > first and not depth and _begins(tokens[first:index], token.text):
            first = index
    rest = tokens[first:]
    if len(rest) > 1 and rest[0].kind == NAME and rest[1].text == ":":
        rest = rest[2:]  # a label
    if rest and on_new_line and not depth and _begins(rest, word, at_cursor=True):
        return []
    return rest


def _has_modifier(tokens: list[_Token]) -> bool:
    """Whether the first of two tokens is followed by a modifier at once."""
    first, *rest = tokens
    return bool(rest) and rest[0].kind == DOTTED and rest[0].start == first.start + len(first.text)


def _begins(before: list[_Token], word: str, at_cursor: bool = False) -> bool:
    """Whether a word on a new line begins a statement although the statement before it has no end."""
    if before[-1].text in _UNFINISHED or (before[0].text == CALL and before[-1].kind == DOTTED):
        return False
    if word.startswith("."):
        return before[0].kind != DOTTED and (at_cursor or word in DECLARING)
    if before[0].kind == DOTTED and not at_cursor:
        return (word in opcodes() or word == "@") and before[0].text not in WITH_SIGNATURE
    if before[0].kind == DOTTED:
        return not any(token.text in WITH_SIGNATURE or token.text in SPACES for token in before)
    return word in opcodes() or word == "@" or (at_cursor and not word.startswith(("%", "$")))


def _adjoins(tokens: list[_Token], at: int) -> bool:
    """Whether a word or a modifier ends at the offset `at`."""
    return bool(tokens) and tokens[-1].kind in (NAME, DOTTED) and tokens[-1].start + len(tokens[-1].text) == at


def _placed(tokens: list[_Token], word: str, text: str, at: int, anywhere: bool) -> Typed | None:
    if not tokens:
        return Typed(CursorPlace.DIRECTIVE if word.startswith(".") else CursorPlace.STATEMENT, word)
    texts = tuple(token.text for token in tokens)
    if texts[0] == "@":
        body = tokens[2:] if texts[1:2] == ("!",) else tokens[1:]
        if not body:
            return Typed(CursorPlace.GUARD, word, follows=texts[-1], tokens=texts)
        if len(body) == 1:
            return None if word.startswith(".") else Typed(CursorPlace.OPCODE, word, tokens=texts)
        return _in_instruction(body[1:], word, text, at, anywhere)
    if tokens[0].kind == NAME:
        return _in_instruction(tokens, word, text, at, anywhere)
    if tokens[0].kind == DOTTED:
        place = CursorPlace.DECLARATION if word.startswith(".") else CursorPlace.ARGUMENT
        return Typed(place, word, follows=texts[-1], tokens=texts)
    return None


def _in_instruction(tokens: list[_Token], word: str, text: str, at: int, anywhere: bool) -> Typed | None:
    """The place in an instruction; its first token is the opcode."""
    count = 1
    while count < len(tokens) and tokens[count].kind == DOTTED:
        count += 1
    texts = tuple(token.text for token in tokens)
    opcode, modifiers = texts[0], texts[1:count]
    if len(tokens) == count:
        last = tokens[-1]
        adjoining = last.start + len(last.text) == at
        if word.startswith("."):
            return Typed(CursorPlace.MODIFIER, word, opcode, modifiers, tokens=texts)
        return None if adjoining else Typed(CursorPlace.OPERAND, word, opcode, modifiers, (0,), tokens=texts)
    begin = tokens[count].start
    path, brackets = _path(tokens[count:])
    typed = Typed(CursorPlace.OPERAND, word, opcode, modifiers, path, brackets, text[begin:at], texts[-1], texts)
    if anywhere:
        return typed
    if word.startswith("."):
        return typed._replace(place=CursorPlace.MEMBER) if tokens[-1].kind == NAME or texts[-1] == "]" else None
    return typed if texts[-1] in _BEFORE_OPERAND else None


def _path(tokens: list[_Token]) -> tuple[Path, str]:
    """The path of the operand after some tokens, and the open brackets around it."""
    path, brackets = [0], ""
    for token in tokens:
        text = token.text
        if text in _OPENING:
            brackets += text
            path.append(0)
        elif text in _CLOSING and brackets:
            brackets = brackets[:-1]
            path.pop()
        elif text == ",":
            while len(path) > len(brackets) + 1:  # after the second half of a pair
                path.pop()
            path[-1] += 1
        elif text == "|" and len(path) == len(brackets) + 1:
            path.append(1)
    return tuple(path), brackets
