"""Where a statement without its `;` ends, and reports of missing punctuation."""

from ptx_lsp.isa.directive_names import AFTER_LABEL, FUNCTIONS, HEADER, HIDDEN, LOCATION, SECTION
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.opcode_sets import WITHOUT_OPERANDS
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import ELEMENTS, TYPE_WORDS, VECTORS
from ptx_lsp.syntax.lexer import DOTTED, DWARF, END, INTEGER, LITERALS, NAME, PREPROCESSOR_LINE, SINK, Cursor
from ptx_lsp.syntax.tree import Broken, CloseBrace, Word

# words with a dot that begin a statement and are not modifiers of any instruction
STARTERS = frozenset(
    (
        *HEADER,
        ".file",
        LOCATION,
        SECTION,
        ".pragma",
        ".alias",
        ".reg",
        ".sreg",
        *FUNCTIONS,
        ".visible",
        ".extern",
        ".common",
        ".attribute",
        *AFTER_LABEL,
    )
)
# the same, with those that are also modifiers
DECLARING = STARTERS | {".global", ".shared", ".const", ".local", ".param", ".tex", ".weak"}
SPECIFIERS = DECLARING | SPACE_WORDS | TYPE_WORDS | {*VECTORS, ".align", ".ptr", HIDDEN}
"""The words of declarations, and those that begin other statements."""
IN_BODY = frozenset((".reg", ".local", ".param", LOCATION))
"""Directives that begin a body whose `{` is missing."""
REGISTERS = ".reg"
"""The word that begins a declaration of registers, and is no modifier."""
MISSING_SEMICOLON = "missing-semicolon"
HARMLESS = frozenset((MISSING_SEMICOLON, PREPROCESSOR_LINE))
"""What is reported at the end of a complete statement, or around a line of C: it is checked like any other."""
"""The code of the problem of a statement without its `;`, which is complete otherwise."""
MISSING_COMMA = "missing-comma"
STRAY_TOKEN = "stray-token"
"""The code of the problem of a token that is no part of any statement."""
SAFE = ("safe", "yes")
"""In a problem's data: what it proposes is the only thing that its author can have meant."""

CLOSING = {"{": "}", "[": "]", "(": ")", "<": ">"}
_AFTER_OPCODE = LITERALS | {NAME, SINK, ";", "@", "[", "{", "}", "(", "-", "!", END}
_AFTER_VECTOR = frozenset((",", ";", "|", "]", ")"))
_AFTER_ITEM = frozenset((",", "}", "]", ")"))
_AFTER_DECLARED = frozenset((";", "[", "<", "="))
_LONGEST_SPECIFIERS = 8  # tokens


def starts_statement(cursor: Cursor, index: int) -> bool:
    """Whether the token probably begins a statement and does not continue the previous one."""
    kind = cursor.kinds[index]
    if kind == NAME:
        return _is_opcode(cursor, index)
    if kind == DOTTED:
        word = cursor.word(index)
        return word in STARTERS or (word in DECLARING and cursor.on_new_line(index))
    if kind == "}":
        return cursor.on_new_line(index) or cursor.kinds[index + 1] not in _AFTER_VECTOR
    if kind == "@":
        return cursor.on_new_line(index) or _is_guard(cursor, index)
    return kind in (DWARF, END) or (kind == "{" and cursor.on_new_line(index) and not _begins_vector(cursor, index))


def opens_scope(cursor: Cursor, index: int) -> bool:
    """Whether the `{` at the begin of a line opens a scope and no vector: a declaration follows it."""
    return cursor.kinds[index] == "{" and cursor.kinds[index + 1] == DOTTED and cursor.on_new_line(index)


def begins_label(cursor: Cursor, index: int) -> bool:
    """Whether a line begins with a label here: no operand, declared name or opcode is followed by `:`."""
    kinds = cursor.kinds
    return kinds[index : index + 2] == [NAME, ":"] and kinds[index + 2] != ":" and cursor.on_new_line(index)


def begins_next_line(cursor: Cursor, index: int) -> bool:
    """Whether a line begins with a label or an instruction of PTX here, and no operand or constant."""
    if not cursor.on_new_line(index):
        return False
    return begins_label(cursor, index) or (cursor.word(index) in opcodes() and starts_statement(cursor, index))


