"""The patterns of lines without a hint leave out no line that has one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from ptx_lsp.config.settings import Hints
from ptx_lsp.features import inlay_hints as feature
from ptx_lsp.features.choices import Choices
from ptx_lsp.features.remembered_hints import RememberedHints
from ptx_lsp.features.unhinted_lines import WITHOUT_HINTS, WITHOUT_NUMBERS
from ptx_lsp.findings.finding import Severity
from ptx_lsp.patterns import lazy_pattern
from ptx_lsp.reading import statement_context
from ptx_lsp.reading.blanked_text import blanked
from ptx_lsp.syntax.tree import Declaration, FunctionHeader, Instruction
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.ptx"))
HEAD = (
    ".version 8.0\n.target sm_90\n.address_size 64\n.global .u32 table[4];\n"
    ".extern .func (.param .b32 o) f(.param .b32 a);\n.visible .entry k(.param .u64 p)\n{\n"
    ".reg .pred %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n.reg .f64 %fd<9>;\n"
)
OPCODES = (
    *("mov.u32 %r1", "mov.b32 %f1", "mov.f32 %f1", "mov.b32 %r1", "and.b32 %r1, %r2", "add.s32 %r1, %r2", "bar.sync 0"),
    *("add.f32 %f1, %f2", "fma.rn.f64 %fd1, %fd2, %fd3", "ld.global.u32 %r1", "st.shared.b32 [%rd1+4]", "bar.sync"),
    *("lop3.b32 %r1, %r2, %r3, %r4", "prmt.b32 %r1, %r2, %r3", "setp.lt.s16 %p1, %rs1", "shl.b64 %rd1, %rd2"),
    *("and.b16 %rs1, %rs2", "add.u16 %rs1, %rs2", "add.u32 %r1, %r2", "vote.sync.ballot.b32 %r1, %p1", "mov.f64 %fd1"),
    *(
        "mul.f64 %fd1, %fd2",
        "max.f32 %f1, %f2",
        "cvt.u16.u32 %rs1",
        "mul.wide.u32 %rd1, %r1",
        "set.eq.f32.u32 %f1, %r1",
    ),
    *("@%p1 add.s16 %rs1, %rs2", "@!%p2 mov.u16 %rs1", "shfl.sync.bfly.b32 %r1|%p1, %r2", "barrier.cta.sync %r1"),
)
LAST = (
    *(
        "%r1",
        "%tid.x",
        "5",
        "-5",
        "- 5",
        "0",
        "0x7",
        "0xFFFF",
        "70000",
        "123456",
        "-70000",
        "0f40490FDB",
        "0f3F800000",
        "0f00000000",
        "0FBF800000",
    ),
    *("0d400921FB54442D18", "2+3", "5 -3", "(7)", "-(7)", "[%rd1]", "[%rd1+16]", "[%rd1+-16]", "[p+70000]"),
    *("[table+2*2]", "table", "!%p1", "WARP_SZ", "WARP_SZ*2", "1 ? 2 : 3", "0xE8", "232", "12345", "1065353216"),
    *("%r1, 31, -1", "5U", "1.5", "!5", "~5", "%r1, 31, 0xffffffff", "0XFFFFFFFFF", "0x100000000", "0xFFFF8000U"),
    *("0d0000000000000000", "0D3ff0000000000000", "0dBFE0000000000000", "0dBFF0000000000000", "0d3FE0000000000000"),
    *("0d4000000000000000", "0d4008000000000000", "0f40000000", "0f3f000000"),
)
END = "ret;\n}\n"
CALLS = (
    "{{ // callseq 0, 0\n.reg .b32 temp_param_reg;\n.param .b32 param0;\nst.param.b32 [param0+0], LOADED;\n"
    ".param .b32 retval0;\ncall.uni (retval0), \nf, \n(\nparam0\n);\nld.param.b32 %r2, [retval0+0];\n}} // callseq 0\n"
)
BETWEEN = (
    *("", "\n", "// 1 + 2\n", "/* add.s32 %r1, %r1, 2+2;\n*/\n", "L{}:\n", ".loc 1 5 2\n", "{{\n}}\n"),
    '.pragma "x";\n',
    '.pragma "x";\n// 2;\nmov.u32 %r3, %r4; // 7;\nadd.s32 %r3, %r4, %r5;\n',
    "{{\n.reg .b32 %inner; \nmov.b64 {{%inner, %r1}}, %rd1; \n}}\n",
    CALLS.replace("LOADED", "%r1"),
    CALLS.replace("LOADED", "70000"),
    "{{ .reg .b64 %tmp;\n  cvt.u64.u32 \t%tmp, %r1;\n  mov.u64 %rd1, %tmp; }}\n",
    "{{\n.reg .f32 %r1; // hides a register of another type\nmov.b32 %r1, 1065353216;\n}}\n",
    "{{\n.reg .b32 r<2+2>;\nmov.u32 r1, 5;\nL{}: .loc 1 2 3\n// 2+2\n}}\n",
)
"""What is between some of the statements; `{{}}` is the number of the statement, for labels."""


@contextmanager
def nothing_left_out() -> Iterator[None]:
    """Every statement is looked at, and nothing is remembered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RememberedHints, "of", lambda self, located, find: find(located))
        patch.setattr(feature, "WITHOUT_HINTS", lazy_pattern("(?!)"))
        patch.setattr(feature, "WITHOUT_NUMBERS", lazy_pattern("(?!)"))
        patch.setattr(statement_context, "without_unused", lambda block, text: text)
        yield


