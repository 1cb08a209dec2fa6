"""The sections of debug data, and places in them."""

from ptx_lsp.isa.directive_names import DEBUG_SECTIONS, METADATA_SECTION, SECTION, SECTION_DATA, SOURCE_SECTION
from ptx_lsp.syntax.declarations import parse_literal, take_word
from ptx_lsp.syntax.joined_numbers import divide_number
from ptx_lsp.syntax.lexer import DOTTED, END, INTEGER, LITERALS, MALFORMED, NAME, STRING, VALUES, Cursor
from ptx_lsp.syntax.metadata_sections import parse_metadata_section
from ptx_lsp.syntax.recovery import (
    DECLARING,
    SAFE,
    next_token,
    report_missing_brace,
    report_stray,
    report_unclosed,
    skip_line,
)
from ptx_lsp.syntax.source_sections import parse_source_section
from ptx_lsp.syntax.tree import Expression, Section, SectionData, Term, TermKind, Word


def parse_section(cursor: Cursor, directive: Word) -> Section:
    """A whole `.section .debug_info { ... }`: what follows its word."""
    kinds = cursor.kinds
    name = directive
    if kinds[cursor.at] == DOTTED:
        name = take_word(cursor)
        _refuse_reserved(cursor, name)
    else:
        message = "`.section` takes a name that begins with a dot"
        at = cursor.at
        start, end = (directive.start, directive.end) if kinds[at] == END else (cursor.starts[at], cursor.ends[at])
        cursor.problem("expected-name", message, start, end)
        if kinds[at] in (NAME, STRING):
            name = take_word(cursor)
    data: list[SectionData] = []
    if not cursor.on_new_line(cursor.at):
        _pass_stray(cursor)
    at = cursor.at
    if kinds[at] == "{":
        cursor.at = at + 1
        _parse_section_body(cursor, cursor.starts[at], data)
    else:
        report_missing_brace(cursor, "the contents of this section need a `{` here")
        labelled = kinds[at] == NAME and kinds[at + 1] == ":" and kinds[at + 2] == DOTTED
        first = at + 2 if labelled else at
        if kinds[first] == DOTTED and cursor.word(first) in SECTION_DATA:
            _parse_section_body(cursor, None, data)
        else:
            skip_line(cursor)
    return Section(name, tuple(data), directive.start, cursor.ends[cursor.at - 1])


def section_without_word(cursor: Cursor) -> Section | None:
    """A section whose word `.section` is missing, which is reported; None if the cursor is at another directive."""
    at = cursor.at
    first = next_token(cursor, at)
    if cursor.kinds[first] != "{":
        return None
    first = next_token(cursor, first)
    if cursor.kinds[first] == NAME and cursor.kinds[colon := next_token(cursor, first)] == ":":
        first = next_token(cursor, colon)
    cursor.short |= cursor.kinds[first] == END
    if cursor.kinds[first] != DOTTED or cursor.word(first) not in SECTION_DATA:
        return None
    start, end = cursor.starts[at], cursor.ends[at]
    message = f"`{SECTION}` is missing before `{cursor.word(at)}`"
    data = (("replacement", f"{SECTION} {cursor.word(at)}"), SAFE)
    cursor.problem("unknown-directive", message, start, end, data=data)
    return parse_section(cursor, Word(SECTION, start, start))


def _pass_stray(cursor: Cursor) -> None:
    """Report a token between the name of a section and the `{` of its contents, and step over it."""
    following = next_token(cursor, cursor.at)
    cursor.short |= cursor.kinds[following] == END
    if cursor.kinds[cursor.at] not in ("{", END) and cursor.kinds[following] == "{":
        report_stray(cursor, "is not expected here: `{` begins the contents of a section")
        cursor.at = following


def _refuse_reserved(cursor: Cursor, name: Word) -> None:
    if name.text[:1] != "." or name.text.startswith(DEBUG_SECTIONS):
        return
    from ptx_lsp.isa.section_words import NOT_SECTIONS  # almost no section has another name

    if name.text in NOT_SECTIONS:
        message = f"`{name.text}` is a word of PTX: a section has another name, such as `.debug_info`"
        cursor.problem("expected-name", message, name.start, name.end)


def _parse_section_body(cursor: Cursor, opening: int | None, data: list[SectionData]) -> None:
    kinds = cursor.kinds
    while kinds[cursor.at] != "}":
        at = cursor.at
        if kinds[at] == DOTTED and cursor.word(at) not in DECLARING:
            data.append(parse_data(cursor))
        elif kinds[at] == NAME and kinds[at + 1] == ":":
            name = take_word(cursor)
            cursor.at += 1
            data.append(SectionData(name, (), name.start, cursor.ends[cursor.at - 1]))
        elif kinds[at : at + 3] == [DOTTED, DOTTED, INTEGER] and _is_before_data(cursor):
            report_stray(cursor, "is not expected here: section data follow")
            cursor.at = at + 1
        elif kinds[at] in (END, DOTTED):
            if opening is not None:
                report_unclosed(cursor, opening)
            return
        else:
            report_stray(cursor, "is not expected here: section data begin with a type, such as `.b32`")
            cursor.at = at + 1
            if cursor.at == len(kinds):
                cursor.read_batch()
    cursor.at += 1


