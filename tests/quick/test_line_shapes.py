"""Lines that are recognised by their shapes: the findings and names are those of the parser and of single lines."""

import random
import re

import pytest

from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.memo import forget_all
from ptx_lsp.quick import line_runs, line_shapes
from ptx_lsp.quick.known import SeenLines
from ptx_lsp.quick.operand_text import is_literal
from tests.calls import noted_calls
from tests.quick.comparison import HEAD, Analysis, findings, function, names
from tests.quick.line_parts import DECLARATIONS
from tests.quick.sample_lines import LINES, REGISTERS

NUMBER = re.compile(r"(?<=[%a-zA-Z_ ,-])[0-9]+(?![\w.])")
# other numbers for those of registers and literals; `08` is a member of a family, and not a literal
NUMBERS = (
    *("0", "1", "2", "7", "8", "9", "31", "32", "33", "64", "255", "256", "65535", "65536", "01", "08", "017"),
    *("0x1F", "0xffffffff", "0x100000000", "0b11", "2147483647", "2147483648", "4294967296", "18446744073709551615"),
    *("99999999999999999999999", "5U", "1.5", "0f3F800000", "0F3F800000", "0f3f80", "0d3FF0000000000000", "0D1", "AB"),
)
WRITTEN = (
    "shl.b32 %r1, %r2, 3;",
    "shr.s32 %r1, %r2, 3; ",
    "setp.eq.s16 %p1, %h1, 3;",
    "bar.sync 1;",
    "add.s32 %r1, %r2, -3;",
    "and.b64 %rd1, %rd2, 3;",
    "bfe.u32 %r1, %r2, 3, 4;",
    "fma.rn.f32 %f1, %f2, 0f3F800000, %f3;",
    "ld.global.v2.u32 {%r1, %r2}, [%rd1+16];",
    "st.global.u32 [%rd1+-16], %r2;",
    "shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;",
    "@%p1 mov.u32 %r1, 1;",
    "@!%p1 add.s32 %r1, %r2, 1;",
    "@ %p1 add.s32 %r1, %r2, 1;",
    "@%r1 add.s32 %r1, %r2, 1;",
    "mov.u32 %r1, %tid.x;",
    "mov.u32 %r1, %envreg3;",
    "mov.u64 %rd1, %clock64;",
    "mov.u32 %r1, WARP_SZ;",
    "add.s32 _, %r2, 1;",
    "mov.b32 {%h1, %h2}, %r1;",
    "mov.b32 %r1, %x5;",
    "add.s32 %r1,%r2,%r3; // %r4",
    "add.s32 %r1, %r2, %r3; mov.b32 %r4, %r5;",
    "add.s32\f%r1, %r2, %r3;",
    "add.s32\u00a0%r1, %r2, %r3;",
    "prmt.b32 %r1, %r2, 0x3210, 0x5410;",
    "mad.lo.s32 %r1, %r2, 3, %r4;",
    "cvt.u16.u32 %h1, %r1;",
    "setp.ne.u32 p, %r1, 3;",
    "@!p not.b32 %r1, %r2;",
    "vote.sync.ballot.b32 %r1, p, 0xffffffff;",
    "add.u64 %rd1, %SP, 3;",
    "ld.global.u64 %rd1, [%SP+16];",
    "mov.u32 %r1, %laneid;",
    "mov.u32 %r1, %lanemask_le;",
    "mov.u64 %rd1, %globaltimer;",
    "add.s32 %r1, r2, 3;",
    "add.s32 rA, %r2, 3;",
    "mov.v4.u32 {%r1, %r2, %r3, _}, %tid;",
    "{cvt.rn.f32.s32 %f1, %r1;}",
    "\t{  mov.b32 {%h1, %h2}, %r1; }",
    "{@%p1 mov.u32 %r1, 1;}",
    "{ mov.u32 %r1, %r2;} // %r4",
    "{mov.b32 %r1, x5;}",
    "{add.s32 %r1, %r2, 3; mov.b32 %r4, %r5;}",
    "{.reg .b32 %t<3>; mov.b32 %t1, %r1;}",
    "{{mov.b32 %r1, %r2;}}",
)


