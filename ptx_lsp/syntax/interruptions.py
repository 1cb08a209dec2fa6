"""What is in the middle of a statement by mistake: a line, a statement or one token. The statement continues after it.

It is the only thing that is wrong: without it, the parser finds nothing to report.
"""

from ptx_lsp.isa.directive_names import FUNCTIONS
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.light_classes import Callable, Iterator
from ptx_lsp.syntax.declarations import WRONG_TYPE
from ptx_lsp.syntax.lexer import DOTTED, DWARF, END, NAME, Cursor
from ptx_lsp.syntax.recovery import DECLARING
from ptx_lsp.syntax.tree import Declaration, Directive, Instruction, Statement

_MOST_TOKENS = 64
"""A longer line is no interruption: this bounds the work for one broken statement."""
_BEGINS_STATEMENT = frozenset(("@", "{", END, DWARF, "*"))
_INTERRUPTED = (Instruction, Declaration, Directive)


def without_interruption(
    cursor: Cursor, first: int, broken: Statement, parse: Callable[[Cursor], Statement]
) -> Statement:
    """The statement that begins at the token `first`, without what interrupts it; `broken` if nothing does.

    The cursor is after `broken`, which has problems. What interrupts the statement is reported in place of these.
    """
    if not isinstance(broken, _INTERRUPTED) or cursor.problems[0].code == WRONG_TYPE:
        return broken
    after, kept, short = cursor.at, cursor.problems, cursor.short
    at = after - 1 if cursor.kinds[after - 1] == ";" else after
    in_values = isinstance(broken, Declaration) and "=" in cursor.kinds[first:at]
    for end in _ends(cursor, at, in_values):
        if not _continues(cursor, end):
            continue
        removed = _take_out(cursor, at, end)
        cursor.at, cursor.problems = first, []
        statement = parse(cursor)
        if not cursor.problems and cursor.at > at and cursor.kinds[cursor.at - 1] != END:
            _report(cursor, removed[1][0], removed[2][0])
            return statement
        short |= END in cursor.kinds[cursor.at - 1 : cursor.at + 3]
        cursor.kinds[at:at], cursor.starts[at:at], cursor.ends[at:at] = removed
    cursor.at, cursor.problems = after, kept
    if in_values:
        cursor.has_values = True  # the parser has split those that it has not read
        cursor.split_values()
    cursor.short |= short
    return broken


def _take_out(cursor: Cursor, first: int, end: int) -> tuple[list[str], list[int], list[int]]:
    """Remove the tokens from `first` to `end` (exclusive) from those of the cursor, and return them."""
    removed = cursor.kinds[first:end], cursor.starts[first:end], cursor.ends[first:end]
    del cursor.kinds[first:end], cursor.starts[first:end], cursor.ends[first:end]
    return removed


def _report(cursor: Cursor, start: int, end: int) -> None:
    word, begun = cursor.text[start:end], cursor.begun
    message = f"`{word}` is in the middle of a statement, which continues after it"
    related = ((begun, begun + 1, "the statement begins here"),)
    cursor.problem("stray-token", message, start, end, related=related)


def _ends(cursor: Cursor, at: int, in_values: bool) -> Iterator[int]:
    """Where what begins at the token `at` may end: after this token, after its `;`, and at the end of its line.

    `in_values` is true if the initial values of a variable, perhaps many, may continue after a `;`.
    """
    kinds = cursor.kinds
    if kinds[at] == END:
        return
    begins_line = cursor.on_new_line(at)
    if kinds[at] in (";", "{", "}", ")", "]") and not begins_line:
        yield _read(cursor, at + 1, in_values)
    if kinds[at] == ";":
        return
    end = at
    while end - at < _MOST_TOKENS and kinds[end] != END:
        end = _read(cursor, end + 1)
        ends_line = cursor.on_new_line(end) or kinds[end] == END
        if ends_line or (kinds[end - 1] == ";" and not begins_line):
            yield end
        if ends_line:
            break
    cursor.short |= kinds[end] == END


def _read(cursor: Cursor, index: int, in_values: bool = False) -> int:
    if index == len(cursor.kinds):
        cursor.read_batch(in_values)
    return index


def _continues(cursor: Cursor, index: int) -> bool:
    """Whether the token begins no statement, so that it is the rest of one."""
    kind = cursor.kinds[index]
    cursor.short |= END in cursor.kinds[index : index + 2]
    if kind in _BEGINS_STATEMENT:
        return False
    if kind == "}":
        return cursor.kinds[_read(cursor, index + 1)] in (",", ";")
    if kind == DOTTED:
        word = cursor.word(index)
        return word not in DECLARING and word not in FUNCTIONS
    if kind == NAME:
        return cursor.kinds[_read(cursor, index + 1)] != ":" and cursor.word(index) not in opcodes()
    return True
