"""Where statements are: which can be outside of functions, what is done where one is on the wrong side of a closing
brace, which belong to a mistake before them on their line, and where the last one of a block ends.
"""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.directive_names import ENTRY, FUNC, HEADER, PROTOTYPE, SECTION, SECTION_DATA, TARGET
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.light_classes import NamedTuple, Set, bisect_right
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.block import BlockText
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.braces import stray_closing_brace, unmatched_brace
from ptx_lsp.reading.state import MISTAKE, NO_MISTAKE, ROWS, Cut, Next
from ptx_lsp.syntax.lexer import PREPROCESSOR_LINE, Cursor
from ptx_lsp.syntax.long_strings import MOST_LINES, has_lines_for_string
from ptx_lsp.syntax.partial_cursor import cursor_further
from ptx_lsp.syntax.recovery import MISSING_SEMICOLON
from ptx_lsp.syntax.section_rows import (
    FewRows,
    SectionRows,
    before_row,
    labels_row,
    rows_end,
)
from ptx_lsp.syntax.statements import read_statements
from ptx_lsp.syntax.tree import (
    Broken,
    CloseBrace,
    Declaration,
    Directive,
    FunctionHeader,
    Label,
    NameList,
    OpenBrace,
    Problem,
    Section,
    Statement,
)
from ptx_lsp.text.lines import line_starts

_DIRECTIVES = frozenset((*HEADER, ".file", ".pragma", ".alias"))
# after these, the rest of the statement may follow: `add;.s32`, `cvt;s32.s16` or `add.s32 %r1; %r2, %r3`
UNFINISHED = frozenset((MISSING_SEMICOLON, "unclosed-bracket", "missing-modifier", "operand-count"))
_DECLARES = (Declaration, Directive, FunctionHeader, NameList, Section)
_LINE_END = lazy_pattern(r"[ \t\f]*(?://[^\n]*)?\r?\n([ \t\f\r\n]*\.[a-z])?")
_ENDS_STATEMENT = ";{}:"
_ENDS: dict[type[Statement], tuple[str, ...]] = {
    OpenBrace: ("{",),
    CloseBrace: ("}",),
    Section: ("}",),
    FunctionHeader: ("{", ";"),
}
_BELOW = (4, 32, 96)  # lines below a block that its last statement may need: a string may have `MOST_LINES`
MOST_BROKEN = 48  # statements with a mistake in a block that is read in a slice of the work
_LOOKS_FAR = ('"', ENTRY, FUNC)  # in a statement that may depend on text far below it: a string, or a broken header
_LONG = 1 << 14  # characters of statements that are not read again to see how they end
_FAR = 1 << 11  # characters that are not read again after each statement
_FEW_LEFT = 8  # lines that are not worth another block
_INSIDE = TYPE_WORDS | {".param", ".reg", ".align", ".ptr"}  # begin a part of a list of parameters, or of a body


def may_be_outside(statement: Statement) -> bool:
    """Whether a statement begins like one that can be outside of functions."""
    if isinstance(statement, Declaration):
        return statement.specifiers[0].word.text not in _INSIDE
    if isinstance(statement, Directive):
        return statement.name.text in _DIRECTIVES
    return isinstance(statement, Section) or (
        isinstance(statement, FunctionHeader) and statement.kind.text != PROTOTYPE
    )


def cursor_at(source: BlockText, start: int, few: FewRows | None) -> Cursor:
    """A cursor at the first token from the offset `start` on, outside of functions.

    It reads only one row if rows are in no section. `few` is the text of a section with few of its rows.
    """
    if few is not None:
        return Cursor(few.text, start, few.limit)
    limit = before_row(source.text, start)
    return source.cursor_at(start) if limit is None else Cursor(source.text, start, limit, start == source.begin)


def read_with_few_rows(reader: BlockReader, start: int, rows: SectionRows) -> FewRows | None:
    """The text of the section at `start`, which has these rows and then another line, with few of its rows."""
    from ptx_lsp.quick.debug_sections import may_leave_out_rows  # few sections have a mistake
    from ptx_lsp.syntax.section_rows import rows_below, with_few_rows

    source, parts = reader.source, [rows]
    while (following := rows_below(source.text, parts)) is not None:
        while following.end == len(source.text) and reader.extend(start):
            following.look(source.text)
        parts.append(following)
    may_leave_out = may_leave_out_rows(source.text, parts, reader.profile)
    return with_few_rows(source.text, start, parts) if may_leave_out else None


