"""The inline-assembly statements of a Julia text: `@asmcall` of LLVM.jl, and LLVM IR in strings, for `llvmcall`.

`ScanMode.inside` is "#=" in a block comment. A string that began in earlier lines is pending.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ptx_lsp.hosts.constraints import bind, split_constraints
from ptx_lsp.hosts.julia_strings import Literal, read_string, string_pieces
from ptx_lsp.hosts.llvm import scan_ir
from ptx_lsp.hosts.nested import inner_text, relocated
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import (
    CODE,
    LONGEST,
    LONGEST_STRING,
    AsmStatement,
    Dialect,
    Host,
    Piece,
    PieceKind,
    ScanMode,
    Scanned,
    Template,
)
from ptx_lsp.hosts.text_scan import (
    TextScan,
    leave_nested_comment,
    nested_comment_end,
    pass_line,
    pass_match,
    read_code,
    scanned,
)

_OF_INTEREST = re.compile(r"""["']|\#=?|@asmcall""")
_NESTED_COMMENT = re.compile(r"(?P<begin>#=)|=#")
_CHARACTER = re.compile(r"'(?:[^'\\\r\n]|\\[^\r\n][^'\r\n]{0,10})'")
_PREFIX = re.compile(r"(?:\A|[^\w])([^\W\d]\w*)\Z")
_IR_WORD = re.compile(r"\basm\b")
_GAP = re.compile(r"[ \t]*+")
_TOKEN = re.compile(
    r"""
(?P<end>\r\n?|\n)
|(?P<space>[ \t\f\v]++)
|(?P<block>\#=)
|(?P<comment>\#[^\r\n]*+)
|(?P<string>(?:[^\W\d]\w*+)?")
|(?P<character>'(?:[^'\\\r\n]|\\[^\r\n][^'\r\n]{0,10})')
|(?P<name>@?[^\W\d]\w*+!?)
|(?P<number>\d[\w.]*+)
|(?P<other>[\s\S])
""",
    re.X,
)
# A line that begins with one of these is a new statement, even inside of parentheses: they were not closed.
_STATEMENTS = frozenset(("function", "end", "struct", "module", "using", "import", "macro", "return", "else", "elseif"))
_CLOSING = {")": "(", "]": "[", "}": "{"}


class _Token(NamedTuple):
    """A token: `kind` is "string", "name" or "other"; `depth` is the number of brackets around it."""

    kind: str
    start: int
    end: int
    depth: int


class _Call(NamedTuple):
    """The tokens of a call's arguments. `end` is the offset after it; `ran_out` is True if the text ended first."""

    tokens: list[_Token]
    end: int
    closed: bool
    ran_out: bool


def _step(scan: TextScan) -> bool:
    if not scan.mode.inside:
        return read_code(scan, _OF_INTEREST, _HANDLERS)
    leave_nested_comment(scan, _NESTED_COMMENT)
    return True


def _begin_comment(scan: TextScan, start: int, first: int) -> bool:
    scan.mode = ScanMode("#=", 1)
    return True


def _apostrophe(scan: TextScan, start: int, first: int) -> bool:
    """Go past the character that a quote begins. After a value, a quote transposes that."""
    before = scan.text[start - 1 : start] if start else ""
    is_after_value = before.isalnum() or before in tuple("_)]}'.")
    return is_after_value or pass_match(scan, _CHARACTER, start)


def _string(scan: TextScan, quote: int, first: int) -> bool:
    text = scan.text
    prefix = _PREFIX.search(text[max(first, quote - 40) : quote])
    start = quote - len(prefix[1]) if prefix else quote
    limit = min(len(text), start + LONGEST_STRING)
    literal = read_string(text, start, quote, limit)
    if not literal.closed and not scan.last and len(text) - start < LONGEST_STRING:
        scan.at = start
        return False
    scan.at = literal.end
    if _IR_WORD.search(text, *literal.body):
        inner = inner_text(string_pieces(text, literal))
        found = scan_ir(inner.text, CODE, True).statements
        scan.statements += (relocated(statement, inner) for statement in found)
    return True


def _asmcall(scan: TextScan, start: int, first: int) -> bool:
    text = scan.text
    if text[scan.at : scan.at + 1].isalnum() or text.startswith("_", scan.at):
        return True
    limit = min(len(text), start + LONGEST)
    gap = _GAP.match(text, scan.at, limit)
    call = _read_call(text, gap.end() if gap else scan.at, limit)
    if call.ran_out and not scan.last and len(text) - start < LONGEST:
        scan.at = start
        return False
    if call.tokens:
        statement = _statement(text, start, call)
        if statement:
            scan.statements.append(statement)
        scan.at = max(call.end, scan.at)
    return True


