"""The evaluation of a constant expression step by step, for tooltips and the prompt of `ptx-lsp eval`."""

from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.constant import Constant, ValueType
from ptx_lsp.constants.evaluation import DIVISIONS, Evaluation, converted_type
from ptx_lsp.constants.operators import TERNARY, Operands, Operator, Result, operator_of
from ptx_lsp.constants.spelling import decimal, typed
from ptx_lsp.light_classes import NamedTuple
from ptx_lsp.syntax.tree import Expression, Term, TermKind


class Step(NamedTuple):
    """One applied operator: the place of its sub-expression, its operands, the result, and a sentence."""

    start: int
    end: int
    operator: Operator
    operands: tuple[Constant, ...]
    result: Constant
    text: str


def explain(expression: Expression, evaluation: Evaluation, authority: Authority = Authority.PTXAS) -> tuple[Step, ...]:
    """The steps in the order of evaluation, without operators that have no value and without signs of literals."""
    steps = []
    for term, result in zip(expression.terms, evaluation.values, strict=True):
        row = None if _is_signed_literal(expression, term) else operator_of(term)
        operands = tuple(evaluation.values[k] for k in term.operands)
        known = tuple(o for o in operands if o is not None)
        if row is not None and result is not None and len(known) == len(operands):
            text = _sentence(term, row, known, result, authority)
            steps.append(Step(term.start, term.end, row, known, result, text))
    return tuple(steps)


def _is_signed_literal(expression: Expression, term: Term) -> bool:
    return term.kind is TermKind.UNARY and term.text in "+-" and not expression.terms[term.operands[0]].operands


def _sentence(term: Term, row: Operator, operands: tuple[Constant, ...], result: Constant, authority: Authority) -> str:
    shown = [decimal(o) for o in _as_used(row, operands, authority)]
    match term.kind:
        case TermKind.CAST:
            left = f"({term.text}) {shown[0]}"
        case TermKind.UNARY:
            left = f"{term.text}{shown[0]}"
            if shown[0].startswith("-") or left == decimal(result):  # the result must not be shown on both sides
                left = f"{term.text}({shown[0]})"
        case TermKind.TERNARY:
            left = f"{shown[0]} ? {shown[1]} : {shown[2]}"
        case _:
            left = f"{shown[0]} {term.text} {shown[1]}"
    return f"{left} = {typed(result)}" + _conversion(row, operands, result, authority)


def _as_used(row: Operator, operands: tuple[Constant, ...], authority: Authority) -> tuple[Constant, ...]:
    """The operands after the conversions that the operator requires."""
    if any(o.is_float for o in operands) or row is TERNARY:
        return operands
    kind = converted_type(row.rule(authority), operands)
    return operands if kind is None else tuple(Constant(kind, o.bits) for o in operands)


def _conversion(row: Operator, operands: tuple[Constant, ...], result: Constant, authority: Authority) -> str:
    """A few words on the conversion of the operands, if it changes their values."""
    used = _as_used(row, operands, authority)
    changed = [decimal(o) for o, u in zip(operands, used, strict=True) if decimal(o) != decimal(u)]
    if changed:
        why = (
            "the operands are taken as .u64"
            if row.rule(authority).operands is Operands.UNSIGNED
            else "one side is .u64"
        )
        return f"; {why}, so {', '.join(changed)} wraps"
    if row.symbol in DIVISIONS and row.rule(authority).result is not Result.CONVERTED:
        return f"; `{row.symbol}` is unsigned, and so is its result" if result.type is ValueType.U64 else ""
    return ""
