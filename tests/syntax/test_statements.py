"""Every kind of statement, and the end of each."""

import pytest

from ptx_lsp.syntax.statements import parse_statement, parse_statements
from ptx_lsp.syntax.tree import FunctionHeader, Instruction
from tests.syntax.shown import marked, problems_of, statements

ONE = [
    # instructions
    ("ret;", "ret"),
    ("add.s32 %r1, %r2, -4;", "add.s32 %r1 %r2 (- 4)"),
    ("add .s32/* */%r1,\n%r2 // c\n, 3;", "add.s32 %r1 %r2 3"),
    ("mov.u32%r1,1;", "mov.u32 %r1 1"),
    ("@%p1 bra L1;", "@%p1 bra L1"),
    ("@ ! p bra L1;", "@!p bra L1"),
    (
        "ld.global.L2::128B.v4.f32 {%f1, _, %f2, _}, [%rd1+8];",
        "ld.global.L2::128B.v4.f32 {%f1, _, %f2, _} [(+ %rd1 8)]",
    ),
    ("ld.shared::cta.b32 %r1, [table + 4 * 2 - 1];", "ld.shared::cta.b32 %r1 [(+ table (- (* 4 2) 1))]"),
    ("st.local.u8 [%rd1+-1], 3;", "st.local.u8 [(+ %rd1 (- 1))] 3"),
    ("ld.local.u32 %r1, [4096];", "ld.local.u32 %r1 [4096]"),
    ("setp.eq.s32 %p1|%p2, %r1, 1;", "setp.eq.s32 %p1|%p2 %r1 1"),
    ("elect.sync _|%p1, -1;", "elect.sync _|%p1 (- 1)"),
    ("atom.global.add.u32 _, [%rd1], 1;", "atom.global.add.u32 _ [%rd1] 1"),
    ("tex.2d.v4.f32.f32 {a, b, c, d}|%p1, [t, s, {x, y}];", "tex.2d.v4.f32.f32 {a, b, c, d}|%p1 [t, s, {x, y}]"),
    ("tex.1d.v4.f32.s32 {a, b, c, d}, [t, x];", "tex.1d.v4.f32.s32 {a, b, c, d} [t, x]"),
    ("mov.u32 %r1, %tid.x;", "mov.u32 %r1 %tid.x"),
    ("mov.u32 %r1, %tid .x;", "mov.u32 %r1 %tid.x"),
    ("mov.u32 %r1, table[3];", "mov.u32 %r1 ([ table 3)"),
    ("mov.u32 %r1, table[%r2];", "mov.u32 %r1 ([ table %r2)"),
    ("mov.u32 %r1, %r2+4;", "mov.u32 %r1 (+ %r2 4)"),
    ("mov.u64 %rd1, f+WARP_SZ;", "mov.u64 %rd1 (+ f WARP_SZ)"),
    ("selp.b32 %r1, 1, 2, !%p1;", "selp.b32 %r1 1 2 (! %p1)"),
    ("vadd.s32.s32.s32 %r1, %r2.b0, -%r3.h1;", "vadd.s32.s32.s32 %r1 %r2.b0 (- %r3.h1)"),
    ("mov.b64 %rd1, {1+1, 0f3F800000};", "mov.b64 %rd1 {(+ 1 1), 0f3F800000}"),
    ("mov.u32 %r1, (4)+1;", "mov.u32 %r1 (+ <4> 1)"),
    ("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];", "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1} [%r2]"),
    ("call f;", "call f"),
    ("call (r), f, (%r1, 4, _);", "call (r) f (%r1, 4, _)"),
    ("call.uni (r), %rd1, ((4)), proto;", "call.uni (r) %rd1 (<4>) proto"),
    ("call (), f, ();", "call () f ()"),
    # labels, lists and prototypes
    ("$L__BB0_2:", "label $L__BB0_2"),
    ("L :", "label L"),
    ("L: .branchtargets A, B;", "list L: .branchtargets A B"),
    ("L:\n.calltargets f, g;", "list L: .calltargets f g"),
    (
        "P: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[12], .param .b64 _) .noreturn;",
        "header P: .callprototype (.param .b32 _) _ (.param .align(8) .b8 _[12], .param .b64 _) .noreturn",
    ),
    ("P: .callprototype _;", "header P: .callprototype _"),
    # declarations
    (".reg .b32 %r<9>, x, y<WARP_SZ>;", "declare .reg .b32 %r<9>, x, y<WARP_SZ>"),
    (".reg .v4 .f32 v;", "declare .reg .v4 .f32 v"),
    (".reg .b32;", "declare .reg .b32"),
    (".visible .global .align 4 .b8 s[4][5], t[];", "declare .visible .global .align(4) .b8 s[4][5], t[]"),
    (
        ".global .attribute(.managed, .unified(1, 2)) .b32 x;",
        "declare .global .attribute(.managed, .unified, 1, 2) .b32 x",
    ),
    (".const[2] .b32 x;", "declare .const(2) .b32 x"),
    (".global .b32 x = 1+2, y = 3;", "declare .global .b32 x = (+ 1 2), y = 3"),
    (".global .b32 x[2][2] = {{1, -2}, {}};", "declare .global .b32 x[2][2] = { { 1 (- 2) } { } }"),
    (
        ".global .u64 x[3] = {g, g+4*2, generic(g)+4};",
        "declare .global .u64 x[3] = { g (+ g (* 4 2)) (+ (generic g) 4) }",
    ),
    (
        ".global .u8 x[2] = {0xff(g+4), 0xff00(generic(g))};",
        "declare .global .u8 x[2] = { (( 0xff (+ g 4)) (( 0xff00 (generic g)) }",
    ),
    (
        ".global .samplerref t = {addr_mode_0 = wrap, filter_mode = 1};",
        "declare .global .samplerref t = { (= addr_mode_0 wrap) (= filter_mode 1) }",
    ),
    # directives
    (".version 9.4", "directive .version 9.4"),
    (".target sm_90a, texmode_independent", "directive .target sm_90a texmode_independent"),
    (".address_size\n64", "directive .address_size 64"),
    (".loc 1 2 3", "directive .loc 1 2 3"),
    (".loc 1 2 3, function_name L+4, inlined_at 1 5 6", "directive .loc 1 2 3 (+ L 4) 1 5 6"),
    ('.file 1 "a\\n.cu"', 'directive .file 1 "a\\n.cu"'),
    ('.file 1 "x", 5, 6', 'directive .file 1 "x" 5 6'),
    ('.pragma "nounroll", "x";', 'directive .pragma "nounroll" "x"'),
    (".alias a, b;", "directive .alias a b"),
    # headers
    (".entry k {", "header .entry k ..."),
    (
        ".visible .entry k(.param .u64 .ptr .global .align 8 p) .maxntid 1, 2 .minnctapersm 1 {",
        "header .visible .entry k (.param .u64 .ptr .global .align(8) p) .maxntid 1 2 .minnctapersm 1 ...",
    ),
    ('.entry k() .pragma "a"; .maxntid 1 {', 'header .entry k () .pragma "a" .maxntid 1 ...'),
    (
        ".extern .func (.param .b32 r) f (.param .b8 a[16], .reg .b32 b);",
        "header .extern .func (.param .b32 r) f (.param .b8 a[16], .reg .b32 b)",
    ),
    (".func .attribute(.unified(1, 2)) f;", "header .attribute(.unified, 1, 2) .func f"),
    (".func f() .noreturn {", "header .func f () .noreturn ..."),
    # sections
    (
        ".section .debug_info { .b8 1, - 2 L1: .b32 .debug_str+4 .b64 L1 .b32 b-a }",
        "section .debug_info {.b8 1 (- 2); L1; .b32 (+ .debug_str 4); .b64 L1; .b32 (- b a)}",
    ),
    ("@@DWARF .byte 1, 2", "section @@DWARF {}"),
    ("{", "open"),
    ("}", "close"),
]


