"""Mistakes of inline assembly that its PTX alone does not show: operands, constraints, escapes, names that leak.

Sources: NVIDIA's "Inline PTX Assembly in CUDA"; LLVM's language reference, "Inline Assembler Expressions". Observed:
NVRTC and ptxas 13.5, LLVM 22. Each rule has a page in `rules/`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ptx_lsp.embedded.decoding import Escape, spelling
from ptx_lsp.embedded.holes import last_end, outside_braces
from ptx_lsp.embedded.inline_statement import Embedded, EmbeddedOptions, Source
from ptx_lsp.embedded.naming import shown_operand
from ptx_lsp.embedded.operand_types import (
    IMMEDIATES,
    LETTERS,
    LLVM_LETTERS,
    TEXT,
    compiler_stems,
    is_immediate,
    is_llvm_constraint,
    is_text,
    tied,
)
from ptx_lsp.embedded.places import span_in_host
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import NOTHING, Severity
from ptx_lsp.hosts.source_map import Span
from ptx_lsp.hosts.statement import C_FAMILY, HOLE, Dialect, Host, Operand, PieceKind, Role
from ptx_lsp.isa.opcode_sets import ONLY_COMPUTING
from ptx_lsp.patterns import lazy_pattern

ESCAPED = "escaped"
"""The key in `Lint.data` of the text that replaces the range, as PTX."""
_LEAKED = lazy_pattern(r"\.reg\b|(?:^|[;\n])[ \t]*([A-Za-z_$%][\w$]*)[ \t]*:(?!:)")
_REGISTERS = lazy_pattern(r"\.reg\s*(?:\.v\d\s*)?\.\w+\s+([^;]*);")
_FAMILY = lazy_pattern(r"(%[A-Za-z]+)(?:\d+|<)")
_OBSERVES = lazy_pattern(
    r"%clock(?:64|_hi)?\b|%globaltimer\w*"
    r"|(?:^|[;{}\n])[ \t]*(?:@!?[^\s;{}@]+[ \t]+)?"
    rf"(?!(?:{'|'.join(map(re.escape, ONLY_COMPUTING))})\b)((?:atom|red|barrier|bar|mbarrier)\.[\w.:]+)"
)
_WRITES_MEMORY = lazy_pattern(
    r"(?:^|[;{}\n])[ \t]*(?:@!?[^\s;{}@]+[ \t]+)?((?:st|atom|red|cp|stmatrix|multimem)\.[\w.:]+)"
)


class Lint(NamedTuple):
    """A mistake at a place of the host's text."""

    code: str
    span: Span
    message: str
    severity: Severity
    data: Mapping[str, str] = NOTHING


class _Look(NamedTuple):
    """The argument of every rule: a statement with its PTX, the text of the host, and the choices of the user."""

    embedded: Embedded
    source: Source
    options: EmbeddedOptions

    def report(self, code: str, span: Span | None, message: str, data: Mapping[str, str] = NOTHING) -> Iterator[Lint]:
        if span is not None:
            yield Lint(code, span, message, default_severity(code), data)

    def place(self, start: int, end: int) -> Span | None:
        """The place in the host of a part of the body."""
        return span_in_host(self.embedded.body, self.embedded.statement.template, start, end)

    def shown(self, operand: Operand) -> str:
        """An operand in a message."""
        usual = spelling(self.embedded.statement.dialect, operand.number)
        references = self.embedded.body.references
        written = next((each.written for each in references if each.number == operand.number), usual)
        shown = shown_operand(self.embedded, operand, self.source)
        return f"`{written}` (`{shown}`)" if shown else f"`{written}`"


def lints_of(embedded: Embedded, source: Source, options: EmbeddedOptions) -> Iterator[Lint]:
    """What the rules of inline assembly find in a statement."""
    look = _Look(embedded, source, options)
    for rule in _RULES:
        yield from rule(look)


def _operand_numbers(look: _Look) -> Iterator[Lint]:
    statement, body = look.embedded.statement, look.embedded.body
    count = len(statement.operands)
    if not statement.whole and any(operand.constraint is None for operand in statement.operands):
        return  # a macro may be several operands
    if statement.host in C_FAMILY and not statement.sections and statement.template.pieces[-1].kind is PieceKind.NAME:
        return  # a macro may be the end of the template and the operands
    for each in body.references:
        if 0 <= each.number < count or (not statement.whole and not statement.template.has_holes):
            continue
        if each.number < 0 and not each.written.strip("{}[]%$"):
            text = f"`{each.written}` is the operand after the last one: there {_are(count)}"
        elif each.number < 0:
            text = f"no operand has the name in `{each.written}`"
        else:
            last = f", the last one is `{_like(each.written, each.number, count - 1)}`" if count else ""
            text = f"`{each.written}` is no operand: there {_are(count)}{last}"
        yield from look.report("asm-operand-number", look.place(each.start, each.end), text)


def _are(count: int) -> str:
    return f"is {count} operand" if count == 1 else f"are {count or 'no'} operands"


