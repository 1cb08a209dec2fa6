"""The command that evaluates a text or a selection."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_lsp.constants.authorities import Authority
from ptx_lsp.features.choices import Choices
from ptx_lsp.features.evaluate import evaluate_range, evaluate_text
from ptx_lsp.text.ranges import Range
from tests.features.modules import in_body, marked


@pytest.mark.parametrize(
    ("text", "type_", "value"),
    [
        ("1 << 4", "s64", 16),
        ("-1", "s64", (1 << 64) - 1),
        ("~0U >> 60", "u64", 15),
        ("1.0", "f64", 0x3FF0000000000000),
        ("0f3F800000", "f32", 0x3F800000),
    ],
)
def test_a_text_has_its_type_and_value(text: str, type_: str, value: int) -> None:
    answer = evaluate_text(text)
    assert answer.ok
    assert (answer.type, int(answer.value, 16)) == (type_, value)
    assert len(answer.value) == 18


@pytest.mark.parametrize(
    ("text", "error"), [("1/0", "zero"), ("1+", ""), ("", ""), ("%r1+1", "is not a constant"), ("1.0 & 1", "")]
)
def test_texts_without_a_value_have_a_reason(text: str, error: str) -> None:
    answer = evaluate_text(text)
    assert not answer.ok
    assert error in answer.error
    assert answer.as_json()["ok"] is False


def test_the_authority_is_the_users_choice() -> None:
    assert evaluate_text("((-1 % 2) - 5) / 2", Choices(Authority.ISA)).text == "-2"
    assert evaluate_text("((-1 % 2) - 5) / 2").text == "9223372036854775806"


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("add.s32 %r1, %r2, 3*(¦1+2);", "9"),
        ("add.s32 %r1, %r2, 3*(1+2¦);", "9"),
        ("ld.global.u32 %r1, [%rd1+¦4*2];", "8"),
    ],
)
def test_an_empty_selection_means_the_expression_around_the_cursor(statement: str, text: str) -> None:
    module, position = marked(in_body(statement))
    assert evaluate_range(module, Range(*position, *position)).text == text


def test_a_selection_is_evaluated_alone() -> None:
    module, position = marked(in_body("add.s32 %r1, %r2, ¦3*1+2;"))
    line, column = position
    assert evaluate_range(module, Range(line, column, line, column + 3)).text == "3"
    assert evaluate_range(module, Range(line, column, line, column + 5)).text == "5"
    assert evaluate_range(module, Range(line, column, line, column + 6)).text == "5"


def test_a_place_without_an_expression_is_reported() -> None:
    module, position = marked(in_body("¦add.s32 %r1, %r2, 3;"))
    assert not evaluate_range(module, Range(*position, *position)).ok


@given(st.text(max_size=30))
def test_no_text_raises(text: str) -> None:
    assert evaluate_text(text).expression == text


def test_a_text_that_is_too_long_is_refused() -> None:
    answer = evaluate_text("1" + "+1" * 50_000)
    assert answer.error == "this is longer than 10,000 characters"
    assert len(answer.expression) < 100
