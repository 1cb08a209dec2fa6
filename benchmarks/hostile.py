"""Texts that repeat one pattern many times: eight times the text should take eight times as long."""

import gc
from collections.abc import Iterator
from time import process_time

from benchmarks.plan import Plan
from benchmarks.table import Row, milliseconds
from ptx_lsp import check

HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n"
ENTRY = HEAD + ".entry k() {\n.reg .b32 %r<9>;\n"
SHOWN = 12  # the number of patterns shown: those with the largest growth
TIMES = 8
LEAST = 0.02  # seconds: shorter times are not reliable

# patterns on one line, with deep nesting, or never closed; separated by blanks
_WORDS = r"""
{ } {} ( ) [ /* */ /**/ " @ - ~ 1+ 1, 1; (; ); ]; 1? 1?2: (1+ -( .x .u32 %r1, x 0 0x 1e 1. 9 % $ a: ; ! %r1| {%r1,
[%r1+ {{ {1, [1] "x" # // \ _ :: .x::y a.b %%r .b8a[ .funcf( a< bra @@DWARF .attribute( {%r1,%r2},
"""
_PHRASES = (
    *("add.s32 %r1, %r2, ", "{.reg .b32 a;", "mov.b32 %r1, ((", ".reg ", ".global .b8 a[", ".global .b8 a[] = {{"),
    *("call (", ".branchtargets ", ".func f(", ".section .x {", ".b8 1,", ".loc 1 1 1 ", '.file 1 "', ".pragma "),
    *(
        ".entry ",
        ".visible ",
        ".align ",
        ".global .b32 a = {1,",
        ".callprototype _ (",
        ".param .b32 a,",
        "@%p1 ",
        "bra L",
        "call f, (",
    ),
    *("ld.global.u32 %r1, [%r2+", "// ptx-lsp: ignore[x,", "\0", "\r", "\f", " ", "\ufeff", "\u00e9"),
)
_LINES = (
    *(
        ".entry e() {",
        "}\nret;",
        "}\n.entry e() {",
        "}\n.func f() {\nret;",
        "bra L;",
        "L:",
        "bra L;\nL:",
        "{",
        "}",
        "{}",
    ),
    *("ret;", "ret", "foo", "a,", "x y z", "", "\u00e9", "\\", "#", '"', "/*", "/* */", "@@DWARF", '# 1 "a"'),
    *("mov.b32 %r1, %q1;", "mov.b32 %r1, {%r1,", "@!%r1 add.s32 %r1, %r2, %r3;", "call (a), f, (b), L;"),
    *("{.reg .b32 a;", ".reg .b32 a;", ".reg .b32 %r<9>;", ".weak .global .b32 a;", ".global .b8 a[4] = {1,2,3,4};"),
    *(
        ".extern .func f(.param .b32 a);",
        ".entry a(.param .b32 a,",
        "L: .callprototype _ ();",
        "L: .callprototype",
        "a:\n.branchtargets b,c;",
        "{ // callseq 1, 0\ncall f, (",
        "{ // callseq 1, 0\n.param .b32 a;",
        "a: .branchtargets a,",
    ),
    *(".version 9.4", ".target sm_90", ".address_size 64", '.file 1 "a"', ".x", ".b8 1", '.pragma "x";', ".alias a,b;"),
    *(".maxntid 1", ".section .debug_x\n{\n.b8 1\n}", ".loc 1 2 3, function_name a, inlined_at 1 2 3", ".section .x {"),
    *("// ptx-lsp: ignore", "foo; // ptx-lsp: ignore[stray-token]"),
)
PATTERNS = (*_WORDS.split(), *_PHRASES, *(line + "\n" for line in _LINES))


def text_of(pattern: str, size: int) -> str:
    """A function that repeats a pattern, in about `size` characters."""
    return ENTRY + pattern * (size // len(pattern)) + "\nret;\n}\n"


def patterns(plan: Plan) -> Iterator[Row]:
    """The patterns whose times grow most with their length."""
    large = plan.hostile // TIMES
    took = {p: (_seconds(text_of(p, large // TIMES)), _seconds(text_of(p, large))) for p in PATTERNS}
    for pattern in sorted(took, key=lambda p: -took[p][1] / max(took[p][0], LEAST))[:SHOWN]:
        half, whole = took[pattern]
        what = f"check in process, {large:,} characters of {pattern!r:.20}"
        yield Row(what, milliseconds(whole), "an eighth: " + milliseconds(half), f"{whole / max(half, LEAST):.1f} x",
                  f"linear: {TIMES} x")  # fmt: skip


def _seconds(text: str) -> float:
    # the garbage collector has the setting of the command: otherwise its time grows with all modules checked before
    gc.collect()
    gc.disable()
    started = process_time()
    check(text)
    took = process_time() - started
    gc.enable()
    return took
