"""Constant expressions: precedence, and the problems of broken ones.

Precedence and rejections were observed with ptxas 13.5; `test_forms.py` compares them again.
"""

import pytest

from ptx_lsp.syntax.expressions import parse_whole_expression
from ptx_lsp.syntax.tree import TermKind
from tests.syntax.shown import expression

SHAPES = [
    ("1", "1"),
    ("1+2*3", "(+ 1 (* 2 3))"),
    ("1*2+3", "(+ (* 1 2) 3)"),
    ("1-2-3", "(- (- 1 2) 3)"),
    ("(1+2)*3", "(* <(+ 1 2)> 3)"),
    ("1<<2+3", "(<< 1 (+ 2 3))"),
    ("1|2^3&4", "(| 1 (^ 2 (& 3 4)))"),
    ("1==2<3", "(== 1 (< 2 3))"),
    ("1||2&&3|4", "(|| 1 (&& 2 (| 3 4)))"),
    ("1?2:3?4:5", "(?: 1 2 (?: 3 4 5))"),
    ("1?2?3:4:5", "(?: 1 (?: 2 3 4) 5)"),
    ("1||2?3:4+5", "(?: (|| 1 2) 3 (+ 4 5))"),
    ("-1+2", "(+ (- 1) 2)"),
    ("--1", "(- (- 1))"),
    ("1--1", "(- 1 (- 1))"),
    ("1++1", "(+ 1 (+ 1))"),
    ("!~-+1", "(! (~ (- (+ 1))))"),
    ("(.s64)-1", "(.s64 (- 1))"),
    ("( .u64 ) 1+2", "(+ (.u64 1) 2)"),
    ("-(.s64)(.u64)2", "(- (.s64 (.u64 2)))"),
    ("7 % 3", "(% 7 3)"),
    ("7%(3)", "(% 7 <3>)"),
    ("7 %-3", "(% 7 (- 3))"),
    ("WARP_SZ*2", "(* WARP_SZ 2)"),
    ("(0f3F800000)+1.0", "(+ <0f3F800000> 1.0)"),
    ("0f3F800000", "0f3F800000"),
    ("-0d3FF0000000000000", "(- 0d3FF0000000000000)"),
    ("1 /* two */ + // three\n 4", "(+ 1 4)"),
    ("1e5+.5-1.", "(- (+ 1e5 .5) 1.)"),
]


@pytest.mark.parametrize(("text", "shape"), SHAPES)
def test_a_tree_has_the_shape_of_its_text(text: str, shape: str) -> None:
    tree, problems = parse_whole_expression(text)
    assert tree is not None
    assert problems == ()
    assert expression(tree) == shape


MALFORMED = (
    *("08", "0778", "0b2", "0b12", "0x", "0xU", "0xG", "1u", "0x1fu", "1UL", "1_000", "1$"),
    *("1e", "1.5e", "1.0f", "1.0U", "0x1.5", "0f3F8", "0f3F8000000", "0f3F80000G", "0d12"),
)

WRONG = [
    ("", "expected-operand", ""),
    ("   ", "expected-operand", "   "),
    ("1+", "expected-operand", "+"),
    ("*1", "expected-operand", "*"),
    ("1*/2", "expected-operand", "*"),
    ("1?2", "expected-operand", "?"),
    ("(1", "unclosed-bracket", "1"),
    ("((1)", "unclosed-bracket", ")"),
    ("1)", "unmatched-bracket", ")"),
    ("()", "expected-operand", ")"),
    ("(.s64)", "expected-operand", ")"),
    ("1 2", "stray-token", "2"),
    ("1;", "stray-token", ";"),
    ("1=2", "stray-token", "="),
    ("1:2", "stray-token", ":"),
    (";", "expected-operand", ";"),
    ("x", "expected-constant", "x"),
    ("1+%r1", "expected-constant", "%r1"),
    ("7 %3", "percent-name", "%3"),
    ("7%x", "percent-name", "%x"),
    ("-0f3F800000", "single-in-expression", "0f3F800000"),
    ("0f3F800000+1.0", "single-in-expression", "0f3F800000"),
    ("1.0+0f3F800000", "single-in-expression", "0f3F800000"),
    ("(-0f3F800000)", "single-in-expression", "0f3F800000"),
    ("1?0f3F800000:2.0", "single-in-expression", "0f3F800000"),
    ('"x"', "expected-operand", '"x"'),
    ("1 + \u20131", "non-ascii", "\u2013"),
    ("`1", "invalid-character", "`"),
    ("/* 1", "unterminated-comment", "/*"),
    *((number, "malformed-number", number) for number in MALFORMED),
]


@pytest.mark.parametrize(("text", "code", "about"), WRONG)
def test_a_problem_is_at_its_place(text: str, code: str, about: str) -> None:
    _, problems = parse_whole_expression(text)
    assert [(p.code, text[p.start : p.end]) for p in problems] == [(code, about)]


@pytest.mark.parametrize("text", ["(" * 50_000, "-" * 50_000, "1?" * 50_000, "(1+" * 50_000, ")" * 50_000])
def test_broken_depth_is_one_problem(text: str) -> None:
    _, problems = parse_whole_expression(text)
    assert len(problems) == 1


def test_terms_span_their_operands() -> None:
    text = " (1 + 2) * -3 "
    tree, _ = parse_whole_expression(text)
    assert tree is not None
    spans = {t.kind: text[t.start : t.end] for t in tree.terms if t.kind is not TermKind.INTEGER}
    assert spans[TermKind.PARENTHESES] == "(1 + 2)"
    assert spans[TermKind.UNARY] == "-3"
    assert (tree.start, tree.end, tree.root.at) == (1, 13, 9)
