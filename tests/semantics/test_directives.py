"""Directives outside and inside of functions, aliases, and debug data; ptxas is asked about every row."""

from tests.judgement.verdicts import HEADER, our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler

MODULE_DIRECTIVES = r"""
- | .pragma "abi_param_reg all";
- | .func f() { .pragma "abi_param_reg none"; ret; }
- | .entry k() { .pragma "enable_smem_spilling"; ret; }
pragma-scope ""enable_smem_spilling"" | .func f() { .pragma "enable_smem_spilling"; ret; }
pragma-scope ""enable_smem_spilling"" 2 | .entry k()^{^.pragma "enable_smem_spilling";^ret;^}^.func f()^{^.pragma "enable_smem_spilling";^ret;^}
- | .pragma "nounroll";
- | .pragma "foo";
- | .pragma "";
- | .pragma "a", "b";
- | .file 1 "a"
- | .file 1 "a" .file 2 "b"
- | .file 0 "a"
- | .file 1 "a", 1, 2
- | .file 1 "a", 1
- | .file WARP_SZ "a"
- | .file 1 ""
- | .func g(){ret;} .func f(); .alias f, g;
- | .visible .func g(){ret;} .visible .func f(); .alias f, g;
- | .visible .func g(){ret;} .func f(); .alias f, g;
- | .func g(){ret;} .visible .func f(); .alias f, g;
- | .visible .func g(){ret;} .weak .func f(); .alias f, g;
- | .visible .func g(); .visible .func f(); .alias f, g;
- | .func g(){ret;} .extern .func f(); .alias f, g;
- | .func g(); .func f(); .alias f, g;
- | .func g(); .func f(); .alias f, g; .func g(){ret;}
- | .func g(){ret;} .func f(); .func h(); .alias f, g; .alias h, f;
- | .section .debug_info { .b8 0 }
- | .section .debug_info { }
- | .section .debug_info {}
- | .section .foo { .b8 0 }
- | .section .debug_x { .b8 0 .b8 1 }
- | .section .debug_x { .b8 0, 1 }
- | .section .debug_x { .b8 255 }
- | .section .debug_x { .b8 -1 }
- | .section .debug_x { .b8 -128 }
- | .section .debug_x { .b16 65535 }
- | .section .debug_x { .b16 -32768 }
- | .section .debug_x { .b32 4294967295 }
- | .section .debug_x { .b32 4294967296 }
- | .section .debug_x { .b32 -2147483648 }
- | .section .debug_x { .b64 18446744073709551615 }
- | .section .debug_x { .b64 18446744073709551616 }
- | .section .debug_x { .b32 0x10 }
- | .section .debug_x { .b32 1U }
- | .section .debug_x { .b32 nosuch }
- | .section .debug_x { .b64 nosuch }
- | .section .debug_x { .b32 nosuch+4 }
- | .section .debug_x { .b32 nosuch-nosuch }
- | .section .debug_x { .b32 .debug_y }
- | .section .debug_x { .b32 .debug_y+4 }
- | .section .debug_x { .b32 .debug_x }
- | .section .debug_x { lab: .b32 0 }
- | .section .debug_x { lab: .b32 lab }
- | .section .debug_x { .b32 lab .b32 0 lab: }
- | .section .debug_x { lab: .b64 lab2-lab lab2: }
- | .section .debug_x { lab: .b32 lab2-lab lab2: }
- | .section .debug_x { .b8 0 } .section .debug_x { .b8 0 }
- | .section .debug_x { .b8 1, 2, 3 } .global .b32 g;
- | .section .debug_x { .b32 g } .global .b32 g;
- | .global .b32 g; .section .debug_x { .b32 g+4 }
- | .section .debug_x { .b8 0 /* c */ // x^ }
alias "k" 2 | .entry k(); .func f(){ret;} .alias k, f;
alias "k" 2 | .entry k(){ret;} .func f(); .alias f, k;
alias "g" 2 | .extern .func g(); .visible .func f(); .alias f, g;
alias "f" 2 | .func (.param .b32 r) g(){ret;} .func f(); .alias f, g;
alias "f" 2 | .func g(){ret;} .func f() .noreturn; .alias f, g;
alias "f" 3 | .func g(){ret;} .func f(); .alias f, f;
alias "f" 3 | .func g(){ret;} .func f(); .alias f, g; .alias f, g;
alias "f" 2 | .func g(){ret;} .func f(){ret;} .alias f, g;
alias "f" 2 | .func g(){ret;} .global .b32 f; .alias f, g;
alias "f" 2 | .func g(.param .b32 a){ret;} .func f(); .alias f, g;
alias "f" 2 | .func g(.param .b32 a){ret;} .func f(.param .b64 a); .alias f, g;
alias "f" 2 | .func g(.param .b32 a){ret;} .func f(.param .u32 a); .alias f, g;
alias "g" 2 | .global .b32 g; .func f(); .alias f, g;
alias "g" 2 | .weak .func g(){ret;} .visible .func f(); .alias f, g;
debug-data ".align" | .section .debug_x { .align 4 .b8 0 }
debug-data ".b128" | .section .debug_x { .b128 0 }
debug-data "-32769" | .section .debug_x { .b16 -32769 }
debug-data ".debug_y" | .section .debug_x { .b16 .debug_y }
debug-data "65536" | .section .debug_x { .b16 65536 }
debug-data "nosuch" | .section .debug_x { .b16 nosuch }
debug-data "-2147483649" | .section .debug_x { .b32 -2147483649 }
debug-data "-129" | .section .debug_x { .b8 -129 }
debug-data ".debug_y" | .section .debug_x { .b8 .debug_y }
debug-data "256" | .section .debug_x { .b8 256 }
debug-data "nosuch" | .section .debug_x { .b8 nosuch }
debug-data ".u32" | .section .debug_x { .u32 0 }
debug-data ".u8" | .section .debug_x { .u8 0 }
debug-data "lab2-lab" | .section .debug_x { lab: .b16 lab2-lab lab2: }
debug-data "lab2-lab" | .section .debug_x { lab: .b8 lab2-lab lab2: }
declaration-space ".extern" | .extern f;
declaration-space ".extern" | .extern;
declaration-space ".visible" | .visible;
duplicate-file "1" 2 | .file 1 "a" .file 1 "a"
duplicate-file "1" 2 | .file 1 "a" .file 1 "b"
duplicate-file "1" 3 | .file 1 "a", 1, 2 .file 1 "a", 1, 3
misplaced-directive ".branchtargets" | .branchtargets a;
misplaced-directive ".callprototype" | .callprototype _ ();
misplaced-directive ".language" | .language 1
misplaced-directive ".loc" | .loc 1 2 3
misplaced-directive ".loc_intermediate" | .loc_intermediate 1 2 3
misplaced-directive ".maxntid" | .maxntid 1
misplaced-directive ".noreturn" | .noreturn
misplaced-directive ".target" | .target sm_90
misplaced-directive ".version" | .version 9.4
misplaced-directive ".branchtargets" | bt: .branchtargets a;
misplaced-directive ".callprototype" | pr: .callprototype _ ();
pragma-scope ""enable_smem_spilling"" | .pragma "enable_smem_spilling";
pragma-scope ""frequency 4"" | .pragma "frequency 4";
pragma-scope ""mma_throughput"" | .pragma "mma_throughput";
pragma-scope ""used_bytes_mask 1"" | .pragma "used_bytes_mask 1";
removed-directive "@@DWARF" | @@DWARF .byte 0x00
removed-directive "@@DWARF" | @@DWARF .section .debug_info, "", @progbits
removed-directive "@@DWARF" | @@DWARF foo
undeclared-function "a" | .alias a, b;
undeclared-function "f" | .func g(){ret;} .alias f, g;
undeclared-function "nosuch" | .func g(){ret;} .func f(); .alias f, nosuch;
unknown-directive ".b32" | .b32 0
unknown-directive ".byte" | .byte 0
unknown-directive ".compiler" | .compiler "x"
unknown-directive ".cuda" | .cuda
unknown-directive ".foo" | .foo 1
unknown-directive ".foo" | .foo;
unknown-directive ".metadata" | .metadata 1
unknown-directive ".unified" | .unified
unknown-specifier ".sreg" | .sreg .b32 x;
unknown-specifier ".alias" | .weak .alias a, b;
"""  # noqa: E501