def check(text: str, operand_names: str) -> int:
    """Compare the hints with those of all statements; return their number."""
    module = analysed(text)
    choices = Choices(hints=replace(Hints(), operand_names=operand_names))
    everything = Range(0, 0, module.document.line_count, 0)
    found = feature.inlay_hints(module, everything, choices)
    with nothing_left_out():
        assert found == feature.inlay_hints(module, everything, choices)
    return len(found)


def fine_statements(number: int) -> str:
    """Random statements without an error: in a block with one, nothing is left out."""
    random = Random(5)
    pieces = [
        f"{random.choice(OPCODES)}, {random.choice(LAST)};{random.choice(('', ' // 3', ' '))}\n"
        + (random.choice(BETWEEN) if index % 4 == 0 else "").format(index)
        for index in range(number)
    ]
    while True:
        module = analysed(HEAD + "".join(pieces) + END)
        wrong = {finding.range.line for finding in module.findings() if finding.severity is Severity.ERROR}
        if not wrong:
            return "".join(pieces)
        line, kept = HEAD.count("\n"), []
        for piece in pieces:
            begin, line = line, line + piece.count("\n")
            if not wrong.intersection(range(begin, line)):
                kept.append(piece)
        assert len(kept) < len(pieces)
        pieces = kept


@pytest.mark.parametrize("operand_names", ["matrices", "all", "off"])
def test_random_statements(operand_names: str) -> None:
    text = HEAD + fine_statements(1_500) + END
    assert len(WITHOUT_HINTS.findall(text)) > 20
    assert check(text, operand_names) > 50


@pytest.mark.parametrize(
    "broken",
    [
        "ld.param.u64 %rd1, [s//oftmax];\n",
        "int i = 0;\n.section .debug_x {ax_param_1];\n",
        'mov.u32 %r1, "5;\n',
        "{ 5;\n",
    ],
)
def test_mistakes_above_lines_without_a_hint(broken: str) -> None:
    plain = "add.s32 %r1, %r2, %r3;\n" * 3
    hinted = ["mul.f32 %f1, %f2, 0f3FB8AA3B;\n", "bfi.b32 %r1, %r2, %r3, 2+2, 7;\n"]
    check(f"{HEAD}{broken}\n{plain}{hinted[0]}{plain}{hinted[1]}{END}", "matrices")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_have_the_same_hints_with_other_line_ends(path: Path) -> None:
    text = path.read_text("utf-8")
    assert check(text, "matrices") == check(text.replace("\n", "\r\n"), "matrices")


def test_rows_of_debug_data_are_left_out() -> None:
    rows = "\n\t.section\t.debug_info\n\t{\n" + ".b32 $L__tmp1-$L__tmp0+4\n.b8 12,3,5+5\n" * 50 + "\t}\n"
    assert len(WITHOUT_HINTS.sub("", rows)) < 100
    assert check(HEAD + "ret;\n}\n.global .b8 x[3] = {\n1+1,\n2,\n3 };\n" + rows, "matrices") == 1


