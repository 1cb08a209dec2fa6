"""Lists of the targets of branches and calls."""

from ptx_lsp.isa.directive_names import BRANCH_TARGETS, TARGET_LISTS
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.syntax.declarations import parse_count, take_word
from ptx_lsp.syntax.lexer import DOTTED, LITERALS, NAME, Cursor
from ptx_lsp.syntax.recovery import (
    begins_instruction,
    next_token,
    report_missing_comma,
    report_missing_semicolon,
    report_stray,
    skip_statement,
    starts_statement,
)
from ptx_lsp.syntax.tree import Broken, Expression, NameList, Word

_BEGINS_LIST = ([NAME, ","], [NAME, ";"])


def parse_name_list(cursor: Cursor, kind: Word, label: Word | None) -> NameList:
    """What follows the word of `.branchtargets a, b;` or `.calltargets f, g;`."""
    names: list[Word] = []
    counts: list[Expression | None] = []
    kinds, is_in_list = cursor.kinds, False
    while True:
        at = cursor.at
        if kinds[at] != NAME and kinds[at + 1 : at + 3] in _BEGINS_LIST and not cursor.on_new_line(at + 1):
            report_stray(cursor, "is not expected in a list of names")
            cursor.at = at = at + 1
        elif (after := _after_value(cursor)) > at:
            report_stray(cursor, "is not expected in a list of names")
            cursor.at = after + 1
            if kinds[after] == ";":
                break
            continue
        begins_next = (
            cursor.on_new_line(at) and starts_statement(cursor, at) and not (is_in_list or kinds[at - 1] == ",")
        )
        if kinds[at] != NAME or begins_next:
            _report_no_name(cursor)
            skip_statement(cursor)
            break
        name = take_word(cursor)
        is_family = kinds[cursor.at] == "<"  # observed: ptxas 13.5 reads `L<3>` as L0, L1, L2
        count = parse_count(cursor, "names") if is_family else None
        if count is not None or not is_family:
            names.append(name)
            counts.append(count)
        if kinds[cursor.at] == ",":
            cursor.at += 1
        elif kinds[cursor.at] == ";":
            cursor.at += 1
            break
        elif kinds[cursor.at] == NAME and (not cursor.on_new_line(cursor.at) or _is_last_name(cursor, name)):
            report_missing_comma(cursor)
            is_in_list = True
        else:
            report_missing_semicolon(cursor)
            if not starts_statement(cursor, cursor.at):
                skip_statement(cursor)
            break
    start = label.start if label else kind.start
    return NameList(label, kind, tuple(names), tuple(counts), start, cursor.ends[cursor.at - 1])


def _after_value(cursor: Cursor) -> int:
    """The index of the comma or `;` after a constant in the place of a name; that of the cursor without one."""
    kinds, at = cursor.kinds, cursor.at
    end = at
    while kinds[end] in LITERALS or kinds[end] in ("-", "+"):
        end += 1
    return end if kinds[end] in (",", ";") else at


def broken_name_list(cursor: Cursor, label: Word) -> NameList | None:
    """The list after its label if its word is missing or after another one, which is reported; else None."""
    kinds, at = cursor.kinds, cursor.at
    if cursor.on_new_line(at):  # the recognisers read a label alone on its line without the next line
        return None
    if kinds[at : at + 2] == [NAME, ","] and kinds[next_token(cursor, at + 1)] == NAME and _begins_names(cursor):
        message = f"`{BRANCH_TARGETS}` is missing after `{label.text}:`"
        cursor.problem("expected-operand", message, label.start, cursor.ends[at - 1])
        return parse_name_list(cursor, Word(BRANCH_TARGETS, label.end, label.end), label)
    if kinds[at : at + 2] == [DOTTED, DOTTED] and cursor.word(at + 1) in TARGET_LISTS:
        report_stray(cursor, "is not expected here: a list of targets follows")
        cursor.at = at + 1
        return parse_name_list(cursor, take_word(cursor), label)
    return None


def _begins_names(cursor: Cursor) -> bool:
    """Whether the two names with a comma between them at the cursor are labels, and no opcode is among them."""
    second = cursor.at + 2
    is_next = cursor.on_new_line(second) and begins_instruction(cursor, second)
    return cursor.word(cursor.at) not in opcodes() and cursor.word(second) not in opcodes() and not is_next


def _is_last_name(cursor: Cursor, other: Word) -> bool:
    """Whether the name that begins a line is the last one of a list of labels, of which `other` is another one."""
    at = cursor.at
    return (
        cursor.kinds[next_token(cursor, at)] == ";"
        and cursor.word(at) not in opcodes()
        and cursor.word(at)[:1] == other.text[:1]
    )


def names_without_list(cursor: Cursor) -> Broken | None:
    """Names with commas where a statement begins, reported as a list of targets without its word; else None."""
    at = cursor.at
    word = cursor.word(at)
    if cursor.kinds[at + 2] != NAME or word[0] not in "$_" or cursor.word(at + 2) in opcodes():
        return None
    message = f"`{BRANCH_TARGETS}` is missing before this list of labels"
    cursor.problem("expected-operand", message, cursor.starts[at], cursor.ends[at])
    start = cursor.starts[at]
    return Broken(start, parse_name_list(cursor, Word(BRANCH_TARGETS, start, start), None).end)


def _report_no_name(cursor: Cursor) -> None:
    at = cursor.at
    if cursor.kinds[at - 1] == ",":
        cursor.problem("extra-comma", "a name is missing after this comma", cursor.starts[at - 1], cursor.ends[at - 1])
    else:
        end = cursor.ends[at - 1]
        cursor.problem("expected-name", "a list of names is missing here", end - 1, end)
