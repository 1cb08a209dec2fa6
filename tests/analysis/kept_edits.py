"""Sequences of edits after which incremental and fresh analysis differed at some time, each with the rule it broke."""

from ptx_lsp.text.ranges import Range
from tests.analysis.random_edits import SIZES, SMALL_SIZES, Edits, Sizes, Step, insert

SMALL = SMALL_SIZES[1]
LONG_SIZES = Sizes(lines=128, characters=4096, edited=8)


def replace(line: int, column: int, end_line: int, end_column: int, text: str, work: str = "all") -> Step:
    """A replacement as a step."""
    return Step(Range(line, column, end_line, end_column), text, work)


HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n"
PROTOTYPE = ".extern .func (.param .b32 r) f\n(\n\t.param .b64 p,\n\t.param .b32 q\n)\n;\n"
RETURNS = "\tret;\n" * 12
ADDS = "".join(f"\tadd.s32 %r{n % 8}, %r1, %r2;\n" for n in range(12))
VARIABLES = "".join(f".global .b32 v{n};\n" for n in range(20))
OTHER_VARIABLES = VARIABLES.replace(" v", " w")
G = ".global .b32 g;\n"
LONG, LONGER = "f" * 139, "g" * 230
USE = "\tmov.b32 a, 1;\n"


def long_header(name: str) -> str:
    """The header of an entry that has more chunks than one, and the begin of its body."""
    parameters = ",\n".join(f"\t.param .u64 {name}_{number}" for number in range(7))
    return f".visible .entry {name}(\n{parameters}\n)\n{{\n\t.reg .b64 %rd<9>;\n"


