"""Statements with their surroundings, for hover and the other features. Nothing here changes the module."""

from __future__ import annotations

from ptx_lsp.isa.directive_names import SECTION
from ptx_lsp.judgement.verdict import Verdict
from ptx_lsp.light_classes import Generator, Iterator, NamedTuple, Sequence, bisect_right
from ptx_lsp.patterns import re
from ptx_lsp.reading.blanked_text import (
    KNOWN_LINES,
    SURE_LINES,
    blanked,
    in_functions,
    without_closed_bodies,
    without_rows,
    without_unused,
)
from ptx_lsp.reading.block import Block
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.copied_blocks import KnownLabels, apply_recognised, copy_to_read, is_complete, statements_in
from ptx_lsp.reading.parsed_statements import apply_found, seems_rest
from ptx_lsp.reading.state import MISTAKE, NO_MISTAKE, Declared
from ptx_lsp.semantics.instructions import Examined
from ptx_lsp.semantics.surroundings import Profile, Surroundings
from ptx_lsp.semantics.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.syntax.statements import Parsed, parse_statements
from ptx_lsp.syntax.tree import Instruction, Problem, Statement
from ptx_lsp.text.kept_lines import KeptText
from ptx_lsp.text.ranges import Position, Range

_LONGEST_GAP = 64  # characters between two statements of a line
LONGEST_INSTRUCTION = 8_192
"""Characters; the statements of compilers have at most some 2,000."""
MOST_READ = 5_000
"""Names of a scope that are compared with what is typed: those declared last."""


