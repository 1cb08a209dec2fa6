"""Vectors are compared with a slot as a whole: the table is from ptxas 13.5, which is asked again if installed."""

from itertools import product

import pytest

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.judge import judge
from ptx_lsp.judgement.vectors import VectorKind, vector_kind
from tests.oracle.assembler import Assembler, needs_assembler
from tests.oracle.rendering import DECLARATIONS, statement

VERSION, TARGET = Version(9, 4), Target(90)

ACCEPTED = (
    ("ld.global.v2.u32", ("{.b32,.f32}", "[.b64]")),
    ("ld.global.v2.u32", ("{.f32,.b32}", "[.b64]")),
    ("ld.global.v4.u32", ("{.f32,_,.b32,.b32}", "[.b64]")),
    ("ld.global.v2.u32", ("{.b32,.pred}", "[.b64]")),
    ("ld.global.v2.f32", ("{.s32,.u32}", "[.b64]")),
    ("st.global.v2.u32", ("[.b64]", "{.b32,float}")),
    ("st.global.v2.f32", ("[.b64]", "{.b32,int8}")),
    ("st.global.v2.f32", ("[.b64]", "{.s32,int8}")),
    ("st.global.v2.f32", ("[.b64]", "{float,.f32}")),
    ("mov.b64", (".b64", "{.b32,.f32}")),
    ("mov.b64", (".b64", "{.u32,.s32}")),
    ("st.global.v4.b32", ("[.b64]", "{.f32,.b32,.u32,.b32}")),
    ("red.global.add.v2.f32", ("[.b64]", "{.b32,.f32}")),
)
REFUSED = (
    ("ld.global.v2.u32", ("{.f32,.f32}", "[.b64]")),
    ("ld.global.v2.u32", ("{.s32,.f32}", "[.b64]")),
    ("ld.global.v2.u32", ("{_,.f32}", "[.b64]")),
    ("ld.global.v2.u32", ("{_,_}", "[.b64]")),
    ("ld.global.v2.u32", ("{.u32,.pred}", "[.b64]")),
    ("ld.global.v2.u32", ("{.b32,.b64}", "[.b64]")),
    ("ld.global.v2.f32", ("{.f32,.s32}", "[.b64]")),
    ("st.global.v2.u32", ("[.b64]", "{float,float}")),
    ("st.global.v2.f32", ("[.b64]", "{int8,int8}")),
    ("st.global.v2.f32", ("[.b64]", "{.f32,int8}")),
    ("mov.b64", (".b64", "{.f32,.s32}")),
    ("st.global.v4.b32", ("[.b64]", "{.b32,.f32,.u32,.b32}")),
    ("mov.b64", (".b64", "{int8,float}")),
    ("mov.b64", (".b64", "{float,float}")),
)


def refused(opcode: str, kinds: tuple[str, ...]) -> bool:
    found = judge(opcode, kinds, VERSION, TARGET).complaints
    return any(c.severity is Severity.ERROR for c in found)


@pytest.mark.parametrize(("opcode", "kinds"), ACCEPTED)
def test_accepts_what_ptxas_accepts(opcode: str, kinds: tuple[str, ...]) -> None:
    assert not refused(opcode, kinds)


@pytest.mark.parametrize(("opcode", "kinds"), REFUSED)
def test_refuses_what_ptxas_refuses(opcode: str, kinds: tuple[str, ...]) -> None:
    assert refused(opcode, kinds)


@needs_assembler
@pytest.mark.parametrize("opcode", ["st.global.v4.b32", "st.global.v4.f32"])
def test_every_mixture_of_four_elements_is_judged_as_ptxas_judges_it(opcode: str) -> None:
    mixtures = list(product((".b32", ".f32", ".u32", ".s32", ".f16x2"), repeat=4))
    vectors = ["{" + ",".join(mixture) + "}" for mixture in mixtures]
    texts = [statement(opcode, ("[.b64]", vector)) for vector in vectors]
    answers = Assembler().snippets(texts, str(VERSION), str(TARGET), DECLARATIONS)
    theirs = [vector for vector, answer in zip(vectors, answers, strict=True) if any(m.refuses for m in answer)]
    assert [vector for vector in vectors if refused(opcode, ("[.b64]", vector))] == theirs
    assert 0 < len(theirs) < len(vectors)


@needs_assembler
def test_the_table_is_what_ptxas_says() -> None:
    texts = [statement(opcode, kinds) for opcode, kinds in (*ACCEPTED, *REFUSED)]
    answers = Assembler().snippets(texts, str(VERSION), str(TARGET), DECLARATIONS)
    assert [any(m.refuses for m in answer) for answer in answers] == [False] * len(ACCEPTED) + [True] * len(REFUSED)


@pytest.mark.parametrize(
    ("kinds", "whole"),
    [
        (["_", "?"], None),
        ([".f32", ".b32"], VectorKind(".b32", 1)),
        ([".f32", "float"], VectorKind(".f32", 0)),
        (["int8", ".s32"], VectorKind(".s32", 1)),
        ([".u32", ".f32"], VectorKind(".u32", 0, other_nature=1)),
        ([".b32", ".b64"], VectorKind(".b32", 0, other_width=1)),
        ([".b32", ".pred"], VectorKind(".b32", 0)),
        ([".u32", ".b32", ".f32"], VectorKind(".b32", 1)),
        ([".u32", ".s32"], VectorKind(".b32", 0)),
        (["%.u32", ".s32"], VectorKind(".b32", 0)),
    ],
)
def test_a_vector_has_the_kind_of_one_element(kinds: list[str], whole: VectorKind | None) -> None:
    assert vector_kind(kinds) == whole
