"""What variables and registers a module and a function may declare; ptxas is asked about every row."""

from tests.judgement.verdicts import HEADER, our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler

MODULE_DECLARATIONS = r"""
- | .global .b32 a;
- | .global .align 4 .b32 a;
- | .align 4 .global .b32 a;
- | .global .v4 .f32 a;
- | .global .v2 .b64 a;
- | .global .v4 .b32 a[4];
- | .global .align 4 .v4 .b32 a;
- | .global .align 4 .align 8 .b32 a;
- | .global .b32;
- | .global .b32 a, b;
- | .global .b32 a[4], b, c[2];
- | .global .b32 a[4][2][3];
- | .extern .global .b32 a[];
- | .extern .global .b32 a[][4];
- | .extern .shared .b32 a[];
- | .extern .const .b32 a[];
- | .global .b32 a[WARP_SZ];
- | .global .b32 a[0x10];
- | .global .b32 a[010];
- | .global .b32 a[4U];
- | .global .b32 a[99999999999];
- | .global .b8 a[4294967296];
- | .global .b8 a[0x7fffffffffffffff];
- | .global .b8 a[0xffffffffffffffff];
- | .global .b32 a<4>;
- | .global .b32 %a<4>;
- | .global .b32 a<0>;
- | .shared .b32 a<4>;
- | .const .b32 a<4>;
- | .global .b32 %a;
- | .global .b32 $a;
- | .global .b32 _a;
- | .global .b32 tid;
- | .global .b32 add;
- | .global .f16 a;
- | .global .f16x2 a;
- | .global .b128 a;
- | .global .texref a;
- | .global .surfref a;
- | .global .texref a[4];
- | .global .texref a<4>;
- | .global .align 8 .texref a;
- | .const .b32 a;
- | .shared .b32 a;
- | .visible .shared .b32 a;
- | .visible .const .b32 a;
- | .extern .shared .b32 a;
- | .weak .shared .b32 a;
- | .weak .global .b32 a;
- | .weak .const .b32 a;
- | .common .global .b32 a;
- | .visible .align 4 .global .b32 a;
- | .global .align 1 .b32 a;
- | .global .align 256 .b32 a;
- | .global .align 512 .b32 a;
- | .global .align 1024 .b8 a;
- | .global .align 65536 .b8 a;
- | .global .align 4U .b32 a;
- | .global .align WARP_SZ .b32 a;
- | .global .align 2 .b32 a;
- | .global .attribute(.managed) .b32 a;
- | .global .attribute(.managed) .align 4 .b32 a;
- | .global .align 4 .attribute(.managed) .b32 a;
- | .attribute(.managed) .global .b32 a;
- | .visible .attribute(.managed) .global .b32 a;
- | .global .attribute(.managed, .managed) .b32 a;
- | .shared .b8 a[49153];
- | .shared .b8 a[300000];
- | .const .b8 a[65537];
- | .const .b8 a[70000];
- | .extern .global .b32 a; .extern .global .b32 a;
- | .extern .global .b32 a; .visible .global .b32 a;
- | .extern .global .b32 a; .weak .global .b32 a;
- | .global .b32 a; .extern .global .b32 a;
- | .visible .global .b32 a; .extern .global .b32 a;
- | .extern .global .b32 a[]; .visible .global .b32 a[4];
- | .extern .global .b32 a[4]; .extern .global .b32 a[];
- | .extern .global .align 4 .b32 a; .visible .global .align 8 .b32 a;
- | .common .global .b32 a; .extern .global .b32 a;
- | .weak .global .b32 a; .extern .global .b32 a;
- | .extern .global .b32 a; .visible .global .b32 a; .extern .global .b32 a;
attribute | .const .attribute(.managed) .b32 a;
attribute | .global .attribute(.foo) .b32 a;
attribute | .global .attribute(.unified(1)) .b32 a;
attribute | .shared .attribute(.managed) .b32 a;
attribute | .shared .attribute(.unified(1,2)) .b32 a;
declaration-alignment | .global .align 0 .b32 a;
declaration-alignment | .global .align 3 .b32 a;
declaration-order | .align 4 .visible .global .b32 a;
declaration-order | .b32 .global a;
declaration-order | .global .b32 .align 4 a;
declaration-order | .global .b32 .attribute(.managed) a;
declaration-order | .global .b32 .b32 a;
declaration-order | .global .b32 .visible a;
declaration-order | .global .f32 .v4 a;
declaration-order | .global .ptr .b32 a;
declaration-order | .global .v2 .v2 .b32 a;
declaration-order | .global .v4 .align 16 .b32 a;
declaration-order | .global .visible .b32 a;
declaration-space | .extern .local .b32 a[];
declaration-space | .global .global .b32 a;
declaration-space | .global .shared .b32 a;
declaration-space | .local .b32 a;
declaration-space | .local .b8 a[4];
declaration-space | .param .b32 a;
declaration-space | .reg .b32 a;
declaration-space | .reg .b32 a<4>;
declaration-space | .reg .pred p;
declaration-space | .visible .b32 a;
declaration-space | .visible .local .b32 a;
declaration-space | .visible .reg .b32 a;
declaration-type | .const .texref a;
declaration-type | .global .b1 a;
declaration-type | .global .bf16 a;
declaration-type | .global .e4m3 a;
declaration-type | .global .i32 a;
declaration-type | .global .pred a;
declaration-type | .global .samplerref a;
declaration-type | .global .u128 a;
declaration-type | .global a;
declaration-type | .shared .texref a;
declaration-vector | .global .v2 .b128 a;
declaration-vector | .global .v2 .texref a;
declaration-vector | .global .v3 .b32 a;
declaration-vector | .global .v4 .b64 a;
declaration-vector | .global .v8 .b32 a;
declaration-vector | .global .v8 .b8 a;
duplicate-declaration | .common .global .b32 a; .common .global .b32 a;
duplicate-declaration | .extern .global .b32 a; .visible .global .b32 a; .visible .global .b32 a;
duplicate-declaration | .global .b32 %tid;
duplicate-declaration | .global .b32 a, a;
duplicate-declaration | .global .b32 a; .global .b32 a;
duplicate-declaration | .global .b32 a; .global .f32 a;
duplicate-declaration | .global .b32 a; .shared .b32 a;
duplicate-declaration | .global .b32 k; .func k(){ret;}
duplicate-declaration | .weak .global .b32 a; .weak .global .b32 a;
incomplete-array | .common .global .b32 a[];
incomplete-array | .const .b32 a[];
incomplete-array | .global .b32 a[0];
incomplete-array | .global .b32 a[];
incomplete-array | .global .b32 a[][4];
incomplete-array | .global .texref a[0];
incomplete-array | .shared .b32 a[];
incomplete-array | .visible .global .b32 a[];
incomplete-array | .weak .global .b32 a[];
inconsistent-redeclaration | .entry k(){ret;} .global .b32 k;
inconsistent-redeclaration | .extern .global .b32 a; .global .b32 a;
inconsistent-redeclaration | .extern .global .b32 a; .global .b32 a[1];
inconsistent-redeclaration | .extern .global .b32 a; .global .b64 a;
inconsistent-redeclaration | .extern .global .b32 a; .global .u32 a;
inconsistent-redeclaration | .extern .global .b32 a; .shared .b32 a;
inconsistent-redeclaration | .extern .global .b32 a[4]; .visible .global .b32 a[5];
inconsistent-redeclaration | .extern .global .b32 a[]; .global .b32 a[4];
inconsistent-redeclaration | .func k(){ret;} .global .b32 k;
linkage | .common .const .b32 a;
linkage | .common .shared .b32 a;
linkage | .common .weak .global .b32 a;
linkage | .extern .extern .global .b32 a;
linkage | .extern .visible .global .b32 a;
linkage | .extern .weak .global .b32 a;
linkage | .visible .extern .global .b32 a;
linkage | .visible .visible .global .b32 a;
linkage | .weak .extern .global .b32 a;
linkage | .weak .visible .global .b32 a;
parameter-pointer | .global .b32 .ptr a;
removed-directive | .const[0] .b32 a;
removed-directive | .const[10] .b32 a;
removed-directive | .const[11] .b32 a;
removed-directive | .const[2] .b32 a;
removed-directive | .tex .b32 a;
removed-directive | .tex .f32 a;
removed-directive | .tex .texref a;
removed-directive | .tex .u32 a;
removed-directive | .tex .u64 a;
unknown-directive | .b32 a;
unknown-directive | .texref a;
unknown-specifier | .param::entry .b32 a;
unknown-specifier | .shared::cluster .b32 a;
unknown-specifier | .shared::cta .b32 a;
unknown-specifier | .sreg .b32 a;
"""


