"""Lines, declarations and sections that are plain, almost plain, or only similar to plain ones; and whole files."""

from tests.analysis.random_tries import EXAMPLES

SOURCES = [path.read_text("utf-8") for path in sorted(EXAMPLES.rglob("*.ptx"))]
BODY = """.version 9.4
.target sm_90
.func f(.param .b32 p);
.entry k()
{{
\t.reg .b32 %r<9>;
\t.reg .b64 %rd<9>;
\t.reg .f32 %f;
\t.reg .pred %p<3>;
\t{}
\tret;
}}
"""
# lines that are plain, almost plain, or only similar to plain lines
LINES = (
    "sust.b.2d.v4.b32.clamp [%rd1, 2}], {%r9, %r10, %r11, %r12};",
    "sust.b.2d.v4.b32.clamp [%rd1, }%r4, 2{], {%r9, %r10, %r11, %r12};",
    "sust.b.2d.v4.b32.clamp [%rd1, {2, %r4], {%r9, %r10, %r11, %r12};",
    *("elect.sync _|%p1, -1;", "elect.sync %r1|_, -1;", "elect.sync _|_, -1;", "elect.sync _|%r1, 0xffffffff;"),
    *(
        f"createpolicy.fractional.L2::evict_last.b64 %rd1, {fraction};"
        for fraction in ("1.0", "0.5", "0.0", "1.5", "1", "0.000000001", "1.00000000000", "0f3F800000", "-.5", "1.")
    ),
    *("add.f32 %f1, %f1, 1.5;", "add.f64 %fd1, %fd1, 0.1;", "add.f32 %f1, %f1, 0.1;", "add.s32 %r1, %r1, 1.0;"),
    *("mov.f32 %f1, 3.0;", "mov.b32 %r1, 3.0;", "ld.global.b32 %r1, [%rd1+1.0];", "mov.b64 {%r1, 1.0}, %rd1;"),
    *("add.s32 %r1, %r2, %r3;", "add.s32 %r1,%r2,%r3;", "add.s32 %r1, %r2, %f;", "add.s32 %r1, %r2, %r9;"),
    *("@%p1 bra $here;\n$here:", "@!%p9 bra $here;\n$here:", "@%r1 mov.b32 %r1, 1;", "bra $nowhere;", "$a:\n$a:"),
    *("ld.global.b32 %r1, [%rd1];3, %r2;", "ld.global.b32 %r1, [%rd1]; a, %r2;", "add.s32 %r1, %r2;%r2;", "ret;-1;"),
    *("$a:\nhere, $a, %r2;", "add.u32 %r1{\n$a:\now, %r2, 8;", "$a: here, there;", "$a:\n.param .branchtargets $a;"),
    *(
        "mov.b64 {%r1, %r2}, %rd1;",
        "mov.b64 {%r1, %r2},, %rd1;",
        "mov.b64 {%r1, %r2}, %rd1,;",
        "mov.b64 { %r1,%r2 }, %rd1;",
    ),
    *("mov.b64 {%r1, _}, %rd1;", "mov.b64 {%r1, }, %rd1;", "mov.b64 {{%r1, %r2}}, %rd1;", "mov.b64 {%r1 %r2}, %rd1;"),
    *("mov.b64 {%r1, %r2, %rd1;", "mov.b64 %r1, %r2}, %rd1;", "mov.b64 {%r1; %r2}, %rd1;", "mov.b64 [%r1, %r2], %rd1;"),
    *("ld.global.v2.b32 {%r1, %r2}, [%rd1+8];", "ld.global.v2.b32 {%r1, %r1}, [ %rd1 + 8 ];", "ld.global.b32 %r1, [];"),
    *("ld.global.v2.b32 {%r1, %r9}, [%rd1];", "@%p1 st.global.v2.b32 [%rd1], {%r1, 2};", "st.global.b32 [%rd1, %r1;"),
    *("ld.global.b32 _, [%rd1];", "ld.global.b32 %r1, [_];", "add.s32 %r1, _, 1;", "st.global.b32 [%rd1]], %r1;"),
    *(".loc 1 08 5", ".loc 1 2 3, function_name $a, inlined_at 1 09 5", ".loc 1 010 5", ".loc 1 08 5\nret %r5;"),
    *("mov.b32 {%h1, %h2}, %r1;", "mov.b32 %r1, { %h1,%h2 };", "mov.b64 {%h1, %r1}, %r12;", "mov.b64 {%h1, _}, %rd1;"),
    *("mov.b64 {%h1, }, %rd1;", "mov.b64 {%h1, %tid.x}, %rd1;", "mov.b64 {%h1|%h2, %r1}, %rd1;", "mov.b32 {%h1}, %r1;"),
    *(
        "ld.global.v4.b32 {%h1, %h2, %r1, %h1}, [%h3+16];",
        "st.global.b32 [%h1], %h2;",
        "ld.global.b32 %r1, [ %h1 + 4 ];",
    ),
    *(
        "@%p1 st.global.v2.b32 [%h1+-4], {%h2, 2};",
        "@%h9 st.global.b32 [%h1], %r1;",
        "ld.param.b32 %r1, [%h1];",
        "ld.global.b32 %r1, [h1];",
    ),
    *(
        "ld.global.b32 %r1, [%h1+999999999999];",
        "st.global.v2.b32 [%rd1], {%h1, 3.0};",
        "tex.2d.v4.f32.s32 {%h1, %f, %h2, _}, [%rd1, {%r1, %h2}];",
    ),
    *("tex.2d.v4.f32.s32 {%f, %f, %f, %f}, [%rd1, {%r1, %r2}];", "tex.2d.v4.f32.s32 {%f, %f, %f, _}, [%rd1, {%r1}];"),
    *("setp.eq.s32 %p1|%p2, %r1, 2;", "setp.eq.s32 [%p1|%p2], %r1, 2;", "shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;"),
    *(
        "bra %r1;",
        "call %r1;",
        "ret ;",
        "ret %r1;",
        "bar.sync %r1, 64;",
        "bar.sync 1, 33;",
        "bfe.u32 %r1, %r2, 40, 300;",
    ),
    *("{ .reg .b32 %t; mov.b32 %t, 1;\n mov.b32 %r1, %t;\n}", "{\n.reg .f32 %r1;\nadd.s32 %r2, %r1, 1;\n}"),
    *("{\n.reg .f32 %r<2>;\nadd.s32 %r2, %r3, %r1;\n}", "{\n.reg .b32 a;\n{\n.reg .b32 b;\nadd.s32 a, b, %r1;\n}\n}"),
    *("{ .reg .b32 a, b; mov.b32 a, 1; add.s32 %r1, a, a; } // c", "{ .reg .b32 a, a; }", "{ .reg .b32 a, a<2>; }"),
    *(
        ".param .b32 p;\nst.param.b32 [p], %r1;",
        ".param .align 3 .b8 p[4];",
        ".param .align 8 .b8 p[4], q;",
        "} add.s32 %r1",
    ),
    *(
        "call f, (%r1);",
        "call (%r1), f, (%r1);",
        "call f, (\n%r1\n)\n;",
        "call f, (%f);",
        "call f, (%r1, %r2);",
        "call g;",
    ),
    *(
        "call.uni f, (%r1); ret;",
        "@%p1 call f, (%r1);",
        "@%r1 call f, (%r1);",
        "call f, (%r9);",
        "call f, (p);",
        "call %r1;",
    ),
    *(
        ".param .b32 q;\ncall f, (q);",
        ".param .b64 q;\ncall f, (q);",
        "_:",
        "$:",
        "%:",
        ".reg .b32 %;",
        ".local .b8 l[0];",
    ),
    *(
        "@ %p1 bra $x;\n$x:",
        "@ ! %p1 mov.b32 %r1, 1;",
        "@! %r1 mov.b32 %r1, 1;",
        "@ bra $y;\n$y:",
        "@ %p1\n bra $z;\n$z:",
    ),
    *(
        "{add.s32 %r1, %r2, %r3;\n}",
        "{ mov.b32 %r1, 1; }",
        "{.reg .b32 %r1; mov.b32 %r1, 1; }",
        "{ bra $b; }\n$b:",
        "}",
        "{",
    ),
    *(".reg .b32 %x;\nmov.b32 %x, 1;", ".reg .b32 %r1;", ".reg .f32 %r<4>;", ".reg .b32 %r1<4>;", ".reg .b32 %tid;"),
    *(".reg .b32 x<08>;", ".reg .b8 %b;", ".reg .bf16 %b;", ".reg .b32 _;", "$c:\n.reg .b32 $c;", ".reg .b32 %q<0>;"),
    *(".loc 1 2 3", ".loc 1 2 3, function_name $f, inlined_at 1 2 3", ".loc 1 2 99999999999", ".loc 1 2\n 3"),
    *("add.s32 %r9, %r10, %r9;", "@%p1 mov.b32 %r9, 70000;", "@%p9 mov.b32 %r9, 1;", "add.u16 %r9, %r10, 70000;"),
    *("st.global.v4.f32 [%rd1], {%f, %f, ,%f};", "mov.b64 {%r1,,%r2}, %rd1;", "mov.b64 {,%r1}, %rd1;", "add.s32 , ;"),
    *("st.global.v2.f32 [%rd1], {%f,};", "ld.global.b32 %r1, [,%rd1];", "tex.2d.v4.f32.s32 {%f,,,%f}, [%rd1,,];"),
    *("shl.b32 %r9, %r1, 40;", "st.global.v2.b32 [%rd1], {%r9, 1};", "frob.b32 %r9;", "add.s32 %r9, %tidy, %r1;"),
    *("bar L9;", "ld.global.b32 %r90, [%r9];", "add.s32 %r9, q, %r1;", "setp.eq.s32 %p3|%p4, %r9, %r90;"),
    "{\n.reg .b32 %r<12>;\nadd.s32 %r9, %r10, %r12;\n}\nadd.s32 %r10, %r100, %r10;",
    *("shl.b32 %r1, %r2, 40;", "bar.sync 16;", "add.u16 %r1, %r2, 70000;", "ld.global.b32 %r1, [%rd1+-8];"),
    *("mov.u32 %r1, WARP_SZ;", "mov.u32 %r1, -WARP_SZ;", "shl.b32 %r1, %r2, WARP_SZ;", "st.global.u8 [%rd1], WARP_SZ;"),
    *("mov.u32 WARP_SZ, %r1;", "ld.global.b32 %r1, [WARP_SZ];", "ld.global.b32 %r1, [WARP_SZ+4];", "@WARP_SZ ret;"),
    *("setp.eq.s32 %p1|WARP_SZ, %r1, 2;", "setp.eq.s32 !WARP_SZ, %r1, 2;", "mov.b64 %rd1, {%r1, WARP_SZ};"),
    *("add.s32 %r9, %r1, WARP_SZ;", "add.s32 %r1, %r1, WARP_SZS;", "bfe.u32 %r1, %r2, WARP_SZ, 300;"),
    *("mov.u32 %r1, 4U;", "mov.u32 %r1, -4U;", "mov.u32 %r1, 4u;", "shl.b32 %r1, %r2, 32U;", "mov.u32 %r1, 04U;"),
    *("or.b64 %rd1, %rd2, -9223372036854775808;", "st.global.b32 [%rd1], -9223372036854775808;"),
    *("shl.b64 %rd1, %rd2, -9223372036854775808;", "shl.b64 %rd1, %rd2, -9223372036854775809;"),
    *(f"cp.async.ca.shared.global [%r1], [%rd1], {n};" for n in ("4, 4", "4, 8", "5, 4", "8, %r1", "4, -1", "4, 0x4")),
    *(f"cp.async.ca.shared.global [%r1], [%rd1], {n};" for n in ("WARP_SZ, 4", "16, 0", "16, 16U", "4, 1.0", "4, %p1")),
    *("mov.u64 %rd1, f;", "mov.u64 %rd1, k;", "mov.u32 %r1, f;", "add.u64 %rd1, f, 4;", "mov.u64 %rd1, f+4;"),
    *(
        '.pragma "nounroll";',
        '.pragma "nounroll"',
        '.pragma "nounrol";',
        '.pragma "nounroll", "x";',
        ".pragma nounroll;",
    ),
    *(
        ".pragma nounroll;",
        '.pragma "used_bytes_mask 0xff";',
        '.pragma "used_bytes_mask x";',
        '.pragma "used_bytes_mask 15"; ret;',
    ),
    *('$d: .pragma "nounroll"; // c\nbra $d;', '.loc 1 2 3\n.pragma "nounroll";', '.pragma "frequency";'),
    *("ld.global.b32 %r1, [%rd1-8];", "mov.u32 %r1, %tid.x;", "mov.u32 %r1, %tid.q;", "mov.b32 %r1, 08;", "ret"),
)
# declarations outside of functions: plain, almost plain, or only similar to plain ones
OUTSIDE = (
    *(".entry a{\n.param .u64 p,\n.param .u64 q\n)\n{\nret;\n}\n", ".func f;.reg .b32 p) { ret; }"),
    *(
        ".visible .entry a(.param .u64 .ptr .align 1 p, .param .align 8 .b8 q[16]) { ret; }",
        ".entry a(.reg .b32 r){ret;}",
    ),
    *(
        ".func (.param .b32 r) g(.param .b64 p, .param .b64 p) { ret; }",
        ".func (.param .b32 r) g\n(\n.param .b64 p\n)\n;",
    ),
    *(".func h(.param .b32 p) { ret; }\n.func h(.param .b32 p) { ret; }", ".func f(.param .b32 q) { ret; }"),
    *(".func f(.param .b64 q) { ret; }", ".visible .func f(.param .f32 q) { ret; }", ".extern .func f(.param .b32 q);"),
    *(
        ".func g(.param .b32 .ptr p) { ret; }",
        ".extern .entry a() { ret; }",
        ".func (.param .b32 r, .param .b32 s) g();",
    ),
    *(".entry a() .maxntid 1, 2, 3 { ret; }", ".entry a() .maxntid 0 { ret; }", ".func g() .maxntid 1 { ret; }"),
    *(f".entry a() .maxnreg {n} {{ ret; }}" for n in ("64", "0", "8", "300", "64, 2", "64 .minnctapersm 2", "064")),
    *(".entry a() .maxnreg 64 ;", ".func g() .maxnreg 64 { ret; }", ".entry a() .maxnreg64 { ret; }"),
    *(
        ".entry a() .reqntid 64 .minnctapersm 2 { ret; }",
        ".entry a() .maxntid 1 ;",
        ".entry a(.param .b8 p[5000]) { ret; }",
    ),
    *('.file 1 "a.cu"\n.file 2 "b.cu"\n.global .b32 z;', '.file 1 "a.cu"\n\t.file\t1 "b.cu"\n.global .b32 z;'),
    *('.file 1 "a.cu"', '.file 1 "a.cu"\n, 5, 6\n.global .b32 z;', '.file 1 "a.cu", 5, x\n.global .b32 z;'),
    *('.file 01 "a.cu"\n.file 1 "a.cu"\n.global .b32 z;', '.file 1 "a" "b"\n.global .b32 z;', ".file 1 a\n.file 2"),
    '.file 1 "é.cu"\n.file 2 "b.cu"\n.global .b32 z;',
    *('.file 1 "a\\"b" // c\n.global .b32 z;', '.file 1 "a" // c\n/* */ .global .b32 z;', '.file 1 "a" .file 2 "b"\n.'),
    *(".entry f() { ret; }", ".global .b32 f;", ".entry a() { ret; } .global .b8 g[2] = {1, 2}; .entry b() { ret; }"),
    *(".global .align 4 .b8 g[4] = {1, 2, 3, 255};", ".global .b8 g[4] = {256};", ".global .b8 g[2] = {1, 2, 3};"),
    *(".global .u32 g[2] = {4294967295, 08};", ".shared .b8 g[2] = {1, 2};", ".extern .global .b8 g[2] = {1, 2};"),
    *(".extern .shared .align 16 .b8 s[];", ".shared .b8 s[];", ".const .b8 c[70000];", ".const .b8 c[60000], d[9];"),
    *(
        ".const .b8 c[60000];\n.const .b8 d[6000];",
        ".common .const .b32 c;",
        ".weak .global .f16 h;",
        ".global .b32 %tid;",
    ),
    *(".global .b32 g;\n.global .b32 g;", ".extern .global .b32 g;\n.visible .global .b32 g;", ".global .b32 _;", "}"),
    *(".entry a() {\n.shared .b8 s[40000];\n.shared .b8 t[20000];\nret; }", ".global .b32 f, g;", ".param .b32 p;"),
)
# sections: plain, almost plain, or only similar to plain ones; after a function, or before the next one
SECTIONS = (
    "{\n.b8 1,2, 255\n}",
    "{\n.b8 256\n}",
    "{\n.b8 1,\n2\n}",
    "{\n.b8 1,,2\n}",
    "{\n.b8 08\n}",
    "{\n.b8\n}",
    "{.b8 1\n}",
    "\n\t{\n\n.b32 $L__a // c\n.b64 .debug_info+7\n.b16 9999\n\t}",
    "{\n.b32 a, 1\n}",
    "{\n.b8 a\n}",
    "{\n.b16 70000\n}",
    "{\na:\n.b8 1\nb:\n.b8 2\n}",
    "{\na:\n.b8 1\na:\n.b8 2\n}",
    "{\n.b32 4294967296, 0xfffffffff\n}",
    "{\n.b8 1\n} .b8",
    "{\n.b8 1\n.visible",
    "{\n.b8 1\n",
    "{\n.b8 1\n}\n.section .debug_y\n{\n.b64 0x10, 3\n}",
    "{\n.b8 1 .b8 2\n}",
    "{\n.f32 1\n}",
    "{\n/* c */ .b8 1\n}",
    "{\n.b8 -1\n}",
    "{\n.b8 'a'\n}",
    "{\n.b32 a-b\n}",
    "{\n.b32 a - b // c\n.b64 $L__x0-$L__y1\n}",
    "{\n.b16 a-b\n}",
    "{\n.b32 a-b+4\n}",
    "{\n.b32 a-4\n}",
    "{\n.b32 .debug_x-b\n}",
    "{\n.b32 a-WARP_SZ\n}",
    "{\n.b32 WARP_SZ-a\n}",
    "{\n.b32 WARP_SZ\n}",
    "{ }",
    "{ } // c",
    "{ .b8 1 }",
    "{\t}\t.b8",
    "{\n.b8 1\n{\n.b8 2\n}\n}",
    "{\n}",
    "\n.b8 1\n",
    "{\n" + ".b8 1,2,3,4,5,6,7,8,9,10\n" * 300 + "}",
    "{\n" + ".b8 1,2,3,4,5,6,7,8,9,10\n" * 300 + ".b8 300\n}",
    "{\n" + ".b8 1,2,3,4,5,6,7,8,9,10\n" * 900,
)
# registers of every kind; the same names with other types, or not declared
REGISTERS = (
    "\t.reg .b32 %r<9>, %x5, r<9>, rA;\n\t.reg .b64 %rd<9>, %SP;\n\t.reg .b16 %h<9>;\n"
    "\t.reg .f32 %f<9>;\n\t.reg .pred %p<9>, p;\n",
    "\t.reg .b32 %r<90>;\n\t.reg .b64 %rd<90>, %tid, %laneid, %SP<9>;\n\t.reg .b16 %h<9>;\n"
    "\t.reg .f32 %f<9>;\n\t.reg .pred %p<9>;\n",
    "\t.reg .f32 %r<9>;\n\t.reg .b32 %rd<9>, %r3, p;\n\t.reg .b16 %h<9>;\n\t.reg .pred %f<9>;\n\t.reg .f32 %p<9>;\n",
    "\t.reg .s32 %r<2>, p<4>, r2;\n\t.reg .f32 %r4, %f<9>;\n\t.reg .b64 %rd<9>;\n\t.reg .f16 %h<9>;\n"
    "\t.reg .pred %p;\n\t.reg .b32 %SP;\n",
)
