"""Directives that declare no variable, with their arguments."""

from ptx_lsp.isa.directive_names import FUNCTION_NAME, INLINED_AT, LOCATION, SECTION_DATA
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.syntax.declarations import parse_literal, take_word
from ptx_lsp.syntax.expressions import parse_constant
from ptx_lsp.syntax.joined_numbers import divide_number
from ptx_lsp.syntax.lexer import DOTTED, END, FLOAT, INTEGER, LITERALS, MALFORMED, NAME, NUMBERS, STRING, Cursor
from ptx_lsp.syntax.recovery import (
    STARTERS,
    report_missing_comma,
    report_missing_semicolon,
    report_stray,
    skip_line,
    skip_statement,
    starts_statement,
)
from ptx_lsp.syntax.sections import label_and_offset, section_without_word
from ptx_lsp.syntax.tree import Directive, Expression, Section, Term, TermKind, Word

# how the directives are written: each letter one argument (i integer, s string, n name, v version number, l source
# language), `,` a comma, `*` the previous item again after each comma, `?` the rest may be left out, `;` at the end
SHAPES = {
    ".version": "v",
    ".target": "n*",
    ".address_size": "i",
    ".pragma": "s*;",
    ".alias": "n,n;",
    ".file": "is?,i?,i",
    LOCATION: "iii",
    ".loc_intermediate": "iii",
    ".maxntid": "i?,i?,i",
    ".reqntid": "i?,i?,i",
    ".reqnctapercluster": "i?,i?,i",
    ".minnctapersm": "i",
    ".maxnctapersm": "i",
    ".maxnreg": "i",
    ".maxclusterrank": "i",
    ".local_maxnreg": "i",
    ".minperctamemory": "i",
    ".abi_preserve": "i",
    ".abi_preserve_control": "i",
    ".blocksareclusters": "",
    ".explicitcluster": "",
    ".language": "l*",
    ".noreturn": "",
}
OF_FUNCTIONS = SHAPES.keys() - STARTERS
"""The directives that only the headers of functions have, and those after a `.loc`: no declaration has them."""
WANTED = {"s": "a string", "n": "a name", "v": "a number such as 9.4", "l": "a source language"}
_BEFORE_STATEMENTS = (LOCATION, INLINED_AT)
"""What ends with a number that may be directly before a label or an opcode."""
KINDS = {
    "s": frozenset((STRING,)),
    "n": frozenset((NAME,)),
    "v": frozenset((FLOAT, INTEGER, MALFORMED)),
    "l": frozenset((STRING, NAME, *LITERALS)),
}


def parse_directive(cursor: Cursor, word: Word) -> Directive:
    """A directive with its arguments: what follows its word, up to its `;` if this directive has one."""
    shape = SHAPES[word.text]
    arguments: list[Expression | Word] = []
    fine = _parse_arguments(cursor, word, shape, arguments)
    if fine and word.text == LOCATION:
        fine = _parse_inlining(cursor, arguments) and not _has_another_number(cursor)
    if shape.endswith(";"):
        _end_with_semicolon(cursor, fine)
    elif not fine:
        skip_line(cursor)
    return Directive(word, tuple(arguments), word.start, cursor.ends[cursor.at - 1])


def parse_header_directive(cursor: Cursor) -> Directive:
    """A directive of a function header. An unknown one takes the numbers, strings and names that follow it."""
    at = cursor.at
    if cursor.word(at) in SHAPES:
        directive = parse_directive(cursor, take_word(cursor))
        if cursor.at == len(cursor.kinds):
            cursor.read_batch()
        return directive
    word = take_word(cursor)
    arguments: list[Expression | Word] = []
    _read_loosely(cursor, arguments)
    return Directive(word, tuple(arguments), word.start, cursor.ends[cursor.at - 1])


def parse_unknown_directive(cursor: Cursor) -> Directive | Section:
    """An unknown directive with what follows it on its line, up to its `;` if there is one; numbers may follow below.

    The row of a section, which is in none, ends with its line. A section without its word is read as one.
    """
    if (section := section_without_word(cursor)) is not None:
        return section
    word = take_word(cursor)
    arguments: list[Expression | Word] = []
    if word.text not in SECTION_DATA:
        _read_loosely(cursor, arguments)
    if cursor.kinds[cursor.at] == ";":
        cursor.at += 1
    else:
        skip_line(cursor)
    return Directive(word, tuple(arguments), word.start, cursor.ends[cursor.at - 1])


def _read_loosely(cursor: Cursor, arguments: list[Expression | Word]) -> None:
    """Append the numbers that follow, and the strings and names on this line, with or without commas."""
    while True:
        at = cursor.at
        kind = cursor.kinds[at]
        if kind == ",":
            cursor.at = at + 1
        elif kind in LITERALS:
            number = parse_constant(cursor)
            if number is not None:
                arguments.append(number)
        elif kind in (STRING, NAME) and not cursor.on_new_line(at):
            arguments.append(take_word(cursor))
        else:
            return