@pytest.mark.parametrize(
    ("line", "small", "numbers"),
    [
        ("\tadd.s32 \t%r1, %r2, %r3;", True, True),
        ("\t@%p1 bra \t$L__BB0_2;", True, True),
        ("\tst.global.v4.f32 \t[%rd1+-16], {%f1, %f2, %f3, %f4};", True, True),
        ("\tsetp.lt.s32 \t%p1, %r1, 10;", True, False),
        ("\tadd.s32 \t%r1, %r2, 5 -3;", False, False),
        ("\tmov.b32 \t%f1, 5;", False, False),
        ("\tmov.b32 \t%f1, 0;", True, False),
        ("\tmov.u32 \t%r1, 5;", True, False),
        ("\tbar.warp.sync \t0xffffffff;", True, False),
        ("\tcvta.shared.u64 \t%rd1, table + 136;", True, True),
        ("\tmov.b16 \t%rs1, table + 70000;", False, False),
        ("\tbar.sync \t0, 64;", False, False),
        ("\tbar.sync \t0;", True, False),
        ("\tbarrier.sync.aligned \t15;", True, False),
        ("\tadd.s32 \t%r1, %r2, 70000;", False, False),
        ("\t.reg .b32 \t%r<5>;", False, False),
        ("\t{ .reg .b32 t;\n mov.u32 t, %r1;\n L: } // 5", True, True),
        ("\t{ .reg .b32 t;\n mov.u32 t, 5;\n}", True, False),
        ("\t{ .reg .b32 t;\n mov.u32 t, 5 -3;\n}", False, False),
        ("\t{ .reg .b32 t; mov.u32 t, %r1;", False, False),
        ("\tcall.uni (a), \n\tf, \n\t(\n\tb, \n\tc\n\t);", True, True),
        ("\tcall f, (5+2);", False, False),
    ],
)
def test_lines_are_left_out_as_the_table_says(line: str, small: bool, numbers: bool) -> None:
    text = f"ret;\n{line}\n"
    assert (WITHOUT_HINTS.search(text) is not None) == small
    assert (WITHOUT_NUMBERS.search(text) is not None) == numbers


@pytest.mark.parametrize("above", ['.pragma "nounroll";', "mov.u32 %r1, %r2; // a comment;"])
def test_lines_after_a_string_or_comment_except_the_first_statement_are_left_out(above: str) -> None:
    lines = f"{above}\n// begin inline asm\nadd.f32 %f1, %f2, 0f40490FDB;\nmov.u32 %r1, %r3; // 1 + 2\n"
    text = HEAD + lines + "mov.u32 %r2, %r4;\n" * 3 + "mul.f32 %f1, %f2, 0f40490FDB;\n" + END
    assert check(text, "off") == 2
    module = analysed(text)
    everything = Range(0, 0, module.document.line_count, 0)
    left = [each.statement for each in module.statements_outside(everything, WITHOUT_HINTS) if each is not None]
    read = [text for each in left if (text := getattr(getattr(each, "opcode", None), "text", ""))]
    assert read.count("mov") <= 2


def test_a_lone_return_ends_no_comment_above_lines_that_are_left_out() -> None:
    plain = "add.f32 %f1, %f2, %f3;\n"
    text = f"// above\rret;\n// one\r{plain[:-1]}\r// comment\n{plain * 3}mov.b32 %r1, 64;\n"
    seen = blanked(WITHOUT_NUMBERS, text)
    assert len(seen) == len(text)
    comment = seen.rindex("//", 0, seen.index("mov"))
    assert "\n" in seen[comment : seen.index("mov")]


@pytest.mark.parametrize("operand_names", ["matrices", "all"])
@pytest.mark.parametrize(
    "above",
    [
        "{ // a scope\n.param .b32 unnamed;\nPLAINHINTED}\n",
        "// a comment\n.reg .b32 unnamed<9>;\nPLAINHINTED",
        "ret;\n}\n// a comment with a brace }\n.func plain();\n.func last()\n{\n.reg .b32 %r<9>;\nPLAINHINTED",
    ],
)
def test_a_comment_above_what_nothing_names_ends_at_its_line(above: str, operand_names: str) -> None:
    plain, hinted = "add.s32 %r1, %r2, %r3;\n" * 3, "add.s32 %r1, %r2, 2+2;\n"
    assert check(HEAD + plain + above.replace("PLAIN", plain).replace("HINTED", hinted) + END, operand_names) > 0


