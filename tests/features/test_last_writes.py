"""The last writes of a register: expected are the writes that an execution by hand meets last before the cursor."""

import pytest

from ptx_lsp.features.last_writes import last_writes
from tests.features.modules import in_body, marked, shown


def found(statements: str) -> list[str]:
    """The lines of the last writes of the register at the cursor, with marks around the register."""
    module, position = marked(in_body(statements))
    return shown(module, [each for some in last_writes(module, position) for each in some])


def test_the_write_above() -> None:
    text = "mov.b32 %r1, 1;\n\tmov.b32 %r1, 2;\n\tmov.b32 %r2, 3;\n\tadd.s32 %r3, %r¦1, %r2;\n\tmov.b32 %r1, 4;"
    assert found(text) == ["mov.b32 «%r1», 2;"]


def test_a_write_under_a_guard_may_not_be_executed() -> None:
    text = "mov.b32 %r1, 1;\n\tmov.b32 %r1, 2;\n\t@%p1 mov.b32 %r1, 3;\n\tadd.s32 %r3, %r¦1, 1;"
    assert found(text) == ["mov.b32 «%r1», 2;", "@%p1 mov.b32 «%r1», 3;"]


def test_both_sides_of_a_branch() -> None:
    text = """\tmov.b32 %r1, 0;
\t@%p1 bra $L1;
\tmov.b32 %r1, 1;
\tbra.uni $L2;
$L1:
\tmov.b32 %r1, 2;
$L2:
\tadd.s32 %r3, %r¦1, 1;"""
    assert found(text) == ["mov.b32 «%r1», 1;", "mov.b32 «%r1», 2;"]


LOOP = """\tmov.b32 %r1, 0;
\tmov.b32 %r9, 7;
$L1:
\tadd.s32 %r2, {}, 1;
\tadd.s32 {}, %r1, 4;
\tsetp.lt.s32 %p1, %r1, 64;
\t@%p1 bra $L1;
\tst.global.b32 [%rd1], {};"""


def test_a_loop_gives_the_write_before_it_and_that_of_its_last_pass() -> None:
    assert found(LOOP.format("%r¦1", "%r1", "%r1")) == ["mov.b32 «%r1», 0;", "add.s32 «%r1», %r1, 4;"]
    assert found(LOOP.format("%r1", "%r1", "%r¦1")) == ["add.s32 «%r1», %r1, 4;"]


def test_of_a_written_operand_it_is_the_value_before() -> None:
    assert found(LOOP.format("%r1", "%r¦1", "%r1")) == ["mov.b32 «%r1», 0;", "add.s32 «%r1», %r1, 4;"]


def test_nothing_follows_a_branch_or_the_end_of_a_thread() -> None:
    text = "mov.b32 %r1, 1;\n\tbra $L1;\n\tmov.b32 %r1, 2;\n\tret;\n$L1:\n\tadd.s32 %r3, %r¦1, 1;"
    assert found(text) == ["mov.b32 «%r1», 1;"]
    text = "mov.b32 %r1, 1;\n\t@%p1 bra $L1;\n\tmov.b32 %r1, 2;\n\texit;\n$L1:\n\tadd.s32 %r3, %r¦1, 1;"
    assert found(text) == ["mov.b32 «%r1», 1;"]


def test_an_indexed_branch_goes_to_all_labels_of_its_list() -> None:
    text = """\tmov.b32 %r1, 1;
T: .branchtargets A, B;
\tbrx.idx %r2, T;
A:\tmov.b32 %r1, 2;
B:\tadd.s32 %r3, %r¦1, 1;"""
    assert found(text) == ["mov.b32 «%r1», 1;", "A:\tmov.b32 «%r1», 2;"]


def test_a_register_of_an_inner_scope_is_another_one() -> None:
    text = "mov.b32 %r1, 1;\n\t{ .reg .b32 %r1; mov.b32 %r1, 2; }\n\tadd.s32 %r3, %r¦1, 1;"
    assert found(text) == ["mov.b32 «%r1», 1;"]


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("mov.b64 {%r1, %r2}, %rd1;", "mov.b64 {«%r1», %r2}, %rd1;"),
        ("ld.global.v2.b32 {%r2, %r1}, [%rd1];", "ld.global.v2.b32 {%r2, «%r1»}, [%rd1];"),
        ("shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;", "shfl.sync.idx.b32 «%r1»|%p1, %r2, 0, 31, -1;"),
        ("st.global.b32 [%rd1], %r1;", ""),
        ("red.global.add.s32 [%rd1], %r1;", ""),
    ],
)
def test_what_writes_is_known_by_the_rows_of_the_instructions(statement: str, wanted: str) -> None:
    assert found(f"{statement}\n\tadd.s32 %r3, %r¦1, 1;") == ([wanted] if wanted else [])


@pytest.mark.parametrize("statement", ["mov.b32 %r¦1, 1;", "m¦ov.b32 %r1, 1;", "mov.u32 %r1, %t¦id.x;", "bra ¦L; L:"])
def test_nothing_is_written_before(statement: str) -> None:
    assert found(statement) == []


def test_a_family_and_a_text_that_is_no_function_have_none() -> None:
    module, position = marked(in_body("mov.b32 %r1, 1;").replace("%r<9>", "%¦r<9>"))
    assert [each for some in last_writes(module, position) for each in some] == []
    module, position = marked(".version 9.4\n.target sm_90\n.global .b32 ¦x;\n")
    assert [each for some in last_writes(module, position) for each in some] == []
