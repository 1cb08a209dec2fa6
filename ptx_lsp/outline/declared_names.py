"""Reads the names in a function's header and in a declaration of variables, from text that may be broken."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.isa.directive_names import FUNCTIONS
from ptx_lsp.isa.linkages import LINKAGES
from ptx_lsp.syntax.plain_text import BLOCK_COMMENT


class Name(NamedTuple):
    """A declared name: `start` and `end` are its offsets in the text, `from_` that of its declaration.

    `until` is where its declaration ends. `detail` is the rest of the declaration, such as `.shared .align 4 .b8 [64]`.
    """

    text: str
    start: int
    end: int
    from_: int
    until: int
    detail: str


class FunctionRead(NamedTuple):
    """A header. `kind` is `.entry` or `.func`; `name` None if it is missing; `results` and `parameters` in order.

    `end` is the offset after its last character: the `{` if `body` is true, else the `;`, or, if that is missing too,
    the last token. `last` is the offset after the last token before the `{` or `;`.
    """

    kind: str
    linkage: str
    name: Name | None
    results: tuple[Name, ...]
    parameters: tuple[Name, ...]
    body: bool
    last: int
    end: int


class DeclarationRead(NamedTuple):
    """A declaration of variables; `end` is the offset after its `;`, or after its last token."""

    variables: tuple[Name, ...]
    end: int


class Unfinished(Exception):  # it is a result, not an error
    """The text ends before the construct does. `declared` is what was read of a declaration."""

    def __init__(self, declared: DeclarationRead | None = None) -> None:
        super().__init__()
        self.declared = declared


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    new_line: bool


_TOKEN = re.compile(
    rf"(?P<blank>\s++|//[^\n]*+\n?|{BLOCK_COMMENT}|/\*.*+)"
    r'|"[^"\r\n]*+"?|\.[\w:]++|[%$A-Za-z_][\w$]*+|[0-9][\w.]*+(?:,\s*+[0-9][\w.]*+|(?!))*+|.',
    re.ASCII | re.S,
)
"""A list of numbers is one token: an initial value may have 100,000."""
_NAME = re.compile(r"[%$A-Za-z_][\w$]*", re.ASCII)
_BEFORE_KIND = frozenset((*LINKAGES, ".attribute", ".unified"))
# words that begin another statement: the text before them has no end of its own
_BEGINNING = frozenset(
    (*FUNCTIONS, ".visible", ".extern", ".weak", ".section", ".version", ".target", ".reg", ".loc", ".file")
)

_PARAMETER = (
    r"\s*+(\.param(?:[ \t]++(?:\.\w++|\d++)|(?!))*+)[ \t]++([%$A-Za-z_][\w$]*+)((?:\[\d*+\]|(?!))*+)"
    r"\s*+(?:,(?!\s*+\))|(?=\)|\Z))"
)
_EACH_PARAMETER = re.compile(_PARAMETER, re.ASCII)
# The header of a function as compilers write it, without comments.
_COMMON_HEADER = re.compile(
    rf"""
    (?P<linkage>(?:(?:{"|".join(map(re.escape, LINKAGES))})[ \t]++|(?!))?+)(?P<kind>\.entry|\.func)[ \t]++
    (?:\((?P<results>(?:{_PARAMETER}|(?!))*+)\s*+\)\s*+|(?!))?+(?P<name>[%$A-Za-z_][\w$]*+)\s*+
    \((?P<parameters>(?:{_PARAMETER}|(?!))*+)\s*+\)
    (?:\s++\.(?!{"|".join(word[1:] for word in sorted(_BEGINNING))})[a-z]++
        (?:[ \t]++\d++(?:,[ \t]*+\d++|(?!))*+|(?!))?+(?!\w)|(?!))*+
    (?P<last>)\s*+[{{;]
    """,
    re.ASCII | re.VERBOSE,
)

# A declaration of one variable without comments; its initial value is a list without braces in it.
_COMMON_DECLARATION = re.compile(
    r"((?:\.(?!(?:reg|entry|func)\b)\w++(?:[ \t]++\d++|(?!))?+[ \t]++|(?!))++)([%$A-Za-z_][\w$]*+)((?:\[\d*+\]|(?!))*+)"
    r"[ \t]*+(?:=[ \t]*+\{[\w, \t\r\n-]*+\}[ \t]*+|(?!))?+;",
    re.ASCII,
)


def read_function(text: str, start: int, last: bool) -> FunctionRead | None:
    """The header that begins at an offset; None if it is not one.

    Raises `Unfinished`, unless `last` is true: then no text follows, and the header ends with the text.
    """
    if (common := _COMMON_HEADER.match(text, start)) is not None:
        return _common_function(text, start, common)
    if _COMMON_DECLARATION.match(text, start) is not None:
        return None
    linkage: list[str] = []
    tokens = _tokens(text, start)
    depth = 0
    for token in tokens:
        depth += (token.text == "(") - (token.text == ")")
        if token.text in FUNCTIONS:
            return _after_kind(start, token, " ".join(linkage), tokens, last)
        if token.text in _BEFORE_KIND:
            linkage.append(token.text)
        elif not depth and token.text != ")":
            return None
    if last:
        return None
    raise Unfinished


def _common_function(text: str, start: int, header: re.Match[str]) -> FunctionRead:
    linkage, kind, name = header.group("linkage", "kind", "name")
    linkage = linkage.rstrip()
    from_, end = header.span("name")
    named = Name(name, from_, end, start, end, f"{linkage} {kind}" if linkage else kind)
    results = () if header["results"] is None else _common_parameters(text, *header.span("results"))
    parameters = _common_parameters(text, *header.span("parameters"))
    last, end = header.start("last"), header.end()
    return FunctionRead(kind, linkage, named, results, parameters, text[end - 1] == "{", last, end)


def _common_parameters(text: str, start: int, end: int) -> tuple[Name, ...]:
    parameters = []
    for each in _EACH_PARAMETER.finditer(text, start, end):
        begin, finish = each.span(2)
        detail = " ".join(each[1].split())
        size = f" {each[3]}" if each[3] else ""
        parameters.append(Name(each[2], begin, finish, each.start(1), each.end(3), detail + size))
    return tuple(parameters)


def _after_kind(start: int, kind: _Token, linkage: str, tokens: Iterator[_Token], last: bool) -> FunctionRead:
    """The function after `.entry` or `.func`; `last`: true if no text follows, in which its header may continue."""
    name: Name | None = None
    lists: list[list[_Token]] = []
    depth, end = 0, kind.end
    named_after = 0  # the lists before the name
    for token in tokens:
        if token.text in ("{", ";") or (token.new_line and token.text in _BEGINNING) or token.text == "}":
            break
        end = token.end
        if token.text == "(":
            depth += 1
            if depth == 1:
                lists.append([])
                continue
        elif token.text == ")":
            depth -= 1
        if depth > 0 and lists:
            lists[-1].append(token)
        elif name is None and not depth and _NAME.fullmatch(token.text):
            detail = " ".join(filter(None, (linkage, kind.text)))
            name = Name(token.text, token.start, token.end, start, token.end, detail)
            named_after = len(lists)
    else:
        if not last:
            raise Unfinished
        token = _Token("", end, end, False)
    results = [each for listed in lists[:named_after] for each in _listed_names(listed)]
    parameters = [each for listed in lists[named_after : named_after + 1] for each in _listed_names(listed)]
    whole_end = token.end if token.text in ("{", ";") else end
    return FunctionRead(kind.text, linkage, name, tuple(results), tuple(parameters), token.text == "{", end, whole_end)


def _listed_names(tokens: list[_Token]) -> Iterator[Name]:
    """The parameters in a list, without its parentheses."""
    one: list[_Token] = []
    for token in [*tokens, _Token(",", 0, 0, False)]:
        if token.text != ",":
            one.append(token)
            continue
        named = next((each for each in one if _NAME.fullmatch(each.text)), None)
        if named is not None:
            detail = _detail([each for each in one if each is not named])
            yield Name(named.text, named.start, named.end, one[0].start, one[-1].end, detail)
        one = []


def _detail(tokens: list[_Token]) -> str:
    """Tokens as text: a blank before each word, none within brackets."""
    text = ""
    depth = 0
    for token in tokens:
        tight = not text or depth or token.text in ("]", ")", "(", ",", "<", ">")
        depth += (token.text in "[(<") - (token.text in "])>")
        text += token.text if tight else " " + token.text
    return text.replace("] [", "][")


def read_declaration(text: str, start: int, last: bool) -> DeclarationRead:
    """The declaration of variables that begins at an offset; without variables if it declares registers.

    Raises `Unfinished`, unless `last` is true: then no text follows, and the declaration ends with the text.
    """
    if (common := _COMMON_DECLARATION.match(text, start)) is not None:
        detail, end = " ".join((*common[1].split(), common[3])).rstrip(), common.end()
        return DeclarationRead((Name(common[2], *common.span(2), start, end, detail),), end)
    specifiers: list[_Token] = []
    found: list[tuple[_Token, list[_Token]]] = []
    depth, expected, valued = 0, True, False
    end = start
    for token in _tokens(text, start):
        word = token.text
        if word == ";":
            return DeclarationRead(_named(specifiers, found, start, token.end), token.end)
        if token.new_line and word in _BEGINNING and found:
            return DeclarationRead(_named(specifiers, found, start, end), end)
        end = token.end
        if word in "[({<":
            depth += 1
        elif word in "])}>":
            depth -= 1
            if depth < 0:  # a brace that closes the scope around
                return DeclarationRead(_named(specifiers, found, start, token.start), token.start)
        if not depth and word == ",":
            expected, valued = True, False
        elif not depth and word == "=":
            valued = True
        elif expected and not depth and _NAME.fullmatch(word):
            found.append((token, []))
            expected = False
        elif not found:
            specifiers.append(token)
        elif not valued and not expected:
            found[-1][1].append(token)
    read = DeclarationRead(_named(specifiers, found, start, end), end)
    if last:
        return read
    raise Unfinished(read)


def _named(
    specifiers: list[_Token], found: list[tuple[_Token, list[_Token]]], start: int, end: int
) -> tuple[Name, ...]:
    detail = _detail(specifiers)
    if ".reg" in detail.split():
        return ()
    names = []
    for index, (token, dimensions) in enumerate(found):
        begins = start if not index else token.start
        ends = end if index == len(found) - 1 else found[index + 1][0].start
        size = _detail(dimensions)
        names.append(Name(token.text, token.start, token.end, begins, ends, f"{detail} {size}".strip()))
    return tuple(names)


def _tokens(text: str, start: int) -> Iterator[_Token]:
    """The tokens from an offset to the end of the text."""
    new_line = False
    for match in _TOKEN.finditer(text, start):
        if match.lastgroup is not None:
            new_line = new_line or "\n" in match[0] or "\r" in match[0]
            continue
        yield _Token(match[0], match.start(), match.end(), new_line)
        new_line = False
