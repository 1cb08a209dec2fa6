"""Initial values and headers that recognisers know: with the parser alone, findings and symbols are the same."""

import random
from itertools import product
from operator import methodcaller

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.quick.effect import Effect
from ptx_lsp.reading import block_reader, known_bodies, reader
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.semantics.symbols import Symbol
from tests.analysed import analysed
from tests.calls import calls_of
from tests.quick.comparison import Analysis, findings, parsed_statements_of

NAMED = (
    ".global .u64 g;\n.const .u32 c[4];\n.shared .u32 s;\n.func fn();\n.entry kn(){ret;}\n.extern .global .u32 ex[];\n"
    ".global .texref tx;\n.extern .func ef(.param .u32 a);\n"
)
VALUES = (
    *("g", "c", "s", "fn", "kn", "ex", "tx", "ef", "nope", "x", "g+4", "1", "0", "18446744073709551615", "300000000"),
    *("generic(g)", "generic(c)", "generic(fn)", "generic(s)", "generic(x)", "generic(nope)", "generic( g )"),
    *("generic(g)+8", "generic(c)+16", "generic(ex)+4", "generic(tx)+4", "generic(g)+0", "generic", "WARP_SZ"),
)
SHAPES = (
    "x = {0};",
    "x[2] = {{{0}}};",
    "x[1] = {{ {0}, 1}};",
    "x = {{{0}}};",
    "x[2] = {0};",
    "x[2] = {{generic(c), {0}}};",
)
PROFILES = ((3, 2, "sm_30"), (4, 3, "sm_35"), (5, 1, "sm_53"), (9, 0, "sm_90"))
FLOATS = (
    *("0f3F800000", "0d3FF0000000000000", "0F00000000", "0D0000000000000001", "0f7FC00000", "0d7FF8000000000000"),
    *("1.0", "1", "-0f3F800000", "0f3F8000000", "0d3FF000000000000", "0f3f80000g", "x", "1e3", ""),
)
FLOAT_TYPES = (".f32", ".f64", ".b32", ".u64", ".f16", ".b64")
LINKED = ("", ".visible ", ".weak ", ".extern ", ".common ")
HEADERS = (
    ".visible .entry f(.param .u64 a)\n.maxntid 32, 1, 1 .minnctapersm 2 { ret; }",
    ".entry f(.param .u64 .ptr .global .align 4 a, .param .align 16 .b8 b[64])\n{\n.local .align 4 .b8 d[8];\nret;\n}",
    ".entry f()\n.maxnreg 64\n{ ret; }",
    ".entry f()\n.maxntid 128, 1, 1\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{ ret; }",
    ".entry f()\n.explicitcluster\n.maxclusterrank 8\n{ ret; }",
    ".entry f();",
    ".weak .func (.param .b32 r) f(.param .b64 a)\n{\n.reg .b16 %h<3>;\n.shared .b64 s[3];\nret;\n}",
    ".func (.param .align 8 .b8 r[16]) f(.param .b8 c[5000]);",
    ".weak .func f(.param .b64 a)\n.noreturn \n{\n\tret;\n}",
    ".func f()\n.noreturn;",
    ".func f() // a\n.noreturn // b\n;",
    ".func f.noreturn;",
    ".func f().noreturn{ ret; }",
    ".func f .noreturn\n{ ret; }",
    ".func f()\n.noreturn\n.noreturn;",
    ".func (.param .b32 r) f()\n.noreturn;",
    ".entry f()\n.noreturn\n{ ret; }",
    ".func f()\n.noreturn\n.func g();",
    ".func f()\n.noreturn",
    ".func f()\n.noreturn\n.maxnreg 8\n;",
    ".func f()\n.noreturn;\n.func f();",
    ".func f()\n.noreturn;\n{\n\tret;\n}",
    ".func f()\n.noreturn; // a\n{\n\tret;\n}",
    ".func f()\n.noreturn;\n.noreturn\n{\n\tret;\n}",
    ".func f()\n.noreturn;\n.func g()\n.noreturn;\n{\n\tret;\n}",
    ".func f()\n.noreturn;\n.func g(){\n\tret;\n}",
    ".visible .func f(.param .b32 a, .param .align 8 .b8 b[])\n{\n\tret;\n}",
    ".func f(.param .align 8 .b8 b[], .param .b32 a);",
    ".func (.param .b8 r[]) f(.param .b32 a);",
    ".entry f(.param .b8 b[]) { ret; }",
    ".entry f() { .reg .f16 a, b; .reg .f16x2 %h<3>; ret; }",
    ".entry f() { .reg .b128 a, %q<2>; .reg .b128 %q<3>; .reg .u8 b; .reg .s8 %c<3>; ret; }",
    *(f"{linkage}.global .align 4 .b32 f[2];" for linkage in LINKED),
    ".visible .global .attribute(.managed) .align 4 .u32 f = 3;",
    ".shared .attribute(.managed) .b32 f;",
)
DECLARED = (
    ".weak .func  (.param .b32 func_retval0) {0}\n(\n\t.param .b64 {0}_param_0,\n"
    "\t.param .align 4 .b8 {0}_param_1[12]\n)\n;\n",
    ".extern .func {0}(.param .b32 {0}_param_0, .param .b64 x);\n",
    ".func {0};\n",
    ".func {0} // {0};\n(.param .b32 {0}_param_0);\n",
    ".func {0} // ;\n(.param .b{1} p);\n",
    ".func {0}(.param .b32 {0}_param_0, .param .b32 f_param_0);\n",
    ".func {0}(.param .b32 {0}_param_1, .param .b32 {0}_param_1);\n",
    ".entry {0}(.param .b32 {0}_param_0);\n",
    ".func {0}(.param .b32 {0}_param_0) .noreturn;\n",
    ".func {0}\n(\n\t.param .b32 {0}_param_0\n)\n{{\n\tret;\n}}\n",
    ".weak .func {0}(.param .b{1} {0}_param_0)\n{{\n\tret;\n}}\n",
    ".func k{0}(){{ .reg .b64 %a; .param .b32 a; call {0}, (a); mov.b64 %a, {0}; ret; }}\n",
)
DECLARED_NAMES = ("f", "gg", "hh", "f", "func_retval0", "b32", "param", "x", "%tid", "ret", "p", "f_param", "long_name")


