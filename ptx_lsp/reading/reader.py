"""Reads one block to the end of its last statement: plain lines by recognisers, all other statements by the parser."""

from __future__ import annotations

import re
from collections.abc import Callable

from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.quick.line_memory import inline_text
from ptx_lsp.quick.line_pattern import BLANKS, END_OF_LINE
from ptx_lsp.quick.line_runs import Lines
from ptx_lsp.quick.statements import buried_statement, module_statement, statement
from ptx_lsp.reading.apply_effect import apply_effect, apply_module_effect
from ptx_lsp.reading.apply_statement import SECTION, apply_statement, is_fine_by_text
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.remembered_text import (
    InlineAssembly,
    begin_inline,
    end_inline,
    may_be_inline,
    read_body,
    remember_watched,
)
from ptx_lsp.reading.state import CHECKED
from ptx_lsp.syntax.lexer import PASSED_OVER, UNTERMINATED
from ptx_lsp.syntax.statements import read_statements
from ptx_lsp.syntax.tree import CloseBrace, FunctionHeader, OpenBrace, Problem, Section, Statement

RECOGNISERS = True
"""False in tests only: then the parser reads every statement."""


class Below(NamedTuple):
    """The text below a block.

    `take` makes the next chunk a part of the block and returns its text, or None at the end of the text. `holds` is
    true if a text occurs in any chunk below.
    """

    take: Callable[[], str | None]
    holds: Callable[[str], bool]


NOTHING_BELOW = Below(lambda: None, lambda _: False)


class Next(NamedTuple):
    """The offset at which reading continues.

    `grown` is true if the text of the block has become longer since the lines were split; then the statement at the
    offset may have been parsed in the shorter text, but it has not been applied.
    """

    offset: int
    grown: bool = False


_REST_OF_LINE = lazy_pattern(r"[ \t\f\r]*(?://[^\n]*)?(?:\n|\Z)")
# the statement before a missing semicolon is complete: it is checked like any other
HARMLESS = frozenset(("missing-semicolon",))
_NOTHING = lazy_pattern(r"(?:[ \t]*+(?://[^\r\n]*+)?\r?\n|(?!))*+")
_TOKEN = r"""(?:[%$\w]++|"[^"\n]*+"?+|/(?![/*])|(?![%$\w"/])[!-~])"""  # the last one: other characters
# more tokens than the parser ever looks ahead
_ENOUGH = lazy_pattern(rf"(?:{PASSED_OVER}{_TOKEN}){{12}}", re.A)
_OPENS_COMMENT = lazy_pattern(rf"(?:{PASSED_OVER}{_TOKEN}|(?!))*+{PASSED_OVER}/\*", re.A)
_ENDS: dict[type[Statement], tuple[str, ...]] = {
    OpenBrace: ("{",),
    CloseBrace: ("}",),
    Section: ("}",),
    FunctionHeader: ("{", ";"),
}
_LONE_RETURN = lazy_pattern(r"\r(?!\n)")


def read(reader: BlockReader, below: Below) -> None:
    """Read the whole block, and from `below` the rest of its last statement."""
    source = reader.source
    _extend(reader, len(source.text), below)
    offset = reader.begin()
    by_lines = _has_plain_lines(source.text)
    while offset < len(source.text):
        if by_lines and source.starts[source.line_at(offset)] == offset:
            following = _read_lines(reader, offset, below)
        else:
            following = _parse(reader, offset, below)
        offset = following.offset
        if following.grown:
            by_lines = by_lines and _has_plain_lines(source.text)
    remember_watched(reader)
    reader.finish()


def _has_plain_lines(text: str) -> bool:
    """Whether recognisers can split the text into lines as PTX does: a lone `\\r` ends a line too."""
    # a search for one character is four times as fast as a pattern
    return RECOGNISERS and ("\r" not in text or _LONE_RETURN.search(text) is None)


def _extend(reader: BlockReader, offset: int, below: Below) -> bool:
    """Take text from below the block, because the statement at `offset` continues there. False at the end of the text.

    The text from `offset` on is doubled each time, so that the work is linear in the length of the statement.
    """
    text = reader.source.text
    wanted = len(text) - offset
    commented = _ends_in_line_comment(text)
    pieces = []
    while (wanted > 0 or commented) and (piece := below.take()) is not None:
        pieces.append(piece)
        wanted -= len(piece)
        commented = _ends_in_line_comment(piece) or (commented and "\n" not in piece)
    if pieces:
        reader.source.grow("".join(pieces))
    return bool(pieces)


