"""Hovers on directives, labels and registers: places in the source, products, options, and numbers of uses."""

import pytest

from ptx_lsp.explanations.counts import MOST_STATEMENTS
from tests.analysis.random_edits import Sizes, chunk_sizes
from tests.features.modules import hover_at, in_body

HEADER = """.version 8.0
.target sm_90, debug
.address_size 64
.file 1 "k.cu"
.file 2 "inc.h"
"""
# the example of the PTX ISA's section on `.loc`, with one more level
INLINED = """.visible .entry k()
{
	.loc 1 27 3
	.loc 2 10 5, function_name info_string1, inlined_at 1 27 3
	.loc 1 15 3, function_name info_string0, inlined_at 2 10 5
	ret;
}
.section .debug_str {
info_string0:
.b8 95 // _
.b8 90
.b8 51, 102
.b8 111
.b8 0
info_string1:
.b8 103, 0
}
"""
TWICE = "{ .reg .b32 t; mov.b32 t, 1; }\n{ .reg .b32 t; mov.b32 %r1, t; }"
BOUNDS = ".visible .entry k()\n.maxntid 16, 16, 4\n.reqnctapercluster 2, 2\n{\n\tret;\n}\n"


@pytest.mark.parametrize(
    ("at", "wanted"),
    [
        (".version", ["PTX ISA 8.0, of CUDA 12.0"]),
        ("8.0", ["PTX ISA 8.0, of CUDA 12.0"]),
        (".target", ["compute capability 9.0", "debug: the module has debug information"]),
        ("debug\n", ["debug: the module has debug information"]),
        (".loc 1 27", ["- k.cu:27:3"]),
        ("27 3\n\t.loc 2", ["- k.cu:27:3"]),
        (".loc 2 10", ["- inc.h:10:5, in g", "- inlined at k.cu:27:3"]),
        # the place of its caller was itself inlined
        (".loc 1 15", ["- k.cu:15:3, in _Z3fo\n- inlined at inc.h:10:5\n- inlined at k.cu:27:3"]),
        ("info_string0, inl", ["in _Z3fo"]),
    ],
)
def test_places_and_targets(at: str, wanted: list[str]) -> None:
    text = hover_at(HEADER + INLINED, at)
    for part in wanted:
        assert part in text


def test_the_name_of_an_inlined_function_may_be_in_several_chunks() -> None:
    name = "_Z4polyILi8EEff"
    rows = "".join(f".b8 {ord(letter)}\n" for letter in name) + ".b8 0\n"
    text = HEADER + INLINED.replace(".b8 95 // _\n.b8 90\n.b8 51, 102\n.b8 111\n.b8 0\n", rows)
    with chunk_sizes(Sizes(lines=4, characters=256, edited=2)):
        assert f"- k.cu:15:3, in {name}\n" in hover_at(text, ".loc 1 15")


def test_a_lone_return_ends_the_line_before_the_label_of_a_name() -> None:
    text = HEADER + INLINED.replace("{\ninfo_string0:", "{\rinfo_string0:")
    assert "- k.cu:15:3, in _Z3fo\n" in hover_at(text, ".loc 1 15")


def test_a_file_without_a_name_is_shown_by_its_number() -> None:
    assert "- file 7:1:2" in hover_at(HEADER + INLINED.replace(".loc 1 27 3\n", ".loc 7 1 2\n", 1), ".loc 7")


@pytest.mark.parametrize(
    ("at", "wanted"),
    [
        (".maxntid", "16 × 16 × 4: at most 1,024 threads in a CTA"),
        ("16, 16, 4", "16 × 16 × 4: at most 1,024 threads in a CTA"),
        (".reqnctapercluster", "2 × 2: 4 CTAs in a cluster"),
    ],
)
def test_the_product_of_sizes(at: str, wanted: str) -> None:
    assert wanted in hover_at(HEADER + BOUNDS, at)


def test_pragmas() -> None:
    for at in ('"nounroll', ".pragma"):
        assert "nounroll: loops are not unrolled" in hover_at(in_body('.pragma "nounroll";'), at)
    assert "shared memory" in hover_at(in_body('.pragma "enable_smem_spilling";'), ".pragma")
    assert ".pragma: " in hover_at(in_body('.pragma "something else";'), ".pragma")


