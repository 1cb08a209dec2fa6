"""Statements that the parser reads: each is checked in its surroundings, and then changes the state."""

from __future__ import annotations

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.directive_names import BRANCH_TARGETS, HEADER, PROTOTYPE, TARGET, VERSION
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.opcode_sets import CALL, LOAD, NAMING_CODE
from ptx_lsp.light_classes import TYPE_CHECKING, Any, Callable
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.call_sequences import note_named_results, note_sequence
from ptx_lsp.reading.places import (
    UNFINISHED,
    begins_row,
    close_brace,
    cursor_at,
    cut_off,
    follows_a_mistake,
    is_end_of_mistake,
    may_be_outside,
    open_brace,
    resume,
    skip_rows,
    take_row,
)
from ptx_lsp.reading.state import CHECKED, EXCUSED, ROWS, Next
from ptx_lsp.reading.undeclared import LOSING_NAMES, functions_meant, meant_names, named_by_unknown, note_doubt
from ptx_lsp.semantics import declarations, directives, functions, structure
from ptx_lsp.semantics.debug import section_word
from ptx_lsp.semantics.operands import report_problems
from ptx_lsp.semantics.surroundings import NamePlace
from ptx_lsp.semantics.unfinished import drop_unfinished_name, drop_what_follows
from ptx_lsp.syntax.directives import SHAPES
from ptx_lsp.syntax.lexer import PREPROCESSOR_LINE, UNTERMINATED, UNTERMINATED_STRING, Cursor
from ptx_lsp.syntax.long_strings import has_lines_for_string
from ptx_lsp.syntax.plain_text import RESERVED
from ptx_lsp.syntax.recovery import DECLARING, MISSING_SEMICOLON, STRAY_TOKEN
from ptx_lsp.syntax.statements import read_statements
from ptx_lsp.syntax.tree import (
    Arguments,
    Broken,
    CloseBrace,
    Declaration,
    Directive,
    FunctionHeader,
    Instruction,
    Label,
    NameList,
    OpenBrace,
    Problem,
    Section,
    Statement,
)

if TYPE_CHECKING:
    from ptx_lsp.syntax.section_rows import FewRows

FILE = ".file"  # belongs outside of functions, as sections do
_NO_TOKENS = lazy_pattern(r"[^!-~]*(?:[\\'`$#][^!-~]*)*")  # blanks and characters without meaning
_REST_OF_LINE = lazy_pattern(r"[ \t\f\r]*(?://[^\n]*)?(?:\n|\Z)")
# the statement before a missing semicolon, or around a line of C, is complete: it is checked like any other
HARMLESS = frozenset((MISSING_SEMICOLON, PREPROCESSOR_LINE))
_ENDS: dict[type[Statement], tuple[str, ...]] = {
    OpenBrace: ("{",),
    CloseBrace: ("}",),
    Section: ("}",),
    FunctionHeader: ("{", ";"),
}


def parse(reader: BlockReader, start: int, few: FewRows | None = None) -> Next:
    """Read statements from `start` until one ends its line; returns the offset of the next line.

    `few` is the text of a section with few of its rows, if it can be read so.
    """
    source = reader.source
    end, assumed_endless = start, False
    reader.parsed += 1
    fresh, source.fresh = source.fresh, True
    cursor = source.cursor_at(start) if reader.body is not None else cursor_at(source, start, few)
    for found, problems in read_statements(cursor, fresh):
        if few is not None and not few.are_read(found):
            source.fresh = fresh
            return parse(reader, start)
        rows, few = few, None  # what follows on its line is no section
        comment = next((p for p in problems if p.code == UNTERMINATED), None)
        if comment is not None and comment.start == found.start:
            reader.end_in_comment(comment.start, assumed_endless)
            report_problems(tuple(p for p in problems if p is not comment), reader.surroundings())
            break
        has_end = cursor.kinds[cursor.at - 1] in _ENDS.get(type(found), (";",))
        if comment is not None or not _is_complete(found, problems, cursor, has_end, source.text):
            if _ends_in_comment(found, comment, source.text) and not reader.below.holds("*/"):
                assumed_endless = True
            elif reader.extend(end):
                source.fresh = cursor.fresh
                return Next(end, grown=True)
        if comment is not None:
            reader.end_in_comment(comment.start, assumed_endless)
            problems = tuple(p for p in problems if p is not comment)
        for begin, below in rows.left_out if rows is not None else ():
            reader.row_runs += ((source.line_at(begin), source.line_at(below)),)
        cut = not has_end and _ends_in_comment(found, comment, source.text, directly=True)
        apply_found(reader, found, () if cut else problems, cursor.fresh, broken=cut)
        by_text = is_fine_by_text(reader, found)
        reader.not_by_text += not by_text
        reader.not_by_body += not (by_text or _is_fine_by_body(reader, found))
        end = found.end
        rest = _REST_OF_LINE.match(source.text, end)
        if rest is not None and not assumed_endless:
            return Next(skip_rows(reader, rest.end()) if reader.lost == ROWS else rest.end())
    return Next(len(source.text))


