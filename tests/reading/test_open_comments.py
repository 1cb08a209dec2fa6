"""Comments over many blocks: an open comment covers the text below it, block by block, until it is closed."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.text.ranges import Range

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n.reg .b32 %r<9>;\nmov.b32 %r2, 1;\n"
LINES = "mov.b32 %r1, %r2;\n" * 2000
AT = HEAD.count("\n") + 2000  # the line of the comment


def reported(module: Module) -> list[tuple[str, int]]:
    module.work()
    return [(finding.code, finding.range.line) for finding in module.findings()]


def fresh(module: Module) -> list[tuple[str, int]]:
    return reported(Module(module.document.whole()))


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("/* open\n", {"unterminated-comment"}),
        ("/* closed */ /* open\n", {"unterminated-comment"}),
        ("mov.b32 %r1, %r2; /* open\n", {"unterminated-comment"}),
        ("L1: /* open\n", {"unterminated-comment"}),
        ("add.s32 %r1, %r2 /* open\n", {"unterminated-comment", "operand-count", "missing-semicolon"}),
    ],
)
def test_an_open_comment_covers_the_rest(line: str, codes: set[str]) -> None:
    module = Module(HEAD + LINES + line + LINES + "}\n")
    found = reported(module)
    assert ("unterminated-comment", AT) in found
    assert {code for code, _ in found} <= codes
    assert {where for _, where in found} == {AT}


@pytest.mark.parametrize("line", ["/*\n", "mov.b32 %r1, %r2; /*\n", "L1: /* \n", "add.s32 %r1, %r1, /*\n", "/*/\n"])
@pytest.mark.parametrize("end", ["*/", "*/ %r2;", "*/ /*"])
def test_the_end_of_a_comment_restores_the_rest(line: str, end: str) -> None:
    module = Module(HEAD + LINES + line + LINES + "}\n")
    before = reported(module)
    place = Range(AT + 1500, 0, AT + 1500, 0)
    module.edit(place, end)
    closed = reported(module)
    assert closed == fresh(module)
    assert closed != before
    module.edit(Range(*place.start, AT + 1500, len(end)), "")
    assert reported(module) == before


def test_a_statement_continues_after_a_long_comment() -> None:
    module = Module(HEAD + LINES + "add.s32 %r1, %r1, /*\n" + LINES + "}\n")
    reported(module)
    module.edit(Range(AT + 1500, 0, AT + 1500, 0), "*/ %r2; //")
    assert reported(module) == []


def test_only_blocks_in_a_comment_are_read_when_it_is_edited() -> None:
    module = Module(HEAD + LINES + "/*\n" + LINES + "}\n")
    reported(module)
    module.edit(Range(AT + 1000, 0, AT + 1000, 0), "anything (at { all")
    assert reported(module) == fresh(module) == [("unterminated-comment", AT)]
