"""Values, errors and warnings of single expressions; every value and rejection here was observed with ptxas 13.5."""

import pytest

from ptx_lsp.constants.authorities import Authority
from ptx_lsp.constants.evaluation import evaluate
from ptx_lsp.findings.codes import default_severity
from ptx_lsp.findings.finding import Severity
from ptx_lsp.syntax.tree import Expression, Term, TermKind
from tests.constants.expressions import evaluated, parsed, value

VALUES = {
    "WARP_SZ": ("s64", 32),
    "0x7fffffffffffffff": ("s64", 2**63 - 1),
    "0x8000000000000000": ("u64", 2**63),
    "(-1 % 2) - 5 < 0": ("s64", 0),  # the result of `%` is a .u64
    "(-1|0) < 0": ("s64", 1),  # bit operators keep .s64
    "((-1 & -1U) < 0)": ("s64", 0),
    "(1?1:1U)*0-1<0": ("s64", 1),  # the chosen operand keeps its own type
    "(1?1U:1)*0-1<0": ("s64", 0),
    "1<<64": ("s64", 1),
    "1<<65": ("s64", 2),
    "1<<-1": ("s64", -(2**63)),
    "-8 >> 1": ("s64", -4),
    "-8U >> 1": ("u64", 2**63 - 4),
    "-7 / 2": ("s64", -3),
    "-9223372036854775808 % -1": ("u64", 2**63),
    "7 %-3": ("u64", 7),
    "--1": ("s64", 1),
    "1--1": ("s64", 2),
    "0 && 1": ("s64", 0),
    "((  .s64 ) -1U)": ("s64", -1),
    "1.0 == 1.0": ("s64", 1),
    "0d7ff8000000000000 != 0d7ff8000000000000": ("s64", 1),
}


@pytest.mark.parametrize("text", VALUES)
def test_an_expression_has_its_type_and_value(text: str) -> None:
    constant = value(text)
    assert (constant.type.value, constant.integer) == VALUES[text]


ERRORS = {
    "1/0": ("constant-division-by-zero", "0"),
    "1.0/-0.0": ("constant-division-by-zero", "-0.0"),
    "0 && 1/(2-2)": ("constant-division-by-zero", "(2-2)"),
    "1 ? 2 : 3 % 0": ("constant-division-by-zero", "0"),
    "99999999999999999999": ("constant-overflow", "99999999999999999999"),
    "1 + 1e309": ("constant-overflow", "1e309"),
    "4.9e-324": ("constant-overflow", "4.9e-324"),
    "1 + 2.0": ("constant-type-mismatch", "1"),
    "2.0 < (1 + 1)": ("constant-type-mismatch", "(1 + 1)"),
    "1.0 << 2": ("constant-integer-expected", "1.0"),
    "1.0 & 2.0": ("constant-integer-expected", "1.0"),
    "!1.0": ("constant-integer-expected", "1.0"),
    "(.u64)(1.0)": ("constant-integer-expected", "(1.0)"),
    "1.0 ? 1 : 2": ("constant-integer-expected", "1.0"),
    "1 ? 2 : 3.0": ("constant-integer-expected", "3.0"),
    "1 ? 1.0 : 2.0": ("constant-integer-expected", "1.0"),
    "(.u32)1": ("constant-cast", "(.u32)"),
    "(-9223372036854775807-1)/-1": ("constant-division-overflow", "(-9223372036854775807-1)/-1"),
    "1 + (2 / 0) * 3.0": ("constant-division-by-zero", "0"),  # and no report about the rest
}
WARNINGS = {
    "18446744073709551616": ("constant-wraps", "18446744073709551616"),
    "0x123456789abcdef01": ("constant-wraps", "0x123456789abcdef01"),
    "-(0f3f800000)": ("constant-single-as-double", "(0f3f800000)"),
    "1.0 + (0f3f800000)": ("constant-single-as-double", "(0f3f800000)"),
    "1 << 64": ("constant-shift-count", "64"),
    "1 >> -1": ("constant-shift-count", "-1"),
    "-1 < 1U": ("constant-comparison", "-1 < 1U"),
    "1U == -1 + 2": None,
    "~5 < 0": ("constant-comparison", "~5 < 0"),
    "0 <= 5U": ("constant-comparison", "0 <= 5U"),
    "5U > 0": None,
    "1 << 63": None,
    "+(0f3f800000)": None,
    "0xffffffffffffffff": None,
}


