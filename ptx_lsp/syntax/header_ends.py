"""Where a header without its `{` or `;` ends, and what is between its name and its parameters."""

from ptx_lsp.isa.directive_names import FUNC, FUNCTIONS, OF_PARAMETERS, PROTOTYPE, WITH_SIGNATURE
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.syntax.directives import OF_FUNCTIONS
from ptx_lsp.syntax.lexer import DOTTED, DWARF, END, INTEGER, NAME, SINK, Cursor
from ptx_lsp.syntax.recovery import (
    IN_BODY,
    SAFE,
    end_of_line,
    is_in_place_of_brace,
    next_token,
    report_end_of_no_comment,
    report_missing_brace,
    report_missing_semicolon,
    report_stray,
    skip_statement,
    starts_statement,
)
from ptx_lsp.syntax.tree import Word

ENDS = frozenset(("(", ")", "{", ";", "}", END))
"""Tokens that end or begin a list of parameters, or the header."""
_OF_MODULE = frozenset((*LINKAGES, *FUNCTIONS, ".global", ".const"))
"""Words that begin a statement outside of functions, and none that is usual in a body."""
_MOST_INSERTED = 2  # tokens on the line of the brace
NO_PARAMETER = "is not expected in a list of parameters"
_NO_PART = "is not expected here: `{` or `;` ends a header"


def continues_list(cursor: Cursor, index: int) -> bool:
    """Whether a parameter begins at a token: the end of the list is before that of a statement."""
    kinds = cursor.kinds
    if kinds[index] != DOTTED or cursor.word(index) not in OF_PARAMETERS:
        cursor.short |= kinds[index] == END
        return False
    end = _end_ahead(cursor, index, functions=True)
    cursor.short |= kinds[end] == END
    return kinds[end] == ")"


def ends_list(cursor: Cursor) -> bool:
    """Whether the word with a dot at the cursor cannot be a part of a list of parameters."""
    if cursor.word(cursor.at) in OF_FUNCTIONS:
        return True
    return starts_statement(cursor, cursor.at) and not continues_list(cursor, cursor.at)


def is_after_list(cursor: Cursor, index: int) -> bool:
    """Whether a token begins a directive of the function, and the list of parameters has no end after it."""
    kinds = cursor.kinds
    if kinds[index] != DOTTED or cursor.word(index) not in OF_FUNCTIONS:
        return False
    return kinds[_end_ahead(cursor, index, functions=False)] not in (")", END)


def _end_ahead(cursor: Cursor, index: int, *, functions: bool) -> int:
    """The index of the first token from one on that is in `ENDS`, or if `functions`, that begins a function.

    It is noted in the cursor, with the offsets of the two tokens: of a broken list, many tokens are asked about.
    """
    kinds, starts = cursor.kinds, cursor.starts
    for of_functions, begin, end, at in cursor.list_ends:
        is_between = of_functions == functions and begin <= starts[index] <= end and index <= at
        if is_between and starts[at : at + 1] == [end]:  # the tokens are still the same
            return at
    at = index
    while kinds[at] not in ENDS and not (functions and kinds[at] == DOTTED and cursor.word(at) in WITH_SIGNATURE):
        at += 1
    others = tuple(noted for noted in cursor.list_ends if noted[0] != functions)
    cursor.list_ends = (*others, (functions, starts[index], starts[at], at))
    return at


def another_parameter_follows(cursor: Cursor) -> bool:
    """Whether another parameter follows the `;` at the cursor."""
    following = cursor.at + 1
    if following == len(cursor.kinds):
        cursor.read_batch()
    return continues_list(cursor, following) or (
        cursor.kinds[following] == DOTTED and not cursor.on_new_line(following) and cursor.word(following) == ".param"
    )


