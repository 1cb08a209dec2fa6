"""A few hundred random expressions, and constants converted at their use, compared with the installed ptxas."""

import random

from ptx_lsp.constants.constant import Constant
from ptx_lsp.constants.conversion import as_initialiser, as_operand
from tests.constants.expressions import value
from tests.oracle.assembler import Assembler, needs_assembler, refused
from tests.oracle.constants import HEADER, disagreements
from tests.oracle.elf import sections
from tests.oracle.expressions import expression

SEED = 20250
TEXTS: tuple[str, ...] = (
    "0",
    "1",
    "-1",
    "127+1",
    "0x1ffffffff",
    "-2147483649",
    "~0xff",
    "0x8000000000000000",
    "1.0",
    "1.1",
    "-0.0",
    "1e300",
)
TEXTS += (
    "1e-45",
    "0d7ff4000012345678",
    "0d7fefffffffffffff",
    "0f3f800001",
    "0f7fa00001",
    "-(0f3f800001)",
    "1.0 == 1.0",
)
TYPES = ("u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64", "f32", "f64")
WIDE = (*(kind for kind in TYPES if not kind.endswith("8")), "pred")


@needs_assembler
def test_random_expressions() -> None:
    source = random.Random(SEED)
    assert disagreements(Assembler(), [expression(source) for _ in range(300)]) == []


@needs_assembler
def test_ptxas_agrees_on_initial_values() -> None:
    pairs = [(kind, text) for kind in TYPES for text in TEXTS]
    sources = [HEADER + f".visible .global .{kind} v = {text};\n" for kind, text in pairs]
    outcomes = Assembler().modules(sources, "sm_90", keep=True)
    for (kind, text), outcome in zip(pairs, outcomes, strict=True):
        converted = as_initialiser(value(text), kind)
        assert outcome.accepted is (converted is not None), (kind, text)
        if converted is not None and converted.bits:  # the section has only the data that are not zero
            data = sections(outcome.image)[".nv.global.init"]
            assert int.from_bytes(data, "little") == converted.bits, (kind, text)


@needs_assembler
def test_ptxas_agrees_on_operands() -> None:
    pairs = [(kind, text) for kind in WIDE for text in TEXTS]
    registers = " ".join(f".reg .{kind} r_{kind};" for kind in WIDE)
    verdicts = Assembler().snippets([f"mov.{kind} r_{kind}, {text};" for kind, text in pairs], declarations=registers)
    for (kind, text), verdict in zip(pairs, verdicts, strict=True):
        constant: Constant = value(text)
        assert refused(verdict) is (as_operand(constant, kind) is None), (kind, text)