def _ends_in_line_comment(text: str) -> bool:
    # a lone \r ends a line, but not a comment
    return text.endswith("\r") and "//" in text[text.rfind("\n") + 1 :]


# --- by lines -------------------------------------------------------------------------------------------------------


def _read_lines(reader: BlockReader, start: int, below: Below) -> Next:
    """Read from the line that begins at `start` to the end of a function, or until the text ends or has grown."""
    source = reader.source
    start, ended = _recognise_functions(reader, start)
    if not ended:
        return _parse(reader, start, below)
    if start >= len(source.text):
        return Next(start)
    known, part = reader.known, reader.part
    first, stop = source.line_at(start), _stop(reader, start)
    lines = Lines(source.text, source.lines, source.starts, first, reader.view, stop)
    at, inline = 0, None
    while True:
        at, inline = _recognise_runs(reader, lines, at, inline)
        if at >= len(lines.lines) or at + lines.first >= len(source.starts):
            return Next(source.starts[stop] if stop < len(source.starts) else len(source.text))
        following = _read_line(reader, lines, at, below)
        if following.grown or following.offset >= len(source.text):
            return following
        lines.see(reader.view)
        at = source.line_at(following.offset) - lines.first
        if reader.known is not known or reader.part not in (part, None) or at > len(lines.lines):
            return following


def _stop(reader: BlockReader, start: int) -> int:
    """The line after the next brace that ends a function, or the number of all lines."""
    source = reader.source
    end = source.text.find("\n}", start)
    return source.line_at(end) + 2 if end >= 0 else len(source.lines)


def _recognise_functions(reader: BlockReader, offset: int) -> tuple[int, bool]:
    """Apply the declarations, and the functions whose bodies are known, from the line at `offset` on.

    Returns an offset and True if it is that of a line, False if it is in a line, which the parser must read.
    """
    text = reader.source.text
    while True:
        if reader.part is not None:
            after = read_body(reader, offset)
            if after < 0:
                return offset, True
            offset = after
        remember_watched(reader)
        if CHECKED not in reader.header or offset >= len(text):
            return offset, True
        offset = _passed(text, offset)
        after, ended = _recognise_statements(reader, offset)
        if not ended:
            return after, after == offset
        offset = after


def _passed(text: str, offset: int) -> int:
    """The offset of the first line from `offset` on that is no comment and not blank."""
    return _NOTHING.match(text, offset).end()  # type: ignore[union-attr]  # it matches the empty text


def _recognise_runs(
    reader: BlockReader, lines: Lines, at: int, inline: InlineAssembly | None
) -> tuple[int, InlineAssembly | None]:
    """Apply the lines from the place `at` on that a recogniser knows.

    Returns the place of the first line that it does not know, and the inline assembly that begins there or that has
    not ended yet.
    """
    end = len(lines.lines)
    while at < end:
        if inline is not None and at >= inline.end:
            if at == inline.end:
                end_inline(reader, inline)
            inline = None
        if reader.part is None:
            if any(lines.groups(at)):
                return at, inline
            at += 1
            continue
        stop = end if inline is None else inline.end
        if not reader.buried:
            at = _apply_run(reader, lines, at, stop)
        if at >= stop:
            continue
        if inline is not None or reader.buried or not may_be_inline(reader, lines.groups(at)):
            return at, inline
        line = lines.lines[at]
        text, count = inline_text(lines.lines, at) if "{" in line else (line, 1)
        remembered = lines.known_text(text) if count > 1 else None
        if remembered is None:
            return at, begin_inline(reader, reader.part, text, at + count) if count else None
        reader.part.lines.append(remembered)
        at += count
    return at, inline


def _apply_run(reader: BlockReader, lines: Lines, at: int, stop: int) -> int:
    """Apply the runs of lines from a place on that a recogniser knows; return the place of the next line."""
    while at < stop:
        effect = lines.run(at, stop)
        if effect.count:
            apply_effect(reader, effect)
            at += effect.count
        if effect.declares:
            lines.see(reader.view)
        if effect.stopped:
            break
    return at


