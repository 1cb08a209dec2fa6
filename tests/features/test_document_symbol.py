"""Document symbols: what they are, their ranges, broken text, and an independent comparison with the analysis."""

from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.document_symbol import Symbol, document_symbols
from ptx_lsp.outline.declared_names import Name, read_function
from ptx_lsp.outline.nesting import Kind
from ptx_lsp.semantics.symbols import SymbolKind
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((*(ROOT / "examples").rglob("*.ptx"), *(ROOT / "tests" / "data").glob("*.ptx")))
HEAD = ".version 8.4\n.target sm_90\n.address_size 64\n"
MODULE_NAMES = frozenset((SymbolKind.FUNCTION, SymbolKind.ENTRY, SymbolKind.VARIABLE))


def symbols(text: str) -> list[Symbol]:
    """The symbols of a text that is not analysed."""
    return document_symbols(Module(text))


def described(text: str) -> list[str]:
    """Each symbol as `kind name [line:column-line:column]`, those of functions indented, lines from 1."""
    found = []
    for symbol in symbols(text):
        for depth, each in [("", symbol), *(("  ", child) for child in symbol.children)]:
            line, column, end_line, end_column = each.range
            found.append(f"{depth}{each.kind.value} {each.name} {line + 1}:{column}-{end_line + 1}:{end_column}")
    return found


def test_a_kernel_has_its_parameters_variables_and_labels() -> None:
    text = (
        ".global .align 4 .b8 table[16];\n"
        ".visible .entry k(\n\t.param .u64 in,\n\t.param .b8 out[8]\n)\n{\n"
        "\t.reg .b32 %r<9>;\n\t.shared .align 4 .b8 tile[64];\n"
        "top:\n\tadd.s32 %r1, %r2, %r3;\n\n"
        "end: ret;\n}\n"
    )
    assert described(text) == [
        "variable table 1:0-1:31",
        "kernel k 2:0-13:1",
        "  parameter in 3:1-3:15",
        "  parameter out 4:1-4:18",
        "  variable tile 8:1-8:31",
        "  label top 9:0-11:0",
        "  label end 12:0-12:9",
    ]
    kernel = symbols(text)[1]
    assert kernel.name_range == Range(1, 16, 1, 17)
    assert kernel.detail == ".visible .entry(.u64, .b8 [8])"
    assert [child.detail for child in kernel.children[:3]] == [
        ".param .u64",
        ".param .b8 [8]",
        ".shared .align 4 .b8 [64]",
    ]


def test_a_function_has_its_results_and_a_declaration_ends_with_its_semicolon() -> None:
    assert described(".extern .func (.param .b32 r) f\n(\n\t.param .b64 a,\n\t.param .b64 b\n)\n;\n.func g;\n") == [
        "function f 1:0-6:1",
        "  parameter r 1:15-1:28",
        "  parameter a 3:1-3:14",
        "  parameter b 4:1-4:14",
        "function g 7:0-7:8",
    ]


def test_a_declaration_may_have_several_names_and_values_over_several_lines() -> None:
    assert described(".global .u32 a, b[2] = {1,\n 2}, c;\n") == [
        "variable a 1:0-1:16",
        "variable b 1:16-2:5",
        "variable c 2:5-2:7",
    ]


@pytest.mark.parametrize("text", [".reg .b32 %r<9>;", ".func f() { .reg .b32 %r<9>; .param .b32 p; }"])
def test_registers_are_not_symbols(text: str) -> None:
    assert [each for each in described(text) if " %r" in each or " p " in each] == []


def test_names_in_comments_and_strings_are_not_symbols() -> None:
    text = '// .entry a()\n/* .global .u32 b; { */\n.pragma ".func c { x: ";\n.func d() { // x:\n /* y: */ ret; }\n'
    assert described(text) == ["function d 4:0-5:16"]


def test_a_conditional_expression_and_a_cache_hint_are_not_labels() -> None:
    text = ".func f() {\n mov.u32 r, a ? b : c;\n ld.global.L2::128B.u32 r, [a];\n}\n"
    assert described(text) == ["function f 1:0-4:1"]


def test_labels_of_inner_scopes_end_with_their_scope() -> None:
    text = ".func f() {\na:\n { b: ret;\n }\n ret;\nc:\n}\n"
    assert described(text) == [
        "function f 1:0-7:1",
        "  label a 2:0-2:2",
        "  label b 3:3-3:10",
        "  label c 6:0-6:2",
    ]


def test_labels_in_debug_sections_are_not_symbols() -> None:
    assert described(".section .debug_str {\n$L__info_string0:\n.b8 97\n}\n.func f;") == ["function f 5:0-5:8"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".func f() {\nret;\n.func g() {\nret;\n}", ["function f 1:0-2:4", "function g 3:0-5:1"]),
        (".func f() {\n{ ret;\n", ["function f 1:0-3:0"]),
        (".func f() { ret; } } }\n.func g() {}", ["function f 1:0-1:18", "function g 2:0-2:12"]),
        (".func () {\nret;\n}", ["function .func 1:0-3:1"]),
        (
            ".entry k(.param .u64 a\n.func g() {}",
            ["kernel k 1:0-1:22", "  parameter a 1:9-1:22", "function g 2:0-2:12"],
        ),
        (".entry", ["kernel .entry 1:0-1:6"]),
        (
            ".func f() {\nmov.b64 {%a, %b, %c;\nx: ret;\n}\n.func g;",
            ["function f 1:0-4:1", "  label x 3:0-3:7", "function g 5:0-5:8"],
        ),
        (".func f() {\n/* never closed\n}\n", ["function f 1:0-4:0"]),
    ],
)
def test_broken_text_keeps_its_symbols(text: str, expected: list[str]) -> None:
    assert described(text) == expected


