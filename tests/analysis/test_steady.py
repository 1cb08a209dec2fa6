"""No finding goes away and comes back while the text is read again after an edit."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.text.ranges import Range
from tests.analysis.random_edits import SIZES, SMALL_SIZES, Sizes, chunk_sizes
from tests.analysis.random_tries import example_files
from tests.analysis.steady import places, run, unsteady

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n.extern .func outside();\n"
FUNCTION = """.visible .entry {name}()
{{
	.reg .b32 %r<9>;
	.reg .b64 %unused<9>;
	call outside;
	mov.b32 %r1, %r2;
{body}	bra missing;
	ret;
}}
"""
MISTAKES = (
    "	add.s32 %r1, %r1, %nothing;\n",
    "	mov.b16 %r1, 1;\n",
    "	// ptx-lsp: ignore-next-line[unknown-opcode]\n	nonsense %r1;\n",
    "unused:\n",
    "	bra nowhere;\n",
    "	mov.b32 %r20, 1;\n",
)
BODY = "".join("	add.s32 %r1, %r1, 1;\n" * 6 + mistake for mistake in MISTAKES)
USAGE = """.visible .entry usage()
{
	.reg .b32 %r<9>;
	.reg .b64 %unused<9>;
unused:
	mov.b32 %r1, %r2;
	ret;
}
"""
TEXT = HEAD + FUNCTION.format(name="first", body=BODY) + USAGE + FUNCTION.format(name="second", body=BODY)


def opened(text: str, *, at_once: bool) -> Module:
    """A module whose text has been read, in large blocks if it was read at once."""
    module = Module(text)
    while not module.work(None if at_once else 3600.0):
        pass
    return module


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("inserted", ["x", "\n", "\tadd.s32 %r1, %r1, 1;\n", "\tnonsense;\n"])
@pytest.mark.parametrize("line", [1, 4, 7, 12, 30, 60, 63, 70, 100])
def test_the_first_edit_of_a_block_keeps_the_findings_of_the_others(line: int, inserted: str, at_once: bool) -> None:
    module = opened(TEXT, at_once=at_once)
    codes = {code for code, _, _ in places(module)}
    assert {"undeclared", "undefined-label", "unused-registers", "never-written", "undefined-function"} <= codes
    assert "unused-suppression" not in codes
    assert unsteady(module, Range(line, 0, line, 0), inserted) is None
    assert unsteady(module, Range(line, 0, line + 1, 0), "") is None


def test_lines_that_are_removed_across_blocks_keep_the_findings_below() -> None:
    text = HEAD + "".join(FUNCTION.format(name=f"f{n}", body=BODY * 2) for n in range(9))
    module = opened(text, at_once=False)
    assert len(module.block_map.blocks) > 1
    for block in module.block_map.blocks[:0:-1]:
        assert unsteady(module, Range(block.line - 1, 3, block.line, 3), "") is None


def test_a_statement_that_takes_lines_of_the_block_below_keeps_its_other_findings() -> None:
    text = HEAD + "".join(FUNCTION.format(name=f"f{n}", body=BODY * 2) for n in range(9))
    module = opened(text, at_once=False)
    line = module.block_map.blocks[1].line - 1
    column = len(module.document.line(line)) - 1
    assert unsteady(module, Range(line, 0, line, column + 1), '\t.pragma "') is None


def test_a_brace_that_ends_a_function_too_early_makes_no_label_missing() -> None:
    body = "	add.s32 %r1, %r1, 1;\n" * 20
    text = HEAD + FUNCTION.format(name="f", body=f"	mov.b32 %r2, 1;\n	bra $end;\n{body}{body}$end:\n").replace(
        "missing", "$end"
    )
    module = opened(text, at_once=False)
    assert "undefined-label" not in {code for code, _, _ in places(module)}
    assert unsteady(module, Range(30, 0, 30, 0), "}\n") is None
    assert "early-brace" in {code for code, _, _ in places(module)}


KERNEL = ".visible .entry kernel(.param .u64 data)\n{\n"
REGISTERS = "\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<4>;\n\t.reg .f32 %f<4>;\n"
LINES = "\tadd.s32 %r2, %r1, 1;\n"
TINY = SMALL_SIZES[1]
OPEN_COMMENT = HEAD + KERNEL + REGISTERS + LINES * 8 + "\tmov.b32 %r1/*;\n" + LINES * 20
WITH_BROKEN_DECLARATION = """.address.noreturn_size 64
.visible .entry multiply(
    .param .u64 a_descriptor,
    .param .u64 b_descriptor,
    .param .u64 .ptr .global .align 16 result
)
.reqntid 128
{
    .reg .f32 %acc<8>;
    .reg .b64 %a, %b, %result, %at;
    .reg .b32 //%thread;
    .reg .pred %accumulate;
    ld.param.u64 %b, [b_descriptor];
    mad.wide.u32 %at, %thread, 8 * 4, %result;
"""
WITH_MISSING_LABEL = """    .reg .b32 %r<4>;
    ad.s32 %r2, %r1, 1;                         // no such instruction
    bra finished;                               // no such label
done:
    ret;
}
"""
OPEN_KERNEL = """// tile's width, so that the numbers cannot drift apart; hover over one to see what it is worth.