def begins_row(statement: Statement) -> bool:
    """Whether a statement is a row of a section, which is in none."""
    return isinstance(statement, Directive) and statement.name.text in SECTION_DATA


def take_row(reader: BlockReader, statement: Statement) -> bool:
    """Step over a statement that belongs to the rows around it, which are in no section; False if it does not.

    These are the rows below the first, which is reported, and outside of functions also the labels of rows and the
    brace that ends the section.
    """
    is_outside = reader.body is None
    if is_outside and isinstance(statement, Label) and labels_row(reader.source.text, statement.end):
        return True
    is_end = is_outside and isinstance(statement, CloseBrace)
    if reader.lost != ROWS or not (begins_row(statement) or is_end or (is_outside and isinstance(statement, Label))):
        return False
    reader.lost = NO_MISTAKE if is_end else ROWS
    reader.not_by_text += 1
    return True


def skip_rows(reader: BlockReader, start: int) -> int:
    """Step over the rows in no section that begin with the line at the offset `start`; the offset of what follows."""
    source = reader.source
    end = rows_end(source.text, start, labels=reader.body is None) if reader.lost == ROWS else start
    if end > start:
        reader.row_runs += ((source.line_at(start), source.line_at(end)),)
    return end


def cut_off(reader: BlockReader, start: int, end: int) -> None:
    """End the function without its brace, at a directive (from `start` to `end`) that belongs outside of it."""
    reader.cut_or_resumed = True
    reader.buried = 0
    opening, directive = reader.scopes[-1].opening, reader.source.text[start:end]
    cut = Cut(opening, reader.source.mark(start, end), directive, explained=reader.lost >= MISTAKE)
    while len(reader.scopes) > 1:
        reader.close_scope()
    if reader.part is not None:
        reader.part.cut = cut
    reader.end_body(start)


def cut_off_at_section(reader: BlockReader, start: int) -> None:
    """End the function without its brace, at a `.section` at the offset `start`: sections follow the last function."""
    cut_off(reader, start, start + len(SECTION))


def resume(reader: BlockReader, statement: Statement, at_brace: bool = False) -> bool:
    """Continue the last function, because a statement of a function follows its closing brace.

    False if there is no such function: then the statement is reported as outside of any function, unless an earlier one
    has been.
    """
    body = reader.closed
    if body is None:
        if not reader.stray_reported:
            message = "an instruction has to be in the body of a function"
            reader.surroundings().report("outside-function", statement.start, statement.end, message)
        reader.stray_reported = True
        return False
    reader.cut_or_resumed = True
    reader.first_bodies.clear()  # this function may be one of them
    reader.enter(body.scope, resumed=True)
    reader.declared += reader.closed_names if reader.make_closed_names is None else reader.make_closed_names()
    reader.closed_names, reader.make_closed_names = [], None
    reader.body, reader.closed, reader.nested = body, None, False
    reader.begin_part(body, statement.start)
    if reader.part is not None:
        reader.part.resumed_at = reader.source.mark(statement.start, statement.end)
        reader.part.resumed_by_brace = at_brace
    return True


def follows_a_mistake(reader: BlockReader, found: Statement, codes: Set[str] = frozenset()) -> bool:
    """Whether the last error, of one of these codes, is on the line of a statement: that may be the rest of another."""
    if not reader.reports:
        return False
    last, line = reader.reports[-1], reader.source.line_at(found.start)
    is_near = last.mark.holder is reader.block and last.mark.range.line == line
    return is_near and last.severity is Severity.ERROR and (not codes or last.code in codes)


def is_end_of_mistake(reader: BlockReader, found: Statement) -> bool:
    """Whether a statement after a mistake on its line is the end of what is wrong: no statement ends before it.

    It is a directive, declaration or header: its first word was written in the middle of another statement, and what
    follows that word is the rest of it.
    """
    if not isinstance(found, _DECLARES) or (isinstance(found, FunctionHeader) and found.body):
        return False
    before = reader.source.text[reader.source.starts[reader.source.line_at(found.start)] : found.start].rstrip()
    return bool(before) and before[-1] not in _ENDS_STATEMENT


