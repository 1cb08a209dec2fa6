"""Formatting: one style, that of NVIDIA's compiler, as edits of single stretches of blanks.

Only blanks within lines change: no token, comment, line end or empty line does. Comments, inline assembly of authors,
operands over several lines and columns that were aligned by hand stay as they are, and so does what is broken.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.isa.opcode_sets import CALL, MATRIX_PRODUCT
from ptx_lsp.layout.alignment import Columns, are_aligned, columns_of, comment_column, moved, width
from ptx_lsp.layout.line_format import Style, Token, formatted, join_line, split_line, style_of
from ptx_lsp.layout.line_state import Frame, State, after_comment, after_line, begins_statement, indentation_of
from ptx_lsp.layout.operand_gaps import operand_gap
from ptx_lsp.text.document import Document
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

HEAD_LINES = 40
"""Lines at the top in which a compiler says what it is."""

LINES_PER_BLOCK = 100
"""Lines whose layout is looked at together; formatting of a range begins with such a block."""

_BEGIN_OF_FUNCTION = "func_begin"
_LINES_PER_STEP = 5
_BEFORE_OPERANDS = "\t\t"
"""The indentation of the operands of an `mma`, each of which has a line (observed: nvcc 13.1)."""

_COMMON = 0.75  # the share, from 0 to 1, of the statements that must have the same gap
_PLAIN = re.compile(
    r"\t(?:@!?[\w$%]+ )?(?P<opcode>[a-z][\w.:]*+)(?P<gap>[ \t]++)?"
    r"(?:[^\s/\"{};\[(]|[\[(]++(?! )|\{(?! )[^\s/\"{};]*(?:, [^\s/\"{};]+)*\}| (?![,;\])} \t])|(?!))*+;"
)


class BlankEdit(NamedTuple):
    """Replaces the blanks of a line from `column` to `end_column` by `text`."""

    line: int
    column: int
    end_column: int
    text: str

    @property
    def range(self) -> Range:
        """The range of the replaced blanks, empty if blanks are inserted."""
        return Range(self.line, self.column, self.line, self.end_column)


class _Statement(NamedTuple):
    """A line that can be formatted: its tokens before and after that, and the blanks after the last one."""

    before: list[Token]
    trailing: str
    after: list[Token]
    new_trailing: str


_UNCHANGING = _Statement([], "", [], "")


def format_document(document: Document) -> list[BlankEdit]:
    """The edits that format a document, in the order of the text."""
    return [edit for edits in format_steps(document) for edit in edits]


def document_style(document: Document) -> Style:
    """The style of a document."""
    return style_of(document.text(Range(0, 0, HEAD_LINES, 0)))


def format_steps(
    document: Document, first: int = 0, last: int | None = None, state: State | None = None
) -> Iterator[list[BlankEdit]]:
    """The edits of the lines from `first` to `last` (included, None: the last one), in lists of which many are empty.

    `state` is that at the beginning of the line `first`, None at the beginning of the document.
    """
    style = document_style(document)
    debug = style.is_old and style.debug
    state = state or State()
    end = document.line_count - 1 if last is None else min(last, document.line_count - 1)
    statements: dict[int, _Statement | None] = {}
    for number in range(first, end + 1):
        line = document.line(number)
        its_style = style._replace(debug=False) if debug and _is_at_function(document, number) else style
        found, state = _formatted(line, state, its_style)
        if found is not _UNCHANGING:
            statements[number] = found
        if number % LINES_PER_BLOCK == LINES_PER_BLOCK - 1:
            yield _edits(document, statements)
            statements = {}
        elif number % _LINES_PER_STEP == _LINES_PER_STEP - 1:
            yield []
    yield _edits(document, statements)


def _is_at_function(document: Document, number: int) -> bool:
    """Whether a line is a `.loc` at the beginning of a function.

    The compilers with `Style.is_old` write it after an empty line, and before another one or before this label, and
    leave a blank in it as if there were no debug information.
    """
    if not document.line(number).lstrip().startswith(".loc") or not 0 < number < document.line_count - 1:
        return False
    below = document.line(number + 1).strip()
    return not document.line(number - 1).strip() and (not below or below.startswith(_BEGIN_OF_FUNCTION))


def _formatted(line: str, state: State, style: Style) -> tuple[_Statement | None, State]:
    """A line after formatting, and the state after it.

    None for a line that has the style already, `_UNCHANGING` for one that formatting never changes.
    """
    if state.frames and not (state.header or state.pending or state.comment or state.assembly):
        plain = _PLAIN.fullmatch(line)
        if plain is not None and state.frames[-1] in (Frame.BODY, Frame.SCOPE):
            operands = line[plain.end("gap") :] if plain.start("opcode") == 1 else ""
            gap = operand_gap(plain["opcode"], style.nvvm, operands)
            if (plain["gap"] or gap) == gap:
                return None, state
    passed = after_comment(line, state, style)
    if passed is not None:
        return _UNCHANGING, passed
    if state.pending and begins_statement(line):
        state = state._replace(pending="", lists=0)
    tokens, trailing = split_line(line)
    after = after_line(tokens, state)
    continued = bool(state.pending)
    is_below = style.has_operands_below and _is_list_of_operands(tokens, state, after)
    if (continued or after.pending) and not is_below and not _is_call(tokens, state, after):
        return _UNCHANGING, after
    indentation = _BEFORE_OPERANDS if is_below and continued else indentation_of(tokens, state, style)
    new, new_trailing = formatted(tokens, trailing, indentation, style, continued)
    return _Statement(tokens, trailing, new, new_trailing), after


def _is_list_of_operands(tokens: list[Token], state: State, after: State) -> bool:
    """Whether the line is one of an `mma` as the compiler writes it: the opcode, then each operand on a line."""
    name = state.pending or after.pending
    if name.partition(".")[0] != MATRIX_PRODUCT:
        return False
    return tokens[0].text == "{" if state.pending else tokens[-1].text == name


def _is_call(tokens: list[Token], state: State, after: State) -> bool:
    """Whether the line is one of a call as the compiler writes it: one name or parenthesis on each line."""
    name = state.pending or after.pending
    if name.partition(".")[0] != CALL:
        return False
    words = sum(token.kind == "word" for token in tokens)
    return words <= 1 if state.pending else tokens[-1].text == "," or words == 1


def _edits(document: Document, statements: dict[int, _Statement | None]) -> list[BlankEdit]:
    """The edits of a block of lines. Lines that are aligned with a neighbour keep the blanks between their tokens."""
    changed = {
        number: each
        for number, each in statements.items()
        if each is not None and (each.after, each.new_trailing) != (each.before, each.trailing)
    }
    aligned = _aligned(document, statements, changed)
    for number in aligned:
        each = changed[number]
        changed[number] = each._replace(after=moved(each.before, each.after[0].gap), new_trailing=each.trailing)
    _align_comments(document, changed)
    return [edit for number in sorted(changed) for edit in _line_edits(number, changed[number])]


def _aligned(document: Document, statements: dict[int, _Statement | None], changed: dict[int, _Statement]) -> list[int]:
    """The changed lines whose operands are aligned with those of the line above or below.

    That can be by chance. So it counts only if most lines of the block that belong at the same indentation have the
    same one: then the author chose the layout.
    """
    columns: dict[int, Columns | None] = {}

    def columns_at(number: int) -> Columns | None:
        if number not in columns:
            each = statements[number]
            columns[number] = columns_of(split_line(document.line(number))[0] if each is None else each.before)
        return columns[number]

    indentations = Counter(map(_indentations, statements.values()))  # looked at once, and not for each line again
    every: Counter[str] = Counter()
    for (_, gets), count in indentations.items():
        every[gets] += count
    found: list[int] = []
    for number, each in changed.items():
        has, gets = _indentations(each)
        if columns_at(number) is None or indentations[has, gets] < _COMMON * every[gets]:
            continue
        near = [number + step for step in (-1, 1) if number + step in statements]
        if any(are_aligned(columns_at(number), columns_at(other)) for other in near):
            found.append(number)
    return found


def _indentations(each: _Statement | None) -> tuple[str, str]:
    """The indentations of a line before and after formatting."""
    return ("\t", "\t") if each is None else (each.before[0].gap, each.after[0].gap)


def _align_comments(document: Document, changed: dict[int, _Statement]) -> None:
    """Keep comments after code at one column if they were at one column in neighbouring lines of the block."""
    done: set[int] = set()
    for number in list(changed):
        column = comment_column(changed[number].before)
        if number in done or column is None:
            continue
        first = last = number
        begin = number // LINES_PER_BLOCK * LINES_PER_BLOCK
        while first > begin and _comment_column(document, first - 1) == column:
            first -= 1
        while last < begin + LINES_PER_BLOCK - 1 and _comment_column(document, last + 1) == column:
            last += 1
        done.update(range(first, last + 1))
        if last > first:
            _align(document, changed, range(first, last + 1), column)


def _align(document: Document, changed: dict[int, _Statement], group: range, column: int) -> None:
    lines = {each: changed.get(each) or _unchanged(document.line(each)) for each in group}
    widths = {each: width(join_line(line.after[:-1], "")) for each, line in lines.items()}
    if len({*widths.values()}) == 1 and all(line.before[-1].gap == " " for line in lines.values()):
        return  # one blank keeps them at one column
    target = max(column, max(widths.values()) + 1)
    for each, line in lines.items():
        comment = line.after[-1]
        if width(comment.gap, widths[each]) != target:
            aligned = comment._replace(gap=" " * (target - widths[each]))
            changed[each] = line._replace(after=[*line.after[:-1], aligned])


def _unchanged(line: str) -> _Statement:
    tokens, trailing = split_line(line)
    return _Statement(tokens, trailing, tokens, trailing)


def _comment_column(document: Document, number: int) -> int | None:
    if not 0 <= number < document.line_count:
        return None
    line = document.line(number)
    return comment_column(split_line(line)[0]) if "//" in line else None


def _line_edits(number: int, changed: _Statement) -> Iterator[BlankEdit]:
    column = 0
    for before, after in zip(changed.before, changed.after, strict=True):
        if before.gap != after.gap:
            yield BlankEdit(number, column, column + len(before.gap), after.gap)
        column += len(before.gap) + len(before.text)
    if changed.trailing != changed.new_trailing:
        yield BlankEdit(number, column, column + len(changed.trailing), changed.new_trailing)


def apply_edits(text: str, edits: list[BlankEdit]) -> str:
    """A text after the edits, which are in the order of the text."""
    starts = line_starts(text)
    parts: list[str] = []
    at = 0
    for edit in edits:
        start = starts[edit.line]
        parts += text[at : start + edit.column], edit.text
        at = start + edit.end_column
    return "".join(parts) + text[at:]
