"""Semantic tokens: what each word is, and what is done with the name, block by block.

A line with one instruction is found by a pattern and remembered; the parser reads everything else. What the tokens of
a block depend on is its text, the scopes at its begin, the names that nothing uses, and what other blocks declare for
the names that it does not declare. They are kept as long as these stay the same, so that after an edit only what it
changed is read.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Generator, Iterator
from typing import NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.lines_above import end_of_lines_above
from ptx_lsp.features.operand_roles import OperandRoles, operand_roles
from ptx_lsp.features.token_types import Token, TokenModifier, TokenType
from ptx_lsp.features.token_words import (
    OUTSIDE,
    Line,
    Word,
    end_of_plain_line,
    label_line,
    loose_words,
    open_comment,
    plain_line,
    row_words,
    statement_words,
)
from ptx_lsp.occurrences.block_names import BlockNames, NameKind, Outside, blocks_between
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.surroundings import Profile
from ptx_lsp.semantics.symbols import Scope
from ptx_lsp.steps import with_empty_lists
from ptx_lsp.syntax.names import Where
from ptx_lsp.syntax.section_rows import SectionRows, end_of_section, rows_of
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.text.lines import line_starts

MOST_LINES = 50_000
"""Lines; of a longer document only the tokens of a range are given."""

_LINES_PER_STEP = 20
_READ = TokenModifier.READ.value
_DECLARATION = TokenModifier.DECLARATION.value
_UNUSED = TokenModifier.UNUSED.value
_DEPRECATED = TokenModifier.DEPRECATED.value
_BEFORE_SECTION = lazy_pattern(r"[ \t]*+(?:(?://[^\r\n]*+|(?!))?+\r?+\n[ \t]*+|(?!))++\.section\b", re.A)
_LINES_BEFORE_SECTION = lazy_pattern(
    r"(?:[ \t]*+(?:\.file\b[^\r\n;{}]*+|\}|[$%\w]++:|(?!))?+[ \t]*+\r?+\n|(?!))++(?=[ \t]*+\.section\b)", re.A
)
_LINE_ENDS = "\r\n"
_REGISTERS = frozenset((NameKind.REGISTER, NameKind.SPECIAL_REGISTER))
_IN_MEMORY = frozenset((NameKind.VARIABLE, NameKind.PARAMETER))
_TYPES = {
    NameKind.REGISTER: TokenType.VARIABLE,
    NameKind.SPECIAL_REGISTER: TokenType.VARIABLE,
    NameKind.VARIABLE: TokenType.VARIABLE,
    NameKind.PARAMETER: TokenType.PARAMETER,
    NameKind.FUNCTION: TokenType.FUNCTION,
    NameKind.LABEL: TokenType.LABEL,
}
_MODIFIERS = {
    NameKind.SPECIAL_REGISTER: TokenModifier.DEFAULT_LIBRARY.value,
    NameKind.VARIABLE: TokenModifier.STATIC.value,
}

Numbers: TypeAlias = "array[int]"
"""Five numbers for each token: its line in the block, column, length, type and modifiers, as in `Token`."""


class BlockTokens(NamedTuple):
    """The tokens of a block, or of a part of it, in the order of the text; `line` is the first line of the block."""

    line: int
    numbers: Numbers

    def tokens(self) -> Iterator[Token]:
        """The tokens at their places in the document."""
        numbers = iter(self.numbers)
        for line, column, length, type_, modifiers in zip(numbers, numbers, numbers, numbers, numbers, strict=True):
            yield Token(self.line + line, column, length, TokenType(type_), modifiers)


class _Known(NamedTuple):
    """The tokens of a block, and what they depend on beside the text and the names of one generation of the block."""

    generation: int
    profile: Profile
    unused: frozenset[tuple[int, int]]
    scopes: tuple[Scope, ...]
    outside: tuple[Outside, ...]
    numbers: Numbers

    def is_of(self, block: BlockNames, profile: Profile) -> bool:
        """Whether these are the tokens of a block as it is now."""
        now = (block.generation, profile, block.unused, block.scopes)
        return block.is_read and self[:4] == now and block.means_the_same(self.outside)


_known: WeakKeyDictionary[Module, dict[object, _Known]] = WeakKeyDictionary()


def semantic_tokens(module: Module) -> Iterator[list[BlockTokens]]:
    """All tokens of a document, in lists of one block, or of none: between two lists the caller may pause.

    The caller must stop if the module is edited.
    """
    before = _known.get(module, {})
    known: dict[object, _Known] = {}
    profile = module.profile
    for block in blocks_between(module, 0, module.document.line_count):
        kept = before.get(block.key)
        if kept is None or not kept.is_of(block, profile):
            numbers = yield from with_empty_lists(_Walk(block, profile, 0, block.lines).steps())
            kept = _Known(block.generation, profile, block.unused, block.scopes, tuple(block.outside), numbers)
        known[block.key] = kept
        yield [BlockTokens(block.line, kept.numbers)]
    if module.settled:  # before that, a block may lack the names of one that is read again
        _known[module] = known


def tokens_in_range(module: Module, first: int, last: int) -> Iterator[list[BlockTokens]]:
    """The tokens of the lines `first` to `last`, both included, in lists as `semantic_tokens` gives them."""
    for block in blocks_between(module, first, last):
        walk = _Walk(block, module.profile, max(first - block.line, 0), last - block.line)
        numbers = yield from with_empty_lists(walk.steps())
        yield [BlockTokens(block.line, numbers)]


class _Walk:
    """The walk through one block; `first` and `last` are the lines of the block, from 0, whose tokens are wanted."""

    def __init__(self, names: BlockNames, profile: Profile, first: int, last: int) -> None:
        self._names = names
        seen = names.seen(first, last)
        self._text = seen.text
        self._starts = line_starts(self._text) if seen.starts is None else seen.starts
        self._from = self._starts[min(first, len(self._starts) - 1)]
        self._until = self._starts[last + 1] if last + 1 < len(self._starts) else len(self._text)
        self._profile = profile
        self._unused = {self._starts[line] + column for line, column in names.unused}
        self._line = 0  # the line of the last token, from which the line of the next one is looked for
        self._found: Numbers = array("I")

    def steps(self) -> Generator[None, None, Numbers]:
        """Find the tokens in the order of the text, in steps of some lines; the first step has no line."""
        yield  # to divide the text of a long block into lines has taken a step
        text, until, begin = self._text, self._until, self._from
        at = max(self._end_of_comment(), self._names.skip_functions(begin))
        number = 0
        while at < until:
            number += 1
            if not number % _LINES_PER_STEP:
                yield
            if at < begin and (skipped := self._end_of_lines_above(at)) > at:
                at = skipped
                continue
            plain = plain_line(text, at) or (label_line(text, at) if self._names.keeps_scope else None)
            if plain is None:
                rows = rows_of(text, at)
                end_of_rows = -1 if rows is None else end_of_section(text, rows)
                if rows is not None and end_of_rows >= 0:
                    yield from self._section(at, rows, end_of_rows)
                    at = end_of_rows
                else:
                    at = self._parse(at)
                continue
            line, end = plain
            if end > self._names.change:
                self._names.reach(end - 1)
            if end > begin and line.words:
                self._emit_line(line, at)
            at = end
        return self._found

    def _end_of_lines_above(self, at: int) -> int:
        """The offset after the lines from an offset above the wanted ones that can be passed over now."""
        self._names.reach(at)
        if self._names.keeps_scope:
            return end_of_lines_above(self._text, at, min(self._from, self._names.change))
        end = end_of_plain_line(self._text, at)
        return at if end is None or end > self._from else end

    def _section(self, at: int, rows: SectionRows, end: int) -> Generator[None, None, None]:
        """Take a section of rows alone, without a tree: it may have 100,000 rows, of which few are wanted."""
        self._emit(Line(tuple(loose_words(self._text, at, rows.start))))
        starts = self._starts
        line = self._line = bisect_right(starts, max(rows.start, self._from)) - 1
        begin, until = max(rows.start, starts[line]), min(rows.end, self._until)
        while begin < until:
            line += _LINES_PER_STEP
            following = min(rows.end, starts[line]) if line < len(starts) else rows.end
            words = tuple(row_words(self._text, begin, following))
            labels = {word.start: NameKind.LABEL for word in words if word.where is Where.LABEL}
            self._emit(Line(words), labels)
            begin = following
            yield
        self._emit(Line(tuple(loose_words(self._text, rows.end, end))))

    def _end_of_comment(self) -> int:
        """Where the first statement can begin: after a comment that is open at the begin of the block."""
        if not self._names.begins_in_comment:
            return 0
        end = self._text.find("*/")
        at = end + 2 if end >= 0 else len(self._text)
        self._emit(Line((Word(0, at, TokenType.COMMENT),)))
        return at

    def _parse(self, at: int) -> int:
        """Parse from an offset to a statement that ends its line or precedes a section; return the offset after it."""
        text = self._text
        before = _LINES_BEFORE_SECTION.match(text, at)
        limit = len(text) if before is None else before.end()  # the parser reads up to the next `;`: sections have none
        begin = at  # of the last statement
        for statement, _ in parse_statements(text, at, limit):
            self._names.reach(statement.start)
            if statement.end > self._from:
                self._emit(statement_words(text, at, statement), self._names.declared(statement))
            self._names.advance(statement)
            begin, at = at, max(at, statement.end)
            if at >= self._until or (text[at : at + 1] in _LINE_ENDS and text[at - 1] in ";{}"):
                return at
            if _BEFORE_SECTION.match(text, at):
                return at
        if open_comment(text, begin, at) >= 0:
            self._emit(Line((Word(at, len(text) - at, TokenType.COMMENT),)))
        else:
            self._emit(Line(tuple(loose_words(text, at, limit))))
        return limit

    def _emit_line(self, line: Line, begin: int) -> None:
        """Add the tokens of a line that begins at an offset in the text; its words count from there."""
        number = self._go_to(begin)
        before = begin - self._starts[number]  # more than 0 after a statement that ends in the line
        roles = self._roles(line)
        for word in line.words:
            if word.where is Where.LABEL:
                unused = _UNUSED if begin + word.start in self._unused else 0
                self._found.extend((number, before + word.start, word.length, TokenType.LABEL, _DECLARATION | unused))
                continue
            type_, modifiers = self._token(word, roles)
            if type_ is not None:
                self._found.extend((number, before + word.start, word.length, type_, modifiers))

    def _emit(self, line: Line, declared: dict[int, NameKind] | None = None) -> None:
        """Add the tokens of words that count from the beginning of the text, and may be on several lines."""
        roles = self._roles(line)
        for word in line.words:
            if word.start + word.length <= self._from or word.start >= self._until:
                continue
            kind = declared.get(word.start) if declared else None
            if kind is not None and word.type is None:
                unused = _UNUSED if word.start in self._unused else 0
                self._add(word, _TYPES[kind], _MODIFIERS.get(kind, 0) | _DECLARATION | unused)
                continue
            type_, modifiers = self._token(word, roles)
            if type_ is not None:
                self._add(word, type_, modifiers)

    def _go_to(self, offset: int) -> int:
        """The line of an offset, which is not above the line of the last token."""
        starts, line = self._starts, self._line
        if line + 1 < len(starts) and starts[line + 1] <= offset:
            line = self._line = bisect_right(starts, offset, line + 2) - 1
        return line

    def _roles(self, line: Line) -> OperandRoles | None:
        if not line.opcode:
            return None
        return operand_roles(line.opcode, line.operands, line.addresses, line.has_results, self._profile)

    def _token(self, word: Word, roles: OperandRoles | None) -> tuple[TokenType | None, int]:
        """The type and modifiers of a word that declares nothing; no type if nothing declares the name."""
        if word.type is not None:
            is_deprecated = word.type is TokenType.OPCODE and roles is not None and roles.deprecated
            return word.type, _DEPRECATED if is_deprecated else 0
        in_operand = roles is not None and word.operand != OUTSIDE
        is_branch = roles is not None and roles.branches and in_operand
        find = self._names.branch_target if is_branch else self._names.meaning
        kind = find(word.name)
        if kind is None:
            return None, 0
        return _TYPES[kind], _MODIFIERS.get(kind, 0) | _role(kind, word, roles if in_operand else None)

    def _add(self, word: Word, type_: TokenType, modifiers: int) -> None:
        """Add the token of a word, or one for each of its lines: a comment may have several."""
        starts = self._starts
        at, end = word.start, word.start + word.length
        line = self._go_to(at)
        while at < end:
            following = starts[line + 1] if line + 1 < len(starts) else end
            shown = self._text[at : min(end, following)].rstrip(_LINE_ENDS)
            if shown and self._from <= at < self._until:
                self._found.extend((line, at - starts[line], len(shown), type_, modifiers))
            at, line = following, line + 1


def _role(kind: NameKind, word: Word, roles: OperandRoles | None) -> int:
    """What is done with a name: bits of `TokenModifier`. `roles` is None for a name that is in no operand."""
    is_register, is_memory = kind in _REGISTERS, kind in _IN_MEMORY
    if roles is None:
        return _READ if is_register else 0
    if is_register:
        return _READ if word.bracketed and roles.known else roles.registers[word.operand]
    if is_memory and (word.bracketed or not roles.known):
        return roles.memory[word.operand]
    return roles.registers[word.operand] if is_memory and roles.passes else 0
