"""Declarations of registers, variables and parameters."""

from ptx_lsp.isa.directive_names import HEADER
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.light_classes import Sequence
from ptx_lsp.syntax.expressions import PRECEDENCE, parse_constant
from ptx_lsp.syntax.initialisers import parse_initialiser
from ptx_lsp.syntax.lexer import DOTTED, END, INTEGER, LITERALS, MALFORMED, NAME, SINK, WARP, Cursor
from ptx_lsp.syntax.recovery import (
    DECLARING,
    MISSING_COMMA,
    MISSING_SEMICOLON,
    begins_instruction,
    begins_label,
    close_bracket,
    continues_with_instruction,
    next_token,
    report_end_of_declaration,
    report_missing_comma,
    report_missing_name,
    report_stray,
    skip_statement,
    starts_statement,
)
from ptx_lsp.syntax.stray_tokens import meant_alignment, pass_name_before_family, semicolon_before_name
from ptx_lsp.syntax.tree import (
    Broken,
    Declaration,
    Declarator,
    Dimension,
    Expression,
    Problem,
    Specifier,
    Term,
    TermKind,
    Word,
)

_NO_NAMES = tuple("[{(-!~0123456789")  # how operands begin that are no names
_COUNTED = frozenset((".align",))  # specifiers that a number must follow
_WITH_LIST = frozenset((".attribute", ".unified"))  # and those that a list in parentheses may follow
WRONG_TYPE = "declaration-type"
"""The code of a type in a wrong place: what the declaration means is known."""
_COMPLETE = frozenset((",", ";", ")"))


def parse_specifier(cursor: Cursor) -> Specifier:
    """One word with a dot and its arguments: `.align 8`, `.attribute(.managed)`, `.const[2]`."""
    word = take_word(cursor)
    arguments: tuple[Expression | Word, ...] = ()
    kind = cursor.kinds[cursor.at]
    if kind == "(" and word.text in _WITH_LIST:
        arguments = _parenthesised(cursor)
    elif word.text in _COUNTED:
        arguments = _number_argument(cursor, word)
    elif kind == INTEGER and (meant := meant_alignment(cursor, word)) is not None:
        word, arguments = meant, _number_argument(cursor, word)
    elif word.text == ".attribute":
        message = "`.attribute` takes a list in parentheses"
        cursor.problem("expected-operand", message, word.start, word.end)
    elif kind == "[" and word.text == ".const" and cursor.starts[cursor.at] == word.end:
        opening = cursor.at
        cursor.at += 1
        arguments = _number_argument(cursor, word)
        close_bracket(cursor, opening)
    return Specifier(word, arguments, word.start, cursor.ends[cursor.at - 1])


def misplaced_specifiers(cursor: Cursor, specifiers: Sequence[Specifier]) -> Broken | None:
    """The words of a declaration, which are reported, if an instruction or a directive of the head follows them."""
    dot_follows = cursor.kinds[cursor.at + 1] == DOTTED
    if cursor.word(cursor.at) not in HEADER and not (dot_follows and continues_with_instruction(cursor)):
        return None
    start, end = specifiers[0].start, specifiers[-1].end
    message = f"`{cursor.text[start:end]}` cannot precede `{cursor.word(cursor.at)}`"
    cursor.problem("stray-token", message, start, end)
    return Broken(start, end)


def begins_another(cursor: Cursor, specifiers: Sequence[Specifier]) -> bool:
    """Whether the next declaration begins at the cursor: a line with a state space, where there is one already."""
    at = cursor.at
    if cursor.word(at) not in SPACE_WORDS or not cursor.on_new_line(at):
        return False
    words = [specifier.word.text for specifier in specifiers]
    return words[-1:] != [".ptr"] and not SPACE_WORDS.isdisjoint(words)


def take_word(cursor: Cursor) -> Word:
    """The token at the cursor as a word."""
    at = cursor.at
    cursor.at = at + 1
    start, end = cursor.starts[at], cursor.ends[at]
    return Word(cursor.text[start:end], start, end)


