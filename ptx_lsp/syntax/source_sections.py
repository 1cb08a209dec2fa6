"""A `.nv_intermediate_source_section`: the text of a program in the languages between its source and PTX.

    .nv_intermediate_source_section {
      .code_block {
        .ir_name: "tile ir"
        .sourceFileName: 2
        .source_begin
    any text
        .source_end
      }
    }

Observed: ptxas 13.5.
"""

from ptx_lsp.isa.directive_names import CODE_BLOCK, FILE_NUMBER, LANGUAGE_NAME
from ptx_lsp.syntax.declarations import parse_literal, take_word
from ptx_lsp.syntax.lexer import END, SOURCE, STRING, UNTERMINATED_STRING, Cursor
from ptx_lsp.syntax.recovery import DECLARING, report_missing_brace, report_stray, report_unclosed, skip_line
from ptx_lsp.syntax.tree import Expression, Section, SectionData, Word

_SOURCE_BEGIN, _SOURCE_END = ".source_begin", ".source_end"


def parse_source_section(cursor: Cursor, directive: Word) -> Section:
    """The whole section: what follows its directive. Its data are its blocks, each with the number of its file."""
    opening = cursor.at
    blocks: list[SectionData] = []
    if cursor.kinds[opening] == "{":
        cursor.at = opening + 1
        _parse_blocks(cursor, cursor.starts[opening], blocks)
    else:
        report_missing_brace(cursor, "the contents of this section need a `{` here")
        skip_line(cursor)
    return Section(directive, tuple(blocks), directive.start, cursor.ends[cursor.at - 1])


def _parse_blocks(cursor: Cursor, opening: int, blocks: list[SectionData]) -> None:
    kinds = cursor.kinds
    while kinds[cursor.at] != "}":
        at = cursor.at
        word = cursor.word(at)
        if kinds[at] == END or word in DECLARING:
            cursor.short |= kinds[at] == END
            report_unclosed(cursor, opening)
            return
        if word == CODE_BLOCK:
            blocks.append(_parse_block(cursor))
        else:
            report_stray(cursor, f"is not expected here: this section holds blocks, which begin with `{CODE_BLOCK}`")
            cursor.at = at + 1
            if cursor.at == len(kinds):
                cursor.read_batch()
    cursor.at += 1


def _parse_block(cursor: Cursor) -> SectionData:
    name = take_word(cursor)
    opening = cursor.at
    items: list[Expression] = []
    if cursor.kinds[opening] != "{":
        report_missing_brace(cursor, "the contents of this block need a `{` here")
    else:
        cursor.at = opening + 1
        if not _parse_contents(cursor, items):
            _skip_to_brace(cursor)
        if cursor.kinds[cursor.at] == "}":
            cursor.at += 1
        else:
            report_unclosed(cursor, cursor.starts[opening])
    return SectionData(name, tuple(items), name.start, cursor.ends[cursor.at - 1])


def _parse_contents(cursor: Cursor, items: list[Expression]) -> bool:
    """The name of the language, the number of the file and the text; False if a problem was reported."""
    if not _take_key(cursor, LANGUAGE_NAME):
        return False
    if cursor.kinds[cursor.at] != STRING:
        _report_missing(cursor, "a string with the name of the language")
        return False
    cursor.at += 1
    if not _take_key(cursor, FILE_NUMBER):
        return False
    number = parse_literal(cursor, "the number of a source file")
    if number is None:
        return False
    items.append(number)
    at = cursor.at
    if cursor.kinds[at] != SOURCE:
        _report_missing(cursor, f"`{_SOURCE_BEGIN}`, with nothing after it on its line,")
        return False
    cursor.at = at + 1
    start, end = cursor.starts[at], cursor.ends[at]
    if end == cursor.limit:
        message = f"this text has no end: a line that has only `{_SOURCE_END}`"
        cursor.problem(UNTERMINATED_STRING, message, start, start + len(_SOURCE_BEGIN))
    return True


def _take_key(cursor: Cursor, key: str) -> bool:
    """Step over a key with its colon, which no blank is before; False if another token was reported in its place."""
    at = cursor.at
    if cursor.word(at) == key and cursor.kinds[at + 1] == ":" and cursor.starts[at + 1] == cursor.ends[at]:
        cursor.at = at + 2
        return True
    _report_missing(cursor, f"`{key}:`")
    return False


def _report_missing(cursor: Cursor, wanted: str) -> None:
    at = cursor.at
    if cursor.kinds[at] in ("}", END):
        message = f"{wanted.rstrip(',')} is missing here"
        cursor.problem("expected-operand", message, cursor.starts[at - 1], cursor.ends[at - 1])
    else:
        message = f"{wanted} is expected here, not `{cursor.word(at)}`"
        cursor.problem("expected-operand", message, cursor.starts[at], cursor.ends[at])


def _skip_to_brace(cursor: Cursor) -> None:
    """Skip to the `}` of a block, or to where another block, another statement or the end of the text is."""
    kinds = cursor.kinds
    while kinds[cursor.at] not in ("}", ";", END) and cursor.word(cursor.at) not in (CODE_BLOCK, *DECLARING):
        cursor.at += 1
