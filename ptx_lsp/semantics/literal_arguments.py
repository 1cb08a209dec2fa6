"""The places of a module that take one unsigned integer literal and no expression.

Observed: ptxas 13.5. Array dimensions, `%r<N>`, alignments and the arguments of directives take a literal or
`WARP_SZ`; an operator or a parenthesis there is a syntax error.
"""

from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.constants.literals import shown_literal
from ptx_lsp.isa.special_registers import THREADS_PER_WARP, WARP_SIZE
from ptx_lsp.semantics.operands import report_problems
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.syntax.tree import Expression, TermKind, Word

_SIGN = 63  # the highest bit of a constant


def literal(argument: Expression | Word, role: str, surroundings: Surroundings, *, bits: int = 32) -> int | None:
    """The value of a literal, which must fit `bits` bits. Reports any other argument, and returns None for it.

    `role` is the name of the number in messages: "an alignment".
    """
    if isinstance(argument, Word):
        surroundings.report("literal-required", argument.start, argument.end, f"{role} is an integer literal")
        return None
    root = argument.root
    if root.kind is TermKind.MALFORMED:
        return None  # the parser has reported it
    if root.text == WARP_SIZE:
        return THREADS_PER_WARP
    if len(argument.terms) > 1 or root.kind is not TermKind.INTEGER:
        _refuse(argument, role, surroundings)
        return None
    outcome = evaluate(argument)
    report_problems(outcome.problems, surroundings)
    if outcome.value is None:
        return None
    number = outcome.value.bits
    if number >> _SIGN:
        return number & ((1 << bits) - 1)  # the check for the width reads it as a negative number
    if number >> bits:
        surroundings.report("constant-overflow", root.start, root.end, f"{role} must fit {bits} bits")
        return None
    return number


def _refuse(argument: Expression, role: str, surroundings: Surroundings) -> None:
    start, end = argument.start, argument.end
    value = evaluate(argument).value
    written = surroundings.source(start, end)
    if value is None or value.is_float or value.integer < 0:
        message = f"{role} is one unsigned integer literal, which `{shown_literal(written)}` is not"
        surroundings.report("literal-required", start, end, message)
        return
    message = f"{role} is one unsigned integer literal: no expression is taken here, write `{value.integer}`"
    surroundings.report("literal-required", start, end, message, data={"replacement": str(value.integer)})
