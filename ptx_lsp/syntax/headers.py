"""Headers of kernels and functions, and call prototypes."""

from ptx_lsp.isa.directive_names import ENTRY, FUNC, OF_PARAMETERS, PROTOTYPE, WITH_SIGNATURE
from ptx_lsp.isa.types import TYPE_WORDS, VECTORS
from ptx_lsp.light_classes import Sequence
from ptx_lsp.syntax.declarations import begins_another, parse_declarator, parse_specifier, take_late_type, take_word
from ptx_lsp.syntax.directives import OF_FUNCTIONS, parse_header_directive
from ptx_lsp.syntax.foreign import parse_c_type
from ptx_lsp.syntax.header_ends import (
    ENDS,
    NO_PARAMETER,
    after_recovery,
    another_parameter_follows,
    continues_list,
    ends_list,
    is_after_list,
    is_before_results,
    pass_bracket_in_name,
    pass_semicolon_before_body,
    pass_stray,
    recover_end,
)
from ptx_lsp.syntax.lexer import DOTTED, END, INTEGER, NAME, SINK, Cursor
from ptx_lsp.syntax.missing_dots import type_without_dot
from ptx_lsp.syntax.plain_parameters import plain_parameter
from ptx_lsp.syntax.recovery import (
    DECLARING,
    SAFE,
    close_bracket,
    end_of_line,
    is_unfinished,
    next_token,
    report_missing_comma,
    report_stray,
    report_unclosed,
    starts_statement,
)
from ptx_lsp.syntax.tree import Declaration, Declarator, Directive, FunctionHeader, Problem, Specifier, Word

_OF_NAMELESS = TYPE_WORDS | {*VECTORS, ".v8", ".align"}
_LONGEST_NAMELESS = 6  # tokens
_IN_LIST = frozenset((NAME, SINK, DOTTED, INTEGER, "[", "]", ","))
_NOT_IN_LIST = OF_FUNCTIONS | WITH_SIGNATURE
_IN_PLACE_OF_NAME = frozenset("{)],:>[")


def parse_header(
    cursor: Cursor, kind: Word, linkage: Sequence[Specifier], label: Word | None, name: Word | None = None
) -> FunctionHeader:
    """What follows `.entry`, `.func` or `.callprototype`, and the `name` before it, to its `{` or `;` inclusive."""
    linkage = list(linkage)
    if kind.text == FUNC and is_before_results(cursor):
        report_stray(cursor, f"is not expected here: a name or results follow `{FUNC}`")
        cursor.at += 1
    lacks_bracket = kind.text == FUNC and cursor.kinds[cursor.at] == DOTTED and _lacks_bracket(cursor)
    while kind.text == FUNC and cursor.kinds[cursor.at] == DOTTED and not lacks_bracket:
        linkage.append(parse_specifier(cursor))
    has_results = lacks_bracket or (cursor.kinds[cursor.at] == "(" and not (name is not None and kind.text == ENTRY))
    returns = _parse_parameters(cursor, results=True) if has_results else None
    name = name or _parse_name(cursor, kind)
    pass_stray(cursor)
    parameters = _parse_parameters(cursor) if cursor.kinds[cursor.at] == "(" or _lacks_bracket(cursor) else None
    if name is None and parameters is None:
        returns, parameters = None, returns  # the only list, of a header without its name
    if (
        name is not None
        and kind.text == FUNC
        and not has_results
        and cursor.kinds[cursor.at : cursor.at + 2] == [NAME, "("]
    ):
        cursor.problem("stray-token", f"`{name.text}` is not expected before results", name.start, name.end)
        returns, name, parameters = parameters, take_word(cursor), _parse_parameters(cursor)
    if kind.text == ENTRY and returns is not None and name is not None:
        message = "a kernel returns nothing: it writes to memory"
        cursor.problem("return-parameters", message, kind.start, kind.end)
    directives: list[Directive] = []
    while cursor.kinds[cursor.at] == DOTTED and _is_header_directive(cursor, kind):
        directives.append(parse_header_directive(cursor))
    if directives and kind.text != PROTOTYPE:  # below which a brace opens a scope
        pass_semicolon_before_body(cursor)
    body = _end_header(cursor, kind)
    start = label.start if label else linkage[0].start if linkage and linkage[0].start < kind.start else kind.start
    end = max(cursor.ends[cursor.at - 1], *(each.end for each in (*(returns or ()), *(parameters or ()))), 0)
    return FunctionHeader(kind, tuple(linkage), label, name, returns, parameters, tuple(directives), body, start, end)


