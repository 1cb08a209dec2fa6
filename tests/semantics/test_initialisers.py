"""Initial values of variables of every type and shape; ptxas is asked about every row."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_lsp import check
from ptx_lsp.isa.types import TYPES
from ptx_lsp.reading import reader
from tests.judgement.verdicts import HEADER, our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler
from tests.syntax.values import ODD, PLAIN, values_one_by_one

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
declaration-type ".pred" | .global .pred a = 1;
declaration-type ".samplerref" | .global .samplerref a = { filter_mode = linear };
incomplete-array "a[0]" | .global .b32 a[0] = {};
incomplete-array "a[]" | .global .b32 a[] = {};
initialiser-count "3" | .global .b32 a[2] = {1,2,3};
initialiser-count "3" | .global .b32 a[2][2] = {{1,2,3},{3}};
initialiser-count "{" 4 | .global .b32 a[2][2] = {{1},{3},{4}};
initialiser-count "3" | .global .v2 .b32 a = {1,2,3};
initialiser-count "{1}" | .global .v2 .b32 a = {1};
initialiser-count "{}" | .global .v2 .b32 a = {};
initialiser-count "3" | .global .v2 .b32 a[2] = {{1,2,3}};
initialiser-count "{1}" | .global .v2 .b32 a[2] = {{1},{3,4}};
initialiser-field "foo" | .global .texref a = { foo = 1 };
initialiser-mask "0" | .global .u8 a = 0(g0);
initialiser-mask "0xF0" | .global .u8 a = 0xF0(g0);
initialiser-mask "0xFFFF" | .global .u8 a = 0xFFFF(g0);
initialiser-not-allowed "1" | .extern .const .b32 a = 1;
initialiser-not-allowed "1" | .extern .global .b32 a = 1;
initialiser-not-allowed "{1,2}" | .extern .global .b32 a[2] = {1,2};
initialiser-not-allowed "1" | .global .b32 a<2> = 1;
initialiser-not-allowed "{1,2}" | .global .b32 a<2> = {1,2};
initialiser-not-allowed "1" | .shared .b32 a = 1;
initialiser-not-allowed "{1,2}" | .shared .b32 a[2] = {1,2};
initialiser-shape "{" | .global .b32 a = {1,2};
initialiser-shape "{" | .global .b32 a = {1};
initialiser-shape "{" | .global .b32 a = {{1}};
initialiser-shape "{" | .global .b32 a = {};
initialiser-shape "1" | .global .b32 a[2] = 1;
initialiser-shape "{" 2 | .global .b32 a[2] = {{1,2}};
initialiser-shape "{" 2 | .global .b32 a[2] = {{1},{2}};
initialiser-shape "1" | .global .b32 a[2][2] = {1,2,3,4};
initialiser-shape "1" | .global .b32 a[2][2] = {1,2};
initialiser-shape "1" | .global .b32 a[2][2] = {1,{3}};
initialiser-shape "3" | .global .b32 a[2][2] = {{1},3};
initialiser-shape "{" 3 | .global .b32 a[2][2] = {{{1}},{3}};
initialiser-shape "{" 2 | .global .b32 a[3] = {1,2,{3,4}};
initialiser-shape "{" 2 | .global .b32 a[3] = {1,2,{3}};
initialiser-shape "{" 2 | .global .b32 a[3] = {{{{1}}}};
initialiser-shape "1" | .global .b32 a[][2] = {1,2};
initialiser-shape "1" | .global .texref a = 1;
initialiser-shape "1" | .global .v2 .b32 a = 1;
initialiser-shape "1" | .global .v2 .b32 a[2] = {1,2,3,4};
initialiser-shape "1" | .global .v2 .b32 a[2] = {1,2};
initialiser-symbol "nosuch" | .global .b32 a[2] = {1.0, nosuch};
initialiser-symbol "%tid" | .global .u64 a = %tid;
initialiser-symbol "b" | .global .u64 a = b; .global .b32 b;
initialiser-symbol "f0+4" | .global .u64 a = f0+4;
initialiser-symbol "ff" | .global .u64 a = ff; .func ff(){ret;}
initialiser-symbol "f0" | .global .u64 a = generic(f0);
initialiser-symbol "k" | .global .u64 a = generic(k); .entry k(){ret;}
initialiser-symbol "nosuch" | .global .u64 a = generic(nosuch);
initialiser-symbol "s0" | .global .u64 a = generic(s0);
initialiser-symbol "k" | .global .u64 a = k; .entry k(){ret;}
initialiser-symbol "nosuch" | .global .u64 a = nosuch;
initialiser-symbol "s0" | .global .u64 a = s0;
initialiser-symbol "nosuch" | .global .u8 a = 0xFF(nosuch);
initialiser-symbol "s0" | .global .u8 a = 0xFF(s0);
initialiser-type "g0" | .global .b128 a = g0;
initialiser-type "g0" | .global .b32 a = g0;
initialiser-type "g0" | .global .b32 a[2] = {1, g0};
initialiser-type "f0" | .global .b64 a = f0;
initialiser-type "g0" | .global .b64 a = g0;
initialiser-type "generic(g0)" | .global .b64 a = generic(g0);
initialiser-type "0xFF(g0)" | .global .b8 a = 0xFF(g0);
initialiser-type "g0" | .global .b8 a = g0;
initialiser-type "0x3c00" | .global .f16 a = 0x3c00;
initialiser-type "1.0" | .global .f16 a = 1.0;
initialiser-type "1" | .global .f16 a = 1;
initialiser-shape "{" | .global .f16 a = {};
initialiser-type "1.0" | .global .f16x2 a = 1.0;
initialiser-type "1" | .global .f16x2 a = 1;
initialiser-type "1" | .global .f16x2 a[2] = {1,2};
initialiser-type "0xFF(g0)" | .global .f32 a = 0xFF(g0);
initialiser-type "1.0<2.0" | .global .f32 a = 1.0<2.0;
initialiser-type "1" | .global .f32 a = 1;
initialiser-type "g0" | .global .f32 a = g0;
initialiser-type "1" 2 | .global .f32 a[2] = {1.0, 1};
initialiser-type "g0" | .global .f32 a[2] = {g0, 1.0};
initialiser-type "1" | .global .f64 a = 1;
initialiser-type "g0" | .global .f64 a = g0;
initialiser-type "0f3f800000" | .global .s32 a = 0f3f800000;
initialiser-type "g0" | .global .s32 a = g0;
initialiser-type "g0" | .global .s64 a = g0;
initialiser-type "generic(g0)" | .global .s64 a = generic(g0);
initialiser-type "0xFF(g0)" | .global .s8 a = 0xFF(g0);
initialiser-type "0xFF(g0)" | .global .u16 a = 0xFF(g0);
initialiser-type "g0" | .global .u16 a = g0;
initialiser-type "1.0" | .global .u32 a = 1.0;
initialiser-type "1.0" | .global .u32 a[2] = {1.0, 2};
initialiser-type "1.0" | .global .u64 a = g0+1.0;
initialiser-type "1.0" | .global .u8 a = 0xFF(1.0);
initialiser-type "1.0" | .global .u8 a = 1.0;
initialiser-type "g0" | .global .u8 a = g0;
- | .global .b8 a[20] = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0xff,255,2};
- | .global .s32 a[20] = {-3,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,-7,2};
- | .global .f32 a[20] = {0f3f800000,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,-2.5,2.0};
- | .global .b32 a[2][20] = {{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}, {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2}};
- | .global .v2 .b32 a[2] = {{1,2}, {3,4}};
- | .const .u64 a[] = {18446744073709551615,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0};
initialiser-count "101" | .global .b32 a[18] = {5,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,101,102,103};
initialiser-count "101" | .global .b32 a[3] = {5,6,7,101,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,8};
initialiser-shape "88" | .global .b32 a[2][20] = {88,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2};
initialiser-type "77" | .global .f32 a[20] = {77,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2};
initialiser-type "0f3f800000" | .global .s32 a[20] = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0f3f800000,1,2};
initialiser-type "1.5" | .global .u8 a[20] = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1.5,1,2};
- | .global .u64 a[5] = {f0, g0, c0, 5, f0};
initialiser-symbol "s0" | .global .u64 a[4] = {f0, g0, s0, g0};
initialiser-symbol "nowhere" | .global .u64 a[3] = {g0, g0, nowhere};
initialiser-symbol "f0+4" | .global .u64 a[3] = {f0, f0, f0+4};
initialiser-type "1.0" | .global .u64 a[3] = {g0, g0, 1.0};
initialiser-symbol "nowhere" | .global .u64 a[20] = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,nowhere,1,2};
"""


