"""One inline-assembly statement of the C family, from its tokens: template, operands, clobbers, labels.

Grammar: GCC's manual, "Extended Asm"; NVIDIA's "Inline PTX Assembly in CUDA". Observed: nvcc and NVRTC 13.5 also take
operands without commas between them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ptx_lsp.hosts.c_tokens import Kind, Token, Tokens
from ptx_lsp.hosts.escapes import C_RAW, C, is_escaped
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import (
    AsmStatement,
    Dialect,
    Host,
    Operand,
    Piece,
    PieceKind,
    Role,
    Template,
    Word,
)
from ptx_lsp.text.lines import LINE_END

_LITERALS = (Kind.STRING, Kind.RAW)
_SYMBOL = re.compile(r"[A-Za-z_.$][\w.$@]*\Z")
_OUTPUTS, _INPUTS, _CLOBBERS, _LABELS = 1, 2, 3, 4
_BEGINS_CONTINUED_LINE = ":,()[]"
_ENDS_CONTINUED_LINE = ":,("


def read_statement(text: str, host: Host, start: int, qualifiers: Sequence[str], found: Tokens) -> AsmStatement:
    """The statement that begins with the word at `start` and has the tokens `found`, its parentheses included.

    `qualifiers` are the words from `asm` up to the parenthesis: `asm volatile goto`.
    """
    sections = _sections(text, found if found.closed else _without_next_lines(text, found))
    pieces = tuple(_pieces(text, sections[0]))
    template = Template(pieces)
    operands, understood = _operands(text, sections)
    clobbers = [_word(text, each) for each in _split(text, sections, _CLOBBERS)]
    labelled = (token for each in _split(text, sections, _LABELS) for token in each)
    labels = [Word(text[t.start : t.end], Span(t.start, t.end)) for t in labelled]
    branches = any(token.kind is Kind.BRANCH for token in found.tokens)
    literals = [token for token in found.tokens if token.kind in _LITERALS]
    whole = (
        found.closed
        and understood
        and all(_body(text, token).closed for token in literals)
        and not branches
        and not template.has_holes
        and None not in clobbers
        and len(sections) <= _LABELS + 1
    )
    return AsmStatement(
        host,
        qualifiers[0],
        start,
        found.end if found.closed or not found.tokens else found.tokens[-1].end,
        template,
        Dialect.PERCENT,
        operands,
        tuple(word for word in clobbers if word),
        tuple(labels),
        volatile=any(word.strip("_") == "volatile" for word in qualifiers),
        sections=len(sections) - 1,
        whole=whole,
        may_name_symbol=len(sections) == 1 and _names_symbol(text, start, template),
    )


def is_cut_or_of_another_language(text: str, found: Tokens) -> bool:
    """Whether the tokens, in the text of a string, are of no whole statement of C.

    A program that writes a statement in parts, or searches for one, has strings that end inside of its template. After
    a template with a comma come the arguments of a call: an example of another language.
    """
    template = _sections(text, found)[0]
    last = template[-1] if template else None
    is_cut = last is not None and last.kind in _LITERALS and last.end == len(text) and not _body(text, last).closed
    return is_cut or any(token.depth == 1 and text[token.start] == "," for token in template)


def _without_next_lines(text: str, found: Tokens) -> Tokens:
    """The tokens of a statement that is not closed, without the lines of other statements below it.

    A line still belongs to it if it begins with a literal, a colon, a comma or a bracket, or if the line before it ends
    with an opening parenthesis, a colon or a comma.
    """
    tokens = found.tokens
    for index in range(1, len(tokens)):
        before, token = tokens[index - 1], tokens[index]
        if token.kind in (*_LITERALS, Kind.OPERAND) or text[token.start] in _BEGINS_CONTINUED_LINE:
            continue
        if text[before.end - 1] not in _ENDS_CONTINUED_LINE and LINE_END.search(text, before.end, token.start):
            return found._replace(tokens=tokens[:index])
    return found


def _sections(text: str, found: Tokens) -> list[list[Token]]:
    """The tokens between the colons that are directly in the parentheses of the statement."""
    sections: list[list[Token]] = [[]]
    for token in found.tokens[1 : -1 if found.closed else None]:
        spelling = text[token.start : token.end] if token.kind is Kind.OTHER else ""
        if token.depth == 1 and spelling == ":":
            sections.append([])
        elif token.depth == 1 and spelling == "::":
            sections += [[], []]
        else:
            sections[-1].append(token)
    return sections


class _Body(NamedTuple):
    """What is between the quotes of a literal. `closed` is True if its closing quote was found."""

    start: int
    end: int
    closed: bool


def _body(text: str, token: Token) -> _Body:
    quote = text.index('"', token.start, token.end)
    if token.kind is Kind.RAW:
        start = text.index("(", quote) + 1
        closing = ")" + text[quote + 1 : start - 1] + '"'
        closed = text.endswith(closing, start, token.end)
        return _Body(start, token.end - len(closing) if closed else token.end, closed)
    end = token.end - 1
    closed = end > quote and text[end] == '"' and not is_escaped(text, quote + 1, end)
    return _Body(quote + 1, end if closed else token.end, closed)


def literal_piece(text: str, token: Token) -> Piece:
    """The piece of a string token; its prefix is not decoded."""
    body = _body(text, token)
    decoded = (C_RAW if token.kind is Kind.RAW else C).decode(text, body.start, body.end)
    return Piece(PieceKind.LITERAL, token.start, token.end, *decoded)


def _pieces(text: str, tokens: Sequence[Token]) -> Iterator[Piece]:
    hole: Token | None = None
    for token in tokens:
        # a string in brackets is an argument of a macro
        if token.kind is Kind.BRANCH or (token.kind in _LITERALS and token.depth == 1):
            if hole:
                yield Piece(PieceKind.NAME, hole.start, hole.end, None)
                hole = None
            if token.kind is Kind.BRANCH:
                yield Piece(PieceKind.BRANCH, token.start, token.end, "")
            else:
                yield literal_piece(text, token)
        else:
            hole = Token(Kind.OTHER, hole.start if hole else token.start, token.end, 1)
    if hole:
        yield Piece(PieceKind.NAME, hole.start, hole.end, None)


def _operands(text: str, sections: list[list[Token]]) -> tuple[tuple[Operand, ...], bool]:
    """The outputs and inputs, and whether every token of theirs was understood."""
    operands: list[Operand] = []
    understood = True
    for section in (_OUTPUTS, _INPUTS):
        if section < len(sections):
            understood &= _read_operands(text, sections[section], section == _OUTPUTS, operands)
    return tuple(operands), understood


def _read_operands(text: str, tokens: list[Token], outputs: bool, operands: list[Operand]) -> bool:
    """Add the operands of one list to `operands`; false if one is unclear. `outputs`: true for the list of results."""
    understood = True
    at = 0
    while at < len(tokens):
        token = tokens[at]
        spelling = text[token.start : token.end]
        if spelling == "," or token.kind is Kind.BRANCH:
            at += 1
            continue
        name = name_at = None
        if token.kind is Kind.OPERAND:
            operands.append(_simple_operand(text, len(operands), token, outputs))
            at += 1
            continue
        if spelling == "[":
            close = _group_end(text, tokens, at)
            name, name_at = _trimmed(text, _content(tokens, at, close))
            at = close + 1
            if at < len(tokens) and tokens[at].kind is Kind.OPERAND:
                simple = _simple_operand(text, len(operands), tokens[at], outputs)
                operands.append(simple._replace(name=name, name_at=name_at))
                at += 1
                continue
        first = at
        while at < len(tokens) and _is_of_constraint(text, tokens[at]):
            at += 1
        constraint = tokens[first:at]
        expression = None
        if at < len(tokens) and text[tokens[at].start] == "(":
            close = _group_end(text, tokens, at)
            expression = _content(tokens, at, close)
            at = close + 1
        if not constraint or expression is None:
            understood = False
            at += at == first
            if not constraint:
                continue
        operands.append(
            _operand(text, len(operands), constraint, outputs, expression)._replace(name=name, name_at=name_at)
        )
        understood &= operands[-1].constraint is not None
    return understood


def _is_of_constraint(text: str, token: Token) -> bool:
    """Whether a token is part of a constraint: a literal, a name, or the hash that makes a literal of a name."""
    return token.kind in (Kind.STRING, Kind.RAW, Kind.NAME) or text[token.start : token.end] == "#"


def _operand(text: str, number: int, constraint: list[Token], outputs: bool, expression: Span | None) -> Operand:
    letters = None
    if all(token.kind in _LITERALS for token in constraint):
        letters = "".join(literal_piece(text, token).text or "" for token in constraint)
    role = _role(letters, outputs)
    return Operand(number, role, letters, Span(constraint[0].start, constraint[-1].end), None, expression)


def _simple_operand(text: str, number: int, token: Token, outputs: bool) -> Operand:
    quote = text.index('"', token.start + 1)
    letters = text[token.start + 1 : quote]
    expression = Span(text.index("(", quote) + 1, token.end - 1)
    return Operand(number, _role(letters, outputs), letters, Span(token.start, quote + 1), None, expression)


def _role(letters: str | None, outputs: bool) -> Role:
    """The role of an operand in the list of the results (`outputs`) or of the inputs; None is an unknown constraint."""
    if not outputs:
        return Role.IN
    return Role.INOUT if letters and letters.startswith("+") else Role.OUT


def _group_end(text: str, tokens: list[Token], at: int) -> int:
    """The index of the bracket that closes the one at `at`; the number of tokens if none does."""
    depth = tokens[at].depth
    closing = ")" if text[tokens[at].start] == "(" else "]"
    for index in range(at + 1, len(tokens)):
        token = tokens[index]
        if token.depth == depth and token.kind is Kind.OTHER and text[token.start] == closing:
            return index
    return len(tokens)


def _content(tokens: list[Token], at: int, close: int) -> Span:
    """The text between the brackets at `at` and `close`; if `close` is beyond the tokens, up to the last one."""
    return Span(tokens[at].end, tokens[close].start if close < len(tokens) else tokens[-1].end)


def _trimmed(text: str, span: Span) -> tuple[str, Span]:
    """The text of a span without blanks around it, and its place."""
    inside = text[slice(*span)]
    start = span.start + len(inside) - len(inside.lstrip())
    word = inside.strip()
    return word, Span(start, start + len(word))


def _split(text: str, sections: list[list[Token]], section: int) -> list[list[Token]]:
    """The tokens of a section between its commas."""
    parts: list[list[Token]] = [[]]
    for token in sections[section] if section < len(sections) else ():
        if text[token.start : token.end] == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _word(text: str, tokens: Sequence[Token]) -> Word | None:
    """The word that adjacent literals give; None if not all of the tokens are literals."""
    if any(token.kind not in _LITERALS for token in tokens):
        return None
    letters = "".join(literal_piece(text, token).text or "" for token in tokens)
    return Word(letters, Span(tokens[0].start, tokens[-1].end))


def _names_symbol(text: str, start: int, template: Template) -> bool:
    """Whether `asm("name")` may give a declaration its symbol: a lone name, directly after a declarator."""
    if template.has_holes or not _SYMBOL.match(template.text):
        return False
    window = text[max(0, start - 80) : start]
    if window.rstrip().endswith((")", "]")):
        return True
    word = re.search(r"[A-Za-z_]\w*\Z", window.rstrip(" \t"))
    return word is not None and word[0] not in ("else", "do")
