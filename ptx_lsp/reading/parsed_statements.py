"""Statements that the parser reads: each is checked in its surroundings, and then changes the state."""

from __future__ import annotations

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.directive_names import BRANCH_TARGETS, TARGET, VERSION
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.opcode_sets import CALL, LOAD, NAMING_CODE
from ptx_lsp.light_classes import TYPE_CHECKING, Any, Callable, NamedTuple, Set
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.quick.operand_text import NAMES
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.call_sequences import note_named_results, note_sequence, note_unknown_results
from ptx_lsp.reading.declaring import (
    apply_broken,
    apply_declaration,
    apply_directive,
    apply_header,
    apply_label,
    apply_list,
)
from ptx_lsp.reading.places import (
    UNFINISHED,
    SeenStatement,
    after_last,
    begins_row,
    close_brace,
    cursor_at,
    ends_for_certain,
    ends_in_comment,
    follows_a_mistake,
    has_own_end,
    is_end_of_mistake,
    is_for_preprocessor,
    may_be_outside,
    may_look_below,
    next_line,
    open_brace,
    resume,
    seen_with_below,
    take_row,
)
from ptx_lsp.reading.state import CHECKED, EXCUSED, MISTAKE, NO_END, NO_MISTAKE, ROWS, Next
from ptx_lsp.reading.undeclared import LOSING_NAMES, drop_mentions, note_doubt
from ptx_lsp.semantics.operands import report_problems
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.semantics.unfinished import drop_what_follows
from ptx_lsp.syntax.directives import SHAPES
from ptx_lsp.syntax.lexer import UNTERMINATED, Cursor
from ptx_lsp.syntax.recovery import DECLARING, HARMLESS, STRAY_TOKEN
from ptx_lsp.syntax.statements import read_statements
from ptx_lsp.syntax.tree import (
    DECLARES,
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
    from ptx_lsp.reading.block import FunctionPart
    from ptx_lsp.semantics.instructions import Examined
    from ptx_lsp.syntax.section_rows import FewRows

_OWN_MISTAKE = lazy_pattern(r"@|[%\[{][^;\r\n]*,[^;\r\n]*;\Z")  # a guard, or the operands of an instruction
_REST_OF_LINE = lazy_pattern(r"[ \t\f\r]*(?://[^\n]*)?(?:\n|\Z)")


def parse(reader: BlockReader, start: int, few: FewRows | None = None) -> Next:
    """Read statements from `start` until one ends its line; returns the offset of the next line, or of a section on it.

    `few` is the text of a section with few of its rows, if it can be read so.
    """
    source, end, assumed_endless = reader.source, start, False
    reader.parsed += 1
    fresh, source.fresh = source.fresh, True
    cursor = cursor_at(source, start, few) if reader.body is None or few is not None else source.cursor_at(start)
    for found, problems in read_statements(cursor, fresh):
        if few is not None and not few.are_read(found):
            source.fresh = fresh
            return parse(reader, start)
        rows, few = few, None  # what follows on its line is no section
        comment = next((p for p in problems if p.code == UNTERMINATED), None)
        is_part = source.is_part(cursor)
        sure = not problems and _surely_ends(found, cursor)
        certain = sure or ends_for_certain(found, problems, cursor, source.text, is_part)
        if is_part and (comment is not None or not certain):
            source.fresh = cursor.fresh
            break
        if comment is not None and comment.start == found.start:
            reader.end_in_comment(comment.start, assumed_endless)
            report_problems(tuple(p for p in problems if p is not comment), reader.surroundings())
            break
        if not sure and (comment is not None or not certain):
            is_in_comment = ends_in_comment(found, comment, source.text)
            if is_in_comment and not reader.below.ends_comment():
                assumed_endless = True
            else:
                is_broken = bool(problems) or _is_unknown(found)
                may_look = may_look_below(reader, found, is_broken) and not (is_in_comment or rows)
                if (following := _read_on(reader, end, cursor.fresh, is_broken, may_look)) is not None:
                    return following
        if comment is not None:
            reader.end_in_comment(comment.start, assumed_endless)
            problems = tuple(p for p in problems if p is not comment)
        left_out = rows.left_out if rows is not None else ()
        reader.row_runs += tuple((source.line_at(begin), source.line_at(below)) for begin, below in left_out)
        has_end = sure or has_own_end(found, cursor) or is_for_preprocessor(found, problems)
        cut = not has_end and ends_in_comment(found, comment, source.text, directly=True)
        _apply_read(reader, end, found, () if cut else problems, cursor.fresh, broken=cut)
        end = found.end
        rest = _REST_OF_LINE.match(source.text, end)
        if rest is not None and not assumed_endless:
            return Next(rest.end()) if not reader.broken and reader.lost != ROWS else next_line(reader, end, rest.end())
        if reader.is_before_section(end):
            source.fresh = cursor.fresh and not problems
            return Next(end, grown=True)
    return after_last(reader, cursor, start, end)


def _surely_ends(found: Statement, cursor: Cursor) -> bool:
    """Whether a statement without problems ends with a `;`, and would in any longer text. The cursor is at its end."""
    last = cursor.at - 1
    is_whole = not cursor.short and isinstance(found, Instruction | Declaration)
    return is_whole and cursor.kinds[last] == ";" and cursor.ends[last] == found.end


def _read_on(reader: BlockReader, start: int, fresh: bool, broken: bool, may_look: bool) -> Next | None:
    """Read the statement at `start`, which is not complete in the text of the block, with text below; None without any.

    If it `may_look`, a few lines are not made a part of the block. `fresh` is that of `apply_found`. The block may end
    after a statement that is `broken`.
    """
    if may_look and (seen := seen_with_below(reader, start, fresh)) is not None:
        return _apply_seen(reader, start, seen, fresh)
    length = len(reader.source.text)
    if (reader.at_end and not broken) or not reader.extend(start, until=";"):
        return None
    reader.enough_at = min(reader.enough_at, length) if broken else reader.enough_at
    reader.source.fresh = fresh
    return Next(start, grown=True)


def _apply_seen(reader: BlockReader, start: int, seen: SeenStatement, fresh: bool) -> Next:
    """Apply the statement at `start`, parsed with text below the block; `fresh` is that of `apply_found`."""
    source, (found, problems, looked) = reader.source, seen
    reader.looks_below = max(reader.looks_below, looked, key=len)
    _apply_read(reader, start, found, problems, fresh)
    rest = _REST_OF_LINE.match(source.text, found.end)
    source.fresh = rest is not None or (fresh and not problems)
    source.forget_tokens()
    if rest is None:
        return Next(found.end, grown=True)
    return next_line(reader, found.end, rest.end())


def _apply_read(
    reader: BlockReader, start: int, found: Statement, problems: tuple[Problem, ...], fresh: bool, broken: bool = False
) -> None:
    """What `apply_found` does, for the statement at the offset `start` of the text that is read."""
    if fresh:
        reader.fresh_starts.append(start)
    apply_found(reader, found, problems, fresh, broken=broken)
    by_text = is_fine_by_text(reader, found)
    reader.broken += reader.lost != NO_MISTAKE or _is_unknown(found)
    reader.not_by_text += not by_text
    reader.not_by_body += not (by_text or _is_fine_by_body(reader, found))


def apply_found(
    reader: BlockReader, found: Statement, problems: tuple[Problem, ...], fresh: bool, broken: bool = False
) -> None:
    """Report the problems of a statement and apply it, silently if it belongs to a mistake that is reported already.

    `fresh` is true if nothing before the statement on its line has been reported. An instruction is not checked if it
    is `broken`, which it also is if a problem leaves it incomplete.
    """
    if isinstance(found, Directive | Label | CloseBrace) and take_row(reader, found):
        return
    outside, in_head = reader.body is None, CHECKED not in reader.header
    if outside and reader.closed is None and isinstance(found, Instruction):
        problems = ()  # that it is outside of a function is all that is reported
    is_semicolon = isinstance(found, Broken) and reader.source.text[found.start] == ";"
    incomplete = not (is_semicolon or HARMLESS.issuperset(p.code for p in problems))
    in_place = may_be_outside(found) if outside else not isinstance(found, Broken | Directive)
    role = _role_in_mistake(reader, found, problems, in_place=in_place, fresh=fresh, incomplete=incomplete)
    new = _report_and_apply(reader, found, problems, role, broken=broken or role.silent or incomplete)
    reader.not_by_text += role.silent
    reader.not_by_body += role.silent
    is_fine = isinstance(found, Declaration) and not (new or role.silent)  # old modules have registers outside
    is_misplaced = outside and not (in_place or is_fine) and reader.body is None and reader.closed is None
    if _is_unknown(found) and begins_row(found):
        reader.lost = ROWS
    elif incomplete or is_misplaced or role.continues:
        reader.lost = MISTAKE
    else:
        reader.lost = NO_END if problems and not is_semicolon else NO_MISTAKE
    if outside and incomplete and not in_place:
        reader.closed, reader.nested = None, False
    if in_head and EXCUSED not in reader.header and not {VERSION, TARGET}.issubset(reader.header):
        reader.header += (EXCUSED,) * any(r.severity is Severity.ERROR for r in new)


def _report_and_apply(
    reader: BlockReader, found: Statement, problems: tuple[Problem, ...], role: Role, *, broken: bool
) -> list[Report]:
    """Report the problems of a statement and apply it, as far as its role in a mistake lets it; the new reports."""
    reported = len(reader.reports)
    if problems and not role.silent:
        report_problems(problems, reader.surroundings())
    checked_from = len(reader.reports)
    if role.applied:
        apply_statement(reader, found, broken=broken)
    if problems and not role.silent and isinstance(found, Instruction):
        drop_what_follows(reader.reports, checked_from)
        if reader.part is not None:
            drop_mentions(reader.part, found, problems, reader.source.mark(found.start, found.end))
    new = reader.reports[reported:]
    loses_name = not LOSING_NAMES.isdisjoint(r.code for r in new)
    loses_name |= any(DECLARES not in dict(each.data) for each in problems)
    is_doubtful = problems or loses_name or role.silent or _is_unknown(found)
    if is_doubtful and reader.part is not None and not reader.only_reports:
        note_doubt(reader.part, found, reader.source, lost=loses_name)
    return new


def _is_unknown(found: Statement) -> bool:
    return isinstance(found, Directive) and found.name.text not in SHAPES


# --- which statements belong to a mistake before them -----------------------------------------------------------------


class Role(NamedTuple):
    """What a statement is in a mistake before it.

    If it is `silent`, it belongs to the mistake, and nothing is reported about it; if it also `continues` the mistake,
    what follows may belong to it too. It is `applied` unless what it seems to declare is part of another statement.
    """

    silent: bool
    continues: bool
    applied: bool


def _role_in_mistake(
    reader: BlockReader,
    found: Statement,
    problems: tuple[Problem, ...],
    *,
    in_place: bool,
    fresh: bool,
    incomplete: bool,
) -> Role:
    """The role of a statement in the mistake before it, if there is one.

    `in_place` is true if such a statement may be in this place: then it ends a mistake of the statements before it.
    `fresh` is true if nothing before the statement on its line has been reported. `incomplete` is true if its problems
    leave something out of it.
    """
    may_be_rest = seems_rest(reader, found, problems)
    is_rest = may_be_rest and (reader.lost != NO_MISTAKE or follows_a_mistake(reader, found, UNFINISHED))
    may_lack_token = not fresh and (bool(problems) or isinstance(found, Directive))
    follows_stray = may_lack_token and follows_a_mistake(reader, found, {STRAY_TOKEN})
    after_mistake = bool(problems) and follows_a_mistake(reader, found)
    is_end = after_mistake and is_end_of_mistake(reader, found)
    # A request applies statements by their text alone: what is not declared for it must not be declared here.
    is_no_name = (isinstance(found, Declaration) and (is_rest or (may_be_rest and incomplete))) or (
        isinstance(found, Label) and after_mistake
    )
    silent = is_rest or follows_stray or is_end or _belongs_to_mistake(reader, found, fresh=fresh, in_place=in_place)
    return Role(silent, silent and not follows_stray, not (is_end or is_no_name))


def _belongs_to_mistake(reader: BlockReader, found: Statement, *, fresh: bool, in_place: bool) -> bool:
    """Whether a statement belongs to the mistake before it by its kind and its place."""
    is_broken = isinstance(found, Broken)
    is_own = is_broken and fresh and reader.body is not None
    if is_own and _OWN_MISTAKE.match(reader.source.text, found.start, found.end) is not None:
        return False
    if reader.lost != NO_MISTAKE and not in_place and (reader.body is None or not fresh or is_broken):
        return True
    return (is_broken or _is_unknown(found)) and follows_a_mistake(reader, found)


def seems_rest(reader: BlockReader, found: Statement, problems: tuple[Problem, ...]) -> bool:
    """Whether a statement, if a mistake is before it on its line, is the rest of another one and none of its own."""
    if isinstance(found, Declaration):
        is_none = bool(problems) or (bool(found.specifiers) and found.specifiers[0].word.text not in DECLARING)
    else:
        is_unknown = isinstance(found, Instruction) and found.opcode.text not in opcodes()
        is_none = is_unknown or (isinstance(found, Label) and bool(problems))
    return is_none and not reader.is_first_on_line(found.start)


# --- what a statement does --------------------------------------------------------------------------------------------


def apply_statement(reader: BlockReader, statement: Statement, broken: bool = False) -> None:
    """Check a statement and apply it. A `broken` instruction is not checked: the parser has reported what is wrong."""
    reader.examined = None
    if (broken or reader.buried) and isinstance(statement, Instruction) and reader.part is not None:
        _keep_operands(reader, statement, None, reader.part, frozenset())
        if statement.opcode.text == CALL:
            note_unknown_results(reader.part, reader.scopes[-1], reader.source.mark(statement.start, statement.end))
        elif statement.opcode.text not in opcodes():
            note_named_results(reader.part, reader.scopes[-1], statement.start, statement.end, reader.source)
        return
    if reader.buried and isinstance(statement, Label | Declaration):
        return
    reported, outside = len(reader.reports), reader.body is None
    if broken and isinstance(statement, FunctionHeader):
        apply_header(reader, statement, broken=True)
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
        return statement.kind.text == BRANCH_TARGETS and not any(statement.counts)
    return isinstance(statement, FunctionHeader | Label)


def _apply_instruction(reader: BlockReader, statement: Instruction) -> None:
    if reader.part is None and not resume(reader, statement):
        return
    from ptx_lsp.semantics.instructions import check_instruction  # a short file may need no check but the quick ones

    assert reader.part is not None
    branches, reported = len(reader.part.label_uses), len(reader.reports)
    reader.examined = check_instruction(statement, reader.surroundings())
    labels = {use.name for use in reader.part.label_uses[branches:]}
    _keep_operands(reader, statement, reader.examined, reader.part, labels)
    if statement.opcode.text == CALL and any(r.severity is Severity.ERROR for r in reader.reports[reported:]):
        note_unknown_results(reader.part, reader.scopes[-1], reader.source.mark(statement.start, statement.end))
    if statement.operands and (statement.opcode.text == LOAD or isinstance(statement.operands[0], Arguments)):
        note_sequence(reader.part, reader.scopes[-1], statement, reader.examined, reader.source)
    if reader.examined is not None and reader.examined.profile is not reader.profile:
        reader.set_profile(reader.examined.profile)


def _keep_operands(
    reader: BlockReader, found: Instruction, examined: Examined | None, part: FunctionPart, labels: Set[str]
) -> None:
    """Keep the names of the operands; a branch to one of these labels is no mention of its name."""
    texts = [reader.source.text[o.start : o.end] for o in found.operands]
    names = [name for name in NAMES.findall(" ".join(texts)) if name not in labels]
    part.mentions += names
    if found.guard is not None:
        part.mentions.append(found.guard.name.text)
    if examined is None or examined.verdict.complaints:
        part.writes += names  # it is unknown which names it writes: all of them may be written
    else:
        part.writes += NAMES.findall(" ".join(texts[i] for i in examined.verdict.assigned if i < len(texts)))


_APPLY: dict[type[Statement], Callable[[BlockReader, Any], None]] = {
    Instruction: _apply_instruction,
    Label: apply_label,
    Declaration: apply_declaration,
    Directive: apply_directive,
    NameList: apply_list,
    Section: apply_list,
    FunctionHeader: apply_header,
    OpenBrace: open_brace,
    CloseBrace: close_brace,
    Broken: apply_broken,
}