FUNCTIONS = (
    ".func plain{n}()\n{{\n.reg .b32 %r<9>;\n.reg .v2 .b32 %q;\nadd.s32 %r1, %r2, %r3;\nret;\n}}\n",
    ".visible .func (.param .b32 o) f{n}(.param .b64 f{n}_p)\n{{\n.reg .b64 %rd<3>, %x;\n"
    "mov.b64 %rd1, %rd2;\nret;\n}}\n",
    ".extern .func (.param .b32 o) g{n}\n(\n.param .b32 g{n}_p\n)\n;\n",
    ".entry k{n}(.param .u64 k{n}_p) .maxntid 32, 1, 1\n{{\n.local .align 8 .b8 depot[16];\n.reg .b64 %SP, %SPL;\n"
    "mov.u64 %SPL, depot;\ncvta.local.u64 %SP, %SPL;\nret;\n}}\n",
    ".func sums{n}()\n{{\n.reg .f32 %f<9>;\n.reg .s16 %rs<9>;\n.reg .b32 %q;\nadd.f32 %f1, %f2, 0f40490FDB;\n"
    "add.s16 %rs1, %rs2, 70000;\nmov.b32 %q, 0f40490FDB;\nret;\n}}\n",
    ".func types{n}()\n{{\n.reg .s16 %r<9>;\nadd.s16 %r1, %r2, 70000;\nret;\n}}\n",
    ".func others{n}()\n{{\n.reg .b64 %rd1;\n.reg .b32 %r1;\n.reg .b32 %r2;\n.reg .b32 %q<7>;\n"
    "add.s32 %r1, %r2, 2+2;\nret;\n}}\n",
    "/* .func in a comment\n.func c()\n*/ .func comments{n}()\n{{\n.reg .s16 %rs2;\n/*\n.func\n*/\n"
    "add.s16 %rs2, %rs2, 70000;\nret;\n}}\n",
    "// BEGIN FUNCTION DECL: gcc{n}\n.func (.param .b32 %value_out) gcc{n} (.param .b32 %in_ar0);\n"
    "// BEGIN FUNCTION DEF: gcc{n}\n.func (.param .b32 %value_out) gcc{n} (.param .b32 %in_ar0)\n{{\nret;\n}}\n",
    ".func above{n}()\n{{\n.reg .b32 %r<3>; // a; .func in{n}\nadd.s32 %r1, %r2, 2+2;\n// }} .func also{n}\n"
    'add.s32 %r1, %r2, 1+1; .pragma "; .func string{n}"; ret;\n}}\n',
    ".func sizes{n}()\n{{\n.local .b8 a[2+2];\n.reg .b32 %r<2>;\nret;\n}}\n",
    ".global .u32 v{n}[2] = {{1+1, 2}};\n// .globl v{n}\n",
    ".visible .global .align 4 .b8 w{n}[9] = {{0, 255, 9}};\n.const .s8 x{n}[2] = {{1,\n200}};\n"
    ".global .b8 y{n}[3] = {{1, 2+2, 3}}, z{n};\n",
    ".global .b8 named{n}[4] = {{1, 2, 3, 44}};\n.global .u64 address{n}[2] = {{named{n}+1+1, 0}};\n",
    ".entry targets{n}()\n{{\n.reg .b32 %r<2>;\nmov.u32 %r1, 0;\nlist: .branchtargets one,\ntwo;\n"
    "brx.idx %r1, list;\none: mov.b32 %r1, 1+1;\ntwo: ret;\n}}\n",
    ".func calls{n}()\n{{\n.param .b32 x;\n.reg .b64 %rd<9>;\nmov.u64 %rd1, calls{n};\n"
    "st.param.b32 [x+0], 2+2;\nret;\n}}\n",
    '.visible .func strings{n}()\n{{\n.pragma "{{ .reg .b32 %r<9>; }}";\n.reg .b32 %r<9>;\n'
    "ret;\n}} /* .func */ // }}\n",
)


@pytest.mark.parametrize("operand_names", ["matrices", "all", "off"])
def test_functions_and_declarations_that_nothing_names_are_left_out(operand_names: str) -> None:
    chance = Random(9)
    hints = 0
    for _ in range(20):
        chosen = (chance.choice(FUNCTIONS).format(n=number) for number in range(30))
        hints += check(".version 8.0\n.target sm_90\n.address_size 64\n" + "".join(chosen), operand_names)
    assert hints > 300


