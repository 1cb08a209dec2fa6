"""Constant expressions as features look at them: sub-expressions, their values, and the type at their use."""

from dataclasses import dataclass

from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.conversion import Converted, as_initialiser, as_operand
from ptx_lsp.constants.evaluation import Evaluation, evaluate
from ptx_lsp.constants.values import Constant
from ptx_lsp.features.cursor import ExpressionHere
from ptx_lsp.features.uses import Use, matched
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.syntax.tree import Declaration, Expression, Term, TermKind

LITERALS = frozenset((TermKind.INTEGER, TermKind.FLOAT, TermKind.SINGLE, TermKind.DOUBLE))
EXACT = frozenset((TermKind.SINGLE, TermKind.DOUBLE))
MOST_TERMS = 4_096


@dataclass(frozen=True, slots=True)
class Folded:
    """A (sub-)expression that has a value.

    `expression` is it alone, its offsets those of the text around it. `at_use` is the value as converted to the type
    of the place where it stands, None where that is not the whole of what stands there or the place has no type.
    """

    expression: Expression
    value: Constant
    evaluation: Evaluation
    type: str = ""
    at_use: Converted | None = None
    initialiser: bool = False
    use: Use | None = None


def part_of(expression: Expression, index: int) -> Expression:
    """The sub-expression that a term stands for, as an expression of its own."""
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
    """The term at `index` or the first around it that has a value; None where there is none."""
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
    """Of `name + constant` the index of the constant's root term; None where the expression is not of that form."""
    root = expression.root
    is_sum = root.kind is TermKind.BINARY and root.text == "+" and len(root.operands) == 2
    return root.operands[1] if is_sum and expression.terms[root.operands[0]].kind is TermKind.NAME else None


def whole(spot: ExpressionHere) -> ExpressionHere:
    """The whole expression rather than the term under the cursor; after a name, the whole of what is added."""
    added = addend(spot.expression)
    term = len(spot.expression.terms) - 1 if added is None else added
    return ExpressionHere(spot.expression, term, spot.instruction, spot.path, spot.declaration)


def fold(spot: ExpressionHere, surroundings: Surroundings, authority: Authority) -> Folded | None:
    """The value of the expression at a place, climbing from the term there to the first that has one.

    None where none has, and for an expression of more than `MOST_TERMS`.
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
        return Folded(part, value, inner)
    if spot.declaration is not None:
        type_ = declared_type(spot.declaration)
        used = as_initialiser(value, type_) if type_ else None
        return Folded(part, value, inner, type_, used, initialiser=True)
    use = use_of(spot, surroundings)
    if use is None or not use.type:
        return Folded(part, value, inner, use=use)
    return Folded(part, value, inner, use.type, as_operand(value, use.type), use=use)


def covers(expression: Expression, index: int) -> bool:
    """Whether a term is the whole expression but for parentheses and plus signs around it."""
    at = len(expression.terms) - 1
    while at != index:
        term = expression.terms[at]
        if term.kind is not TermKind.PARENTHESES:
            return False
        at = term.operands[0]
    return True


def use_of(spot: ExpressionHere, surroundings: Surroundings) -> Use | None:
    """As what the operand is used that a place of an instruction belongs to."""
    if spot.instruction is None:
        return None
    form = matched(spot.instruction, surroundings)
    return None if form is None else form.uses.get(spot.path)


def declared_type(declaration: Declaration) -> str:
    """The type in a declaration, with its dot; empty where it has none."""
    return next((s.word.text for s in declaration.specifiers if s.word.text in TYPE_WORDS), "")
