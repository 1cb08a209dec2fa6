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

from ptx_lsp.isa.directive_names import CODE_BLOCK, FILE_NUMBER, LANGUAGE_NAME, SOURCE_BEGIN, SOURCE_END
from ptx_lsp.syntax.declarations import parse_literal, take_word
from ptx_lsp.syntax.lexer import SOURCE, STRING, UNTERMINATED_STRING, Cursor
from ptx_lsp.syntax.recovery import report_missing_brace, report_unclosed
from ptx_lsp.syntax.section_blocks import parse_blocks, report_missing, skip_block
from ptx_lsp.syntax.tree import Expression, Section, SectionData, Word


def parse_source_section(cursor: Cursor, directive: Word) -> Section:
    """The whole section: what follows its directive. Its data are its blocks, each with the number of its file."""
    return parse_blocks(cursor, directive, _parse_block, f"blocks, which begin with `{CODE_BLOCK}`")


def _parse_block(cursor: Cursor, blocks: list[SectionData]) -> SectionData | None:
    if cursor.word(cursor.at) != CODE_BLOCK:
        return None
    name = take_word(cursor)
    opening = cursor.at
    items: list[Expression] = []
    if cursor.kinds[opening] != "{":
        report_missing_brace(cursor, "the contents of this block need a `{` here")
    else:
        cursor.at = opening + 1
        if not _parse_contents(cursor, items):
            skip_block(cursor, CODE_BLOCK)
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
        report_missing(cursor, "a string with the name of the language")
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
        report_missing(cursor, f"a line that ends with `{SOURCE_BEGIN}`")
        return False
    cursor.at = at + 1
    start, end = cursor.starts[at], cursor.ends[at]
    if end == cursor.limit:
        message = f"this text has no end: a line that has only `{SOURCE_END}`"
        cursor.problem(UNTERMINATED_STRING, message, start, start + len(SOURCE_BEGIN))
    return True


def _take_key(cursor: Cursor, key: str) -> bool:
    """Step over a key with its colon, which no blank is before; False if another token was reported in its place."""
    at = cursor.at
    if cursor.word(at) == key and cursor.kinds[at + 1] == ":" and cursor.starts[at + 1] == cursor.ends[at]:
        cursor.at = at + 2
        return True
    report_missing(cursor, f"`{key}:`")
    return False
