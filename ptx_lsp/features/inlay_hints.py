"""Inlay hints: folded values, decimal values of hex floats, values after truncation, operand names.

A bare literal gets no hint, with or without a sign: in a count on real files, `[reg+n]` alone would have had 13,476
hints without information.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ptx_lsp.analysis.module import Module
from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.conversion import Doubt
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.constants.spelling import decimal
from ptx_lsp.explanations.constant_hover import decimal_at_use, describe_value
from ptx_lsp.explanations.constant_values import EXACT, LITERALS, ConstantPart, outermost, part_of, value_at
from ptx_lsp.explanations.cursor import ExpressionHere, Leaf, here, leaves
from ptx_lsp.explanations.description import Part, Prose
from ptx_lsp.explanations.uses import Matched, matched
from ptx_lsp.features.choices import DEFAULT, Choices
from ptx_lsp.features.immediate_hints import has_immediate_hints, immediate_hint, is_integer_literal
from ptx_lsp.features.offset_hints import HintKind, OffsetHint
from ptx_lsp.features.remembered_hints import RememberedHints
from ptx_lsp.features.unhinted_lines import PLAIN_FLOATS, WITHOUT_HINTS, WITHOUT_NUMBERS, WITHOUT_VALUES
from ptx_lsp.isa.opcode_sets import WITH_MATRICES
from ptx_lsp.patterns import make_ready
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.syntax.tree import Declaration, Expression, Instruction, TermKind
from ptx_lsp.text.ranges import Position, Range

MOST_HINTS = 20_000  # of one request
LONGEST_INITIALISER = 4_096
"""In an array with more elements, only the first ones get hints."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint: `position` is its place, `about` the place that `explain` describes in its tooltip."""

    position: Position
    label: str
    kind: HintKind
    about: Position

    @property
    def before(self) -> bool:
        """Whether the hint precedes the text that it is about."""
        return self.kind is HintKind.OPERAND_NAME


def inlay_hints(module: Module, range_: Range, choices: Choices = DEFAULT) -> list[Hint]:
    """The hints in a range, in the order of the text."""
    return [hint for hints in hints_by_statement(module, range_, choices) for hint in hints]


def hints_by_statement(module: Module, range_: Range, choices: Choices = DEFAULT) -> Iterator[list[Hint]]:
    """The hints in a range, one statement at a time, so that the caller can do other work between statements.

    That may be more analysis of the module, but no edit.
    """
    number = 0
    remembered = RememberedHints(choices)
    left_out = WITHOUT_NUMBERS if choices.hints.operand_names == "all" else WITHOUT_HINTS
    make_ready(left_out)
    yield []
    for located in module.statements_outside(range_, left_out, complete=False):
        if located is None:
            yield []
            continue
        hints = _hints(located, choices, remembered)
        yield [hint for hint in hints if range_.contains(hint.position)]
        number += len(hints)
        if number > MOST_HINTS:
            return


def explain(module: Module, about: Position, choices: Choices = DEFAULT) -> tuple[Part, ...]:
    """The content of a hint's tooltip: type, value at its use, and the steps."""
    located = module.statement_at(about)
    spot = None if located is None else here(located.statement, located.offset(about))
    if located is None or not isinstance(spot, ExpressionHere):
        return ()
    folded = value_at(outermost(spot), located.surroundings, choices.authority)
    parts: tuple[Part, ...] = () if folded is None else describe_value(folded, choices.authority)
    if folded is not None and folded.use is not None and folded.use.role and not folded.use.type:
        parts = (Prose(f"`{folded.use.role}` of `{folded.use.opcode}`"), *parts)
    return parts


def _hints(located: StatementContext, choices: Choices, remembered: RememberedHints) -> list[Hint]:
    statement = located.statement
    if isinstance(statement, Instruction):
        found = remembered.of(located, lambda each: _of_instruction(each, choices))
    elif isinstance(statement, Declaration) and not WITHOUT_VALUES.match(located.text, statement.start, statement.end):
        found = _of_values(located, choices)
    else:
        return []
    return [_hint(located, *each) for each in found]


def _of_values(located: StatementContext, choices: Choices) -> list[OffsetHint]:
    """The hints on the values of constants."""
    found: list[OffsetHint] = []
    for leaf in _expressions(located):
        assert isinstance(leaf.node, Expression)
        if _interesting(leaf.node):
            found += _value(located, leaf, leaf.node, choices)
    return found


def _of_instruction(located: StatementContext, choices: Choices) -> list[OffsetHint]:
    instruction = located.statement
    assert isinstance(instruction, Instruction)
    named = _names_operands(instruction, choices)
    form = matched(instruction, located.surroundings) if named else None
    found: list[OffsetHint] = []
    for leaf in _expressions(located):
        expression = leaf.node
        assert isinstance(expression, Expression)
        if form is not None:
            found += _operand_name(leaf, expression, form)
        if _interesting(expression):
            found += _value(located, leaf, expression, choices)
    if has_immediate_hints(instruction):
        found += _of_immediates(located, instruction, choices, [hint.about for hint in found])
    return found


