"""Expressions as ptxas 13.5.37 evaluated them: `ptxas_13.5.37.jsonl`, a sample of 2,000 random ones.

The values were read back from the initialised data of a cubin, and types determined by `(((E)*0)-1) < 0`. The last
field of a rejected expression is the message of ptxas; our messages are different.
"""

import json
from pathlib import Path

import pytest

from ptx_lsp.cli.evaluate import answer_to, as_json
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.syntax.expressions import parse_whole_expression

VECTORS = [json.loads(line) for line in Path(__file__).with_name("ptxas_13.5.37.jsonl").read_text("utf-8").splitlines()]


def test_there_are_vectors_of_every_outcome() -> None:
    assert {vector.get("type") for vector in VECTORS} == {"s64", "u64", "f64", "f32", None}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["expr"][:40])
def test_the_result_is_that_of_ptxas(vector: dict[str, object]) -> None:
    answer = as_json(answer_to(str(vector["expr"])))
    compared = ("ok", "type", "value")
    assert {k: answer.get(k) for k in compared} == {k: vector.get(k) for k in compared}


CODES = {
    "crash: SIGFPE": "constant-division-overflow",
    "error: Constant overflow": "constant-overflow",
    "error: Unsupported cast operation": "constant-cast",
    "fatal: Constant expression has division by zero": "constant-division-by-zero",
}


@pytest.mark.parametrize("vector", [v for v in VECTORS if v.get("error") in CODES], ids=lambda v: v["expr"][:40])
def test_the_reason_for_a_rejection_is_that_of_ptxas(vector: dict[str, str]) -> None:
    tree, problems = parse_whole_expression(vector["expr"])
    assert tree is not None
    assert not problems
    assert CODES[vector["error"]] in {problem.code for problem in evaluate(tree).errors}