def _number_argument(cursor: Cursor, word: Word) -> tuple[Expression | Word, ...]:
    number = parse_literal(cursor, f"the number of `{word.text}`")
    return () if number is None else (number,)


def parse_literal(cursor: Cursor, what: str) -> Expression | None:
    """One integer literal. PTX takes nothing else in these places: a longer expression is reported."""
    at = cursor.at
    kind = cursor.kinds[at]
    if kind in (INTEGER, WARP, MALFORMED) and _is_whole(cursor):
        start, end = cursor.starts[at], cursor.ends[at]
        cursor.at = at + 1
        literal = TermKind.MALFORMED if kind == MALFORMED else TermKind.INTEGER
        return Expression((Term(literal, cursor.text[start:end], start, start, end),), start, end)
    start = cursor.starts[at]
    if kind in LITERALS or kind in ("(", "-", "+", "~", "!"):
        _skip_expression(cursor)
        end = cursor.ends[cursor.at - 1]
        message = f"{what} must be one unsigned integer literal, not an expression"
        cursor.problem("literal-required", message, start, end)
        return None
    if kind in (",", ";", ")", "]", ">", "{", "}", END) or cursor.on_new_line(at):
        end = cursor.ends[at - 1]
        begin = cursor.starts[at - 1] if cursor.kinds[at - 1] == DOTTED else end - 1
        cursor.problem("expected-operand", f"{what} is missing here", begin, end)
        return None
    message = f"{what} must be an integer literal, not `{cursor.word(at)}`"
    cursor.problem("literal-required", message, start, cursor.ends[at])
    if kind in (NAME, DOTTED):
        cursor.at = at + 1
    return None


def _is_whole(cursor: Cursor) -> bool:
    """Whether no operator follows a literal on its line: one on the next line is no part of a directive's argument."""
    after = cursor.at + 1
    return cursor.kinds[after] not in PRECEDENCE.keys() - {">", "<"} or cursor.on_new_line(after)


def _skip_expression(cursor: Cursor) -> None:
    """Skip what looks like one expression; stop before a bracket that the expression did not open."""
    kinds = cursor.kinds
    depth = 0
    after_value = False
    while True:
        kind = kinds[cursor.at]
        value = kind in LITERALS or kind == ")"
        depth += (kind == "(") - (kind == ")")
        if depth < 0 or kind == ">" or (after_value and kind in LITERALS):
            return
        if not (value or kind in PRECEDENCE or kind in ("(", "~", "!")):
            return
        after_value = value
        cursor.at += 1


def _parenthesised(cursor: Cursor) -> tuple[Expression | Word, ...]:
    """`(.managed, .unified(1, 2))`: words and numbers, flat."""
    opening = [cursor.at]
    items: list[Expression | Word] = []
    cursor.at += 1
    wanted = True
    while opening:
        kind = cursor.kinds[cursor.at]
        if kind == ")":
            if wanted:
                _report_missing_argument(cursor)
            opening.pop()
            cursor.at += 1
            wanted = False
        elif kind == "(" and not wanted:
            opening.append(cursor.at)
            cursor.at += 1
            wanted = True
        elif kind == "," and not wanted:
            cursor.at += 1
            wanted = True
        elif kind == DOTTED and wanted:
            items.append(take_word(cursor))
            wanted = False
        elif kind == INTEGER and wanted and len(opening) > 1:
            items.append(parse_constant(cursor) or take_word(cursor))
            wanted = False
        elif kind in (";", "{", "}", END):
            close_bracket(cursor, opening[-1])
            break
        else:
            _report_missing_argument(cursor)
            cursor.at += 1
    return tuple(items)


def _report_missing_argument(cursor: Cursor) -> None:
    at = cursor.at
    message = f"`{cursor.word(at)}` is not expected here: attributes begin with a dot and are separated by commas"
    cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[at])