def other_numbers(line: str, chance: random.Random) -> str:
    """A line with other numbers in its operands: members of the families and small literals, and sometimes any."""
    opcode, blank, operands = line.partition(" ")
    if opcode[0] == "@":
        following, blank, operands = operands.partition(" ")
        opcode = f"{opcode} {following}"
    often = chance.random() < 0.5
    other = NUMBER.sub(
        lambda n: chance.choice(NUMBERS) if often and chance.random() < 0.2 else str(chance.randrange(9)), operands
    )
    return opcode + blank + other


def text_of(pool: tuple[str, ...], declarations: tuple[str, ...], chance: random.Random) -> str:
    """A module with each line of a sample as it is, and then often with other numbers, also between inner braces."""
    sample = chance.sample(pool, 4)
    declarations = chance.choice((declarations, declarations[:1]))  # often the same ones in all functions
    again = [other_numbers(chance.choice(sample), chance) for _ in range(chance.randint(5, 30))]
    if chance.random() < 0.3:
        again = ["{", "\t.reg .f32 %r<3>;", *again, "}"]
    return HEAD + "".join(
        function(f"k{number}", chance.choice(declarations), [*lines, *again[number::3]])
        for number, lines in enumerate((sample, [], chance.sample(sample, 2)))
    )


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(("pool", "declarations"), [(WRITTEN, REGISTERS), (LINES, DECLARATIONS)])
def test_the_findings_are_those_of_the_parser(
    pool: tuple[str, ...],
    declarations: tuple[str, ...],
    seed: int,
    parser_alone: Analysis,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(seed)
    texts = [text_of(pool, declarations, chance) for _ in range(4)]
    forget_all()
    monkeypatch.setattr(line_runs, "FEWEST_SHAPED", 1)
    monkeypatch.setattr(line_shapes, "FEWEST_LINES", 1)  # every shape is learnt
    by_shape, shaped_names = [findings(text) for text in texts], [names(text) for text in texts]
    assert by_shape == [parser_alone(text) for text in texts]
    forget_all()
    monkeypatch.setattr(line_runs, "FEWEST_SHAPED", 1_000_000)
    assert shaped_names == [names(text) for text in texts]


VARIABLES = (
    "ld.shared.u32 %r1, [v1+8];",
    "ld.shared.v2.u32 {%r1, %r2}, [v1];",
    "st.shared.u32 [v1+8], %r1;",
    "st.shared.u32 [v1], 3;",
    "mov.u32 %r1, v1;",
    "mov.u64 %rd1, v2;",
    "@%p1 ld.global.u32 %r1, [v2+4];",
    "add.s32 %r1, %r2, v1;",
    "ld.param.u32 %r1, [k_param_0];",
    "ld.param.u64 %rd1, [k_param_1+0];",
    "ld.param.u32 %r1, [k_param_2+4];",
    "ld.param.f32 %f1, [k_param_2];",
    "ld.u32 %r1, [k_param_2+4];",
    "mov.b64 %rd1, k_param_2;",
    "setp.eq.s64 %p1, %rd1, 9223372036854775807;",
    "selp.b64 %rd1, -9223372036854775808, %rd2, %p1;",
    "and.b64 %rd1, %rd2, 1000000000000000000;",
)
LARGE = (
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "0123456789012345678",
    "1000000000000000000",
)
OUTSIDE = (
    "",
    ".global .align 4 .b8 v2[64];\n",
    ".shared .align 8 .b8 v1[64];\n.global .u64 v2;\n",
    ".shared .u32 v1;\n.const .align 4 .b8 v2[64];\n.global .u32 v3;\n",
    ".func v1();\n.global .texref v2;\n",
)
PARAMETERS = (
    ".param .u32 k_param_0, .param .u64 k_param_1, .param .align 4 .b8 k_param_2[8]",
    ".param .u64 k_param_0, .param .u32 k_param_1, .param .f32 k_param_2",
    ".param .align 8 .b8 k_param_0[16], .param .u64 k_param_1, .param .align 4 .b8 k_param_2[4]",
)


@pytest.mark.parametrize("seed", range(60))
def test_lines_with_variables_are_those_of_the_parser(
    seed: int, parser_alone: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    texts = []
    for _ in range(3):
        text = HEAD + chance.choice(OUTSIDE)
        sample = chance.sample(VARIABLES, 4)
        for number in range(4):
            lines = [chance.choice(sample) for _ in range(20)]
            lines = [other_numbers(line, chance) if chance.random() < 0.5 else line for line in lines]
            lines = [re.sub("[0-9]{19}", lambda _: chance.choice(LARGE), line) for line in lines]
            inside = chance.choice(("", "", "\t.shared .align 4 .b8 v1[32];\n", "\t.reg .b32 v1;\n"))
            kind = chance.choice((".entry", ".func"))
            name = f"k{number}"
            body = function(name, REGISTERS[0] + inside, [line.replace("k_param", f"{name}_param") for line in lines])
            given = chance.choice(PARAMETERS).replace("k_param", f"{name}_param")
            text += body.replace(f".entry {name}()", f"{kind} {name}({given})")
        texts.append(text)
    forget_all()
    monkeypatch.setattr(line_runs, "FEWEST_SHAPED", 1)
    monkeypatch.setattr(line_shapes, "FEWEST_LINES", chance.choice((1, 8)))
    assert [findings(text) for text in texts] == [parser_alone(text) for text in texts]


def test_a_shape_is_learnt_from_its_text_if_its_outcome_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = noted_calls(monkeypatch, line_runs, "instruction")
    forget_all()
    lines = [
        "add.s32 %r1, %r2, %r3;",
        "@%p1 mul.lo.s32 %r1, %r2, 7;",
        "mov.f32 %f1, 0f3F800000;",
        "xor.b32 %r1, %r2, -1;",
        "or.b32 %r1, %r2, %r3;",
        "add.u64 %rd1, %SP, 8;",
        "mov.u32 %r1, %ntid.x;",
        "mov.u32 %r1, %laneid;",
        "mov.b32 %r1, %envreg2;",
    ]
    families = ((".b32", "%r"), (".b64", "%rd"), (".f32", "%f"), (".pred", "%p"))
    declared = "\t.reg .b64 %SP;\n" + "".join(f"\t.reg {type_} {name}<9>;\n" for type_, name in families)
    assert "never-written" in str(findings(HEAD + function("k", declared, [*lines, "ld.global.f32 %f1, [%rd1+4];"])))
    assert [call.given[1] for call in calls] == ["ret"]  # the opcode


@pytest.mark.parametrize(
    ("declaration", "wrong"),
    [
        ("", "%envreg"),  # ptxas knows no such name
        ("", "%envreg32"),  # there are 32
        ("\t{ .reg .f64 %laneid;\n", "%laneid"),
    ],
)
def test_a_special_register_of_a_known_shape_is_that_of_its_name(
    declaration: str, wrong: str, parser_alone: Analysis
) -> None:
    right = [f"mov.b32 %r{n}, {name};" for n in range(9) for name in ("%envreg2", "%laneid")]
    body = function("k", "\t.reg .b32 %r<9>;\n", right)
    lines = [f"mov.b32 %r{n}, {wrong};" for n in range(9)]
    other = function("l", f"\t.reg .b32 %r<9>;\n{declaration}", lines + ["}"] * bool(declaration))
    forget_all()
    expected = parser_alone(HEAD + body + other)
    assert wrong in str(expected)
    assert findings(HEAD + body + other) == expected


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("setp.eq.s16 %p1, %h1, {};", "70000"),
        ("and.b16 %h1, %h2, {};", "70000"),
        ("shl.b32 %r1, %r2, {};", "40"),
        ("bar.sync {}, %r1;", "99"),
        ("shf.l.wrap.b32 %r1, %r2, %r3, {};", "5000000000"),
        ("add.s32 %r1, %r2, {};", "4294967296"),
        ("shf.l.wrap.b32 %r1, %r2, %r3, {};", "-2147483649"),
    ],
)
def test_a_literal_of_a_known_shape_must_fit(
    line: str, wrong: str, parser_alone: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_runs, "FEWEST_SHAPED", 1)
    monkeypatch.setattr(line_shapes, "FEWEST_LINES", 1)
    forget_all()
    right = [line.format(n) for n in range(9)]
    before = findings(HEAD + function("k", REGISTERS[0], right))
    text = HEAD + function("k", REGISTERS[0], [*right, line.format(wrong), *right])
    assert findings(text) == parser_alone(text)
    assert len(findings(text)) == len(before) + 1


