"""Constant expressions for the features: sub-expressions, their values, and the type at their use."""

from dataclasses import dataclass

from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.constant import Constant
from ptx_lsp.constants.conversion import Converted, as_initialiser, as_operand
from ptx_lsp.constants.evaluation import Evaluation, evaluate
from ptx_lsp.explanations.cursor import ExpressionHere
from ptx_lsp.explanations.uses import OperandUse, matched
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.syntax.tree import Declaration, Expression, Term, TermKind

LITERALS = frozenset((TermKind.INTEGER, TermKind.FLOAT, TermKind.SINGLE, TermKind.DOUBLE))
EXACT = frozenset((TermKind.SINGLE, TermKind.DOUBLE))
MOST_TERMS = 4_096


@dataclass(frozen=True, slots=True)
class ConstantPart:
    """A (sub-)expression that has a value.

    `expression` is the (sub-)expression alone, with its offsets in the statement. `type` is that of its use, an operand
    or an initial value (`initialiser` is true), empty if that has no type. `at_use` is the value after conversion to
    this type; None without a type, and if the part is not the whole operand or initial value. `use` is that of the
    operand.
    """

    expression: Expression
    value: Constant
    evaluation: Evaluation
    type: str = ""
    at_use: Converted | None = None
    initialiser: bool = False
    use: OperandUse | None = None


def part_of(expression: Expression, index: int) -> Expression:
    """The sub-expression whose root is the term at `index`, as an expression of its own."""
    terms = expression.terms
    first = index
    while terms[first].operands:
        first = terms[first].operands[0]
    inner = tuple(_moved(term, first) for term in terms[first : index + 1])
    return Expression(inner, terms[index].start, terms[index].end)


def _moved(term: Term, first: int) -> Term:
    if not term.operands or not first:
        return term
    return Term(term.kind, term.text, term.at, term.start, term.end, tuple(k - first for k in term.operands))


def enclosing_value(expression: Expression, evaluation: Evaluation, index: int) -> int | None:
    """The index of the innermost term with a value that is or contains the term at `index`; None if no term has one."""
    values = evaluation.values
    if values[index] is not None:
        return index
    parents: dict[int, int] = {k: i for i, term in enumerate(expression.terms) for k in term.operands}
    while index in parents:
        index = parents[index]
        if values[index] is not None:
            return index
    return None


def addend(expression: Expression) -> int | None:
    """The index of the constant's root term in `name + constant`; None if the expression does not have that form."""
    root = expression.root
    is_sum = root.kind is TermKind.BINARY and root.text == "+" and len(root.operands) == 2
    return root.operands[1] if is_sum and expression.terms[root.operands[0]].kind is TermKind.NAME else None


def outermost(spot: ExpressionHere) -> ExpressionHere:
    """The same place with the root term of the whole expression as its term; in `name + constant`, of the constant."""
    added = addend(spot.expression)
    term = len(spot.expression.terms) - 1 if added is None else added
    return ExpressionHere(spot.expression, term, spot.instruction, spot.path, spot.declaration)


def value_at(spot: ExpressionHere, surroundings: Surroundings, authority: Authority) -> ConstantPart | None:
    """The value of the innermost expression at a place that has a value.

    None if no expression there has a value, and for an expression of more than `MOST_TERMS` terms.
    """
    expression = spot.expression
    if len(expression.terms) > MOST_TERMS:
        return None
    evaluation = evaluate(expression, authority)
    index = enclosing_value(expression, evaluation, spot.term)
    if index is None:
        return None
    value = evaluation.values[index]
    assert value is not None
    part = part_of(expression, index)
    inner = evaluate(part, authority)
    if not covers(expression, index):
        return ConstantPart(part, value, inner)
    if spot.declaration is not None:
        type_ = declared_type(spot.declaration)
        used = as_initialiser(value, type_) if type_ else None
        return ConstantPart(part, value, inner, type_, used, initialiser=True)
    use = use_of(spot, surroundings)
    if use is None or not use.type:
        return ConstantPart(part, value, inner, use=use)
    return ConstantPart(part, value, inner, use.type, as_operand(value, use.type), use=use)


def covers(expression: Expression, index: int) -> bool:
    """Whether a term is the whole expression, except for parentheses and plus signs around it."""
    at = len(expression.terms) - 1
    while at != index:
        term = expression.terms[at]
        if term.kind is not TermKind.PARENTHESES:
            return False
        at = term.operands[0]
    return True


def use_of(spot: ExpressionHere, surroundings: Surroundings) -> OperandUse | None:
    """The use of the operand that contains a place of an instruction, or None."""
    if spot.instruction is None:
        return None
    form = matched(spot.instruction, surroundings)
    return None if form is None else form.uses.get(spot.path)


def declared_type(declaration: Declaration) -> str:
    """The type in a declaration, with its dot; empty if it has no type."""
    return next((s.word.text for s in declaration.specifiers if s.word.text in TYPE_WORDS), "")