def _parse_arguments(cursor: Cursor, word: Word, shape: str, arguments: list[Expression | Word]) -> bool:
    """Read arguments of the form `shape`. Reports a problem and returns False if they do not fit."""
    kinds = cursor.kinds
    optional = False
    for index, letter in enumerate(shape):
        if letter == ";":
            return True
        if letter == "?":
            optional = True
        elif letter == ",":
            if kinds[cursor.at] != ",":
                if optional and not _lacks_comma(cursor, LITERALS):
                    return True
                if not optional and not _report_missing_comma(cursor, word):
                    return False
            else:
                cursor.at += 1
        elif letter == "*":
            while kinds[cursor.at] == "," or _lacks_comma(cursor, KINDS[shape[index - 1]]):
                cursor.at += kinds[cursor.at] == ","
                if not _parse_argument(cursor, word, shape[index - 1], arguments):
                    return False
        else:
            if index == len(shape) - 1 and word.text in _BEFORE_STATEMENTS:
                divide_number(cursor, instructions=True)
            if not _parse_argument(cursor, word, letter, arguments):
                return False
    return True


def _parse_argument(cursor: Cursor, word: Word, letter: str, arguments: list[Expression | Word]) -> bool:
    kind = cursor.kinds[cursor.at]
    if letter == "i":
        if kind == "," and arguments and word.text == LOCATION:
            if not cursor.problems:
                report_stray(cursor, f"is not expected here: the numbers of `{LOCATION}` have no commas between them")
            cursor.at += 1
        number = parse_literal(cursor, f"the number of `{word.text}`")
        if number is None:
            return False
        arguments.append(number)
        return True
    if kind not in KINDS[letter]:
        _report_missing_argument(cursor, word, letter)
        return False
    if letter == "v":
        start, end = cursor.starts[cursor.at], cursor.ends[cursor.at]
        number = Expression((Term(TermKind.FLOAT, cursor.text[start:end], start, start, end),), start, end)
        cursor.at += 1
        arguments.append(number)
        return True
    if kind in LITERALS:
        language = parse_constant(cursor)
        if language is not None:
            arguments.append(language)
        return language is not None
    arguments.append(take_word(cursor))
    return True


def _report_missing_argument(cursor: Cursor, word: Word, letter: str) -> None:
    at = cursor.at
    if cursor.kinds[at - 1] == ",":
        message = f"{WANTED[letter]} is missing after this comma"
        cursor.problem("extra-comma", message, cursor.starts[at - 1], cursor.ends[at - 1])
    elif cursor.kinds[at] in (";", END) or cursor.on_new_line(at):
        cursor.problem("expected-operand", f"`{word.text}` takes {WANTED[letter]} here", word.start, word.end)
    else:
        message = f"`{word.text}` takes {WANTED[letter]} here, not `{cursor.word(at)}`"
        cursor.problem("expected-operand", message, cursor.starts[at], cursor.ends[at])


def _lacks_comma(cursor: Cursor, kinds: frozenset[str]) -> bool:
    """Whether another argument, a token of one of these kinds, follows on the line without a comma; report that."""
    at = cursor.at
    if cursor.kinds[at] not in kinds or cursor.on_new_line(at) or cursor.kinds[at + 1] == ":":
        return False
    if cursor.kinds[at] == NAME and cursor.word(at) in opcodes():
        return False  # an instruction may follow `.target`
    report_missing_comma(cursor)
    return True


def _report_missing_comma(cursor: Cursor, word: Word) -> bool:
    if _lacks_comma(cursor, KINDS["n"]):
        return True
    end = cursor.ends[cursor.at - 1]
    cursor.problem("missing-comma", f"`{word.text}` takes a comma and a second name here", end - 1, end)
    return False


def _parse_inlining(cursor: Cursor, arguments: list[Expression | Word]) -> bool:
    """`, function_name L+4, inlined_at 1 2 3` after the numbers of a `.loc`."""
    if cursor.kinds[cursor.at] != ",":
        return True
    cursor.at += 1
    if not _keyword(cursor, FUNCTION_NAME):
        return False
    cursor.at += 1
    is_section = cursor.kinds[cursor.at] == DOTTED and not cursor.on_new_line(cursor.at)  # such as `.debug_str`
    if cursor.kinds[cursor.at] != NAME and not is_section:
        end = cursor.ends[cursor.at - 1]
        cursor.problem("expected-name", "`function_name` takes a label here", end - 1, end)
        return False
    arguments.append(label_and_offset(cursor))
    if cursor.kinds[cursor.at] != ",":
        end = cursor.ends[cursor.at - 1]
        cursor.problem("missing-comma", "a comma and `inlined_at` are missing here", end - 1, end)
        return False
    cursor.at += 1
    if not _keyword(cursor, INLINED_AT):
        return False
    word = take_word(cursor)
    return _parse_arguments(cursor, word, "iii", arguments)


def _has_another_number(cursor: Cursor) -> bool:
    """Whether a number too many is at the cursor, on the line of the others; report it."""
    if cursor.kinds[cursor.at] not in NUMBERS or cursor.on_new_line(cursor.at):
        return False
    report_stray(cursor, "is not expected here: a position has three numbers, a file, a line and a column")
    return True


def _keyword(cursor: Cursor, wanted: str) -> bool:
    at = cursor.at
    if cursor.kinds[at] == NAME and cursor.word(at) == wanted:
        return True
    message = f"`{wanted}` is missing after this comma"
    cursor.problem("extra-comma", message, cursor.starts[at - 1], cursor.ends[at - 1])
    return False


def _end_with_semicolon(cursor: Cursor, fine: bool) -> None:
    at = cursor.at
    if cursor.kinds[at] == ";":
        cursor.at = at + 1
        return
    if not fine:
        skip_statement(cursor)
    elif starts_statement(cursor, at) or cursor.on_new_line(at) or cursor.kinds[at] in ("{", DOTTED):
        report_missing_semicolon(cursor)
    else:
        report_stray(cursor, "is not expected here")
        skip_statement(cursor)
