"""A `.metadata_section` with its records, which the manual does not have (observed: ptxas 13.5).

.metadata_section {
    .metadata_domain 1
    .metadata 7 { "kind", "name", .u32 3 }
}
"""

from ptx_lsp.isa.directive_names import METADATA, METADATA_DOMAIN
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.syntax.declarations import parse_literal, take_word
from ptx_lsp.syntax.lexer import DOTTED, STRING, Cursor
from ptx_lsp.syntax.recovery import report_missing_brace, report_missing_comma, report_unclosed
from ptx_lsp.syntax.section_blocks import parse_blocks, report_missing, skip_block
from ptx_lsp.syntax.tree import Expression, Section, SectionData, Word

_FEWEST = 2  # values of a record


def parse_metadata_section(cursor: Cursor, directive: Word) -> Section:
    """A whole `.metadata_section { ... }`: what follows its word.

    Its data are its domain, if it has one, and its records. The items of a record are its number and its values:
    strings, and numbers after the words of their types.
    """
    expected = f"records, which begin with `{METADATA}`, and `{METADATA_DOMAIN}` before the first one"
    return parse_blocks(cursor, directive, _parse_record_or_domain, expected)


def _parse_record_or_domain(cursor: Cursor, before: list[SectionData]) -> SectionData | None:
    word = cursor.word(cursor.at)
    if word == METADATA:
        return _parse_record(cursor)
    return _parse_domain(cursor) if word == METADATA_DOMAIN and not before else None


def _parse_domain(cursor: Cursor) -> SectionData:
    name = take_word(cursor)
    number = parse_literal(cursor, f"the number of `{METADATA_DOMAIN}`")
    return SectionData(name, () if number is None else (number,), name.start, cursor.ends[cursor.at - 1])


def _parse_record(cursor: Cursor) -> SectionData:
    name = take_word(cursor)
    items: list[Expression | Word] = []
    index = parse_literal(cursor, f"the number of `{METADATA}`")
    if index is not None:
        items.append(index)
        if cursor.kinds[cursor.at] == "{":
            opening = cursor.at
            cursor.at = opening + 1
            _parse_values(cursor, opening, items)
        else:
            report_missing_brace(cursor, "the values of this record need a `{` here")
    return SectionData(name, tuple(items), name.start, cursor.ends[cursor.at - 1])


def _parse_values(cursor: Cursor, opening: int, items: list[Expression | Word]) -> None:
    """The values of a record and its `}`."""
    kinds = cursor.kinds
    count = 0
    while complete := _parse_value(cursor, items, first=count == 0):
        count += 1
        if kinds[cursor.at] == ",":
            cursor.at += 1
        elif kinds[cursor.at] == STRING:
            report_missing_comma(cursor)
        else:
            break
    closed = kinds[cursor.at] == "}"
    if closed:
        cursor.at += 1
    elif complete:
        report_unclosed(cursor, cursor.starts[opening])
    if closed and complete and count < _FEWEST:
        message = "a record has a string and at least one value after it"
        cursor.problem("expected-operand", message, cursor.starts[opening], cursor.ends[cursor.at - 1])


def _parse_value(cursor: Cursor, items: list[Expression | Word], *, first: bool) -> bool:
    """A string, or a type and its number, which cannot be the first value; False if a problem was reported instead."""
    at = cursor.at
    if cursor.kinds[at] == STRING:
        items.append(take_word(cursor))
        return True
    if not first and cursor.kinds[at] == DOTTED and cursor.word(at) in TYPE_WORDS:
        word = take_word(cursor)
        items.append(word)
        number = parse_literal(cursor, f"the value after `{word.text}`")
        if number is not None:
            items.append(number)
        return True
    report_missing(cursor, "a string" if first else "a string, or a type with a number,")
    skip_block(cursor, METADATA)
    return False