def header_after_name(cursor: Cursor, linkage: Sequence[Specifier]) -> FunctionHeader:
    """`.visible k .entry(`: the name of a function before its directive."""
    name = take_word(cursor)
    kind = take_word(cursor)
    message = f"the name `{name.text}` belongs after `{kind.text}`"
    data = (("replacement", f"{kind.text} {name.text}"), SAFE)
    cursor.problem("stray-token", message, name.start, kind.end, data=data)
    return parse_header(cursor, kind, linkage, None, name)


def _is_header_directive(cursor: Cursor, kind: Word) -> bool:
    """Whether the word at the cursor belongs to the header, and not to the body or to the next statement."""
    word = cursor.word(cursor.at)
    if kind.text == FUNC and word in _OF_NAMELESS and _is_nameless(cursor):
        return False
    return word not in DECLARING or (word == ".pragma" and kind.text == ENTRY)


def _is_nameless(cursor: Cursor) -> bool:
    """Whether a declaration without space and name is at the cursor, such as `.v2 .u32;`, which ptxas passes over."""
    kinds = cursor.kinds
    for at in range(cursor.at, cursor.at + _LONGEST_NAMELESS):
        if kinds[at] == ";":
            return True
        if kinds[at] != INTEGER and not (kinds[at] == DOTTED and cursor.word(at) in _OF_NAMELESS):
            return False
    return False


def _parse_name(cursor: Cursor, kind: Word) -> Word | None:
    if cursor.kinds[cursor.at] in _IN_PLACE_OF_NAME and cursor.kinds[cursor.at + 1 : cursor.at + 3] == [NAME, "("]:
        report_stray(cursor, f"is not expected here: a name follows `{kind.text}`")
        cursor.at += 1
    at = cursor.at
    if cursor.kinds[at] in (NAME, SINK):
        name = take_word(cursor)
        if kind.text == PROTOTYPE and name.text != "_":
            message = "a prototype has no name but its label: write `_` here"
            cursor.problem("expected-name", message, name.start, name.end, data=(("replacement", "_"),))
        return name
    if cursor.kinds[at] in ENDS or cursor.on_new_line(at) or cursor.kinds[at] == DOTTED:
        if cursor.text[kind.start : kind.end] == kind.text:  # else it is an unfinished word, which is reported
            cursor.problem("expected-name", f"the name of this `{kind.text}` is missing here", kind.start, kind.end)
    else:
        message = f"expected the name of this `{kind.text}` here, not `{cursor.word(at)}`"
        cursor.problem("expected-name", message, cursor.starts[at], cursor.ends[at])
    return _find_name(cursor)


def _find_name(cursor: Cursor) -> Word | None:
    """Step over what is in the place of a name to the name, or to the list of parameters; None without a name."""
    kinds, at = cursor.kinds, cursor.at
    while kinds[at] not in ("(", "{", "}", ";", END) and not (kinds[at] == DOTTED and cursor.word(at) in _NOT_IN_LIST):
        if at > cursor.at and cursor.on_new_line(at) and starts_statement(cursor, at):
            return None
        if kinds[at] == NAME and kinds[at + 1] in ("(", "{", ";"):
            cursor.at = at
            return take_word(cursor)
        at += 1
    if kinds[at] == "(" and not cursor.on_new_line(at):
        cursor.at = at
    return None


def _lacks_bracket(cursor: Cursor) -> bool:
    """Whether a list of parameters follows without its `(`; report that and go to the token before the list."""
    at = cursor.at
    first = next((n for n in range(at + 1, at + 3) if _is_list_after(cursor, n)), 0)
    if first:
        report_stray(cursor, "is not expected here: a list of parameters begins with `(`")
        cursor.at = first - 1
        return True
    if not continues_list(cursor, at):
        return False
    place, where = (at - 1, "after") if cursor.on_new_line(at) else (at, "before")
    word = cursor.word(place)
    message, data = f"a `(` is missing {where} `{word}`", ("insert", "(") if place < at else ("replacement", "(" + word)
    cursor.problem("unclosed-bracket", message, cursor.starts[place], cursor.ends[place], data=(data,))
    cursor.at = at - 1
    return True


