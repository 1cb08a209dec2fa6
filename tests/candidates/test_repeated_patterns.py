"""The names that have the places in a pattern which others have in an earlier one."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.nearby_names import mention_steps
from ptx_lsp.candidates.repeated_patterns import MOST_OF_HISTORY, alike, with_same_history
from ptx_lsp.steps import result_of
from ptx_lsp.text.ranges import Position

# the remainder of a division, once with all its statements, and once up to its last operands
REMAINDER = "div.u32 %r{0}, %r{1}, %r{2};\nmul.lo.u32 %r{3}, %r{0}, %r{2};\n"
DIVISIONS = (
    REMAINDER.format(10, 5, 6, 11)
    + "sub.u32 %r12, %r5, %r11;\n"
    + "mov.u32 %r70, %r71;\nmov.u32 %r72, %r73;\n"
    + REMAINDER.format(57, 33, 8, 90)
)
UPDATE = "add.s32 %r7, %r7, 4;\n"


@pytest.mark.parametrize(
    ("above", "opcode", "operands", "expected"),
    [
        (DIVISIONS, "sub.u32", "%r44, ", ["%r33"]),
        (DIVISIONS, "sub.u32", "%r44, %r33, ", ["%r90"]),
        (UPDATE, "add.s32", "%r20, ", ["%r20"]),  # the earlier statement reads what it writes
        (UPDATE, "sub.s32", "%r20, ", []),  # nothing has this opcode
        (UPDATE, "add.s32", "%r20, %r20, ", []),  # the earlier statement has no name there
        ("mov.u32 %r1, %r2;\n", "mov.u32", "%r3, ", []),  # nothing is above the earlier statement
    ],
)
def test_a_name_has_the_place_of_the_earlier_one(above: str, opcode: str, operands: str, expected: list[str]) -> None:
    module = Module(above)
    near = result_of(mention_steps(module.document, Position(above.count("\n"), 0)))
    assert alike(near.statements, opcode, operands) == expected


def test_the_pattern_with_more_of_the_same_opcodes_comes_first() -> None:
    other = "mov.u32 %r1, %r2;\nmov.u32 %r3, %r4;\nsub.u32 %r5, %r4, %r3;\n"
    module = Module(DIVISIONS.replace("mov.u32 %r70", other + "mov.u32 %r70"))
    near = result_of(mention_steps(module.document, Position(module.document.line_count - 1, 0)))
    assert alike(near.statements, "sub.u32", "%r44, ") == ["%r33", "%r57"]


# each round reads its loaded value twice: by `sub` and then by `fma`; the rounds have no steps in common
ROUND = "ld.shared.f32 %f{0}, [%rd1];\nsub.f32 %f{1}, %f{0}, %f7;\nmov.f32 %f{2}, %f8;\n"
SECOND_READ = "fma.rn.f32 %f{0}, %f{1}, %f9, %f9;\n"
READ_TWICE = ROUND.format(20, 21, 22) + SECOND_READ.format(23, 20)
THREE_ROUNDS = ROUND.format(44, 31, 32) + ROUND.format(80, 47, 52) + ROUND.format(60, 73, 75)


@pytest.mark.parametrize(
    ("above", "below", "opcode", "operands", "expected"),
    [
        (READ_TWICE + THREE_ROUNDS, "", "fma.rn.f32", "%f90, ", ["%f60", "%f80", "%f44"]),
        (READ_TWICE + THREE_ROUNDS, "", "fma.rz.f32", "%f90, ", ["%f60", "%f80", "%f44"]),  # whatever the modifiers
        (READ_TWICE + THREE_ROUNDS + SECOND_READ.format(91, 80), "", "fma.rn.f32", "%f90, ", ["%f60", "%f44"]),
        (THREE_ROUNDS, READ_TWICE, "fma.rn.f32", "%f90, ", ["%f60", "%f80", "%f44"]),  # the pattern is below
        (THREE_ROUNDS, SECOND_READ.format(91, 80), "fma.rn.f32", "%f90, ", ["%f60", "%f80", "%f44"]),
        (READ_TWICE + THREE_ROUNDS, "", "fma.rn.f32", "%f90, %f60, ", []),  # nothing here has written `%f9`
        (THREE_ROUNDS, "", "fma.rn.f32", "%f90, ", []),  # nothing has this opcode
        ("", READ_TWICE, "fma.rn.f32", "%f90, ", []),
    ],
)
def test_a_name_has_the_history_of_other_operands(
    above: str, below: str, opcode: str, operands: str, expected: list[str]
) -> None:
    module = Module(f"{above}\n{below}")
    near = result_of(mention_steps(module.document, Position(above.count("\n"), 0)))
    assert with_same_history(near, opcode, operands) == expected


@pytest.mark.parametrize(("statements", "expected"), [(MOST_OF_HISTORY - 9, ["%f44"]), (MOST_OF_HISTORY, [])])
def test_a_history_is_that_of_the_nearest_statements(statements: int, expected: list[str]) -> None:
    """The text of a history grows with each read, and a long line may have thousands of them."""
    above = ROUND.format(44, 31, 32) + "mov.f32 %f2, %f3; " * statements + "\n" + READ_TWICE
    near = result_of(mention_steps(Module(above).document, Position(above.count("\n"), 0)))
    assert with_same_history(near, "fma.rn.f32", "%f90, ") == expected
