"""How messages name operands: as their author knows them, by constraint and expression of the host."""

import re

from ptx_lsp.embedded.decoding import Reference, spelling
from ptx_lsp.embedded.inline_statement import Embedded, Source
from ptx_lsp.embedded.operand_types import BITS, constraint_for, operand_type, tied
from ptx_lsp.embedded.refitting import FITS, ROLE, WIDTH
from ptx_lsp.findings.finding import Finding
from ptx_lsp.hosts.statement import C_FAMILY, Dialect, Operand
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.text.lines import beginning_of

_OPERAND = lazy_pattern(r"`([%$])(\d{1,5})`")
_BLANKS = lazy_pattern(r"\s+")
_LONGEST = 40  # characters of an expression in a message


def expression_text(operand: Operand, source: Source) -> str:
    """The host's expression of an operand on one line, cut if it is long; empty without one."""
    if operand.expression is None:
        return ""
    text = _BLANKS.sub(" ", source(*operand.expression)).strip().replace("`", "'")
    return beginning_of(text, _LONGEST)


def shown_operand(embedded: Embedded, operand: Operand, source: Source) -> str:
    """An operand as it is written: `"r"(stride)`, `in(reg32) stride`; empty if nothing is known of it."""
    expression = expression_text(operand, source)
    if embedded.statement.dialect is Dialect.BRACES:
        words = operand.role.value + (f"({operand.constraint})" if operand.constraint else "")
        return f"{words} {expression}".strip()
    constraint = f'"{operand.constraint}"' if operand.constraint else ""
    if not expression:
        return constraint
    return (
        f"{constraint}({expression})" if embedded.statement.host in C_FAMILY else f"{constraint} {expression}".strip()
    )


def quoted_constraint(embedded: Embedded, type_: str, operand: Operand) -> str:
    """The constraint for a register of this type, as the author writes it; empty without one."""
    letters = constraint_for(type_, embedded.statement)
    if not letters or tied(operand, embedded.statement) is not operand:
        return ""
    if embedded.statement.dialect is Dialect.BRACES:
        return f"`{letters}`"
    constraint = operand.constraint or ""
    return f'`"{constraint[: len(constraint) - len(constraint.lstrip("=+&"))]}{letters}"`'


def named(finding: Finding, embedded: Embedded, reference: Reference | None, source: Source) -> str:
    """The message of a finding; `reference` is the operand at its range."""
    statement = embedded.statement
    message = finding.message
    operand = statement.operand(reference.number) if reference is not None else None
    if reference is not None and operand is not None:
        in_body = embedded.body.text[reference.start : reference.end]
        if in_body != spelling(statement.dialect, reference.number):  # an immediate
            message = message.replace(f"`{in_body}`", f"`{spelling(statement.dialect, reference.number)}`")
        message = _misfit(finding, embedded, operand) or message
    introduced: set[int] = set()

    def introduce(found: re.Match[str]) -> str:
        number = int(found[2])
        if found[0][1:-1] != spelling(statement.dialect, number) or number >= len(statement.operands):
            return found[0]
        written = next((each.written for each in embedded.body.references if each.number == number), found[0][1:-1])
        shown = shown_operand(embedded, statement.operands[number], source)
        if number in introduced or not shown:
            return f"`{written}`"
        introduced.add(number)
        return f"`{written}` (`{shown}`)"

    return _OPERAND.sub(introduce, message)


def _misfit(finding: Finding, embedded: Embedded, operand: Operand) -> str:
    """The message about an operand of a wrong type, with the constraint that fits; empty if none is known."""
    fits = finding.data.get(FITS, "")
    constraint = quoted_constraint(embedded, fits, operand) if fits else ""
    if not constraint:
        return ""
    type_ = operand_type(operand, embedded.statement).type
    if WIDTH in finding.data and ROLE in finding.data and type_ in BITS:
        name = f"`{spelling(embedded.statement.dialect, operand.number)}`"
        role, width = finding.data[ROLE], finding.data[WIDTH]
        return f"{name} is {BITS[type_]} bits wide, but {role} takes {width}: use {constraint}"
    return f"{finding.message}: use {constraint}"
