"""Calls, direct and through a register, and indexed branches; ptxas is asked about every row."""

from tests.judgement.verdicts import HEADER, our_mistakes, ptxas_mistakes
from tests.oracle.assembler import needs_assembler

DIRECT_CALLS_BEFORE = (
    HEADER
    + """\
.extern .func (.param .b32 r) f1(.param .b32 a);
.extern .func f0();
.extern .func f2(.param .b32 a, .param .b64 b);
.extern .func (.param .b64 r) f3();
.extern .func fa(.param .align 8 .b8 a[16]);
.extern .func (.param .align 8 .b8 r[16]) fr();
.extern .func fv(.param .b32 a, .param .align 8 .b8 v[]);
.func (.reg .b32 r) g1(.reg .b32 a){ret;}
.func g0(.reg .pred a){ret;}
.func (.reg .b32 r, .reg .b32 s) g2(){ret;}
.func fx(.param .f32 a){ret;}
.func fu(.param .u32 a){ret;}
.func fs(.param .s32 a){ret;}
.func gf(.reg .f32 a){ret;}
.func fq(.param .f64 a){ret;}
.func fh(.param .b16 a){ret;}
.func gh(.reg .b16 a){ret;}
.func gq(.reg .b64 a){ret;}
.func gu(.reg .u32 a){ret;}
.func gv(.reg .v2 .b32 a){ret;}
.extern .func nr() .noreturn;
.entry kk(){ret;}
.global .b32 glob;
.entry k(.param .b32 kp){ .reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 x<9>; .reg .f64 fd<9>; .reg .b16 h<9>;
.reg .pred p<4>; .reg .v2 .b32 v2; .param .b32 pa; .param .b32 pb; .param .b64 pd; .param .f32 pf;
.param .u32 pu; .param .s32 ps; .param .align 8 .b8 ba[16]; .param .align 4 .b8 b4[16];
.param .align 8 .b8 b8[8]; .param .b8 b41[4]; .param .align 16 .b8 b16[16]; .local .b32 lo; .param .b16 ph;
.param .f16 pf16;
"""
)
DIRECT_CALLS_AFTER = "\nret;}"
DIRECT_CALLS = r"""
- | call f0;
- | call f0, ();
- | call (), f0, ();
- | call.uni f0;
- | call.uni f0, ();
- | call .uni f0;
- | call.uni.uni f0;
- | call (pa), f1, (pb);
- | call (pa), f1, (r1);
- | call (r1), f1, (pb);
- | call (pa), f1, (1);
- | call (pa), f1, (1.0);
- | call (pa), f1, (0f3f800000);
- | call (pa), f1, (-1);
- | call (pa), f1, (1+2);
- | call (pa), f1, (99999999999);
- | call (pf), f1, (pb);
- | call (pu), f1, (pb);
- | call (pa), f1, (pf);
- | call (pa), f1, (pu);
- | call (pa), f1, (ps);
- | call (pa), f1, (x1);
- | call (_), f1, (pb);
- | call (1), f1, (pb);
- | call fu, (pu);
- | call fu, (pa);
- | call fu, (ps);
- | call fs, (pu);
- | call fs, (pa);
- | call fx, (pf);
- | call fx, (pa);
- | call fx, (x1);
- | call fx, (r1);
- | call fx, (1.0);
- | call fq, (1.0);
- | call fq, (fd1);
- | call fq, (d1);
- | call fq, (pd);
- | call fh, (ph);
- | call fh, (pf16);
- | call fh, (h1);
- | call fh, (1);
- | call fh, (1.0);
- | call f2, (pa, pd);
- | call f2, (1, 2);
- | call f2, (r1, d1);
- | call fa, (ba);
- | call (ba), fr;
- | call fv, (pa);
- | call fv, (pa, ba);
- | call fv, (pa, b8);
- | call (r1), g1, (r2);
- | call (r1), g1, (1);
- | call (r1), g1, (1.0);
- | call (r1), g1, (pa);
- | call (pa), g1, (r1);
- | call (x1), g1, (x2);
- | call (_), g1, (r2);
- | call g0, (p1);
- | call (r1, r2), g2;
- | call (r1, r1), g2;
- | call gf, (x1);
- | call gf, (r1);
- | call gf, (1.0);
- | call gf, (0f3f800000);
- | call gh, (h1);
- | call gq, (d1);
- | call gq, (fd1);
- | call gq, (1);
- | call gq, (1.0);
- | call gu, (r1);
- | call gu, (1);
- | call gv, (v2);
- | call nr;
- | call.uni nr;
- | @p1 call f0;
- | @!p1 call f0;
- | call (pb), f1, (pb);
call-argument "b16" | call (b16), fr;
call-argument "b4" | call (b4), fr;
call-argument "b8" | call (b8), fr;
call-argument "d1" | call (d1), fr;
call-argument "kp" | call (kp), f1, (pb);
call-argument "p1" | call (p1), g1, (r2);
call-argument "_" | call (pa), f1, (_);
call-argument "b41" | call (pa), f1, (b41);
call-argument "ba" | call (pa), f1, (ba);
call-argument "d1" | call (pa), f1, (d1);
call-argument "f0" | call (pa), f1, (f0);
call-argument "glob" | call (pa), f1, (glob);
call-argument "h1" | call (pa), f1, (h1);
call-argument "kp" | call (pa), f1, (kp);
call-argument "lo" | call (pa), f1, (lo);
call-argument "p1" | call (pa), f1, (p1);
call-argument "pd" | call (pa), f1, (pd);
call-argument "v2" | call (pa), f1, (v2);
call-argument "pd" | call (pd), f1, (pb);
call-argument "glob" | call (r1), g1, (glob);
call-argument "r1" 2 | call f2, (r1, r1);
call-argument "1" | call fa, (1);
call-argument "b16" | call fa, (b16);
call-argument "b4" | call fa, (b4);
call-argument "b8" | call fa, (b8);
call-argument "d1" | call fa, (d1);
call-argument "pd" | call fa, (pd);
call-argument "r1" | call fa, (r1);
call-argument "r1" | call fh, (r1);
call-argument "pf" | call fu, (pf);
call-argument "1" | call fv, (pa, 1);
call-argument "b4" | call fv, (pa, b4);
call-argument "pb" | call fv, (pa, pb);
call-argument "pd" | call fv, (pa, pd);
call-argument "r1" | call fv, (pa, r1);
call-argument "1" | call fx, (1);
call-argument "pu" | call fx, (pu);
call-argument "1" | call g0, (1);
call-argument "r1" | call g0, (r1);
call-argument "1" | call gf, (1);
call-argument "r1" | call gh, (r1);
call-argument "r1" | call gq, (r1);
call-argument "1.0" | call gu, (1.0);
call-argument "x1" | call gu, (x1);
call-argument "r1" | call gv, (r1);
call-arguments "()" | call (), f1, (pb);
call-arguments "()" | call (pa), f1, ();
call-arguments "(pb, pb)" | call (pa), f1, (pb, pb);
call-arguments "f1" | call (pa), f1;
call-arguments "(pa, pa)" | call (pa, pa), f1, (pb);
call-arguments "(r1)" | call (r1), g2;
call-arguments "f1" | call f1, (pb);
call-arguments "(pa)" | call f2, (pa);
call-arguments "()" | call fv, ();
call-arguments "(pa, ba, ba)" | call fv, (pa, ba, ba);
call-arguments "g1" | call g1, (r2);
call-prototype "pr" | call (pa), d1, (pb), pr;
call-prototype "d1" | call (pa), d1, (pb);
call-prototype "pb" | call (pa), f1, pb;
call-prototype "d1" | call d1, ();
call-prototype "d1" | call d1;
call-prototype "pr" | call f0, (), pr;
call-prototype "pr" | call f0, pr;
call-target "glob" | call glob;
call-target "k" | call k;
call-target "kk" | call kk, ();
call-target "kk" | call kk;
undeclared-function "nosuch" | call (pa), nosuch, (pb);
undeclared-function "vprintf" | call (pa), vprintf, (pd, pd);
undeclared-function "vprintf" | call (r1), vprintf, (r1, r2);
undeclared-function "nosuch" | call nosuch, ();
undeclared-function "nosuch" | call nosuch;
undeclared-function "vprintf" | call vprintf, (r1, r2);
"""