_HANDLERS = {'"': _string, "'": _apostrophe, "#": pass_line, "#=": _begin_comment, "@asmcall": _asmcall}


def scan_julia(text: str, mode: ScanMode, last: bool) -> Scanned:
    """The statements of a text that begins in `mode`. `last` is True if no more text follows."""
    return scanned(TextScan(text, mode, last), _step)


def _read_call(text: str, start: int, limit: int) -> _Call:
    """The tokens of a call's parentheses, or, if there are none, of the line."""
    tokens: list[_Token] = []
    brackets: list[str] = []
    in_parentheses = text.startswith("(", start)
    at, line_begins = start, False
    while at < limit:
        found = _TOKEN.match(text, at, limit)
        assert found is not None
        group, here, at = found.lastgroup or "", at, found.end()
        if group == "end":
            if not brackets:
                return _Call(tokens, here, True, False)
            line_begins = True
        if group == "block":
            at, _ = nested_comment_end(_NESTED_COMMENT, text, at, limit, 1)
        if group in ("end", "space", "block", "comment"):
            continue
        spelling = found[0]
        if group == "name" and (spelling == "@asmcall" or (line_begins and spelling in _STATEMENTS)):
            return _Call(tokens, here, False, False)
        line_begins = False
        depth = len(brackets)
        if group == "string":
            at = read_string(text, here, at - 1, limit).end
        elif spelling in ("(", "[", "{"):
            brackets.append(spelling)
            depth += 1
        elif spelling in _CLOSING:
            if not brackets:
                return _Call(tokens, here, True, False)
            if brackets[-1] == _CLOSING[spelling]:
                brackets.pop()
        tokens.append(_Token(group if group in ("string", "name") else "other", here, at, depth))
        if in_parentheses and not brackets:
            return _Call(tokens, at, True, False)
    last = tokens[-1].start if tokens else start
    return _Call(tokens, last if limit < len(text) else limit, not brackets, True)


def _statement(text: str, start: int, call: _Call) -> AsmStatement | None:
    parts = _arguments(text, call)
    if not parts:
        return None
    template = Template(tuple(_pieces(text, parts[0])))
    # the template alone is a whole statement; its second argument is the constraints
    constraints = Template(tuple(_pieces(text, parts[1]))) if len(parts) > 1 else None
    known = any(piece.kind is PieceKind.LITERAL for piece in template.pieces)
    if not known and (constraints is None or constraints.has_holes):
        return None
    spelled = [text[part[0].start : part[-1].end] for part in parts]
    types = next((index for index, one in enumerate(spelled) if index > 1 and one.startswith("Tuple")), len(parts))
    inputs = [Span(part[0].start, part[-1].end) for part in parts[types + 1 :]]
    bound = bind(split_constraints(constraints) if constraints else [], inputs)
    return AsmStatement(
        Host.JULIA,
        "@asmcall",
        start,
        call.end if call.closed else call.tokens[-1].end,
        template,
        Dialect.DOLLAR,
        bound.operands,
        bound.clobbers,
        volatile={"true": True, "false": False}.get(spelled[2], False) if len(spelled) > 2 else False,
        whole=call.closed and bound.whole and not template.has_holes,
    )


def _arguments(text: str, call: _Call) -> list[list[_Token]]:
    """The arguments of a call: between commas in parentheses, else one per literal or run without blanks."""
    tokens = call.tokens
    parts: list[list[_Token]] = [[]]
    if text.startswith("(", tokens[0].start):
        for token in tokens[1 : -1 if call.closed else None]:
            if token.depth == 1 and text.startswith(",", token.start):
                parts.append([])
            else:
                parts[-1].append(token)
    else:
        for token in tokens:
            if parts[-1] and token.start > parts[-1][-1].end and not token.depth:
                parts.append([])
            parts[-1].append(token)
    return [part for part in parts if part]


def _pieces(text: str, tokens: Sequence[_Token]) -> list[Piece]:
    """The pieces of an expression that gives a string: literals joined with `*`; anything else is a hole."""
    pieces: list[Piece] = []
    term: list[_Token] = []
    base = tokens[0].depth
    for token in [*tokens, None]:
        if token and not (token.depth == base and text.startswith("*", token.start) and token.kind == "other"):
            term.append(token)
            continue
        if len(term) == 1 and term[0].kind == "string":
            pieces += string_pieces(text, _literal(text, term[0]))
        elif term:
            pieces.append(Piece(PieceKind.NAME, term[0].start, term[-1].end, None))
        term = []
    return pieces


def _literal(text: str, token: _Token) -> Literal:
    return read_string(text, token.start, text.index('"', token.start), token.end)
