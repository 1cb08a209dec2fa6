"""A preferred fix keeps what the author evidently wrote; every other fix is unsafe and says what it changes."""

import pytest

from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.fixes.fix import Edit, Fix, Safety, apply_edits
from ptx_lsp.fixes.fix_all import compatible, fix_all
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.mdtest.fences import Fence


def module_of(body: str) -> str:
    return Fence("", "", 0, frozenset({"body"}), {"target": "sm_90"}, body + "\n").text


def offered(body: str) -> list[Fix]:
    module = analysed(module_of(body))
    return [fix for finding in module.findings() for fix in fixes(finding, module)]


CHANGES_THE_RESULT = [
    "imad.s32 %r1, %r2, %r3, %r4;",
    "mul.s32 %r1, %r2, %r3;",
    "mad.s32 %r1, %r2, %r3, %r4;",
    "st.const.u32 [%rd1], %r1;",
    "cp.async.cg.global.shared [%rd2], [%r1], 16;",
    "sub.sat.u32 %r1, %r2, %r3;",
    "abs.u32 %r1, %r2;",
    "mad.hi.sat.u32 %r1, %r2, %r3, %r4;",
    "div.b32 %r1, %r2, %r3;",
    "max.b32 %r1, %r2, %r3;",
    "setp.lt.b32 %p1, %r1, %r2;",
    "mul.wide.b32 %rd1, %r2, %r3;",
    "cvt.b64.b32 %rd1, %r2;",
    "add %r1, %r2, %r3;",
    "add.s32 %r1, %r2, ;",
    "add.s32 %r1, %r2m %r3;",
    "L1\nret;",
    "add.s32 , %r2, %r3;",
    "add.s32 %r1, %r2\nret;",
    "add.s32 %r1, %r2, %r3l\nret;",
    ".reg.b16 %x = zluda.const.b16 22136;",
    "ld.global.v3.f32 {%f1, %f2, %f3}, [%rd1];",
    "exp.f32 %f1, %f2;",
    "cvt.s32.f32 %r1, %f1;",
    "cvt.rn.s32.f32 %r1, %f1;",
    "cvt.rn.f32.f16 %h1, %f1;",
    "cvt.rzi.f64.f32 %fd1, %f1;",
    "div.f32 %f1, %f2, %f3;",
    "mul.f32 %f1, %f2, 2;",
    "setp.l.s32 %p1, %r1, %r2;",
    "mul.r.f32 %f1, %f2, %f3;",
    "ma %r1, %r2, %r3, %r4;",
    "iadd.s32 %r1, %r2, %r3;",
    "fmul.f32 %f1, %f2, %f3;",
    "ld.global.u33 %r1, [%rd1];",
    "mov.u32 %r1, [%rd1];",
    "vadd.s32.s32.u32.s32 %r1, %r2, %r3;",
    "wmma.load.a.sync.aligned.row.m16n16k16.global.u8 {%r1, %r2}, %r3;",
]


@pytest.mark.parametrize("body", CHANGES_THE_RESULT)
def test_what_changes_the_result_is_not_preferred(body: str) -> None:
    assert [fix for fix in offered(body) if fix.safe or fix.preferred] == []
    text = module_of(body)
    assert fix_all(text) == (text, 0)


@pytest.mark.parametrize(
    "name", ["%laneId", "sun", "INFINITY", "%tidx", "%warpsize", "WARPSZ", "M_PI", "nan", "blockDim", "r1", "tile4"]
)
def test_no_safe_fix_declares_a_name_that_is_only_read(name: str) -> None:
    text = module_of(f"mov.b32 %r1, {name};\nadd.s32 %r2, %r1, 1;\nst.b32 [%rd1], %r2;")
    assert f".reg .b32 {name};" not in fix_all(text).text


def test_what_an_inner_block_writes_is_another_register() -> None:
    text = module_of("{ .reg .b32 %t; mov.b32 %t, 1; st.b32 [%rd1], %t; }\n@%t mov.b32 %r1, 1;\nst.b32 [%rd1], %r1;")
    assert fix_all(text) == (text, 0)