def apply_found(
    reader: BlockReader, found: Statement, problems: tuple[Problem, ...], fresh: bool, broken: bool = False
) -> None:
    """Report the problems of a statement and apply it, silently if it belongs to a mistake that is reported already.

    `fresh` is true if nothing before the statement on its line has been reported. An instruction is not checked if it
    is `broken`, which it also is if a problem leaves it incomplete.
    """
    if isinstance(found, Directive | Label | CloseBrace) and take_row(reader, found):
        return
    outside, reported, in_head = reader.body is None, len(reader.reports), CHECKED not in reader.header
    if outside and reader.closed is None and isinstance(found, Instruction):
        problems = ()  # that it is outside of a function is all that is reported
    incomplete = not HARMLESS.issuperset(p.code for p in problems)
    in_place = may_be_outside(found) if outside else not isinstance(found, Broken | Directive)
    may_be_rest = seems_rest(reader, found, problems)
    is_rest = may_be_rest and (reader.lost > 0 or follows_a_mistake(reader, found, UNFINISHED))
    may_lack_token = not fresh and (bool(problems) or isinstance(found, Directive))
    follows_stray = may_lack_token and follows_a_mistake(reader, found, {STRAY_TOKEN})
    after_mistake = bool(problems) and follows_a_mistake(reader, found)
    is_end = after_mistake and is_end_of_mistake(reader, found)
    silent = is_rest or follows_stray or is_end or _belongs_to_a_mistake(reader, found, fresh=fresh, in_place=in_place)
    if problems and not silent:
        report_problems(problems, reader.surroundings())
    checked_from = len(reader.reports)
    # A request applies statements by their text alone, and all of them as fresh ones: what is not declared for it must
    # not be declared here.
    is_no_name = (isinstance(found, Declaration) and (is_rest or (may_be_rest and incomplete))) or (
        isinstance(found, Label) and after_mistake
    )
    if not (is_end or is_no_name):
        apply_statement(reader, found, broken=broken or silent or incomplete)
    if problems and not silent and isinstance(found, Instruction):
        _drop_what_follows(reader, found, problems, checked_from)
    new = reader.reports[reported:]
    loses = bool(problems) or not LOSING_NAMES.isdisjoint(r.code for r in new)
    is_unknown = isinstance(found, Directive) and found.name.text not in SHAPES
    if reader.part is not None and (loses or silent or is_unknown):
        note_doubt(reader.part, found, reader.source, lost=loses)
    reader.not_by_text += silent
    reader.not_by_body += silent
    is_fine = isinstance(found, Declaration) and not (new or silent)  # old modules have registers outside of functions
    is_lost = incomplete or (outside and not (in_place or is_fine) and reader.body is None and reader.closed is None)
    is_row = is_unknown and begins_row(found)
    reader.lost = ROWS if is_row else 2 if is_lost or (silent and not follows_stray) else 1 if problems else 0
    if outside and incomplete and not in_place:
        reader.closed = None
    if in_head and EXCUSED not in reader.header and not {VERSION, TARGET}.issubset(reader.header):
        reader.header += (EXCUSED,) * any(r.severity is Severity.ERROR for r in new)


def _belongs_to_a_mistake(reader: BlockReader, found: Statement, *, fresh: bool, in_place: bool) -> bool:
    """Whether a statement belongs to a mistake before it, which is reported.

    `in_place` is true if such a statement may be in this place: then it ends a mistake of the statements before it.
    """
    is_broken = isinstance(found, Broken)
    if is_broken and fresh and reader.body is not None and reader.source.text[found.start] == "@":
        return False  # a guard begins a statement
    if reader.lost > 0 and not in_place and (reader.body is None or not fresh or is_broken):
        return True
    is_unknown = isinstance(found, Directive) and found.name.text not in SHAPES
    return (is_broken or is_unknown) and follows_a_mistake(reader, found)


def _drop_what_follows(
    reader: BlockReader, found: Instruction, problems: tuple[Problem, ...], checked_from: int
) -> None:
    """Drop what the check of an instruction found, from the report `checked_from` on, if a problem explains it."""
    drop_what_follows(reader.reports, checked_from)
    if reader.part is not None:
        end = reader.source.mark(found.start, found.end)
        drop_unfinished_name(found, problems, reader.part.undeclared_names, end)
        drop_unfinished_name(found, problems, reader.part.label_uses, end)