def pass_bracket_in_name(cursor: Cursor) -> bool:
    """Whether the `)` at the cursor divides the name of a parameter, or its type as in `.)64 a`.

    Then report it and step over the rest.
    """
    at, kinds = cursor.at, cursor.kinds
    if kinds[at + 1] not in (NAME, INTEGER) or cursor.on_new_line(at + 1):
        return False
    end = at + 2 + (kinds[at + 1 : at + 3] == [INTEGER, NAME])
    if kinds[end] not in (",", ")"):
        return False
    report_stray(cursor, NO_PARAMETER)
    cursor.at = end
    return True


def is_before_results(cursor: Cursor) -> bool:
    """Whether a token that is no name is before the `(` of a list of results."""
    at = cursor.at
    if cursor.kinds[at] in (NAME, SINK, DOTTED) or cursor.kinds[at] in ENDS or cursor.kinds[at + 1] != "(":
        return False
    return not cursor.on_new_line(at) and continues_list(cursor, at + 2)


def pass_stray(cursor: Cursor) -> None:
    """Report one token between a name and its list of parameters, and go to the list: `k k(` or `k %(`."""
    at = cursor.at
    kinds = cursor.kinds
    if kinds[at : at + 3] == ["*", "/", "("]:
        report_end_of_no_comment(cursor)
        return
    if kinds[at + 1 : at + 3] == [NAME, "("] and _divides_name(cursor):
        report_stray(cursor, "is not expected here: a list of parameters begins with `(`")
        cursor.at = at + 2
        return
    if kinds[at] in ("(", ";", END) or kinds[at + 1] != "(":
        return
    if cursor.on_new_line(at) and (kinds[at + 2] != DOTTED or cursor.word(at + 2) not in OF_PARAMETERS):
        return
    if (kinds[at] == DOTTED and cursor.word(at) in OF_FUNCTIONS) or (kinds[at] == "{" and kinds[at + 2] != DOTTED):
        return
    report_stray(cursor, "is not expected here: a list of parameters begins with `(`")
    cursor.at = at + 1


def _divides_name(cursor: Cursor) -> bool:
    """Whether the token at the cursor has parts of the name of a function on both sides, as in `f<oo(`."""
    at = cursor.at
    is_between = cursor.starts[at] == cursor.ends[at - 1] and cursor.starts[at + 1] == cursor.ends[at]
    return is_between and cursor.kinds[at] not in (DOTTED, *(ENDS - {")"}))


def recover_end(cursor: Cursor, kind: Word) -> bool:
    """Report what is in the place of the `{` or `;` of a header, and step over it. True if a body follows."""
    at = cursor.at
    found = cursor.kinds[at]
    if is_in_place_of_brace(cursor):
        data = (("replacement", "{"), SAFE)
        message = f"`{cursor.word(at)}` is in the place of the `{{` that begins the body"
        if cursor.kinds[at + 1] == "{":
            message, data = (
                f"`{cursor.word(at)}` is not expected before the `{{` of the body",
                (("remove", "yes"), SAFE),
            )
        cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[at], data=data)
        cursor.at = at + 1 + (cursor.kinds[at + 1] == "{")
        return True
    if found in (")", "]") or (found == "}" and cursor.kinds[next_token(cursor, at)] == "{"):
        report_stray(cursor, "")
        cursor.at = at + 1
        return _end_of_prototype(cursor) if kind.text == PROTOTYPE else after_recovery(cursor)
    if kind.text == FUNC and _is_in_place_of_semicolon(cursor):
        data = (("replacement", ";"), SAFE)
        message = f"`{cursor.word(at)}` is in the place of the `;` that ends this declaration"
        cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[at], data=data)
        cursor.at = at + 1
        return False
    if _is_inserted(cursor, kind):
        report_stray(cursor, _NO_PART)
        return after_recovery(cursor)
    outside = found in (END, DWARF) or (found == DOTTED and cursor.word(at) not in IN_BODY)
    if outside and kind.text == FUNC:
        return False  # observed: ptxas 13.5 takes the declaration of a `.func` without its `;`
    if outside or kind.text == PROTOTYPE:
        report_missing_semicolon(cursor)
        if not (outside or cursor.on_new_line(at)):
            skip_statement(cursor)
        return False
    if found == "}" or starts_statement(cursor, at) or cursor.on_new_line(at):
        report_missing_brace(cursor, "the body that follows needs a `{` here")
        return True
    report_stray(cursor, _NO_PART)
    return after_recovery(cursor)


