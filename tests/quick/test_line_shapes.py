"""Lines that are recognised by their shapes: the findings and names are those of the parser and of single lines."""

import random
import re
from typing import Any

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.instructions import opcodes
from ptx_lsp.memo import forget_all
from ptx_lsp.quick import instructions, line_runs, line_shapes, text_shapes
from ptx_lsp.quick.known import Known
from ptx_lsp.quick.line_shapes import ShapedLines
from ptx_lsp.quick.operand_kinds import KindTable
from ptx_lsp.quick.operand_text import is_literal
from tests.quick.test_line_memory import DECLARATIONS
from tests.quick.test_recognisers import LINES, Analysis, findings, parser_alone

__all__ = ["parser_alone"]  # a fixture

HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n"
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
)
REGISTERS = (
    "\t.reg .b32 %r<9>, %x5, r<9>, rA;\n\t.reg .b64 %rd<9>, %SP;\n\t.reg .b16 %h<9>;\n"
    "\t.reg .f32 %f<9>;\n\t.reg .pred %p<9>, p;\n",
    "\t.reg .b32 %r<90>;\n\t.reg .b64 %rd<90>, %tid, %laneid, %SP<9>;\n\t.reg .b16 %h<9>;\n"
    "\t.reg .f32 %f<9>;\n\t.reg .pred %p<9>;\n",
    "\t.reg .f32 %r<9>;\n\t.reg .b32 %rd<9>, %r3, p;\n\t.reg .b16 %h<9>;\n\t.reg .pred %f<9>;\n\t.reg .f32 %p<9>;\n",
    "\t.reg .s32 %r<2>, p<4>, r2;\n\t.reg .f32 %r4, %f<9>;\n\t.reg .b64 %rd<9>;\n\t.reg .f16 %h<9>;\n"
    "\t.reg .pred %p;\n\t.reg .b32 %SP;\n",
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


def function(name: str, declarations: str, lines: list[str]) -> str:
    """A kernel of these lines."""
    return f".entry {name}()\n{{\n{declarations}" + "".join(f"\t{line}\n" for line in lines) + "\tret;\n}\n"


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


def names(text: str) -> list[tuple[set[str], set[str]]]:
    """The names that each function of a text only reads, and those that it writes."""
    module = Module(text)
    module.work()
    blocks = module._analysis.block_map.blocks
    return [(set(part.read.split()), set(part.written.split())) for block in blocks for part in block.parts]


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
    asked: list[str] = []
    instruction = instructions.instruction

    def watched(guard: str, opcode: str, operands: str, *others: Any) -> object:
        asked.append(opcode)
        return instruction(guard, opcode, operands, *others)

    monkeypatch.setattr(line_runs, "instruction", watched)
    forget_all()
    lines = [
        "add.s32 %r1, %r2, %r3;",
        "@%p1 mul.lo.s32 %r1, %r2, 7;",
        "mov.f32 %f1, 0f3F800000;",
        "xor.b32 %r1, %r2, -1;",
    ]
    families = ((".b32", "%r"), (".b64", "%rd"), (".f32", "%f"), (".pred", "%p"))
    declared = "".join(f"\t.reg {type_} {name}<9>;\n" for type_, name in families)
    assert "never-written" in str(findings(HEAD + function("k", declared, [*lines, "ld.global.f32 %f1, [%rd1+4];"])))
    assert asked == ["ret"]


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
    asked: list[int] = []

    def watched(shaped: ShapedLines, begin: int, end: int, table: KindTable, known: Known) -> object:
        asked.append(end - begin)
        return effect_of(shaped, begin, end, table, known)

    effect_of = line_shapes.effect_of
    monkeypatch.setattr(line_shapes, "effect_of", watched)
    other = [f"add.s32 %r{n}, %r{n + 1}, {n};" for n in range(100, 140)]
    findings(HEAD + function("k", "\t.reg .b32 %r<200>;\n", other))
    assert asked == [40]


@pytest.mark.parametrize("opcode", sorted(opcodes()))
def test_no_opcode_is_a_plain_literal(opcode: str) -> None:
    assert not is_literal(opcode)


# inline assembly: the letters are registers
INLINE = (
    "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, A, 0;\n\tvote.ballot.sync.b32 B, p, 0xffffffff;\n\t@!p not.b32 B, B;\n\t}",
    "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, A, 0;\n\tvote.ballot.sync.b32 B, p, 0xffffffff;\n\t@!p not.b32 B, A;\n\t}",
    "{ .reg .b32 %t<4>; mov.b32 A, 5; mov.b32 B, A; }",
    "{\n\t.reg .b64 %r<4>;\n\tmov.b64 C, 5;\n\t}",
    "{\n\t.reg .b64 %rd1;\n\tmov.b64 C, 5;\n\tmov.b64 D, C;\n\t}",
    "{\n\t.reg .b32 q1;\n\tadd.u32 q1, A, B; // A\n\tmov.b32 A, q1;\n\t}",
    "{\n\tmov.b32 A, %laneid;\n\tmov.b64 C, %clock64;\n\tbar.sync 0, B;\n}",
    "{\n\tld.global.v2.u32 {A, B}, [C+8];\n\t}",
    "{\n\tst.global.u32 [C], A;\n\tst.global.u32 [D], A; }",
    "{\n\tadd.u32 A, B, p;\n\t}",
    "{\n\tst.global.v2.u32 [C], {A, B};\n\tmov.b32 A, 1;\n\t}",
    "{\n\tst.global.v2.u32 [C], {A, B};\n\tmov.b32 B, 1;\n\t}",
    "{ .reg .b64 %t<4>; mov.b32 A, 5; }",
    "{\n\tmov.b32 A, 1; // B\n\t}",
    "{\n\t.reg .b32 p;\n\tadd.u32 A, B, p;\n\t}",
    "{\n\t.reg .pred p;\n\telect.sync _|p, A;\n\tselp.b32 B, 1, 0, p;\n\t}",
)
SMALL = ("%r1", "%r2", "%r3", "%r8", "%r07", "%x5", "%t1", "%f1", "%r99", "%p1", "%u")
WIDE = ("%rd1", "%rd2", "%rd8", "%rd1", "%d1", "%f1", "%rd99", "%SP")
INLINE_DECLARATIONS = (
    *REGISTERS,
    "\t.reg .b32 %r<9>, %x5, %t<9>, p;\n\t.reg .b64 %rd<9>, %d1;\n\t.reg .pred %p<9>;\n",
    "\t.reg .b32 %r<9>, %x5;\n\t.reg .b64 %rd<9>, %t<9>;\n\t.reg .pred %p<9>;\n",
)


def inline(chance: random.Random) -> str:
    """Inline assembly with registers by chance, most of which fit."""
    text = chance.choice(INLINE)
    for letter, pool in (("A", SMALL), ("B", SMALL), ("C", WIDE), ("D", WIDE)):
        register = chance.choice(pool if chance.random() < 0.15 else pool[:3])
        text = re.sub(rf"\b{letter}\b", register, text)
    return text


def results_of(function: str, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The results of a function of `text_shapes` from now on, without None."""
    found: list[object] = []
    original = getattr(text_shapes, function)

    def watched(*given: Any) -> Any:
        result = original(*given)
        found.extend([result] if result is not None else [])
        return result

    monkeypatch.setattr(text_shapes, function, watched)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_inline_assembly_with_other_registers_is_that_of_the_parser(
    seed: int, parser_alone: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    texts = []
    for _ in range(3):
        bodies = [[inline(chance) for _ in range(30)] for _ in range(6)]
        texts.append(
            HEAD + "".join(function(f"k{n}", chance.choice(INLINE_DECLARATIONS), body) for n, body in enumerate(bodies))
        )
    forget_all()
    known = results_of("inline_effect", monkeypatch)
    by_shape, shaped_names = [findings(text) for text in texts], [names(text) for text in texts]
    assert len(known) > 20
    assert by_shape == [parser_alone(text) for text in texts]
    monkeypatch.setattr(text_shapes, "inline_effect", lambda text, view: None)
    forget_all()
    assert shaped_names == [names(text) for text in texts]


AROUND = (
    *("p:", "q1:", "bra p;", "@%p1 bra q1;", "$L__BB0_N:", "bra.uni $L__BB0_N;", ".loc 1 N 3", "// begin inline asm"),
    *("add.s32 %rN, %r1, 3;", "add.s32 %r1, %rN, 4;", "mov.b64 {%r1, %rN}, %rd1;", "mov.b32 %rN, p;", ".reg .b32 q1;"),
    *(
        "{ // callseq N, 0",
        "} // callseq N",
        "{",
        "}",
        "{ mov.b32 %rN, 1;",
        "{\n\t.loc 1 N 3, function_name $L, inlined_at 1 1 1\n\t}",
    ),
)


@pytest.mark.parametrize("seed", range(20))
def test_inline_assembly_between_other_lines_is_that_of_the_parser(
    seed: int, parser_alone: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    monkeypatch.setattr(line_runs, "FEWEST_SHAPED", 1)
    texts = []
    for _ in range(3):
        few, around = chance.sample(INLINE, 3), chance.sample(AROUND, 5)
        monkeypatch.setattr("tests.quick.test_line_shapes.INLINE", tuple(few))
        bodies = [
            [
                inline(chance)
                if chance.random() < 0.5
                else chance.choice(around).replace("N", str(chance.randrange(4)))
                for _ in range(25)
            ]
            for _ in range(6)
        ]
        declared = chance.choice(INLINE_DECLARATIONS)
        texts.append(HEAD + "".join(function(f"k{n}", declared, body) for n, body in enumerate(bodies)))
    forget_all()
    by_shape, shaped_names = [findings(text) for text in texts], [names(text) for text in texts]
    assert by_shape == [parser_alone(text) for text in texts]
    monkeypatch.setattr(text_shapes, "inline_effect", lambda text, view: None)
    monkeypatch.setattr(line_runs, "FEWEST_SHAPED", 1_000_000)
    forget_all()
    assert shaped_names == [names(text) for text in texts]


def test_known_inline_assembly_does_not_end_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    sums = [f"add.s32 %r1, %r2, {n};" for n in range(40)]
    assembly = [INLINE[0].replace("A", f"%r{n}").replace("B", "%r5") for n in range(4)]
    runs: list[int] = []
    original = line_shapes.effect_of

    def watched(shaped: ShapedLines, begin: int, end: int, table: KindTable, known: Known) -> object:
        runs.append(end - begin)
        return original(shaped, begin, end, table, known)

    findings(HEAD + function("k1", INLINE_DECLARATIONS[1], [*sums, *assembly]))
    monkeypatch.setattr(line_shapes, "effect_of", watched)
    others = [f"add.s32 %r1, %r2, {n};" for n in range(100, 116)]
    mixed = [line for pair in zip(others, assembly * 4, strict=True) for line in pair]
    findings(HEAD + function("k2", INLINE_DECLARATIONS[1], mixed))
    assert runs == [16]


def test_inline_assembly_that_discards_a_result_is_known_with_other_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    known = results_of("inline_effect", monkeypatch)
    body = [INLINE[-1].replace("A", f"%r{n}").replace("B", f"%r{n + 1}") for n in range(1, 4)]
    module = Module(HEAD + function("k", INLINE_DECLARATIONS[-1], body))
    module.work()
    assert Severity.ERROR not in {finding.severity for finding in module.findings()}
    assert len(known) == len(body) - 1


# labels and branches: the letters are numbers
JUMPS = (
    *(
        "$L__BB0_N:",
        "$L__tmpN:",
        "$L__BB0_N:",
        "\tbra.uni \t$L__BB0_N;",
        "\tbra \t$L__tmpN;",
        "\t@%pP bra \t$L__BB0_N;",
    ),
    *("BB0_N:", "LBB1_N:", "\tbra.uni \tBB0_N;", "\t@%pP bra \tLBB1_N;"),
    *("\t@!%pP bra.uni $L__BB0_N;", "\tadd.s32 \t%rN, %rP, 7;", "\tadd.s32 \t%rN, %rP, 8;", "\t.loc\t1 N 3"),
)
RARE_JUMPS = (
    *("$L__BB0_N: ", "$L__BB0_N: // a", "L_N:", "$:", "$a b:", "%pP:", "\t$L__BB0_N:", "WARP_SZ:", "_N:", "$L__tmpN::"),
    *("$L__BB0_N:\tret;", "\tbra \t$L__BB0_N; // a", "\tbra \t$L__BB0_N ;", "\tbra L_N;", "\tbra $;", "\tbra %rP;"),
    *(
        "\tbra \t$L__BB0_N",
        "\t@%rP bra \t$L__BB0_N;",
        "\t@p bra \t$L__BB0_N;",
        "\t@$q bra $L__tmpN;",
        "\t@ ! %pP bra $L__tmpN;",
    ),
    *(
        "\t.branchtargets $L__BB0_N, $L__BB0_P;",
        "\t.reg .b32 $L__tmpN;",
        "\t.reg .pred $q;",
        "// a",
        "",
        "{",
        "}",
        "\t,",
    ),
    *(
        "\t.callprototype _ ();",
        "\t.loc\t1 N",
        "function_name:",
        "\tbra.uni $L__BB0_N, $L__tmpN;",
        "\tbrx.idx %rP, $L__tmpN;",
    ),
    *(
        "\tbra.uni.uni $L__tmpN;",
        "$L__\u00e9N:",
        "\tmov.b64 %rdP, $L__tmpN;",
        "\t@%pP bra \t%SP$;",
        "\t@%p9 bra $L__tmpN;",
    ),
    *("BB0_N :", "BBN:", "BB0_N_P:", "LLBB0_N:", "BB0_N::", "\tbra BB0_;", "\t.reg .b32 BB0_N;", "\tbra BB0_N"),
)


def jumps(chance: random.Random, count: int) -> list[str]:
    """Labels, branches and other lines by chance, most of which are as compilers write them."""
    rare = chance.choice((0.0, 0.02, 0.2))
    lines = [chance.choice(RARE_JUMPS if chance.random() < rare else JUMPS) for _ in range(count)]
    return [
        re.sub("N", lambda _: str(chance.randrange(count)), line).replace("P", chance.choice("1278")) for line in lines
    ]


def labels(text: str) -> list[object]:
    """The labels and branches of each part of a function, with their places."""
    module = Module(text)
    module.work()
    parts = [part for block in module._analysis.block_map.blocks for part in block.parts]
    return [
        (
            sorted((label.name, label.mark.resolved()) for label in part.labels),
            sorted((use.name, use.mark.resolved()) for use in part.label_uses),
        )
        for part in parts
    ]


@pytest.mark.parametrize("seed", range(40))
def test_labels_and_branches_are_those_of_the_parser(
    seed: int, parser_alone: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    text = HEAD + '.file 1 "a.cu"\n'
    for number in range(4):
        body = jumps(chance, chance.choice((6, 20, 60)))
        text += f".entry k{number}()\n{{\n{chance.choice(REGISTERS)}" + "\n".join(body) + "\n\tret;\n}\n"
    forget_all()
    found: list[int] = []
    find_jumps = text_shapes.find_jumps

    def watched(*given: Any) -> text_shapes.Jumps:
        jumps = find_jumps(*given)
        found.append(len(jumps.labels) + len(jumps.branches))
        return jumps

    monkeypatch.setattr(text_shapes, "find_jumps", watched)
    together = findings(text), names(text), labels(text)
    assert sum(found) > 20
    assert together[0] == parser_alone(text)
    monkeypatch.setattr(line_runs, "FEWEST_SHAPED", 1_000)
    forget_all()
    assert together[1:] == (names(text), labels(text))
