"""Operands of unusual kinds: which ones `ptxas` accepts, and the code and the place of the finding for the others."""

import pytest

from tests.judgement.verdicts import END, body, broken_into_lines, our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler

ADDRESSES_AND_REGISTERS = r"""
- | ld.shared.b32 r1, [%laneid];
- | ld.shared.b32 r1, [%laneid+4];
- | ld.global.b32 r1, [%clock64];
- | ld.shared.b32 r1, [%clock];
operand-kind "%tid" | ld.shared.b32 r1, [%tid];
bad-address "%tid.x" | ld.shared.b32 r1, [%tid.x];
operand-kind "%is_explicit_cluster" | ld.shared.b32 r1, [%is_explicit_cluster];
- | ld.shared.b32 r1, [%pm0];
- | ld.shared.b32 r1, [%envreg3];
- | st.shared.b32 [%laneid], r1;
- | atom.shared.add.u32 r1, [%laneid], r2;
- | prefetch.global.L1 [%laneid];
- | prefetch.global.L1 [%clock64];
- | cp.async.ca.shared.global [%laneid], [%clock64], 4;
operand-kind "_|_" | mbarrier.arrive.b64 _|_, [d1];
operand-kind "%laneid" | mbarrier.init.shared.b64 [%laneid], 1;
- | ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r1}, [%laneid];
- | discard.global.L2 [%clock64], 128;
- | wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {r1,r2,r3,r4,r5,r6,r7,r8}, [%laneid];
- | prefetch.tensormap [%clock64];
- | prefetch.tensormap [%laneid];
requires-target "tensormap.replace.tile.rank.global.b1024.b32" | tensormap.replace.tile.rank.global.b1024.b32 [%clock64], r1;
unknown-modifier ".shared" | tensormap.replace.tile.rank.shared.b1024.b32 [%laneid], r1;
special-register "%clock64" | tex.1d.v4.f32.s32 {f1,f2,f3,f4}, [%clock64, {s1}];
special-register "%clock64" | suld.b.1d.b32.trap {r1}, [%clock64, {r2}];
- | cvta.global.u64 d1, tx;
- | cvta.global.u64 d1, srf;
missing-modifier "cvta.u64" | cvta.u64 d1, tx;
operand-kind "tx" | cvta.shared.u64 d1, tx;
operand-kind "tx" | cvta.const.u64 d1, tx;
operand-kind "tx" | cvta.local.u64 d1, tx;
operand-kind "tx" | cvta.param.u64 d1, tx;
operand-kind "tx" | cvta.to.global.u64 d1, tx;
operand-kind "tx" | cvta.to.shared.u64 d1, tx;
operand-kind "tx" | mapa.u64 d1, tx, r1;
operand-kind "tx" | isspacep.global p1, tx;
- | atom.global.add.u32 r1, [tx], r2;
- | atom.add.u32 r1, [tx], r2;
- | atom.shared.add.u32 r1, [tx], r2;
operand-type "tx" | ld.global.u32 r1, [tx];
operand-type "tx" | ld.u32 r1, [tx];
operand-type "tx" | st.global.u32 [tx], r1;
operand-type "srf" | st.global.u32 [srf], r1;
- | red.global.add.u32 [tx], r1;
- | prefetch.global.L1 [tx];
- | prefetch.global.L1 [srf];
- | prefetchu.L1 [tx];
operand-type "tx" | ldu.global.u32 r1, [tx];
- | cp.async.ca.shared.global [r1], [tx], 4;
- | discard.global.L2 [tx], 128;
- | applypriority.global.L2::evict_normal [tx], 128;
requires-target "tensormap.replace.tile.rank.global.b1024.b32" | tensormap.replace.tile.rank.global.b1024.b32 [tx], r1;
- | cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [tx], [r1], 16;
operand-type "tx+4" | ld.global.u32 r1, [tx+4];
operand-type "tx" | wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {r1,r2,r3,r4,r5,r6,r7,r8}, [tx];
- | multimem.red.global.add.u32 [tx], r1;
- | fns.b32 r1, f1, r2, r3;
- | fns.b32 r1, r1, f2, r3;
- | fns.b32 r1, r1, r2, f3;
- | fns.b32 f1, r1, r2, r3;
immediate-type "1.0" | fns.b32 r1, 1.0, r2, r3;
- | fns.b32 r1, 0f3f800000, r2, r3;
immediate-type "1.0" | fns.b32 r1, r1, 1.0, r3;
- | fns.b32 r1, r1, 0f3f800000, r3;
- | fns.b32 r1, r1, r2, 0f3f800000;
immediate-type "1.0" | fns.b32 r1, r1, r2, 1.0;
- | fns.b32 r1, fn0, r2, r3;
- | fns.b32 r1, r1, fn0, r3;
- | fns.b32 r1, r1, r2, fn0;
- | fns.b32 r1, r1, k, r3;
operand-kind "ga" | fns.b32 r1, r1, r2, ga;
- | fns.b32 r1, r1, r2, ga+4;
- | fns.b32 r1, ga+4, r2, 1;
- | fns.b32 r1, r1, ee1, r3;
- | fns.b32 r1, r1, r3, ee1;
- | fns.b32 r1, ee1, r3, r3;
- | fns.b32 ee1, r1, r3, r3;
operand-type "d1" | fns.b32 r1, r1, d1, r3;
operand-type "h1" | fns.b32 r1, r1, h1, r3;
operand-type "h3" | fns.b32 r1, r1, r2, h3;
operand-type "h1" | fns.b32 r1, h1, r2, r3;
- | fns.b32 r1, r1, s2, u3;
- | fns.b32 s1, u1, s2, u3;
- | fns.b32 r1, r1, r2+1, r3+1;
special-register "%laneid" | fns.b32 r1, r1, %laneid, r3;
operand-type "p1" | fns.b32 r1, r1, p1, r3;
operand-type "x1" | fns.b32 r1, r1, r3, x1;
- | bar.red.popc.u32 ee1, 0, p1;
- | bar.red.popc.u32 r1, 0, p1;
operand-type "f1" | bar.red.popc.u32 f1, 0, p1;
- | bar.red.popc.u32 s1, 0, p1;
operand-type "d1" | bar.red.popc.u32 d1, 0, p1;
- | barrier.red.popc.u32 ee1, 0, p1;
- | bar.red.and.pred ee1, 0, p1;
operand-type "h1" | bar.red.popc.u32 h1, 0, p1;
operand-type "x1" | bar.red.popc.u32 x1, 0, p1;
operand-type "f1" | bmsk.clamp.b32 f1, r1, r2;
operand-type "f1" | bmsk.clamp.b32 r1, f1, r2;
operand-type "f1" | bmsk.clamp.b32 r1, r2, f1;
operand-type "ee1" | bmsk.clamp.b32 ee1, r1, r2;
operand-type "ee1" | bmsk.clamp.b32 r1, ee1, r2;
operand-type "ee1" | bmsk.clamp.b32 r1, r2, ee1;
- | bmsk.clamp.b32 s1, u1, s2;
immediate-type "0f3f800000" | bmsk.clamp.b32 r1, 0f3f800000, r2;
immediate-type "0f3f800000" | bmsk.clamp.b32 r1, r2, 0f3f800000;
- | bmsk.clamp.b32 r1, 1, 2;
operand-kind "fn0" | bmsk.clamp.b32 r1, fn0, r2;
- | bmsk.clamp.b32 r1, ga+4, r2;
operand-type "x1" | bmsk.wrap.b32 x1, r1, r2;
- | createpolicy.fractional.L2::evict_last.b64 d1, 1.0;
operand-type "g1" | createpolicy.fractional.L2::evict_last.b64 g1, 1.0;
operand-type "g1" | createpolicy.fractional.L2::evict_last.b64 g1;
- | createpolicy.fractional.L2::evict_last.b64 ud1;
- | createpolicy.fractional.L2::evict_last.b64 sd1;
operand-type "g1" | createpolicy.cvt.L2.b64 g1, 1;
operand-type "g1" | createpolicy.cvt.L2.b64 d1, g1;
operand-type "g1" | createpolicy.range.global.L2::evict_last.b64 g1, [d1], 1, 2;
- | createpolicy.range.global.L2::evict_last.b64 ud1, [d1], 1, 2;
immediate-type "4" | stackrestore.u64 4;
- | stackrestore.u64 d1;
operand-kind "ga" | stackrestore.u64 ga;
operand-kind "ga+4" | stackrestore.u64 ga+4;
operand-kind "fn0" | stackrestore.u64 fn0;
operand-type "r1" | stackrestore.u64 r1;
operand-type "g1" | stackrestore.u64 g1;
operand-type "d1+4" | stackrestore.u64 d1+4;
- | stackrestore.u32 r1;
immediate-type "4" | stackrestore.u32 4;
- | stackrestore.u32 ee1;
- | stacksave.u32 ee1;
- | movmatrix.sync.aligned.m8n8.trans.b16 r1, r2;
negation "!r2" | movmatrix.sync.aligned.m8n8.trans.b16 r1, !r2;
negation "-r2" | movmatrix.sync.aligned.m8n8.trans.b16 r1, -r2;
- | movmatrix.sync.aligned.m8n8.trans.b16 r1, ee2;
- | movmatrix.sync.aligned.m8n8.trans.b16 r1, f2;
immediate-type "1" | movmatrix.sync.aligned.m8n8.trans.b16 r1, 1;
state-space "pl" | prefetch.tensormap [pl];
state-space "prefetch" | prefetch.tensormap [kp];
state-space "pl" | prefetch.param.tensormap [pl];
- | prefetch.param.tensormap [kp];
- | prefetch.param.tensormap [ka];
state-space "pb" | prefetch.param.tensormap [pb];
- | prefetch.const.tensormap [ca];
- | prefetch.param.tensormap [d1];
operand-kind "tx" | istypep.texref p1, tx;
- | istypep.texref p1, d1;
operand-kind "fn0" | istypep.texref p1, fn0;
operand-kind "ga" | istypep.texref p1, ga;
operand-kind "ga+4" | istypep.texref p1, ga+4;
operand-kind "sa+4" | istypep.texref p1, sa+4;
- | istypep.texref p1, 4;
operand-kind "tx+4" | istypep.texref p1, tx+4;
operand-type "r1" | istypep.texref p1, r1;
- | istypep.texref p1, d1+4;
operand-kind "srf" | istypep.texref p1, srf;
- | multimem.red.global.add.u32 [d1], r2;
operand-type "r1" | multimem.red.global.add.u32 [r1], r2;
operand-type "s1" | multimem.red.global.add.u32 [s1], r2;
- | multimem.red.global.add.u32 [ga], r2;
- | multimem.red.global.add.u32 [ga+4], r2;
state-space "sa" | multimem.red.global.add.u32 [sa], r2;
- | multimem.red.add.u32 [sa], r2;
state-space "ca" | multimem.red.add.u32 [ca], r2;
- | multimem.red.add.u32 [loc], r2;
state-space "kp" | multimem.red.add.u32 [kp], r2;
operand-kind "fn0" | multimem.red.add.u32 [fn0], r2;
operand-kind "ga" | multimem.red.global.add.u32 ga, r2;
operand-kind "d1" | multimem.red.global.add.u32 d1, r2;
operand-kind "d1+4" | multimem.red.global.add.u32 d1+4, r2;
- | multimem.red.global.add.u32 ga[1], r2;
operand-kind "r1" | multimem.red.global.add.u32 r1, r2;
- | multimem.red.global.add.u32 [d1+4], r2;
operand-type "r1+4" | multimem.red.global.add.u32 [r1+4], r2;
- | multimem.red.global.add.u32 [ud1], r2;
operand-type "g1" | multimem.red.global.add.u32 [g1], r2;
operand-kind "4" | multimem.red.global.add.u32 [4], r2;
operand-kind "4" | multimem.red.global.add.u32 4, r2;
operand-kind "fn0" | multimem.red.global.add.u32 fn0, r2;
operand-kind "tx" | multimem.red.global.add.u32 tx, r2;
vector-size "{f1}" | multimem.red.global.add.f32 [d1], {f1};
- | multimem.red.global.add.f32 [d1], f1;
vector-size "{r1}" | multimem.red.global.add.u32 [d1], {r1};
- | multimem.red.global.add.v2.f32 [d1], {f1,f2};
vector-size "{r1}" | multimem.red.global.add.f16x2 [d1], {r1};
- | multimem.red.global.add.f16x2 [d1], r1;
vector-size "{r1}" | multimem.red.global.and.b32 [d1], {r1};
- | multimem.red.global.add.v2.f16x2 [d1], {r1,r2};
vector-size "{d1}" | multimem.red.global.add.u64 [d1], {d1};
- | multimem.red.global.add.u32 [%clock64], r1;
operand-kind "%laneid" | multimem.red.global.add.u32 [%laneid], r1;
- | multimem.red.global.add.u32 [d1], ga+4;
- | multimem.red.global.add.u32 [d1], fn0;
- | multimem.red.global.add.u32 [d1], 5;
vector-size "{r2}" | atom.global.add.u32 r1, [d1], {r2};
vector-size "{r2}" | red.global.add.u32 [d1], {r2};
vector-size "{f2}" | red.global.add.f32 [d1], {f2};
vector-size "{r1}" | atom.global.add.u32 {r1}, [d1], r2;
- | movmatrix.sync.aligned.m8n8.trans.b16 r1, !p2;
- | movmatrix.sync.aligned.m8n8.trans.b16 r1, p2;
- | multimem.red.add.u32 [d1], r2;
operand-type "o1" | multimem.red.add.u32 [o1], r2;
operand-type "h1" | multimem.red.add.u32 [h1], r2;
"""  # noqa: E501
COORDINATES = r"""
- | tex.a2d.v4.f32.f32 {f0,f1,f2,f3}, [tx, {r4,f0,f1,f2}];
- | tex.a2d.v4.f32.f32 {f0,f1,f2,f3}, [tx, {u4,f0,r1,u2}];
operand-type "ee0" | tex.a2d.v4.f32.f32 {f0,f1,f2,f3}, [tx, {r4,s0,ee0,r1}];
operand-type "u0" | tex.a2d.v4.f32.f32 {f0,f1,f2,f3}, [tx, {r4,f0,u0,r1}];
operand-type "f4" | tex.a2d.v4.f32.f32 {f0,f1,f2,f3}, [tx, {f4,f0,f0,f1}];
operand-type "ee1" | tld4.r.acube.v4.f32.f32 {f0,f1,f2,f3}, [tx, {r4,r3,u1,ee1}];
"""
MODIFIERS_ALONE = r"""
duplicate-modifier ".async" 2 | fence.async.async.acq_rel.cta;
- | fence.async.acq_rel.cta;
duplicate-modifier ".async" 2 | fence.proxy.async.async;
modifier-conflict ".async" | membar.async.cta;
duplicate-modifier ".async" 2 | membar.async.async.cta;
duplicate-modifier ".gpu" | cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group.cta.gpu [d1, {r1}], [r2];
duplicate-modifier ".cta" 2 | cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group.cta.cta [d1, {r1}], [r2];
- | cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group.gpu [d1, {r1}], [r2];
duplicate-modifier ".gpu" | cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group.cta.gpu [d1, {r1}], [r2];
- | cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group.cta [d1, {r1}], [r2];
unknown-modifier ".b4" | fns.b32.b4.b4 r1, r2, r3, r4;
unknown-modifier ".b2" | add.b2.b2.s32 r1, r2, r3;
duplicate-modifier ".number" 2 | add.number.number.s32 r1, r2, r3;
duplicate-modifier ".finite" | add.number.finite.s32 r1, r2, r3;
duplicate-modifier ".finite" 2 | fence.acq_rel.cta.async.finite.finite;
operand-type "f0" | tex.5d.v4.f32.s32 {r0,r1,r2,r3}, [tx,{f0,r2}];
- | tex.5d.v4.f32.s32 {r0,r1,r2,r3}, [tx,{r0,r2}];
- | tex.5d.v4.f32.s32 {r0,r1,r2,r3}, [tx,{r0,r2,r3,r4}];
- | tex.5d.v4.f32.f32 {r0,r1,r2,r3}, [tx,{r0,f2}];
- | tex.5d.v4.f32.f32 {r0,r1,r2,r3}, [tx,{s0,f2,f3,f4}];
operand-type "f0" | tex.5d.v4.f32.f32 {r0,r1,r2,r3}, [tx,{f0,f2,f3,f4}];
duplicate-modifier ".number" | testp.finite.number.f32 p1, f1;
- | testp.finite.f32 p1, f1;
duplicate-modifier ".rank" 2 | cp.async.bulk.tensor.1d.global.shared::cta.rank.rank.tile.bulk_group [d1, {r1}], [r2];
"""  # noqa: E501
TENSOR_MAPS = r"""
- | tensormap.replace.tile.rank.global.b1024.b32 [d1], 0;
- | tensormap.replace.tile.rank.global.b1024.b32 [d1], 4;
- | tensormap.replace.tile.rank.global.b1024.b32 [d1], 5;
- | tensormap.replace.tile.rank.global.b1024.b32 [d1], -1;
- | tensormap.replace.tile.box_dim.global.b1024.b32 [d1], 0, r1;
- | tensormap.replace.tile.box_dim.global.b1024.b32 [d1], 4, r1;
immediate-range "5" | tensormap.replace.tile.box_dim.global.b1024.b32 [d1], 5, r1;
immediate-range "-1" | tensormap.replace.tile.box_dim.global.b1024.b32 [d1], -1, r1;
immediate-range "4294967296" | tensormap.replace.tile.box_dim.global.b1024.b32 [d1], 4294967296, r1;
immediate-range "4294967297" | tensormap.replace.tile.box_dim.global.b1024.b32 [d1], 4294967297, 1;
- | tensormap.replace.tile.global_stride.global.b1024.b64 [d1], 4, d1;
immediate-range "5" | tensormap.replace.tile.global_stride.global.b1024.b64 [d1], 5, d1;
- | tensormap.replace.tile.global_stride.global.b1024.b64 [d1], 1, 5;
- | tensormap.replace.tile.element_stride.global.b1024.b32 [d1], 4, 99;
immediate-range "5" | tensormap.replace.tile.element_stride.global.b1024.b32 [d1], 5, 99;
operand-type "r1" | tensormap.replace.tile.element_stride.global.b1024.b32 [d1], r1, 99;
- | tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [d1], 1, ee1;
operand-type "f1" | tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [d1], 1, f1;
- | tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [d1], 1, u1;
immediate-type "0f3f800000" | tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [d1], 1, 0f3f800000;
- | tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [d1], 1, fn0;
- | tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [d1], 1, ga+4;
- | tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [d1], 1, r1+4;
- | tensormap.replace.tile.rank.shared::cta.b1024.b32 [d1], ee1;
- | tensormap.replace.tile.rank.shared::cta.b1024.b32 [d1], f1;
- | tensormap.replace.tile.global_address.shared::cta.b1024.b64 [d1], d2;
- | tensormap.replace.tile.global_address.shared::cta.b1024.b64 [d1], g2;
- | tensormap.replace.tile.global_address.shared::cta.b1024.b64 [d1], 1.0;
- | tensormap.replace.tile.global_address.shared::cta.b1024.b64 [d1], fn0;
- | tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [d1], 1, g2;
immediate-range "15" | tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [d1], 15;
immediate-range "16" | tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [d1], 16;
immediate-range "-1" | tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [d1], -1;
- | tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [d1], 12;
immediate-range "13" | tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [d1], 13;
operand-type "r1" | tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [d1], r1;
- | tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [d1], 2;
immediate-range "3" | tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [d1], 3;
- | tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [d1], 3;
immediate-range "4" | tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [d1], 4;
immediate-range "5" | tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [d1], 5;
requires-target "tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32" | tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [d1], 0;
requires-target "tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32" | tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [d1], 3;
immediate-range "4", requires-target "tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32" | tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [d1], 4;
- | tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [d1], 1;
immediate-range "2" | tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [d1], 2;
"""  # noqa: E501
WIDE_SWIZZLE = r"""
- | tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [d1], 3;
- | tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [d1], 4;
immediate-range "5" | tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [d1], 5;
- | tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [d1], 0;
- | tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [d1], 3;
immediate-range "4" | tensormap.replace.tile.swizzle_atomicity.shared::cta.b1024.b32 [d1], 4;
"""
BRACES_IN_MMA = r"""
- | MX_DENSE r6, {h0,h1}, r7, {h2,h3};
- | MX_DENSE {r6}, {h0,h1}, {r7}, {h2,h3};
- | MX_DENSE {u6}, {h0,h1}, {s7}, {h2,h3};
- | MX_DENSE {f6}, {h0,h1}, {r7}, {h2,h3};
- | MX_DENSE {ee6}, {h0,h1}, {r7}, {h2,h3};
immediate-type "1" | MX_DENSE {1}, {h0,h1}, {r7}, {h2,h3};
operand-type "d6" | MX_DENSE {d6}, {h0,h1}, {r7}, {h2,h3};
sink "_" | MX_DENSE {_}, {h0,h1}, {r7}, {h2,h3};
- | MX_DENSE {p1}, {h0,h1}, {p2}, {h2,h3};
- | MX_DENSE {0f3f800000}, {h0,h1}, r7, {h2,h3};
- | MX_DENSE {0f3f800000}, {h0,h1}, {0f3f800000}, {h2,h3};
operand-arithmetic "!p1" | MX_DENSE {!p1}, {h0,h1}, {r2}, {h2,h3};
- | MX_DENSE r6, {h0,x1}, r7, {x2,h3};
- | MX_DENSE r6, {h0,1.0}, r7, {x2,1.0};
- | MX_DENSE r6, {0,o1}, r7, {0,d3};
operand-type "x0" | MX_DENSE r6, {x0,x1}, r7, {h2,h3};
immediate-type "1.0" | MX_DENSE r6, {h0,h1}, r7, {1.0,2.0};
operand-type "x1" | MX_DENSE r6, {hu0,x1}, r7, {h2,h3};
immediate-type "1.0" | MX_DENSE r6, {hu0,1.0}, r7, {h2,h3};
operand-type "d1" | MX_DENSE r6, {h0,d1}, r7, {h2,h3};
- | MX_SPARSE {r6}, 0, {r6}, {h0,h1}, {r7}, {h2,h3};
- | MX_SPARSE r6, 0, r6, {h0,h1}, r7, {h2,h3};
immediate-range "1" | MX_SPARSE {r6}, 1, {r6}, {h0,h1}, {r7}, {h2,h3};
- | MX_SPARSE {u6}, 0, {s6}, {h0,h1}, {r7}, {h2,h3};
- | F8_SPARSE {r6}, 0;
- | F8_SPARSE r6, 0;
immediate-range "1" | F8_SPARSE r6, 1;
immediate-range "3" | F8_SPARSE r6, 3;
- | F16_SPARSE {r6}, 0;
- | F16_SPARSE r6, 1;
- | F16_SPARSE r6, 2;
"""
INSTRUCTIONS = {
    "MX_DENSE": "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 "
    "{f0,f1,f2,f3},{r0,r1,r2,r3},{r4,r5},{f0,f1,f2,f3},",
    "MX_SPARSE": "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X"
    ".f32.e4m3.e4m3.f32.ue8m0 {f0,f1,f2,f3},{r0,r1,r2,r3},{r4,r5,r6,r7},{f0,f1,f2,f3},",
    "F8_SPARSE": "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32 "
    "{f0,f1,f2,f3},{r0,r1,r2,r3},{r4,r5,r6,r7},{f0,f1,f2,f3},",
    "F16_SPARSE": "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
    "{f0,f1,f2,f3},{r0,r1,r2,r3},{r4,r5,r6,r7},{f0,f1,f2,f3},",
}
"""The beginnings of the long instructions in `BRACES_IN_MMA`."""

