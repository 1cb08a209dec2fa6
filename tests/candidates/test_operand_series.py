"""The names that continue what the statements above do with an operand."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.nearby_names import mention_steps
from ptx_lsp.candidates.operand_series import before_next, beside_updated, followers, series
from ptx_lsp.steps import result_of
from ptx_lsp.text.ranges import Position

# the products of the rows a and columns b of two matrices, in an order that has no steps
COLUMNS = ("28", "3", "24", "11", "7", "19", "40", "2", "33", "16", "5", "21")
ROWS = "".join(
    f"\tfma.rn.f32 \t%s{row}{column}, %a{row}, %b{column}, %c{row};\n\tadd.s32 \t%r1, %r1, 1;\n"
    for row in range(3)
    for column in COLUMNS
)
# as LLVM writes them: each vector on a line of its own, below the opcode
MATRICES = "".join(
    f"\tmma.sync\n\t\t{{%r{n}, %r{n + 1}}},\n\t\t{{%a{n}, %a9}},\n\t\t{{%b1}},\n\t\t{{%c{n}, %c{n + 1}}};\n"
    for n in (10, 14)
)


@pytest.mark.parametrize(
    ("above", "opcode", "operands", "expected"),
    [
        (ROWS, "fma.rn.f32", "%s99, %a3, ", "%b28"),  # what followed `%b21` in the row above
        (ROWS[: ROWS.index("%b40, %c1")] + "%b40, %c1;\n", "fma.rn.f32", "%s99, %a1, ", "%b2"),
        ("mov.b32 %w0, {%v0, %v4};\n" * 3 + "mov.b32 %w1, {%v7, %v3};\n", "mov.b32", "%w2, {%v0, ", "%v4"),
        ("add.s32 %r9, %r3, %r77;\nadd.s32 %r8, %r4, %r5;\n", "add.s32", "%r10, %r3, ", "%r77"),
        (MATRICES, "mma.sync", "\n\t\t{", "%r18"),
        (MATRICES, "mma.sync", "\n\t\t{%r18, %r19},\n\t\t{%a18, ", "%a9"),
        ("mov.b32 %r60, %r4;\nmov.b32 %r61, %r5;\n", "mov.b32", "%r70, ", "%r14"),  # 56 less, as above
    ],
)
def test_what_followed_the_same_name_is_among_the_first(above: str, opcode: str, operands: str, expected: str) -> None:
    module = Module(above)
    near = result_of(mention_steps(module.document, Position(above.count("\n"), 0)))
    found = series(near.statements, opcode, operands, "{" in operands)
    assert expected in found[:4]


# the values of a join of two paths, and below it code that has nothing in common with it
JOIN = "mov.f32 %f8, %f1;\nmov.f32 %f3, %f2;\nmov.b32 %r9, %r1;\nmov.f32 %f5, %f4;\n"
OTHERS = "".join(f"add.s32 %s{n}, %s{n + 1}, %s{n + 2};\n" for n in range(20, 60))


@pytest.mark.parametrize(
    ("above", "below", "written", "expected"),
    [
        (JOIN + OTHERS + "mov.f32 %f8, %f7;\n", "", True, ["%f3", "%r9", "%f5"]),
        (OTHERS + "mov.f32 %f3, %f7;\n", OTHERS.replace("%s", "%t") + JOIN, True, ["%r9", "%f5"]),
        (JOIN + OTHERS + "mov.f32 %f8, %f7;\nmov.f32 %f3, %f7;\n", "", True, ["%r9", "%f5"]),
        (OTHERS + "fma.rn.f32 %f21, %f1, %f30, %f31;\n", JOIN, False, ["%f2", "%r1"]),
        (OTHERS, JOIN, True, []),
    ],
)
def test_names_follow_those_that_they_follow_elsewhere(
    above: str, below: str, written: bool, expected: list[str]
) -> None:
    module = Module(f"{above}\n{below}")
    near = result_of(mention_steps(module.document, Position(above.count("\n"), 0)))
    assert followers(near.statements, near.below, written)[: len(expected) or None] == expected


def test_a_vector_below_the_opcode_is_written() -> None:
    module = Module(MATRICES)
    near = result_of(mention_steps(module.document, Position(MATRICES.count("\n"), 0)))
    assert [each.results for each in near.statements] == [("%r14", "%r15"), ("%r10", "%r11")]


def test_the_number_of_names_is_bounded() -> None:
    above = "".join(f"add.s32 %r1, %r{n}, %x{n};\n" for n in range(300)) * 2
    module = Module(above)
    near = result_of(mention_steps(module.document, Position(above.count("\n"), 0)))
    assert len(series(near.statements, "add.s32", "%r1, %r5, ", False)) < 30


# the sums of a loop: each is written at the end of its products, with temporary registers between them
SUMS = "mov.f32 %f91, %f1;\nmov.f32 %f90, %f1;\nmov.f32 %f92, %f1;\n" + "".join(
    f"fma.rn.f32 %f{n}, %f2, %f3, %f{total};\nfma.rn.f32 %f{total}, %f4, %f5, %f{n};\n"
    for n, total in ((20, 92), (21, 91))
)


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        (SUMS, ["%f90", "%f93", "%f89", "%f94"]),  # `%f91` and `%f92` were updated last
        (SUMS.replace("%f91, %f4", "%f7, %f4"), ["%f93", "%f91", "%f94", "%f90"]),
        ("mov.f32 %f1, %f2;\nmov.f32 %f3, %f1;\n", []),  # each is written once
    ],
)
def test_the_names_beside_updated_ones_are_found(above: str, expected: list[str]) -> None:
    module = Module(above)
    near = result_of(mention_steps(module.document, Position(above.count("\n"), 0)))
    assert beside_updated(near.statements, near.far_above.names) == expected


UNROLLED = "".join(f"fma.rn.f32 %f{n}, %f{n + 40}, %f{2 * n}, %f9;\n" for n in range(20, 24))


@pytest.mark.parametrize(
    ("operands", "expected"), [("", "%f19"), ("%f19, ", "%f59"), ("%f19, %f59, ", "%f38"), ("%f9, ", "%f49")]
)
def test_the_statements_below_are_continued_upwards(operands: str, expected: str) -> None:
    near = result_of(mention_steps(Module(f"\n{UNROLLED}").document, Position(0, 0)))
    assert expected in series(near.below, "fma.rn.f32", operands, False)[:4]


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        ("mov.f32 %f8, %f1;\nmov.b32 %r5, %r1;\nmov.f32 %f9, %f1;\n", ["%f7", "%r4", "%f6", "%r3"]),
        ("mov.f32 %f1, %f9;\n", ["%f0"]),
        ("mov.f32 value, %f9;\nst.f32 [%rd1], %f3;\n", []),  # no number; no result
        ("", []),
    ],
)
def test_the_names_before_the_next_results_are_found(below: str, expected: list[str]) -> None:
    near = result_of(mention_steps(Module(f"\n{below}").document, Position(0, 0)))
    assert before_next(near.below) == expected


def test_an_argument_of_a_call_continues_those_before_it() -> None:
    assert series((), "call", "(%r4), f, (%r20, %r21, ", True)[0] == "%r22"