def test_a_name_that_differs_in_a_letter_has_another_shape(
    parser_alone: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_runs, "FEWEST_SHAPED", 1)
    monkeypatch.setattr(line_shapes, "FEWEST_LINES", 1)
    forget_all()
    fine = [f"add.s32 rA, %r{n}, 1;" for n in range(9)]
    fine += [f"setp.eq.s32 {name}, %r{n}, 1;" for name in ("pA", "rB") for n in range(9)]
    declarations = "\t.reg .b32 %r<9>, rA;\n\t.reg .pred pA, rB;\n"
    text = HEAD + function("k", declarations, [*fine, "add.s32 rB, %r1, 1;"])
    assert findings(text) == parser_alone(text)
    assert "operand-type" in str(findings(text))


def test_families_whose_names_differ_in_zeros_alone_are_not_mixed_up(parser_alone: Analysis) -> None:
    def lines(opcode: str, family: str) -> str:
        return "".join(f"\t{opcode} {family}{n}, {family}{n + 1}, {family}{n + 2};\n" for n in range(40))

    declared = "\t.reg .b32 %a0b<50>;\n\t.reg .f32 %a00b<50>;\n"
    fine = lines("add.s32", "%a0b") + lines("add.f32", "%a00b")
    text = f"{HEAD}.entry k()\n{{\n{declared}{fine}{lines('add.s32', '%a00b')}\tret;\n}}\n"
    forget_all()
    expected = parser_alone(text)
    assert "operand-type" in str(expected)
    assert findings(text) == expected


