"""What is read first after an edit: what was edited, then what somebody looks at, then the rest from above."""

from ptx_lsp.analysis.module import Module
from ptx_lsp.text.ranges import Range

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n.reg .b32 %r<9>;\nmov.b32 %r2, 1;\n"
LINES = 20_000
TYPE = Range(5, 6, 5, 9)  # of the registers


def edited(range_: Range, new_text: str) -> Module:
    module = Module(HEAD + "mov.b32 %r1, %r2;\n" * LINES + "}\n")
    assert module.work()
    module.edit(range_, new_text)
    return module


def lines_told(module: Module) -> set[int]:
    return {finding.range.line for finding in module.findings()}


def test_what_is_looked_at_comes_before_what_stands_above_it() -> None:
    module = edited(TYPE, "b64")
    line = LINES - 500
    for _ in range(10):
        module.work(0.0, (line, line + 10))
    told = lines_told(module)
    assert line in told
    assert len(told) < LINES // 2


def test_an_edit_comes_before_what_an_earlier_one_left() -> None:
    module = edited(TYPE, "b64")
    module.work(0.0)
    line = LINES - 500
    module.edit(Range(line, 0, line, 0), "nonsense ")
    for _ in range(30):  # the block around is cut into pieces when it is edited
        module.work(0.0)
    assert line in lines_told(module)
    assert len(lines_told(module)) < LINES // 2