def test_initial_values() -> None:
    assert our_mistakes(INITIAL_VALUES, INITIAL_VALUES_BEFORE, INITIAL_VALUES_AFTER) == []


@needs_assembler
def test_ptxas_agrees_on_initial_values() -> None:
    assert ptxas_mistakes(INITIAL_VALUES, INITIAL_VALUES_BEFORE, INITIAL_VALUES_AFTER) == []


@st.composite
def tables(draw: st.DrawFn) -> str:
    """A variable with a type, sizes and many initial values, most of them of one kind and few of another."""
    plain = draw(st.sampled_from([["0", "7", "255", "-3", "0xFF"], ["0f3F800000", "2.5"], PLAIN]))
    values = draw(st.lists(st.sampled_from(plain), min_size=17, max_size=40))
    for odd in draw(
        st.lists(st.sampled_from([*PLAIN, *ODD, "256", "-129", "65536", "18446744073709551616"]), max_size=2)
    ):
        values.insert(draw(st.integers(0, len(values))), odd)
    type_ = draw(st.sampled_from(sorted(TYPES)))
    sizes = draw(st.sampled_from(["[99]", "[]", "[20]", "[2][30]", "", "[0]"]))
    vector = draw(st.sampled_from(["", "", ".v2 "]))
    return f"{HEADER}.global .b32 x;\n.global {vector}{type_} a{sizes} = {{{', '.join(values)}}};\n"


@settings(max_examples=400)
@given(tables())
def test_many_values_are_checked_as_one_by_one(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "RECOGNISERS", False)
        found = check(text)
        with values_one_by_one():
            assert found == check(text)
