"""Many initial values that are taken together: they mean what the same values mean one by one."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.syntax.tree import Declaration, Expression, Initialiser, ValueRun
from ptx_lsp.syntax.value_runs import each_value, value_around
from tests.calls import calls_of
from tests.syntax.shown import marked, statements
from tests.syntax.values import ODD, PLAIN, values_one_by_one

BEGINNINGS = [
    *(".const .u8 a[] = ", ".global .align 4.entry{ .b8 a[99] = {", "add.s32 a = {", "L: .global .b8 a[99] = {"),
    *('.file 1 "f"\n.global .b8 a[99] = {', "}\n.global .b8 a[99] = {", ".global .b8 a[99] = {{", ".foo a = {"),
    *("@p x = {", ".foo}st .b8 a = {", ".section a = {", ".version = {", ".file 1 = {", ".target a = {", ".loc 1 = {"),
    *(".reg .b32 a = {", ".entry k(.param .b32 a = {", ".pragma = {", "call f, = {", ".section .debug_x { .b8 = {"),
]
SEPARATOR = st.sampled_from([",", ", ", " ,\t", ",\n", ",\r\n", " "])


def initialiser_of(text: str) -> Initialiser:
    """The initialiser of the only name that a text declares."""
    ((statement, problems),) = parse_statements(text)
    assert problems == ()
    assert isinstance(statement, Declaration)
    assert statement.declarators[0].initialiser is not None
    return statement.declarators[0].initialiser


@st.composite
def tables(draw: st.DrawFn) -> str:
    """A declaration with some fifty initial values, a few of which are odd; text may follow it."""
    values = draw(st.lists(st.sampled_from(PLAIN), min_size=16, max_size=50))
    for odd in draw(st.lists(st.sampled_from(ODD), max_size=3)):
        values.insert(draw(st.integers(0, len(values))), odd)
    written = "".join(value + draw(SEPARATOR) * (draw(st.integers(0, 20)) > 0) for value in values)
    begin = draw(st.sampled_from([".global .b32 a[99] = {", ".global .b32 a[9][9] = {{", *BEGINNINGS]))
    return begin + written + draw(st.sampled_from(["1};", "};", "1}, b = 2;", "1}, 2};", "", "}}; ret;", "}\nret;"]))


@settings(max_examples=600)
@given(tables())
@example(".const .s64 a[] = {" + "159,\n" * 3 + "56 ,\t5\nadd.s32 x6,\n" + "159, 56,\n" * 20 + "1};")
@example(".shared .b16 a[20] =53, " + "0x7, 3, " * 10 + "3}};")
@example(".global .b32 a[99] = {" + "1, " * 20 + "}, " + "2, " * 20 + "3};")
@example(".global .b32 a[99] = {" + "1, " * 20 + ";" + "2, " * 20 + "3};")
@example(".global .b32 a[99] = {" + "1, " * 20 + ";" + "2, 3, x, (" * 20 + "3};")
@example("@@DWARF = {" + "1, 0x2, -3,\n" * 8 + "4};")
def test_runs_of_values_change_nothing(text: str) -> None:
    found = statements(text), marked(text)
    with values_one_by_one():
        assert found == (statements(text), marked(text))


def test_a_long_table_is_one_item_between_two_braces() -> None:
    items = initialiser_of(f".global .b8 a[99] = {{ {', '.join(map(str, range(99)))} }};").items
    assert [type(item).__name__ for item in items] == ["Word", "ValueRun", "Expression", "Word"]
    values = [each for each in each_value(items) if isinstance(each, Expression)]
    assert [value.terms[0].text for value in values] == [*map(str, range(99))]


@pytest.mark.parametrize("count", [0, 1, 15, 16])
def test_few_values_are_items_of_their_own(count: int) -> None:
    items = initialiser_of(".global .b8 a[99] = {" + "5, " * count + "6};").items
    assert any(isinstance(item, ValueRun) for item in items) == (count > 15)


def test_a_value_of_a_run_is_found_by_its_place() -> None:
    text = ".global .b32 a[99] = {" + ", ".join(str(1000 + number) for number in range(40)) + "};"
    run = next(item for item in initialiser_of(text).items if isinstance(item, ValueRun))
    for number in range(39):
        value = f"{1000 + number}"
        place = text.index(value)
        for offset in (place, place + 2, place + 4):
            found = value_around(run, offset)
            assert (found.start, found.end, found.terms[0].text) == (place, place + 4, value)


def test_a_table_of_any_length_is_parsed_in_few_calls() -> None:
    text = ".global .b8 a[9999] = {" + "1, 2, 3,\n" * 1000 + "4};"
    assert calls_of(lambda: list(parse_statements(text))) < 300


@pytest.mark.parametrize("count", [100, 1000])
def test_a_table_with_a_semicolon_in_it_is_parsed_in_few_calls(count: int) -> None:
    text = ".global .b8 a[9999] = {" + "1, 2, 3,\n" * count + "1, ;2,\n" + "1, 2, 3,\n" * count + "4};"
    ((_, problems),) = parse_statements(text)
    assert [problem.code for problem in problems] == ["stray-token"]
    assert calls_of(lambda: list(parse_statements(text))) < 1_000


@pytest.mark.parametrize("mistake", ["1}, 2,", "1}\n2,", "1} 2,"])
def test_a_table_with_an_end_too_early_is_parsed_in_few_calls(mistake: str) -> None:
    text = ".global .b8 a[9999] = {" + "1, 2, 3,\n" * 1000 + mistake + "1, 2, 3,\n" * 1000 + "4};"
    with values_one_by_one():
        expected = marked(text)
    assert marked(text) == expected != []
    assert calls_of(lambda: list(parse_statements(text))) < 1_000