KEPT = {
    "a function ended in its block, a block below continued it, and its block is divided": Edits(
        HEAD
        + long_header("e")
        + "\tmad.lo.s64 \t%rd4, %rd2, %rd3, %rd1; // adds the product to the number\n" * 6
        + f"}}\n{long_header('f')}"
        + "\tret;\n" * 11
        + f"}}\n\n\n.global .b32 v;\n{long_header('g')}"
        + "\tmad.lo.s64 \t%rd4, %rd2, %rd3, %rd1;\n" * 57,
        SMALL,
        (insert(47, 0, "{\n"), insert(48, 12, ";"), replace(35, 0, 80, 0, "]")),
        (),
    ),
    "an edit removes all the text of the last block, which raised IndexError": Edits(
        "\tadd.s32 %r1, %r2, %r3;\n\n" * 4, SMALL, (insert(8, 0, ";"), replace(8, 0, 8, 1, "")), ()
    ),
    "an edit of a header whose brace is missing: its function has no parts, which raised IndexError": Edits(
        ".visible .entry k(\n\t.param .u64 p\n\t.reg .f32 %f<26>;\n", SMALL, (insert(1, 14, ""),), ()
    ),
    "a semicolon below a brace in an open list of parameters, which raised IndexError": Edits(
        ".visible .entry k(\n{\n", SMALL, (insert(2, 0, ";"),), ()
    ),
    "a hover names the file of a place whose `.file` was on a line below the new end of the text": Edits(
        HEAD + f'.func f()\n{{\n\t.loc 1 3 0\n{RETURNS}}}\n.file 1 "a.c"\n',
        SIZES,
        (Step(Range(7, 0, 17, 0), "", "nothing", (("hover", 5), ("hover", 6))),),
        (),
    ),
    "a function whose name follows `=` in a header is not used there, in one block or in two": Edits(
        f"{HEAD}.extern .func (.param .b32 r) outside\n{RETURNS}\n}}\n.visible .func (.param .b64 r) sum(\n",
        SMALL,
        (insert(3, 14, "="),),
        (),
    ),
    "of three equal declarations, the last one names the first one after both others were read again": Edits(
        "\t.reg .u32 %r0;\n".join("\tmad.lo.cc.u32 \t%r1, %ahi, %blo, %r1;\n" * n for n in (3, 16, 7, 0)),
        SMALL_SIZES[0],
        (insert(22, 6, "\n", "block"), replace(1, 5, 1, 6, "(")),
        (),
    ),
    "a header of C that is skipped with its brace continues on the line below": Edits(
        "// a\n//\n// Compiler Build ID: CL-36037853\n.target sm_90, debug\n.address_size 64\n\n",
        SMALL_SIZES[1],
        (
            insert(1, 0, "__global__ void k(float *a) {"),
            replace(1, 18, 1, 28, ";"),
            replace(2, 23, 2, 26, "\n"),
        ),
        (),
    ),
    "a list of parameters continues after a comment on its own line that has no end at first": Edits(
        ".extern .func f\n(\n\t.param .b64 p,\n\t.param .b64 q\n)\n;\n" + ".global .b32 a[3] = {1, 2, 3};\n" * 11,
        SIZES,
        (insert(4, 0, "/*"), insert(12, 24, "*/")),
        (),
    ),
    "a register that only a wrong guard reads is not reported where the next function has its name": Edits(
        ".visible .entry a(\n)\n\t.reg .pred \t%p<21>;\n\t.reg .b32 \t%r<109>;\n\t.reg .f64 \t%fd<3>;\n"
        "\t.reg .b64 \t%rd<33>;\n\n\t// end inline asm\n\tst.global.u32 \t[%rd10+84], %r100;\n\tret;\n\n}\n"
        "\t// .globl\tb\n.visible .entry b(\n\t.param .u64 b_param_0,\n\tmov.b32 \t{%rs15, %rs14}, %r13;\n"
        "\tselp.b32 \t%r17, 2147483647, %r15, %p1;\n",
        SIZES,
        (insert(7, 0, "(%p1)"),),
        (),
    ),
    "of equal declarations that are read again, the first one stays the first, for those below": Edits(
        ".visible .entry kernel(.param .u64 data)\n{\n    .reg .b32 %r<4>;\n"
        "    .reg .b32 %r<4>;                            // declared twice\n",
        Sizes(lines=4, characters=256, edited=2),
        (
            insert(
                *(1, 1),
                ".target sm_80\n.address_size 64\n\n{\n    .reg .b32 %r<4>;\n"
                "    .reg .b32 %r<4>;                            // declared twice\n",
            ),
            insert(5, 0, "\n"),
        ),
        (),
    ),
    "a `.version` below positions of inlined code does not count for them, whichever block it is in": Edits(
        ".entry k()\n{\n"
        + "".join(f".loc 2 {n} 3, function_name $L, inlined_at 2 9{n} 1\n\tret;\n" for n in range(20)),
        SMALL,
        (insert(42, 0, ".version 3.0\n"),),
        (),
    ),
    "a blank line between a mistake and what belongs to it begins a block": Edits(
        "\n.visible .entry scale(.param .u64 data, .param .f32 factor)\n{\n    .reg .b32 %r<4>;\n"
        "    .reg .b64 %rd<4>;\n    .reg .f32 %f<4>;\n\n",
        Sizes(lines=4, characters=256, edited=2),
        (insert(7, 4, "1"), replace(4, 14, 5, 10, "\r")),
        (),
    ),
    "the first of two targets that say debug counts, whichever block it is in": Edits(
        ".version 9.4\n.target sm_90, debug\n.func f()\n{\n" + "\tret;\n" * 20,
        SMALL,
        (insert(15, 0, ".target sm_90, debug\n"),),
        (),
    ),
    "the parameters of a prototype move with it": Edits(
        HEAD + PROTOTYPE + VARIABLES + PROTOTYPE, SMALL, (insert(2, 0, "\n"),), tuple(range(30, 36))
    ),
    "names that are suggested do not depend on what was typed last": Edits(
        HEAD
        + f".func f()\n{{\n{RETURNS}\t.reg .b32 %lane1;\n{RETURNS}\t.reg .b32 %line1;\n"
        + f"{RETURNS}\tmov.b32 %lone1, 0;\n}}\n",
        SMALL,
        (insert(17, 12, "g"), replace(17, 12, 17, 13, "")),
        (),
    ),
    "a family collides with the first of its members, whatever was typed last": Edits(
        HEAD
        + f".func f()\n{{\n{RETURNS}\t.reg .b32 %r7;\n{RETURNS}\t.reg .b32 %r5;\n{RETURNS}\t.reg .b32 %r<9>;\n}}\n",
        SMALL,
        (replace(17, 13, 17, 14, "6"),),
        (),
    ),
    "a variable becomes larger, and the memory ends at another one below": Edits(
        HEAD + ".const .b8 a[10];\n" + VARIABLES + ".const .b8 b[60000];\n",
        SMALL,
        (replace(3, 13, 3, 15, "9999"),),
        (),
    ),
    "a prototype is renamed above a call of another one": Edits(
        HEAD
        + f".func f()\n{{\n\t.reg .b64 %rd<3>;\n{RETURNS}protos: .callprototype _ ();\n"
        + f"{RETURNS}\tcall %rd1, (), proto;\n}}\n",
        SMALL,
        (replace(18, 0, 18, 6, "other"),),
        (),
    ),
    "debug information in lines when the section above was removed": Edits(
        ".version 9.4\n.target sm_90, debug\n.section .debug_x {\n.b8 1\n}\n" + VARIABLES + "@@DWARF .byte 0x1\n",
        SMALL,
        (replace(2, 0, 5, 0, ""),),
        (),
    ),
    "a file gets the number of another one below": Edits(
        HEAD + '.file 2 "a.cu"\n' + VARIABLES + '.file\t1 "b.cu"\n', SMALL, (replace(3, 6, 3, 7, "1"),), ()
    ),
    "a second alias of a name is written above the first": Edits(
        HEAD + ".func f() { ret; }\n.func g();\n" + VARIABLES + ".alias\tg, f;\n",
        SMALL,
        (insert(5, 0, ".alias g, f;"),),
        (),
    ),
    "a function that has ended early ends again below": Edits(
        HEAD + ".func f()\n{\n\t.reg .b32 %r<9>;\n" + "\tmov.b32 %r1, %r2;\n" * 24,
        SIZES,
        (insert(8, 18, "}"), insert(12, 0, "}")),
        (),
    ),
    "a comment that contains inlined code in the blocks below": Edits(
        HEAD + ".visible .entry k()\n{\n" + "\tret;\n.loc 1 9 9, function_name callee, inlined_at 1 8 5\n" * 12 + "}\n",
        SMALL,
        (insert(7, 0, "/*"),),
        (),
    ),
    "a variable is removed above its use and declared below, and the block below is read first": Edits(
        HEAD
        + ".global .b32 g;\n"
        + VARIABLES
        + ".func f()\n{\n\t.reg .b32 r;\n\tld.global.b32 r, [g];\n\tret;\n}\n"
        + VARIABLES,
        SMALL,
        (replace(3, 0, 3, 15, "", "nothing"), insert(50, 0, ".global .b32 g;")),
        (),
    ),
    "a bracket that is never closed, far above the `=` of a declaration": Edits(
        ".b8 1\n$L__info_string83:\n_i[nfo_string87:\n.b8 1\n",
        Sizes(16, 512, 4),
        (insert(2, 13, HEAD + ".global .align 4 .b8 a[24] = {1, 2, 3};\n\n"),),
        (),
    ),
    "a register is declared above another one of its name, which follows a type without a blank": Edits(
        HEAD + VARIABLES + ".reg .pred%a;\n",
        SMALL,
        (insert(3, 0, ".reg .u32 %a;\n"),),
        (),
    ),
    "a constant variable grows above another one, whose space follows its linkage without a blank": Edits(
        HEAD + ".const .b8 a[6000];\n" + VARIABLES + ".visible.const .b8 b[9000];\n",
        SMALL,
        (insert(3, 17, "0"),),
        (),
    ),
    "the first of three equal variables is removed, after the block with the last one was read again": Edits(
        HEAD + G + VARIABLES + G + OTHER_VARIABLES + G,
        SMALL,
        (insert(45, 0, "\n", "block"), replace(3, 0, 3, 15, "")),
        (),
    ),
    "a scope in a function that is kept, although its block was divided above another part of it": Edits(
        f"{HEAD}.func f()\n{{\n\t.reg .b32 a;\n\t{{\n" + USE * 40 + "\t}\n" + USE * 300 + "}\n",
        SIZES,
        (insert(3, 0, ";"), replace(5, 0, 5, 13, "")),
        (),
    ),
    "a header below a statement with a report takes text from below, and a report follows its brace": Edits(
        "\t// .globl\tfp8                     // -- Begin function fp8\n.extern .shared .align 16 .b8 global_smem[];\n"
        + " " * 40
        + "// @fp8\n.visible .entry fp8(\n\t.param .u64 .ptr .global .align 1 fp8_param_5,\n"
        "\t.param .u64 .ptr .global .align 1 fp8_param_6\n)\n.reqntid 128\n{\n"
        "\t.reg .pred \t%p<10>;\n\t.reg .b32 \t%r<388>;\n",
        SMALL,
        (replace(8, 1, 66, 0, "("), replace(1, 35, 2, 0, ".b")),
        (),
    ),
    "two equal register families are removed together": Edits(
        HEAD
        + ".func f()\n{\n\t.reg .b32 %r<4>;\n\t.reg .b32 %r<4>;\n"
        + "\tret;\n" * 40
        + "\tadd.s32 %r1, %r2, %r3;\n}\n",
        SMALL,
        (replace(5, 0, 7, 0, ""),),
        (),
    ),
    "two register families that differ in their counts are removed together": Edits(
        HEAD
        + ".func f()\n{\n\t.reg .b32 %r<4>;\n\t.reg .b32 %r<8>;\n"
        + "\tret;\n" * 40
        + "\tadd.s32 %r1, %r2, %r3;\n}\n",
        SMALL,
        (replace(5, 0, 7, 0, ""),),
        (),
    ),
    "of three equal registers, the block of the first two is edited again before all of it is read": Edits(
        HEAD
        + "\n\n\n{\n.reg .u32 %u;\nmov.u32 %u,-1;\n}\n"
        + "// a comment that makes the block long\n" * 3
        + "{\n.reg .u32 %u;\nmov.u32 %u,-1;\n}\n{\n"
        + "sub.u64 %r38,%r38,0;\n" * 11
        + "{\n.reg .u32 %u;\nmov.u32 %u,0;\n}\n{\nsub.u64 %stack,%r38,8;\n}\n",
        SMALL_SIZES[0],
        (insert(7, 13, "\n", "block"), replace(6, 0, 6, 1, "{")),
        (),
    ),
    "a comment that begins in a statement, and ends far below in another one": Edits(
        HEAD
        + ".func f()\n{\n\t.reg .b32 %r<9>;\n\t.reg .pred %p<3>;\n"
        + "\tsetp.ge.u32 %p1, %r5, %r1;\n" * 20
        + "\tvote.sync.ballot.b32 %r4, %p2, -1;\n",
        LONG_SIZES,
        (replace(27, 21, 27, 28, "*/"), insert(8, 10, "/*")),
        (),
    ),
    "a lone carriage return above a label of a section": Edits(
        HEAD + ".func f()\n{\n" + "\tret;\n" * 6 + "}\n\t.section .debug_str\n\t{\nnames:\n\t\t.b8 107, 0\n\t}\n",
        LONG_SIZES,
        (insert(6, 0, "\r"),),
        (15,),
    ),
    "a parameter whose name is cut in two, in a list that ends far below": Edits(
        f".func {LONG}\n\t.param .b64 {LONG}_param_0,\n\t.param .b64 {LONG}_param_1,\n\t.param .b32 {LONG}_param_2\n;\n"
        + f".func {LONGER}\n(\n"
        + "".join(f"\t.param .b64 {LONGER}_param_{number},\n" for number in range(4))
        + f"\t.param .b32 {LONGER}_param_4\n)\n",
        SMALL_SIZES[0],
        (insert(0, 107, "\n"), insert(9, 19, " ")),
        (),
    ),
    "a dot in the place of a semicolon at the end of a chunk": Edits(
        HEAD + "\tadd.s32 %r1, %r1.\n.version 8.0\n" + ".global .b32 a;\n" * 6,
        SMALL_SIZES[1],
        (insert(9, 0, "\n"),),
        (),
    ),
    "a declaration below its use, in the last block of the text": Edits(
        HEAD + ".func f()\n{\n\tmov.b32 %x, 22;\n" + "\tret;\n" * 12,
        SMALL,
        (insert(17, 0, "\tret;\n", "all", ("actions", 5)), insert(18, 0, "\t.reg .b32 %x;\n")),
        (),
    ),
    "a directive without its dot, and an instruction in another block, with a register that nothing writes": Edits(
        ".visible .entry transpose(\n\t.param .u64 .ptr .global .align 16 input,\n)\n.reqntid 32, 8, 1\n{\n"
        "\t.reg .b32 %x, %y, %row, %index, %pitch, %cell, %base;\n\t.reg .b64 %in, %out, %at;\n"
        "\t.reg .f32 %value, %scale;\n\tmov.u32 %y, %tid.y;\n\tmov.u32 %base, tile;\n"
        "\tld.const.f32 %scale, [scale];\n\tld.global.nc.f32 %value, [%at];\n\tmul.rn.f32 %value, %value, %scale;\n}\n",
        SMALL_SIZES[1],
        (replace(9, 1, 10, 4, ""),),
        (),
    ),
    "a label with the name of a list above it, and another one in a block below": Edits(
        ".entry k1()\n{\n\t.reg .b32 %r<4>;\ndone:\n%r:\n\tbra done;\n%r:\n\tadd.s32 %r1, %r1, 1;\n%r:\n"
        "\tadd.s32 %r1, %r1, 1;\n{\n}\n",
        SMALL,
        (replace(3, 0, 3, 5, "%r:.br"),),
        (),
    ),
    "a branch to a name that a function below has": Edits(
        ".entry k()\n\tbra f;\n}\n.entry l()\n{\n\t.reg .b32 %r<4>;\na:\nb:\nc:\nf:\n\tadd.s32 %r1, %r1, 1;\n",
        SMALL,
        (insert(10, 0, ".fc f"),),
        (),
    ),
    "a label in a block that is read twice, above blocks with labels of the same name": Edits(
        ".address_size 64\n.entry k()\n{\n\t.reg .b32 %r<4>;\n{\nl:\n\tbra f;\n\t.param .b32 %r;\nl:\nf:\n{\n%r:\nl:\n"
        + "\tadd.s32 %r1, %r1, 1;\n" * 4
        + "x1:\ndone:\n}\n",
        SMALL_SIZES[0],
        (replace(10, 0, 10, 1, "x1"), insert(7, 0, "x1:\n", "block"), insert(20, 0, "\n")),
        (),
    ),
    "a label that moves up past a block with one of its name": Edits(
        ".entry k0()\n{\n\tadd.s32 %r1, %r1, 1;\n\tadd.s32 %r1, %r1, 1;\n\tbra done;\nf:\n\tadd.s32 %r1, %r1, 1;\nL1:\n"
        "{\n\tbra f;\ndone:\n\tbra %r;\n\tadd.s32 %r1, %r1, 1;\n}\nL1:\n",
        Sizes(2, 100, 1),
        (replace(2, 0, 3, 0, "L1\n", "block"), insert(12, 0, "{")),
        (),
    ),
    "a label that is declared above before an equal one is withdrawn below": Edits(
        ".entry k0()\n\tadd.s32 %r1, %r1, 1;\nf:\n{\n}\n\tadd.s32 %r1, %r1, 1;\nL1:\n}\nx1:\nL1:\n",
        Sizes(2, 100, 1),
        (replace(1, 0, 2, 0, "L1\n", "block"), insert(9, 0, "{")),
        (),
    ),
    "a name in an operand and, in another block of the function, in a branch": Edits(
        ".entry k()\n%r\tadd.s32 %r1, %r1, 1;\n\tadd.s32 %r1, %r1, 1;\nloop:\n}\nL1:\n",
        SMALL,
        (insert(3, 0, "bra%r;\n"), replace(6, 0, 6, 3, ".fc%r")),
        (),
    ),
    "a declaration in a function that its block has resumed, above a label of the same name": Edits(
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k0()\n{\n\t.reg .b32 %r<4>;\n\t.reg .pred %p<3>;\n{\n"
        "\tadd.s32 %r1, %r1, 1;\n\tadd.s32 %r1, %r1, 1;\nloop:\n{\n\t.loc 1 2 3, function_name f, inlined_at 1 2 3\n"
        ".func %r() {\n}\n\tadd.s32 %r1, %r1, 1;\n\tadd.s32 %r1, %r1, 1;\n{\n}\n\tadd.s32 %r1, %r1, 1;\ndone:\n",
        SMALL,
        (replace(4, 0, 5, 0, ""), insert(15, 0, ".o.b done")),
        (),
    ),
    "a section that takes the begin of the line below a semicolon": Edits(
        ".entry k(\n.reqntid 32, 8, 1\n\t.reg .b32 %index, %cell;\n\t.reg .b64 %in, %out, %at;\n\t.reg .f32 %value;\n"
        "\tcvta.to.global.u64 %in, %in;\n\tld.shared.f32 %value, [%cell];\n\tmad.wide.u32 %at, %index, 4, %out;\n"
        "\tst.global.cs.f32 [%at], %value;\n}\n",
        Sizes(4, 256, 2),
        (insert(5, 28, ".section{"),),
        (),
    ),
    "a section after a mistake, above a statement that is asked about": Edits(
        f".version 8.0\n.target sm_80\n.entry k()\n{{\n\t.reg .b32 %r<9>;\n\t.reg .pred %p<3>;\n{ADDS}"
        f"\t@%p1 bra $L2;\n\n\tmul.lo.s32 %r3, %r1, 4;\n\tld.global.b32 %r4, [%r5];\n\n$L2:\n{ADDS}\tmov.b32 %r6, 1;\n",
        Sizes(8, 256, 2),
        (insert(18, 12, ".section{"),),
        (36,),
    ),
    "a comment without an end below a declaration without a name": Edits(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry ;\n\nmov.u32 %r1, 1;\n",
        SMALL,
        (insert(3, 17, " "), insert(5, 0, "/*")),
        (),
    ),
    "a run of known lines in a scope whose first line the parser has read": Edits(
        ".entry k0()\n{\n/*{\n{\n*/{\n// begin inline asm\n}\n}\n", Sizes(16, 512, 4), (replace(8, 0, 9, 0, ""),), ()
    ),
    "a line for the preprocessor at the end of a chunk": Edits(
        "#define N 4\n.const float pi = 3.14f;\n.global .f32 x;\n.global .f32 y;\n.visible .entry k()\n{\n",
        Sizes(4, 256, 2),
        (insert(1, 4, ".m "),),
        (),
    ),
    "a brace in the name of a section at the end of a chunk": Edits(
        ".target sm_80\n.address_size 64\n.entry k0()\n\t.reg .b32 %r<4>;\n\t.reg .pred %p<3>;\n"
        "x1\tadd.s32 %r1, %r1, 1;\n.section .debug_str\n{\n%r:\n.b8 1\n}\n"
        "$L2: .callprototype _ (.param .b32 _);\nloop:\n}\n",
        Sizes(2, 100, 1),
        (replace(6, 18, 6, 19, "}"),),
        (),
    ),
}
