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
call-argument | call (b16), fr;
call-argument | call (b4), fr;
call-argument | call (b8), fr;
call-argument | call (d1), fr;
call-argument | call (kp), f1, (pb);
call-argument | call (p1), g1, (r2);
call-argument | call (pa), f1, (_);
call-argument | call (pa), f1, (b41);
call-argument | call (pa), f1, (ba);
call-argument | call (pa), f1, (d1);
call-argument | call (pa), f1, (f0);
call-argument | call (pa), f1, (glob);
call-argument | call (pa), f1, (h1);
call-argument | call (pa), f1, (kp);
call-argument | call (pa), f1, (lo);
call-argument | call (pa), f1, (p1);
call-argument | call (pa), f1, (pd);
call-argument | call (pa), f1, (v2);
call-argument | call (pd), f1, (pb);
call-argument | call (r1), g1, (glob);
call-argument | call f2, (r1, r1);
call-argument | call fa, (1);
call-argument | call fa, (b16);
call-argument | call fa, (b4);
call-argument | call fa, (b8);
call-argument | call fa, (d1);
call-argument | call fa, (pd);
call-argument | call fa, (r1);
call-argument | call fh, (r1);
call-argument | call fu, (pf);
call-argument | call fv, (pa, 1);
call-argument | call fv, (pa, b4);
call-argument | call fv, (pa, pb);
call-argument | call fv, (pa, pd);
call-argument | call fv, (pa, r1);
call-argument | call fx, (1);
call-argument | call fx, (pu);
call-argument | call g0, (1);
call-argument | call g0, (r1);
call-argument | call gf, (1);
call-argument | call gh, (r1);
call-argument | call gq, (r1);
call-argument | call gu, (1.0);
call-argument | call gu, (x1);
call-argument | call gv, (r1);
call-arguments | call (), f1, (pb);
call-arguments | call (pa), f1, ();
call-arguments | call (pa), f1, (pb, pb);
call-arguments | call (pa), f1;
call-arguments | call (pa, pa), f1, (pb);
call-arguments | call (r1), g2;
call-arguments | call f1, (pb);
call-arguments | call f2, (pa);
call-arguments | call fv, ();
call-arguments | call fv, (pa, ba, ba);
call-arguments | call g1, (r2);
call-prototype | call (pa), d1, (pb), pr;
call-prototype | call (pa), d1, (pb);
call-prototype | call (pa), f1, pb;
call-prototype | call d1, ();
call-prototype | call d1;
call-prototype | call f0, (), pr;
call-prototype | call f0, pr;
call-target | call glob;
call-target | call k;
call-target | call kk, ();
call-target | call kk;
undeclared-function | call (pa), nosuch, (pb);
undeclared-function | call (pa), vprintf, (pd, pd);
undeclared-function | call (r1), vprintf, (r1, r2);
undeclared-function | call nosuch, ();
undeclared-function | call nosuch;
undeclared-function | call vprintf, (r1, r2);
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
call-argument | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), d1, (pd), pr;
call-arguments | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), d1, (pb, pb), pr;
call-arguments | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call d1, (pb), pr;
call-arguments | pr: .callprototype _ (.param .align 8 .b8 _[]); call d1, pr;
call-prototype | .callprototype _ ();
call-prototype | bt: .branchtargets L; call d1, (), bt; L: ret;
call-prototype | call (pa), d1, (pb), pr; pr: .callprototype (.param .b32 _) _ (.param .b32 _);
call-prototype | call d1, (), L; L: ret;
call-prototype | call d1, (), ct; ct: .calltargets f0;
call-prototype | call d1, (), f0;
call-prototype | call d1, pr; pr: .callprototype _ ();
call-prototype | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), f0, (pb), pr;
call-prototype | pr: .callprototype _ (); call d1, (), gg;
call-prototype | pr: .callprototype _ (); call d1, (), kk;
call-prototype | pr: .callprototype _ (); call d1, (), r1;
call-prototype | pr: .callprototype _ (); call d1, nosuch;
call-prototype | { pr: .callprototype _ (); } call d1, pr;
call-target | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), fd1, (pb), pr;
call-target | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), glob, (pb), pr;
call-target | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), h1, (pb), pr;
call-target | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), p1, (pb), pr;
call-target | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), x1, (pb), pr;
call-target | pr: .callprototype _ (); call pr;
duplicate-declaration | .reg .b32 pr; pr: .callprototype _ ();
duplicate-declaration | bt: .branchtargets L; bt: .branchtargets L; L: ret;
duplicate-declaration | pr: .callprototype _ (); .reg .b32 pr;
duplicate-declaration | pr: .callprototype _ (); pr: .callprototype _ ();
misplaced-directive | pr: .callprototype _ (.param .b32 _) .maxntid 16;
parameter-space | pr: .callprototype _ (.b32 _);
parameter-space | pr: .callprototype _ (.local .b32 _);
return-parameters | pr: .callprototype (.param .b32 _, .param .b32 _) _ ();
target-list | .branchtargets L; L: ret;
target-list | .calltargets f0;
target-list | brx.idx r1, L; L: ret;
target-list | brx.idx r1, bt; bt: .branchtargets L; L: ret;
target-list | brx.idx r1, nosuch;
target-list | bt: .branchtargets L; brx.idx r1, {bt}; L: ret;
target-list | ct: .calltargets L; L: ret;
target-list | ct: .calltargets f0; brx.idx r1, ct;
target-list | ct: .calltargets glob;
target-list | ct: .calltargets nosuch;
target-list | ct: .calltargets nosuch; call d1, (), ct;
target-list | ct: .calltargets r1;
target-list | pr: .callprototype _(); brx.idx r1, pr;
target-list | { bt: .branchtargets L; } brx.idx r1, bt; L: ret;
undeclared-function | pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (pa), nosuch, (pb), pr;
"""


def test_indirect_calls() -> None:
    assert our_mistakes(INDIRECT_CALLS, INDIRECT_CALLS_BEFORE, INDIRECT_CALLS_AFTER) == []


@needs_assembler
def test_ptxas_agrees_on_indirect_calls() -> None:
    assert ptxas_mistakes(INDIRECT_CALLS, INDIRECT_CALLS_BEFORE, INDIRECT_CALLS_AFTER) == []