.version 8.0
.target sm_80
.address_size 64

.const .align 4 .f32 scale = 0f3F800000;

.visible .entry transpose(
    .param .u64 .ptr .global .align 16 input,
    .param .u64 .ptr .global .align 16 output,

    ld.param.u64 %in, [input];
    ld.param.u64 %out, [output];
    ld.param.u32 %pitch, [pitch];
    mul.rn.f32 %value, %value, %scale;
    mad.lo.u32 %cell, %row, (32 + 1) * 4, %base;
    mad.lo.u32 %cell, %x, 4, %cell;
    st.shared.f32 [%cell], %value;
    @%more bra store;

    ret;
}
"""
CONSTANTS = """.global .u32 table[4] = { 1, 2, 3, 4, 5 };      // five values for four elements
.global .f64 half = 1 + 0.5;                     // an integer and a float in one sum
.global .f32 ratio = 1 / 0;                     // division by zero

.visible .entry kernel()
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    mov.u32 %r1, 1.5 & 1;                       // bits of a float
    ret;
}
"""
KEPT: dict[str, tuple[Sizes, str, Range, str]] = {
    "an early brace that is replaced by a statement": (
        *(SIZES, KERNEL + " \t}\n\t.reg .b32 %r<4>;\ndone:\n", Range(2, 1, 2, 3), "trap;"),
    ),
    "an early brace whose function has a statement before the next one now": (
        SIZES,
        HEAD + KERNEL + "\t}\n" + REGISTERS * 2 + "\t.reg .pred %p;\n" + LINES * 140 + "}\n",
        Range(8, 1, 8, 1),
        "mov.b32 %r1, 0f3F800000;",
    ),
    "a comment without an end, far above the edit": (
        *(SMALL_SIZES[0], OPEN_COMMENT, Range(34, 8, 34, 9), "\tret;\n}\n"),
    ),
    "a broken declaration that is removed with the header of its function": (
        *(TINY, "// " + "." * 100 + "\n" + WITH_BROKEN_DECLARATION, Range(6, 0, 12, 5), ".func bar(.param .b32 x);"),
    ),
    "a header before the statements of another function": (
        TINY,
        "\twgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16\n"
        "\t\t{%acc0, %acc1, %acc2, %acc3, %acc4, %acc5, %acc6, %acc7},\n"
        "\tst.global.v4.f32 [%at+16], {%acc4, %acc5, %acc6, %acc7};\n}\n}",
        Range(0, 50, 0, 51),
        "\n.visible .entry multiply(\n\twgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16\n}\n",
    ),
    "a function above the statements and declarations of another one": (
        TINY,
        "{\n\t.reg .b32 %r<2>;\n @!%p1 bra.uni $L1;   ret;\n}\n",
        Range(0, 0, 0, 1),
        ".func bar(.param .b32 x) { ret; }\n",
    ),
    "a label that becomes a broken statement, which may be any missing label": (
        TINY,
        KERNEL
        + "\t.reg .pred %p;\n\t.reg .b32 %r<4>;\n"
        + LINES * 3
        + "\t@%p bra done;\n\tbra finished;\ndone:\n\tret;\n}\n",
        Range(9, 3, 9, 4),
        "\tbra finished;\n",
    ),
    "a header whose function uses a register above its family": (
        SIZES,
        HEAD + KERNEL + "\tmov.b32 %r9, 1;\n" + LINES * 8 + REGISTERS + LINES * 8 + "}\n",
        Range(4, 30, 4, 31),
        "",
    ),
    "a brace that ends a function above its declarations": (
        *(TINY, HEAD + KERNEL + LINES + REGISTERS * 3 + LINES * 20 + "}\n", Range(7, 0, 7, 0), "}\n"),
    ),
    "a misplaced header that is removed from a function without an end": (
        SMALL_SIZES[0],
        KERNEL + REGISTERS + "\tst.global.f32 [%rd3], %f1;\t.visible .entry kernel(.param .u64 data)\n",
        Range(4, 8, 6, 0),
        ".reg .b32 %r<4>;",
    ),
    "a header in a function, above a branch to a missing label": (
        *(TINY, "\n" + KERNEL + WITH_MISSING_LABEL, Range(3, 5, 3, 5), KERNEL.partition("{")[0]),
    ),
}


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("name", KEPT)
def test_edits_after_which_findings_went_away_and_came_back(
    name: str, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    sizes, text, range_, inserted = KEPT[name]
    with chunk_sizes(sizes):
        assert unsteady(opened(text, at_once=at_once), range_, inserted) is None


def test_a_function_that_ends_in_its_block_is_not_complete_before_the_block_below_has_been_read() -> None:
    with chunk_sizes(SMALL_SIZES[0]):
        module = opened(CONSTANTS, at_once=False)
        assert unsteady(module, Range(10, 11, 10, 17), ".address_size 32\n") is None
        assert unsteady(module, Range(7, 4, 7, 4), "}\n") is None


def test_a_statement_that_takes_the_header_of_a_function_keeps_its_findings() -> None:
    module = opened(OPEN_KERNEL, at_once=True)
    assert unsteady(module, Range(12, 13, 12, 13), "\n") is None
    assert unsteady(module, Range(2, 3, 2, 3), "add.s32 %r1, %r2, %r3;") is None


@pytest.mark.parametrize("line", [0, 5, 8, 9, 20])
def test_inlined_code_without_its_function_keeps_its_findings(line: int) -> None:
    inlined = "\t.loc 1 7 3\n\t.loc 1 5 0, function_name $L__info_string0, inlined_at 1 7 3\n"
    text = HEAD + ".entry k()\n{\n" + inlined + "\tret;\n" * 12 + inlined + '}\n.file 1 "a.cu"\n'
    module = opened(text, at_once=False)
    assert [code for code, _, _ in places(module)].count("inlined-function") == 2
    assert unsteady(module, Range(line, 0, line, 0), "\n") is None
    assert unsteady(module, Range(line, 0, line, 0), "{\n") is None
    assert unsteady(module, Range(line, 0, line + 1, 0), "") is None


# the seed and the number of a try: braces and headers that change which function a statement belongs to
UNSTEADY = (
    *((78, 690), (79, 472), (79, 605), (79, 917), (82, 83), (82, 259), (82, 484), (82, 495), (86, 347), (86, 543)),
    *((91, 438), (93, 239), (93, 683), (94, 316), (95, 110), (28777, 135), (30001, 43), (30004, 338), (30042, 712)),
    *((3311, 217), (3311, 316), (77, 46), (77, 68), (77, 133), (5511, 3)),
    *((90210, 15), (90210, 113), (90210, 101), (90210, 250), (424242, 397), (871101, 80)),
)


@pytest.mark.parametrize(("seed", "number"), UNSTEADY)
def test_tries_that_were_not_steady(seed: int, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    assert list(run(example_files(), range(number, number + 1), seed)) == []


@pytest.mark.parametrize("seed", [1, 4, 5, 10, 13])
def test_random_edits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # in texts with braces that do not match, about one in 5,000 edits is not steady
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    assert list(run(example_files(), range(12), seed)) == []


@pytest.mark.parametrize("line", range(12, 24))
def test_a_name_that_inner_braces_declare_stays_undeclared_outside_of_them(line: int) -> None:
    """While a part of the function has not been read, its braces match as before."""
    inner = "{\n\t.reg .b32 %in<9>;\n\tmov.b32 %in1, 1;\n}\n"
    with chunk_sizes(SMALL_SIZES[0]):
        body = "\tmov.b32 %r3, 1;\n" * 4 + inner + "\tmov.b32 %r3, %in2;\n\tmov.b32 %r4, 1;\n" * 8
        module = opened(HEAD + FUNCTION.format(name="k", body=body), at_once=True)
        assert unsteady(module, Range(line, 9, line, 16), "") is None
        assert unsteady(module, Range(line, 3, line + 1, 3), "") is None