def _is_before_data(cursor: Cursor) -> bool:
    """Whether a word that begins other statements is before the type of a row, on its line."""
    return cursor.word(cursor.at + 1) in SECTION_DATA and not cursor.on_new_line(cursor.at + 1)


def parse_data(cursor: Cursor) -> SectionData:
    """A row of data at the cursor: its type with its values."""
    name = take_word(cursor)
    items: list[Expression | Word] = []
    kinds = cursor.kinds
    while True:
        item = _parse_datum(cursor)
        if item is None:
            break
        if items and item.terms[0].kind is TermKind.NAME:
            cursor.problem("extra-comma", "a label is the only value of its line", item.start, item.end)
        items.append(item)
        if kinds[cursor.at] != ",":
            break
        if item.terms[0].kind is TermKind.NAME:
            message = "only one label or symbol can follow a type"
            cursor.problem("extra-comma", message, cursor.starts[cursor.at], cursor.ends[cursor.at])
        cursor.at += 1
    return SectionData(name, tuple(items), name.start, cursor.ends[cursor.at - 1])


def begins_row_with_section(cursor: Cursor) -> bool:
    """Whether a row begins that has a section of debug information, `.b32 .debug_str`: no declaration is written so."""
    kinds, at = cursor.kinds, cursor.at
    if kinds[at : at + 2] != [DOTTED, DOTTED] or cursor.word(at) not in SECTION_DATA:
        return False
    return cursor.word(at + 1).startswith(DEBUG_SECTIONS)


def _parse_datum(cursor: Cursor) -> Expression | None:
    kinds, at = cursor.kinds, cursor.at
    divide_number(cursor, instructions=False)
    kind = kinds[at]
    if (kind == NAME and kinds[at + 1] != ":") or (kind == DOTTED and cursor.word(at) not in SECTION_DATA):
        return label_and_offset(cursor)
    if kind == "-" and (negative := _negative_number(cursor)) is not None:
        return negative
    if kind in ("}", NAME, DOTTED, END) or (kind not in LITERALS and cursor.on_new_line(at)):
        before = at - 1
        message = "a value is missing after this comma" if kinds[before] == "," else "a value is missing here"
        code = "extra-comma" if kinds[before] == "," else "expected-operand"
        cursor.problem(code, message, cursor.starts[before], cursor.ends[before])
        return None
    return parse_literal(cursor, "a datum of a section")


def _negative_number(cursor: Cursor) -> Expression | None:
    """Parse the `-` at the cursor and the number after it; without a number, return None and leave the cursor there."""
    at = cursor.at
    cursor.at = at + 1
    divide_number(cursor, instructions=False)
    if cursor.kinds[at + 1] != INTEGER:
        cursor.at = at
        return None
    start, number, end = cursor.starts[at], cursor.starts[at + 1], cursor.ends[at + 1]
    cursor.at = at + 2
    literal = Term(TermKind.INTEGER, cursor.text[number:end], number, number, end)
    return Expression((literal, Term(TermKind.UNARY, "-", start, start, end, (0,))), start, end)


def parse_dwarf_line(cursor: Cursor) -> Section:
    """An `@@DWARF` line, whole: the debug data of PTX before 2.0."""
    start = cursor.starts[cursor.at]
    first = cursor.at
    cursor.at += 1
    while cursor.kinds[cursor.at] != END and not cursor.on_new_line(cursor.at):
        if cursor.kinds[cursor.at] == VALUES:
            cursor.split_values()  # the line ends among them
        cursor.at += 1
        if cursor.at == len(cursor.kinds):
            cursor.read_batch()
    name = Word(cursor.word(first), start, cursor.ends[first])
    return Section(name, (), start, cursor.ends[cursor.at - 1])


def label_and_offset(cursor: Cursor) -> Expression:
    """A name or section, with an optional `+4` or `-name` after it."""
    at = cursor.at
    start, end = cursor.starts[at], cursor.ends[at]
    _refuse_reserved(cursor, Word(cursor.text[start:end], start, end))
    terms = [Term(TermKind.NAME, cursor.text[start:end], start, start, end)]
    cursor.at = at + 1
    sign = cursor.kinds[at + 1]
    wanted = NAME if sign == "-" and cursor.kinds[at] == NAME else INTEGER
    if sign in ("+", "-"):
        cursor.at = at + 2
        divide_number(cursor, instructions=False)
        if cursor.kinds[at + 2] == MALFORMED:
            cursor.at = at + 3  # that is reported
        elif cursor.kinds[at + 2] != wanted or (sign == "-" and wanted == INTEGER):
            message = "only `+` and a number, or `-` and a label, may follow a label"
            cursor.problem("operand-arithmetic", message, cursor.starts[at + 1], cursor.ends[at + 1])
        if cursor.kinds[at + 2] in (NAME, INTEGER):
            kind = TermKind.NAME if cursor.kinds[at + 2] == NAME else TermKind.INTEGER
            second, end = cursor.starts[at + 2], cursor.ends[at + 2]
            terms.append(Term(kind, cursor.text[second:end], second, second, end))
            terms.append(Term(TermKind.BINARY, sign, cursor.starts[at + 1], start, end, (0, 1)))
            cursor.at = at + 3
    return Expression(tuple(terms), start, end)


SECTION_PARSERS = {
    SECTION: parse_section,
    METADATA_SECTION: parse_metadata_section,
    SOURCE_SECTION: parse_source_section,
}
"""By the word that a section begins with, the parser of what follows it."""