def test_module_declarations() -> None:
    assert our_mistakes(MODULE_DECLARATIONS) == []


@needs_assembler
def test_ptxas_agrees_on_module_declarations() -> None:
    assert ptxas_mistakes(MODULE_DECLARATIONS) == []


BODY_DECLARATIONS_BEFORE = (
    HEADER
    + """\
.global .b32 g;.entry k(){ .reg .b32 r<9>; .reg .b64 d<9>; .reg .pred p<4>;
"""
)
BODY_DECLARATIONS_AFTER = "\nret;}"
BODY_DECLARATIONS = r"""
- | .reg .b32 a;
- | .reg .b32 a, b;
- | .reg .b32 a<4>;
- | .reg .b32 a<4>, b<3>, c;
- | .reg .b32 a<0>;
- | .reg .b32 a<1>;
- | .reg .b32 a<WARP_SZ>;
- | .reg .b32 a<0x10>;
- | .reg .b32 a<4U>;
- | .reg .b32 a<1000000>;
- | .reg .v2 .b32 a;
- | .reg .v4 .b32 a;
- | .reg .v2 .b32 a<4>;
- | .reg .v2 .b64 a;
- | .reg .pred a<4>;
- | .reg .b128 a;
- | .reg .b8 a;
- | .reg .f16 a;
- | .reg .f16x2 a;
- | .reg .b32;
- | .reg .align 8 .b32 a;
- | .align 8 .reg .b32 a;
- | .reg .b32 %a;
- | .reg .b32 %tid;
- | .reg .b32 %ntid;
- | .reg .b32 %tid<4>;
- | .reg .b32 %laneid;
- | .reg .b32 %clock;
- | .reg .b32 %p1; 
- | .reg .b32 a<4>; .reg .b32 a;
- | .reg .b32 a<4>; .reg .b32 a5;
- | .reg .b32 a1<9>; .reg .b32 a<99>;
- | .reg .b32 a<99>; .reg .b32 a1<9>;
- | .reg .b32 a<4>; .local .b32 a;
- | .reg .b32 a; { .reg .b32 a; }
- | .reg .b32 a; { .reg .f32 a; }
- | .reg .b32 k;
- | .reg .b32 g;
- | .local .b32 g;
- | .shared .b32 g;
- | .local .b32 a;
- | .local .align 8 .b8 a[16];
- | .local .b32 a<4>;
- | .local .v4 .f32 a[2];
- | .local .f16x2 a;
- | .shared .b32 a;
- | .global .b32 a;
- | .global .b32 a = 5;
- | .global .b32 a[2] = {5, 6};
- | .const .b32 a;
- | .const .b32 a = 5;
- | .param .b32 a;
- | .param .align 8 .b8 a[16];
- | .param .b32 a[4];
- | .param .b32 a<4>;
- | .param .f16 a;
- | .param .b128 a;
- | .param .align 128 .b8 a[16];
- | .param .align 64 .b32 a;
- | .param .b8 a[4294967296];
- | .param .b8 a[40000];
- | .param .b8 a[70000];
- | .local .b8 a[99999999999];
- | .shared .b8 a[49153];
- | .pragma "nounroll";
- | .target sm_90
- | .global .attribute(.managed) .b32 a;
- | .reg .b32 tid;
- | .reg .b32 add;
- | .local .b32 k;
- | .param .b32 k;
- | .reg .b32 x<4>; x1:
- | ret; .reg .b32 a;
- | .reg .s32 a; .reg .u32 b; mov.b32 a, b;
attribute | .local .attribute(.managed) .b32 a;
attribute | .param .attribute(.managed) .b32 a;
attribute | .reg .attribute(.managed) .b32 a;
attribute | .shared .attribute(.managed) .b32 a;
declaration-alignment | .param .align 0 .b8 a[16];
declaration-alignment | .param .align 256 .b8 a[16];
declaration-alignment | .param .align 3 .b8 a[16];
declaration-order | .reg .b32 .b32 a;
declaration-order | .reg .ptr .b32 a;
declaration-space | .reg .local .b32 a;
declaration-space | .reg .reg .b32 a;
declaration-type | .global .texref a;
declaration-type | .local .pred a;
declaration-type | .param .f16x2 a;
declaration-type | .param .pred a;
declaration-type | .param .texref a;
declaration-type | .reg .b1 a;
declaration-type | .reg .bf16 a;
declaration-type | .reg .bf16x2 a;
declaration-type | .reg .e4m3 a;
declaration-type | .reg .e4m3x2 a;
declaration-type | .reg .f32x2 a;
declaration-type | .reg .samplerref a;
declaration-type | .reg .texref a;
declaration-type | .reg .tf32 a;
declaration-type | .reg .u16x2 a;
declaration-type | .reg a;
declaration-vector | .param .v2 .b32 a;
declaration-vector | .param .v4 .b32 a;
declaration-vector | .reg .v2 .b128 a;
declaration-vector | .reg .v2 .pred a;
declaration-vector | .reg .v4 .b64 a;
declaration-vector | .reg .v8 .b32 a;
duplicate-declaration | .reg .b32 a2; .reg .b32 a<4>;
duplicate-declaration | .reg .b32 a; .reg .b32 a;
duplicate-declaration | .reg .b32 a; .reg .f32 a;
duplicate-declaration | .reg .b32 a<4>; .local .b32 a2;
duplicate-declaration | .reg .b32 a<4>; .reg .b32 a2;
duplicate-declaration | .reg .b32 a<4>; .reg .b32 a<4>;
duplicate-declaration | .reg .b32 a<4>; .reg .b32 a<5>;
duplicate-declaration | .reg .b32 a<4>; .reg .f32 a2;
duplicate-declaration | .reg .b32 a<4>; .reg .f32 a<4>;
duplicate-declaration | .reg .u32 x, x;
duplicate-declaration | x: .reg .b32 x;
incomplete-array | .local .b32 a[];
incomplete-array | .param .b8 a[0];
incomplete-array | .param .b8 a[];
incomplete-array | .shared .b32 a[];
initialiser-not-allowed | .local .b32 a = 1;
initialiser-not-allowed | .param .b32 a = 1;
initialiser-not-allowed | .reg .b32 a = 1;
initialiser-not-allowed | .reg .b32 a = {1};
initialiser-not-allowed | .shared .b32 a = 1;
linkage | .common .global .b32 a;
linkage | .extern .global .b32 a;
linkage | .extern .local .b32 a;
linkage | .extern .reg .b32 a;
linkage | .extern .shared .b32 a;
linkage | .extern .shared .b32 a[];
linkage | .visible .global .b32 a;
linkage | .visible .reg .b32 a;
linkage | .visible .shared .b32 a;
linkage | .weak .global .b32 a;
linkage | .weak .shared .b32 a;
misplaced-directive | .address_size 64
misplaced-directive | .file 1 "a"
misplaced-directive | .language 1;
misplaced-directive | .maxntid 1
misplaced-directive | .section .debug_x { .b8 0 }
misplaced-directive | .version 9.4
parameter-pointer | .param .b32 .ptr a;
parameter-pointer | .param .b64 .ptr .global .align 8 a;
parameter-pointer | .reg .b32 .ptr a;
register-array | .reg .b32 a[4];
register-array | .reg .b32 a[];
register-array | .reg .pred a[2];
removed-directive | .const[0] .b32 a;
removed-directive | .tex .u32 a;
undeclared-function | .alias a, b;
unknown-directive | .b32 a;
unknown-directive | .texref a;
unknown-directive | x: .b32 1;
unknown-specifier | .sreg .b32 a;
"""


def test_body_declarations() -> None:
    assert our_mistakes(BODY_DECLARATIONS, BODY_DECLARATIONS_BEFORE, BODY_DECLARATIONS_AFTER) == []


@needs_assembler
def test_ptxas_agrees_on_body_declarations() -> None:
    assert ptxas_mistakes(BODY_DECLARATIONS, BODY_DECLARATIONS_BEFORE, BODY_DECLARATIONS_AFTER) == []
