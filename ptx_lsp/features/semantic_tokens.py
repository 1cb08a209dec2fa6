"""Semantic tokens: what each word is, and what is done with the name, block by block.

A line with one instruction is found by a pattern and remembered; the parser reads everything else. What the tokens of
a block depend on is its text and the scopes at its begin.
"""

from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.operand_roles import OperandRoles, operand_roles
from ptx_lsp.features.token_names import Frames, TokenMeaning
from ptx_lsp.features.token_types import Token, TokenModifier, TokenType
from ptx_lsp.features.token_words import OUTSIDE, Line, Word, loose_words, plain_line, statement_words
from ptx_lsp.findings.finding import Tag
from ptx_lsp.reading.block import Block
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.text.lines import line_starts

_READ = TokenModifier.READ.value
_DECLARATION = TokenModifier.DECLARATION.value
_UNUSED = TokenModifier.UNUSED.value
_DEPRECATED = TokenModifier.DEPRECATED.value
_LINE_ENDS = "\r\n"


def semantic_tokens(module: Module, first: int = 0, last: int | None = None) -> Iterator[list[Token]]:
    """The tokens of the lines `first` to `last` (both included; None: to the end), in lists of one block each.

    Between two lists the caller may pause, and must stop if the module is edited.
    """
    if module.foreign is not None:
        return
    block: Block | None = module.block_map.at_line(first)
    while block is not None and (last is None or block.line <= last):
        end = block.lines if last is None else last - block.line
        yield _Walk(module, block, max(first - block.line, 0), end).run()
        block = module.block_map.after(block)


class _Walk:
    """The walk through one block; `first` and `last` are the lines of the block, from 0, whose tokens are wanted."""

    def __init__(self, module: Module, block: Block, first: int, last: int) -> None:
        self._block = block
        self._text = module.block_map.text(block)
        self._starts = line_starts(self._text)
        self._from = self._starts[min(first, len(self._starts) - 1)]
        self._until = self._starts[last + 1] if last + 1 < len(self._starts) else len(self._text)
        self._profile = module.profile
        self._frames = Frames(block)
        self._unused = {self._starts[line] + column for line, column in _unused(block)}
        self._line = 0  # the line of the last token, from which the line of the next one is looked for
        self._found: list[Token] = []

    def run(self) -> list[Token]:
        """The tokens, in the order of the text."""
        at = self._end_of_comment()
        text, until, begin = self._text, self._until, self._from
        while at < until:
            plain = plain_line(text, at)
            if plain is None:
                at = self._parse(at)
                continue
            line, end = plain
            if end > begin and line.words:
                self._emit_line(line, at)
            at = end
        return self._found

    def _end_of_comment(self) -> int:
        """Where the first statement can begin: after a comment that is open at the begin of the block."""
        entry = self._block.entry
        if entry is None or entry.comment is None:
            return 0
        end = self._text.find("*/")
        at = end + 2 if end >= 0 else len(self._text)
        self._emit(Line((Word(0, at, TokenType.COMMENT),)))
        return at

    def _parse(self, at: int) -> int:
        """Parse from an offset up to a statement that ends with its line; return the offset after it."""
        text = self._text
        for statement, _ in parse_statements(text, at):
            if statement.end > self._from:
                self._emit(statement_words(text, at, statement), self._frames.declared(statement))
            self._frames.advance(statement)
            at = max(at, statement.end)
            if at >= self._until or (text[at : at + 1] in _LINE_ENDS and text[at - 1] in ";{}"):
                return at
        self._emit(Line(tuple(loose_words(text, at, len(text)))))
        return len(text)

    def _emit_line(self, line: Line, begin: int) -> None:
        """Add the tokens of a line that begins at an offset in the text; its words count from there."""
        starts, number = self._starts, self._line
        while number + 1 < len(starts) and starts[number + 1] <= begin:
            number += 1
        self._line = number
        before = begin - starts[number]  # more than 0 after a statement that ends in the line
        roles = self._roles(line)
        number += self._block.line
        for word in line.words:
            type_, modifiers = self._token(word, roles)
            if type_ is not None:
                self._found.append(Token(number, before + word.start, word.length, type_, modifiers))

    def _emit(self, line: Line, declared: dict[int, TokenMeaning] | None = None) -> None:
        """Add the tokens of words that count from the beginning of the text, and may be on several lines."""
        roles = self._roles(line)
        for word in line.words:
            if word.start + word.length <= self._from or word.start >= self._until:
                continue
            meaning = declared.get(word.start) if declared else None
            if meaning is not None and word.type is None:
                unused = _UNUSED if word.start in self._unused else 0
                self._add(word, meaning.type, meaning.modifiers | _DECLARATION | unused)
                continue
            type_, modifiers = self._token(word, roles)
            if type_ is not None:
                self._add(word, type_, modifiers)

    def _roles(self, line: Line) -> OperandRoles | None:
        if not line.opcode:
            return None
        return operand_roles(line.opcode, line.operands, line.addresses, self._profile)

    def _token(self, word: Word, roles: OperandRoles | None) -> tuple[TokenType | None, int]:
        """The type and modifiers of a word that declares nothing; no type if nothing declares the name."""
        if word.type is not None:
            is_deprecated = word.type is TokenType.OPCODE and roles is not None and roles.deprecated
            return word.type, _DEPRECATED if is_deprecated else 0
        in_operand = roles is not None and word.operand != OUTSIDE
        is_branch = roles is not None and roles.branches and in_operand
        find = self._frames.branch_target if is_branch else self._frames.meaning
        meaning = find(word.name)
        if meaning is None:
            return None, 0
        role = 0
        if meaning.is_register:
            in_place = in_operand and not word.bracketed
            role = roles.registers[word.operand] if roles is not None and in_place else _READ
        elif meaning.is_memory and roles is not None and in_operand:
            if word.bracketed:
                role = roles.memory[word.operand]
            elif roles.passes:
                role = roles.registers[word.operand]
        return meaning.type, meaning.modifiers | role

    def _add(self, word: Word, type_: TokenType, modifiers: int) -> None:
        """Add the token of a word, or one for each of its lines: a comment may have several."""
        starts, line = self._starts, self._line
        at, end = word.start, word.start + word.length
        while line + 1 < len(starts) and starts[line + 1] <= at:
            line += 1
        self._line = line
        while at < end:
            following = starts[line + 1] if line + 1 < len(starts) else end
            shown = self._text[at : min(end, following)].rstrip(_LINE_ENDS)
            if shown and self._from <= at < self._until:
                self._found.append(Token(self._block.line + line, at - starts[line], len(shown), type_, modifiers))
            at, line = following, line + 1


def _unused(block: Block) -> set[tuple[int, int]]:
    """The line in the block and the column of each name that a block declares and that nothing uses."""
    return {
        (report.mark.range.line, report.mark.range.column)
        for part in block.parts
        for report in part.body.usage
        if Tag.UNNECESSARY in report.tags and report.mark.holder is block
    }