RESTORED = [
    ("mma.sync.m16n8k8.row.col.f32.tf32.tf32.f32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"),
    ("ldmatrix.x4.shared.b16", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
    ("ld.gloabl.f32", "ld.global.f32"),
    ("addd.s32", "add.s32"),
    ("MUL.lo.s32", "mul.lo.s32"),
    ("atom.global.add.s64", "atom.global.add.u64"),
    ("xor.u32", "xor.b32"),
    ("load.global.f32", "ld.global.f32"),
]
OPERANDS = {
    "mma": "{%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}",
    "ldmatrix": "{%r1, %r2, %r3, %r4}, [%rd1]",
    "ld": "%f1, [%rd1]",
    "load": "%f1, [%rd1]",
    "atom": "%rd1, [%rd2], %rd3",
}


@pytest.mark.parametrize(("wrong", "right"), RESTORED)
def test_what_is_evident_is_preferred_and_in_the_order_of_the_manual(wrong: str, right: str) -> None:
    operands = OPERANDS.get(wrong.split(".")[0], "%r1, %r2, %r3")
    fixed = fix_all(module_of(f"{wrong} {operands};"))
    assert f"{right} {operands};" in fixed.text
    assert fixed.made == 1


ONLY_ONE_FITS = [
    ("foo.wide.s32 %rd1, %r2, %r3;", "mul"),
    ("fmul.lo.s32 %r1, %r2, %r3;", "mul"),
    ("umul.wide.u32 %rd1, %r2, %r3;", "mul"),
    ("foo.rn.f32 %f1, %f2, %f3, %f4;", "fma"),
    ("convert.rn.f32.s32 %f1, %r2;", "cvt"),
    ("compare.lt.s32 %p1, %r1, %r2;", "setp"),
    ("foo.to.global.u64 %rd1, %rd2;", "cvta"),
    ("foo.shared.f32 [%rd1], %f1;", "st"),
]


@pytest.mark.parametrize(("body", "opcode"), ONLY_ONE_FITS)
def test_the_only_opcode_that_takes_the_modifiers_and_operands_is_preferred(body: str, opcode: str) -> None:
    (fix,) = [each for each in offered(body) if each.preferred]
    assert fix.title == f"write `{opcode}`"


SEVERAL_FIT = [
    "foo.f32 %f1, %f2, %f3;",
    "foo.rn.f32 %f1, %f2, %f3;",
    "foo.lo.cc.u32 %r1, %r2, %r3, %r4;",
    "lea.global.u64 %rd1, [%rd2];",
    "iadd.wide.s32 %rd1, %r2, %r3;",
]


@pytest.mark.parametrize("body", SEVERAL_FIT)
def test_an_opcode_that_several_words_or_a_habit_can_mean_is_not_preferred(body: str) -> None:
    assert [each for each in offered(body) if each.preferred] == []


def test_operands_show_which_state_space_comes_first() -> None:
    (fix,) = [each for each in offered("cp.async.cg.global.shared [%r1], [%rd1], 16;") if each.preferred]
    assert fix.edits[0].text == "cp.async.cg.shared.global"


def test_swapped_operands_are_swapped_back() -> None:
    text = module_of("st.global.f32 %f1, [%rd1];")
    assert "st.global.f32 [%rd1], %f1;" in fix_all(text, unsafe=True).text


def test_unsafe_fixes_are_made_only_on_request() -> None:
    text = module_of("mul.f32 %f1, %f2, 2;")
    assert fix_all(text).made == 0
    assert "mul.f32 %f1, %f2, 2.0;" in fix_all(text, unsafe=True).text


def test_fixes_that_conflict_are_not_made_in_one_round() -> None:
    first = Fix("first", (Edit(Range(3, 4, 3, 8), "x"),), Safety.SAFE)
    inside = Fix("inside", (Edit(Range(3, 6, 3, 7), "y"),), Safety.SAFE)
    after = Fix("after", (Edit(Range(3, 8, 3, 9), "z"),), Safety.SAFE)
    assert compatible([first, inside, after]) == [first, after]


def test_several_mistakes_are_fixed_together() -> None:
    fixed = fix_all(module_of("addd.f32 %f1, %f2, %f3;\nadd.s32 %r1, %r2 %r3;\nmov.b32 %r4, 1"))
    assert "add.f32 %f1, %f2, %f3;\nadd.s32 %r1, %r2, %r3;\nmov.b32 %r4, 1;" in fixed.text
    assert fixed.made == 3


@pytest.mark.parametrize("body", [body for body in CHANGES_THE_RESULT if not body.startswith(("exp", "st.const"))])
def test_at_most_one_fix_is_preferred_and_each_makes_another_text(body: str) -> None:
    found = offered(body)
    text = module_of(body)
    assert sum(fix.preferred for fix in found) <= 1
    assert all(apply_edits(text, fix.edits) != text for fix in found)


def test_one_register_that_is_declared_alone_is_declared_alone_again() -> None:
    text = module_of(
        ".reg .b32 %x1, %x3;\nmov.b32 %x1, 1;\nmov.b32 %x2, %x1;\nadd.s32 %x3, %x2, %x2;\nmov.b32 %r1, %x3;"
    )
    fixed = fix_all(text)
    assert fixed.made == 1
    assert ".reg .b32 %x2;" in fixed.text


MISSPELT_RESULT = """
.reg .b32 %sum, %step;
mov.b32 %step, 4;
add.s32 %total, %step, 1;
st.b32 [%rd1], %sum;
"""


def test_the_one_register_that_nothing_writes_is_what_an_unread_result_means() -> None:
    fixed = fix_all(module_of(MISSPELT_RESULT))
    assert "add.s32 %sum, %step, 1;" in fixed.text
    assert fixed.made == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("st.b32 [%rd1], %sum;", "st.b32 [%rd1], %sum; st.b32 [%rd1], %total;"),
        ("st.b32 [%rd1], %sum;", ".reg .b32 %other; st.v2.b32 [%rd1], {%sum, %other};"),
        ("mov.b32 %step, 4;", "mov.b32 %step, 4; mov.b32 %sum, 0;"),
        ("mov.b32 %step, 4;", "mov.b32 %step, %sum;"),
        (".reg .b32 %sum, %step;", ".reg .b64 %sum; .reg .b32 %step;"),
        ("st.b32 [%rd1], %sum;", "mov.b32 %r1, 0;"),
        ("st.b32 [%rd1], %sum;", "mov.b32 %other, 5;\nst.b32 [%rd1], %sum;"),
    ],
    ids=[
        "it is read",
        "two are not written",
        "it is written",
        "read above only",
        "another type",
        "it is not read",
        "two results",
    ],
)
def test_an_unread_result_is_not_given_to_a_register_that_may_be_another_one(old: str, new: str) -> None:
    body = MISSPELT_RESULT.replace(old, new)
    if new.startswith("mov.b32 %step, %sum"):
        body = body.replace("st.b32 [%rd1], %sum;", "")
    assert "add.s32 %sum" not in fix_all(module_of(body)).text


