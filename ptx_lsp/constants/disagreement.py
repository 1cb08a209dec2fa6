"""Constant expressions to which the manual gives another value or type than the assembler."""

from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.constant import Constant
from ptx_lsp.constants.conversion import Converted, as_initialiser, as_operand
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.constants.operators import BINARY, CASTS, TERNARY, UNARY, operator_of
from ptx_lsp.constants.spelling import typed
from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.syntax.tree import Expression, TermKind

_ROWS = (*UNARY.values(), *CASTS.values(), *BINARY.values(), TERNARY)
DISPUTED = frozenset(row.symbol for row in _ROWS if not row.ptxas == row.table == row.prose)
"""The symbols of the operators for which the authorities have different rules."""


class Disagreement(NamedTuple):
    """An authority with another result: `constant` by its rules, `converted` to the type of its use, if known."""

    authority: Authority
    constant: Constant
    converted: Converted | None = None

    @property
    def text(self) -> str:
        """Text for users: `ISA Table 5: -2`, with the type if the use does not determine it."""
        if self.converted is not None:
            return f"{self.authority.title}: {self.converted.decimal}"
        return f"{self.authority.title}: {typed(self.constant)}"


def disagreements(expression: Expression, ours: Constant | None = None) -> tuple[Disagreement, ...]:
    """The authorities that give the expression another value or type than ptxas. Empty if ptxas gives no value.

    `ours` is ptxas' value if it is known already. Table 5 and the prose count as one authority, the ISA, if they agree.
    """
    rows = [operator_of(term) for term in expression.terms if term.text in DISPUTED]
    if not any(rows):
        return ()
    ours = ours or evaluate(expression).value
    if ours is None or any(term.kind is TermKind.SINGLE for term in expression.terms):
        return ()
    silent = any(row and row.prose is None for row in rows)
    parts = (Authority.TABLE,) if silent else (Authority.TABLE, Authority.PROSE)
    theirs = {part: evaluate(expression, part).value for part in parts}
    return _merged({part: value for part, value in theirs.items() if value is not None and value != ours})


def disagreements_at(expression: Expression, type_name: str, *, initialiser: bool = False) -> tuple[Disagreement, ...]:
    """The authorities whose value differs after the conversion to the type of its use (`s64`, `.u32`).

    `initialiser`: true for a value of a variable, which has other rules of conversion.
    """
    convert = as_initialiser if initialiser else as_operand
    ours = evaluate(expression).value
    if ours is None:
        return ()
    used = convert(ours, type_name)
    differing = []
    for found in disagreements(expression, ours):
        converted = convert(found.constant, type_name)
        if converted is not None and used is not None and converted.bits != used.bits:
            differing.append(Disagreement(found.authority, found.constant, converted))
    return tuple(differing)


def _merged(theirs: dict[Authority, Constant]) -> tuple[Disagreement, ...]:
    if len(theirs) == 2 and len(set(theirs.values())) == 1:
        return (Disagreement(Authority.ISA, theirs[Authority.TABLE]),)
    return tuple(Disagreement(part, value) for part, value in theirs.items())