for name, text in INSTRUCTIONS.items():
    BRACES_IN_MMA = BRACES_IN_MMA.replace(name, text)

TABLES = [
    pytest.param(ADDRESSES_AND_REGISTERS, "9.4", "sm_90", id="addresses and registers"),
    pytest.param(COORDINATES, "9.4", "sm_90", id="coordinates"),
    pytest.param(MODIFIERS_ALONE, "9.4", "sm_90", id="modifiers alone"),
    pytest.param(TENSOR_MAPS, "8.6", "sm_90a", id="tensor maps"),
    pytest.param(WIDE_SWIZZLE, "8.8", "sm_103a", id="wide swizzle"),
    pytest.param(BRACES_IN_MMA, "9.4", "sm_120a", id="braces in mma"),
]


@pytest.mark.parametrize(("table", "version", "target"), TABLES)
def test_operands_are_judged_as_the_table_says(table: str, version: str, target: str) -> None:
    assert our_mistakes(table, body(version, target), END) == []
    assert our_mistakes(broken_into_lines(table), body(version, target), END) == []


@needs_assembler
@pytest.mark.parametrize(("table", "version", "target"), TABLES)
def test_the_table_is_what_ptxas_says(table: str, version: str, target: str) -> None:
    assert ptxas_mistakes(table, body(version, target), END, target.replace("sm", "compute")) == []