class StatementContext(NamedTuple):
    """A statement with its surroundings.

    Its offsets count from the beginning of `text`, which begins at the line `line` (from 0). `line_starts` are the
    offsets of the lines of the text. `surroundings` have the names that are declared above the statement, and all
    labels. `examined` is None unless the statement is an instruction with a verdict.
    """

    statement: Statement
    text: str
    line: int
    line_starts: Sequence[int]
    surroundings: Surroundings
    examined: Examined | None

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on an instruction; None for other statements and for calls."""
        return self.examined.verdict if self.examined is not None else None

    def range(self, start: int, end: int) -> Range:
        """The range in the document of two offsets."""
        starts = self.line_starts
        first = bisect_right(starts, start) - 1
        last = bisect_right(starts, end) - 1
        return Range(first, start - starts[first], last, end - starts[last]).shifted(self.line)

    def position(self, offset: int) -> Position:
        """The position in the document of an offset."""
        line = bisect_right(self.line_starts, offset) - 1
        return Position(self.line + line, offset - self.line_starts[line])

    def offset(self, position: Position) -> int:
        """The offset of a position in the document; clamped to the text."""
        line = min(max(position.line - self.line, 0), len(self.line_starts) - 1)
        return min(self.line_starts[line] + position.column, len(self.text))


class PositionContext(NamedTuple):
    """The surroundings of a position in the document.

    `surroundings` have the names that are declared above the position, and the labels that are known there. `prefix` is
    the text of the statement around the position, from its beginning to the position: empty between statements, and the
    text of the comment, from the beginning of its block, in one that was opened in a block above. The rows of a section
    that are far from the position are blank in it. `declared_here` are the declarations of the block above the
    position, `blocks_above` the blocks above it, in order; both are valid until the next edit.
    """

    surroundings: Surroundings
    prefix: str
    declared_here: Sequence[Declared] = ()
    blocks_above: Sequence[Block] = ()

    @property
    def scope(self) -> Scope:
        """The innermost scope."""
        return self.surroundings.scope

    def last_declared(self, scope: Scope, word: str, most: int) -> list[Symbol]:
        """The single names that a scope declares above the position and that begin with `word`, each at its first
        declaration among those looked at; labels are not among them.

        A scope of a module may have 100,000 names: only the text above the position is looked at that has about `most`
        such names, or the last `MOST_READ` names of any kind.
        """
        found = [each for each in self.declared_here if each.scope is scope and each.symbol.name.startswith(word)]
        opening = scope.opening
        read = 0
        for block in reversed(self.blocks_above):
            is_outside = opening is not None and block.index < opening.holder.index
            if is_outside or len(found) >= most or read >= MOST_READ:
                break
            names = block.declared
            if names:
                read += len(names)
                here = [each for each in names if each[0].opening is opening and each[1].name.startswith(word)]
                found = [*here, *found] if here else found
        symbols = (each.symbol for each in reversed(found))
        single = {each.name: each for each in symbols if each.count is None and each.kind is not SymbolKind.LABEL}
        return list(single.values())[::-1]

    @property
    def profile(self) -> Profile:
        """The version and target of the module, as its header states them above the position."""
        return self.surroundings.profile


def context_steps(
    block: Block, seen: KeptText, position: Position, above: Sequence[Block] = ()
) -> Generator[None, None, PositionContext]:
    """The context of a position in a block, which may be between statements or in a broken one.

    `above` are the blocks above that block, in order. The steps are short; the module must not be edited between them.
    """
    text = seen.text
    reader = BlockReader(copy_to_read(block), text, kept=seen.starts)
    starts = reader.source.starts
    yield
    line = min(max(position.line - block.line, 0), len(starts) - 1)
    following = starts[line + 1] if line + 1 < len(starts) else len(text) + 1
    offset = min(starts[line] + position.column, following - 1, len(text))
    pending: list[tuple[Statement, tuple[Problem, ...]]] = []  # statements without an end, before the position
    fine = _is_fine(block)
    to_position = without_rows(without_closed_bodies(block, text, offset) if fine else text, (offset,))[:offset]
    yield
    lines = KNOWN_LINES if fine else SURE_LINES
    parsed = blanked(lines, to_position, in_functions(block, to_position), from_second=not fine)
    if not fine and (section := to_position.find(SECTION)) >= 0:
        parsed = parsed[:section] + to_position[section:]  # a section with a mistake may end in any line below it
    start = reader.begin()
    if start > offset or reader.comment is not None:
        return PositionContext(reader.surroundings(), "/*" + text[:offset], (), above)
    start = yield from _pass_above(reader, parsed, start, starts[line], None)
    for statement, problems in parse_statements(parsed, start):
        yield
        pending.append((statement, problems))
        if is_complete(statement, problems, parsed):
            for each, its_problems in pending:
                _pass(reader, each, its_problems, None)
            pending = []
    KnownLabels(block).add_to_open(reader)
    prefix = to_position[pending[0][0].start :] if pending else ""
    return PositionContext(reader.surroundings(), prefix, reader.declared, above)


def _without_plain_lines(block: Block, text: str, offsets: Sequence[int]) -> str:
    """The text with blanks in place of what need not be parsed above these offsets, and of rows far from them.

    Above the first offset, these are plain lines and the bodies of functions; the rows are those of sections.

    The other offsets stay as they are. The text of a block with a mistake does not change, because where a broken
    statement ends depends on the lines below it.
    """
    if not _is_fine(block):
        return text
    line = text.rfind("\n", 0, offsets[0]) + 1
    text = without_rows(without_closed_bodies(block, text, offsets[0]), offsets)
    return blanked(KNOWN_LINES, text[:line]) + text[line:]


def _is_fine(block: Block) -> bool:
    """Whether nothing is wrong in the text of a block, and it has been read since its last edit."""
    reported = block.entry is None or block.entry.lost or block.entry.stray_reported
    return not (block.stale or block.reports or reported)


def statements_of(block: Block, seen: KeptText, range_: Range) -> Iterator[StatementContext | None]:
    """The statements of a block that touch a range, in order, each with the names declared above it, and all labels.

    The surroundings of a statement are valid until the next statement is requested. The state of the module does not
    change. The statements above the range are parsed, but checked only if they may change the surroundings of others:
    None for each of them. Nothing below the range is parsed.
    """
    text = seen.text
    reader = BlockReader(copy_to_read(block), text, kept=seen.starts)
    known = KnownLabels(block)
    starts = reader.source.starts
    first = starts[min(max(range_.line - block.line, 0), len(starts) - 1)]
    below = range_.end_line - block.line + 1
    end = starts[below] if below < len(starts) else len(text) + 1
    for statement, problems in statements_in(block, text, reader.begin(), remembered=True):
        if statement.start >= end:
            return
        if statement.end >= first:
            yield _take(reader, statement, problems, known)
        else:
            _pass(reader, statement, problems, known)
            yield None


def statements_outside(
    block: Block, whole: KeptText, left_out: re.Pattern[str], *, complete: bool = True
) -> Iterator[StatementContext]:
    """The statements of a block that `left_out` does not match, as in `statements_of`, but with less work.

    The text that matches is not parsed: it must be whole statements that do not change the surroundings of others, or
    comments. In a block with a mistake, nothing is left out. Instructions inside of functions are parsed and not
    judged: their `examined` is None. Unless `complete`, the surroundings may lack labels, and variables of functions
    that none of these statements mentions: less work again.
    """
    text = whole.text
    reader = BlockReader(copy_to_read(block), text, kept=whole.starts)
    known = KnownLabels(block) if complete else None
    seen = blanked(left_out, text) if _is_fine(block) else text
    if not complete and seen is not text:
        seen = without_unused(block, seen)
    for statement, problems in statements_in(block, seen, reader.begin(), remembered=False):
        if isinstance(statement, Instruction) and reader.part is not None:
            source, around = reader.source, reader.surroundings()
            yield StatementContext(statement, source.text, block.line, source.starts, around, None)
        else:
            yield _take(reader, statement, problems, known)


def statement_steps(block: Block, seen: KeptText, position: Position) -> Generator[None, None, StatementContext | None]:
    """The statement of a block around a position, as in `statements_of`; None between statements.

    It is found in steps, one for each statement; the module must not be edited between them.
    The statements above it are parsed, but checked only if they may change its surroundings: a quarter of the work.
    """
    text = seen.text
    reader = BlockReader(copy_to_read(block), text, kept=seen.starts)
    known: KnownLabels | None = None
    line = position.line - block.line
    if not 0 <= line < len(reader.source.starts):
        return None
    yield
    plain = _without_plain_lines(block, text, (reader.source.starts[line],))
    start = reader.begin()
    if plain is not text:
        start = yield from _pass_above(reader, plain, start, reader.source.starts[line], known)
    for statement, problems in statements_in(block, plain, start, remembered=plain is text):
        if statement.end < reader.source.starts[line]:
            _pass(reader, statement, problems, None)
            yield
            continue
        if known is None:
            known = KnownLabels(block)
            known.add_to_open(reader)
        context = _take(reader, statement, problems, known)
        range_ = context.range(statement.start, statement.end)
        if range_.contains(position):
            return context
        if range_.line > position.line:
            break
    return None


def statements_holding(block: Block, seen: KeptText, offsets: Sequence[int]) -> Iterator[StatementContext]:
    """The statements of a block that hold one of some offsets (from 0, in order), as in `statements_of`.

    Instructions inside of functions are parsed and not judged: their `examined` is None.
    """
    return (context for context in holding_steps(block, seen, offsets) if context is not None)


def holding_steps(block: Block, seen: KeptText, offsets: Sequence[int]) -> Iterator[StatementContext | None]:
    """What `statements_holding` gives, and None after each other statement, where the caller may pause."""
    text = seen.text
    reader = BlockReader(copy_to_read(block), text, kept=seen.starts)
    known = KnownLabels(block)
    index = 0
    plain, start = _without_plain_lines(block, text, offsets) if offsets else text, reader.begin()
    if plain is not text:
        start = yield from _pass_above(reader, plain, start, text.rfind("\n", 0, offsets[0]) + 1, known)
    for statement, problems in statements_in(block, plain, start, remembered=False):
        while index < len(offsets) and offsets[index] < statement.start:
            index += 1
        if index == len(offsets):
            return
        holds = offsets[index] < statement.end
        if isinstance(statement, Instruction) and reader.part is not None:
            if holds:
                source, around = reader.source, reader.surroundings()
                yield StatementContext(statement, source.text, block.line, source.starts, around, None)
            _pass(reader, statement, problems, known)
            if not holds:
                yield None
        elif holds:
            yield _take(reader, statement, problems, known)
        else:
            _pass(reader, statement, problems, known)
            yield None


def _take(
    reader: BlockReader, statement: Statement, problems: tuple[Problem, ...], known: KnownLabels | None
) -> StatementContext:
    before = reader.surroundings()
    _advance(reader, statement, problems, known)
    seen = before if len(reader.scopes) - 1 < before.depth else reader.surroundings()
    line = reader.block.line
    return StatementContext(statement, reader.source.text, line, reader.source.starts, seen, reader.examined)


def _pass(reader: BlockReader, statement: Statement, problems: tuple[Problem, ...], known: KnownLabels | None) -> None:
    """Apply a statement that is not asked for.

    An instruction in a function that has no mistake is not applied: nothing that it does is visible, but it may end a
    mistake above it. What a mistake is decides what becomes of what follows it: below, or as a directive on its line.
    """
    after = reader.source.text[statement.end : statement.end + _LONGEST_GAP].lstrip(" \t")
    if not isinstance(statement, Instruction) or reader.part is None or problems or after[:1] == ".":
        _advance(reader, statement, problems, known)
        return
    _note_freshness(reader, statement, problems)
    is_rest = reader.lost != NO_MISTAKE and seems_rest(reader, statement, problems)
    reader.lost = MISTAKE if is_rest else NO_MISTAKE


def _pass_above(
    reader: BlockReader, text: str, start: int, stop: int, known: KnownLabels | None
) -> Generator[None, None, int]:
    """Apply the complete statements of a block from one offset on that end before another, the begin of a line.

    Returns the offset of the first one that is left. `text` is that of the block, with blanks in place of some.
    """
    parsed: Iterator[Parsed] | None = None
    while start < stop:
        if (after := apply_recognised(reader, text, start, stop, known)) > start:
            start, parsed = after, None
            yield
            continue
        parsed = parsed or parse_statements(text, start)
        statement, problems = next(parsed, (None, ()))
        if statement is None or statement.end >= stop or not is_complete(statement, problems, text):
            break
        _pass(reader, statement, problems, known)
        start = statement.end
        yield
    return start


def _advance(
    reader: BlockReader, statement: Statement, problems: tuple[Problem, ...], known: KnownLabels | None
) -> None:
    """Apply a statement; `known` gives the labels of what it opens, None if no labels are needed."""
    around, depth = reader.body, len(reader.scopes)
    fresh = _note_freshness(reader, statement, problems)
    apply_found(reader, statement, problems, fresh, broken=bool(problems) or is_too_long(statement))
    if known is not None:
        known.add_to_opened(reader, around, depth)


def _note_freshness(reader: BlockReader, statement: Statement, problems: tuple[Problem, ...]) -> bool:
    """Whether nothing before a statement on its line has been reported: the `fresh` of `apply_found`.

    The reader notes the end of the statement if something has, or if the statement has problems itself.
    """
    text, end = reader.source.text, reader.reported_end
    fresh = end < 0 or text.find("\n", end, statement.start) >= 0 or text.find("\r", end, statement.start) >= 0
    reader.reported_end = statement.end if problems or not fresh else -1
    return fresh


def is_too_long(statement: Statement) -> bool:
    """Whether an instruction is so long that requests do not check it again, because that would delay others."""
    return isinstance(statement, Instruction) and statement.end - statement.start > LONGEST_INSTRUCTION
