"""Initial values of variables of every type and shape; ptxas is asked about every row."""

from tests.judgement.verdicts import HEADER, our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler

INITIAL_VALUES_BEFORE = (
    HEADER
    + """\
.global .b32 g0; .const .b32 c0; .shared .b32 s0; .func f0(){ret;} .extern .global .b32 e0[];
.global .b8 ga[8]; .global .texref t0;
"""
)
INITIAL_VALUES_AFTER = ""
INITIAL_VALUES = r"""
- | .global .b32 a = 1;
- | .global .b32 a = 1, b = 2;
- | .global .b32 a = 1.0;
- | .global .b32 a[2] = {1,2};
- | .global .b32 a[2] = {1};
- | .global .b32 a[2] = {};
- | .global .b32 a[2][2] = {{1,2},{3,4}};
- | .global .b32 a[2][2] = {{1},{3}};
- | .global .b32 a[2][2] = {{},{3}};
- | .global .b32 a[2][2] = {};
- | .global .b32 a[] = {1,2};
- | .global .b32 a[0] = {1};
- | .global .b32 a[][2] = {{1,2},{3,4},{5}};
- | .global .v2 .b32 a = {1,2};
- | .global .v2 .b32 a[2] = {{1,2},{3,4}};
- | .global .v2 .b32 a[2] = {{1,2}};
- | .global .v4 .f32 a = {1.0,2.0,3.0,4.0};
- | .global .v2 .b32 a[] = {{1,2},{3,4}};
- | .global .f32 a = 1.0;
- | .global .f32 a = 0f3f800000;
- | .global .f32 a = 0d3ff0000000000000;
- | .global .f32 a = -1.0;
- | .global .f32 a = (0f3f800000);
- | .global .f32 a = 1.0+2.0;
- | .global .f64 a = 1.0;
- | .global .f64 a = 0f3f800000;
- | .global .f16 a[2] = {};
- | .global .b8 a = 1.0;
- | .global .b16 a = 1.0;
- | .global .b64 a = 1.0;
- | .global .b8 a = 0f3f800000;
- | .global .b16 a = 0f3f800000;
- | .global .b32 a = 0f3f800000;
- | .global .b64 a = 0f3f800000;
- | .global .b128 a = 1;
- | .global .b128 a = 1.0;
- | .global .b128 a[2] = {1,2};
- | .global .u8 a = 256;
- | .global .u8 a = -1;
- | .global .s8 a = 255;
- | .global .b32 a = 0x100000000;
- | .global .u32 a = g0;
- | .global .u64 a = g0;
- | .global .u64 a = c0;
- | .global .u64 a = f0;
- | .global .u32 a = f0;
- | .global .u64 a = e0;
- | .global .u64 a = t0;
- | .global .u64 a = a;
- | .global .u64 a = g0+4;
- | .global .u64 a = g0 + 1<<2;
- | .global .u64 a = g0+-4;
- | .global .u64 a = generic(g0);
- | .global .u64 a = generic(g0)+4;
- | .global .u64 a = generic(c0);
- | .global .u64 a = generic(a);
- | .global .u32 a = generic(g0);
- | .global .u64 a[2] = {g0, generic(g0)};
- | .global .u64 a[2] = {g0, 1};
- | .global .u8 a = 0xFF(g0);
- | .global .u32 a = 0xFF(g0);
- | .global .u64 a = 0xFF(g0);
- | .global .u8 a = 0xFF(g0+4);
- | .global .u8 a = 0xFF(4);
- | .global .u8 a = 0xFF(4+4);
- | .global .u8 a = 0xFF(f0);
- | .global .u8 a = 0xFF(generic(g0));
- | .global .u8 a = 0xFF(generic(g0)+4);
- | .global .u8 a = 255(g0);
- | .global .u8 a = 0xFF00U(g0);
- | .const .b32 a = 1;
- | .const .u64 a = g0;
- | .const .u64 a = c0;
- | .const .b32 a[2] = {1,2};
- | .visible .global .b32 a = 1;
- | .weak .global .b32 a = 1;
- | .common .global .b32 a = 1;
- | .global .texref a = { width = 4 };
- | .global .texref a = { addr_mode_0 = wrap, filter_mode = linear };
- | .global .texref a = { normalized_coords = 1 };
- | .global .texref a = { channel_data_type = 4, channel_order = 3 };
- | .global .texref a[2] = { {}, {} };
- | .global .surfref a = { width = 4 };
- | .global .b32 a = WARP_SZ;
- | .global .b32 a = 1?2:3;
- | .global .b32 a[2] = {1, 2.0};
- | .entry k(){ret;} .global .u64 a = k;
- | .func ff(); .global .u64 a = ff;
declaration-type | .global .pred a = 1;
declaration-type | .global .samplerref a = { filter_mode = linear };
incomplete-array | .global .b32 a[0] = {};
incomplete-array | .global .b32 a[] = {};
initialiser-count | .global .b32 a[2] = {1,2,3};
initialiser-count | .global .b32 a[2][2] = {{1,2,3},{3}};
initialiser-count | .global .b32 a[2][2] = {{1},{3},{4}};
initialiser-count | .global .v2 .b32 a = {1,2,3};
initialiser-count | .global .v2 .b32 a = {1};
initialiser-count | .global .v2 .b32 a = {};
initialiser-count | .global .v2 .b32 a[2] = {{1,2,3}};
initialiser-count | .global .v2 .b32 a[2] = {{1},{3,4}};
initialiser-field | .global .texref a = { foo = 1 };
initialiser-mask | .global .u8 a = 0(g0);
initialiser-mask | .global .u8 a = 0xF0(g0);
initialiser-mask | .global .u8 a = 0xFFFF(g0);
initialiser-not-allowed | .extern .const .b32 a = 1;
initialiser-not-allowed | .extern .global .b32 a = 1;
initialiser-not-allowed | .extern .global .b32 a[2] = {1,2};
initialiser-not-allowed | .global .b32 a<2> = 1;
initialiser-not-allowed | .global .b32 a<2> = {1,2};
initialiser-not-allowed | .shared .b32 a = 1;
initialiser-not-allowed | .shared .b32 a[2] = {1,2};
initialiser-shape | .global .b32 a = {1,2};
initialiser-shape | .global .b32 a = {1};
initialiser-shape | .global .b32 a = {{1}};
initialiser-shape | .global .b32 a = {};
initialiser-shape | .global .b32 a[2] = 1;
initialiser-shape | .global .b32 a[2] = {{1,2}};
initialiser-shape | .global .b32 a[2] = {{1},{2}};
initialiser-shape | .global .b32 a[2][2] = {1,2,3,4};
initialiser-shape | .global .b32 a[2][2] = {1,2};
initialiser-shape | .global .b32 a[2][2] = {1,{3}};
initialiser-shape | .global .b32 a[2][2] = {{1},3};
initialiser-shape | .global .b32 a[2][2] = {{{1}},{3}};
initialiser-shape | .global .b32 a[3] = {1,2,{3,4}};
initialiser-shape | .global .b32 a[3] = {1,2,{3}};
initialiser-shape | .global .b32 a[3] = {{{{1}}}};
initialiser-shape | .global .b32 a[][2] = {1,2};
initialiser-shape | .global .texref a = 1;
initialiser-shape | .global .v2 .b32 a = 1;
initialiser-shape | .global .v2 .b32 a[2] = {1,2,3,4};
initialiser-shape | .global .v2 .b32 a[2] = {1,2};
initialiser-symbol | .global .b32 a[2] = {1.0, nosuch};
initialiser-symbol | .global .u64 a = %tid;
initialiser-symbol | .global .u64 a = b; .global .b32 b;
initialiser-symbol | .global .u64 a = f0+4;
initialiser-symbol | .global .u64 a = ff; .func ff(){ret;}
initialiser-symbol | .global .u64 a = generic(f0);
initialiser-symbol | .global .u64 a = generic(k); .entry k(){ret;}
initialiser-symbol | .global .u64 a = generic(nosuch);
initialiser-symbol | .global .u64 a = generic(s0);
initialiser-symbol | .global .u64 a = k; .entry k(){ret;}
initialiser-symbol | .global .u64 a = nosuch;
initialiser-symbol | .global .u64 a = s0;
initialiser-symbol | .global .u8 a = 0xFF(nosuch);
initialiser-symbol | .global .u8 a = 0xFF(s0);
initialiser-type | .global .b128 a = g0;
initialiser-type | .global .b32 a = g0;
initialiser-type | .global .b32 a[2] = {1, g0};
initialiser-type | .global .b64 a = f0;
initialiser-type | .global .b64 a = g0;
initialiser-type | .global .b64 a = generic(g0);
initialiser-type | .global .b8 a = 0xFF(g0);
initialiser-type | .global .b8 a = g0;
initialiser-type | .global .f16 a = 0x3c00;
initialiser-type | .global .f16 a = 1.0;
initialiser-type | .global .f16 a = 1;
initialiser-type | .global .f16 a = {};
initialiser-type | .global .f16x2 a = 1.0;
initialiser-type | .global .f16x2 a = 1;
initialiser-type | .global .f16x2 a[2] = {1,2};
initialiser-type | .global .f32 a = 0xFF(g0);
initialiser-type | .global .f32 a = 1.0<2.0;
initialiser-type | .global .f32 a = 1;
initialiser-type | .global .f32 a = g0;
initialiser-type | .global .f32 a[2] = {1.0, 1};
initialiser-type | .global .f32 a[2] = {g0, 1.0};
initialiser-type | .global .f64 a = 1;
initialiser-type | .global .f64 a = g0;
initialiser-type | .global .s32 a = 0f3f800000;
initialiser-type | .global .s32 a = g0;
initialiser-type | .global .s64 a = g0;
initialiser-type | .global .s64 a = generic(g0);
initialiser-type | .global .s8 a = 0xFF(g0);
initialiser-type | .global .u16 a = 0xFF(g0);
initialiser-type | .global .u16 a = g0;
initialiser-type | .global .u32 a = 1.0;
initialiser-type | .global .u32 a[2] = {1.0, 2};
initialiser-type | .global .u64 a = g0+1.0;
initialiser-type | .global .u8 a = 0xFF(1.0);
initialiser-type | .global .u8 a = 1.0;
initialiser-type | .global .u8 a = g0;
"""


def test_initial_values() -> None:
    assert our_mistakes(INITIAL_VALUES, INITIAL_VALUES_BEFORE, INITIAL_VALUES_AFTER) == []


@needs_assembler
def test_ptxas_agrees_on_initial_values() -> None:
    assert ptxas_mistakes(INITIAL_VALUES, INITIAL_VALUES_BEFORE, INITIAL_VALUES_AFTER) == []
