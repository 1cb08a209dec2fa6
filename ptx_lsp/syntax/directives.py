"""Directives that declare no variable, and the data of debug sections."""

from ptx_lsp.isa.directive_names import FUNCTION_NAME, INLINED_AT, SECTION_DATA
from ptx_lsp.syntax.declarations import parse_literal, take_word
from ptx_lsp.syntax.expressions import parse_constant
from ptx_lsp.syntax.lexer import DOTTED, END, FLOAT, INTEGER, LITERALS, NAME, STRING, Cursor
from ptx_lsp.syntax.recovery import (
    DECLARING,
    STARTERS,
    report_missing_brace,
    report_missing_comma,
    report_missing_semicolon,
    report_stray,
    report_unclosed,
    skip_statement,
    starts_statement,
)
from ptx_lsp.syntax.tree import Directive, Expression, Section, SectionData, Term, TermKind, Word

# how the directives are written: each letter one argument (i integer, s string, n name, v version number),
# `,` a comma, `*` the previous item again after each comma, `?` the rest may be left out, `;` at the end
SHAPES = {
    ".version": "v",
    ".target": "n*",
    ".address_size": "i",
    ".pragma": "s*;",
    ".alias": "n,n;",
    ".file": "is?,i?,i",
    ".loc": "iii",
    ".loc_intermediate": "iii",
    ".maxntid": "i?,i?,i",
    ".reqntid": "i?,i?,i",
    ".reqnctapercluster": "i?,i?,i",
    ".minnctapersm": "i",
    ".maxnctapersm": "i",
    ".maxnreg": "i",
    ".maxclusterrank": "i",
    ".minperctamemory": "i",
    ".abi_preserve": "i",
    ".abi_preserve_control": "i",
    ".blocksareclusters": "",
    ".explicitcluster": "",
    ".noreturn": "",
}
_RESERVED_IN_SECTIONS = """
.abi_preserve .address_size .alias .align .attribute .b8 .b16 .b32 .b64 .b128 .bf16 .branchtargets .callprototype
.calltargets .common .const .entry .extern .f16 .f16x2 .f32 .f64 .file .func .global .loc .local .managed
.maxnctapersm .maxnreg .maxntid .minnctapersm .noreturn .param .pragma .pred .ptr .reg .reqntid .s8 .s16 .s32 .s64
.samplerref .section .shared .surfref .target .tex .texref .u8 .u16 .u32 .u64 .unified .v2 .v4 .visible .weak
"""
RESERVED_IN_SECTIONS = frozenset(_RESERVED_IN_SECTIONS.split())
"""Words that are no name of a section (observed: ptxas 13.5, which takes `.sreg`, `.version` and `.v8`)."""
OF_FUNCTIONS = SHAPES.keys() - STARTERS
"""The directives that only the headers of functions have, and those after a `.loc`: no declaration has them."""
WANTED = {"s": "a string", "n": "a name", "v": "a number such as 9.4"}
KINDS = {
    "s": frozenset((STRING,)),
    "n": frozenset((NAME,)),
    "v": frozenset((FLOAT, INTEGER, "malformed")),
}


def parse_directive(cursor: Cursor, word: Word) -> Directive:
    """A directive with its arguments: what follows its word, up to its `;` if this directive has one."""
    shape = SHAPES[word.text]
    arguments: list[Expression | Word] = []
    fine = _parse_arguments(cursor, word, shape, arguments)
    if fine and word.text == ".loc":
        fine = _parse_inlining(cursor, arguments)
    if shape.endswith(";"):
        _end_with_semicolon(cursor, fine)
    elif not fine:
        _skip_line(cursor)
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


def parse_unknown_directive(cursor: Cursor) -> Directive:
    """An unknown directive with what follows it on its line, up to its `;` if there is one."""
    word = take_word(cursor)
    arguments: list[Expression | Word] = []
    _read_loosely(cursor, arguments)
    if cursor.kinds[cursor.at] == ";":
        cursor.at += 1
    else:
        _skip_line(cursor)
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
                if optional:
                    return True
                if not _report_missing_comma(cursor, word):
                    return False
            else:
                cursor.at += 1
        elif letter == "*":
            while kinds[cursor.at] == ",":
                cursor.at += 1
                if not _parse_argument(cursor, word, shape[index - 1], arguments):
                    return False
        elif not _parse_argument(cursor, word, letter, arguments):
            return False
    return True


def _parse_argument(cursor: Cursor, word: Word, letter: str, arguments: list[Expression | Word]) -> bool:
    kind = cursor.kinds[cursor.at]
    if letter == "i":
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


def _report_missing_comma(cursor: Cursor, word: Word) -> bool:
    at = cursor.at
    if cursor.kinds[at] == NAME and not cursor.on_new_line(at):
        report_missing_comma(cursor)
        return True
    end = cursor.ends[at - 1]
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
    if cursor.kinds[cursor.at] != NAME:
        end = cursor.ends[cursor.at - 1]
        cursor.problem("expected-name", "`function_name` takes a label here", end - 1, end)
        return False
    arguments.append(_label_and_offset(cursor))
    if cursor.kinds[cursor.at] != ",":
        end = cursor.ends[cursor.at - 1]
        cursor.problem("missing-comma", "a comma and `inlined_at` are missing here", end - 1, end)
        return False
    cursor.at += 1
    if not _keyword(cursor, INLINED_AT):
        return False
    word = take_word(cursor)
    return _parse_arguments(cursor, word, "iii", arguments)