def open_brace(reader: BlockReader, statement: OpenBrace) -> None:
    """Open a nested scope, or the function that a closing brace has ended too early; report any other brace once."""
    if reader.body is None and (reader.closed is None or not resume(reader, statement, at_brace=True)):
        if not reader.stray_reported:
            reader.reports.append(unmatched_brace(reader.source.mark(statement.start, statement.end)))
        reader.stray_reported = True
        return
    reader.open_scope(statement.start)


def close_brace(reader: BlockReader, statement: CloseBrace) -> None:
    """Close the innermost scope, which may end the function; report a brace outside of functions once.

    Below a function inside of another one, it closes that one.
    """
    if reader.body is None and not (reader.nested and resume(reader, statement)):
        if not reader.stray_reported:
            reader.reports.append(stray_closing_brace(reader.source.mark(statement.start, statement.end)))
        reader.stray_reported = False
        return
    reader.close_scope()
    if len(reader.scopes) == 1 and reader.part is not None:
        reader.part.misplaced_end = follows_a_mistake(reader, statement, UNFINISHED)
        reader.end_body(statement.start)


# --- the last statement of a block ------------------------------------------------------------------------------------


class SeenStatement(NamedTuple):
    """A statement that ends in its block, and its problems. It would be another one without the text `looked` below."""

    found: Statement
    problems: tuple[Problem, ...]
    looked: str


def is_for_preprocessor(found: Statement, problems: tuple[Problem, ...]) -> bool:
    """Whether a statement is a line for the preprocessor of C, which ends with its line or before a comment in it."""
    return isinstance(found, Broken) and bool(problems) and problems[0].code == PREPROCESSOR_LINE


def after_last(reader: BlockReader, cursor: Cursor, start: int, end: int) -> Next:
    """Read on at `end`, after the last statement that surely ends in the text that a cursor reads from `start` on.

    If that is a part of the text of a block, the statement may have taken the begin of a row below it: see `cursor_at`.
    """
    source = reader.source
    if source.is_part(cursor):
        source.cursor = cursor_further(cursor, end, end == source.begin)
        return Next(end, grown=True)
    if end == start or reader.comment is not None or cursor.limit == len(source.text):
        return Next(len(source.text))
    source.fresh = cursor.fresh
    return Next(end, grown=True)


def may_look_below(reader: BlockReader, found: Statement, is_broken: bool) -> bool:
    """Whether lines below the block can show where a statement ends, and need not be a part of the block."""
    if isinstance(found, Label):
        return reader.body is not None
    return is_broken or reader.lost != NO_MISTAKE


def has_own_end(found: Statement, cursor: Cursor) -> bool:
    """Whether a statement ends with its own last token. The cursor is at its end."""
    last = cursor.at - 1  # not of characters at the end of the text
    return cursor.ends[last] == found.end and cursor.kinds[last] in _ENDS.get(type(found), (";",))


def ends_for_certain(
    found: Statement, problems: tuple[Problem, ...], cursor: Cursor, text: str, is_part: bool = False
) -> bool:
    """Whether a statement would be the same if the text continued: it has its own end, or enough tokens follow.

    The cursor is at its end; `is_part`: it reads only a part of the text. A damaged header without a `{` has no end: a
    parameter or a body may follow. A header that has a `{` among what was skipped has no end there.
    """
    if is_for_preprocessor(found, problems):
        return text.find("\n", found.end) >= 0
    if cursor.short or (cursor.limit < len(text) and not is_part):
        return cursor.limit < len(text) and not is_part  # then the begin of a row is below it
    has_quote = problems and text.find('"', found.start, found.end) >= 0
    if has_quote and not has_lines_for_string(text, found.end, cursor.limit):
        return False  # the string may end below, whatever is reported
    if isinstance(found, Directive) and not problems and _ends_with_line(found, text):
        return True
    opens = cursor.kinds[cursor.at - 1] == "{"
    is_damaged = isinstance(found, FunctionHeader) and (bool(problems) or (opens and not found.body))
    if is_damaged or not has_own_end(found, cursor):
        from ptx_lsp.syntax.text_ahead import enough_follows

        return enough_follows(text, found.end, cursor.limit, is_damaged)
    return True


def _ends_with_line(found: Directive, text: str) -> bool:
    """Whether a directive of the module's header that is fine ends with its line, whatever is on the lines below.

    A comma after the targets may be on one of those.
    """
    end = _LINE_END.match(text, found.end) if found.name.text in HEADER else None
    return end is not None and (found.name.text != TARGET or end[1] is not None)


