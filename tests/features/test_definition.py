"""The definition of the symbol under the cursor."""

import pytest

from ptx_lsp.features.definition import definition
from tests.features.modules import in_body, marked, shown

DECLARATIONS = """.extern .func (.param .b32 r) twice(.param .b32 x);
.global .b32 g;
.func (.param .b32 r) twice(.param .b32 x)
{
\tret;
}"""


def defined(text: str) -> list[str]:
    """The lines of the definitions of the name at `¦`."""
    module, position = marked(text)
    return shown(module, definition(module, position))


def in_kernel(statements: str) -> list[str]:
    return defined(in_body(statements, DECLARATIONS))


@pytest.mark.parametrize(
    ("statements", "lines"),
    [
        ("\tadd.s32 %r1, ¦%r2, 1;", [".reg .b32 «%r»<9>;"]),
        ("\tadd.s32 %r1, %r2¦, 1;", [".reg .b32 «%r»<9>;"]),
        ("\t@¦%p1 ret;", [".reg .pred «%p»<9>;"]),
        ("\t.reg .b32 %r2;\n\tadd.s32 %r1, ¦%r2, 1;", [".reg .b32 «%r2»;"]),
        ("\t{ .reg .b32 %r2; }\n\tadd.s32 %r1, ¦%r2, 1;", [".reg .b32 «%r»<9>;"]),
        ("\tbra ¦L;\nL:\tret;", ["«L»:\tret;"]),
        ("L:\t{\n\tbra ¦L;\n\tL: ret; }", ["«L»: ret; }"]),
        ("\tld.param.u64 %rd1, [¦input];", [".visible .entry k(.param .u64 «input»)"]),
        ("\tmov.u64 %rd1, ¦g;", [".global .b32 «g»;"]),
        ("\t.param .b32 a, b;\n\tcall (a), tw¦ice, (b);", [".func (.param .b32 r) «twice»(.param .b32 x)"]),
        ("\t.param .b32 a, b;\n\tcall (a), twice, (¦b);", [".param .b32 a, «b»;"]),
        ("P: .callprototype _ ();\n\tcall %rd1, ¦P;", ["«P»: .callprototype _ ();"]),
        ("T: .branchtargets ¦A;\nA:\tbrx.idx %r1, T;", ["«A»:\tbrx.idx %r1, T;"]),
        ("T: .branchtargets A;\nA:\tbrx.idx %r1, ¦T;", ["«T»: .branchtargets A;"]),
        ("\tadd.s32 %r1, ¦%r99, 1;", []),
        ("\tmov.u32 %r1, ¦%tid.x;", []),
        ("\tad¦d.s32 %r1, %r2, 1;", []),
        ("\tadd.s32 %r1, %r2, 1; // ¦%r1", []),
        ("\tadd.s32 %r1, %r2, ¦1;", []),
    ],
)
def test_a_use_has_its_definition(statements: str, lines: list[str]) -> None:
    assert in_kernel(statements) == lines


def test_a_declaration_is_its_own_definition() -> None:
    assert defined(".version 9.4\n.target sm_90\n.func f(.reg .b32 ¦x) { ret; }\n") == [
        ".func f(.reg .b32 «x») { ret; }"
    ]
    assert in_kernel("\t.reg .b32 ¦other;") == [".reg .b32 «other»;"]
    assert in_kernel("¦L:\tret;") == ["«L»:\tret;"]


def test_a_function_that_is_only_declared_has_its_declaration() -> None:
    text = ".version 9.4\n.target sm_90\n.extern .func f(.param .b32 x);\n.func g()\n{\n\tcall ¦f, (1);\n}\n"
    assert defined(text) == [".extern .func «f»(.param .b32 x);"]
    assert defined(text.replace("¦", "").replace(" x)", " ¦x)")) == [".extern .func f(.param .b32 «x»);"]


def test_a_label_that_debug_data_names_has_its_definition() -> None:
    text = in_body("$L__tmp0:\n") + ".section .debug_info\n{\n.b64 ¦$L__tmp0\n}\n"
    assert defined(text) == ["«$L__tmp0»:"]


def test_a_name_in_an_initial_value_has_its_definition() -> None:
    text = ".version 9.4\n.target sm_90\n.global .b32 g;\n.global .u64 p[2] = {generic(¦g), 0};\n"
    assert defined(text) == [".global .b32 «g»;"]


def test_in_a_text_that_is_no_ptx() -> None:
    assert defined("int ¦main() { return 0; }\n") == []


def test_what_is_declared_below_its_use_is_found_there() -> None:
    """GCC declares external functions at the end of a module; each other assembler than its own refuses the calls."""
    calls = "\t.param .b32 a, b;\n\tcall (a), ¦later, (b);\n\tmov.u64 %rd1, table;"
    below = ".extern .func (.param .b32 r) later(.param .b32 x);\n.global .u64 table[2];\n"
    assert defined(in_body(calls) + below) == [".extern .func (.param .b32 r) «later»(.param .b32 x);"]
    use = calls.replace("¦", "").replace("table", "¦table")
    assert defined(in_body(use) + below) == [".global .u64 «table»[2];"]


def test_a_name_of_a_function_above_is_not_that_of_the_module_below() -> None:
    use = "\t.shared .u32 later;\n\tmov.u64 %rd1, ¦later;"
    assert defined(in_body(use) + ".global .u64 later;\n") == [".shared .u32 «later»;"]


def test_a_label_below_a_brace_that_continues_a_function_has_its_definition() -> None:
    text = """.visible .entry k(
\t.param .u64 k_param_0,
\tadd.s32 \t%r8, %r7, %r6;
\tst.shared.f32 \t[%r8+16], %f54;
\t.param .f32 k_param_3
)
{
\tsetp.ge.s32 \t%p1, %r2, %r3;
\t@%p1 bra \t¦$L__BB0_2;
$L__BB0_2:
"""
    assert defined(text) == ["«$L__BB0_2»:"]