def parse_declaration(cursor: Cursor, specifiers: list[Specifier]) -> Declaration | Broken:
    """The part of a declaration after its specifiers, up to and including its `;`.

    The operands of an instruction in it mean that the opcode is missing before the first word: then it is no
    declaration.
    """
    declarators: list[Declarator] = []
    start = specifiers[0].start
    take_late_type(cursor, specifiers)
    if cursor.kinds[cursor.at] == ";":
        _pass_semicolon(cursor, specifiers)
    if cursor.kinds[cursor.at] != ";":
        _parse_declarators(cursor, declarators)
    elif semicolon_before_name(cursor):
        declarators += filter(None, (parse_declarator(cursor),))
    else:
        cursor.at += 1
    end = max(cursor.ends[cursor.at - 1], specifiers[-1].end)  # a late type is after the last token that is left
    if cursor.problems and specifiers[0].word.text in TYPE_WORDS and _precedes_instruction(cursor):
        return Broken(start, end)
    if cursor.problems and specifiers[0].word.text != ".reg" and _is_operand(cursor, specifiers, cursor.problems[0]):
        cursor.problems.clear()
        if cursor.kinds[cursor.at - 1] != ";":
            skip_statement(cursor)
            end = cursor.ends[cursor.at - 1]
        written = cursor.text[start : specifiers[-1].end]
        cursor.problem("stray-token", f"an opcode is missing before `{written}`", start, specifiers[-1].end)
        return Broken(start, end)
    is_nameless = not (declarators or cursor.problems) and cursor.kinds[cursor.at - 1] != ";"
    if is_nameless and cursor.lexical and end <= cursor.lexical[0].start < cursor.starts[cursor.at]:
        cursor.problems.append(cursor.lexical.popleft())  # as in `.reg .`: it is all that is reported
        end = cursor.problems[0].end
    return Declaration(tuple(specifiers), tuple(declarators), start, end)


def _pass_semicolon(cursor: Cursor, specifiers: list[Specifier]) -> None:
    """Report the `;` at the cursor if the type or the count of the declaration follows on its line; step over it."""
    following = next_token(cursor, cursor.at)
    if cursor.on_new_line(following):
        return
    kind, word = cursor.kinds[following], cursor.word(following)
    lacks_type = all(each.word.text not in TYPE_WORDS for each in specifiers)
    if kind != "<" and not (lacks_type and kind == DOTTED and word in TYPE_WORDS):
        return
    report_stray(cursor, "is not expected in the middle of a declaration")
    cursor.at = following
    if kind == DOTTED:
        specifiers.append(parse_specifier(cursor))
    else:
        skip_statement(cursor)
        cursor.at -= 1


def take_late_type(cursor: Cursor, specifiers: list[Specifier]) -> None:
    """Report the type of `.reg x .b32;` after the name at the cursor, and take it out of the tokens."""
    kinds, at = cursor.kinds, cursor.at + 1
    if kinds[at - 1 : at + 1] != [NAME, DOTTED] or cursor.on_new_line(at) or cursor.on_new_line(at - 1):
        return
    word = cursor.word(at)
    if word not in TYPE_WORDS or any(each.word.text in TYPE_WORDS for each in specifiers):
        return
    if kinds[at + 1] == NAME and not cursor.on_new_line(at + 1):
        report_stray(cursor, "is not expected before the type")
        cursor.at = at
        specifiers.append(parse_specifier(cursor))
        return
    start, end = cursor.starts[at], cursor.ends[at]
    cursor.problem(WRONG_TYPE, f"the type precedes the name: `{word} {cursor.word(at - 1)}`", start, end)
    del kinds[at], cursor.starts[at], cursor.ends[at]
    specifiers.append(Specifier(Word(word, start, end), (), start, end))


def _is_operand(cursor: Cursor, specifiers: Sequence[Specifier], problem: Problem) -> bool:
    """Whether an operand of an instruction is in the place of a name, which is the problem.

    It is an address in brackets; after a word that begins no declaration a constant or a vector, or after a type
    without a space a name with an element such as `.x`.
    """
    first = specifiers[0].word.text
    if problem.code == "expected-name":
        begins_none = first in TYPE_WORDS or first not in DECLARING | _COUNTED
        return cursor.text.startswith(_NO_NAMES if begins_none else "[", problem.start)
    if problem.code != MISSING_SEMICOLON or first not in TYPE_WORDS:
        return False
    return cursor.kinds[cursor.at] == DOTTED and not cursor.on_new_line(cursor.at)


