"""A finding about the type of an operand: which register type would fit in its place.

The answer is found by judging the instruction again with each other type.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.embedded.operand_types import AS_BITS, BITS
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.judgement.judge import judge
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.semantics.instructions import read_instruction
from ptx_lsp.semantics.symbols import Scope, Symbol, SymbolKind
from ptx_lsp.syntax.tree import Instruction

MISFIT = "operand-type"
FITS = "fits"
"""The key in `Finding.data` of the register type that would fit, `.b64`; absent if none does."""
WIDTH = "width"
"""The key of the number of bits that the instruction takes, if only the width is wrong."""
ROLE = "role"
"""The key of the operand's name in the manual, with that of the instruction: "`b` of `add.s32`"."""
_TYPES = (".b32", ".b64", ".b16", ".f32", ".f64", ".b128", ".pred")
_FIRST_WITHOUT_FLOATS = 100  # the number of the first target for which such an operand is untyped


class _Place(NamedTuple):
    context: StatementContext
    instruction: Instruction
    name: str
    symbol: Symbol


def refitted(finding: Finding, module: Module, type_: str) -> Finding:
    """The finding with the register type that would fit, if it is about the type of the operand.

    For targets from sm_100 on the compiler makes the operand of a float an untyped register, and what such a register
    fits is no error there. `type_` is the register type of the operand.
    """
    place = _place(finding, module) if finding.code == MISFIT else None
    if place is None:
        return finding
    target = place.context.surroundings.profile.target
    if (
        type_ in AS_BITS
        and target.number >= _FIRST_WITHOUT_FLOATS
        and _errors(place, AS_BITS[type_]) < _errors(place, "")
    ):
        finding = finding._replace(severity=Severity.WARNING)
    fits = next(_fitting(place, finding.message), "")
    if not fits:
        return finding
    data = {**finding.data, FITS: fits}
    if type_ in BITS and fits in BITS:
        data[WIDTH] = str(BITS[fits])
        _, but, rest = finding.message.partition(", but ")
        role, takes, _ = rest.partition(" takes ")
        if but and takes:
            data[ROLE] = role
    return finding._replace(data=data)


def _place(finding: Finding, module: Module) -> _Place | None:
    context = module.statement_at(finding.range.start)
    if context is None or not isinstance(context.statement, Instruction):
        return None
    name = module.document.text(finding.range)
    symbol = context.surroundings.scope.lookup(name)
    return _Place(context, context.statement, name, symbol) if symbol is not None else None


def _fitting(place: _Place, message: str) -> Iterator[str]:
    """The register types that fit, a float first only where the message says that the place is for floats."""
    before = _errors(place, "")
    for type_ in (*(each for each in AS_BITS if f"`{each}`" in message), *_TYPES):
        if type_ != place.symbol.type and _errors(place, type_) < before:
            yield type_


def _errors(place: _Place, type_: str) -> int:
    """The number of complaints about the instruction if the operand has this type; empty: the type that it has."""
    around = place.context.surroundings
    scope = Scope(around.scope)
    if type_:
        scope.declare(Symbol(place.name, SymbolKind.REGISTER, place.symbol.mark, ".reg", type_))
    alone = around._replace(scope=scope, reports=[], undeclared=[], label_uses=[], needs=None)
    kinds = tuple(read_instruction(place.instruction, alone).kinds)
    profile = around.profile
    return len(judge(place.instruction.text, kinds, profile.version, profile.target).complaints)
