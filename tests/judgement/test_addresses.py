"""Addresses and names in data movement: each row as ptxas 13.5 was observed to judge it, `.version 9.5`, `sm_107a`."""

import pytest

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.judge import judge

TAKEN = (
    ("ld.u32", ".b32", "[.shared:.b8[]]"),
    ("ld.u32", ".b32", "[.local:.b8[]]"),
    ("ld.param::func.u32", ".b32", "[.param.func:.b32]"),
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
    ("state-space", "st.param.u32", "[.param.entry:.b32]", ".b32"),
    ("state-space", "ld.param::func.u32", ".b32", "[.b64]"),
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


def codes(opcode: str, *kinds: str) -> list[str]:
    found = judge(opcode, kinds, Version(9, 5), Target(107, "a")).complaints
    return [c.code for c in found if c.severity is Severity.ERROR]


@pytest.mark.parametrize("row", TAKEN, ids=" ".join)
def test_accepted_operands(row: tuple[str, ...]) -> None:
    assert codes(*row) == []


@pytest.mark.parametrize("row", REFUSED, ids=" ".join)
def test_refused_operands(row: tuple[str, ...]) -> None:
    assert codes(*row[1:]) == [row[0]]