def test_lines_of_a_known_shape_are_not_recognised_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    lines = [f"add.s32 %r{n}, %r{n + 1}, {n};" for n in range(40)]
    assert findings(HEAD + function("k", "\t.reg .b32 %r<50>;\n", lines))
    calls = noted_calls(monkeypatch, line_shapes, "effect_of")
    other = [f"add.s32 %r{n}, %r{n + 1}, {n};" for n in range(100, 140)]
    findings(HEAD + function("k", "\t.reg .b32 %r<200>;\n", other))
    assert [end - begin for (_, begin, end, *_), _ in calls] == [40]


def test_the_parameters_of_another_function_have_the_same_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    new = noted_calls(monkeypatch, line_shapes, "_without_variable")
    declared, found = "\t.reg .b64 %rd<90>;\n", []
    for name in ("k1", "k2", "k3"):
        lines = [f"ld.param.u64 %rd{n}, [{name}_param_0];" for n in range(10, 50)]
        text = function(name, declared, lines).replace(f"{name}()", f"{name}(.param .u64 {name}_param_0)")
        assert "never-read" not in str(findings(HEAD + text))
        found.append(len(new))
    assert found[2] == found[1] > 0  # the shape is learnt in the first function, and found by its digits in the second


@pytest.mark.parametrize(
    ("line", "before"),
    [
        ("{{  cvt.rn.f16.f32 %h{0}, %f{1};}}", 0),
        ("\t{{ mov.b64 %rd{0}, {{%r{1}, %r{0}}}; }}", 0),
        ("{{add.sat.f16x2 %r{0}, %r{1}, %r{1};}}", 2),  # its outcome is not shipped
    ],
)
def test_an_instruction_in_a_scope_of_its_own_has_the_shape_that_it_has_without_the_scope(
    line: str, before: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = "\t.reg .b16 %h<50>;\n\t.reg .f32 %f<50>;\n\t.reg .b32 %r<50>;\n\t.reg .b64 %rd<50>;\n"
    forget_all()
    one_by_one = noted_calls(monkeypatch, line_runs, "inline_assembly")
    findings(HEAD + function("k", declared, [line.format(n, n + 1) for n in range(40)]))
    assert len(one_by_one) == before


def test_lines_of_which_a_third_occurs_again_are_judged_by_more_of_them() -> None:
    third = [f"add.s32 %r{n}, %r1, 1;" for n in (*range(400), *range(200))]
    few, more = SeenLines(), SeenLines()
    assert not few.mostly_repeat(third[:400], list(range(400)))
    assert not more.mostly_repeat(third, list(range(600)))
    again = third[200:400] * 2
    assert not few.mostly_repeat(again, list(range(400)))
    assert more.mostly_repeat(again, list(range(400)))


@pytest.mark.parametrize("opcode", sorted(opcodes()))
def test_no_opcode_is_a_plain_literal(opcode: str) -> None:
    assert not is_literal(opcode)
