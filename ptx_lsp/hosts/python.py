"""The inline-assembly statements of a Python text: Triton, Gluon, Pallas, CuTe DSL, MLIR and llvmlite builders, and
CUDA C++ in strings, for NVRTC, CuPy, Numba or PyTorch.

One regular expression finds quotes, comments and the letters of the calls' names. `ScanMode.inside` is the quote
of a string that is too long to be read as a whole.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ptx_lsp.hosts.c_family import scan_c
from ptx_lsp.hosts.constraints import Constraint, bind, split_constraints
from ptx_lsp.hosts.nested import inner_text, relocated
from ptx_lsp.hosts.placeholders import has_placeholders
from ptx_lsp.hosts.python_calls import (
    Argument,
    Call,
    Kind,
    Token,
    arguments,
    elements,
    read_calls,
    string_argument,
)
from ptx_lsp.hosts.python_strings import OPENING, read_string, string_pieces
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import (
    CODE,
    LONGEST,
    LONGEST_STRING,
    AsmStatement,
    Dialect,
    Host,
    Operand,
    PieceKind,
    Role,
    ScanMode,
    Scanned,
    Template,
    Word,
)
from ptx_lsp.hosts.text_scan import TextScan, pass_line, scanned


class _Form(NamedTuple):
    """Where a call has what: the positions and keywords of template, constraints and inputs, and of the flag that
    says whether the statement has effects of its own; `pure` is True if that flag says that it has none.
    """

    template: int
    constraints: int
    inputs: int
    flag: int
    pure: bool = False


_TRITON = _Form(0, 1, 2, 4, True)
_GLUON = _Form(0, 1, 2, 9)
_MLIR = _Form(2, 3, 1, 4)  # its first argument is the type of the result, or None
_LLVMLITE = _Form(1, 2, 9, 3)
_FORMS = {
    "inline_asm_elementwise": _TRITON,
    "elementwise_inline_asm": _Form(0, 9, 9, 9, True),  # Pallas; all but the template have keywords
    "create_inline_asm": _Form(0, 1, 2, 4, True),
    "inline_asm": _MLIR,  # Gluon's call of this name has other arguments
    "InlineAsmOp": _MLIR,
    "InlineAsm": _LLVMLITE,
    "asm": _Form(1, 2, 3, 4),  # llvmlite's IRBuilder.asm
}
_ROLES = "inline_ptx"
_NAMES = frozenset((*_FORMS, _ROLES)) - {"asm"}
_TEMPLATE_NAMES = ("asm", "asm_string", "ptx_code", "asm_str")
_CONSTRAINT_NAMES = ("constraints", "constraint")
_INPUT_NAMES = ("args", "operands_", "operands", "arguments")
_FLAG_NAMES = ("is_pure", "has_side_effects", "side_effect", "side_effects")
_ROLE_LISTS = (
    (Role.IN, "r", ("read_only_args", "readOnlyArgs")),
    (Role.OUT, "w", ("write_only_types", "write_only_args", "writeOnlyArgs")),
    (Role.INOUT, "rw", ("read_write_args", "readWriteArgs")),
)

_OF_INTEREST = re.compile(r"""["'#]|[aA]sm|inline_ptx""")
_PREFIX = re.compile(r"(?:\A|[^\w])([rRbBfFuUtT]{1,3})\Z")
_IDENTIFIER = re.compile(r"\w*+")
_DEFINITION = re.compile(r"(?:\A|\W)(?:def|class)[ \t]+\Z")
_C_WORD = re.compile(r"\b(?:asm|__asm__|__asm)\b")


def _step(scan: TextScan) -> bool:
    return _leave_string(scan) if scan.mode.inside else _code(scan)


def _leave_string(scan: TextScan) -> bool:
    quote = scan.mode.inside
    end = scan.text.find(quote, scan.at)
    if end < 0:
        scan.at = len(scan.text)
    else:
        scan.at = end + len(quote)
        scan.mode = CODE
    return True


def _code(scan: TextScan) -> bool:
    """Go to the next place of interest and past it. False if the text must be read again from `at`."""
    first = scan.at
    found = _OF_INTEREST.search(scan.text, first)
    if found is None:
        scan.at = len(scan.text)
        return True
    token, start = found[0], found.start()
    if token == "#":
        scan.at = found.end()
        return pass_line(scan, start, first)
    return _string(scan, start) if token in "\"'" else _word(scan, start, found.end())


def _string(scan: TextScan, quote: int) -> bool:
    text = scan.text
    prefix = _PREFIX.search(text[max(scan.at, quote - 4, 0) : quote])
    start = quote - len(prefix[1]) if prefix else quote
    limit = min(len(text), start + LONGEST_STRING)
    literal = read_string(text, start, limit)
    if not literal.closed and literal.end == limit:
        if limit < start + LONGEST_STRING and not scan.last:
            scan.at = start
            return False
        if limit < len(text):
            opening = OPENING.match(text, start)
            scan.mode = ScanMode(opening[2]) if opening else CODE
    scan.at = max(literal.end, quote + 1)
    if not literal.is_bytes and _C_WORD.search(text, *literal.body):
        inner = inner_text(string_pieces(text, literal))
        for statement in scan_c(inner.text, Host.CUDA, CODE, True, is_inner=True).statements:
            is_written = any(piece.kind is PieceKind.LITERAL for piece in statement.template.pieces)
            if is_written and not has_placeholders(statement, inner.text):
                scan.statements.append(relocated(statement, inner))
    return True


