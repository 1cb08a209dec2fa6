"""Initial values and headers that recognisers know: with the parser alone, findings and symbols are the same."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.reading import reader
from tests.quick.test_recognisers import parsed_statements_of

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
PROFILES = ((3, 2, "sm_30"), (4, 3, "sm_35"), (9, 0, "sm_90"))
LINKED = ("", ".visible ", ".weak ", ".extern ", ".common ")
HEADERS = (
    ".visible .entry f(.param .u64 a)\n.maxntid 32, 1, 1 .minnctapersm 2 { ret; }",
    ".entry f(.param .u64 .ptr .global .align 4 a, .param .align 16 .b8 b[64])\n{\n.local .align 4 .b8 d[8];\nret;\n}",
    ".entry f();",
    ".weak .func (.param .b32 r) f(.param .b64 a)\n{\n.reg .b16 %h<3>;\n.shared .b64 s[3];\nret;\n}",
    ".func (.param .align 8 .b8 r[16]) f(.param .b8 c[5000]);",
    *(f"{linkage}.global .align 4 .b32 f[2];" for linkage in LINKED),
)


def read(text: str) -> tuple[list[Finding], list[tuple[object, ...]]]:
    """The findings and the symbols of a text."""
    module = Module(text)
    module.work()
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


@pytest.mark.parametrize(("major", "minor", "target"), [(3, 1, "sm_30"), (3, 2, "sm_20"), *PROFILES])
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
