"""The inline-assembly statements of a Rust text: `asm!`, and cuda-oxide's `ptx_asm!` with CUDA's constraints.

Source: Rust's reference, "Inline assembly". `ScanMode.inside` is "/*" in a block comment, a quote in a string, `r` with
its `#` in a raw string.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ptx_lsp.hosts.escapes import is_escaped
from ptx_lsp.hosts.rust_tokens import (
    NESTED_COMMENT,
    Kind,
    Token,
    Tokens,
    literal_piece,
    macro_tokens,
)
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import (
    CODE,
    LONGEST,
    AsmStatement,
    Dialect,
    Host,
    Operand,
    Piece,
    PieceKind,
    Role,
    ScanMode,
    Scanned,
    Template,
    Word,
)
from ptx_lsp.hosts.text_scan import TextScan, leave_nested_comment, pass_line, pass_match, read_code, scanned

_OF_INTEREST = re.compile(r"""["']|/[/*]|asm!""")
_STRING = re.compile(r'(?:[^"\\]++|\\[\s\S]?|(?!))*+"?')
_CHARACTER = re.compile(r"'(?:[^'\\\r\n]|\\(?:u\{[^}'\r\n]*+\}|x..|.))'")
_RAW_PREFIX = re.compile(r"(?:\A|[^\w])(?:br|cr|r)(#*)\Z")
_GAP = re.compile(r"\s*+")
_DIRECTIONS = {
    "in": Role.IN,
    "out": Role.OUT,
    "lateout": Role.OUT,
    "inout": Role.INOUT,
    "inlateout": Role.INOUT,
    "const": Role.CONST,
    "sym": Role.SYM,
}
_LISTS = frozenset(("options", "clobber_abi", "clobber"))


def _step(scan: TextScan) -> bool:
    return _leave(scan) if scan.mode.inside else read_code(scan, _OF_INTEREST, _HANDLERS)


def _leave(scan: TextScan) -> bool:
    """Go to the end of the comment or string at `at`."""
    text, mode = scan.text, scan.mode
    if mode.inside == "/*":
        leave_nested_comment(scan, NESTED_COMMENT)
    elif mode.inside == '"':
        found = _STRING.match(text, scan.at)
        end = found.end() if found else scan.at
        closed = end > scan.at and text[end - 1] == '"' and not is_escaped(text, scan.at, end - 1)
        scan.mode = CODE if closed else mode
        scan.at = end
    else:
        end = text.find('"' + mode.inside[1:], scan.at)
        scan.at = len(text) if end < 0 else end + len(mode.inside)
        scan.mode = mode if end < 0 else CODE
    return True


def _begin_comment(scan: TextScan, start: int, first: int) -> bool:
    scan.mode = ScanMode("/*", 1)
    return True


def _apostrophe(scan: TextScan, start: int, first: int) -> bool:
    """Go past the character that a quote begins; a quote that begins none begins a lifetime."""
    return pass_match(scan, _CHARACTER, start)


def _begin_string(scan: TextScan, start: int, first: int) -> bool:
    raw = _RAW_PREFIX.search(scan.text[max(first, start - 104) : start]) if start else None
    scan.mode = ScanMode("r" + raw[1] if raw else '"')
    return True


def _macro(scan: TextScan, start: int, first: int) -> bool:
    text = scan.text
    if text.startswith("ptx_", start - 4) and start - 4 >= first:
        start -= 4
    if start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        return True
    limit = min(len(text), start + LONGEST)
    may_grow = not scan.last and len(text) - start < LONGEST
    gap = _GAP.match(text, scan.at, limit)
    opening = gap.end() if gap else scan.at
    if opening >= limit and may_grow:
        scan.at = start
        return False
    if opening >= limit or text[opening] not in "([{":
        return True
    name = text[start : scan.at]
    tokens = macro_tokens(text, opening, limit)
    if tokens.ran_out and may_grow:
        scan.at = start
        return False
    scan.statements.append(_statement(text, name, start, tokens))
    scan.at = max(tokens.end, scan.at)
    return True


_HANDLERS = {'"': _begin_string, "'": _apostrophe, "//": pass_line, "/*": _begin_comment, "asm!": _macro}


def scan_rust(text: str, mode: ScanMode, last: bool) -> Scanned:
    """The statements of a text that begins in `mode`. `last` is True if no more text follows."""
    return scanned(TextScan(text, mode, last), _step)


class _Read(NamedTuple):
    """What the arguments after the templates say."""

    operands: list[Operand]
    clobbers: list[Word]
    options: list[Word]
    whole: bool


