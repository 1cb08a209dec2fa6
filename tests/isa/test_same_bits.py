"""Types that compute the same bits: ptxas makes the same code of them."""

import pytest

from ptx_lsp.isa.same_bits import same_destination, same_result
from tests.oracle.assembler import Assembler, needs_assembler

SAME = [
    ("add.{} %r1, %r2, %r3;", ".u32", ".s32"),
    ("sub.{} %r1, %r2, %r3;", ".u32", ".s32"),
    ("mul.lo.{} %r1, %r2, %r3;", ".u32", ".s32"),
    ("mad.lo.{} %r1, %r2, %r3, %r4;", ".u32", ".s32"),
    ("st.global.{} [%rd1], %r1;", ".u32", ".b32"),
    ("selp.{} %r1, %r2, %r3, %p1;", ".u32", ".s32"),
]
OTHER = [
    ("mul.hi.{} %r1, %r2, %r3;", ".u32", ".s32"),
    ("div.{} %r1, %r2, %r3;", ".u32", ".s32"),
    ("max.{} %r1, %r2, %r3;", ".u32", ".s32"),
    ("shr.{} %r1, %r2, %r3;", ".u32", ".s32"),
    ("mul.wide.{} %rd3, %r2, %r3;", ".u32", ".s32"),
    ("setp.lt.{} %p1, %r2, %r3;", ".u32", ".s32"),
    ("cvt.rn.f32.{} %f1, %r2;", ".u32", ".s32"),
    ("ld.global.{} %r1, [%rd1];", ".u8", ".s8"),
]
DESTINATIONS = [
    (".{}.u32 %rd3, %r1;", ".u64", ".s64", True),
    (".{}.s32 %rd3, %r1;", ".u64", ".s64", True),
    (".{}.s64 %r1, %rd3;", ".u32", ".s32", True),
    (".sat.{}.s64 %r1, %rd3;", ".u32", ".s32", False),
    (".rzi.{}.f32 %r1, %f1;", ".u32", ".s32", False),
]
MODULE = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{{
    .reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %rd<4>; .reg .f32 %f<2>;
    ld.param.u64 %rd1, [p];
    ld.global.u32 %r1, [%rd1];
    ld.global.u32 %r2, [%rd1+4];
    ld.global.u32 %r3, [%rd1+8];
    ld.global.u32 %r4, [%rd1+12];
    cvt.u64.u32 %rd3, %r4;
    cvt.rn.f32.u32 %f1, %r4;
    setp.eq.s32 %p1, %r4, 3;
    {}
    @%p1 st.global.u32 [%rd1+16], %r1;
    st.global.f32 [%rd1+20], %f1;
    st.global.u64 [%rd1+24], %rd3;
    ret;
}}
"""


def judged(statement: str, one: str, other: str) -> bool:
    head, *words = statement.split()[0].split(".")
    types = tuple("." + word for word in words if word != "{}")
    return same_result(head, types, one, other)


@pytest.mark.parametrize(("statement", "one", "other"), SAME)
def test_types_that_give_the_same_bits_are_judged_the_same(statement: str, one: str, other: str) -> None:
    assert judged(statement, one, other)


@pytest.mark.parametrize(("statement", "one", "other"), OTHER)
def test_types_that_give_other_bits_are_judged_different(statement: str, one: str, other: str) -> None:
    assert not judged(statement, one, other)


@needs_assembler
@pytest.mark.parametrize(("statement", "one", "other"), SAME + OTHER)
def test_ptxas_agrees(statement: str, one: str, other: str) -> None:
    texts = [MODULE.format(statement.replace(".{}", type_)) for type_ in (one, other)]
    first, second = Assembler().modules(texts, "sm_90", keep=True)
    assert first.image, first.said
    assert (first.image == second.image) is judged(statement, one, other)


@needs_assembler
@pytest.mark.parametrize(("rest", "one", "other", "same"), DESTINATIONS)
def test_the_destination_of_a_conversion(rest: str, one: str, other: str, same: bool) -> None:
    texts = [MODULE.format("cvt" + rest.replace(".{}", type_)) for type_ in (one, other)]
    words = tuple("." + word for word in rest.split()[0].replace("{}", one[1:]).split(".")[1:])
    assert same_destination(words, words.index(one), other) is same
    first, second = Assembler().modules(texts, "sm_90", keep=True)
    assert first.image, first.said
    assert (first.image == second.image) is same


@needs_assembler
@pytest.mark.parametrize("rest", [".rn.f32", ".rz.f32", ".rn.ftz.f32"])
def test_fma_for_mad(rest: str) -> None:
    """`fma` is safe where `mad` could be meant, too."""
    texts = [MODULE.format(f"{opcode}{rest} %f1, %f1, %f1, %f1;") for opcode in ("fma", "mad")]
    first, second = Assembler().modules(texts, "sm_90", keep=True)
    assert first.image, first.said
    assert first.image == second.image
