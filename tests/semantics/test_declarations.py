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
attribute ".managed" | .const .attribute(.managed) .b32 a;
attribute ".foo" | .global .attribute(.foo) .b32 a;
attribute ".unified" | .global .attribute(.unified(1)) .b32 a;
attribute ".managed" | .shared .attribute(.managed) .b32 a;
attribute ".unified" | .shared .attribute(.unified(1,2)) .b32 a;
declaration-alignment "0" | .global .align 0 .b32 a;
declaration-alignment "3" | .global .align 3 .b32 a;
declaration-order ".visible" | .align 4 .visible .global .b32 a;
declaration-order ".global" | .b32 .global a;
declaration-order ".align" | .global .b32 .align 4 a;
declaration-order ".attribute" | .global .b32 .attribute(.managed) a;
declaration-order ".b32" 2 | .global .b32 .b32 a;
declaration-order ".visible" | .global .b32 .visible a;
declaration-order ".v4" | .global .f32 .v4 a;
declaration-order ".b32" | .global .ptr .b32 a;
declaration-order ".v2" 2 | .global .v2 .v2 .b32 a;
declaration-order ".align" | .global .v4 .align 16 .b32 a;
declaration-order ".visible" | .global .visible .b32 a;
declaration-space ".local" | .extern .local .b32 a[];
declaration-space ".global" 2 | .global .global .b32 a;
declaration-space ".shared" | .global .shared .b32 a;
declaration-space ".local" | .local .b32 a;
declaration-space ".local" | .local .b8 a[4];
declaration-space ".param" | .param .b32 a;
declaration-space ".reg" | .reg .b32 a;
declaration-space ".reg" | .reg .b32 a<4>;
declaration-space ".reg" | .reg .pred p;
declaration-space ".visible" | .visible .b32 a;
declaration-space ".local" | .visible .local .b32 a;
declaration-space ".reg" | .visible .reg .b32 a;
declaration-type ".texref" | .const .texref a;
declaration-type ".b1" | .global .b1 a;
declaration-type ".bf16" | .global .bf16 a;
declaration-type ".e4m3" | .global .e4m3 a;
declaration-type ".i32" | .global .i32 a;
declaration-type ".pred" | .global .pred a;
declaration-type ".samplerref" | .global .samplerref a;
declaration-type ".u128" | .global .u128 a;
declaration-type ".global" | .global a;
declaration-type ".texref" | .shared .texref a;
declaration-vector ".v2" | .global .v2 .b128 a;
declaration-vector ".v2" | .global .v2 .texref a;
declaration-vector ".v3" | .global .v3 .b32 a;
declaration-vector ".v4" | .global .v4 .b64 a;
declaration-vector ".v8" | .global .v8 .b32 a;
declaration-vector ".v8" | .global .v8 .b8 a;
duplicate-declaration "a" 2 | .common .global .b32 a; .common .global .b32 a;
duplicate-declaration "a" 3 | .extern .global .b32 a; .visible .global .b32 a; .visible .global .b32 a;
duplicate-declaration "%tid" | .global .b32 %tid;
duplicate-declaration "a" 2 | .global .b32 a, a;
duplicate-declaration "a" 2 | .global .b32 a; .global .b32 a;
duplicate-declaration "a" 2 | .global .b32 a; .global .f32 a;
duplicate-declaration "a" 2 | .global .b32 a; .shared .b32 a;
duplicate-declaration "k" 2 | .global .b32 k; .func k(){ret;}
duplicate-declaration "a" 2 | .weak .global .b32 a; .weak .global .b32 a;
incomplete-array "a[]" | .common .global .b32 a[];
incomplete-array "a[]" | .const .b32 a[];
incomplete-array "a[0]" | .global .b32 a[0];
incomplete-array "a[]" | .global .b32 a[];
incomplete-array "a[][4]" | .global .b32 a[][4];
incomplete-array "a[0]" | .global .texref a[0];
incomplete-array "a[]" | .shared .b32 a[];
incomplete-array "a[]" | .visible .global .b32 a[];
incomplete-array "a[]" | .weak .global .b32 a[];
inconsistent-redeclaration "k" 2 | .entry k(){ret;} .global .b32 k;
inconsistent-redeclaration "a" 2 | .extern .global .b32 a; .global .b32 a;
inconsistent-redeclaration "a" 2 | .extern .global .b32 a; .global .b32 a[1];
inconsistent-redeclaration "a" 2 | .extern .global .b32 a; .global .b64 a;
inconsistent-redeclaration "a" 2 | .extern .global .b32 a; .global .u32 a;
inconsistent-redeclaration "a" 2 | .extern .global .b32 a; .shared .b32 a;
inconsistent-redeclaration "a" 2 | .extern .global .b32 a[4]; .visible .global .b32 a[5];
inconsistent-redeclaration "a" 2 | .extern .global .b32 a[]; .global .b32 a[4];
inconsistent-redeclaration "k" 2 | .func k(){ret;} .global .b32 k;
linkage ".common" | .common .const .b32 a;
linkage ".common" | .common .shared .b32 a;
linkage ".weak" | .common .weak .global .b32 a;
linkage ".extern" 2 | .extern .extern .global .b32 a;
linkage ".visible" | .extern .visible .global .b32 a;
linkage ".weak" | .extern .weak .global .b32 a;
linkage ".extern" | .visible .extern .global .b32 a;
linkage ".visible" 2 | .visible .visible .global .b32 a;
linkage ".extern" | .weak .extern .global .b32 a;
linkage ".visible" | .weak .visible .global .b32 a;
parameter-pointer ".ptr" | .global .b32 .ptr a;
removed-directive ".const[0]" | .const[0] .b32 a;
removed-directive ".const[10]" | .const[10] .b32 a;
removed-directive ".const[11]" | .const[11] .b32 a;
removed-directive ".const[2]" | .const[2] .b32 a;
removed-directive ".tex" | .tex .b32 a;
removed-directive ".tex" | .tex .f32 a;
removed-directive ".tex" | .tex .texref a;
removed-directive ".tex" | .tex .u32 a;
removed-directive ".tex" | .tex .u64 a;
unknown-directive ".b32" | .b32 a;
unknown-directive ".texref" | .texref a;
unknown-specifier ".param::entry" | .param::entry .b32 a;
unknown-specifier ".shared::cluster" | .shared::cluster .b32 a;
unknown-specifier ".shared::cta" | .shared::cta .b32 a;
unknown-specifier ".sreg" | .sreg .b32 a;
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
- | .reg .b32 a1<9>; .reg .b32 a12;
- | .reg .b32 a12; .reg .b32 a1<9>;
- | .reg .b32 a1<9>; .reg .b32 a1; .reg .b32 a18; mov.b32 a18, a1;
- | .reg .b32 a<99>; .reg .b64 a1<9>; mov.b32 a12, 0;
- | .reg .b32 a<4>; mov.b32 a002, 0; mov.b32 a4294967298, 0; mov.b32 a00000000000003, 0;
- | .reg .b32 a02; .reg .b32 a<4>;
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
attribute ".managed" | .local .attribute(.managed) .b32 a;
attribute ".managed" | .param .attribute(.managed) .b32 a;
attribute ".managed" | .reg .attribute(.managed) .b32 a;
attribute ".managed" | .shared .attribute(.managed) .b32 a;
declaration-alignment "0" | .param .align 0 .b8 a[16];
declaration-alignment "256" | .param .align 256 .b8 a[16];
declaration-alignment "3" | .param .align 3 .b8 a[16];
declaration-order ".b32" 2 | .reg .b32 .b32 a;
declaration-order ".b32" | .reg .ptr .b32 a;
declaration-space ".local" | .reg .local .b32 a;
declaration-space ".reg" 2 | .reg .reg .b32 a;
declaration-type ".texref" | .global .texref a;
declaration-type ".pred" | .local .pred a;
declaration-type ".f16x2" | .param .f16x2 a;
declaration-type ".pred" | .param .pred a;
declaration-type ".texref" | .param .texref a;
declaration-type ".b1" | .reg .b1 a;
declaration-type ".bf16" | .reg .bf16 a;
declaration-type ".bf16x2" | .reg .bf16x2 a;
declaration-type ".e4m3" | .reg .e4m3 a;
declaration-type ".e4m3x2" | .reg .e4m3x2 a;
declaration-type ".f32x2" | .reg .f32x2 a;
declaration-type ".samplerref" | .reg .samplerref a;
declaration-type ".texref" | .reg .texref a;
declaration-type ".tf32" | .reg .tf32 a;
declaration-type ".u16x2" | .reg .u16x2 a;
declaration-type ".reg" | .reg a;
declaration-vector ".v2" | .param .v2 .b32 a;
declaration-vector ".v4" | .param .v4 .b32 a;
declaration-vector ".v2" | .reg .v2 .b128 a;
declaration-vector ".v2" | .reg .v2 .pred a;
declaration-vector ".v4" | .reg .v4 .b64 a;
declaration-vector ".v8" | .reg .v8 .b32 a;
duplicate-declaration "a" | .reg .b32 a2; .reg .b32 a<4>;
duplicate-declaration "a" 2 | .reg .b32 a; .reg .b32 a;
duplicate-declaration "a" 2 | .reg .b32 a; .reg .f32 a;
duplicate-declaration "a2" | .reg .b32 a<4>; .local .b32 a2;
duplicate-declaration "a2" | .reg .b32 a<4>; .reg .b32 a2;
duplicate-declaration "a02" | .reg .b32 a<4>; .reg .b32 a02;
undeclared "a12" | .reg .b32 a1<9>; mov.b32 a12, 0;
undeclared "a1" 2 | .reg .b32 a1<9>; mov.b32 a1, 0;
register-index "a4294967300" | .reg .b32 a<4>; mov.b32 a4294967300, 0;
duplicate-declaration "a" 2 | .reg .b32 a<4>; .reg .b32 a<4>;
duplicate-declaration "a" 2 | .reg .b32 a<4>; .reg .b32 a<5>;
duplicate-declaration "a2" | .reg .b32 a<4>; .reg .f32 a2;
duplicate-declaration "a" 2 | .reg .b32 a<4>; .reg .f32 a<4>;
duplicate-declaration "x" 2 | .reg .u32 x, x;
duplicate-declaration "x" 2 | x: .reg .b32 x;
incomplete-array "a[]" | .local .b32 a[];
incomplete-array "a[0]" | .param .b8 a[0];
incomplete-array "a[]" | .param .b8 a[];
incomplete-array "a[]" | .shared .b32 a[];
initialiser-not-allowed "1" | .local .b32 a = 1;
initialiser-not-allowed "1" | .param .b32 a = 1;
initialiser-not-allowed "1" | .reg .b32 a = 1;
initialiser-not-allowed "{1}" | .reg .b32 a = {1};
initialiser-not-allowed "1" | .shared .b32 a = 1;
linkage ".common" | .common .global .b32 a;
linkage ".extern" | .extern .global .b32 a;
linkage ".extern" | .extern .local .b32 a;
linkage ".extern" | .extern .reg .b32 a;
linkage ".extern" | .extern .shared .b32 a;
linkage ".extern" | .extern .shared .b32 a[];
linkage ".visible" | .visible .global .b32 a;
linkage ".visible" | .visible .reg .b32 a;
linkage ".visible" | .visible .shared .b32 a;
linkage ".weak" | .weak .global .b32 a;
linkage ".weak" | .weak .shared .b32 a;
misplaced-directive ".address_size" | .address_size 64
misplaced-directive ".file" | .file 1 "a"
misplaced-directive ".language" | .language 1;
misplaced-directive ".maxntid" | .maxntid 1
misplaced-directive ".section" | .section .debug_x { .b8 0 }
misplaced-directive ".version" | .version 9.4
parameter-pointer ".ptr" | .param .b32 .ptr a;
parameter-pointer ".ptr" | .param .b64 .ptr .global .align 8 a;
parameter-pointer ".ptr" | .reg .b32 .ptr a;
register-array "[4]" | .reg .b32 a[4];
register-array "[]" | .reg .b32 a[];
register-array "[2]" | .reg .pred a[2];
removed-directive ".const[0]" | .const[0] .b32 a;
removed-directive ".tex" | .tex .u32 a;
undeclared-function "a" | .alias a, b;
unknown-directive ".b32" | .b32 a;
unknown-directive ".texref" | .texref a;
unknown-directive ".b32" | x: .b32 1;
unknown-specifier ".sreg" | .sreg .b32 a;
"""


def test_body_declarations() -> None:
    assert our_mistakes(BODY_DECLARATIONS, BODY_DECLARATIONS_BEFORE, BODY_DECLARATIONS_AFTER) == []


@needs_assembler
def test_ptxas_agrees_on_body_declarations() -> None:
    assert ptxas_mistakes(BODY_DECLARATIONS, BODY_DECLARATIONS_BEFORE, BODY_DECLARATIONS_AFTER) == []
