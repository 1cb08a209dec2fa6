"""After any edits, every answer of the server is that of a fresh server for the same text."""

import pytest

from ptx_lsp.text.ranges import Range
from tests.analysis.random_edits import SMALL_SIZES, Edits, Step, insert
from tests.analysis.random_tries import example_files, run_tries, with_failures
from tests.server.same_answers import delta_applied, difference

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"


KEPT = {
    "a comment without an end, in a statement": Edits(
        HEAD + ".entry k()\n{\n" + "\t.reg .b32 %r<4>;\n\tmov.b32 %r1, 1;\n" * 12 + "}\n",
        SMALL_SIZES[0],
        (insert(6, 6, "/*"),),
        (),
    ),
    "a header that cuts off another function with a parameter of the same name": Edits(
        HEAD
        + ".visible .entry g(\n\t.param .u64 one,\n\t.param .u32 two\n)\n{\n"
        + "\t.reg .b64 %rd<9>;\n" * 7
        + "\tld.param.u64 %rd2, [one];\n\tld.param.u32 %r3, [two];\n",
        SMALL_SIZES[0],
        (insert(4, 15, ";"), insert(3, 0, ".visible .entry g(\n\t.param .u32 two,\n{\n")),
        (),
    ),
    "names that are used above their declarations between braces, in another block": Edits(
        HEAD
        + ".entry k()\n{\n\t.reg .b32 %r<4>;\n\t{\n"
        + "\tbra here;\n\tmov.b32 %r1, late;\n" * 12
        + "\t.reg .b32 late;\nhere:\n\tret;\n\t}\n}\n",
        SMALL_SIZES[0],
        (insert(12, 0, "\tret;\n"),),
        (),
    ),
    "a parameter that the body declares again, in another block": Edits(
        ".visible .entry gaussian(\n\t.param .u64 gaussian_param_1,\n\t.param .u32 gaussian_param_2,\n",
        SMALL_SIZES[1],
        (
            insert(
                *(1, 20),
                "\t.param .u32 gaussian_param_2,\n{\n\t.shared .align 4 .b8 _ZZ8gaussianE4tile[1056];\n",
            ),
        ),
        (),
    ),
    "a register beyond its family, in another block than the declaration": Edits(
        ".visible .entry scale(.param .u64 data, .param .f32 factor)\n{\n    .reg .b32 %r<4>;\n    .reg .b64 %rd<4>;\n"
        "    .reg .f32 %f<4>;\n    ld.param.u64 %rd1, [data];\n"
        "    mul.f32 %f2, %f2, 0x3f000000;               // an integer constant where a float one is needed\n"
        "    cvt.s32.f32 %r3, %f2;                       // no rounding modifier\n"
        "    st.global.f32 [%rd3], %f9;                  // no such register\n",
        SMALL_SIZES[0],
        (insert(2, 3, "4>;"),),
        (),
    ),
    "an instruction that ends the mistake of a header, with a declaration after it on its line": Edits(
        ".global .align 4 .b8 __cudart_i2opi_f[24] = {65, 144, 67, 60, 153, 149, 98, 219, 192, 221, 52, 245, 209};\n\n"
        ".visible .entry _Z3f64P13__nv_fp6_e2m3P13__nv_fp6_e3m2P15__nv_fp4x4_e2m1P13__nv_fp8_e8m0Pf(\n"
        "\tld.global.f32 \t%f5, [%rd1];\n\tcvt.f64.f32 \t%fd1, %f5;\n\tshr.u64 \t%rd29, %rd2, 52;\n"
        "\tcvt.u32.u64 \t%r29, %rd29;\n\tadd.s32 \t%r1, %r29, 2;\n\tshr.u64 \t%rd30, %rd2, 49;\n"
        "\tcvt.u32.u64 \t%r2, %rd30;\n",
        SMALL_SIZES[0],
        (Step(Range(1, 24, 2, 2), "0", "all"), Step(Range(3, 0, 3, 4), "F;", "all")),
        (),
    ),
    "a declaration without its dot, above a place of completion": Edits(
        HEAD
        + ".entry k()\n{\n\t.reg .b64 %rd<8>;\n\t{\n\tmov.u64 %rd1, 0;\n\tmov.u64 %rd1, 0;\n"
        + "\tcvta.to.global.u64 \t%rd3, %rd1;\n"
        + "\tshl.b64 %rd2, %rd1, 5;\n" * 6,
        SMALL_SIZES[1],
        (Step(Range(9, 0, 9, 9), "", "all"),),
        (),
    ),
    "a declaration without its dot, and the semantic tokens of the names that it declares": Edits(
        HEAD
        + ".entry k()\n{\n\t.reg .b64 %rd<8>;\n\t{\n\tmov.u64 %rd1, 0;\n"
        + "\tcvta.to.global.u64 \t%rd3, %rd1;\n"
        + "\tshl.b64 %rd2, %rd1, 5;\n" * 6,
        SMALL_SIZES[1],
        (Step(Range(8, 0, 8, 9), "", "all"),),
        (),
    ),
    "names after a mistake in an instruction, which the parser skips": Edits(
        HEAD + ".entry k()\n{\n\t.reg .b32 %r<32>;\n" + "\tmov.u32 %r8, -1;\n" * 9,
        SMALL_SIZES[1],
        (insert(11, 0, "\tcvta.to.globa\tshfl.sync.bfly.b32 \t%r15, %r13, %r14, %r8;\n"),),
        (),
    ),
    "a broken declaration that ends with a comma, above a place of completion": Edits(
        "// One word of padding per row keeps the columns of a warp in different banks.\n"
        ".shared .align 16 .b8 tile[4224];                     // 32 rows of (32 + 1) * 4 bytes; PTX wants a literal"
        " here"
        "\n\n.visible .entry transpose(\n    .param .u64 .ptr .global .align 16 input,\n"
        "    .param .u64 .ptr .global .align 16 output,\n    .param .u32 pitch                           // floats in"
        " a row\n)\n.reqntid 32, 8, 1\n    .reg .f32 %value, %scale;\n",
        SMALL_SIZES[1],
        (Step(Range(0, 24, 4, 10), "0", "all"),),
        (),
    ),
    "a brace outside of functions": Edits(
        ".addres<\n.visi;ble .entry k(.param .u64 data)\n{\n"
        + ".reg .b32 %r<4>;\n.reg .b32 %r<4>;\nbra done;\nad %r2, %r1;\n",
        SMALL_SIZES[1],
        (insert(1, 5, "%r1"),),
        (),
    ),
    "a variable with the name of a register, in another block below the uses of that": Edits(
        HEAD + ".entry k()\n{\n\t.reg .b64 %rd<4>;\n" + "\tadd.s64 %rd1, %rd2, 1;\n" * 12 + "\tret;\n}\n",
        SMALL_SIZES[0],
        (insert(18, 0, "\n"), insert(19, 0, "\t.shared .b64 %rd1;\n")),
        (),
    ),
}


@pytest.fixture(autouse=True)
def _no_fresh_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)


@pytest.mark.parametrize("name", KEPT)
def test_edits_that_have_changed_an_answer(name: str) -> None:
    assert difference(KEPT[name]) is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_edits(seed: int) -> None:
    assert list(run_tries(example_files(), range(3), seed, with_failures(difference))) == []


def test_the_difference_of_semantic_tokens_is_applied_from_its_end() -> None:
    edits = [{"start": 1, "deleteCount": 2, "data": [7]}, {"start": 4, "deleteCount": 1}]
    assert delta_applied([0, 1, 2, 3, 4, 5], {"edits": edits}) == [0, 7, 3, 5]