def read(text: str) -> tuple[list[Finding], list[tuple[object, ...]]]:
    """The findings and the symbols of a text."""
    module = analysed(text)
    return module.findings(), [(symbol, symbol.mark.resolved(), symbol.names) for symbol in module.symbols()]


def agree(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(reader, "RECOGNISERS", False)
        parsed = read(text)
    assert read(text) == parsed


@pytest.mark.parametrize(("major", "minor", "target"), PROFILES)
@pytest.mark.parametrize("shape", SHAPES)
def test_initial_values(shape: str, major: int, minor: int, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    head = f".version {major}.{minor}\n.target {target}\n.address_size 64\n{NAMED}"
    for of in (".u64", ".u32", ".b64"):
        for value in VALUES:
            agree(f"{head}.weak .global {of} {shape.format(value)}\n", monkeypatch)


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_integers_at_the_limits_of_a_type(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    head = ".version 9.0\n.target sm_90\n.address_size 64\n"
    for value in (-1 << (bits - 1), (1 << bits) - 1, 1 << (bits - 1)):
        for near in (value - 1, value, value + 1):
            for of in (f".u{bits}", f".b{bits}", f".s{bits}"):
                agree(f"{head}.global {of} x = {near};\n.global {of} y[2] = {{{near}, 0}};\n", monkeypatch)


@pytest.mark.parametrize("value", ["-2147483648", "2147483647", "4294967295", "-1"])
def test_a_recogniser_knows_the_integers_of_a_type(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f".version 9.0\n.target sm_90\n.address_size 64\n.global .align 4 .u32 x = {value};\n"
    assert parsed_statements_of(f"{text}.global .b64 y[2] = {{{value}, 0}};\n", monkeypatch) == []


@pytest.mark.parametrize("of", FLOAT_TYPES)
@pytest.mark.parametrize("value", FLOATS)
def test_floats_as_initial_values(value: str, of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    head = ".version 9.0\n.target sm_90\n.address_size 64\n"
    for shape in SHAPES:
        agree(f"{head}.visible .global .align 8 {of} {shape.format(value)}\n", monkeypatch)


@pytest.mark.parametrize(
    ("major", "minor", "target"),
    [(3, 1, "sm_30"), (3, 2, "sm_20"), (6, 3, "sm_30"), (6, 4, "sm_20"), (6, 4, "sm_30"), *PROFILES],
)
@pytest.mark.parametrize("header", HEADERS)
def test_headers_of_old_versions(
    header: str, major: int, minor: int, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = f".version {major}.{minor}\n.target {target}\n.address_size 64\n"
    agree(head + header + "\n", monkeypatch)


def test_addresses_need_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    text = ".version 3.2\n.target sm_30\n.address_size 64\n.global .u64 g;\n.const .u64 t[3] = {0, generic(g)+8, g};\n"
    text += ".global .u32 one = 5;\n.entry k()\n{\n\tret;\n}\n"
    assert parsed_statements_of(text, monkeypatch) == []
    assert read(text)[0] == []


@pytest.mark.parametrize(
    "statement",
    [
        ".visible .global .align 8 .f64 x = 0d400C000000000000;",
        ".const .align 4 .f32 x[2] = {0f3F800000, 0fBF800000};",
        ".func f(.param .b32 a, .param .align 8 .b8 b[])\n{\n\tret;\n}",
        ".weak .func f(.param .b64 a)\n.noreturn \n{\n\tret;\n}",
        '.weak .func f\n()\n.noreturn;\n.weak .func g\n()\n.noreturn;\n.file\t1 "a.cu"',
        ".func f()\n{\n\t.reg .f16 low,high;\n\t.reg .f16x2 %h<4>;\n\tret;\n}",
        ".func f()\n{\n\t.reg .b128 whole;\n\t.reg .u8 byte;\n\t.reg .b8 %b<4>;\n\tret;\n}",
        ".entry f()\n.reqntid 128, 1, 1\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{\n\tret;\n}",
        '.file\t1 "a.cu"',
        '.file\t1 "C:\\\\a\\\\b.cu", 1595524614, 5649',
        '.file\t1 "a.cu" // first\n\n\t// .globl\tk\n',
        ".func f()\n{\n\t.reg .b64 %rd<2>;\n\tcreatepolicy.fractional.L2::evict_last.b64 %rd1, 0.5;\n\tret;\n}",
        ".func f()\n{\n\t.reg .pred %p<2>;\n\telect.sync _|%p1, -1;\n\tret;\n}",
    ],
)
def test_what_compilers_write_needs_no_parser(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    head = ".version 9.0\n.target sm_90\n.address_size 64\n"
    for text in (head + statement, f"{head}{statement}\n", f"{head}{statement}\n.entry k()\n{{\n\tret;\n}}\n"):
        assert parsed_statements_of(text, monkeypatch) == []
        assert not any(finding.severity is Severity.ERROR for finding in read(text)[0])


def functions(text: str) -> tuple[list[Finding], list[object]]:
    """The findings of a text, and its functions and their parameters with their places."""
    module = analysed(text)
    found: list[object] = []
    for symbol in module.symbols():
        if symbol.signature is not None:
            parameters = (*symbol.signature.returns, *symbol.signature.parameters)
            found += [(each, each.name, each.mark.resolved()) for each in (symbol, *parameters)]
    return module.findings(), found


def test_a_declared_function_differs_from_others_in_its_name_only(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(4)
    head = ".version 9.0\n.target sm_90\n.address_size 64\n"
    texts = []
    for first in DECLARED:
        texts.append(head + "".join(first.format(name, 32) for name in DECLARED_NAMES))
    for _ in range(300):
        chosen = (chance.choice(DECLARED) for _ in range(12))
        texts.append(
            head + "".join(each.format(chance.choice(DECLARED_NAMES), chance.choice((32, 64))) for each in chosen)
        )
    quick = [functions(text) for text in texts]
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    for text, found in zip(texts, quick, strict=True):
        assert found == functions(text), text


NAMES_OF_LISTS = ("f", "b", "p", "param", "a", "b32", "%a", "%f1", "_f", "$", "$f", "function", "WARP", "align", "r_0")
LISTS = (
    "(.param .b32 NAME_param_0,\n\t.param .align 8 .b8 NAME_param_1[16])",
    "(.param .b32 a, .param .b64 b)",
    "(.param .b32 aNAME, .param .b64 NAME)",
    "(.param .b32 NAMENAME_NAME, .param .b64 xNAMEx)",
    "(.param .b32 1NAME)",
    "(.param .b32 NAME_SZ, .param .b32 NAME_name)",
    "(.param .bNAME a)",
    "(.param .b8 NAME[NAME])",
    "(.param .b32 NAME_0, .param .b8 NAME_1[])",
    "(.param .u64 .ptr .global .align 8 NAME_0, .param .f32 NAME_1)",
)


@pytest.mark.parametrize("name", NAMES_OF_LISTS)
def test_a_name_of_a_function_in_any_word_of_its_parameters(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    head = ".version 9.0\n.target sm_90\n.address_size 64\n"
    headers = [f".{kind} NAME{each}\n{{\n\tret;\n}}\n" for kind in ("entry", "func") for each in LISTS]
    headers += [f".func (.param .b32 NAME_{result}) NAME{LISTS[0]};\n" for result in ("result", "param_0")]
    # the lists are known by those of another function
    texts = [head + each.replace("NAME", "other") + each.replace("NAME", name) for each in headers]
    quick = [functions(text) for text in texts]
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    for text, found in zip(texts, quick, strict=True):
        assert found == functions(text), text


def test_the_parameters_of_a_declared_function_are_made_when_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = ".version 9.0\n.target sm_90\n.address_size 64\n"
    text += "".join(DECLARED[0].format(f"f_{n}", 32) for n in range(9))
    assert parsed_statements_of(text, monkeypatch) == []
    module = analysed(text)
    assert module.findings() == []
    late = [symbol for symbol in module.symbols() if "signature" not in _made(symbol)]
    assert len(late) == 9  # the header has been met above


def _made(symbol: Symbol) -> set[str]:
    """The attributes of a symbol that exist, without making others."""
    found = set()
    for name in Symbol.__slots__:
        try:
            object.__getattribute__(symbol, name)
        except AttributeError:
            continue
        found.add(name)
    return found


REGISTERS = ("%r<5>", "%r3", "%r", "%r12", "%rd<5>", "r<2>, x", "a, b", "a1, c", "a<2>", "a", "b, %r7")


@pytest.mark.parametrize("first", REGISTERS)
def test_declarations_of_registers_that_are_read_together(first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    uses = "\tadd.s32 %r3, %r12, a1;\n\tmov.b32 a, b;\n"
    for second in REGISTERS:
        for third in ("%r<5>", "%r12", "c", "b<3>"):
            lines = [f"\t.reg .b{32 << (third == 'c')} {names};\n" for names in (first, second, third)]
            for between in ("", "\n", "$l:\n", "a1:\n", "\t// a comment\n"):
                text = f".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{{\n{between.join(lines)}{uses}}}\n"
                agree(text, monkeypatch)


RUNS = (
    ((".pred %p<2>", ".b32 %r<3>", ".b32 x", ".b32 %r<3>", ".b64 %rd<4>", ".b64 y"), 3),
    ((".pred %p<2>", ".b32 %r1", ".b32 %r2, %r3", ".b32 %r10", ".b32 x1", ".b64 y"), 7),
    ((".b32 %r1", ".b32 %r2", ".b32 %r<3>", ".b32 x"), 2),
    ((".b32 %r1", ".b32 %r2", ".b32 %r3", ".b32 %r1", ".b32 x", ".b32 %r4"), 3),
)


@pytest.mark.parametrize(("declared", "together"), RUNS)
def test_declarations_of_registers_are_one_run(
    declared: tuple[str, ...], together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []
    apply_effect = block_reader.apply_effect

    def noted(reader_: BlockReader, effect: Effect) -> None:
        counts.append(len(effect.declares))
        apply_effect(reader_, effect)

    for module in (reader, known_bodies):
        monkeypatch.setattr(module, "apply_effect", noted)
    lines = "".join(f"\t.reg {each};\n" for each in declared)
    Module(f".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{{\n{lines}\tret;\n}}\n").work()
    assert max(counts) == together


def test_registers_that_are_declared_one_by_one_are_looked_at_once() -> None:
    lines = "".join(f"\t.reg .b32 %r{number};\n\t.reg .pred %p{number};\n" for number in range(1600))
    text = f".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{{\n{lines}\tret;\n}}\n"
    assert calls_of(Module(text).work) < 100 * text.count("\n")


PROLOGUES = (
    *("%r<4>", "%r<4> %rd<4>", "%r<4> %r<5>", "%r<4> %r1<3>", "%r<4> %r1", "%r1 %r<4>", "%a %a", "%a1 %a2 %a<3>"),
    *("%SP %SPL %p<2>", "x", "x<3>", "x1", "%a,%b %c", "depot0[8] %a<2>", "depot0[8] depot<2>", "%a<2> depot0[8]"),
    *("depot0[8] depot1[8] %r<2>", "depot0[8] %r<2> depot0[4]", "%tid<2>", "%h:.f16 %r<2>", "WARP_SZ", "f_param_0"),
)


@pytest.mark.parametrize(("version", "target", "end"), [("3.1", 30, ""), ("9.0", 90, ""), ("9.0", 90, " // a")])
def test_the_declarations_that_a_body_begins_with(version: str, target: int, end: str, parser_alone: Analysis) -> None:
    text = f".version {version}\n.target sm_{target}\n"
    rests = ("", "\tmov.b32 %r1, %r2;\n\tadd.u32 %a, %a, %a2;", "r: bra r;", "\t.reg .b32 %r2;\n\tmov.b32 %r2, x;")
    for number, (names, rest) in enumerate(product(PROLOGUES, rests)):
        text += f".entry f{number}(.param .b32 x, .param .b32 f_param_0)\n{{\n"
        for name, _, of in map(methodcaller("partition", ":"), names.split()):
            text += f"\t.local .b8 {name};{end}\n" if "[" in name else f"\t.reg {of or '.b32'} {name};{end}\n"
        text += f"{rest}\n\tret;\n}}\n"
    expected = parser_alone(text)
    assert findings(text) == expected
    assert findings(text.replace("\n", "\r\n")) == expected