def seems_rest(reader: BlockReader, found: Statement, problems: tuple[Problem, ...]) -> bool:
    """Whether a statement, if a mistake is before it on its line, is the rest of another one and none of its own."""
    if isinstance(found, Declaration):
        is_none = bool(problems) or (bool(found.specifiers) and found.specifiers[0].word.text not in DECLARING)
    else:
        is_unknown = isinstance(found, Instruction) and found.opcode.text not in opcodes()
        is_none = is_unknown or (isinstance(found, Label) and bool(problems))
    return is_none and not _begins_line(reader, found)


def _begins_line(reader: BlockReader, statement: Statement) -> bool:
    source = reader.source
    above = source.text[source.starts[source.line_at(statement.start)] : statement.start]
    return not above.strip() or _NO_TOKENS.fullmatch(above) is not None


def _ends_in_comment(found: Statement, comment: Problem | None, text: str, directly: bool = False) -> bool:
    from ptx_lsp.syntax.text_ahead import opens_comment  # here and below: most statements have their own end

    return comment is not None or opens_comment(text, found.end, directly)


def _is_complete(found: Statement, problems: tuple[Problem, ...], cursor: Cursor, has_end: bool, text: str) -> bool:
    """Whether a statement would be the same if the text continued: it has its own end, or enough tokens follow.

    The cursor is at its end. A damaged header without a `{` has no end: a parameter or a body may follow. A header that
    has a `{` among what was skipped has no end there.
    """
    if cursor.short or cursor.limit < len(text):
        return cursor.limit < len(text)  # then the begin of a row is below it
    if UNTERMINATED_STRING in [problem.code for problem in problems] and not has_lines_for_string(text, found.end):
        return False
    opens = cursor.kinds[cursor.at - 1] == "{"
    is_damaged = isinstance(found, FunctionHeader) and (bool(problems) or (opens and not found.body))
    if is_damaged or not has_end:
        from ptx_lsp.syntax.text_ahead import enough_follows

        return enough_follows(text, found.end, is_damaged)
    return True


# --- what a statement does --------------------------------------------------------------------------------------------


def apply_statement(reader: BlockReader, statement: Statement, broken: bool = False) -> None:
    """Check a statement and apply it. A `broken` instruction is not checked: the parser has reported what is wrong."""
    reader.examined = None
    if (broken or reader.buried) and isinstance(statement, Instruction) and reader.part is not None:
        reader.keep_operands(statement, None, reader.part)
        if statement.opcode.text == CALL or statement.opcode.text not in opcodes():
            note_named_results(reader.part, reader.scopes[-1], statement.start, statement.end, reader.source)
        return
    if reader.buried and isinstance(statement, Label | Declaration):
        return
    reported, outside = len(reader.reports), reader.body is None
    if broken and isinstance(statement, FunctionHeader):
        _apply_header(reader, statement, broken=True)
    else:
        _APPLY[type(statement)](reader, statement)
    if broken and (outside or not isinstance(statement, Label)):
        del reader.reports[reported:]  # what else is wrong may follow from what the parser has reported


def is_fine_by_text(reader: BlockReader, statement: Statement) -> bool:
    """True if the last statement, if it is fine, is fine in every place where its names have the same kinds."""
    if isinstance(statement, Declaration):
        return reader.part is not None and any(specifier.word.text == ".reg" for specifier in statement.specifiers)
    if isinstance(statement, Directive):
        if reader.part is None or statement.name.text != ".pragma":
            return False
        from ptx_lsp.semantics.performance import FOR_KERNELS  # imported here, as few modules have a pragma

        return FOR_KERNELS not in reader.source.text[statement.start : statement.end]
    if reader.examined is not None:
        return not reader.examined.reading.broken and all(check.by_text for check in reader.examined.statement_checks)
    return isinstance(statement, OpenBrace | CloseBrace)


def _is_fine_by_body(reader: BlockReader, statement: Statement) -> bool:
    """True if the last statement, if it is fine, is fine in every body with this text whose names mean the same."""
    if reader.part is None:
        return False
    if isinstance(statement, Instruction):
        return statement.opcode.text in NAMING_CODE
    if isinstance(statement, NameList):
        return statement.kind.text == BRANCH_TARGETS
    return isinstance(statement, FunctionHeader | Label)