def ends_in_comment(found: Statement, comment: Problem | None, text: str, directly: bool = False) -> bool:
    """Whether a comment without an end follows a statement, or begins in it; `comment` is the problem of such a one.

    With `directly`, nothing is between them.
    """
    from ptx_lsp.syntax.text_ahead import opens_comment

    return comment is not None or opens_comment(text, found.end, directly)


def seen_with_below(reader: BlockReader, start: int, fresh: bool) -> SeenStatement | None:
    """The statement at the offset `start`, parsed with a few lines below the block, which are not made a part of it.

    None if it needs more lines, or may continue in them, or is so long that each try takes long.
    """
    text, before = reader.source.text, ""
    for count in _BELOW if len(text) - start < _LONG else ():
        if (looked := reader.below.look(count)) == before:
            return None
        before = looked
        cursor = _cursor(reader, text + looked, start)
        found, problems = next(read_statements(cursor, fresh), (None, ()))
        if found is None or _reaches_below(found, problems, text):
            return None
        if ends_for_certain(found, problems, cursor, cursor.text):
            return SeenStatement(found, problems, looked)
    return None


def _cursor(reader: BlockReader, text: str, start: int) -> Cursor:
    limit = before_row(text, start) if reader.body is None else None
    return Cursor(text, start, limit, is_begin=start == reader.source.begin)


def _reaches_below(found: Statement, problems: tuple[Problem, ...], text: str) -> bool:
    return any(each.end > len(text) for each in (found, *problems))


def next_line(reader: BlockReader, end: int, below: int) -> Next:
    """Where to read on after a statement that ends at `end`, in the line above the offset `below`."""
    after = skip_rows(reader, below) if reader.lost == ROWS else below
    ends = reader.broken > 0 and _may_end_early(reader, after) and _end_early(reader, end, after)
    return Next(after, grown=ends)


def _may_end_early(reader: BlockReader, offset: int) -> bool:
    """Whether the block has enough text at an offset after a statement, so that what follows is left to another one."""
    if not reader.may_end_early or offset < reader.no_end_above:
        return False
    text = reader.source.text
    return (reader.enough_at <= offset < len(text)) or (
        reader.broken >= MOST_BROKEN and text.count("\n", offset) > _FEW_LEFT
    )


def _end_early(reader: BlockReader, end: int, offset: int) -> bool:
    """End the block at an offset, at which a line begins, after the last statement, which ends at `end`.

    False if that is not possible, because a statement depends on many lines below.
    """
    source = reader.source
    if not reader.fresh_starts or offset - (start := _first_in_doubt(reader, offset)) > _LONG:
        return False
    left, below = source.text[offset:], reader.below.look
    starts = line_starts(left)
    for count in (0, *_BELOW):
        looked = left[: starts[count]] if count < len(starts) else left + below(count - len(starts) + 1)
        if _are_complete(reader, source.text[:offset], looked, start, end):
            reader.looks_below, reader.ended_early = looked, True
            source.end(offset)
            return True
    if offset - start > _FAR:
        reader.no_end_above = 2 * offset - start  # each look takes as long as what is read again
    return False


def _first_in_doubt(reader: BlockReader, offset: int) -> int:
    """The begin of the first statement that may depend on the text below an offset."""
    text, source, starts = reader.source.text, reader.source, reader.fresh_starts
    first = source.starts[max(0, source.line_at(offset) - MOST_LINES - 1)]
    place = max(0, bisect_right(starts, first) - 1)
    if any(text.find(word, starts[place], offset) >= 0 for word in _LOOKS_FAR):
        return starts[place]
    from ptx_lsp.syntax.text_ahead import enough_follows

    return next((start for start in starts[:place:-1] if enough_follows(text, start, offset, False)), starts[place])


def _are_complete(reader: BlockReader, text: str, looked: str, start: int, end: int) -> bool:
    """Whether all statements from one offset to another are complete in a block with a text and one below it."""
    while start < end:
        cursor, begun = _cursor(reader, text + looked, start), start
        for found, problems in read_statements(cursor):
            if _reaches_below(found, problems, text) or not ends_for_certain(found, problems, cursor, cursor.text):
                return False
            start = found.end
            if start >= end:
                break
        if start == begun:
            return False
    return True