@pytest.mark.parametrize("text", ERRORS)
def test_an_error_is_at_its_place(text: str) -> None:
    found = evaluated(text)
    assert found.value is None
    assert [(p.code, text[p.start : p.end]) for p in found.errors] == [ERRORS[text]]


@pytest.mark.parametrize("text", WARNINGS)
def test_a_warning_is_at_its_place(text: str) -> None:
    found = evaluated(text)
    expected = WARNINGS[text]
    assert found.value is not None
    assert not found.errors
    assert [(p.code, text[p.start : p.end]) for p in found.warnings] == ([expected] if expected else [])


def test_the_severities_in_the_pages_are_those_of_the_evaluation() -> None:
    errors = {code for code, _ in ERRORS.values()}
    warnings = {expected[0] for expected in WARNINGS.values() if expected}
    assert {default_severity(code) for code in errors} == {Severity.ERROR}
    assert {default_severity(code) for code in warnings} == {Severity.WARNING}


def test_every_subexpression_keeps_its_value() -> None:
    tree = parsed("(1 + 2U) * -3")
    values = evaluate(tree).values
    shown = {(t.start, t.end): (v.type.value, v.integer) for t, v in zip(tree.terms, values, strict=True) if v}
    assert shown[0, 8] == ("u64", 3)
    assert shown[11, 13] == ("s64", -3)
    assert shown[0, 13] == ("u64", 2**64 - 9)


def test_names_have_no_value_and_no_error() -> None:
    terms = (
        Term(TermKind.NAME, "sym", 0, 0, 3),
        Term(TermKind.INTEGER, "4", 4, 4, 5),
        Term(TermKind.BINARY, "+", 3, 0, 5, (0, 1)),
    )
    found = evaluate(Expression(terms, 0, 5))
    assert found.problems == ()
    assert [v and v.integer for v in found.values] == [None, 4, None]


ISA = {
    "((-1 % 2) - 5) / 2": ("s64", -2),  # the result of Table 5's .s64 remainder
    "1 ? 1 : 1U": ("u64", 1),
    "(-1|0) < 0": ("s64", 1),  # by the prose, not by Table 5
}


@pytest.mark.parametrize("text", ISA)
def test_by_the_manual(text: str) -> None:
    constant = value(text, Authority.ISA)
    assert (constant.type.value, constant.integer) == ISA[text]


def test_the_manual_allows_float_operands_of_conditions_and_forbids_singles() -> None:
    assert value("1 ? 1.5 : 2.5", Authority.ISA).real == 1.5
    assert value("0f3f800000", Authority.ISA).real == 1.0
    assert evaluated("(0f3f800000)", Authority.ISA).value is None
    kept = evaluated("(-9223372036854775807-1)/-1", Authority.ISA)
    assert kept.value is not None
    assert kept.value.integer == -(2**63)
    assert [p.code for p in kept.warnings] == ["constant-division-overflow"]


DEEP = {
    "parentheses": ("(" * 9000 + "1" + ")" * 9000, 1),
    "signs": ("-" * 4900 + "1", 1),
    "ternaries": ("0?1:" * 2400 + "2", 2),
    "sums": ("1" + "+1" * 50_000, 50_001),
}


@pytest.mark.parametrize("shape", DEEP)
def test_deep_expressions_are_evaluated(shape: str) -> None:
    text, number = DEEP[shape]
    assert value(text).integer == number
