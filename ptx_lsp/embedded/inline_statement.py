"""One statement of a host as PTX: its body, its operands, its verdict, each place led back to the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ptx_lsp.analysis.module import Checks
from ptx_lsp.embedded.decoding import UNKNOWN_VALUE, TemplateText, decoded, immediate_value, spelling
from ptx_lsp.embedded.fragment import Fragment, Judged, judge_fragment
from ptx_lsp.embedded.fragment import FragmentOperand as FragmentOperand
from ptx_lsp.embedded.holes import braces_match, without_holes
from ptx_lsp.embedded.operand_types import is_immediate, is_text, operand_type
from ptx_lsp.embedded.recognition import is_ptx, may_become_ptx
from ptx_lsp.embedded.targets import CANDIDATES
from ptx_lsp.hosts.statement import C_FAMILY, HOLE, AsmStatement, PieceKind
from ptx_lsp.isa.versions import Target
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.semantics.environment import OperandRole

_NAME = lazy_pattern(r"[%$][A-Za-z_][\w$]*")
Source = Callable[[int, int], str]
"""The text of the host from one offset to another."""


class EmbeddedOptions(NamedTuple):
    """The choices of a user. `targets` are the targets that the statements are written for, the candidates without a
    choice; `checks` are the rules and their severities.
    """

    checks: Checks = Checks()
    targets: tuple[Target, ...] = CANDIDATES


class Embedded(NamedTuple):
    """A statement with its PTX."""

    statement: AsmStatement
    body: TemplateText
    fragment: Fragment

    def judged(self, checks: Checks) -> Judged:
        """The verdict on it."""
        return judge_fragment(self.fragment, checks)


def embed(
    statement: AsmStatement, source: Source, options: EmbeddedOptions, half_typed: bool = False
) -> Embedded | None:
    """A statement with its PTX; None if its template is not PTX. With `half_typed`, it may become PTX instead."""
    if not (is_ptx(statement) or (half_typed and may_become_ptx(statement))) or (
        _has_open_literal(statement, source) and (statement.template.has_holes or not half_typed)
    ):
        return None
    values = _values(statement, source)
    body = decoded(statement, values)
    whole = not statement.template.has_branches and HOLE not in body.text
    complete = whole and braces_match(body.text)
    fragment = Fragment(
        without_holes(body.text), _operands(statement, body), _unknown(body, values), complete, options.targets, whole
    )
    return Embedded(statement, body, fragment)


def _has_open_literal(statement: AsmStatement, source: Source) -> bool:
    """Whether a literal ends with its line and not with a quote: then it is unknown which text is the template."""
    if statement.whole or statement.host not in C_FAMILY:
        return False
    pieces = statement.template.pieces
    ends = [*(piece.start for piece in pieces[1:] if piece.kind is PieceKind.FIELD), statement.end]
    literals = (piece for piece in pieces if piece.kind is PieceKind.LITERAL)
    return any(source(each.end - 1, each.end) != '"' and each.end not in ends for each in literals)


def _values(statement: AsmStatement, source: Source) -> dict[int, str | None]:
    """The operands that are text, with it."""
    values: dict[int, str | None] = {}
    for operand in statement.operands:
        if is_text(operand):
            values[operand.number] = HOLE
        elif is_immediate(operand):
            values[operand.number] = immediate_value(operand, source)
    return values


def _operands(statement: AsmStatement, body: TemplateText) -> tuple[FragmentOperand, ...]:
    """The registers of the statement. What has a finding of its own is one of unknown type.

    That is a number that no operand has, and a name that the compiler refuses.
    """
    found: list[FragmentOperand] = []
    for operand in statement.operands:
        type_, role = operand_type(operand, statement)
        if is_immediate(operand) or is_text(operand):
            type_, role = "", OperandRole.INPUT
        found.append(FragmentOperand(spelling(statement.dialect, operand.number), type_, role))
    known = {operand.number for operand in statement.operands}
    beyond = sorted({each.number for each in body.references} - known)
    names = {"%unknown" if number < 0 else spelling(statement.dialect, number) for number in beyond}
    refused = (body.text[each.start : each.end] for each in body.escapes)
    names |= {name for name in refused if _NAME.fullmatch(name) and f"{name}:" not in body.text}
    return (*found, *(FragmentOperand(name, "", OperandRole.BOTH) for name in sorted(names)))


def _unknown(body: TemplateText, values: dict[int, str | None]) -> tuple[tuple[int, int], ...]:
    """The places of the immediates whose value is not known."""
    return tuple(
        (each.start, each.end)
        for each in body.references
        if each.number in values and values[each.number] is None and body.text[each.start : each.end] == UNKNOWN_VALUE
    )
