"""The words of a text that get a colour, found without a scope: comments, numbers, opcodes, and names by place."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from ptx_lsp.features.lines_above import LABEL_LINE, LOCATION_LINE
from ptx_lsp.features.token_types import TokenType
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.memo import Memo
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.syntax.missing_dots import WITHOUT_DOT
from ptx_lsp.syntax.names import Name, Where, names_in
from ptx_lsp.syntax.plain_text import SOURCE_TEXT
from ptx_lsp.syntax.tree import Declaration, Instruction, Statement, ValueRun

_WORD = lazy_pattern(
    rf"""(?P<comment>//[^\r\n]*+|/\*[^*]*+(?:\*++[^/*][^*]*+|(?!))*+(?:\*++/)?)
    | (?P<string>"[^"\r\n]*+"?)
    | {SOURCE_TEXT}
    | (?P<dotted>\.\w++(?:::\w++|(?!))*+)
    | (?P<name>[%$][\w$]++|[_a-zA-Z][\w$]*+)
    | (?P<number>[0-9]\w*+(?:\.[0-9]*+(?:[eE][-+]?[0-9]++)?|(?<=[eE])[-+][0-9]++|(?!))?+)
    | (?P<sign>[\[\](){{}},])""",
    re.X | re.A,
)
# an instruction, a comment, or nothing, that fills its line; groups: guard, opcode, modifiers, operands without
# parentheses, which the parser reads: it alone knows which names are operands if they do not match
_PLAIN = lazy_pattern(
    r"""[ \t]*+(?:
        (?:@[ \t]*+!?+[ \t]*+([%\w$]++)[ \t]++|(?!))?+
        (?!call\b)([a-z]\w*+)((?:\.\w++(?:::\w++|(?!))*+|(?!))*+)
        (?:[ \t]++(?!:)([^;"/\r\n@()]*+)|(?!))?+[ \t]*+;[ \t]*+|(?!)
    )?+(?://[^\r\n]*+|(?!))?+\r?+(?:\n|\Z)""",
    re.X | re.A,
)
_POSITION = lazy_pattern(LOCATION_LINE, re.X | re.A)
_LABEL = lazy_pattern(LABEL_LINE, re.X | re.A)
_COLON = lazy_pattern(r"[ \t]*+:")
_FIXED = {"comment": TokenType.COMMENT, "string": TokenType.STRING, "number": TokenType.NUMBER}
LONGEST_RUN = 20_000
"""Characters; a longer run of initial values has no tokens. By default, VS Code gives a longer line no colours."""

OUTSIDE = -1
"""The operand index of a word that is in no operand, such as a guard."""


class Word(NamedTuple):
    """A word from the offset `start`; `type` is None for a name, whose meaning depends on its scope.

    `operand` is the index of the operand that the name is in, or `OUTSIDE`. `bracketed` is True for a name in the first
    part of an address, `where` is its place in the grammar.
    """

    start: int
    length: int
    type: TokenType | None
    name: str = ""
    operand: int = OUTSIDE
    bracketed: bool = False
    where: Where = Where.OPERAND


class Line(NamedTuple):
    """The words of one instruction, or of a text without one.

    `opcode` has the modifiers, `operands` is the number of operands, and `addresses` are the indices of those in
    brackets. `opcode` is empty if there is no instruction. `has_results` is True for a call that takes results.
    """

    words: tuple[Word, ...]
    opcode: str = ""
    operands: int = 0
    addresses: tuple[int, ...] = ()
    has_results: bool = False


_lines: Memo[str, Line] = Memo(50_000)


def plain_line(text: str, start: int) -> tuple[Line, int] | None:
    """The words of the line at an offset, and the offset after the line; None if the parser must read it.

    A statement must begin at the offset, if anything is there. The words count from the beginning of the line.
    """
    match = _plain(text, start)
    if match is None:
        position = _POSITION.match(text, start)
        return None if position is None else (_remembered(position[0], None), position.end())
    return _remembered(match[0], match), match.end()


def label_line(text: str, start: int) -> tuple[Line, int] | None:
    """The same for a line with a label alone, to which no list or prototype belongs; None for any other line."""
    match = _LABEL.match(text, start)
    if match is None:
        return None
    name = Word(match.start(1) - start, len(match[1]), None, match[1], where=Where.LABEL)
    return Line((name, *loose_words(match[0], match.end(1) - start, len(match[0])))), match.end()


def end_of_plain_line(text: str, start: int) -> int | None:
    """The offset after a line that `plain_line` knows; None for any other line."""
    match = _plain(text, start) or _POSITION.match(text, start)
    return None if match is None else match.end()


def _plain(text: str, start: int) -> re.Match[str] | None:
    """The match of a plain line; None if its first word may be a directive without its dot: `global.u64 x;`."""
    match = _PLAIN.match(text, start)
    return None if match is not None and f".{match[2]}" in WITHOUT_DOT else match


def _remembered(line: str, match: re.Match[str] | None) -> Line:
    found = _lines.get(line)
    if found is None:
        found = _lines[line] = Line(tuple(loose_words(line, 0, len(line)))) if match is None else _instruction(match)
    return found


def _instruction(match: re.Match[str]) -> Line:
    text, start = match[0], match.start()
    if match[2] is None:
        return Line(tuple(loose_words(text, 0, len(text))))
    words: list[Word] = []
    if match[1] is not None:
        words.append(Word(match.start(1) - start, len(match[1]), None, match[1], where=Where.GUARD))
    words.append(Word(match.start(2) - start, len(match[2]), TokenType.OPCODE))
    words += (_dotted(each, start) for each in _WORD.finditer(match.string, *match.span(3)))
    last = match.end(4) if match[4] is not None else match.end(3)
    operands = _Operands()
    if match[4] is not None:
        for each in _WORD.finditer(match.string, *match.span(4)):
            operands.take(each, start, words)
    words += loose_words(text, last - start, len(text))
    count = operands.index + 1 if match[4] and match[4].strip() else 0
    return Line(tuple(words), match[2] + match[3], count, tuple(operands.addresses))


class _Operands:
    """The state between two words of the operands of an instruction."""

    def __init__(self) -> None:
        self.index = 0
        self.addresses: list[int] = []
        self._open = ""  # the brackets and braces that are open
        self._is_first = True  # True in the first part of an address
        self._at_start = True  # True before the first word of an operand

    def take(self, match: re.Match[str], begin: int, words: list[Word]) -> None:
        """Take a word or sign, and add its word to the list."""
        kind, at = match.lastgroup, match.start() - begin
        if kind == "sign":
            self._sign(match[0])
        elif kind == "dotted":
            _add_dotted(words, match, begin)
        elif kind == "name":
            if match[0] != "_":
                bracketed = self._open == "[" and self._is_first and self.index in self.addresses
                words.append(Word(at, len(match[0]), None, match[0], self.index, bracketed))
        elif kind is not None:
            words.append(Word(at, len(match[0]), _FIXED[kind]))
        if kind != "sign":
            self._at_start = False

    def _sign(self, sign: str) -> None:
        if sign in "[({":
            if sign == "[" and not self._open and self._at_start:
                self.addresses.append(self.index)
                self._is_first = True
            self._open += sign
        elif sign == ",":
            if not self._open:
                self.index += 1
                self._at_start = True
                return
            if self._open == "[":
                self._is_first = False
        else:
            self._open = self._open[:-1]
        self._at_start = False


def _add_dotted(words: list[Word], match: re.Match[str], begin: int) -> None:
    """Add a word with a dot in an operand: to the name before it if that has no blank after it, as in `%tid.x`."""
    last = words[-1] if words else None
    if last is not None and last.type is None and last.start + last.length == match.start() - begin:
        words[-1] = last._replace(length=last.length + len(match[0]))
    else:
        words.append(_dotted(match, begin))


def _dotted(match: re.Match[str], begin: int) -> Word:
    """A word with a dot in an instruction: a type, or a modifier."""
    type_ = TokenType.TYPE if match[0] in TYPE_WORDS else TokenType.MODIFIER
    return Word(match.start() - begin, len(match[0]), type_)


def loose_words(text: str, start: int, end: int) -> Iterator[Word]:
    """The words that need no statement: comments, strings, numbers, types and directives; no names."""
    for match in _WORD.finditer(text, start, end):
        kind = match.lastgroup
        if kind == "dotted":
            type_ = TokenType.TYPE if match[0] in TYPE_WORDS else TokenType.DIRECTIVE
            yield Word(match.start(), len(match[0]), type_)
        elif kind in _FIXED:
            yield Word(match.start(), len(match[0]), _FIXED[kind])


def open_comment(text: str, start: int, end: int) -> int:
    """The offset of a comment without an end that begins between two offsets, which are no part of it; -1 without one.

    Where a statement ends that has such a comment depends on the block: the comment reaches to the end of the text.
    """
    if text.find("/*", start, end) >= 0:
        for match in _WORD.finditer(text, start):
            if match.start() >= end:
                break
            if match.end() == len(text) and match[0].startswith("/*") and not text.endswith("*/", match.start() + 2):
                return match.start()
    return -1


def row_words(text: str, start: int, end: int) -> Iterator[Word]:
    """The words of some rows of a section as compilers write them: names are those of labels, or in data."""
    for match in _WORD.finditer(text, start, end):
        if match.lastgroup == "name":
            where = Where.LABEL if _COLON.match(text, match.end()) is not None else Where.DATA
            yield Word(match.start(), len(match[0]), None, match[0], where=where)
        else:
            yield from loose_words(text, match.start(), match.end())


def statement_words(text: str, start: int, statement: Statement) -> Line:
    """The words from an offset to the end of a parsed statement; they count from the beginning of the text."""
    names = {name.start: name for name in names_in(statement)}
    instruction = statement if isinstance(statement, Instruction) else None
    words = tuple(_words_with_names(text, _without_long_runs(start, statement), names, instruction))
    if instruction is None:
        return Line(words)
    addresses = tuple(i for i, operand in enumerate(instruction.operands) if text.startswith("[", operand.start))
    return Line(words, instruction.text, len(instruction.operands), addresses, instruction.has_results)


def _without_long_runs(start: int, statement: Statement) -> Iterator[tuple[int, int]]:
    """The parts of a text from an offset to the end of a statement that are not in a long run of initial values."""
    for declarator in statement.declarators if isinstance(statement, Declaration) else ():
        for item in declarator.initialiser.items if declarator.initialiser is not None else ():
            if isinstance(item, ValueRun) and item.end - item.start > LONGEST_RUN:
                yield start, item.start
                start = item.end
    yield start, statement.end


def _words_with_names(
    text: str, parts: Iterable[tuple[int, int]], names: dict[int, Name], instruction: Instruction | None
) -> list[Word]:
    opcode = instruction.opcode.start if instruction is not None else -1
    words: list[Word] = []
    for match in chain.from_iterable(_WORD.finditer(text, *part) for part in parts):
        kind, at = match.lastgroup, match.start()
        name = names.get(at)
        if name is not None:
            operand = name.path[0] if name.path else OUTSIDE
            words.append(Word(at, name.end - at, None, name.text, operand, name.bracketed, name.where))
        elif at == opcode:
            words.append(Word(at, len(match[0]), TokenType.OPCODE))
        elif kind == "dotted" and instruction is not None and at > opcode:
            _add_dotted(words, match, 0)
        elif kind == "dotted":
            words += loose_words(text, at, match.end())
        elif kind in _FIXED:
            words.append(Word(at, len(match[0]), _FIXED[kind]))
    return words
