"""Inlay hints: the kinds, and above all the places without hints."""

import pytest

from ptx_lsp.config.settings import Hints
from ptx_lsp.explanations.rendering import render_parts
from ptx_lsp.features.choices import Choices
from ptx_lsp.features.inlay_hints import explain, hints_by_statement, inlay_hints
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.opcode_sets import NUMBERS_BY_ROLE
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.features.modules import in_body

EVERYTHING = Range(0, 0, 10_000, 0)
WGMMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %rd1, %rd2, "


def hints_of(statements: str, declarations: str = "", hints: Hints | None = None) -> list[str]:
    """Each hint's label with the text before it (for names, after it)."""
    module = analysed(in_body(statements, declarations))
    return [hint.label for hint in inlay_hints(module, EVERYTHING, Choices(hints=hints or Hints()))]


@pytest.mark.parametrize(
    ("statement", "labels"),
    [
        ("add.s32 %r1, %r2, 0x10+2;", ["= 18"]),
        ("add.s64 %rd1, %rd2, (-1 % 2) - 5;", ["= -4"]),
        ("mul.f32 %f3, %f2, 0f3FB8AA3B;", ["1.442695"]),
        ("mul.f32 %f3, %f2, 0fBFB8AA3B;", ["-1.442695"]),
        ("add.f64 %fd1, %fd2, 0d400921FB54442D18;", ["3.141592653589793"]),
        ("add.s32 %r1, %r2, 0x1ffffffff;", ["-> -1"]),
        ("add.u32 %r1, %r2, 0x1ffffffff;", ["-> 4294967295"]),
        ("ld.global.u32 %r1, [%rd1+4*2];", ["= 8"]),
        ("mov.u32 %r1, WARP_SZ*2;", ["= 64"]),
        ("add.f32 %f1, %f2, 0.5+0.25;", ["= 0.75"]),
        # untyped bits are shown with the width of the place
        ("and.b32 %r1, %r2, ~0xff;", ["= 0xffffff00"]),
        ("and.b64 %rd1, %rd2, ~0xff;", ["= 0xffffffffffffff00"]),
        ("mov.b32 %r1, (1<<5)-1;", ["= 0x1f"]),
        ("mov.b32 %r1, 2+3;", ["= 5"]),
        ("and.b16 %h1, %h2, ~1;", ["= 0xfffe"]),
    ],
)
def test_statements_with_hints(statement: str, labels: list[str]) -> None:
    assert hints_of(statement) == labels


@pytest.mark.parametrize(
    "statement",
    [
        "add.s32 %r1, %r2, 3;",
        "add.s32 %r1, %r2, -1;",
        "add.u32 %r1, %r2, -1;",  # the bits that are lost are only sign bits
        "add.s32 %r1, %r2, 0xffffffff;",
        "add.s32 %r1, %r2, (5);",
        "mov.u32 %r1, WARP_SZ;",
        "ld.global.u32 %r1, [%rd1];",
        "ld.global.u32 %r1, [%rd1+8];",
        "ld.global.u32 %r1, [%rd1+-8];",
        "add.f32 %f1, %f2, 1.5;",
        "add.f32 %f1, %f2, -1.5;",
        "add.f32 %f1, %f2, 0f00000000;",
        "add.f32 %f1, %f2, 0f80000000;",
        "add.f32 %f1, %f2, 0f3F800000;",
        "add.f32 %f1, %f2, 0fBF800000;",
        "add.f32 %f1, %f2, 0f3F000000;",
        "add.f32 %f1, %f2, 0f40000000;",
        "add.f64 %fd1, %fd2, 0d3FF0000000000000;",
        "add.s32 %r1, %r2, 1/0;",
        "shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;",
    ],
)
def test_statements_without_hints(statement: str) -> None:
    assert hints_of(statement) == []


def test_initial_values_have_hints() -> None:
    assert hints_of("", ".global .u32 t[4] = {1, -1, 2+3, 0x1ffffffff};") == ["= 5", "-> 4294967295"]
    assert hints_of("", ".global .f32 f[2] = {0f3FB8AA3B, 0f3F800000};") == ["1.442695"]
    assert hints_of("", ".global .u64 p = generic(t) + 8;") == []


def test_operand_names_of_matrix_instructions() -> None:
    statement = WGMMA + "%p1, 1, -1, 0, 1;"
    # VOICE 14: wgmma's tail `p, 1, -1, 0, 1`
    assert hints_of(statement) == ["imm-scale-a:", "imm-scale-b:", "imm-trans-a:", "imm-trans-b:"]
    assert hints_of(statement, hints=Hints(operand_names="off")) == []


def test_operand_names_can_be_shown_on_all_instructions() -> None:
    assert "a:" not in hints_of("add.s32 %r1, %r2, 3;", hints=Hints(operand_names="all"))
    assert hints_of("add.s32 %r1, %r2, 3;", hints=Hints(operand_names="all")) == ["b:"]


@pytest.mark.parametrize(
    ("hints", "labels"),
    [
        (Hints(folded_values=False), ["1.442695", "-> -1"]),
        (Hints(hex_floats=False), ["= 3", "-> -1"]),
        (Hints(truncated_values=False), ["= 3", "1.442695"]),
    ],
)
def test_each_kind_can_be_switched_off(hints: Hints, labels: list[str]) -> None:
    statements = "add.s32 %r1, %r2, 1+2;\nmul.f32 %f1, %f2, 0f3FB8AA3B;\nadd.s32 %r1, %r2, 0x1ffffffff;"
    assert hints_of(statements, hints=hints) == labels