def _like(written: str, number: int, other: int) -> str:
    return written.replace(str(number), str(other), 1)


def _constraints(look: _Look) -> Iterator[Lint]:
    statement = look.embedded.statement
    if statement.host not in C_FAMILY:
        return
    allowed = (*LETTERS, *sorted(IMMEDIATES - {"i"}), TEXT, *(() if statement.host is Host.CUDA else ("c", "i")))
    shown = ", ".join(f'`"{letter}"`' for letter in LETTERS if letter != "b")
    for operand in statement.operands:
        constraint = operand.constraint
        if constraint is None or HOLE in constraint:
            continue
        letters = constraint.lstrip("=+&")
        if constraint != constraint.strip() or " " in letters:
            message = f'`"{constraint}"` has a blank: a constraint is its letter alone, after `=` or `+` for an output'
        elif len(letters) > 1 and all(letter in allowed for letter in letters):
            message = f'`"{constraint}"` has {len(letters)} letters: an operand of inline PTX has one'
        elif letters not in allowed and not letters.isdecimal():
            message = f'`"{constraint}"` is no constraint of inline PTX: the letters of registers are {shown}'
        elif operand.role is Role.IN and constraint[0] in "=+":
            message = f'`"{constraint}"` is for an output, but this is in the section of the inputs'
        elif operand.role is not Role.IN and constraint[0] not in "=+":
            message = (
                f'`"{constraint}"` is for an input: an output is `"={letters}"`, or `"+{letters}"` if it is read too'
            )
        else:
            continue
        yield from look.report("asm-constraint", operand.where, message)


def _llvm_constraints(look: _Look) -> Iterator[Lint]:
    statement = look.embedded.statement
    if statement.dialect is not Dialect.DOLLAR or not statement.whole:
        return
    shown = ", ".join(f"`{letter}`" for letter in LLVM_LETTERS)
    first_clobber = min((word.where.start for word in statement.clobbers), default=None)
    inputs = False
    for operand in statement.operands:
        constraint = operand.constraint or ""
        if constraint[:1] == "+":
            usual = constraint[1:]
            message = f'`"{constraint}"` is no output for LLVM: write `={usual}`, and an input that is its number'
        elif operand.role is Role.OUT and inputs:
            message = (
                f'the output `"{constraint}"` comes after an input: LLVM takes outputs, then inputs, then clobbers'
            )
        elif first_clobber is not None and operand.where.start > first_clobber:
            message = f'`"{constraint}"` comes after a clobber: LLVM takes outputs, then inputs, then clobbers'
        elif constraint and not is_llvm_constraint(constraint):
            message = f'`"{constraint}"` is no constraint that LLVM has for PTX: the letters of registers are {shown}'
        else:
            inputs = inputs or operand.role is Role.IN
            continue
        yield from look.report("asm-constraint", operand.where, message)


def _escapes(look: _Look) -> Iterator[Lint]:
    for each in look.embedded.body.escapes:
        place = look.place(each.start, each.end)
        if each.written[0] == "$":
            yield from _escape_of_llvm(look, each, place)
        elif each.written == "%%":
            text = "`%%` stays as it is in a statement without operands: write `%`"
            yield from look.report("asm-escape", place, text, {ESCAPED: "%"})
        elif each.written == "%=":
            text = "`%=` is a unique number only in a statement with operands"
            yield from look.report("asm-escape", place, text)
        else:
            text = f"`{each.written}` is a letter before an operand for the compiler: write `%{each.written}`"
            yield from look.report("asm-escape", place, text, {ESCAPED: each.written})


def _escape_of_llvm(look: _Look, escape: Escape, place: Span | None) -> Iterator[Lint]:
    written = escape.written
    number, colon, modifier = written[2:-1].partition(":")
    data = NOTHING
    if written[1:2] == "(":
        text = "alternatives, `$(a$|b$)`, cannot be in alternatives"
    elif colon and number.isdecimal():
        text = f"`{modifier}` in `{written}` is no modifier of this operand: write `${number}`"
    elif colon and not number:
        text = f"LLVM knows `${{:uid}}`, `${{:comment}}` and `${{:private}}`, but not `{written}`"
    else:
        data = {ESCAPED: written}
        text = f"`{written}` is no operand: for LLVM, a dollar sign is `$$`"
    yield from look.report("asm-escape", place, text, data)


def _unused(look: _Look) -> Iterator[Lint]:
    statement = look.embedded.statement
    if statement.template.has_holes:
        return
    used = {each.number for each in look.embedded.body.references}
    if not used.issubset(range(len(statement.operands))):
        return  # one number is wrong: this is one mistake
    ties = {tied(operand, statement).number for operand in statement.operands if operand.number in used}
    for operand in statement.operands:
        is_tied = tied(operand, statement) is not operand
        if operand.number in used or operand.number in ties or is_tied or operand.role is Role.INOUT:
            continue
        if operand.role is Role.OUT and statement.host is Host.PYTHON and len(statement.operands) == 1:
            continue  # Triton's functions must have a result
        if operand.role is Role.OUT:
            text = f"nothing in the template writes the output {look.shown(operand)}: its value is undefined"
            yield from look.report("asm-output-unwritten", operand.where, text)
        else:
            text = f"the template does not mention the input {look.shown(operand)}"
            yield from look.report("asm-unused-operand", operand.where, text)