def _is_in_place_of_semicolon(cursor: Cursor) -> bool:
    """Whether a name alone on its line is between the header and another one."""
    following = next_token(cursor, cursor.at)
    if cursor.kinds[cursor.at] != NAME or cursor.kinds[following] != DOTTED or not cursor.on_new_line(following):
        return False
    cursor.short |= cursor.kinds[next_token(cursor, following)] == END
    return cursor.word(following) in FUNCTIONS or cursor.word(following) in LINKAGES


def _is_inserted(cursor: Cursor, kind: Word) -> bool:
    """Whether the token at the cursor is a mistake between a header and its `{`: an inserted line, or a lone token."""
    at = cursor.at
    if cursor.kinds[at] in (END, DWARF, "}") or kind.text == PROTOTYPE:
        return False
    if cursor.kinds[at] not in (NAME, DOTTED, "@", "("):
        return True
    if _begins_header(cursor):
        return False
    last = end_of_line(cursor, at)
    if cursor.kinds[last] == "{" and 0 < last - at <= _MOST_INSERTED and cursor.word(at) not in opcodes():
        return True
    if any(cursor.kinds[index] == DOTTED and cursor.word(index) in FUNCTIONS for index in range(at, last)):
        return False  # the next header
    return cursor.kinds[last] != END and cursor.kinds[next_token(cursor, last)] == "{" and cursor.on_new_line(last + 1)


def _begins_header(cursor: Cursor) -> bool:
    """Whether the first tokens of a line, too many for an inserted one, begin another header: its end is not needed."""
    at = cursor.at
    kind = at + (cursor.word(at) in LINKAGES)
    for index in range(at, at + _MOST_INSERTED + 1):
        following = next_token(cursor, index)
        if cursor.kinds[following] in (";", END) or cursor.on_new_line(following):
            return False
    return cursor.kinds[kind] == DOTTED and cursor.word(kind) in FUNCTIONS


def _end_of_prototype(cursor: Cursor) -> bool:
    """Go to the end of a broken prototype, which has no body."""
    if cursor.kinds[cursor.at] == ";":
        cursor.at += 1
    elif not starts_statement(cursor, cursor.at):
        skip_statement(cursor)
    return False


def pass_semicolon_before_body(cursor: Cursor) -> None:
    """Report a `;` between the directives of a header and the `{` of the body, and step over it."""
    at = cursor.at
    if cursor.kinds[at] != ";":
        return
    following = next_token(cursor, at)
    cursor.short |= cursor.kinds[following] == END
    if cursor.kinds[following] == "{":
        report_stray(cursor, "is not expected before the `{` of the body")
        cursor.at = following


def after_recovery(cursor: Cursor) -> bool:
    """Find the `{` or `;` that ends a broken header. True if a body follows."""
    kinds = cursor.kinds
    while True:
        at = cursor.at
        kind = kinds[at]
        if kind == "{":
            cursor.at = at + 1
            return True
        if kind == ";":
            following = next_token(cursor, at)
            cursor.short |= kinds[following] == END
            if kinds[following] != "{" and not (kinds[following] == DOTTED and cursor.word(following) in OF_FUNCTIONS):
                cursor.at = following
                return False
        elif kind in ("}", END):
            cursor.short |= kind == END
            return kind != END
        elif at > 0 and cursor.on_new_line(at) and starts_statement(cursor, at):
            if kind == DOTTED and cursor.word(at) in _OF_MODULE:
                return False
            last = end_of_line(cursor, at)
            if kinds[last] == END or kinds[next_token(cursor, last)] != "{":
                return True
            cursor.at = last
        cursor.at += 1