@pytest.mark.parametrize(("text", "shape"), ONE)
def test_one_statement(text: str, shape: str) -> None:
    assert statements(text) == [shape]
    assert problems_of(text) == []
    statement, _ = parse_statement(f"  {text} /* c */ ") or (None, ())
    assert statement is not None
    assert (statement.start, statement.end) == (2, 2 + len(text))


@pytest.mark.parametrize(
    "comment", ["/**/", "/* ; } */", "// ; }\n", "/***/", "/* /* */", '# 7 "f.cu"\n', '#line 7 "f" 1\n']
)
def test_comments_are_blanks(comment: str) -> None:
    assert statements(f"{comment}add{comment}.s32 {comment} a,{comment}b,c;{comment}ret;") == ["add.s32 a b c", "ret"]
    assert marked(f"{comment}ret;{comment}") == []


def test_a_comment_runs_to_the_newline_and_not_to_the_return() -> None:
    assert statements("// x\rret;\nexit;") == ["exit"]


def test_a_form_feed_is_a_blank_and_a_vertical_tab_is_not() -> None:
    assert marked("ret;\fret;\x1a") == []
    assert marked("ret;\x0bret;") == ['invalid-character "\x0b"']


def test_many_statements_on_a_line() -> None:
    text = 'L: { .reg .b32 x; .loc 1 2 3 mov.b32 x, 1; } .loc 1 2 4 @p ret; .target sm_90 .pragma "a";'
    assert statements(text) == [
        "label L",
        "open",
        "declare .reg .b32 x",
        "directive .loc 1 2 3",
        "mov.b32 x 1",
        "close",
        "directive .loc 1 2 4",
        "@p ret",
        "directive .target sm_90",
        'directive .pragma "a"',
    ]