@pytest.mark.parametrize(
    ("statements", "at", "wanted"),
    [
        ("mov.b32 %r1, 1;\nadd.s32 %r1, %r1, %r1;", "%r1, 1", "written 2 times, read once"),
        ("add.s32 %r1, %r2, 1; // %r1, %r1", "%r1", "written once, never read"),
        ("/* %r1 */ add.s32 %r2, %r1,\n  %r1;\nst.global.b32 [%rd1], %r1;", "%r1,", "never written, read 2 times"),
        ("st.global.b32 [%rd1+4], %r1;\nld.global.b32 %r1, [%rd1];", "%rd1", "never written, read 2 times"),
        ("@%p1 add.s32 %r1, %r2, 1;\nsetp.eq.s32 %p1|%p2, %r1, 0;", "%p1", "written once, read once"),
        ("setp.eq.s32 %p1|%p2, %r1, 0;", "%p2", "written once, never read"),
        ("ld.global.v2.f32 {%f1, %f2}, [%rd1];\nmov.f32 %f3, %f2;", "%f2", "written once, read once"),
        ("fma.rn.f32 %f1, %f2, %f3, %f1;", "%f1", "written once, read once"),
        # `%r1` is not a part of `%r11`, and each scope has its own registers
        ("{ .reg .b32 %r11; mov.b32 %r11, %r1; }\n{ mov.b32 %r1, 1; }", "%r1;", "written once, read once"),
        (TWICE, "t, 1", "written once, never read"),
        (TWICE, "t; }\n\tret", "never written, read once"),
        ("@%p1 bra L;\nbra.uni L;\nL:", "L;", "used 2 times"),
        ("ts: .branchtargets L, M;\nbrx.idx %r1, ts;\nL: M:", "M:", "used once"),
        ("L: bra M;\nM:", "L:", "nothing branches to it"),
    ],
)
def test_uses_are_counted(statements: str, at: str, wanted: str) -> None:
    assert wanted in hover_at(in_body(statements), at)


def test_a_call_writes_its_results_and_reads_its_arguments() -> None:
    function = ".func (.reg .b32 r) f (.reg .b32 a);"
    body = in_body("call (%r1), f, (%r2);\ncall (%r2), f, (%r1);", function)
    assert "written once, read once" in hover_at(body, "%r1)")


@pytest.mark.parametrize(
    ("statements", "at", "wanted"),
    [
        (
            "L: @%p1 add.s32 /* sum */ %r1,\n\t%r2, 1;\nmov.b32 %r3, %r1;",
            "%r1;",
            "; the write:\n\n@%p1 add.s32 %r1, %r2, 1;",
        ),
        ("setp.eq.s32 %p1|%p2, %r1, 0;\n@!%p2 bra L;\nL:", "%p2 bra", "; the write:\n\nsetp.eq.s32 %p1|%p2, %r1, 0;"),
        ("fma.rn.f32 %f1, %f2, %f3, %f1;", "%f1", ""),  # the instruction at the cursor
        ("fma.rn.f32 %f1, %f2, %f3, %f1;", "%f1;", ""),
        ("fma.rn.f32 %f1, %f2, // the factor\n%f3, %f1;", "%f1,", ""),
        ("mov.b32 %r1, 1;\nmov.b32 %r1, 2;\nmov.b32 %r3, %r1;", "%r1;", ""),
        ("mov.b32 %r3, %r1;", "%r1;", ""),
    ],
)
def test_the_only_write_of_a_register_is_shown_where_it_is_read(statements: str, at: str, wanted: str) -> None:
    text = hover_at(in_body(statements), at)
    assert text.endswith(wanted) if wanted else "the write" not in text


def test_a_number_says_what_its_operand_is_for() -> None:
    body = in_body("shfl.sync.bfly.b32 %r6, %r7, 16, 31, -1;\nbar.sync 1, 128;\nadd.s32 %r1, %r2, 40;")
    assert "(c of shfl.sync.bfly.b32, clamp value in bits 0 to 4, segment mask in bits 8 to 12): 31" in hover_at(
        body, "31,"
    )
    assert "(a of bar.sync, number of the barrier): 1" in hover_at(body, "1, 128")
    assert "(b of add.s32): 40" in hover_at(body, "40;")


def test_a_step_does_not_show_its_result_twice() -> None:
    text = hover_at(in_body("add.s32 %r1, %r2, -(1<<31);"), "-(")
    assert "-(2147483648) = -2147483648 (.s64)" in text


def test_the_form_of_a_call_has_its_operands() -> None:
    text = hover_at(in_body("call.uni (%r1), f, (%r2);", ".func (.reg .b32 r) f (.reg .b32 a);"), "call")
    assert "call.uni {(result), }function{, (arguments)}{, prototype};" in text.replace("call{.uni}", "call.uni")


def test_a_name_that_an_inner_scope_declares_again_is_not_counted() -> None:
    text = hover_at(
        in_body("mov.b32 %rx, 1;\n{ .reg .b32 %rx; mov.b32 %rx, 2; }", "").replace("%r<9>", "%rx"), "%rx, 1"
    )
    assert ".b32 register" in text
    assert "written" not in text.partition("written as")[2]


def test_uses_in_very_many_statements_are_counted_without_reads_and_writes() -> None:
    text = hover_at(in_body("mov.b32 %r1, 1;\n" * (MOST_STATEMENTS + 1)), "%r1")
    assert f"{MOST_STATEMENTS + 1:,} statements in its scope name it" in text


def test_the_rest_of_a_line_with_a_mistake_declares_nothing() -> None:
    broken = ".reg .u64 %d<3>;\n.reg .f\nld.param.u64 %d2, [p];\nmad.lo.s64 %d1, %d1, 4, %d2;"
    assert "%d2: .u64 register" in hover_at(in_body(broken), "%d2;")