def _word(scan: TextScan, start: int, end: int) -> bool:
    text = scan.text
    first = max(scan.at, start - 40)
    while start > first and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    word = _IDENTIFIER.match(text, start)
    assert word is not None
    name = word[0]
    scan.at = max(word.end(), end)
    before = text[max(0, start - 12) : start]
    known = name in _NAMES or (name == "asm" and before.endswith("."))
    if not known or _DEFINITION.search(before):
        return True
    limit = min(len(text), start + LONGEST)
    calls = read_calls(text, name, start, limit, _NAMES)
    if calls is None:
        return True
    if calls.ran_out and not scan.last and len(text) < start + LONGEST:
        scan.at = start - (name == "asm")  # with its dot, without which it is no call that is known
        return False
    found = (_statement(text, call) for call in calls.calls)
    scan.statements += sorted((one for one in found if one), key=lambda one: one.start)
    scan.at = max(calls.end, scan.at)
    return True


def scan_python(text: str, mode: ScanMode, last: bool) -> Scanned:
    """The statements of a text that begins in `mode`. `last` is True if no more text follows."""
    return scanned(TextScan(text, mode, last), _step)


def _statement(text: str, call: Call) -> AsmStatement | None:
    given = arguments(text, call)
    if call.name == _ROLES:
        return _with_roles(text, call, given)
    form = _FORMS[call.name]
    if call.name == "inline_asm" and _begins_with_string(given):
        form = _GLUON
    template_at = _pick(given, form.template, _TEMPLATE_NAMES)
    constraints_at = _pick(given, form.constraints, _CONSTRAINT_NAMES)
    if template_at is None:
        return None
    template = Template(tuple(string_argument(text, template_at.tokens)))
    constraints = _constraints(text, constraints_at) if constraints_at else []
    known = any(piece.kind is PieceKind.LITERAL for piece in template.pieces)
    if not known and all(constraint.text is None for constraint in constraints):
        return None
    inputs_at = _pick(given, form.inputs, _INPUT_NAMES)
    listed = elements(text, inputs_at) if inputs_at else []
    bound = bind(constraints, [_span(part) for part in listed or ()])
    used = [one for one in (template_at, constraints_at, inputs_at) if one]
    return AsmStatement(
        Host.PYTHON,
        call.name,
        call.start,
        call.end,
        template,
        Dialect.DOLLAR,
        bound.operands,
        bound.clobbers,
        options=_options(text, given, used),
        volatile=_volatile(text, given, form),
        whole=call.closed and bound.whole and not template.has_holes and constraints_at is not None,
    )


def _with_roles(text: str, call: Call, given: Sequence[Argument]) -> AsmStatement | None:
    """A call of `inline_ptx`: that of CuTe begins with the template, that of MLIR has three lists before it."""
    positional = [argument for argument in given if not argument.name]
    first_is_list = bool(positional) and elements(text, positional[0]) is not None
    template_at = _pick(given, 3 if first_is_list else 0, _TEMPLATE_NAMES)
    if template_at is None:
        return None
    template = Template(tuple(string_argument(text, template_at.tokens)))
    if not any(piece.kind is PieceKind.LITERAL for piece in template.pieces):
        return None
    positions = {"w": 0, "r": 1, "rw": 2} if first_is_list else {}
    operands: list[Operand] = []
    whole = call.closed and not template.has_holes
    for role, letter, names in _ROLE_LISTS:
        at = _pick(given, positions.get(letter, len(given)), names)
        parts = elements(text, at) if at else []
        whole = whole and parts is not None
        for index, part in enumerate(parts or ()):
            where = _span(part)
            operands.append(Operand(len(operands), role, None, where, f"{letter}{index}", where))
    return AsmStatement(
        Host.PYTHON,
        call.name,
        call.start,
        call.end,
        template,
        Dialect.ROLES,
        tuple(operands),
        options=_options(text, given, [template_at]),
        volatile=True,
        whole=whole,
    )


def _begins_with_string(given: Sequence[Argument]) -> bool:
    """Whether this `inline_asm` is Gluon's, which begins with template and constraints."""
    positional = [argument for argument in given if not argument.name][:2]
    named = {argument.name for argument in given}
    return any(one.tokens[0].kind is Kind.STRING for one in positional) or "asm" in named


def _pick(given: Sequence[Argument], position: int, names: Sequence[str]) -> Argument | None:
    """The argument of one of these names, or the positional one at this place."""
    for argument in given:
        if argument.name in names:
            return argument
    positional = [argument for argument in given if not argument.name]
    return positional[position] if position < len(positional) else None


def _constraints(text: str, argument: Argument) -> list[Constraint]:
    """The constraints of a string, or of a list or tuple of strings."""
    listed = elements(text, argument)
    if listed is None or len(listed) < 2:
        return split_constraints(Template(tuple(string_argument(text, argument.tokens))))
    found: list[Constraint] = []
    for part in listed:
        template = Template(tuple(string_argument(text, part)))
        found.append(Constraint(None if template.has_holes else template.text.strip(), _span(part)))
    return found


def _volatile(text: str, given: Sequence[Argument], form: _Form) -> bool | None:
    """Whether the flag says that the statement has effects of its own; None if its value is not a literal.

    Without a flag: False, except for the forms that are `pure`, for which it is not known.
    """
    argument = _pick(given, form.flag, _FLAG_NAMES)
    if argument is None:
        return None if form.pure else False
    value = text[argument.where.start : argument.where.end]
    return {"True": not form.pure, "False": form.pure}.get(value)


def _options(text: str, given: Sequence[Argument], used: Sequence[Argument]) -> tuple[Word, ...]:
    """The other named arguments, as they are written."""
    return tuple(
        Word(f"{one.name}={text[one.where.start : one.where.end]}", one.where)
        for one in given
        if one.name and not any(one is argument for argument in used)
    )


def _span(tokens: Sequence[Token]) -> Span:
    return Span(tokens[0].start, tokens[-1].end)