def _precedes_instruction(cursor: Cursor) -> bool:
    """Whether the first problem is an opcode after a name, which is its guard: `.b32%p1 bra L;`."""
    problem = cursor.problems[0]
    return problem.code == MISSING_COMMA and cursor.text[problem.start : problem.end] in opcodes()


def _parse_declarators(cursor: Cursor, declarators: list[Declarator]) -> None:
    kinds = cursor.kinds
    while True:
        declarator = parse_declarator(cursor)
        if declarator is not None:
            declarators.append(declarator)
        at = cursor.at
        kind = kinds[at]
        if kind == NAME and declarator is not None and pass_name_before_family(cursor, declarators):
            continue
        if kind == ",":
            cursor.at = at + 1
        elif kind == ";":
            cursor.at = at + 1
            return
        elif not _recover_after_declarator(cursor, declarator):
            return


def _recover_after_declarator(cursor: Cursor, declarator: Declarator | None) -> bool:
    """Report that neither `,` nor `;` follows a declarator. True if another declarator follows."""
    at = cursor.at
    kind = cursor.kinds[at]
    if declarator is not None and (starts_statement(cursor, at) or cursor.on_new_line(at) or kind == DOTTED):
        report_end_of_declaration(cursor)
        return False
    if kind == NAME and declarator is not None:
        report_missing_comma(cursor)
        if cursor.word(at) not in opcodes():
            return True
        skip_statement(cursor)  # an instruction
        return False
    if declarator is not None:
        report_stray(cursor, "cannot follow a declared name here")
        if kind != END:
            cursor.at = at + 1
    skip_statement(cursor)
    return False


def parse_declarator(cursor: Cursor, *, nameless: bool = False) -> Declarator | None:
    """One declared name with its count, dimensions and initialiser. Reports a missing name and returns None.

    `nameless`: true for a parameter that may be written `_`.
    """
    kinds = cursor.kinds
    begins = kinds[cursor.at] == NAME and not (begins_label(cursor, cursor.at) or begins_instruction(cursor, cursor.at))
    if not begins and not (nameless and kinds[cursor.at] == SINK):
        report_missing_name(cursor)
        return None
    name = take_word(cursor)
    if kinds[cursor.at] in _COMPLETE:
        return Declarator(name, None, (), None, name.start, name.end)
    count = parse_count(cursor, "registers") if kinds[cursor.at] == "<" else None
    dimensions: list[Dimension] = []
    while kinds[cursor.at] == "[" and count is None:
        dimensions.append(_parse_dimension(cursor))
        if len(dimensions) > 1 and dimensions[-1].size is None:
            message = "only the first dimension of an array may have no size"
            cursor.problem("literal-required", message, dimensions[-1].start, dimensions[-1].end)
    initialiser = None
    if kinds[cursor.at] == "=":
        cursor.at += 1
        initialiser = parse_initialiser(cursor)
    end = cursor.ends[cursor.at - 1]
    return Declarator(name, count, tuple(dimensions), initialiser, name.start, end)


def parse_count(cursor: Cursor, what: str) -> Expression | None:
    """The number of members in `<3>`, at whose `<` the cursor is; `what` are the members."""
    opening = cursor.at
    cursor.at += 1
    count = parse_literal(cursor, f"the number of {what}")
    close_bracket(cursor, opening)
    return count


def _parse_dimension(cursor: Cursor) -> Dimension:
    opening = cursor.at
    start = cursor.starts[opening]
    cursor.at += 1
    size = None
    if cursor.kinds[cursor.at] != "]":
        size = parse_literal(cursor, "the size of an array")
    close_bracket(cursor, opening)
    return Dimension(size, start, cursor.ends[cursor.at - 1])
