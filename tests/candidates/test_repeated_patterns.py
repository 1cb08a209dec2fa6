"""The names that have the places in a pattern which others have in an earlier one."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.candidates.nearby_names import mention_steps
from ptx_lsp.candidates.repeated_patterns import alike
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