def _leaks(look: _Look) -> Iterator[Lint]:
    body = look.embedded.body
    if not look.embedded.fragment.complete or (".reg" not in body.text and ":" not in body.text):
        return
    outside = outside_braces(body.text)
    references = [(each.start, each.end) for each in body.references]
    numbered = body.numbered(look.embedded.statement.template.text)
    last = last_end(outside)
    for found in _LEAKED.finditer(outside):
        if not found[1] and found.end() > last:
            continue  # a declaration without an end
        start, end = found.span(1) if found[1] else (found.start(), outside.find(";", found.end()) + 1)
        if _overlaps(references, start, end) or (found[1] and _overlaps(numbered, start, end)):
            continue
        what = f"the label `{found[1]}`" if found[1] else "this declaration"
        text = f"{what} is outside of braces: if the function is inlined twice, it is defined twice"
        yield from look.report("asm-leak", look.place(start, end), text)
        return


def _overlaps(places: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether one of some places, which are in order, has text between two offsets."""
    index = bisect_right(places, start, key=lambda place: place[1])
    return index < len(places) and places[index][0] < end


def _shadows(look: _Look) -> Iterator[Lint]:
    statement, body = look.embedded.statement, look.embedded.body
    if ".reg" not in body.text:
        return
    stems = compiler_stems(statement)
    for declared in _REGISTERS.finditer(body.text, 0, last_end(body.text)):
        for found in _FAMILY.finditer(declared[1]):
            if found[1] in stems:
                start = declared.start(1) + found.start()
                text = (
                    f"the compiler names registers `{found[1]}1`, `{found[1]}2` too: an operand with such a name would"
                    " mean this register"
                )
                yield from look.report("asm-shadow", look.place(start, start + len(found[1])), text)
                return


def _volatile(look: _Look) -> Iterator[Lint]:
    statement = look.embedded.statement
    outputs = any(operand.role in (Role.OUT, Role.INOUT) for operand in statement.operands)
    if statement.volatile is not False or not outputs or statement.spelling == "ptx_asm!":
        return
    if _clobbers_memory(look):
        return  # NVIDIA's compiler keeps such a statement as it keeps a volatile one (observed: libnvvm 13.5)
    found = _OBSERVES.search(look.embedded.fragment.text)
    if found:
        start, end = found.span(1) if found[1] else found.span()
        name = look.embedded.body.text[start:end].strip()
        word = "`volatile`" if statement.host in C_FAMILY else "marked as having side effects"
        text = (
            f"`{name}` has an effect beside its outputs, but the statement is not {word}: it may be removed or merged"
        )
        yield from look.report("asm-volatile", look.place(start, end), text)


def _clobbers_memory(look: _Look) -> bool:
    return any(word.text == "memory" for word in look.embedded.statement.clobbers)


def _memory(look: _Look) -> Iterator[Lint]:
    if look.embedded.statement.host not in C_FAMILY or _clobbers_memory(look):
        return
    found = _WRITES_MEMORY.search(look.embedded.fragment.text)
    if found:
        text = f'`{found[1]}` writes memory: without the clobber `"memory"` the compiler may move accesses across it'
        yield from look.report("asm-memory", look.place(*found.span(1)), text)


def _clobbers(look: _Look) -> Iterator[Lint]:
    if look.embedded.statement.dialect is Dialect.DOLLAR:
        for word in look.embedded.statement.clobbers:
            written = look.source(*word.where)
            if written.startswith("~") and not written.startswith("~{"):
                text = f"LLVM refuses `{written}`: a clobber has braces, `~{{{word.text}}}`"
                yield from look.report("asm-clobber", word.where, text)
    if look.embedded.statement.host is not Host.CUDA:
        return
    for word in look.embedded.statement.clobbers:
        if word.text != "memory":
            text = f'`"{word.text}"` is no clobber of inline PTX: the only one is `"memory"`'
            yield from look.report("asm-clobber", word.where, text)


def _inputs_written(look: _Look) -> Iterator[Lint]:
    for start, end, number in look.embedded.judged(look.options.checks).written:
        operand = look.embedded.statement.operand(number)
        if operand is None or operand.role is not Role.IN or is_immediate(operand) or is_text(operand):
            continue
        is_tied = tied(operand, look.embedded.statement) is not operand
        if not is_tied:
            text = f"this writes the input {look.shown(operand)}, whose register may hold other values too"
            yield from look.report("asm-input-written", look.place(start, end), text)


_RULES: tuple[Callable[[_Look], Iterator[Lint]], ...] = (
    *(_operand_numbers, _constraints, _llvm_constraints, _escapes, _unused, _leaks, _shadows),
    *(_volatile, _memory, _clobbers, _inputs_written),
)