@pytest.mark.parametrize(
    ("body", "fixed"),
    [
        ("cvt.rn.b32.f64 %f1, %fd1;", "cvt.rn.f32.f64 %f1, %fd1;"),
        ("sqrt.approx.b32 %f1, %f2;", "sqrt.approx.f32 %f1, %f2;"),
        ("add.b32 %f1, %f2, %f3;", "add.f32 %f1, %f2, %f3;"),
        ("setp.gt.b32 %p1, %f1, %f2;", "setp.gt.f32 %p1, %f1, %f2;"),
        ("mov.f32 %r1, 0x0;", "mov.f32 %r1, 0f00000000;"),
        ("st.global.f64 [%rd1], 0;", "st.global.f64 [%rd1], 0.0;"),
    ],
)
def test_the_only_type_or_value_that_can_be_meant_is_preferred(body: str, fixed: str) -> None:
    assert fixed in fix_all(module_of(body)).text


def test_the_only_order_of_types_that_exists_is_preferred_and_layouts_keep_theirs() -> None:
    first = "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}"
    operands = f"{first}, {{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}}"
    wrong, right = ".m16n16k16.bf16.f32.bf16.f32", ".m16n16k16.f32.bf16.bf16.f32"
    fixed = fix_all(module_of(f"wmma.mma.sync.aligned.row.col{wrong} {operands};"))
    assert f"wmma.mma.sync.aligned.row.col{right} {operands};" in fixed.text