def _is_list_after(cursor: Cursor, index: int) -> bool:
    """Whether a list of parameters without its `(` begins at a token, and what is between is in the place of that."""
    taken = cursor.kinds[cursor.at : index]
    if ";" in taken or END in taken or not continues_list(cursor, index):
        return False
    if len(taken) == 1 and taken[0] not in (DOTTED, "(", "}"):
        return True
    is_word = taken[0] == DOTTED and cursor.word(cursor.at) not in TYPE_WORDS
    return ENDS.isdisjoint(taken) and not is_word and not cursor.on_new_line(cursor.at)


def _parse_parameters(cursor: Cursor, results: bool = False) -> tuple[Declaration, ...]:
    """A list of parameters in parentheses. After a list of results, a name follows."""
    kinds, opening = cursor.kinds, cursor.at
    found: list[Declaration] = []
    cursor.at += 1
    if kinds[cursor.at] == ")":
        cursor.at += 1
        if not continues_list(cursor, cursor.at):
            return ()
        cursor.problem("stray-token", f"`)` {NO_PARAMETER}", cursor.starts[cursor.at - 1], cursor.ends[cursor.at - 1])
    while True:
        parameter = plain_parameter(cursor) or _parse_parameter(cursor)
        if parameter is not None:
            found.append(parameter)
        kind = kinds[cursor.at]
        if kind == ",":
            cursor.at += 1
        elif kind == ")" and pass_bracket_in_name(cursor):
            continue
        elif kind == ")" and kinds[cursor.at + 1] == "," and continues_list(cursor, next_token(cursor, cursor.at + 1)):
            report_stray(cursor, NO_PARAMETER)
            cursor.at += 2
        elif kind == ")" and not continues_list(cursor, cursor.at + 1):
            cursor.at += 1
            return tuple(found)
        elif kind == ")" or (kind == ";" and parameter is not None and another_parameter_follows(cursor)):
            start, end = cursor.starts[cursor.at], cursor.ends[cursor.at]
            data = (("replacement", ","), SAFE)
            cursor.problem("stray-token", "parameters are separated by `,`", start, end, data=data)
            cursor.at += 1
        elif kind == DOTTED and parameter is not None and not ends_list(cursor):
            report_missing_comma(cursor)
        elif results and parameter is not None and kind == NAME and kinds[cursor.at + 1] != ")":
            close_bracket(cursor, opening)
            return tuple(found)
        elif not _recover_parameters(cursor, opening):
            return tuple(found)


def _parse_parameter(cursor: Cursor) -> Declaration | None:
    kinds = cursor.kinds
    specifiers: list[Specifier] = []
    if kinds[cursor.at : cursor.at + 2] == [NAME, DOTTED]:
        _pass_word(cursor, specifiers)
    start = cursor.starts[at := cursor.at]
    type_, name = parse_c_type(cursor) if kinds[at] == NAME else ("", at)
    if type_:
        return _parameter_of_c(cursor, type_, name)
    if kinds[at] != DOTTED or cursor.word(at) in OF_FUNCTIONS:
        _report_no_parameter(cursor)
        if kinds[at] not in (NAME, SINK):
            return None
    while (kinds[cursor.at] == DOTTED and cursor.word(cursor.at) not in OF_FUNCTIONS) or _has_bracket(
        cursor, specifiers
    ):
        if kinds[cursor.at] == ")":
            report_stray(cursor, NO_PARAMETER)
            cursor.at += 1
            continue
        if begins_another(cursor, specifiers):
            break
        specifiers.append(parse_specifier(cursor))
    if specifiers and kinds[cursor.at] == NAME and (bare := type_without_dot(cursor, "declaration-type")) is not None:
        specifiers.append(Specifier(bare, (), bare.start, bare.end))
    take_late_type(cursor, specifiers)
    if kinds[cursor.at : cursor.at + 2] == [NAME, NAME] and _is_stray_name(cursor, specifiers):
        report_stray(cursor, NO_PARAMETER)
        cursor.at += 1
    declarators: tuple[Declarator, ...] = ()
    declarator = parse_declarator(cursor, nameless=True)
    if declarator is not None:
        declarators = (declarator,)
        _check_parameter(cursor, declarator)
    # a late type is after the last token that is left
    end = max(start, cursor.ends[cursor.at - 1], specifiers[-1].end if specifiers else start)
    return Declaration(tuple(specifiers), declarators, start, end)