def _statement(text: str, name: str, start: int, found: Tokens) -> AsmStatement:
    parts = _split(found.tokens[1 : -1 if found.closed else None], 1)
    pieces: list[Piece] = []
    at = 0
    for part in parts:
        given = _template(text, part, first=not at)
        if given is None:
            break
        if pieces:
            end = pieces[-1].end
            pieces.append(Piece(PieceKind.JOIN, end, end, "\n"))
        pieces += given
        at += 1
    template = Template(tuple(pieces))
    read = _arguments(text, parts[at:])
    options = {option.text for option in read.options}
    return AsmStatement(
        Host.RUST,
        name,
        start,
        found.end if found.closed or not found.tokens else found.tokens[-1].end,
        template,
        Dialect.PERCENT if name == "ptx_asm!" else Dialect.BRACES,
        tuple(read.operands),
        tuple(read.clobbers),
        options=tuple(read.options),
        volatile=options.isdisjoint(("pure", "register_only")),
        whole=found.closed and read.whole and not template.has_holes,
    )


def _split(tokens: Sequence[Token], depth: int) -> list[Sequence[Token]]:
    """The tokens between the commas at `depth`; empty parts are left out."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.spelling == "," and token.depth == depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _template(text: str, tokens: Sequence[Token], first: bool, levels: int = 4) -> list[Piece] | None:
    """The pieces of an argument if it is a template; None if the operands begin here.

    `first`: true for the first argument and for the parts of `concat!`, which are templates whatever they are.
    `levels` is how deeply `concat!` may be nested; what is deeper is a hole.
    """
    spelling = [token.spelling for token in tokens[:3]]
    if len(tokens) == 1 and tokens[0].kind is Kind.STRING:
        piece = literal_piece(text, tokens[0])
        return [piece] if piece else _hole(tokens)
    if spelling[:2] == ["concat", "!"] and len(tokens) > 3 and levels:
        pieces: list[Piece] = []
        for part in _split(tokens[3:-1], tokens[2].depth):
            pieces += _template(text, part, True, levels - 1) or _hole(part)
        return pieces
    is_macro = len(spelling) > 1 and spelling[1] == "!"
    is_fragment = spelling[:1] == ["$"]
    if is_macro or is_fragment or (first and spelling[0] not in _DIRECTIONS and spelling[0] not in _LISTS):
        return _hole(tokens)
    return None


def _hole(tokens: Sequence[Token]) -> list[Piece]:
    return [Piece(PieceKind.NAME, tokens[0].start, tokens[-1].end, None)]


def _arguments(text: str, parts: Sequence[Sequence[Token]]) -> _Read:
    operands: list[Operand] = []
    clobbers: list[Word] = []
    options: list[Word] = []
    whole = True
    for part in parts:
        head = part[0].spelling
        if head in _LISTS and len(part) > 2:
            for inner in _split(part[2:-1], part[1].depth):
                word = _word(text, inner)
                (options if head == "options" else clobbers).append(word)
            continue
        operand = _operand(text, part, len(operands))
        whole = whole and operand is not None
        if operand:
            operands.append(operand)
    return _Read(operands, clobbers, options, whole)


def _word(text: str, tokens: Sequence[Token]) -> Word:
    piece = literal_piece(text, tokens[0]) if tokens[0].kind is Kind.STRING else None
    where = Span(tokens[0].start, tokens[-1].end)
    return Word(piece.text if piece and piece.text is not None else text[where.start : where.end], where)


def _operand(text: str, tokens: Sequence[Token], number: int) -> Operand | None:
    """`name = in(reg32) x`, `inout("+r") a => b`, `const 5`; None if it is something else."""
    name = name_at = None
    if len(tokens) > 2 and tokens[0].kind is Kind.NAME and tokens[1].spelling == "=":
        name, name_at = tokens[0].spelling, Span(tokens[0].start, tokens[0].end)
        tokens = tokens[2:]
    role = _DIRECTIONS.get(tokens[0].spelling)
    if role is None:
        return None
    if role in (Role.CONST, Role.SYM):
        expression = _span(tokens[1:])
        return Operand(number, role, None, Span(tokens[0].start, tokens[0].end), name, expression, name_at=name_at)
    if len(tokens) < 4 or tokens[1].spelling != "(":
        return None
    close = next((i for i, t in enumerate(tokens) if t.spelling == ")" and t.depth == tokens[1].depth), 0)
    if close < 3:
        return None
    rest = tokens[close + 1 :]
    arrow = next((i for i, t in enumerate(rest) if t.spelling == "=>"), len(rest))
    constraint = _word(text, tokens[2:close])
    expression, target = _span(rest[:arrow]), _span(rest[arrow + 1 :])
    return Operand(number, role, constraint.text, constraint.where, name, expression, target, name_at)


def _span(tokens: Sequence[Token]) -> Span | None:
    return Span(tokens[0].start, tokens[-1].end) if tokens else None
