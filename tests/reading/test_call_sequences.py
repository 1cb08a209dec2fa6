"""Loads of the results of calls: ptxas refuses the same sequences when it compiles, also after edits."""

import pytest

from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.analysis.incremental import disagreement
from tests.oracle.assembler import Assembler, needs_assembler

HEAD = """.version 8.3
.target sm_80
.address_size 64
.func (.param .b32 a) foo(.param .b32 x) { st.param.b32 [a], 1; ret; }
.func (.param .b32 a) bar() { st.param.b32 [a], 1; ret; }
.func baz(.param .b32 x) { ret; }
.entry k()
{
.reg .pred p<9>;
.reg .b32 r<9>;
mov.b32 r1, 0;
setp.eq.s32 p0, r1, 0;
"""
END = "ret;\n}\n"
BODIES = (
    "{ .param .b32 v; .param .b32 a; st.param.b32 [a], 1; call (v), foo, (a); ld.param.b32 r0, [v]; }",
    "{ .param .b32 v; call (v), bar, (); call baz, (2); ld.param.b32 r0, [v]; ld.param.b32 r1, [v+0]; }",
    "{ .param .b32 a; st.param.b32 [a], 1; ld.param.b32 r0, [a]; call baz, (a); }",
    "{ .param .b32 a; st.param.b32 [a], 1; call baz, (a); ld.param.b32 r0, [a]; }",
    "{ .param .b32 v; call (v), bar, (); call baz, (v); }",
    "{ .param .b32 v; st.param.b32 [v], 1; call (v), bar, (); ld.param.b32 r0, [v]; }",
    "{ .param .b32 v; call (v), bar, (); @p0 bra L; ld.param.b32 r0, [v]; L: }",
    "{ .param .b32 v; @p0 call (v), bar, (); ld.param.b32 r0, [v]; }",
    "{ .param .b32 v; @p0 bra L; call (v), bar, (); L: ld.param.b32 r0, [v]; }",
    "{ .param .b32 v; bra M; L: ld.param.b32 r0, [v]; bra X; M: call (v), bar, (); bra L; X: }",
    "{ .param .b32 v; bra X; ld.param.b32 r0, [v]; X: }",
    "{ .param .b32 v; call (v), bar, (); { ld.param.b32 r0, [v]; } }",
    "{ .param .b32 v; { call (v), bar, (); } ld.param.b32 r0, [v]; }",
    "{ .param .b32 v; call (v), bar, (); } { .param .b32 v; ld.param.b32 r0, [v]; }",
    "{ .param .b32 v; call (v), bar, (); { .param .b32 v; ld.param.b32 r0, [v]; } }",
    "{ .param .b32 v; .param .b32 w; call (v), bar, (); call (w), bar, (); ld.param.b32 r0, [w];"
    " ld.param.b32 r1, [v]; }",
    "{ .param .align 4 .b8 v[8]; ld.param.b32 r0, [v+4]; }",
    "{ .reg .b64 t; .param .b32 v; mov.b64 t, bar; P: .callprototype (.param .b32 _) _ ();"
    " call (v), t, (), P; ld.param.b32 r0, [v]; }",
)


def reported(text: str) -> list[str]:
    """The codes of the errors in a text."""
    module = analysed(text)
    return [f.code for f in module.findings() if f.severity == 1]


@needs_assembler
@pytest.mark.parametrize("body", BODIES)
def test_ptxas_refuses_the_same_sequences(body: str) -> None:
    text = f"{HEAD}{body}\n{END}"
    outcome = Assembler().module(text, "sm_80")
    assert Assembler().module(text, "compute_80").accepted, outcome.said
    assert reported(text) == ([] if outcome.accepted else ["call-sequence"]), outcome.said
    lines = text.replace("; ", ";\n").replace("{ ", "{\n")
    assert reported(lines) == reported(text)
    spread = text.replace(", [v", ",\n[v").replace("call ", "call\n")
    assert reported(spread) == reported(text)


def test_a_call_in_an_earlier_block_is_found() -> None:
    many = "add.s32 r0, r0, 1;\n" * 2000
    text = f"{HEAD}.param .b32 v;\n.param .b32 w;\ncall (v), bar, ();\n{many}ld.param.b32 r0, [v];\n{END}"
    module = analysed(text)
    line = HEAD.count("\n") + 2
    assert reported(text) == []
    module.edit(Range(line, 6, line, 7), "w")
    assert disagreement(module) is None
    assert [f.code for f in module.findings() if f.severity == 1] == ["call-sequence"]
    module.edit(Range(line, 6, line, 7), "v")
    assert disagreement(module) is None
    module.edit(Range(line - 2, 0, line - 2, 0), "{\n")
    assert disagreement(module) is None


def test_a_line_remembered_from_one_function_is_checked_in_the_next() -> None:
    fine = "{\n.param .b32 v;\ncall (v), bar, ();\nld.param.b32 r0, [v];\n}\n"
    wrong = "{\n.param .b32 v;\nld.param.b32 r0, [v];\n}\n"
    assert reported(HEAD + fine * 3 + wrong + fine + wrong + END) == ["call-sequence"] * 2