def _of_immediates(
    located: StatementContext, instruction: Instruction, choices: Choices, taken: list[int]
) -> list[OffsetHint]:
    """The hints on integer operands whose bits have a meaning, unless there is a hint about them already."""
    if not any(is_integer_literal(operand) for operand in instruction.operands):
        return []
    form = matched(instruction, located.surroundings)
    found = []
    for index, operand in enumerate(instruction.operands) if form is not None else ():
        assert form is not None
        hint = immediate_hint(instruction, index, form, located.surroundings, choices.hints)
        if hint is not None and operand.start not in taken:
            kind = HintKind.OPERAND_NAME if hint.before else HintKind.BITS
            at = operand.start if hint.before else operand.end
            found.append(OffsetHint(at, hint.label, kind, operand.start))
    return found


def _expressions(located: StatementContext) -> Iterator[Leaf]:
    number = 0
    for leaf in leaves(located.statement):
        if isinstance(leaf.node, Expression):
            number += 1
            if number > LONGEST_INITIALISER:
                return
            yield leaf


def _interesting(expression: Expression) -> bool:
    """Whether an expression may get a hint: a cheap test, because almost all expressions are registers."""
    terms = expression.terms
    return len(terms) > 1 or terms[0].kind in LITERALS


def _value(located: StatementContext, leaf: Leaf, expression: Expression, choices: Choices) -> list[OffsetHint]:
    spot = outermost(ExpressionHere(expression, 0, leaf.instruction, leaf.path, leaf.declaration))
    if _bare_integer(part_of(expression, spot.term)) and not _may_truncate(expression, leaf):
        return []
    folded = value_at(spot, located.surroundings, choices.authority)
    if folded is None:
        return []
    text = _label(folded, choices)
    if text is None:
        return []
    kind, label = text
    start, end = folded.expression.start, folded.expression.end
    return [OffsetHint(end, label, kind, start)]


def _label(folded: ConstantPart, choices: Choices) -> tuple[HintKind, str] | None:
    hints, used = choices.hints, folded.at_use
    if used is not None and used.doubt is Doubt.BITS_LOST:
        if not hints.truncated_values:
            return None
        left = used.signed if used.type[:1] in "sb" else used.bits
        return HintKind.TRUNCATED_VALUE, f"-> {left}"
    terms = folded.expression.terms
    if all(term.kind in EXACT or _is_wrapping(term.kind, term.text) for term in terms):
        if not hints.hex_floats or not folded.value.is_float or folded.value.real in PLAIN_FLOATS:
            return None
        return HintKind.HEX_FLOAT, _float(folded)
    if all(term.kind in LITERALS or _is_wrapping(term.kind, term.text) for term in terms):
        return None
    return (HintKind.FOLDED_VALUE, f"= {decimal_at_use(folded)}") if hints.folded_values else None


def _is_wrapping(kind: TermKind, text: str) -> bool:
    """Whether a term is parentheses or a sign: a literal with these is still a literal."""
    return kind is TermKind.PARENTHESES or (kind is TermKind.UNARY and text in "+-")


def _float(folded: ConstantPart) -> str:
    used = folded.at_use
    return used.decimal if used is not None and used.type.startswith("f") else decimal(folded.value)


def _bare_integer(expression: Expression) -> bool:
    return all(term.kind is TermKind.INTEGER or _is_wrapping(term.kind, term.text) for term in expression.terms)


def _may_truncate(expression: Expression, leaf: Leaf) -> bool:
    """Whether an integer may lose bits at its use. Most are short, and finding the use costs more than this test."""
    if leaf.path == () and leaf.declaration is None:
        return False
    digits = max((len(term.text) for term in expression.terms), default=0)
    return digits > 4 or leaf.declaration is not None


def _operand_name(leaf: Leaf, expression: Expression, form: Matched) -> list[OffsetHint]:
    use = form.uses.get(leaf.path)
    value = evaluate(expression, Authority.PTXAS).value
    if use is None or not use.role or value is None or use.address:
        return []
    return [OffsetHint(expression.start, f"{use.role}:", HintKind.OPERAND_NAME, expression.start)]


def _names_operands(instruction: Instruction, choices: Choices) -> bool:
    which = choices.hints.operand_names
    if which == "off":
        return False
    return which == "all" or instruction.text.startswith(WITH_MATRICES)


def _hint(located: StatementContext, at: int, label: str, kind: HintKind, about: int) -> Hint:
    place = located.position(at)
    return Hint(place, label, kind, place if about == at else located.position(about))