def _has_bracket(cursor: Cursor, specifiers: Sequence[Specifier]) -> bool:
    """Whether a `)` is at the cursor, and after it the type of the parameter, or its name."""
    kinds, at = cursor.kinds, cursor.at
    if kinds[at] != ")" or not specifiers:
        return False
    if kinds[at + 1] == DOTTED and cursor.word(at + 1) in TYPE_WORDS:
        return all(each.word.text not in TYPE_WORDS for each in specifiers)
    return kinds[at + 1] == NAME and kinds[at + 2] in (",", ")", "[")


def _pass_word(cursor: Cursor, specifiers: list[Specifier]) -> None:
    """Report a word that is before the space of a parameter, or in its place, and step over it."""
    at = cursor.at
    if cursor.word(at + 1) in OF_PARAMETERS:
        report_stray(cursor, NO_PARAMETER)
        cursor.at = at + 1
    elif cursor.ends[at] == cursor.starts[at + 1]:
        return  # an instruction
    elif cursor.word(at + 1) in _OF_NAMELESS and cursor.kinds[at + 2] in (NAME, INTEGER):
        space = ".reg" if ".reg" in cursor.text[cursor.begun : cursor.starts[at]] else ".param"
        report_stray(cursor, f"is in the place of `{space}`")
        word = take_word(cursor)
        specifiers.append(Specifier(Word(space, word.start, word.end), (), word.start, word.end))


def _is_stray_name(cursor: Cursor, specifiers: Sequence[Specifier]) -> bool:
    """Whether the first of two names is in the place of a type, or that of a register before the parameter's."""
    if not any(each.word.text in TYPE_WORDS for each in specifiers):
        return True
    first, second = cursor.word(cursor.at), cursor.word(cursor.at + 1)
    return first[0] == "%" != second[0] and cursor.kinds[cursor.at + 2] in (",", ")", "[")


def _parameter_of_c(cursor: Cursor, type_: str, name: int) -> Declaration:
    """`float *a`, where `.param .u64 a` is meant; each parameter is a mistake of its own."""
    start, end = cursor.starts[cursor.at], cursor.ends[name - 1]
    message = f"a parameter needs a state space and a type of PTX: `.param {type_} {cursor.word(name)}`"
    if all(problem.code == "parameter-space" for problem in cursor.problems):
        blank = " " * (end == cursor.starts[name])
        meant = (("meant", f".param {type_}{blank}"),)
        cursor.problems.append(Problem("parameter-space", message, start, end, (), meant))
    cursor.at = name
    declarator = parse_declarator(cursor)
    specifiers = tuple(Specifier(Word(word, start, end), (), start, end) for word in (".param", type_))
    return Declaration(specifiers, (declarator,) if declarator else (), start, cursor.ends[cursor.at - 1])


def _check_parameter(cursor: Cursor, declarator: Declarator) -> None:
    if declarator.members is not None or declarator.initialiser is not None:
        message = "a parameter takes neither a count in `<>` nor an initial value"
        cursor.problem("stray-token", message, declarator.name.end, declarator.end)


def _report_no_parameter(cursor: Cursor) -> None:
    at, kind = cursor.at, cursor.kinds[cursor.at]
    if cursor.kinds[at - 1] == "," and kind in (",", ")"):
        if not is_unfinished(cursor):
            message = "a parameter is missing after this comma"
            cursor.problem("extra-comma", message, cursor.starts[at - 1], cursor.ends[at - 1])
    elif kind not in ("{", "}", ";", NAME, END):
        message = f"a parameter begins with its state space, such as `.param`, not with `{cursor.word(at)}`"
        cursor.problem("expected-declaration", message, cursor.starts[at], cursor.ends[at])


