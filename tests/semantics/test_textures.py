"""Textures of old modules, and samplers of modules with `texmode_independent`; ptxas is asked about every row."""

import re

from tests.judgement.verdicts import broken_into_lines, our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler

FRAME = """.version 9.4
.target sm_90, texmode_{mode}
.address_size 64
.global .texref tx; .global .surfref srf; {sampler}
.entry k() {{ .reg .f32 f<9>; .reg .s32 s<9>; .reg .b32 r<9>; .reg .b64 d<9>;
"""
INDEPENDENT = FRAME.format(mode="independent", sampler=".global .samplerref sm;")
UNIFIED = FRAME.format(mode="unified", sampler="")
END = "\nret; }\n"
WITHOUT_SAMPLER = r"""
operand-kind "tx" | tex.1d.v4.f32.s32 {f1,f2,f3,f4}, [tx, {s1}];
operand-kind "d1" | tex.1d.v4.f32.s32 {f1,f2,f3,f4}, [d1, {s1}];
operand-kind "tx" | tex.base.2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, {f1,f2}];
operand-kind "tx" | tex.level.2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, {f1,f2}], f3;
operand-kind "tx" | tex.2dms.v4.f32.s32 {f1,f2,f3,f4}, [tx, {r1,s1,s2,s3}];
operand-kind "tx" | tex.cube.v4.f32.f32 {f1,f2,f3,f4}, [tx, {f1,f2,f3,f4}];
operand-kind "tx" | tld4.r.2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, {f1,f2}];
operand-kind "tx" | txq.addr_mode_0.b32 r1, [tx];
operand-kind "tx" | txq.filter_mode.b32 r1, [tx];
"""
WITH_SAMPLER = r"""
- | tex.1d.v4.f32.s32 {f1,f2,f3,f4}, [tx, sm, {s1}];
- | tex.1d.v4.f32.s32 {f1,f2,f3,f4}, [d1, d2, {s1}];
- | tex.grad.2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, sm, {f1,f2}], {f1,f2}, {f3,f4};
- | tld4.r.2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, sm, {f1,f2}];
- | txq.addr_mode_0.b32 r1, [sm];
- | txq.filter_mode.b32 r1, [d1];
- | txq.width.b32 r1, [tx];
- | suld.b.1d.b32.trap {r1}, [srf, {s1}];
operand-kind "sm" | txq.width.b32 r1, [sm];
"""
OLD = """.version 1.4
.target sm_10
"""
OLD_BODY = "^.entry k() { .reg .f32 f<9>; tex.2d.v4.f32.f32 {f1,f2,f3,f4}, [t,{f1,f2,f3,f4}]; }"
OLD_TEXTURES = "\n".join(
    (
        f"- | .tex .u32 t;{OLD_BODY}",
        f"- | .tex .u64 t;{OLD_BODY}",
        'declaration-type ".b32" | .tex .b32 t;',
        'declaration-type ".s32" | .tex .s32 t;',
        'declaration-type ".b64" | .tex .b64 t;',
    )
)
UNSAMPLED = re.sub(r"(?m)^operand-kind [^|]*\|", "- |", WITHOUT_SAMPLER)


def test_a_module_of_independent_textures_names_its_samplers() -> None:
    for table in (WITHOUT_SAMPLER + WITH_SAMPLER, broken_into_lines(WITHOUT_SAMPLER + WITH_SAMPLER)):
        assert our_mistakes(table, INDEPENDENT, END) == []


def test_a_module_of_unified_textures_needs_no_samplers() -> None:
    assert our_mistakes(UNSAMPLED, UNIFIED, END) == []


def test_old_textures_are_declared_as_numbers() -> None:
    assert our_mistakes(OLD_TEXTURES, OLD) == []


@needs_assembler
def test_the_tables_are_what_ptxas_says() -> None:
    assert ptxas_mistakes(WITHOUT_SAMPLER + WITH_SAMPLER, INDEPENDENT, END) == []
    assert ptxas_mistakes(UNSAMPLED, UNIFIED, END) == []
    assert ptxas_mistakes(OLD_TEXTURES, OLD) == []