def test_hints_are_only_in_the_requested_lines() -> None:
    module = analysed(in_body("add.s32 %r1, %r2, 1+2;\nadd.s32 %r1, %r2, 2+2;\nadd.s32 %r1, %r2, 3+2;"))
    line = next(n for n in range(module.document.line_count) if "2+2" in module.document.line(n))
    assert [hint.label for hint in inlay_hints(module, Range(line, 0, line, 99))] == ["= 4"]


def test_the_tooltip_shows_type_and_steps() -> None:
    module = analysed(in_body("add.s32 %r1, %r2, (1+2)*3;\nmul.f32 %f1, %f2, 0f3FB8AA3B;"))
    folded, hexadecimal = inlay_hints(module, EVERYTHING)
    text = render_parts(explain(module, folded.about), markdown=False)
    assert "9 .s64" in text
    assert "1 + 2 = 3 (.s64)" in text
    assert "3 * 3 = 9 (.s64)" in text
    assert "exact 1.44269502162933349609375" in render_parts(explain(module, hexadecimal.about), markdown=False)


def test_the_position_of_a_hint_is_after_its_text() -> None:
    module = analysed(in_body("add.s32 %r1, %r2, 0x10+2;"))
    (hint,) = inlay_hints(module, EVERYTHING)
    line = module.document.line(hint.position.line)
    assert line[: hint.position.column].endswith("0x10+2")
    assert line[hint.about.column :].startswith("0x10+2")


def test_only_the_first_elements_of_a_long_array_are_evaluated() -> None:
    table = ".global .u32 t[6000] = {" + ",".join(["1+1"] * 6_000) + "};"
    assert 0 < len(hints_of("", table)) <= 5_000


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("lop3.b32 %r1, %r2, %r3, %r4, 0xE8;", ["majority"]),
        ("lop3.b32 %r1, %r2, %r3, %r4, 150;", ["a ^ b ^ c"]),
        ("prmt.b32 %r1, %r2, %r3, 0x5410;", ["b1 b0 a1 a0"]),
        ("prmt.b32 %r1, %r2, %r3, 21520;", ["b1 b0 a1 a0"]),
        ("prmt.b32.f4e %r1, %r2, %r3, 1;", ["b0 a3 a2 a1"]),
        ("mov.b32 %f1, 1065353216;", ["1.0"]),
        ("mov.b32 %r1, 1127219200;", ["0x43300000"]),
        ("mov.b32 %r1, 1127219200; ld.f32 %f1, [%rd1+4096];", ["0x43300000"]),
        ("and.b32 %r1, %r2, 2147483647;", ["0x7fffffff"]),
        ("and.b32 %r1, %r2, -65536;", ["0xffff0000"]),
        ("xor.b16 %h1, %h2, -32768;", ["0x8000"]),
        ("bar.sync 1, 128;", ["barrier:", "threads:"]),
        ("mbarrier.init.shared::cta.b64 [%rd1], 4;", ["arrivals:"]),
        ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%rd1], 32768;", ["bytes:"]),
        ("setmaxnreg.inc.sync.aligned.u32 232;", ["registers:"]),
        # these say enough
        ("bar.sync 0;", []),
        ("and.b32 %r1, %r2, 255;", []),
        ("and.b32 %r1, %r2, 0x7fffffff;", []),
        ("mov.b32 %r1, 1000000;", []),
        ("mov.b32 %r1, 64;", []),
        ("mov.b32 %f1, 0;", []),
        ("add.s32 %r1, %r2, 123456789;", []),
        ("prmt.b32 %r1, %r2, %r3, %r4;", []),
    ],
)
def test_integers_whose_bits_have_a_meaning(statement: str, expected: list[str]) -> None:
    assert hints_of(statement) == expected


@pytest.mark.parametrize(
    ("hints", "statement"),
    [
        (Hints(lookup_tables=False), "lop3.b32 %r1, %r2, %r3, %r4, 0xE8;"),
        (Hints(byte_selectors=False), "prmt.b32 %r1, %r2, %r3, 0x5410;"),
        (Hints(float_bits=False, hex_immediates=False), "mov.b32 %f1, 1065353216;"),
        (Hints(hex_immediates=False), "and.b32 %r1, %r2, 2147483647;"),
        (Hints(synchronization=False), "bar.sync 1, 128;"),
    ],
)
def test_each_kind_of_integer_can_be_switched_off(hints: Hints, statement: str) -> None:
    assert hints_of(statement, hints=hints) == []


def test_every_name_of_a_number_is_for_a_role_that_exists() -> None:
    for opcode, role in NUMBERS_BY_ROLE:
        row = instruction(opcode)
        assert row is not None
        assert any(role in slot.roles for form in row.forms for slot in form.slots), (opcode, role)


@pytest.mark.parametrize("inserted", ["x", "{", "}", "/*", "\n", '"'])
@pytest.mark.parametrize("line", [40, 700])
def test_hints_are_the_same_if_the_module_is_analysed_while_they_are_found(line: int, inserted: str) -> None:
    body = "".join(f"\tadd.s32 %r1, %r2, 0x10+{number};\n\tadd.s32 %r3, %r1, %r2;\n" for number in range(600))
    text = in_body(body + "\tret;\n}\n.func f()\n{\n\t.reg .b32 %r<9>;\n" + body)
    module = analysed(text)
    module.edit(Range(line, 1, line, 1), inserted)
    found = []
    for hints in hints_by_statement(module, EVERYTHING):
        found += hints
        module.work(0.0)
    assert found == inlay_hints(analysed(module.document.whole()), EVERYTHING)
