"""What is in the middle of a statement by mistake: a line, a statement or one token. The statement continues after it.

It is the only thing that is wrong: without it, the parser finds nothing to report.
"""

from ptx_lsp.isa.directive_names import FUNCTIONS, HEADER, SECTION
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import ELEMENTS
from ptx_lsp.light_classes import Callable, Iterator
from ptx_lsp.syntax.declarations import WRONG_TYPE
from ptx_lsp.syntax.directives import SHAPES
from ptx_lsp.syntax.lexer import DOTTED, DWARF, END, NAME, Cursor
from ptx_lsp.syntax.long_mistakes import parse_to_bound
from ptx_lsp.syntax.recovery import DECLARING, REGISTERS, STRAY_TOKEN
from ptx_lsp.syntax.tree import Broken, Declaration, Directive, FunctionHeader, Instruction, Section, Statement

_MOST_TOKENS = 64
"""A longer line is no interruption, and no longer instruction has one: this bounds the work for a broken statement."""
_MOST_READ = 4_096
"""Tokens from the begin of a broken statement on: with more, what has been read is not copied to try something."""
_BEGINS_STATEMENT = frozenset(("@", "{", END, DWARF, "*"))
_INTERRUPTED = (Instruction, Declaration, Directive)
_HAS_WORD = (*_INTERRUPTED, FunctionHeader, Section, Broken)
_WORDS = DECLARING | FUNCTIONS
"""Words that begin a statement."""
_ON_THEIR_OWN = FUNCTIONS | {SECTION} | SHAPES.keys()
"""Those that begin no declaration of a variable."""


def without_interruption(
    cursor: Cursor, first: int, broken: Statement, parse: Callable[[Cursor], Statement]
) -> Statement:
    """The statement that begins at the token `first`, without what interrupts it; `broken` if nothing does.

    The cursor is after `broken`, which has problems. What interrupts the statement is reported in place of these.
    """
    if cursor.is_long or len(cursor.kinds) - first > _MOST_READ:
        return broken
    if isinstance(broken, Instruction) and not (broken.modifiers or _has_known_opcode(broken)):
        return broken  # its first word is a mistake of its own, as in a text that is no PTX
    if (whole := _without_word(cursor, first, broken, parse)) is not None:
        return whole
    if not isinstance(broken, _INTERRUPTED) or cursor.problems[0].code == WRONG_TYPE:
        return broken
    if isinstance(broken, Instruction) and cursor.at - first > _MOST_TOKENS:
        return broken
    is_of_header = isinstance(broken, Directive) and broken.name.text in HEADER
    if is_of_header and cursor.kinds[cursor.at - 1] != ";" and cursor.on_new_line(cursor.at):
        return broken  # it ends with its line
    after, kept, short = cursor.at, cursor.problems, cursor.short
    at = after - 1 if cursor.kinds[after - 1] == ";" else after
    in_values = isinstance(broken, Declaration) and "=" in cursor.kinds[first:at]
    for end in _ends(cursor, at, in_values):
        if not _continues(cursor, end):
            continue
        read, start, finish = cursor.read_so_far(), cursor.starts[at], cursor.ends[at]
        _take_out(cursor, at, end)
        cursor.at, cursor.problems = first, []
        statement = parse_to_bound(cursor, parse)[0]
        if not cursor.problems and cursor.at > at and cursor.kinds[cursor.at - 1] != END:
            _report(cursor, start, finish)
            return statement
        short |= END in cursor.kinds[cursor.at - 1 : cursor.at + 3]
        cursor.put_back(read)
    cursor.at, cursor.problems = after, kept
    if in_values:
        cursor.has_values = True  # the parser has split those that it has not read
        cursor.split_values()
    cursor.short |= short
    return broken


def _without_word(
    cursor: Cursor, first: int, broken: Statement, parse: Callable[[Cursor], Statement]
) -> Statement | None:
    """The statement without one word that begins other statements, which is reported; None if more is wrong with it.

    In a declaration, the word may also be an opcode or another name before a word with a dot.
    """
    last = min(first + 2 * _MOST_TOKENS, len(cursor.starts) - 1)
    if not isinstance(broken, _HAS_WORD) or cursor.problems[0].start > cursor.starts[last]:
        return None  # what is wrong is far below such a word, in a long list of parameters
    after, kept, short = cursor.at, cursor.problems, cursor.short
    reported = _reported_tokens(cursor, first)
    for at, end in _stray_words(cursor, first):
        if at in reported:
            continue
        read, start, finish = cursor.read_so_far(), cursor.starts[at], cursor.ends[end - 1]
        _take_out(cursor, at, end)
        cursor.at, cursor.problems = first, []
        statement = parse_to_bound(cursor, parse)[0]
        is_whole = not cursor.problems and cursor.at > at and cursor.kinds[cursor.at - 1] == ";"
        if is_whole and (isinstance(statement, Declaration) or _has_known_opcode(statement)):
            cursor.problem("stray-token", f"`{cursor.text[start:finish]}` is not expected here", start, finish)
            return statement._replace(start=min(start, statement.start))
        short |= END in cursor.kinds[cursor.at - 1 : cursor.at + 3]
        cursor.put_back(read)
    cursor.at, cursor.problems, cursor.short = after, kept, short
    return None


def _reported_tokens(cursor: Cursor, first: int) -> range:
    """The tokens that a report about the first token covers: it, and the word after a name. None without one."""
    if cursor.problems[0].code != STRAY_TOKEN or cursor.problems[0].start != cursor.starts[first]:
        return range(0)
    return range(first, first + 1 + (cursor.kinds[first] == NAME))


def _has_known_opcode(statement: Statement) -> bool:
    return isinstance(statement, Instruction) and statement.opcode.text in opcodes()


def _stray_words(cursor: Cursor, first: int) -> Iterator[tuple[int, int]]:
    """The first and the last token (exclusive) of each word of a statement that may be in it by mistake.

    In a declaration, a name is more probably the mistake than the words of the declaration.
    """
    kinds, last = cursor.kinds, first
    while kinds[last] not in (";", END) and (last == first or not cursor.on_new_line(last)):
        last += 1
    last = min(last, first + _MOST_TOKENS)
    if kinds[first] == DOTTED and (cursor.word(first) in SPACE_WORDS or cursor.word(first) == REGISTERS):
        for at in range(first + 1, last):
            if kinds[at : at + 2] == [NAME, DOTTED]:
                yield at, at + 1 + (cursor.word(at + 1) in ELEMENTS)
    for at in range(first, last):
        if kinds[at] != DOTTED or cursor.word(at) not in _WORDS:
            continue
        if at > first or (last > first + 1 and cursor.word(at) in _ON_THEIR_OWN):
            yield at, at + 1


def _take_out(cursor: Cursor, first: int, end: int) -> None:
    """Remove the tokens from `first` to `end` (exclusive) from those of the cursor."""
    del cursor.kinds[first:end], cursor.starts[first:end], cursor.ends[first:end]


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