def begins_declaration(cursor: Cursor, index: int) -> bool:
    """Whether a line begins with the words of a declaration here, such as `.param .b32 retval0;`."""
    if not cursor.on_new_line(index):
        return False
    kinds, at = cursor.kinds, index + 1
    while kinds[at] in (DOTTED, INTEGER) and at - index < _LONGEST_SPECIFIERS:
        at += 1
    return at > index + 1 and kinds[at] == NAME and kinds[at + 1] in _AFTER_DECLARED


def begins_next(cursor: Cursor, index: int, opcode: str, word: str) -> bool:
    """Whether a word with a dot after an opcode begins the next statement and is not a modifier."""
    if word in AFTER_LABEL or begins_declaration(cursor, index):
        return True
    return cursor.on_new_line(index) and (word in STARTERS or opcode in WITHOUT_OPERANDS)


def begins_instruction(cursor: Cursor, index: int) -> bool:
    """Whether a line begins with an opcode and a modifier here: no declared name is followed by a dot."""
    return cursor.kinds[index : index + 2] == [NAME, DOTTED] and cursor.on_new_line(index)


def begins_known_instruction(cursor: Cursor, index: int) -> bool:
    """The same, with an opcode of PTX: no operand is written so, `ld.x` aside."""
    return begins_instruction(cursor, index) and cursor.word(index) in opcodes() and is_modifier(cursor, index + 1)


def is_modifier(cursor: Cursor, index: int) -> bool:
    """Whether a word with a dot is no element of a vector, such as `.x`."""
    return cursor.word(index) not in ELEMENTS


def continues_with_instruction(cursor: Cursor) -> bool:
    """Whether an opcode is at the cursor, on the line of the token before it."""
    return cursor.word(cursor.at) in opcodes() and not cursor.on_new_line(cursor.at)


def _begins_vector(cursor: Cursor, index: int) -> bool:
    """Whether the `{` at a token opens a vector: a name and a comma or brace follow, as in no scope."""
    kinds = cursor.kinds
    return kinds[index + 1] in (NAME, SINK) and kinds[index + 2] in (",", "}")


def lacks_opcode(cursor: Cursor, index: int) -> bool:
    """Whether the `{` at the begin of a statement opens a vector, on one line: the opcode before it is missing."""
    return _begins_vector(cursor, index) and not (cursor.on_new_line(index + 1) or cursor.on_new_line(index + 2))


def _is_guard(cursor: Cursor, index: int) -> bool:
    named = index + 1 + (cursor.kinds[index + 1] == "!")
    return cursor.kinds[named] == NAME and cursor.kinds[named + 1] == NAME


def _is_opcode(cursor: Cursor, index: int) -> bool:
    """Whether a name is probably a label or an opcode."""
    follows = cursor.kinds[index + 1]
    if follows == ":":
        return True
    word = cursor.word(index)
    if word[0] == "%":
        return False
    if follows == DOTTED and cursor.on_new_line(index + 1) and not cursor.on_new_line(index):
        return False
    if follows == DOTTED:
        return cursor.word(index + 1) not in ELEMENTS and cursor.kinds[index + 2] not in _AFTER_ITEM
    if word in WITHOUT_OPERANDS and follows in (";", "}", END):
        return True
    if follows == "[" and cursor.ends[index] == cursor.starts[index + 1]:
        return False  # an element of an array, `table[2]`
    return follows in _AFTER_OPCODE and cursor.on_new_line(index) and not cursor.on_new_line(index + 1)


def ends_after_opcode(cursor: Cursor, opcode: Word, modified: bool) -> bool:
    """Whether the instruction ends without a `;` before the token that follows its opcode."""
    at = cursor.at
    kind = cursor.kinds[at]
    if kind == END or (kind == "}" and starts_statement(cursor, at)):
        return True
    if kind == ";" or not cursor.on_new_line(at):
        return False
    if opcode.text in WITHOUT_OPERANDS or (kind == "{" and not modified):
        return True
    if opens_scope(cursor, at):
        return True
    if kind == NAME and cursor.kinds[at + 1] == ";" and cursor.word(at) not in opcodes():
        return False  # `bra` and its label on two lines
    return kind not in ("{", "[", "(") and starts_statement(cursor, at)


def next_token(cursor: Cursor, index: int) -> int:
    """The index of the token after another one; at the end of the text, its index."""
    if cursor.kinds[index] == END:
        return index
    if index + 1 == len(cursor.kinds):
        cursor.read_batch()
    return index + 1


def end_of_line(cursor: Cursor, index: int) -> int:
    """The index of the last token on the line of a token, or of its first `;`."""
    kinds = cursor.kinds
    while kinds[index] not in (";", END) and not (kinds[index + 1] == END or cursor.on_new_line(index + 1)):
        index += 1
    cursor.short |= kinds[next_token(cursor, index)] == END
    return index


