"""Vectors where one value is expected, as ptxas takes them: masks, packed values, coordinates of textures.

`tests.judgement.verdicts` explains the notation; the registers are those of its `NAMES`. Expected values: ptxas 13.5.
"""

import pytest

from tests.judgement.verdicts import END, body, broken_into_lines, our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler

VALUES_IN_BRACES = r"""
- | st.async.weak.shared.b32 [r1], {h1,hu2}, [r2];
- | st.async.weak.shared.b32 [r1], {o1,o2,o3,o4}, [r2];
- | st.async.cluster.mbarrier::complete_tx::bytes.b64 [d1], vr, [d2];
- | st.async.cluster.mbarrier::complete_tx::bytes.b64 [d1], {r1,5}, [d2];
operand-type "p1" | st.async.cluster.mbarrier::complete_tx::bytes.b64 [d1], {p1,p2}, [d2];
- | clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 r1, {d1,ud2};
- | clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 r1, vf;
- | cp.async.bulk.global.shared::cta.bulk_group.cp_mask [d1], [r1], r2, {h1,hs2};
- | cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [r1], [d1], r2, {h1};
- | cp.async.bulk.global.shared::cta.bulk_group.cp_mask [d1], [r1], r2, {5,6};
- | multimem.cp.async.bulk.global.shared::cta.bulk_group.cp_mask [d1], [r1], r2, {h1,5};
immediate-type "1.0" | cp.async.bulk.global.shared::cta.bulk_group.cp_mask [d1], [r1], r2, {1.0};
operand-type "hu1" | cp.async.bulk.global.shared::cta.bulk_group.cp_mask [d1], [r1], r2, {hu1,hu2};
- | cvt.rn.satfinite.relu.e2m1x2.bf16x2 o1, {r1,r2};
- | cvt.rn.satfinite.relu.e2m1x2.bf16x2 o1, f1;
- | cvt.rn.satfinite.relu.e2m1x2.bf16x2 o1, p1;
- | cvt.rn.satfinite.e2m1x2.bf16x2 o1, {p1,p2};
- | cvt.rn.satfinite.e2m1x2.bf16x2 o1, 0f3F800000;
operand-type "d1" | cvt.rn.satfinite.e2m1x2.bf16x2 o1, d1;
- | cvt.rn.satfinite.s2f6x2.f32 {h1,h2}, f1, f2;
- | multimem.st.weak.global.f64 [d2], {g1};
- | multimem.ld_reduce.weak.global.add.f64 {ud1}, [d2];
operand-kind "gs.b0" | ld.global.v2.f32 {gs.b0,f1}, [ga];
operand-kind "gs.b" | mov.b64 d1, {r1,gs.b};
- | multimem.st.weak.global.v2.f32 [d2], {1.0,f1};
- | multimem.st.weak.global.v2.f32 [d2], {0f3F800000,0f3F800000};
immediate-type "{1.0,1.0}" | multimem.st.weak.global.v2.f32 [d2], {1.0,1.0};
- | multimem.st.weak.global.v2.e5m2x4 [d2], {1,r1};
- | multimem.st.weak.global.e5m2x4 [d2], 1;
immediate-type "{1,1}" | multimem.st.weak.global.v2.e5m2x4 [d2], {1,1};
immediate-type "{1,1,1,1}" | multimem.st.weak.global.v4.e5m2x2 [d2], {1,1,1,1};
immediate-type "{1,1,1,1}" | multimem.st.weak.global.v4.e5m2 [d2], {1,1,1,1};
vector-size "{ud1}" | multimem.ld_reduce.weak.global.add.u64 {ud1}, [d2];
"""