def _recover_parameters(cursor: Cursor, opening: int) -> bool:
    """Report a broken parameter. True if another parameter or the end of the list is at the cursor.

    If neither is found, the list is not closed, and the cursor is where the body or the next statement begins.
    """
    kinds, at = cursor.kinds, cursor.at
    closing, depth = _after_braces(cursor), 0
    while kinds[closing] != END and not (depth == 0 and is_after_list(cursor, closing)):
        if kinds[closing] in ("{", "}", ";"):
            cursor.at = closing
            separates = kinds[closing] == ";" and another_parameter_follows(cursor)
            end = closing if separates else _end_of_list(cursor, closing)
        elif depth == 0 and (kinds[closing] == ")" or (closing > at and continues_list(cursor, closing))):
            cursor.problem("stray-token", f"`{cursor.word(at)}` {NO_PARAMETER}", cursor.starts[at], cursor.ends[at])
            cursor.at = closing + (kinds[closing] == ")")
            return kinds[closing] != ")"
        elif cursor.on_new_line(closing) and starts_statement(cursor, closing):
            end = _end_of_list(cursor, end_of_line(cursor, closing))
        else:
            end = closing
        if end < 0:
            break
        if end > closing:
            cursor.problem("stray-token", f"`{cursor.word(at)}` {NO_PARAMETER}", cursor.starts[at], cursor.ends[at])
            cursor.at = end + 1
            return False
        depth += (kinds[closing] == "(") - (kinds[closing] == ")")
        closing += 1
    if closing == at + 1 and kinds[closing] in ("{", DOTTED) and kinds[at] not in (NAME, DOTTED, "{"):
        message = f"`{cursor.word(at)}` is in the place of the `)` that ends the list of parameters"
        cursor.problem("stray-token", message, cursor.starts[at], cursor.ends[at], data=(("replacement", ")"), SAFE))
        cursor.at = closing
        return False
    cursor.at = closing
    report_unclosed(cursor, cursor.starts[opening])
    if kinds[closing] == "}" and kinds[closing + 1] == DOTTED and cursor.word(closing + 1) in OF_FUNCTIONS:
        cursor.at = closing + 1  # it is in the place of the `)`
    is_second = kinds[closing : closing + 2] == ["{", "{"]
    if is_second and (not cursor.on_new_line(closing + 1) or cursor.starts[closing] == cursor.ends[closing - 1]):
        cursor.at = closing + 1  # the first one is in the place of the `)`
    return False


def _end_of_list(cursor: Cursor, index: int) -> int:
    """The index of the `)` if the rest of a list of parameters follows a token that cannot be in it; else -1."""
    kinds = cursor.kinds
    while True:
        index = next_token(cursor, index)
        word = cursor.word(index) if kinds[index] == DOTTED else ""
        cursor.short |= kinds[index] == END
        if kinds[index] not in _IN_LIST or word in _NOT_IN_LIST:
            return index if kinds[index] == ")" else -1


def _after_braces(cursor: Cursor) -> int:
    """The index of the token after a vector where the name of a parameter belongs; else that of the cursor."""
    kinds, at = cursor.kinds, cursor.at
    if kinds[at] != "{" or kinds[at - 1] != DOTTED or cursor.on_new_line(at):
        return at
    closing = at
    while kinds[closing] not in ("}", ";", END):
        closing += 1
    return closing + 1 if kinds[closing] == "}" else at


def _end_header(cursor: Cursor, kind: Word) -> bool:
    """Read `{` or `;`. True if a body follows; if both are missing, what follows decides."""
    found = cursor.kinds[cursor.at]
    if found == "{" and kind.text != PROTOTYPE:
        cursor.at += 1
        return True
    if found == ";":
        cursor.at += 1
        return False
    if found == "(":
        report_stray(cursor, "is not expected here: write results before the name and parameters after it, once each")
        _parse_parameters(cursor)
        return after_recovery(cursor)
    return recover_end(cursor, kind)