def _keyword(cursor: Cursor, wanted: str) -> bool:
    at = cursor.at
    if cursor.kinds[at] == NAME and cursor.word(at) == wanted:
        return True
    message = f"`{wanted}` is missing after this comma"
    cursor.problem("extra-comma", message, cursor.starts[at - 1], cursor.ends[at - 1])
    return False


def _label_and_offset(cursor: Cursor) -> Expression:
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
        if cursor.kinds[at + 2] != wanted or (sign == "-" and wanted == INTEGER):
            message = "only `+` and a number, or `-` and a label, may follow a label"
            cursor.problem("operand-arithmetic", message, cursor.starts[at + 1], cursor.ends[at + 1])
        if cursor.kinds[at + 2] in (NAME, INTEGER):
            kind = TermKind.NAME if cursor.kinds[at + 2] == NAME else TermKind.INTEGER
            second, end = cursor.starts[at + 2], cursor.ends[at + 2]
            terms.append(Term(kind, cursor.text[second:end], second, second, end))
            terms.append(Term(TermKind.BINARY, sign, cursor.starts[at + 1], start, end, (0, 1)))
            cursor.at = at + 3
    return Expression(tuple(terms), start, end)


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


def _skip_line(cursor: Cursor) -> None:
    """Skip to the next line, past the next `;` on this line, or to a `{` at its end."""
    kinds = cursor.kinds
    at = cursor.at
    while kinds[at] != END and not cursor.on_new_line(at):
        if kinds[at] == ";":
            at += 1
            break
        if kinds[at] == "{" and cursor.on_new_line(at + 1):
            break
        at += 1
    cursor.at = at


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
            _skip_line(cursor)
    return Section(name, tuple(data), directive.start, cursor.ends[cursor.at - 1])


def _refuse_reserved(cursor: Cursor, name: Word) -> None:
    if name.text in RESERVED_IN_SECTIONS:
        message = f"`{name.text}` is a word of PTX: a section has another name, such as `.debug_info`"
        cursor.problem("expected-name", message, name.start, name.end)


def parse_unread_section(cursor: Cursor, directive: Word) -> Section:
    """A whole `.nv_intermediate_source_section { ... }`. Its contents are undocumented and are skipped."""
    kinds = cursor.kinds
    opening = cursor.at
    if kinds[opening] != "{":
        report_missing_brace(cursor, "the contents of this section need a `{` here")
        _skip_line(cursor)
        return Section(directive, (), directive.start, cursor.ends[cursor.at - 1])
    while kinds[cursor.at] not in ("}", END):
        cursor.at += 1
        if cursor.at == len(kinds):
            cursor.read_batch()
    if kinds[cursor.at] == END:
        report_unclosed(cursor, cursor.starts[opening])
    else:
        cursor.at += 1
    return Section(directive, (), directive.start, cursor.ends[cursor.at - 1])


def _parse_section_body(cursor: Cursor, opening: int | None, data: list[SectionData]) -> None:
    kinds = cursor.kinds
    while kinds[cursor.at] != "}":
        at = cursor.at
        if kinds[at] == DOTTED and cursor.word(at) not in DECLARING:
            data.append(_parse_data(cursor))
        elif kinds[at] == NAME and kinds[at + 1] == ":":
            name = take_word(cursor)
            cursor.at += 1
            data.append(SectionData(name, (), name.start, cursor.ends[cursor.at - 1]))
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


def _parse_data(cursor: Cursor) -> SectionData:
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


def _parse_datum(cursor: Cursor) -> Expression | None:
    kinds, at = cursor.kinds, cursor.at
    kind = kinds[at]
    if (kind == NAME and kinds[at + 1] != ":") or (kind == DOTTED and cursor.word(at) not in SECTION_DATA):
        return _label_and_offset(cursor)
    if kind == "-" and kinds[at + 1] == INTEGER:
        start, number, end = cursor.starts[at], cursor.starts[at + 1], cursor.ends[at + 1]
        cursor.at = at + 2
        literal = Term(TermKind.INTEGER, cursor.text[number:end], number, number, end)
        return Expression((literal, Term(TermKind.UNARY, "-", start, start, end, (0,))), start, end)
    if kind in ("}", NAME, DOTTED, END) or (kind not in LITERALS and cursor.on_new_line(at)):
        before = at - 1
        message = "a value is missing after this comma" if kinds[before] == "," else "a value is missing here"
        code = "extra-comma" if kinds[before] == "," else "expected-operand"
        cursor.problem(code, message, cursor.starts[before], cursor.ends[before])
        return None
    return parse_literal(cursor, "a datum of a section")


def parse_dwarf_line(cursor: Cursor) -> Section:
    """An `@@DWARF` line, whole: the debug data of PTX before 2.0."""
    start = cursor.starts[cursor.at]
    first = cursor.at
    cursor.at += 1
    while cursor.kinds[cursor.at] != END and not cursor.on_new_line(cursor.at):
        cursor.at += 1
        if cursor.at == len(cursor.kinds):
            cursor.read_batch()
    name = Word(cursor.word(first), start, cursor.ends[first])
    return Section(name, (), start, cursor.ends[cursor.at - 1])