TEXTURES = r"""
- | tex.2d.v2.f16x2.f32 {ee1,r2}, [tx, {f1,f2}];
sink "_" | tex.2d.v2.f16x2.f32 {r1,_}, [tx, {f1,f2}];
operand-type "p2" | tex.2d.v2.f16x2.f32 {r1,p2}, [tx, {f1,f2}];
- | tex.2d.v4.f32.f32 {f1,f2,f3,_}, [tx, {f4,f5}];
- | tex.a1d.v4.f32.f32 {f1,f2,f3,f4}, [tx, tx], {f5};
- | tex.a1d.v4.f32.f32 {f1,f2,f3,f4}, [tx, tx], f5+4;
- | tex.a2d.v4.f32.s32 {f1,f2,f3,f4}, [tx, srf], r5;
- | tex.acube.v4.f32.f32 {f1,f2,f3,f4}, [tx, tx], 1.0;
- | tex.level.5d.v4.f32.s32 {f1,f2,f3,f4}, [tx, tx], 5, r6;
- | tex.grad.a2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, tx], {f5,f6}, {f7,f8}, {f1,f2};
- | tex.grad.a2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, tx], {f5,f6}, {f7,f8}, {f1,f2}, {r1};
- | tex.grad.5d.v4.f32.s32 {f1,f2,f3,f4}, [tx, d1], {r1}, {f1}, {f2}, 5;
- | tex.level.3d.v4.f32.f32 {f1,f2,f3,f4}, [tx, tx], {f1,f2,f3,f4}, {f5,f6,f7,f8};
- | tex.level.cube.v4.f32.f32 {f1,f2,f3,f4}, [tx, tx], {f1,f2,f3,f4}, f5, f6;
vector-size "{f5}" | tex.level.2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, tx], {f1}, {f5};
operand-kind "tx" 2 | tex.level.cube.v4.f32.f32 {f1,f2,f3,f4}, [tx, tx], {f1,f2,f3,f4}, {f5,f6,f7,f8};
- | tex.a2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, {r1.h1,f2.b0,f3,r4.b7654}];
operand-kind "gs.b0" | tex.a2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, {gs.b0,f2,f3,r4}];
- | tld4.r.cube.v4.f32.f32 {f1,f2,f3,f4}, [tx, tx], f5;
"""

SEPARATE_SAMPLERS = r"""
- | tex.a2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, sm, {r1.h1,f2,f3,r4.b7654}];
- | tex.a2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, sm], {r1.h1,f2,f3,r4.b7654};
- | tex.a2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, sm], f5;
- | tex.2dms.v4.f32.s32 {f1,f2,f3,f4}, [tx, sm], fn0;
operand-kind "fn0+4" | tex.2dms.v4.f32.s32 {f1,f2,f3,f4}, [tx, sm], fn0+4;
- | tex.grad.a2d.v4.f32.f32 {f1,f2,f3,f4}, [tx, sm], {r1,f2,f3,r4}, {f1,f2}, {f3,f4};
- | tex.grad.cube.v4.f32.f32 {f1,f2,f3,f4}, [tx, sm], {r1,f2,f3,r4}, {f1,f2}, {f3,f4};
operand-kind "r1.h1" | tex.grad.cube.v4.f32.f32 {f1,f2,f3,f4}, [tx, sm], {r1.h1,f2,f3,r4}, {f1,f2}, {f3,f4};
- | tex.a2dms.v4.f32.s32 {f1,f2,f3,f4}, [tx, sm, {r1,r2,p3,p4}];
operand-type "p2" | tex.a2dms.v4.f32.s32 {f1,f2,f3,f4}, [tx, sm, {r1,p2,r3,r4}];
"""

TEXTURE = ".global .texref tx;"
BODY = body("9.4", "sm_100a")
BODY_WITH_SAMPLERS = body("9.4", "sm_100a, texmode_independent").replace(TEXTURE, f"{TEXTURE} .global .samplerref sm;")
TABLES = [
    pytest.param(VALUES_IN_BRACES, BODY, id="values in braces"),
    pytest.param(TEXTURES, BODY, id="textures"),
    pytest.param(SEPARATE_SAMPLERS, BODY_WITH_SAMPLERS, id="separate samplers"),
]


@pytest.mark.parametrize(("table", "before"), TABLES)
def test_vectors_are_judged_as_the_table_says(table: str, before: str) -> None:
    assert our_mistakes(table, before, END) == []
    assert our_mistakes(broken_into_lines(table), before, END) == []


@needs_assembler
@pytest.mark.parametrize(("table", "before"), TABLES)
def test_the_table_is_what_ptxas_says(table: str, before: str) -> None:
    assert ptxas_mistakes(table, before, END, "compute_100a") == []