def test_direct_calls() -> None:
    assert our_mistakes(DIRECT_CALLS, DIRECT_CALLS_BEFORE, DIRECT_CALLS_AFTER) == []


@needs_assembler
def test_ptxas_agrees_on_direct_calls() -> None:
    assert ptxas_mistakes(DIRECT_CALLS, DIRECT_CALLS_BEFORE, DIRECT_CALLS_AFTER) == []


INDIRECT_CALLS_BEFORE = (
    HEADER
    + """\
.extern .func (.param .b32 r) f1(.param .b32 a);
.extern .func f0();
.extern .func f00();
.func gg(){ret;}
.entry kk(){ret;}
.global .b32 glob;
.entry k(.param .b32 kp){ .reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 x<9>; .reg .f64 fd<9>; .reg .b16 h<9>;
.reg .pred p<4>; .param .b32 pa; .param .b32 pb; .param .b64 pd; .param .align 8 .b8 ba[16];
"""
)
INDIRECT_CALLS_AFTER = "\nret;}"
INDIRECT_CALLS = r"""
- | pr: .callprototype _; call d1, pr;
- | pr: .callprototype _; call d1, (), pr;
- | pr: .callprototype _(); call d1, (), pr;
- | pr: .callprototype () _ (); call (), d1, (), pr;
- | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), d1, (pb), pr;
- | pr: .callprototype (.param .b32 x) _ (.param .b32 y); call (pa), d1, (pb), pr;
- | pr: .callprototype (.param .b32 x) _ (.param .b32 x); call (pa), d1, (pb), pr;
- | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), r1, (pb), pr;
- | pr: .callprototype _ (.param .align 8 .b8 _[16]); call d1, (ba), pr;
- | pr: .callprototype _ (.param .align 8 .b8 _[]); call d1, (ba), pr;
- | pr: .callprototype _ (.reg .b32 _); call d1, (r1), pr;
- | pr: .callprototype (.reg .b32 _, .reg .b32 _) _ (); call (r1, r2), d1, (), pr;
- | pr: .callprototype _ (.param .pred _);
- | pr: .callprototype _ (.param .b32 _) .noreturn;
- | pr: .callprototype _ .noreturn; call d1, pr;
- | pr: .callprototype _ (.param .b32 _) .abi_preserve 16;
- | pr: .callprototype _ (.param .b32 _) .noreturn .abi_preserve 4;
- | pr: .callprototype _ (.param .b32 _) .abi_preserve_control 0;
- | pr: .callprototype _ (); { pr: .callprototype _ (); }
- | ct: .calltargets f0; call d1, (), ct;
- | ct: .calltargets f0; call d1, ct;
- | ct: .calltargets f0, f00; call d1, (), ct;
- | ct: .calltargets f1; call (pa), d1, (pb), ct;
- | ct: .calltargets f1, f1; call (pa), d1, (pb), ct;
- | ct: .calltargets kk; call d1, (), ct;
- | ct: .calltargets kk;
- | ct: .calltargets k;
- | bt: .branchtargets L, M; brx.idx r1, bt; L: M: ret;
- | bt: .branchtargets L; brx.idx r1, bt; L: ret;
- | bt: .branchtargets L, L; brx.idx r1, bt; L: ret;
- | bt: .branchtargets L; brx.idx.uni r1, bt; L: ret;
- | bt: .branchtargets L; brx.idx 0, bt; L: ret;
- | bt: .branchtargets L; @p1 brx.idx r1, bt; L: ret;
- | bt: .branchtargets L; { brx.idx r1, bt; } L: ret;
- | bt: .branchtargets L; { bt: .branchtargets L; } L: ret;
- | L: bra L;
- | { bra L; } L: ret;
- | L: { L: bra L; } bra L;
- | L: ret; { L: ret; }
- | bra.uni.uni L; L: ret;
call-argument "pd" | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), d1, (pd), pr;
call-arguments "(pb, pb)" | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), d1, (pb, pb), pr;
call-arguments "d1" | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call d1, (pb), pr;
call-arguments "d1" | pr: .callprototype _ (.param .align 8 .b8 _[]); call d1, pr;
call-prototype ".callprototype" | .callprototype _ ();
call-prototype "bt" 2 | bt: .branchtargets L; call d1, (), bt; L: ret;
call-prototype "pr" | call (pa), d1, (pb), pr; pr: .callprototype (.param .b32 _) _ (.param .b32 _);
call-prototype "L" | call d1, (), L; L: ret;
call-prototype "ct" | call d1, (), ct; ct: .calltargets f0;
call-prototype "f0" | call d1, (), f0;
call-prototype "pr" | call d1, pr; pr: .callprototype _ ();
call-prototype "pr" 2 | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), f0, (pb), pr;
call-prototype "gg" | pr: .callprototype _ (); call d1, (), gg;
call-prototype "kk" | pr: .callprototype _ (); call d1, (), kk;
call-prototype "r1" | pr: .callprototype _ (); call d1, (), r1;
call-prototype "nosuch" | pr: .callprototype _ (); call d1, nosuch;
call-prototype "pr" 2 | { pr: .callprototype _ (); } call d1, pr;
call-target "fd1" | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), fd1, (pb), pr;
call-target "glob" | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), glob, (pb), pr;
call-target "h1" | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), h1, (pb), pr;
call-target "p1" | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), p1, (pb), pr;
call-target "x1" | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), x1, (pb), pr;
call-target "pr" 2 | pr: .callprototype _ (); call pr;
duplicate-declaration "pr" 2 | .reg .b32 pr; pr: .callprototype _ ();
duplicate-declaration "bt" 2 | bt: .branchtargets L; bt: .branchtargets L; L: ret;
duplicate-declaration "pr" 2 | pr: .callprototype _ (); .reg .b32 pr;
duplicate-declaration "pr" 2 | pr: .callprototype _ (); pr: .callprototype _ ();
misplaced-directive ".maxntid" | pr: .callprototype _ (.param .b32 _) .maxntid 16;
expected-name "foo" | pr: .callprototype (.param .b32 _) foo (.param .b32 _);
parameter-space ".b32" | pr: .callprototype _ (.b32 _);
parameter-space ".local" | pr: .callprototype _ (.local .b32 _);
return-parameters ".param .b32 _" | pr: .callprototype (.param .b32 _, .param .b32 _) _ ();
target-list ".branchtargets" | .branchtargets L; L: ret;
target-list ".calltargets" | .calltargets f0;
target-list "L" | brx.idx r1, L; L: ret;
target-list "bt" | brx.idx r1, bt; bt: .branchtargets L; L: ret;
target-list "nosuch" | brx.idx r1, nosuch;
target-list "{bt}" | bt: .branchtargets L; brx.idx r1, {bt}; L: ret;
target-list "L" | ct: .calltargets L; L: ret;
target-list "ct" 2 | ct: .calltargets f0; brx.idx r1, ct;
target-list "glob" | ct: .calltargets glob;
target-list "nosuch" | ct: .calltargets nosuch;
target-list "nosuch" | ct: .calltargets nosuch; call d1, (), ct;
target-list "r1" | ct: .calltargets r1;
target-list "pr" 2 | pr: .callprototype _(); brx.idx r1, pr;
target-list "bt" 2 | { bt: .branchtargets L; } brx.idx r1, bt; L: ret;
undeclared-function "nosuch" | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), nosuch, (pb), pr;
"""


def test_indirect_calls() -> None:
    assert our_mistakes(INDIRECT_CALLS, INDIRECT_CALLS_BEFORE, INDIRECT_CALLS_AFTER) == []


@needs_assembler
def test_ptxas_agrees_on_indirect_calls() -> None:
    assert ptxas_mistakes(INDIRECT_CALLS, INDIRECT_CALLS_BEFORE, INDIRECT_CALLS_AFTER) == []
