"""The steps of an evaluation."""

from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.constants.explanation import explain
from tests.constants.expressions import parsed


def test_steps_come_in_order_of_evaluation() -> None:
    tree = parsed("((-1 % 2) - 5) / 2")
    steps = explain(tree, evaluate(tree))
    assert [step.text for step in steps] == [
        "18446744073709551615 % 2 = 1 (.u64); the operands are taken as .u64, so -1 wraps",
        "1 - 5 = 18446744073709551612 (.u64)",
        "18446744073709551612 / 2 = 9223372036854775806 (.u64)",
    ]
    assert [(step.start, step.end) for step in steps] == [(2, 8), (1, 13), (0, 18)]


def test_a_term_without_a_value_is_not_a_step() -> None:
    tree = parsed("(1 + 2) * (3 / 0)")
    assert [step.text for step in explain(tree, evaluate(tree))] == ["1 + 2 = 3 (.s64)"]