def test_module_directives() -> None:
    assert our_mistakes(MODULE_DIRECTIVES) == []


@needs_assembler
def test_ptxas_agrees_on_module_directives() -> None:
    assert ptxas_mistakes(MODULE_DIRECTIVES) == []


BODY_DIRECTIVES_BEFORE = (
    HEADER
    + """\
.file 1 "a" 
.section .debug_str { info_string3: .b8 0 }
.entry k(){ .reg .b32 r<9>; .reg .b64 d<9>; .reg .pred p<4>;
"""
)
BODY_DIRECTIVES_AFTER = "\nret;}"
BODY_DIRECTIVES = r"""
- | .loc 1 2 3
- | .loc 2 2 3
- | .loc 1 0 0
- | .loc 0 2 3
- | .loc 1 2 99999
- | .loc 1 WARP_SZ 3
- | .loc 1 2 3 .loc 1 2 4
- | .loc 1 2 3 ret;
- | .loc_intermediate 1 2 3
- | .loc 1 2 3 .loc_intermediate 1 2 3
- | .pragma "nounroll";
- | .pragma "enable_smem_spilling";
- | .pragma "used_bytes_mask 0xf";
- | .pragma "frequency 4";
- | .pragma "foo bar";
- | .pragma "a", "b";
- | .reg .b32 x; .loc 1 2 3
- | { .loc 1 2 3^ }
- | { .pragma "nounroll"; }
- | .target sm_90
declaration-space ".attribute" | .attribute(.managed)
misplaced-directive ".language" | .language 1
misplaced-directive ".local_maxnreg" | .local_maxnreg 3
misplaced-directive ".minperctamemory" | .minperctamemory 2
misplaced-directive ".noreturn" | .noreturn
misplaced-directive ".section" | .section .debug_y { .b8 0 }
misplaced-directive "@@DWARF" | @@DWARF .byte 0
target-option "foo" | .target foo
undeclared-function "f" | .alias f, g;
unknown-directive ".foo" | .foo
unknown-directive ".foo" | .foo;
unknown-specifier ".alias" | .weak .alias a, b;
"""


def test_body_directives() -> None:
    assert our_mistakes(BODY_DIRECTIVES, BODY_DIRECTIVES_BEFORE, BODY_DIRECTIVES_AFTER) == []


@needs_assembler
def test_ptxas_agrees_on_body_directives() -> None:
    assert ptxas_mistakes(BODY_DIRECTIVES, BODY_DIRECTIVES_BEFORE, BODY_DIRECTIVES_AFTER) == []