def test_a_header_and_a_long_declaration_may_span_chunks() -> None:
    parameters = ",\n".join(f"\t.param .u64 p{number}" for number in range(600))
    data = ",\n".join("1, 2, 3, 4, 5, 6, 7, 8, 9" for _ in range(3000))
    text = f".entry k(\n{parameters}\n)\n{{\nret;\n}}\n.global .u32 t[27000] = {{\n{data}\n}};\n.global .u32 u;\n"
    kernel, table, last = symbols(text)
    assert (kernel.range, len(kernel.children)) == (Range(0, 0, 604, 1), 600)
    assert kernel.children[-1].range == Range(600, 1, 600, 17)
    assert table.range == Range(605, 0, 3606, 2)
    assert (last.name, last.line) == ("u", 3607)


def test_after_an_edit_the_symbols_are_those_of_the_new_text() -> None:
    body = "\n".join(f"l{number}:\n\tadd.s32 %r1, %r2, {number};" for number in range(900))
    module = Module(f".func f() {{\n{body}\n}}\n.func g() {{}}\n")
    assert [symbol.name for symbol in document_symbols(module)] == ["f", "g"]
    for range_, text in [
        (Range(700, 0, 700, 0), "}\n.func h() {\n"),
        (Range(5, 0, 9, 0), ""),
        (Range(3, 0, 3, 0), "/*"),
    ]:
        module.edit(range_, text)
        fresh = [(s.name, s.range, [(c.name, c.range) for c in s.children]) for s in symbols(module.document.whole())]
        found = [(s.name, s.range, [(c.name, c.range) for c in s.children]) for s in document_symbols(module)]
        assert found == fresh


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_symbols_are_those_that_the_analysis_declares(path: Path) -> None:
    module = analysed(path.read_text("utf-8"))
    found = document_symbols(module)
    assert {(s.name, s.name_range) for s in found} == {
        (s.name, s.mark.resolved()) for s in module.symbols() if s.kind in MODULE_NAMES
    }
    functions = {s.name: s for s in found if s.opening >= 0}
    assert len(functions) == len(module.bodies())
    for body in module.bodies():
        function = functions[body.symbol.name]
        assert body.closing is not None
        assert function.range.end == body.closing.resolved().end
        assert body.symbol.signature is not None
        parameters = [*body.symbol.signature.returns, *body.symbol.signature.parameters]
        assert [c.name_range for c in function.children if c.kind is Kind.PARAMETER] == [
            parameter.mark.resolved() for parameter in parameters
        ]
        labels = {(c.name, c.name_range) for c in function.children if c.kind is Kind.LABEL}
        assert {(s.name, s.mark.resolved()) for each in body.scope.labels.values() for s in each} <= labels
        for child in function.children:
            assert function.range.contains(child.range.start)
            assert function.range.contains(child.range.end)
            assert child.range.contains(child.name_range.end)


HEADERS = (
    ".visible .entry k(\n\t.param .u64 a,\n\t.param .align 8 .b8 b[16]\n)\n.maxntid 256, 1, 1\n.minnctapersm 2\n{",
    ".entry k(.param .u64 .ptr .global .align 16 a , .param .b8 b[])\n;",
    ".weak .func k(\n\t.param .b32 a\n)\n.noreturn\n{",
    ".func k(.param .b8 a[2][3], .param .b8 b)\n\n{",
    ".visible .extern .func k()\n;",
    ".entry k(.param .u32 a,)\n{",
    ".entry k(.param .u32 a\n.visible .entry l()\n{",
    ".entry k(.param .u32 a)\n.visible\n.entry l()\n{",
    ".entry k(.param .u32 a)\n.reg .b32 x;\n{",
)


@pytest.mark.parametrize("text", HEADERS)
def test_a_header_that_one_pattern_reads_is_read_as_with_comments_in_it(text: str) -> None:
    spaced = text.replace("(", "(/*x*/").replace(")", ")/*x*/")  # the pattern knows no comments
    length = len("/*x*/")
    plain, other = (read_function(each, 0, True) for each in (text, spaced))
    assert plain is not None
    assert other is not None

    def without(name: Name) -> tuple[object, ...]:
        shift = length * (text.count("(", 0, name.start) + text.count(")", 0, name.start))
        end = length * (text.count("(", 0, name.until) + text.count(")", 0, name.until))
        return name._replace(start=name.start + shift, end=name.end + shift, from_=0, until=name.until + end)

    assert plain.name is not None
    assert other.name is not None
    assert without(plain.name) == other.name._replace(from_=0)
    assert [without(each) for each in plain.parameters] == [each._replace(from_=0) for each in other.parameters]
    assert (plain.kind, plain.linkage, plain.body) == (other.kind, other.linkage, other.body)
    assert text[plain.last : plain.end].strip() == spaced[other.last : other.end].replace("/*x*/", "").strip()
