"""Functions that evaluate a text in a test."""

from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.constant import Constant
from ptx_lsp.constants.evaluation import Evaluation, evaluate
from ptx_lsp.syntax.expressions import parse_whole_expression
from ptx_lsp.syntax.tree import Expression


def parsed(text: str) -> Expression:
    """The tree of a text without syntax errors."""
    tree, problems = parse_whole_expression(text)
    assert tree is not None, text
    assert not problems, text
    return tree


def evaluated(text: str, authority: Authority = Authority.PTXAS) -> Evaluation:
    """The evaluation of a text without syntax errors."""
    return evaluate(parsed(text), authority)


def value(text: str, authority: Authority = Authority.PTXAS) -> Constant:
    """The value of a text that has one."""
    evaluation = evaluated(text, authority)
    assert evaluation.value is not None, evaluation.errors
    return evaluation.value