def test_a_function_may_be_declared_without_a_semicolon() -> None:
    text = ".extern .func f(.param .b32 a)\n.func g .visible .global .b32 x;\n.func h"
    assert marked(text) == []
    assert [type(s).__name__ for s, _ in parse_statements(text)] == ["FunctionHeader"] * 2 + [
        "Declaration",
        "FunctionHeader",
    ]


def test_parsing_can_begin_between_any_two_statements() -> None:
    text = 'L1: ret; { .loc 1 2 3 add.s32 a, b, c; } .entry k() .pragma "x"; { x: .branchtargets a; .version 1.0'
    whole = list(parse_statements(text))
    for index in range(1, len(whole)):
        assert list(parse_statements(text, whole[index - 1][0].end)) == whole[index:]


def test_parsing_can_end_at_a_given_offset() -> None:
    assert [s.end for s, _ in parse_statements("ret; ret; ret;", 5, 9)] == [9]


def test_offsets_are_those_of_the_text() -> None:
    text = "ret;\n  @!%p1 add.s32\t%r1, {%r2, 4}, [%rd1+8];"
    statement, _ = list(parse_statements(text))[1]
    assert isinstance(statement, Instruction)
    assert statement.guard is not None
    nodes = [statement.guard, statement.guard.name, statement.opcode, *statement.modifiers, *statement.operands]
    shown = [text[n.start : n.end] for n in nodes]
    assert shown == ["@!%p1", "%p1", "add", ".s32", "%r1", "{%r2, 4}", "[%rd1+8]"]


def test_a_header_distinguishes_its_parts() -> None:
    statement, _ = parse_statement(".weak .func (.reg .b32 a, .reg .b32 b) f ();") or (None, ())
    assert isinstance(statement, FunctionHeader)
    assert not statement.body
    assert statement.returns is not None
    assert len(statement.returns) == 2
    assert statement.parameters == ()


def test_a_huge_initialiser() -> None:
    text = ".global .b32 x[30000] = {" + "1, " * 29_999 + "1};"
    assert problems_of(text) == []
    assert len(statements(text)) == 1


@pytest.mark.parametrize("text", ["{" * 50_000, "}" * 50_000, "L: " * 50_000, "ret; " * 50_000, "/**/" * 50_000])
def test_long_texts(text: str) -> None:
    assert sum(1 for _ in parse_statements(text)) == 50_000 - 50_000 * text.startswith("/")
