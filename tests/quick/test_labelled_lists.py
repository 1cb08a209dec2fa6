"""Lists of targets, prototypes, and what names them: each recogniser gives the effect of the parser."""

import pytest

from ptx_lsp.quick.statements import labelled_list, statement
from tests.quick.comparison import Analysis, findings
from tests.quick.effects import HEAD, at_offset, compare

BODY = """.entry k()
{
\t.reg .b32 %r<9>, lone;
\t.reg .b64 %rd<9>;
\t.reg .f32 %f<9>;
\t.reg .pred %p<3>;
\t.reg .v2 .b32 pair;
\t.param .b32 given, result;
\t.param .align 8 .b8 bytes[16];
taken: .branchtargets $a, $b;
known: .callprototype (.param .b32 _) _ (.param .b32 _);
bare: .callprototype _ ();
many: .callprototype _ (.param .align 8 .b8 _[16], .param .f32 _);
functions: .calltargets f;
"""
LISTS = (
    *(
        "$l: .branchtargets $a, $b;",
        "$l: .branchtargets\n\t\t$a,\n\t\t$b;",
        "$l : .branchtargets $a;",
        "$l:\n.branchtargets $a;",
    ),
    *(
        "$l: .branchtargets $a,;",
        "$l: .branchtargets;",
        "$l: .branchtargets $a $b;",
        "$l: .branchtargets ($a);",
        "$l: .branchtargets 1;",
    ),
    *(
        "$l: .branchtargets $l;",
        "$l: .branchtargets WARP_SZ;",
        "$l: .branchtargets %r1, $a;",
        "%tid: .branchtargets $a;",
    ),
    *(
        "taken: .branchtargets $a;",
        "%r1: .branchtargets $a;",
        "lone: .branchtargets $a;",
        "$a: .branchtargets $missing;",
    ),
    *(
        "$l: .branchtargets $a, $a;",
        "f: .branchtargets $a;",
        "$l: .branchtargetz $a;",
        "$l: .calltargets f;",
        "WARP_SZ: .branchtargets $a;",
    ),
    *("$l: .callprototype (.param .b32 _) _ (.param .b32 _);", "$l: .callprototype _ (.param .b32 _, .param .b64 _);"),
    *(
        "$l: .callprototype ()_ (.param .b32 _);",
        "$l: .callprototype _;",
        "$l: .callprototype _ ();",
        "$l: .callprototype (.param .b32 _) _;",
    ),
    *("$l: .callprototype (.param .b32 _, .param .b32 _) _ ();", "$l: .callprototype _ (.param .align 16 .b8 _[32]);"),
    *(
        "$l: .callprototype _ (.param .b32 x);",
        "$l: .callprototype x (.param .b32 _);",
        "$l: .callprototype _ (.reg .b32 _);",
    ),
    *(
        "$l: .callprototype _ (.param .pred _);",
        "$l: .callprototype _ (.param .align 3 .b32 _);",
        "$l: .callprototype _ (.param .b8 _[]);",
    ),
    *("$l: .callprototype _ (.param .b32 _) .noreturn;", "known: .callprototype _ ();", "%r1: .callprototype _ ();"),
    *("$l: .callprototype _ (.param .f16 _);", "$l: .callprototype _ (.param .b8 _[0]);", "%tid: .callprototype _ ();"),
)
USES = (
    *(
        "brx.idx %r1, taken;",
        "@%p1 brx.idx %r1, taken;",
        "@%r1 brx.idx %r1, taken;",
        "brx.idx.uni %r1, taken;",
        "brx %r1, taken;",
    ),
    *(
        "brx.idx %rd1, taken;",
        "brx.idx %f1, taken;",
        "brx.idx %r9, taken;",
        "brx.idx lone, taken;",
        "brx.idx pair, taken;",
        "brx.idx 1, taken;",
    ),
    *(
        "brx.idx %tid.x, taken;",
        "brx.idx %r1, known;",
        "brx.idx %r1, functions;",
        "brx.idx %r1, missing;",
        "brx.idx %r1;",
        "brx.idx %r1, taken, 1;",
    ),
    *(
        "brx.idx %r1, [taken];",
        "brx.idx {%r1}, taken;",
        "brx.idx %r1, taken+4;",
        "brx.idx.idx %r1, taken;",
        "@%p9 brx.idx %r1, taken;",
    ),
    *(
        "call (result), %rd1, (given), known;",
        "call (result), %rd1, (given), missing;",
        "call %rd1, bare;",
        "call.uni %rd1, (), bare;",
    ),
    *(
        "call %rd1, (bytes, %f1), many;",
        "call %rd1, (bytes, %r1), many;",
        "call %rd1, (%f1, bytes), many;",
        "call %rd1, many;",
    ),
    *(
        "call (result), %f1, (given), known;",
        "call (result), %r1, (given), known;",
        "call (result), pair, (given), known;",
    ),
    *(
        "call (result), f, (given), known;",
        "call (result), %rd9, (given), known;",
        "call (result), %rd1, (given), taken;",
    ),
    *(
        "call (result), %rd1, (given);",
        "call (result), %rd1, (given), functions;",
        "@%p1 call (result), %rd1, (given), known;",
    ),
    *(
        "call (result), %rd1, (given, given), known;",
        "call (%r1), %rd1, (%r2), known;",
        "call (_), %rd1, (given), known;",
    ),
    *(
        "call (result), known, (given), known;",
        "call (result), %rd1, (given), known, known;",
        "call (result), %tid, (given), known;",
    ),
)
END = "\n$a:\n$b:\n\tret;\n}\n"


@pytest.mark.parametrize("version", ["9.4", "5.0", "2.0"])
def test_the_findings_are_those_of_the_parser(version: str, parser_alone: Analysis) -> None:
    head = HEAD.replace("9.4", version).replace(
        "sm_90", "sm_50" if version == "5.0" else "sm_20" if version == "2.0" else "sm_90"
    )
    for text in (*LISTS, *USES):
        whole = f"{head}{BODY}\t{text}{END}"
        assert findings(whole) == parser_alone(whole), text


def test_the_effects_are_those_of_the_parser() -> None:
    texts = [f"\t{text}\n\tret;\n" for text in LISTS]
    assert compare("labelled list", HEAD + BODY, texts, at_offset(labelled_list)) >= 10
    texts = [f"\t{text}\n\tret;\n" for text in USES]
    assert compare("statement", HEAD + BODY, texts, at_offset(statement)) >= 8
