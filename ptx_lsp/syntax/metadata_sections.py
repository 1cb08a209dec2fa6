"""A `.metadata_section` with its records, which the manual does not have (observed: ptxas 13.5).

.metadata_section {
    .metadata_domain 1
    .metadata 7 { "kind", "name", .u32 3 }
}
"""

from ptx_lsp.isa.directive_names import METADATA, METADATA_DOMAIN
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.syntax.declarations import parse_literal, take_word
from ptx_lsp.syntax.lexer import DOTTED, END, STRING, Cursor
from ptx_lsp.syntax.recovery import (
    DECLARING,
    report_missing_brace,
    report_missing_comma,
    report_stray,
    report_unclosed,
    skip_line,
)
from ptx_lsp.syntax.tree import Expression, Section, SectionData, Word

_FEWEST = 2  # values of a record


def parse_metadata_section(cursor: Cursor, directive: Word) -> Section:
    """A whole `.metadata_section { ... }`: what follows its word.

    Its data are its domain, if it has one, and its records. The items of a record are its number and its values:
    strings, and numbers after the words of their types.
    """
    opening = cursor.at
    records: list[SectionData] = []
    if cursor.kinds[opening] == "{":
        cursor.at = opening + 1
        _parse_records(cursor, cursor.starts[opening], records)
    else:
        report_missing_brace(cursor, "the records of this section need a `{` here")
        skip_line(cursor)
    return Section(directive, tuple(records), directive.start, cursor.ends[cursor.at - 1])


def _parse_records(cursor: Cursor, opening: int, records: list[SectionData]) -> None:
    kinds = cursor.kinds
    while kinds[cursor.at] != "}":
        at = cursor.at
        word = cursor.word(at)
        if kinds[at] == END or word in DECLARING:
            cursor.short |= kinds[at] == END
            report_unclosed(cursor, opening)
            return
        if word == METADATA:
            records.append(_parse_record(cursor))
        elif word == METADATA_DOMAIN and not records:
            records.append(_parse_domain(cursor))
        else:
            first = f"`{METADATA_DOMAIN}` and " if not records else ""
            report_stray(cursor, f"is not expected here: {first}records, which begin with `{METADATA}`, are")
            cursor.at = at + 1
            if cursor.at == len(kinds):
                cursor.read_batch()
    cursor.at += 1


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
    wanted = "a string" if first else "a string, or a type and a number,"
    before = at - 1
    if cursor.kinds[at] in ("}", END):
        message = f"{wanted.rstrip(',')} is missing here"
        code = "extra-comma" if cursor.kinds[before] == "," else "expected-operand"
        cursor.problem(code, message, cursor.starts[before], cursor.ends[before])
    else:
        message = f"{wanted} is expected here, not `{cursor.word(at)}`"
        cursor.problem("expected-operand", message, cursor.starts[at], cursor.ends[at])
        _skip_to_brace(cursor)
    return False


def _skip_to_brace(cursor: Cursor) -> None:
    """Skip to the `}` of a record, or to where the next record, another statement or the end of the text is."""
    kinds = cursor.kinds
    while kinds[cursor.at] not in ("}", ";", END) and cursor.word(cursor.at) not in (METADATA, *DECLARING):
        cursor.at += 1