def _apply_instruction(reader: BlockReader, statement: Instruction) -> None:
    if reader.part is None and not resume(reader, statement):
        return
    from ptx_lsp.semantics.instructions import check_instruction  # a short file may need no check but the quick ones

    assert reader.part is not None
    branches = len(reader.part.label_uses)
    reader.examined = check_instruction(statement, reader.surroundings())
    labels = {use.name for use in reader.part.label_uses[branches:]}
    reader.keep_operands(statement, reader.examined, reader.part, labels)
    if statement.operands and (statement.opcode.text == LOAD or isinstance(statement.operands[0], Arguments)):
        note_sequence(reader.part, reader.scopes[-1], statement, reader.examined, reader.source)
    if reader.examined is not None and reader.examined.profile is not reader.profile:
        reader.set_profile(reader.examined.profile)


def _apply_label(reader: BlockReader, statement: Label) -> None:
    if reader.part is None and not resume(reader, statement):
        return
    assert reader.part is not None
    name = statement.name
    if name.text in RESERVED:
        reader.surroundings().report(
            "reserved-name", name.start, name.end, f"`{name.text}` cannot be the name of a label"
        )
    line = reader.source.line_at(name.start)
    reader.declare_labels((NamePlace(name.text, line, name.start - reader.source.starts[line]),), reader.part)


def _apply_declaration(reader: BlockReader, statement: Declaration) -> None:
    _require_header(reader, statement)
    surroundings = reader.surroundings()
    symbols = declarations.declare(statement, surroundings)
    is_named = statement.declarators or reader.part is not None
    reader.declare(symbols if is_named else meant_names(statement, reader.scopes[0], reader.source))
    reader.report_undeclared(surroundings)


def _require_header(reader: BlockReader, statement: Statement) -> None:
    """Report what is missing above a statement, unless the statement itself is in a wrong place."""
    if reader.body is not None or may_be_outside(statement):
        reader.require_header(statement)


def _apply_directive(reader: BlockReader, statement: Directive) -> None:
    name = statement.name.text
    if name in HEADER:
        seen = tuple(reader.header)
        if reader.lost or EXCUSED in seen:
            seen = structure.header_without_reported(name, seen, excused=EXCUSED in seen)
        reader.set_profile(structure.header_directive(statement, reader.profile, seen, reader.surroundings()))
        if reader.header.count(name) < 2:  # only the second one matters, and every block keeps the header
            reader.header.append(name)
        return
    _require_header(reader, statement)
    if name == FILE and reader.body is not None and len(statement.arguments) > 1:
        cut_off(reader, statement.start, statement.name.end)
    surroundings = reader.surroundings()
    reader.declare(directives.directive(statement, surroundings))
    if reader.body is None and name not in SHAPES:
        reader.declare(named_by_unknown(statement, reader.scopes[0], reader.source))
    reader.report_undeclared(surroundings)


def _apply_list(reader: BlockReader, statement: NameList | Section) -> None:
    _require_header(reader, statement)
    if isinstance(statement, Section) and reader.body is not None and statement.name.text[0] != "@":
        # sections follow the last function: its brace is missing
        cut_off(reader, statement.start, min(statement.start + len(section_word(statement)), statement.end))
    surroundings = reader.surroundings()
    reader.declare(directives.directive(statement, surroundings))
    reader.report_undeclared(surroundings)


def _apply_header(reader: BlockReader, statement: FunctionHeader, broken: bool = False) -> None:
    reader.require_header(statement)
    prototype = statement.kind.text == PROTOTYPE
    if statement.body and reader.body is not None:
        cut_off(reader, statement.start, statement.kind.end)
    surroundings = reader.surroundings()
    symbol, parameters = functions.header(statement, surroundings, broken)
    if symbol.name:
        reader.declare((symbol,))
    if broken and not prototype:
        reader.declare(functions_meant(statement, reader.scopes[0], reader.source))
    if statement.body:
        brace = statement.end - 1
        reader.begin_body(symbol, parameters, brace, missing=broken and reader.source.text[brace] != "{")
    if not prototype:
        reader.closed, reader.stray_reported = None, False


def _apply_broken(reader: BlockReader, statement: Broken) -> None:
    if reader.body is not None:
        return
    reader.declare(functions_meant(statement, reader.scopes[0], reader.source))
    reader.closed, reader.stray_reported = None, True


_APPLY: dict[type[Statement], Callable[[BlockReader, Any], None]] = {
    Instruction: _apply_instruction,
    Label: _apply_label,
    Declaration: _apply_declaration,
    Directive: _apply_directive,
    NameList: _apply_list,
    Section: _apply_list,
    FunctionHeader: _apply_header,
    OpenBrace: open_brace,
    CloseBrace: close_brace,
    Broken: _apply_broken,
}
