"""Headers of kernels and functions, their parameters, and repeated headers; ptxas is asked about every row."""

from tests.judgement.verdicts import our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler

HEADERS = r"""
reserved-name "_" | .entry _() { ret; }
reserved-name "_" | .func _() { ret; }
reserved-name "_" | .func _();
reserved-name "_" | .extern .func _();
reserved-name "%tid" | .entry %tid()^{^ret;^}
reserved-name "%laneid" | .func %laneid() { ret; }
- | .entry k() { P: .callprototype _ (); ret; }
- | .func f(.param .f16x2 p[4]) { ret; }
- | .func (.param .f16x2 p[4]) f() { ret; }
- | .entry k(.param .v4 .b8 p[4]) { ret; }
- | .func f(.param .align 16 .v4 .f32 p[]) { ret; }
- | .entry k() { .param .v4 .b8 p[4]; ret; }
declaration-vector ".v4" | .func f(.param .v4 .b8 p) { ret; }
declaration-vector ".v4" | .entry k() { .param .v4 .b8 p[4], q; ret; }
declaration-type ".f16x2" | .func f(.param .f16x2 p) { ret; }
- | .entry k(){ret;}
- | .entry k{ret;}
- | .entry k(){}
- | .entry k();
- | .visible .entry k(){ret;}
- | .weak .entry k(){ret;}
- | .extern .entry k();
- | .extern .entry k;
- | .func f(){ret;}
- | .func f{ret;}
- | .func f;
- | .func f();
- | .visible .func f(){ret;}
- | .weak .func f(){ret;}
- | .extern .func f();
- | .extern .func f;
- | .visible .func f();
- | .weak .func f();
- | .func (.reg .b32 r) f(){ret;}
- | .func (.reg .b32 r) f;
- | .func (.reg .b32 r, .reg .b32 s) f(){ret;}
- | .func (.param .b32 r) f(){ret;}
- | .func () f(){ret;}
- | .func (.param .align 8 .b8 r[16]) f(){ret;}
- | .func (.reg .pred r) f(){ret;}
- | .func f(.reg .b32 a){ret;}
- | .func f(.reg .pred a){ret;}
- | .func f(.param .b32 a, .param .b32 a);
- | .entry k(.param .b32 a, .param .b32 a);
- | .func (.param .b32 f) f(){ret;}
- | .func f(.param .b32 f){ret;}
- | .entry k(.param .b32 k){ret;}
- | .entry k(.param .b32 _){ret;}
- | .func f(.reg .v2 .b32 a){ret;}
- | .func f(.param .b32 a[]){ret;}
- | .func f(.param .b8 a[]){ret;}
- | .func f(.param .align 4 .b8 a[]){ret;}
- | .func f(.param .b32 b, .param .b8 a[]){ret;}
- | .func f(.param .b8 a[0]){ret;}
- | .entry k(.param .f16 a){ret;}
- | .entry k(.param .b128 a){ret;}
- | .entry k(.param .texref a){ret;}
- | .entry k(.param .surfref a){ret;}
- | .entry k(.param .u64 .ptr a){ret;}
- | .entry k(.param .u32 .ptr a){ret;}
- | .entry k(.param .u64 .ptr .global a){ret;}
- | .entry k(.param .u64 .ptr .const a){ret;}
- | .entry k(.param .u64 .ptr .local a){ret;}
- | .entry k(.param .u64 .ptr .shared a){ret;}
- | .entry k(.param .u64 .ptr .global .align 16 a){ret;}
- | .entry k(.param .u64 .ptr .align 16 a){ret;}
- | .entry k(.param .u64 .ptr .global .align 256 a){ret;}
- | .entry k(.param .u64 .ptr .global .align 512 a){ret;}
- | .entry k(.param .f32 .ptr a){ret;}
- | .entry k(.param .b64 .ptr a){ret;}
- | .entry k(.param .s64 .ptr a){ret;}
- | .entry k(.param .b8 .ptr a){ret;}
- | .entry k(.param .u64 .ptr .global a[4]){ret;}
- | .entry k(.param .align 8 .b32 a){ret;}
- | .entry k(.align 8 .param .b32 a){ret;}
- | .entry k(.param .b32 .align 8 a){ret;}
- | .entry k(.param .align 2 .b32 a){ret;}
- | .entry k(.param .align 64 .b8 a[4]){ret;}
- | .entry k(.param .align 128 .b8 a[4]){ret;}
- | .entry k(.param .align 256 .b8 a[4]){ret;}
- | .entry k(.param .align 256 .b8 a[4]);
- | .func f(.param .align 128 .b8 a[4]){ret;}
- | .func f(.param .align 1 .b32 a){ret;}
- | .func f(.reg .align 4 .b32 a){ret;}
- | .entry k(.param .b8 a[4352]){ret;}
- | .entry k(.param .b8 a[4353]){ret;}
- | .entry k(.param .b8 a[32764]){ret;}
- | .entry k(.param .b8 a[4352], .param .b8 b[28412]){ret;}
- | .entry k(.param .b8 a, .param .b64 c, .param .b8 b[32748]){ret;}
- | .entry k(.param .b8 a[40000]);
- | .func f(.param .b8 a[40000]){ret;}
- | .func f(.param .b8 a[1048576]){ret;}
- | .func (.param .b8 a[40000]) f(){ret;}
- | .entry %k(){ret;}
- | .entry $k(){ret;}
- | .func k(); .func k(){ret;}
- | .func k(); .func k();
- | .entry k(); .entry k(){ret;}
- | .visible .func k(); .func k(){ret;}
- | .visible .func k(); .visible .func k(){ret;}
- | .weak .func k(); .func k(){ret;}
- | .func f(.reg .b32 a){ { .reg .b32 a; } ret;}
- | .func f(){ f: ret;}
- | .func f(){ .reg .b32 f; ret;}
- | .global .b32 a; .func f(.param .b32 a){ret;}
- | .entry k(.param .b32 a[4], .param .b32 b){ret;}
declaration-alignment "0" | .entry k(.param .align 0 .b32 a){ret;}
declaration-alignment "3" | .entry k(.param .align 3 .b32 a){ret;}
declaration-alignment "0" | .entry k(.param .u64 .ptr .align 0 a){ret;}
declaration-alignment "3" | .entry k(.param .u64 .ptr .align 3 a){ret;}
declaration-alignment "256" | .func (.param .align 256 .b8 r[4]) f(){ret;}
declaration-alignment "256" | .func f(.param .align 256 .b8 a[4]){ret;}
declaration-order ".u64" | .entry k(.param .ptr .u64 a){ret;}
declaration-order ".ptr" 2 | .entry k(.param .u64 .ptr .ptr a){ret;}
declaration-order ".b32" | .func .b32 f(){ret;}
declaration-order ".visible" | .func .visible f(){ret;}
declaration-type ".bf16" | .entry k(.param .bf16 a){ret;}
declaration-type ".e4m3" | .entry k(.param .e4m3 a){ret;}
declaration-type ".f16x2" | .entry k(.param .f16x2 a){ret;}
declaration-type ".pred" | .entry k(.param .pred a){ret;}
declaration-type ".samplerref" | .entry k(.param .samplerref a){ret;}
declaration-type ".generic" | .entry k(.param .u64 .ptr .generic a){ret;}
declaration-type ".pred" | .func (.param .pred r) f(){ret;}
declaration-type ".texref" | .func f(.param .texref a){ret;}
declaration-type ".texref" | .func f(.reg .texref a){ret;}
declaration-vector ".v2" | .entry k(.param .v2 .b32 a){ret;}
declaration-vector ".v4" | .entry k(.param .v4 .f32 a){ret;}
declaration-vector ".v2" | .func f(.param .v2 .b32 a){ret;}
duplicate-declaration "a" 2 | .entry k(.param .b32 a){ .param .b32 a; ret;}
duplicate-declaration "a" 2 | .entry k(.param .b32 a){ .reg .b32 a; ret;}
duplicate-declaration "a" 2 | .entry k(.param .b32 a, .param .b32 a){ret;}
duplicate-declaration "a" 2 | .func (.param .b32 a) f(.param .b32 a){ret;}
duplicate-declaration "a" 2 | .func f(.param .b32 a){ .reg .b32 a; ret;}
duplicate-declaration "a" 2 | .func f(.param .b32 a, .param .b32 a){ret;}
duplicate-declaration "a" 2 | .func f(.param .b32 a, .param .b64 a){ret;}
duplicate-declaration "a" 2 | .func f(.reg .b32 a){ .reg .b32 a; ret;}
duplicate-declaration "a" 2 | .func f(.reg .b32 a, .reg .b32 a){ret;}
duplicate-definition "k" 2 | .entry k(){ret;} .entry k(){ret;}
duplicate-definition "k" 2 | .func k(){ret;} .func k();
duplicate-definition "k" 2 | .func k(){ret;} .func k(){ret;}
duplicate-definition "k" 2 | .weak .func k(){ret;} .weak .func k(){ret;}
extern-definition ".extern" | .extern .entry k(){ret;}
extern-definition ".extern" | .extern .func f(){ret;}
inconsistent-prototype ".func" | .entry k(); .func k(){ret;}
inconsistent-prototype ".func" | .entry k(){ret;} .func k(){ret;}
inconsistent-prototype ".param .b32 b" | .entry k(.param .b32 a); .entry k(.param .b32 a, .param .b32 b){ret;}
inconsistent-prototype ".b64" | .entry k(.param .b32 a); .entry k(.param .b64 a){ret;}
inconsistent-prototype ".u32" | .entry k(.param .b32 a); .entry k(.param .u32 a){ret;}
inconsistent-prototype "k" 2 | .extern .entry k(); .entry k(){ret;}
inconsistent-prototype ".visible" | .extern .entry k(); .visible .entry k(){ret;}
inconsistent-prototype ".b64" | .extern .func (.param .b32 r) k(); .extern .func (.param .b64 r) k();
inconsistent-prototype ".visible" | .extern .func (.param .b32 r) k(); .visible .func (.param .b64 r) k(){ret;}
inconsistent-prototype ".visible" | .extern .func (.param .b32 r) k(.reg .b32 a); .visible .func k(.reg .b32 a){ret;}
inconsistent-prototype ".visible" | .extern .func k() .noreturn; .visible .func k(){ret;}
inconsistent-prototype "k" 2 | .extern .func k(); .func k(){ret;}
inconsistent-prototype ".visible" | .extern .func k(); .visible .func k() .noreturn {ret;}
inconsistent-prototype ".visible" | .extern .func k(); .visible .func k(){ret;}
inconsistent-prototype ".weak" | .extern .func k(); .weak .func k(){ret;}
inconsistent-prototype ".visible" | .extern .func k(.param .b32 a); .visible .func k(){ret;}
inconsistent-prototype ".visible" | .extern .func k(.param .b32 a); .visible .func k(.param .align 8 .b32 b){ret;}
inconsistent-prototype ".visible" | .extern .func k(.param .b32 a); .visible .func k(.param .b32 b){ret;}
inconsistent-prototype ".visible" | .extern .func k(.param .b32 a); .visible .func k(.param .b32 b[1]){ret;}
inconsistent-prototype ".visible" | .extern .func k(.param .b32 a); .visible .func k(.param .b64 b){ret;}
inconsistent-prototype ".visible" | .extern .func k(.param .b32 a); .visible .func k(.param .f32 b){ret;}
inconsistent-prototype ".visible" | .extern .func k(.param .b32 a); .visible .func k(.param .u32 b){ret;}
inconsistent-prototype ".visible" | .extern .func k(.param .b32 a); .visible .func k(.reg .b32 b){ret;}
inconsistent-prototype ".visible" | .extern .func k(.param .b8 a[4]); .visible .func k(.param .b32 b){ret;}
inconsistent-prototype ".visible" | .extern .func k(.param .b8 a[4]); .visible .func k(.param .b8 b[8]){ret;}
inconsistent-prototype ".visible" | .extern .func k(.param .b8 a[]); .visible .func k(.param .b8 b[4]){ret;}
inconsistent-prototype ".visible" | .extern .func k(.param .s32 a); .visible .func k(.param .u32 b){ret;}
inconsistent-prototype ".entry" | .func k(); .entry k(){ret;}
inconsistent-prototype ".visible" | .func k(); .visible .func k(){ret;}
inconsistent-prototype ".entry" | .func k(){ret;} .entry k(){ret;}
inconsistent-prototype ".visible" | .weak .func k(); .visible .func k(){ret;}
linkage ".common" | .common .entry k(){ret;}
linkage ".common" | .common .func f();
linkage ".common" | .common .func f(){ret;}
linkage ".weak" | .visible .weak .entry k(){ret;}
parameter-form "[4]" 2 | .entry k(.param .b8 a[4][4]){ret;}
parameter-form "[4]" 2 | .func f(.param .b8 a[4][4]){ret;}
parameter-form "[4]" | .func f(.param .b8 a[][4]){ret;}
parameter-limit "k" | .entry k(.param .b8 a, .param .b64 c, .param .b8 b[32749]){ret;}
parameter-limit "k" | .entry k(.param .b8 a, .param .b8 b[32764]){ret;}
parameter-limit "k" | .entry k(.param .b8 a[32764], .param .b8 b){ret;}
parameter-limit "k" | .entry k(.param .b8 a[32765]){ret;}
parameter-pointer ".global" | .entry k(.param .u64 .ptr .align 16 .global a){ret;}
parameter-pointer ".align" 2 | .entry k(.param .u64 .ptr .global .align 8 .align 8 a){ret;}
parameter-pointer ".shared" | .entry k(.param .u64 .ptr .global .shared a){ret;}
parameter-pointer ".param" 2 | .entry k(.param .u64 .ptr .param a){ret;}
parameter-pointer ".reg" | .entry k(.param .u64 .ptr .reg a){ret;}
parameter-pointer ".ptr" | .func (.param .u64 .ptr r) f(){ret;}
parameter-pointer ".ptr" | .func f(.param .u64 .ptr a){ret;}
parameter-pointer ".ptr" | .func f(.reg .u64 .ptr a){ret;}
- | .entry k(.hidden .param .b32 a){ret;}
- | .entry k(.param .b32 b, .hidden	.param .align 64 .b8 a[128]){ret;}
- | .entry k(.hidden .param .u64 .ptr .global .align 4 a);
- | .entry k(.hidden .align 8 .param .b32 a){ret;}
- | .entry k(.hidden .param .b32 a); .entry k(.param .b32 a) {ret;}
- | .entry k(){ p: .callprototype (.hidden .param .b32 _) _ (.hidden .param .b32 _); ret;}
parameter-pointer ".hidden" | .func f(.hidden .param .b32 a){ret;}
parameter-pointer ".hidden" | .func f(.hidden .reg .b32 a){ret;}
parameter-pointer ".hidden" | .func f(.hidden .shared .b32 a){ret;}
parameter-pointer ".hidden" | .func (.hidden .param .b32 r) f();
parameter-space ".reg" | .entry k(.hidden .reg .b32 a){ret;}
parameter-space ".b32" | .entry k(.hidden .b32 a){ret;}
unknown-specifier ".hidden" | .hidden .global .b32 a;
parameter-space ".b32" | .entry k(.b32 a){ret;}
parameter-space ".local" | .entry k(.local .b32 a){ret;}
parameter-space "b" | .entry k(.param .b32 a, b){ret;}
parameter-space ".reg" | .entry k(.reg .b32 a){ret;}
parameter-space ".texref" | .entry k(.texref a){ret;}
parameter-space "void" | .entry k(void){ret;}
parameter-space ".b32" | .func (.b32 r) f(){ret;}
parameter-space ".local" | .func (.local .b32 r) f(){ret;}
parameter-space ".b32" | .func f(.b32 a){ret;}
parameter-space ".const" | .func f(.const .b32 a){ret;}
parameter-space ".global" | .func f(.global .b32 a){ret;}
parameter-space ".local" | .func f(.local .b32 a){ret;}
parameter-space ".shared" | .func f(.shared .b32 a){ret;}
register-array "[4]" | .func f(.reg .b32 a[4]){ret;}
reserved-name "_" | .func (.param .b32 _) f();
reserved-name "_" | .func (.param .b32 _) f(){ret;}
reserved-name "_" | .func f(.param .b32 _){ret;}
return-parameters ".param .b32 r" | .func (.param .b32 r, .param .b32 s) f(){ret;}
return-parameters ".param .b32 s" | .func (.reg .b32 r, .param .b32 s) f(){ret;}
unsized-parameter ".param .b8 a[0]" | .entry k(.param .b8 a[0]){ret;}
unsized-parameter ".param .b8 b[]" | .entry k(.param .b8 a[4], .param .b8 b[]){ret;}
unsized-parameter ".param .b8 a[]" | .entry k(.param .b8 a[]){ret;}
unsized-parameter ".param .b8 r[]" | .func (.param .b8 r[]) f(){ret;}
unsized-parameter ".param .b8 a[]" | .func f(.param .b8 a[], .param .b32 b){ret;}
"""


def test_our_mistakes_in_headers_are_those_of_the_table() -> None:
    assert our_mistakes(HEADERS) == []


@needs_assembler
def test_ptxas_agrees_on_headers() -> None:
    assert ptxas_mistakes(HEADERS) == []
