"""Inline assembly that is recognised by its shape: the findings and names are those of the parser."""

import random
import re

import pytest

from ptx_lsp.findings.finding import Severity
from ptx_lsp.memo import forget_all
from ptx_lsp.quick import line_runs, line_shapes, text_shapes
from tests.analysed import analysed
from tests.calls import noted_calls
from tests.quick.comparison import HEAD, Analysis, findings, function, names
from tests.quick.sample_lines import REGISTERS

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
    known = noted_calls(monkeypatch, text_shapes, "inline_effect")
    by_shape, shaped_names = [findings(text) for text in texts], [names(text) for text in texts]
    assert sum(call.result is not None for call in known) > 20
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
        monkeypatch.setattr(f"{__name__}.INLINE", tuple(few))
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
    findings(HEAD + function("k1", INLINE_DECLARATIONS[1], [*sums, *assembly]))
    calls = noted_calls(monkeypatch, line_shapes, "effect_of")
    others = [f"add.s32 %r1, %r2, {n};" for n in range(100, 116)]
    mixed = [line for pair in zip(others, assembly * 4, strict=True) for line in pair]
    findings(HEAD + function("k2", INLINE_DECLARATIONS[1], mixed))
    assert [end - begin for (_, begin, end, *_), _ in calls] == [16]


def test_inline_assembly_that_discards_a_result_is_known_with_other_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    known = noted_calls(monkeypatch, text_shapes, "inline_effect")
    body = [INLINE[-1].replace("A", f"%r{n}").replace("B", f"%r{n + 1}") for n in range(1, 4)]
    module = analysed(HEAD + function("k", INLINE_DECLARATIONS[-1], body))
    assert Severity.ERROR not in {finding.severity for finding in module.findings()}
    assert sum(call.result is not None for call in known) == len(body) - 1
