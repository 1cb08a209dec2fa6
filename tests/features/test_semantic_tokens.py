"""Semantic tokens: the type and the modifiers of each word, also in broken, nested and multi-line text."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.token_types import MODIFIER_NAMES, TYPE_NAMES, TokenModifier, TokenType
from ptx_lsp.reading.statement_context import StatementContext, statements_holding
from ptx_lsp.semantics.execution import Role, accesses
from ptx_lsp.semantics.symbols import SymbolKind
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text.kept_lines import KeptText
from tests.analysed import analysed
from tests.analysis.random_edits import SIZES, Sizes, chunk_sizes
from tests.features.module_tokens import name_of, tokens, words
from tests.features.modules import in_body
from tests.mdtest.fences import read_fences

ROOT = Path(__file__).parents[2]
REAL = [path.read_text("utf-8") for path in sorted((ROOT / "examples").rglob("*.ptx"))]
SHORT = [fence.text for name in ("hover", "matrices") for fence in read_fences(ROOT / f"tests/mdtest/{name}.md")]


def words_in_body(statement: str, declarations: str = "") -> list[str]:
    """The tokens of the last line of some statements in the body of a kernel."""
    lines = statement.strip("\n").split("\n")
    return words(analysed(in_body("\n".join(lines) + "\n", declarations)), lines[-1])


def test_the_legend_has_a_name_for_each_type_and_modifier() -> None:
    assert len(TYPE_NAMES) == len(TokenType)
    assert len(MODIFIER_NAMES) == len(TokenModifier)
    assert TYPE_NAMES[TokenType.COMMENT] == "comment"
    assert MODIFIER_NAMES[TokenModifier.DEFAULT_LIBRARY.bit_length() - 1] == "defaultLibrary"


def test_an_instruction_with_a_guard() -> None:
    assert words_in_body("\t@!%p1 mad.lo.s32 %r1, %r2, -4, %tid.x; // note") == [
        "%p1 variable.read",
        "mad keyword",
        ".lo modifier",
        ".s32 type",
        "%r1 variable.write",
        "%r2 variable.read",
        "4 number",
        "%tid.x variable.read.defaultLibrary",
        "// note comment",
    ]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("ld.global.f32 %f1, [%rd1+8];", "%f1 variable.write, %rd1 variable.read"),
        ("st.shared.f32 [tile+4], %f1;", "tile variable.write.static, %f1 variable.read"),
        ("ld.shared.f32 %f1, [tile];", "%f1 variable.write, tile variable.read.static"),
        ("red.shared.add.u32 [tile], %r2;", "tile variable.read.write.static, %r2 variable.read"),
        ("mov.u64 %rd1, tile;", "%rd1 variable.write, tile variable.static"),
        ("ld.param.u64 %rd1, [input];", "%rd1 variable.write, input parameter.read"),
        ("mov.b64 {%r1, _}, %rd1;", "%r1 variable.write, %rd1 variable.read"),
        ("setp.lt.s32 %p1|%p2, %r1, 2;", "%p1 variable.write, %p2 variable.write, %r1 variable.read"),
        ("dp4a.s32.s32 %r1, %r1, %r2, 0x1F;", "%r1 variable.write, %r1 variable.read, %r2 variable.read"),
        ("add.s32 %r1,\n\t%r2,\n\t%unknown;", "%unknown variable.read"),
        ("here: bra here;", "here label.declaration, here label"),
        ("bra elsewhere;", "elsewhere label"),
        ("call (%r1), square, (%r2);", "%r1 variable.write, square function, %r2 variable.read"),
        ("frobnicate.b32 %r1, %r2;", "%r1 variable.read.write, %r2 variable.read.write"),
    ],
)
def test_names_and_numbers(statement: str, expected: str) -> None:
    declarations = ".shared .align 4 .b8 tile[64];\n.func (.reg .b32 r) square(.reg .b32 x) { ret; }"
    found = words_in_body("\t" + statement, declarations)
    assert [
        word for word in found if word.split()[1].split(".")[0] not in ("keyword", "modifier", "number", "type")
    ] == (expected.split(", "))


def test_declarations_and_headers() -> None:
    module = analysed(
        ".version 9.4\n.target sm_90\n.address_size 64\n.extern .shared .align 16 .b8 tile[];\n"
        ".visible .entry k(.param .u64 .ptr .global input)\n.maxntid 128, 1, 1\n{\n\t.reg .b32 %r<4>;\n"
        "\tmov.b32 %r1, tile;\n\tret;\n}\n"
    )
    assert words(module, ".version") == [".version macro", "9.4 number"]
    assert words(module, "tile[]") == [
        *(".extern macro", ".shared macro", ".align macro", "16 number", ".b8 type"),
        "tile variable.declaration.static",
    ]
    assert words(module, ".entry") == [
        *(".visible macro", ".entry macro", "k function.declaration", ".param macro", ".u64 type", ".ptr macro"),
        *(".global macro", "input parameter.declaration"),
    ]
    assert words(module, ".reg")[-2:] == ["%r variable.declaration", "4 number"]


def test_a_label_may_have_a_blank_before_its_colon() -> None:
    """So LLVM writes the prototypes of calls."""
    prototype = "proto : .callprototype _ (.param .b32 _);"
    assert words_in_body(f"\t{prototype}")[:2] == ["proto label.declaration", ".callprototype macro"]
    assert words_in_body(f"\t{{\n\t{prototype}\n\tcall %rd1, (%r1), proto;")[-1] == "proto label"
    assert words_in_body("\tloop : add.s32 %r1, %r2, 3;")[0] == "loop label.declaration.unused"


def test_a_parameter_in_a_register_is_a_register_everywhere() -> None:
    module = analysed(
        ".version 9.4\n.target sm_90\n.func (.reg .f32 half) half_of(.reg .f32 all)\n"
        "{\n\tmul.f32 half, all, 0f3F000000;\n\tret;\n}\n"
    )
    assert [word for word in words(module, ".func") if word.startswith(("half", "all"))] == [
        *("half variable.declaration", "half_of function.declaration", "all variable.declaration")
    ]
    assert words(module, "mul")[2:4] == ["half variable.write", "all variable.read"]


def test_a_name_that_nothing_uses_is_marked() -> None:
    module = analysed(in_body("\t.reg .b32 %spare<4>;\nout:\n\tret;\n"))
    assert words(module, "%spare") == [".reg macro", ".b32 type", "%spare variable.declaration.unused", "4 number"]
    assert words(module, "out:") == ["out label.declaration.unused"]


def test_a_deprecated_instruction_is_marked_from_the_version_that_deprecates_it() -> None:
    # the manual: shfl without .sync is deprecated from PTX 6.0 on
    text = "\tshfl.up.b32 %r1, %r2, 1, 0;\n"
    assert words(analysed(in_body(text, version="6.3", target="sm_60")), "shfl")[0] == "shfl keyword.deprecated"
    assert words(analysed(in_body(text, version="5.0", target="sm_60")), "shfl")[0] == "shfl keyword"


def test_nested_scopes_hide_names_of_the_function() -> None:
    found = words_in_body("\t{\n\t.param .b64 tile;\n\tst.param.b64 [tile], %rd1;", ".shared .b8 tile[64];")
    assert found[3] == "tile parameter.write"
    module = analysed(in_body("\t{\n\t.param .b64 tile;\n\t}\n\tld.shared.b32 %r1, [tile];\n", ".shared .b8 tile[64];"))
    assert words(module, "ld.shared")[-1] == "tile variable.read.static"


def test_registers_without_a_percent_sign_in_a_nested_scope() -> None:
    found = words_in_body("\t{ .reg .b32 t<3>;\n\tmov.b32 t1, 0; add.s32 %r1, t1, t2; }")
    assert [word for word in found if word.startswith("t")] == [
        *("t1 variable.write", "t1 variable.read", "t2 variable.read")
    ]


def test_comments_over_several_lines_have_a_token_on_each() -> None:
    module = analysed(in_body("\t/* one\r\n two */ add.s32 %r1, %r1, 1; /* three\n\n four */\n"))
    assert words(module, "one")[0] == "/* one comment"
    assert words(module, "two") == [
        *(" two */ comment", "add keyword", ".s32 type", "%r1 variable.write", "%r1 variable.read", "1 number"),
        "/* three comment",
    ]
    assert words(module, "four") == [" four */ comment"]


def test_text_that_is_not_ptx_has_no_tokens() -> None:
    assert tokens(analysed("int main(void) {\n  return 0;\n}\n" * 20)) == []


ROLES = {Role.READ: 2, Role.ADDRESS: 2, Role.WRITE: 4, Role.BOTH: 6, Role.DECLARATION: 0}


@pytest.mark.parametrize("texts", [REAL, SHORT], ids=["real", "short"])
def test_the_roles_are_those_of_the_execution_effect(texts: list[str]) -> None:
    """The tokens know roles by the opcode text alone; `execution.accesses` asks for the kinds of all operands."""
    number = 0
    for module in map(analysed, texts):
        found = {(token.line, token.column): token for token in tokens(module)}
        for context in instructions(module):
            assert isinstance(context.statement, Instruction)
            for name, symbol, role in accesses(context.statement, context.surroundings):
                place = context.range(name.start, name.end)
                is_data = symbol.kind in (SymbolKind.REGISTER, SymbolKind.VARIABLE, SymbolKind.PARAMETER)
                has_role = is_data and (role is not Role.ADDRESS or symbol.space == ".reg")
                expected = ROLES[role] if has_role else 0
                assert found[place.line, place.column].modifiers & 6 == expected, (context.statement, name)
                number += 1
    assert number > 300


def instructions(module: Module) -> Iterator[StatementContext]:
    """Every instruction of a module with the names that it sees."""
    for block in module.block_map.blocks:
        text = module.block_map.text(block)
        for context in statements_holding(block, KeptText(text), range(len(text))):
            if isinstance(context.statement, Instruction):
                yield context


@pytest.mark.parametrize("statement", ["\tadd.s32 %r1, %r1, /* 1;\n", "\t.reg .b/*32 %r<4>;\n", "\t/*\n", "\t. /* x\n"])
def test_everything_after_a_comment_without_an_end_is_a_comment(statement: str) -> None:
    module = analysed(in_body(statement + "\tadd.s32 %r1, %r1, 2; // three\n\n\tret;\n"))
    line = next(n for n in range(module.document.line_count) if "/*" in module.document.line(n))
    last = module.document.line_count - 1
    shown = [token for token in tokens(module) if token.line > line]
    assert {token.type for token in shown} == {TokenType.COMMENT}
    assert [(token.line, token.column, token.length) for token in shown] == [
        (n, 0, len(module.document.line(n))) for n in range(line + 1, last + 1) if module.document.line(n)
    ]


def test_a_function_without_its_closing_brace_gives_no_names_to_the_next_one() -> None:
    first = ".visible .entry f(.param .u64 first)\n{\n\t.reg .b64 %rd<4>;\n\tld.param.u64 %rd1, [first];\n"
    second = (
        ".visible .entry g(.param .u64 second)\n{\n\tld.param.u64 %rd1, [first];\n\tld.param.u64 %rd1, [second];\n}\n"
    )
    module = analysed(".version 8.4\n.target sm_90\n.address_size 64\n" + first + second)
    assert [t.line for t in tokens(module) if t.type is TokenType.PARAMETER] == [3, 6, 7, 10]


def test_a_function_that_continues_below_a_brace_keeps_its_names() -> None:
    module = analysed(in_body("\t.reg .b32 early;\n\t}\n\tadd.s32 %r1, %r1, early;\n"))
    assert "early variable.declaration" in words(module, ".reg .b32 early;")
    assert words(module, "%r1, early;")[-1] == "early variable.read"


@pytest.mark.parametrize("sign", ["%", "$"])
def test_a_sign_without_a_name_after_it_has_no_token(sign: str) -> None:
    assert words_in_body(f"\tadd.s32 %r1, %r2, 1{sign};")[-1] == "1 number"


@pytest.mark.parametrize(
    "line", ["bra don(e;", "bra done);", "mov.u32 %r1, (%r2;", "add.u32 %r1, %r2), %r3;", "add.u32 %r1, %r2, (1 + 2);"]
)
def test_a_line_has_the_same_tokens_after_a_statement_that_does_not_end(line: str) -> None:
    """There the parser reads on, so that it reads the line too."""
    assert words_in_body(f"\tmov.u32 %r1, 0\n\t@%p1 trap; // more\n\t{line}") == words_in_body(f"\t{line}")


def test_a_text_of_another_language_has_no_tokens() -> None:
    begin = '.nv_intermediate_source_section {\n.code_block {\n.ir_name: "x"\n.sourceFileName: 1\n.source_begin\n'
    text = "add.s32 %r1, %r2, 3; // a\n.entry k() {\n"
    module = analysed(begin + text + ".source_end\n}\n}\n.entry k()\n{\nret;\n}\n")
    first = begin.count("\n")
    assert [token.line for token in tokens(module) if first <= token.line <= first + 2] == []
    assert words(module, "ret;") == ["ret keyword"]


@pytest.mark.parametrize(("values", "coloured"), [(1_000, True), (10_000, False)])
def test_a_long_run_of_initial_values_has_no_tokens(values: int, coloured: bool) -> None:
    text = f".version 9.0\n.target sm_90\n.global .b8 table[{values + 1}] = {{ {'7, ' * values}8 }};\n.global .b8 x;\n"
    found = [name_of(token) for token in tokens(analysed(text)) if token.line == 2]
    before = ["macro", "type", "variable.declaration.static", "number"]
    assert found[:4] == before
    assert found[4:] == ["number"] * (values * coloured + 1)
    assert words(analysed(text), "x;") == [".global macro", ".b8 type", "x variable.declaration.static"]


def in_blocks(text: str, sizes: Sizes) -> Module:
    """A module whose text has been read in chunks of these sizes."""
    with chunk_sizes(sizes):
        module = Module(text)
        while not module.work(3600.0):
            pass
    return module


_MISTAKES = (
    *(".ghreg .f32 %f<9>", ".locl .b32 f1", ".local .f32x f1", ".reg .b32 f<", ".param f<", ".global f1, ,%f1"),
    *(".wek f1", ".ptr .v4 .param f1 f1", ".param f1 =", ".b32 .reg f<3>, f1"),
)


@pytest.mark.parametrize("outer", ["", ".reg .b32 %f<9>;", ".reg .b32 f1;", ".local .b32 %f1;"])
@pytest.mark.parametrize("declaration", _MISTAKES)
def test_names_of_a_broken_declaration_mean_the_same_in_its_block_and_below(declaration: str, outer: str) -> None:
    text = in_body(f"{outer}\n{{\n{declaration};\n" + "mov.b32 %f1, f1;\n" * 12 + "}\nret;\n")
    several = in_blocks(text, Sizes(4, 64, 2))
    assert len(several.block_map.blocks) > 2
    assert tokens(several) == tokens(in_blocks(text, SIZES))