def test_no_declaration_of_a_function_in_which_nothing_has_a_hint_is_parsed() -> None:
    plain = ".func plain{n}()\n{{ // names\n.reg .b32 %r<9>;\n\n.reg .v2 .b32 %v;\nadd.s32 %r1, %r2, %r3;\nret;\n}}\n"
    hinted = ".func hinted()\n{\n.reg .b32 %r<9>, %v;\nadd.s32 %r1, %v, 2+2;\n}\n"
    above, below = ("".join(plain.format(n=number) for number in range(at, at + 9)) for at in (0, 9))
    module = analysed(f".version 8.0\n.target sm_90\n.address_size 64\n{above}{hinted}{below}")
    everything = Range(0, 0, module.document.line_count, 0)
    parsed = module.statements_outside(everything, WITHOUT_HINTS, complete=False)
    assert [type(each.statement) for each in parsed if each is not None].count(Declaration) == 1


def test_a_caller_may_pause_after_each_block_also_without_a_statement_to_look_at() -> None:
    plain = ".func f{0}()\n{{\n\t.reg .b32 %r<3>;\n\tadd.s32 \t%r1, %r2, %r2;\n\tret;\n}}\n"
    module = analysed(".version 8.0\n.target sm_90\n.address_size 64\n" + "".join(map(plain.format, range(2_000))))
    contexts = list(module.statements_outside(Range(0, 0, module.document.line_count, 0), WITHOUT_HINTS))
    blocks = len(module.block_map.blocks)
    assert blocks > 5
    assert contexts.count(None) == blocks


DEBUGGED = (
    "\t// .weak\tk{0}\n.weak .entry k{0}(\n\t.param .u64 k{0}_param_0,\n\t.param .u32 k{0}_param_1\n)\n{{\n"
    "\t.reg .b32 \t%r<4>;\n\t.reg .f32 \t%f<4>;\n\t.loc 1 3 4\n\t// demoted variable\n"
    "\t.shared .align 4 .b8 tile{0}[1296];\n\tld.param.u32 \t%r1, [k{0}_param_1];\n\tmov.u32 \t%r2, tile{0};\n"
    "\tbar.sync \t0;\n\tmul.f32 \t%f1, %f2, 0f3C23D70A;\n\tret;\n}}\n"
)
"""A function as nvcc writes it for a debugger, with one hint."""


def test_what_no_line_with_a_hint_names_is_not_read() -> None:
    text = ".version 8.0\n.target sm_90\n.address_size 64\n" + "".join(map(DEBUGGED.format, range(10)))
    assert check(text, "matrices") == 10
    module = analysed(text)
    everything = Range(0, 0, module.document.line_count, 0)
    contexts = module.statements_outside(everything, WITHOUT_HINTS, complete=False)
    read = [each.statement for each in contexts if each is not None]
    assert sum(isinstance(each, Instruction) for each in read) == 10
    assert sum(isinstance(each, Declaration) for each in read) == 10, "the registers of the instructions with hints"
    with_parameters = [each for each in read if isinstance(each, FunctionHeader) and each.parameters]
    assert len(with_parameters) <= 1, "that of the function below the head of the module"


@pytest.mark.parametrize("operand_names", ["matrices", "all"])
@pytest.mark.parametrize(
    ("header", "body"),
    [
        (".func g(.param .b32 a, .param .b64 b)", "ld.param.b32 %r1, [a];\nmov.b32 %r1, 2+2;\n"),
        (".func (.param .b32 a) g(.param .b16 b)", "call (a), g, (70000);\nmov.b32 %r1, 2+2;\n"),
        (".func g(.reg .f32 a)", "mov.b32 a, 1065353216;\n"),
        (".func g(.reg .f32 %a<3>)", "mov.b32 %a1, 1065353216;\n"),
        (".func g(.param .b32 r)", "mov.b32 %r1, 2+2;\n"),
        (".func g(.param .u64 .ptr .global .align 8 a)\n.noreturn", "mov.b32 %r1, 2+2;\n"),
        ("// .func g\n.func g(.param .b32 a, .param .b32 g_a)", "// a is g_a\nadd.s32 %r1, %r1, 2+2;\n"),
        (".func g()", ".reg .f32 a;\nmov.b32 a, 1065353216;\n"),
    ],
)
def test_parameters_that_a_line_with_a_hint_needs_are_read(header: str, body: str, operand_names: str) -> None:
    registers = ".reg .b32 %r<9>;\n"
    assert check(f"{HEAD}{END}{header};\n{header}\n{{\n{registers}{body}{END}", operand_names) > 0