def _read_line(reader: BlockReader, lines: Lines, at: int, below: Below) -> Next:
    """Read the line at a place, which no recogniser knows as a whole, statement by statement."""
    start = reader.source.starts[at + lines.first]
    if start >= len(reader.source.text):
        return Next(start)
    other = lines.groups(at)[-1]
    if reader.part is None and other.lstrip(BLANKS).startswith(SECTION):
        return _read_section(reader, start, below)
    if other:
        start, ended = _recognise_statements(reader, start)
        if ended:
            return Next(start)
    return _parse(reader, start, below)


def _recognise_statements(reader: BlockReader, offset: int) -> tuple[int, bool]:
    """Apply the statements of one line from `offset` on that a recogniser knows; they may continue below the line.

    Returns the offset of the first one that it does not know and False, or the offset of the next line and True.
    """
    text = reader.source.text
    while True:
        after = _recognise_statement(reader, offset)
        if after < 0:
            return offset, False
        if text[after - 1] == "\n":
            return after, True  # the effect of a call ends at the end of its line
        offset = after
        end = END_OF_LINE.match(text, offset)
        if end is not None:
            return end.end(), True


def _recognise_statement(reader: BlockReader, offset: int) -> int:
    """Apply the statement or brace at `offset` if a recogniser knows it; returns the offset of its end, -1 if not."""
    text = reader.source.text
    if reader.part is not None:
        effect = buried_statement(text, offset) if reader.buried else statement(text, offset, reader.view)
        if effect is None:
            return -1
        apply_effect(reader, effect)
        return effect.end
    effect = module_statement(text, offset, reader.view) if CHECKED in reader.header else None
    if effect is None:
        return -1
    apply_module_effect(reader, effect)
    return effect.end


def _read_section(reader: BlockReader, start: int, below: Below) -> Next:
    """Read the section at `start` to its end, which may be in a later chunk."""
    from ptx_lsp.quick.debug_sections import further_rows_end, rows_end, section  # its patterns take 1 ms to compile

    source = reader.source
    end = rows_end(source.text, start) if CHECKED in reader.header else -1
    while end == len(source.text) and _extend(reader, start, below):
        end = further_rows_end(source.text, end)
    effect = section(source.text, start, end, reader.view) if end >= 0 else None
    if effect is None:
        return Next(_parse(reader, start, below).offset, grown=True)
    apply_module_effect(reader, effect)
    return Next(effect.end, grown=True)


# --- by the parser --------------------------------------------------------------------------------------------------


def _parse(reader: BlockReader, start: int, below: Below) -> Next:
    """Read statements from `start` until one ends its line; returns the offset of the next line."""
    source = reader.source
    end = start
    assumed_endless = False
    reader.parsed += 1
    fresh, source.fresh = source.fresh, True
    cursor = source.cursor_at(start)
    for found, problems in read_statements(cursor, fresh):
        comment = next((p for p in problems if p.code == UNTERMINATED), None)
        if comment is not None and comment.start == found.start:
            reader.end_in_comment(comment.start, assumed_endless)
            reader.report_problems(tuple(p for p in problems if p is not comment))
            break
        if not _is_complete(found, problems, cursor.kinds[cursor.at - 1], source.text):
            if _ends_in_comment(found, comment, source.text) and not below.holds("*/"):
                assumed_endless = True
            elif _extend(reader, end, below):
                return Next(end, grown=True)
        if comment is not None:
            reader.end_in_comment(comment.start, assumed_endless)
            problems = tuple(p for p in problems if p is not comment)
        reader.report_problems(problems)
        apply_statement(reader, found, broken=not HARMLESS.issuperset(p.code for p in problems))
        reader.not_by_text += not is_fine_by_text(reader, found)
        end = found.end
        rest = _REST_OF_LINE.match(source.text, end)
        if rest is not None:
            return Next(rest.end())
    return Next(len(source.text))


def _ends_in_comment(found: Statement, comment: Problem | None, text: str) -> bool:
    return comment is not None or _OPENS_COMMENT.match(text, found.end) is not None


def _is_complete(found: Statement, problems: tuple[Problem, ...], last: str, text: str) -> bool:
    """Whether a statement would be the same if the text continued: it has its own end, or enough tokens follow.

    `last` is the kind of its last token. A damaged header with a `;` has no end: a body may follow.
    """
    if problems and last == ";" and isinstance(found, FunctionHeader):
        return _ENOUGH.match(text, found.end) is not None
    return last in _ENDS.get(type(found), (";",)) or _ENOUGH.match(text, found.end) is not None
