"""The command `ptx.evaluate`: the value of a text, or of a selection in a module."""

from dataclasses import dataclass

from ptx_lsp.analysis.module import Module
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.constants.spelling import decimal
from ptx_lsp.explanations.constant_hover import describe_value
from ptx_lsp.explanations.constant_values import ConstantPart, outermost, value_at
from ptx_lsp.explanations.cursor import ExpressionHere, here
from ptx_lsp.explanations.description import Part, Prose
from ptx_lsp.features.choices import DEFAULT, Choices
from ptx_lsp.syntax.expressions import parse_whole_expression
from ptx_lsp.text.ranges import Range

LONGEST = 10_000
"""The maximum length in characters; a longer text takes a second, which delays other requests."""

_LONGEST_QUOTE = 60  # characters of the expression in an answer


@dataclass(frozen=True, slots=True)
class Answer:
    """The value of an expression, or in `error` the reason why it has none; `parts` explain the value."""

    expression: str
    type: str = ""
    value: str = ""
    text: str = ""
    error: str = ""
    parts: tuple[Part, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the expression has a value."""
        return not self.error

    def as_json(self) -> dict[str, object]:
        """The answer with the keys of `ptx-lsp eval --format json`."""
        if not self.ok:
            return {"expr": self.expression, "ok": False, "error": self.error}
        return {"expr": self.expression, "ok": True, "type": self.type, "value": self.value, "text": self.text}


def evaluate_text(text: str, choices: Choices = DEFAULT) -> Answer:
    """The value of a text that is one constant expression of at most `LONGEST` characters. Never raises."""
    if len(text) > LONGEST:
        return _failed(text[:_LONGEST_QUOTE] + "...", f"this is longer than {LONGEST:,} characters")
    expression, problems = parse_whole_expression(text)
    if problems or expression is None:
        return _failed(text, problems[0].message if problems else "this is not an expression")
    outcome = evaluate(expression, choices.authority)
    if outcome.errors:
        return _failed(text, outcome.errors[0].message)
    if outcome.value is None:
        return _failed(text, "this contains a name, whose value is not known before the program runs")
    return _answer(text, ConstantPart(expression, outcome.value, outcome), choices)


def evaluate_range(module: Module, range_: Range, choices: Choices = DEFAULT) -> Answer:
    """The value of the selection; of an empty selection, that of the expression around it. Never raises."""
    if range_.start != range_.end:
        text = module.document.text(range_)
        answer = evaluate_text(text.strip().rstrip(";,").strip(), choices)
        if answer.ok or "\n" in text.strip():
            return answer
    located = module.statement_at(range_.start)
    spot = None if located is None else here(located.statement, located.offset(range_.start))
    if located is None or not isinstance(spot, ExpressionHere):
        return _failed(module.document.text(range_), "there is no constant expression here")
    folded = value_at(outermost(spot), located.surroundings, choices.authority)
    if folded is None:
        return evaluate_text(located.text[spot.expression.start : spot.expression.end], choices)
    return _answer(located.text[folded.expression.start : folded.expression.end], folded, choices)


def _answer(text: str, folded: ConstantPart, choices: Choices) -> Answer:
    value = folded.value
    parts = describe_value(folded, choices.authority)
    return Answer(text, value.type.value, f"0x{value.bits:016x}", decimal(value), "", parts)


def _failed(text: str, error: str) -> Answer:
    return Answer(text, error=error, parts=(Prose(error),))
