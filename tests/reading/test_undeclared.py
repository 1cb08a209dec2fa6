"""Names that nothing declares are told alike, however the text is cut into blocks."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.text.ranges import Range
from tests.analysis.incremental import disagreement

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n.entry a()\n{\n"
INNER = "{\n\t.reg .b32 %r5, q;\n}\n"
USES = "\tmov.b32 %r6, %r5;\n" * 30 + "\tmov.b32 q, %r7;\n" * 200
# the function goes on behind its end, or has no end
DAMAGED = ("}\n\tadd.s32 %r6, %r5, %r8;\n}\n", "\n.entry b()\n{\n\tret;\n}\n", "")


@pytest.mark.parametrize("end", [*DAMAGED, "}\n"])
@pytest.mark.parametrize("line", [20, 40, 100, 200])
def test_blocks_do_not_matter(end: str, line: int) -> None:
    module = Module(HEAD + INNER + USES + end)
    module.work()
    for _ in range(2):
        module.edit(Range(line, 0, line, 0), " ")
        module.work()
    assert disagreement(module) is None


def test_in_a_damaged_function_what_stands_between_braces_may_be_meant() -> None:
    def told(end: str) -> list[str]:
        module = Module(HEAD + INNER + "\tmov.b32 %f1, %r5;\n\tmov.b32 q, %f2;\n" + end)
        module.work()
        return sorted(f.data["name"] for f in module.findings() if f.code == "undeclared")

    assert told("}\n") == ["%f1", "%r5", "q"]
    assert told(DAMAGED[0]) == ["%f1"]
