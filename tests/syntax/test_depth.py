"""The depth of nested expressions: no depth needs recursion, and beyond some depth ptxas runs out of memory."""

from collections.abc import Callable

import pytest

from ptx_lsp import check
from ptx_lsp.syntax.expressions import parse_whole_expression
from tests.oracle.assembler import Assembler, needs_assembler

HEADER = ".version 9.4\n.target sm_90\n.address_size 64\n"
FAR = 30_000

# a text with `n` levels of nesting, and the maximum for an initial value (observed: ptxas 13.5)
SHAPES: dict[str, tuple[Callable[[int], str], int]] = {
    "parentheses": (lambda n: "(" * n + "1" + ")" * n, 9988),
    "signs": (lambda n: "- " * n + "1", 4994),
    "casts": (lambda n: "(.s64)" * n + "1", 2497),
    "conditions in the middle": (lambda n: "1?" * n + "1" + ":1" * n, 4993),
    "conditions to the right": (lambda n: "1?1:" * n + "1", 2497),
    "sums in parentheses": (lambda n: "(1+" * n + "1" + ")" * n, 3329),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_maximum_depth_of_the_assembler_is_accepted(name: str) -> None:
    nest, most = SHAPES[name]
    text = nest(most)
    tree, problems = parse_whole_expression(text)
    assert tree is not None
    assert problems == ()
    assert (tree.root.start, tree.root.end) == (0, len(text))


@pytest.mark.parametrize("depth", [1, FAR])
@pytest.mark.parametrize("name", SHAPES)
def test_one_level_more_is_reported(name: str, depth: int) -> None:
    nest, most = SHAPES[name]
    text = HEADER + f".global .u32 x = {nest(most + depth)};\n"
    assert [finding.code for finding in check(text)] == ["crashes-assembler"]


def test_the_number_of_expressions_side_by_side_is_not_limited() -> None:
    text = "1" + "+(-1)" * FAR
    tree, problems = parse_whole_expression(text)
    assert tree is not None
    assert problems == ()
    assert len(tree.terms) == 1 + 4 * FAR


@needs_assembler
@pytest.mark.parametrize("name", SHAPES)
def test_the_maximum_depth_is_that_of_the_assembler(name: str) -> None:
    nest, most = SHAPES[name]
    texts = [HEADER + f".global .u32 x = {nest(depth)};\n" for depth in (most, most + 1)]
    assert [outcome.accepted for outcome in Assembler().modules(texts)] == [True, False]