def is_in_place_of_brace(cursor: Cursor) -> bool:
    """Whether a name or a `}` alone on its line, or a name before the `{`, is where a body begins."""
    kinds, at = cursor.kinds, cursor.at
    if kinds[at] not in (NAME, "}", DOTTED, "@"):
        return False
    following = next_token(cursor, at)
    if kinds[following] == "{":
        return kinds[at] != "}" and not cursor.on_new_line(following) and cursor.on_new_line(following + 1)
    if kinds[at] == "@":
        return cursor.on_new_line(at) and cursor.on_new_line(following)
    if kinds[at] == DOTTED or (kinds[at] == NAME and cursor.word(at) in opcodes()):
        return False
    begins = kinds[following] == DOTTED and cursor.word(following) in IN_BODY
    return begins and cursor.on_new_line(at) and cursor.on_new_line(following)


def skip_line(cursor: Cursor) -> None:
    """Skip to the next line, past the next `;` on this line, or to a `{` at its end."""
    cursor.split_values()
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


def take_brace(cursor: Cursor) -> Broken | CloseBrace:
    """The `}` at the cursor; with the rest of its line, if it is in the middle of a statement with a mistake above it.

    Then a token follows with which no statement begins: the brace ends no scope.
    """
    at = cursor.at
    cursor.at = at + 1
    if not cursor.fresh and not cursor.on_new_line(at):
        following = next_token(cursor, at)
        while cursor.kinds[following] == "}" and not cursor.on_new_line(following):
            following = next_token(cursor, following)
        if not cursor.on_new_line(following) and _continues_statement(cursor, following):
            cursor.at = following
            skip_line(cursor)
            return Broken(cursor.starts[at], cursor.ends[cursor.at - 1])
    return CloseBrace(cursor.starts[at], cursor.ends[at])


def _continues_statement(cursor: Cursor, index: int) -> bool:
    """Whether a token cannot begin a statement: an operand, a vector, a modifier or a sign between operands."""
    if cursor.kinds[index] == NAME and cursor.word(index) in opcodes():
        return False
    if cursor.kinds[index] == "{":
        return _begins_vector(cursor, index)
    return not starts_statement(cursor, index) and cursor.word(index) not in DECLARING


def skip_statement(cursor: Cursor) -> None:
    """Skip past the `;` that ends the statement at the cursor, or to where the next statement seems to begin."""
    kinds = cursor.kinds
    at = cursor.at
    while True:
        kind = kinds[at]
        if kind == ";":
            cursor.at = at + 1
            return
        if kind == END or (cursor.on_new_line(at) and starts_statement(cursor, at)):
            cursor.at = at
            return
        at += 1


def report_missing_semicolon(cursor: Cursor) -> None:
    """Report that the statement before the cursor has no `;`, at its last character.

    A dot in the place of the `;` is a problem of what follows, and all that is reported.
    """
    end, lexical = cursor.ends[cursor.at - 1], cursor.lexical
    if lexical and lexical[0].start == end and cursor.text[end] == ".":
        return
    if lexical and cursor.text[lexical[0].start] == "\\" and not cursor.text[end : lexical[0].start].strip(" \t"):
        cursor.problems = cursor.problems or [lexical.popleft()]  # before the next opcode drops it
        return
    message = "a `;` is missing at the end of this statement"
    begun = cursor.begun
    several_lines = "\n" in cursor.text[begun:end]
    related = ((begun, begun + 1, "the statement begins here"),) if several_lines else ()
    cursor.problem(MISSING_SEMICOLON, message, end - 1, end, related=related, data=(("insert", ";"),))


def report_end_of_declaration(cursor: Cursor) -> None:
    """Report that a declaration has no `;` before the cursor; step over a word with a dot that is in its place."""
    at = cursor.at
    if cursor.kinds[at] != DOTTED or cursor.on_new_line(at) or cursor.word(at) in DECLARING:
        report_missing_semicolon(cursor)
        return
    following = next_token(cursor, at)
    cursor.short |= cursor.kinds[following] == END
    if cursor.kinds[following] != END and not cursor.on_new_line(following):
        report_missing_semicolon(cursor)
        return
    report_stray(cursor, "is in the place of the `;` that ends this statement")
    cursor.at = following


def report_missing_brace(cursor: Cursor, message: str) -> None:
    """Report that a `{` is missing before the cursor, at the end of the previous token."""
    end = cursor.ends[cursor.at - 1]
    cursor.problem("missing-brace", message, end - 1, end, data=(("insert", " {"),))


