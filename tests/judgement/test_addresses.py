"""Addresses and names in data movement: each row as ptxas 13.5 was observed to judge it, `.version 9.5`, `sm_107a`."""

import pytest

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.judge import judge
from tests.judgement.verdicts import our_mistakes, ptxas_mistakes
from tests.oracle.assembler import Assembler, needs_assembler, refused
from tests.oracle.rendering import (
    DECLARATIONS,
    FUNCTION,
    arch_of,
    module_declarations,
    module_names,
    statement,
)

VERSION, TARGET = Version(9, 5), Target(107, "a")

TAKEN = (
    ("ld.u32", ".b32", "[.shared:.b8[]]"),
    ("ld.u32", ".b32", "[.local:.b8[]]"),
    ("ld.param::func.u32", ".b32", "[.param.func:.b32]"),
    ("ld.param::func.u32", ".b32", "[.b64]"),
    ("cvta.global.u64", ".b64", ".global:.b8[]"),
    ("mapa.u64", ".b64", ".shared:.b8[]", ".b32"),
    ("mov.u16", ".b16", "%.u32/16"),
    ("mov.v4.u32", "{.b32,.b32,.b32,.b32}", "%.v4.u32"),
    ("prefetch.L1", "[.b16]"),
    ("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group", "[.f32,{.b32}]", ".b32"),
    ("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group", "[.global:.b8[],{.b32}]", "[.b32]"),
)
REFUSED = (
    ("state-space", "ld.u32", ".b32", "[.const:.b8[]]"),
    ("state-space", "ld.u32", ".b32", "[.param.entry:.b32]"),
    ("operand-type", "ld.param::func.u32", ".b32", "[.f32]"),
    ("state-space", "st.param.u32", "[.param.entry:.b32]", ".b32"),
    ("operand-kind", "cvta.global.u64", ".b64", ".shared:.b8[]"),
    ("operand-kind", "cvta.to.global.u64", ".b64", ".global:.b8[]"),
    ("special-register", "mov.u32", ".b32", "%.u64"),
    ("vector-size", "mov.v2.u32", "{.b32,.b32}", "%.v4.u32"),
    ("operand-type", "prefetch.tensormap", "[.b16]"),
    ("operand-kind", "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group", "[.b64+,{.b32}]", "[.b32]"),
    ("state-space", "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group", "[.shared:.b8[],{.b32}]", "[.b32]"),
    ("operand-kind", "cp.async.ca.shared.global", ".b32", "[.b64]", "int8"),
    ("operand-kind", "ld.L2::cache_hint.u32", ".b32", "[.b64]", ".global:.b8[]+"),
)


PARAMETERS_OF_FUNCTIONS = """
- | .func f(.param .b64 p) { .reg .b64 d<3>; .reg .b32 r<3>; ld.param::func.u32 r1, [d1]; ret; }
- | .func f(.param .b64 p) { .reg .b64 d<3>; .reg .b32 r<3>; st.param::func.u32 [d1+4], r1; ret; }
- | .func f(.param .b64 p) { .reg .b32 r<3>; ld.param::func.u32 r1, [p]; ret; }
operand-type "g1" | .func f() { .reg .f32 g<3>; .reg .b32 r<3>; ld.param::func.u32 r1, [g1]; ret; }
state-space "d1" | .entry k() { .reg .b64 d<3>; .reg .b32 r<3>; ld.param::func.u32 r1, [d1]; ret; }
state-space "d1" | .entry k() { .reg .b64 d<3>; .reg .b32 r<3>; st.param::func.u32 [d1], r1; ret; }
state-space ".param::func" | .entry k(.param .b64 p) { .reg .b32 r<3>; ld.param::func.u32 r1, [p]; ret; }
- | .entry k() { .reg .b32 r<3>; .param .b32 p; st.param::func.u32 [p], r1; ret; }
"""


def codes(opcode: str, *kinds: str) -> list[str]:
    found = judge(opcode, kinds, VERSION, TARGET).complaints
    return [c.code for c in found if c.severity is Severity.ERROR]


@pytest.mark.parametrize("row", TAKEN, ids=" ".join)
def test_accepted_operands(row: tuple[str, ...]) -> None:
    assert codes(*row) == []


@pytest.mark.parametrize("row", REFUSED, ids=" ".join)
def test_refused_operands(row: tuple[str, ...]) -> None:
    assert codes(*row[1:]) == [row[0]]


@needs_assembler
def test_ptxas_agrees_on_every_row() -> None:
    keys = [(row[0], row[1:], False) for row in TAKEN] + [(row[1], row[2:], True) for row in REFUSED]
    disagreeing = []
    for opcode, kinds, is_refused in keys:
        text = statement(opcode, kinds)
        frame = FUNCTION.replace(".entry", ".func") if "param::func" in opcode else FUNCTION
        declared = module_declarations(module_names(text))
        (messages,) = Assembler().snippets(
            [text], str(VERSION), str(TARGET), DECLARATIONS, declared, arch_of(TARGET), frame
        )
        if refused(messages) != is_refused:
            disagreeing.append(text)
    assert disagreeing == []


def test_only_kernels_have_no_parameters_of_functions() -> None:
    assert our_mistakes(PARAMETERS_OF_FUNCTIONS) == []


@needs_assembler
def test_ptxas_agrees_on_the_parameters_of_functions() -> None:
    assert ptxas_mistakes(PARAMETERS_OF_FUNCTIONS) == []
