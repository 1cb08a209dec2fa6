"""Lists of the targets of branches and calls."""

from ptx_lsp.syntax.declarations import take_word
from ptx_lsp.syntax.lexer import END, NAME, Cursor
from ptx_lsp.syntax.recovery import report_missing_comma, report_missing_semicolon, skip_statement, starts_statement
from ptx_lsp.syntax.tree import NameList, Word


def parse_name_list(cursor: Cursor, kind: Word, label: Word | None) -> NameList:
    """What follows the word of `.branchtargets a, b;` or `.calltargets f, g;`."""
    names: list[Word] = []
    kinds = cursor.kinds
    while True:
        at = cursor.at
        if kinds[at] != NAME or (cursor.on_new_line(at) and starts_statement(cursor, at) and kinds[at - 1] != ","):
            _report_no_name(cursor)
            skip_statement(cursor)
            break
        names.append(take_word(cursor))
        if kinds[cursor.at] == "<":
            _skip_family(cursor)
        if kinds[cursor.at] == ",":
            cursor.at += 1
        elif kinds[cursor.at] == ";":
            cursor.at += 1
            break
        elif kinds[cursor.at] == NAME and not cursor.on_new_line(cursor.at):
            report_missing_comma(cursor)
        else:
            report_missing_semicolon(cursor)
            if not starts_statement(cursor, cursor.at):
                skip_statement(cursor)
            break
    start = label.start if label else kind.start
    return NameList(label, kind, tuple(names), start, cursor.ends[cursor.at - 1])


def _skip_family(cursor: Cursor) -> None:
    # observed: ptxas 13.5 reads `L<3>` as L0, L1, L2
    at = cursor.at + 1
    while cursor.kinds[at] not in (">", ";", END):
        at += 1
    cursor.at = at + (cursor.kinds[at] == ">")


def _report_no_name(cursor: Cursor) -> None:
    at = cursor.at
    if cursor.kinds[at - 1] == ",":
        cursor.problem("extra-comma", "a name is missing after this comma", cursor.starts[at - 1], cursor.ends[at - 1])
    else:
        end = cursor.ends[at - 1]
        cursor.problem("expected-name", "a list of names is missing here", end - 1, end)