def report_missing_comma(cursor: Cursor) -> None:
    """Report that a comma is missing before the token at the cursor, or at the end of the line above."""
    at = cursor.at
    if cursor.on_new_line(at):
        message = f"a comma is missing after `{cursor.word(at - 1)}`"
        cursor.problem(MISSING_COMMA, message, cursor.starts[at - 1], cursor.ends[at - 1], data=(("insert", ","),))
        return
    message = f"a comma is missing before `{cursor.word(at)}`"
    cursor.problem(MISSING_COMMA, message, cursor.starts[at], cursor.ends[at])


def report_missing_name(cursor: Cursor) -> None:
    """Report that no name to declare is at the cursor."""
    at = cursor.at
    kind = cursor.kinds[at]
    before = cursor.kinds[at - 1]
    if is_unfinished(cursor):
        return  # a character without meaning is in its place, such as the dot of an unfinished word
    if before == "," and (kind in (",", ";", ")") or starts_statement(cursor, at)):
        message = "a name is missing after this comma"
        cursor.problem("extra-comma", message, cursor.starts[at - 1], cursor.ends[at - 1])
    elif kind in (END, ";") or cursor.on_new_line(at):
        if before == DOTTED and cursor.word(at - 1) not in SPECIFIERS:
            return  # it is reported as unknown: it may be an unfinished word, such as `.visible .en`
        end = cursor.ends[at - 1]
        cursor.problem("expected-name", "the name to declare is missing here", end - 1, end)
    else:
        message = f"expected the name to declare here, not `{cursor.word(at)}`"
        cursor.problem("expected-name", message, cursor.starts[at], cursor.ends[at])


def is_unfinished(cursor: Cursor) -> bool:
    """Whether a character without meaning, such as the dot of a word, is between the last token and the next one."""
    at, lexical = cursor.at, cursor.lexical
    if not lexical or lexical[0].start < cursor.ends[at - 1]:
        return False
    return at == len(cursor.starts) or lexical[0].start < cursor.starts[at]


def close_bracket(cursor: Cursor, opening: int) -> bool:
    """Step over the bracket that closes the one at index `opening`, or report that it is missing."""
    if cursor.kinds[cursor.at] == CLOSING.get(cursor.kinds[opening], ")"):
        cursor.at += 1
        return True
    report_unclosed(cursor, cursor.starts[opening])
    return False


def report_unclosed(cursor: Cursor, opening: int) -> None:
    """Report that the bracket at offset `opening` is not closed before the cursor: at the end of its line, or there."""
    bracket, at = cursor.text[opening], cursor.at
    closing = CLOSING.get(bracket, ")")  # where the opening bracket is missing, that is reported
    related = ((opening, opening + 1, f"this `{bracket}` is still open"),)
    if cursor.kinds[at] == END or (cursor.kinds[at] != ";" and cursor.on_new_line(at)):
        end = cursor.ends[at - 1]
        message = f"a `{closing}` is missing here"
        data = (("insert", closing),)
        cursor.problem("unclosed-bracket", message, end - 1, end, related=related, data=data)
    else:
        word = cursor.word(at)
        message = f"a `{closing}` is missing before `{word}`"
        data = (("replacement", closing + word),)
        cursor.problem("unclosed-bracket", message, cursor.starts[at], cursor.ends[at], related=related, data=data)


def report_end_of_no_comment(cursor: Cursor) -> None:
    """Report the `*` and `/` at the cursor, which end a comment that does not begin, and step over them."""
    at = cursor.at
    cursor.problem("stray-token", "this `*/` ends nothing: no comment is open", cursor.starts[at], cursor.ends[at + 1])
    cursor.at = at + 2


def report_stray(cursor: Cursor, where: str) -> None:
    """Report that the token at the cursor is not expected `where` it is; a closing bracket has no partner."""
    at = cursor.at
    word = cursor.word(at)
    if cursor.kinds[at] in (")", "]", "}", ">"):
        message = f"this `{word}` closes nothing"
        cursor.problem("unmatched-bracket", message, cursor.starts[at], cursor.ends[at])
    elif cursor.kinds[at] == END:
        end = cursor.ends[at - 1] if at else cursor.limit
        cursor.problem("stray-token", "the text ends in the middle of a statement", max(0, end - 1), end)
    else:
        cursor.problem("stray-token", f"`{word}` {where}", cursor.starts[at], cursor.ends[at])
