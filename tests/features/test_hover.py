"""Hover at a place. Expected values and types were computed by hand or observed with ptxas 13.5, never copied."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_lsp.constants import evaluation
from ptx_lsp.constants.authorities import Authority
from ptx_lsp.explanations.counts import count_uses
from ptx_lsp.explanations.rendering import render_parts
from ptx_lsp.features.choices import Choices
from ptx_lsp.features.hover import hover, hover_steps
from ptx_lsp.features.inlay_hints import inlay_hints
from ptx_lsp.steps import result_of
from ptx_lsp.syntax.tree import Instruction, Term
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed
from tests.features.modules import hover_text, in_body, marked


def underlined(text: str) -> str:
    """The text that the hover at the cursor is about."""
    module, position = marked(text)
    found = hover(module, position)
    return "" if found is None else module.document.text(found.range)


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        # VOICE 13: ptxas has an unsigned remainder, Table 5 a signed one
        (
            "add.s64 %rd1, %rd2, ((-1 % 2) - 5) ¦/ 2;",
            ["9223372036854775806", "0x7ffffffffffffffe", ".u64", "ISA Table 5: -2"],
        ),
        # all authorities agree after the conversion to .s64
        ("add.s64 %rd1, %rd2, (-1 % 2) ¦- 5;", ["18446744073709551612 .u64", "as .s64 (b of add.s64): -4"]),
        # VOICE 10
        ("add.s32 %r1, %r2, ¦0x1ffffffff;", ["8589934591 .s64", "33-bit value", "0xffffffff (-1)"]),
        # VOICE 12
        ("mul.f32 %f3, %f2, ¦0f3FB8AA3B;", ["1.442695 .f32", "about log2(e)", "exact 1.44269502162933349609375"]),
        (
            "add.f64 %fd1, %fd2, ¦0d400921FB54442D18;",
            ["3.141592653589793 .f64", "about pi", "exact 3.14159265358979311599"],
        ),
        ("add.f32 %f1, %f2, ¦0f33800000;", ["5.9604645e-08 .f32", "= 2^-24"]),
        ("mov.u32 %r1, ¦WARP_SZ;", ["threads in a warp", "32 .s64"]),
        ("add.s32 %r1, %r2, -¦1;", ["1 .s64", "in -1: -1 .s32"]),
        ("add.s32 %r1, %r2, 3 ¦> 2U;", ["1 .s64", "3 > 2 = 1"]),
        (
            "add.f32 %f1, %f2, 0.1 ¦+ 0.2;",
            ["0.30000000000000004 .f64", "0x3fd3333333333334", "as .f32 (b of add.f32): 0.3"],
        ),
        ("ld.global.u32 %r1, [%rd1+4*¦(2+1)];", ["3 .s64", "in 4*(2+1): 12"]),
        ("selp.b32 %r1, 4 ¦& 6, 2, %p1;", ["4 .s64"]),
    ],
)
def test_a_constant_shows_its_value_and_type(statement: str, wanted: list[str]) -> None:
    text = hover_text(in_body(statement))
    for part in wanted:
        assert part in text


def test_authorities_that_agree_are_not_named() -> None:
    assert "ISA" not in hover_text(in_body("add.s64 %rd1, %rd2, (-1 % 2) ¦- 5;"))
    assert "ISA" not in hover_text(in_body("add.s64 %rd1, %rd2, 7 ¦/ 2;"))


def test_the_authority_is_the_users_choice() -> None:
    statement = in_body("add.s64 %rd1, %rd2, ((-1 % 2) - 5) ¦/ 2;")
    assert hover_text(statement, Authority.ISA).startswith("-2 .s64")


@pytest.mark.parametrize(
    ("statement", "about"),
    [
        ("add.s64 %rd1, %rd2, ((-1 % 2) - 5) ¦/ 2;", "((-1 % 2) - 5) / 2"),
        ("add.s64 %rd1, %rd2, ((-1 ¦% 2) - 5) / 2;", "-1 % 2"),
        ("add.s64 %rd1, %rd2, (¦(-1 % 2) - 5) / 2;", "(-1 % 2)"),
        ("add.s64 %rd1, %rd2, 1¦+2;", "1+2"),
        ("add.s64 %rd1, %rd2, ¦1+2;", "1"),
        ("ld.global.u32 %r1, [%rd1+4 ¦* 2];", "4 * 2"),
        ("ld.global.u32 %r1, [¦%rd1+4];", "%rd1"),
        ("ld.global.u32 %r1, [%rd1 ¦+ 4];", "%rd1"),
        ("mov.u32 %r1, %tid¦.x;", "%tid.x"),
        ("add¦.s32 %r1, %r2, 3;", ".s32"),
        ("@¦%p1 add.s32 %r1, %r2, 3;", "%p1"),
        ("add.s32 %r1, %r2, 1/¦0;", "0"),
    ],
)
def test_the_range_of_a_hover(statement: str, about: str) -> None:
    assert underlined(in_body(statement)) == about


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        (
            "add.u32 %r1, ¦%r2, 3;",
            [".reg .b32 %r<9>", ".b32 register, one of %r0 to %r8", "a of add.u32: read as .u32"],
        ),
        ("ld.global.u8 ¦%r1, [%rd1];", ["written as .u8, zero-extended to 32 bits"]),
        ("ld.global.s8 ¦%rd1, [%rd2];", ["written as .s8, sign-extended to 64 bits"]),
        ("st.global.b8 [%rd1], ¦%r1;", ["read as .b8, the low 8 of its 32 bits"]),
        ("ld.global.u32 %r1, [¦%rd1+4];", ["the address"]),
        ("ld.param.u64 %rd1, [¦input];", [".param parameter of the kernel of type .u64"]),
        ("setp.eq.s32 ¦%p1, %r1, 0;", [".pred register", "written as .pred"]),
    ],
)
def test_registers_and_parameters(statement: str, wanted: list[str]) -> None:
    text = hover_text(in_body(statement))
    for part in wanted:
        assert part in text


def test_an_expression_that_takes_long_is_not_evaluated_again(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    run = evaluation._Run

    def counted(terms: tuple[Term, ...], authority: Authority) -> evaluation._Run:
        begun.append(len(terms))
        return run(terms, authority)

    monkeypatch.setattr(evaluation, "_Run", counted)
    module = analysed(in_body("mov.u32 %r1, 1" + "+1" * 20_000 + ";"))
    line = next(n for n in range(module.document.line_count) if "mov.u32" in module.document.line(n))
    by_the_analysis = len(begun)
    assert by_the_analysis > 0
    assert hover(module, Position(line, module.document.line(line).index("1+1"))) is None
    assert inlay_hints(module, Range(0, 0, module.document.line_count, 0)) == []
    assert len(begun) == by_the_analysis
    shown = hover(module, Position(line, module.document.line(line).index("mov") + 1))
    assert shown is not None


def test_an_array_with_more_elements_than_addresses() -> None:
    module = analysed(f".version 9.4\n.target sm_90\n.global .u8 g{'[2]' * 14_300};\n")
    found = hover(module, Position(2, 12))
    assert found is not None
    shown = render_parts(found.parts, markdown=False)
    assert "array [2][2]" in shown
    assert "bytes" not in shown
    assert len(shown) < 2_000


def test_a_variable_shows_its_own_declaration_only() -> None:
    declarations = ".global .align 8 .f32 other, table[4][2];"
    text = hover_text(in_body("ld.global.f32 %f1, [¦table+4];", declarations))
    assert ".global .align 8 .f32 table[4][2]" in text
    assert "array [4][2] of 32 bytes" in text
    assert "other" not in text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (in_body("bra ¦done;\ndone:"), ["done:", "done: label"]),
        (in_body("bra done;\n¦done:"), ["done: label"]),
        (in_body("bra ¦done;\n" + "mov.b32 %r1, 1;\n" * 3000 + "done:"), ["done:", "done: label"]),
        (in_body("").replace("entry k", "entry ¦k"), [".visible .entry k(.param .u64 input)", "k: visible kernel"]),
        (in_body("").replace(" input", " ¦input"), [".param .u64 input"]),
        (in_body("").replace("%r<", "¦%r<"), ["%r<9>: 9 .b32 registers, %r0 to %r8"]),
        (in_body(".reg .v2 .b32 ¦%v<1>;"), ["%v<1>: one register, a vector of 2 .b32, %v0"]),
        (in_body(".reg .pred %one<1>; mov.pred ¦%one0, %p1;"), ["%one0: .pred register, the only one of %one<1>"]),
        (in_body(".reg .v2 .b32 ¦%v<2>;"), ["%v<2>: 2 registers, each a vector of 2 .b32, %v0 to %v1"]),
        (in_body("").replace(".version", "¦.version"), [".version: "]),
        (in_body("").replace("sm_90a", "sm¦_90a"), ["compute capability 9.0", "PTX ISA 8.0 (CUDA 12.0)", "no other"]),
        (in_body("").replace(".reg .f64", ".reg ¦.f64"), [".f64: double-precision float"]),
        (in_body("mov.u32 %r1, ¦%tid.x;"), ["%tid.x: special register, .u32", "https://docs.nvidia.com/"]),
        (in_body("mov.u32 %r1, ¦%clock;"), ["%clock: special register, .u32"]),
    ],
)
def test_names_and_words(text: str, wanted: list[str]) -> None:
    found = hover_text(text)
    for part in wanted:
        assert part in found


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("¦add.s32 %r1, %r2, 3;", ["add.s32 d, a, b;", "it may also have .sat", "https://docs.nvidia.com/cuda/"]),
        ("¦shl.b32 %r1, %r2, 3;", ["shl.b32 d, a, b;", "- d: .b32, written\n- a: .b32\n- b: 32-bit integer"]),
        ("mul¦.wide.s32 %rd1, %r2, 3;", [".wide: the whole product", "- d: .s64, written\n- a, b: .s32"]),
        ("add.rn¦.ftz.f32 %f1, %f2, %f3;", [".ftz: flushes subnormal"]),
        ("¦add.nonsense %r1, %r2, 3;", ["add{.rnd}.f64 d, a, b"]),
        ("setp¦.lt.s32 %p1, %r1, 0;", [".lt: less than\n", "here one of .eq, .ne, .lt"]),
        ("setp¦.lt.f32 %p1, %f1, 0f00000000;", [".lt: less than; false where an operand is NaN"]),
    ],
)
def test_opcodes_and_modifiers(statement: str, wanted: list[str]) -> None:
    text = hover_text(in_body(statement))
    for part in wanted:
        assert part in text


def test_a_form_shows_its_first_version_and_targets() -> None:
    text = hover_text(in_body("¦add.u16x2 %r1, %r2, %r3;"))
    assert "needs PTX ISA 8.0 (CUDA 12.0) and sm_90 or later" in text


@pytest.mark.parametrize("text", ["¦", "¦\n", "// ¦comment", in_body("").replace("{\n", "{¦\n"), "¦\x00", "add ¦"])
def test_places_without_a_hover(text: str) -> None:
    assert hover_text(text) == ""


SAMPLE = in_body(
    "add.s32 %r1, %r2, (1+2)*3;\nld.global.v4.f32 {%f1,%f2,_,%f4}, [%rd1+-8];\n@!%p1 bra $L1;\n"
    "$L1: mov.u32 %r1, %tid.x;\n"
    "mul.f32 %f1, %f2, 0f3FB8AA3B;\nadd.s32 %r1, %r2, 1/0;\nfoo.bar %r1, [a, {b, c|d}], 08;\n",
    ".global .u32 tab[4] = {1, 2+3, {4}, 0x1ffffffff};\n.shared .align 16 .b8 s[];",
)
MODULE = analysed(SAMPLE)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.integers(-2, SAMPLE.count("\n") + 3), st.integers(-2, 90))
def test_no_position_raises_and_every_range_contains_it(line: int, column: int) -> None:
    line, column = max(line, 0), max(column, 0)
    found = hover(MODULE, Position(line, column))
    if found is not None:
        render_parts(found.parts, markdown=True)
        assert found.range.line <= line <= found.range.end_line
        assert MODULE.document.text(found.range)


def test_a_family_that_is_declared_again_below() -> None:
    """Blocks below declare the same name: the hover on a declaration is about that declaration."""
    returns = "\tret;\n" * 300
    module = analysed(in_body(f"{returns}\t.reg .b32 %again<38>;\n{returns}\t.reg .b32 %again<4>;\n"))
    line = next(n for n in range(module.document.line_count) if "%again" in module.document.line(n))
    found = hover(module, Position(line, module.document.line(line).index("%again")))
    assert found is not None
    assert "%again37" in render_parts(found.parts, markdown=False)


@pytest.mark.parametrize("part", [".be", ".b", ".h", ".hx", ".xy", ".x1", ".wide"])
def test_a_part_that_is_no_byte_or_half_of_a_register_is_not_called_one(part: str) -> None:
    found = hover_text(in_body(f"mov.b32 %r1, %r¦2{part};"))
    assert "%r<" in found
    assert "counted" not in found


def test_an_instruction_with_an_empty_vector() -> None:
    assert "st" in hover_text(".version 9.4\n.target sm_90\n.func f()\n{\n\ts¦t.u32 [%rd3+8], {\n")


@pytest.mark.parametrize("between", [1, 3000])
def test_a_label_that_is_an_operand_in_its_nested_scope_and_has_no_branch_there(between: int) -> None:
    text = in_body("{\nmov.b64 %rd1, ¦here;\n" + "mov.b32 %r1, 1;\n" * between + "here:\nret;\n}")
    module, position = marked(text)
    found = hover(module, position)
    assert found is not None
    assert "`here`: label" in render_parts(found.parts, markdown=True)


def test_a_label_of_a_nested_scope_that_is_defined_in_a_block_below() -> None:
    """The branch and its label are in one pair of braces, hundreds of lines apart."""
    returns = "\tret;\n" * 300
    module = analysed(in_body(f"{returns}\t{{\n\tbra $Inner;\n{returns}$Inner:\n\tret;\n\t}}\n"))
    lines = [module.document.line(n) for n in range(module.document.line_count)]
    branch = next(n for n, text in enumerate(lines) if "bra $Inner" in text)
    position = Position(branch, lines[branch].index("$Inner"))
    for above in ("\tret;\n", ""):
        module.edit(Range(branch, 0, branch, 0), above)
        module.work()
        position = Position(position.line + above.count("\n"), position.column)
        found = hover(module, position)
        assert found is not None
        assert "label" in render_parts(found.parts, markdown=False)
    assert not [f for f in module.findings() if f.code == "undefined-label"]


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        (".b64 ¦depot", ".local .b8 depot[8]"),
        (".b64 ¦input", ".param .u64 input"),
        (".b32 ¦$L__text", "`$L__text`: label of a section"),
        ("row: .4byte ¦$L__text", "`$L__text`: label of a section"),
        ("¦.4byte 1", "`.4byte`: 32 untyped bits, the same as `.b32`"),
        ("row: .q¦uad 1", "`.quad`: 64 untyped bits, the same as `.b64`"),
        (".b64 ¦$L__begin", "$L__begin:"),
    ],
)
def test_names_in_debug_data(row: str, wanted: str) -> None:
    text = in_body("$L__begin:\n\t.local .b8 depot[8];\n")
    found = hover_text(f"{text}.section .debug_info\n{{\n$L__text:\n.b8 0\n{row}\n}}\n")
    assert wanted.replace("`", "") in found.replace("`", "")


def test_a_modifier_of_two_matrices_is_explained_once() -> None:
    registers = ", ".join("%r1" for _ in range(8))
    vector = f"{{{registers}}}"
    statement = f"wm¦ma.mma.sync.aligned.row.row.m32n8k16.f32.f32 {{{', '.join(['%f1'] * 8)}}}, {vector}, {vector}, "
    found = hover_text(in_body(statement + f"{{{', '.join(['%f1'] * 8)}}};"))
    assert found.count("the matrix is row-major") == 1


def test_what_two_sentences_need_is_written_once() -> None:
    text = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::by¦tes [%r1], [%rd1], 64, [%r2];"
    assert hover_text(in_body(text)).count("PTX ISA 8.0") == 1


def test_a_call_says_how_it_is_written() -> None:
    assert "call (result), function, (argument);" in hover_text(in_body("ca¦ll f;", ".func f() { ret; }"))


@pytest.mark.parametrize(
    ("above", "shown"),
    [
        ("// Scales all elements.\n// One block for each row.\n", "Scales all elements. One block for each row."),
        ("// Scales all elements.\n//-----\n\t// .globl\tscale\n", "Scales all elements."),
        ("\t// .globl\tscale                   // -- Begin function scale\n", ""),
        ("// BEGIN FUNCTION DEF: scale\n", ""),
        ("// Of the line above.\n\n", ""),
    ],
)
def test_the_comment_above_a_function(above: str, shown: str) -> None:
    found = hover_text(
        f".version 9.4\n.target sm_90\n.address_size 64\n{above}.visible .func\nsca¦le()\n{{\n\tret;\n}}\n"
    )
    assert shown in found
    assert "function" in found
    assert ("globl" in found, "BEGIN" in found, "line above" in found) == (False, False, False)


def test_the_comment_above_a_variable() -> None:
    head = ".version 9.4\n.target sm_90\n.address_size 64\n// Weights of the filter.\n.const .f32 weights[4];\n"
    found = hover_text(head + ".func f()\n{\n\t.reg .f32 %f;\n\tld.const.f32 %f, [wei¦ghts+4];\n\tret;\n}\n")
    assert "Weights of the filter." in found


def test_a_hover_pauses_after_each_statement_that_it_reads() -> None:
    declared = "\t.reg .b32 %other<9>;\n" * 20
    uses = "\tadd.s32 %r1, %r1, 1;\n" * 30
    module, position = marked(in_body(f"{declared}{uses}\tadd.s32 ¦%r1, %r1, 1;"))
    # the declarations above, for the statement and for the declaration of the register; and its uses
    assert sum(1 for _ in hover_steps(module, position, Choices())) > 20 + 31


EARLY = """.version 9.0
.target sm_90
.address_size 64
.entry k()
{
	.reg .f32 %f<4>;
	.shared .align 4 .f32 tile[64];
BRACE	ld.shared.f32 %f1, [tile+36];
	add.f32 %f2, %f1, %f1;
	st.shared.f32 [tile], %f2;
	ret;
}
"""


@pytest.mark.parametrize("after_edit", [False, True])
@pytest.mark.parametrize("name", ["%f1", "%f2", "tile"])
def test_an_early_brace_changes_no_hover(name: str, after_edit: bool) -> None:
    without, broken = EARLY.replace("BRACE", ""), EARLY.replace("BRACE", "}\n")
    fine, module = analysed(without), analysed(without if after_edit else broken)
    if after_edit:
        module.edit(Range(7, 0, 7, 0), "}\n")
        module.work()
    assert [f.code for f in module.findings()] == ["early-brace"]
    shown = []
    for each, line in ((fine, 7), (module, 8)):
        places = [n for n in range(line, each.document.line_count) if name in each.document.line(n)]
        found = [hover(each, Position(n, each.document.line(n).index(name) + 1)) for n in places]
        shown.append([each and render_parts(each.parts, markdown=False) for each in found])
    assert shown[0] == shown[1]
    if name == "%f1":
        assert "written once, read once in its scope" in str(shown[0][0])


def test_a_name_that_only_the_statements_below_an_early_brace_need_is_known_there() -> None:
    module = analysed(EARLY.replace("BRACE", "}\n"))
    contexts = module.statements_outside(Range(8, 0, 9, 0), re.compile("ret;"), complete=False)
    found = [context for context in contexts if context is not None]
    scopes = [context.surroundings.scope for context in found if isinstance(context.statement, Instruction)]
    assert scopes[0].lookup("tile") is not None
    assert scopes[0].lookup("%f1") is not None


def test_a_register_outside_of_a_function_is_not_counted_as_an_equal_one_of_the_function() -> None:
    head = ".version 9.0\n.target sm_90\n.address_size 64\n.reg .b32 %r1;\n"
    # a brace ends the function too early: the second declaration is not in the text up to it
    module = analysed(f"{head}.entry k()\n{{\n\tmov.b32 %r1, 1;\n}}\n\tret;\n\t.reg .b32 %r1;\n\tmov.b32 %r1, 2;\n")
    located = module.statement_at(Position(10, 2))
    assert located is not None
    scope = located.surroundings.scope
    (outer,) = module.declarations("%r1")
    assert scope.members["%r1"] == [outer]
    assert result_of(count_uses("%r1", outer, module, located.surroundings)) is None
