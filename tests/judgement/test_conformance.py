"""Operands against instruction types: Table 26 of the PTX ISA, and every pair again as ptxas judges it."""

import pytest

from ptx_lsp.isa.types import TYPES
from ptx_lsp.judgement.conformance import constant_fits, describe_slot, register_fits, slot_width, sum_fits
from tests.oracle.assembler import Assembler, needs_assembler, refused
from tests.oracle.rendering import DECLARATIONS, statement

REGISTERS = [name for name, type_ in TYPES.items() if type_.declarable and name != ".b128"]
CONSTANTS = ("int8", "float", "single", "double")

INSTRUCTIONS = {
    ".b16": "and.b16",
    ".b32": "and.b32",
    ".b64": "and.b64",
    ".u16": "add.u16",
    ".u32": "add.u32",
    ".u64": "add.u64",
    ".s16": "add.s16",
    ".s32": "add.s32",
    ".s64": "add.s64",
    ".f16": "add.f16",
    ".f16x2": "add.f16x2",
    ".bf16": "add.rn.bf16",
    ".bf16x2": "add.rn.bf16x2",
    ".f32": "add.f32",
    ".f64": "add.f64",
    ".pred": "and.pred",
}
"""For each instruction type, an instruction whose second source has this type and its strictness."""


@pytest.mark.parametrize(
    ("slot", "register", "fits"),
    [
        (".u32", ".u32", True),
        (".u32", ".s32", True),
        (".u32", ".b32", True),
        (".u32", ".f32", False),
        (".b32", ".f32", True),
        (".f32", ".b32", True),
        (".f32", ".s32", False),
        (".f64", ".f32", False),
        (".u32", ".u64", False),
        (".pred", ".b32", False),
        ("pred", ".pred", True),
        (".i32", ".f32", False),
        (".i32", ".s32", True),
    ],
)
def test_registers_fit_types_of_their_width(slot: str, register: str, fits: bool) -> None:
    assert register_fits(slot, register) is fits


@pytest.mark.parametrize(
    ("slot", "register", "fits"),
    [(".u8", ".u32", True), (".u32", ".u16", False), (".f32", ".b64", True), (".f32", ".f64", False)],
)
def test_wider_registers_fit_where_the_slot_is_relaxed(slot: str, register: str, fits: bool) -> None:
    assert register_fits(slot, register, relaxed=True) is fits


def test_slots_have_widths_and_words() -> None:
    assert [slot_width(slot) for slot in (".u16", ".bf16x2", ".i64", "pred")] == [16, 32, 64, 0]
    assert describe_slot(".s32") == "a 32-bit integer or bit-size register or an integer constant"
    assert describe_slot(".f32", constants=False) == "a `.f32` or `.b32` register"


@needs_assembler
def test_ptxas_agrees_on_every_pair() -> None:
    asked = [(slot, kind) for slot in INSTRUCTIONS for kind in (*REGISTERS, *CONSTANTS)]
    texts = [statement(INSTRUCTIONS[slot], (_own(slot), _own(slot), kind)) for slot, kind in asked]
    answers = Assembler().snippets(texts, "9.4", "sm_100a", DECLARATIONS, arch="compute_100a")
    ours = [
        constant_fits(slot, _constant(kind)) if kind in CONSTANTS else register_fits(slot, kind) for slot, kind in asked
    ]
    disagreeing = [
        (slot, kind, fits)
        for (slot, kind), fits, messages in zip(asked, ours, answers, strict=True)
        if fits == refused(messages)
    ]
    assert disagreeing == []


def _own(slot: str) -> str:
    return slot if slot in REGISTERS else f".b{TYPES[slot].storage}"


def _constant(kind: str) -> str:
    return "int" if kind.startswith("int") else kind


@needs_assembler
def test_ptxas_agrees_on_sums() -> None:
    registers = [r for r in REGISTERS if r != ".pred"]
    asked = [(slot, kind) for slot in INSTRUCTIONS if slot != ".pred" for kind in registers]
    texts = [statement(INSTRUCTIONS[slot], (_own(slot), _own(slot), kind + "+")) for slot, kind in asked]
    answers = Assembler().snippets(texts, "9.4", "sm_100a", DECLARATIONS, arch="compute_100a")
    disagreeing = [
        (slot, kind)
        for (slot, kind), messages in zip(asked, answers, strict=True)
        if sum_fits(slot, kind) == refused(messages)
    ]
    assert disagreeing == []
