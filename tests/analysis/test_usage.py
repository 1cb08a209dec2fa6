"""What nothing uses or writes: told of each, but not of thousands."""

import pytest

from ptx_lsp import check

BODY = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{{\n.reg .b32 %r<999>, %sum;\n{}}}\n"


def test_of_many_unused_labels_the_first_hundred_are_told() -> None:
    labels = "".join(f"label{number}:\n" for number in range(150))
    lines = [finding.range.line for finding in check(BODY.format(labels + "mov.b32 %r1, 1;\n"))]
    assert lines == list(range(6, 106))


def test_of_many_registers_that_nothing_writes_a_hundred_are_told() -> None:
    sums = "mov.b32 %sum, 0;\n" + "".join(f"add.s32 %sum, %sum, %r{number};\n" for number in range(150))
    found = check(BODY.format(sums))
    assert {finding.code for finding in found} == {"never-written"}
    assert len(found) == 100


@pytest.mark.parametrize("lines", [1, 1000])  # in one block, and in many
@pytest.mark.parametrize(("used", "told"), [("%r0", False), ("%r700", False), ("%r0700", False), ("%sum", True)])
def test_a_family_is_used_where_any_of_its_members_is(lines: int, used: str, told: bool) -> None:
    found = check(BODY.format(f"mov.b32 {used}, 1;\n" + "mov.b32 %sum, 2;\n" * lines))
    assert [finding.code for finding in found] == (["unused-registers"] if told else [])
