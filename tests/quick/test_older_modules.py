"""Modules of compilers before CUDA 5.5 are recognised as newer ones are, and have the findings of the parser alone."""

from typing import Any

import pytest

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.targets import TARGETS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.memo import forget_all
from ptx_lsp.quick.line_runs import Lines
from ptx_lsp.reading import reader
from tests.analysed import analysed
from tests.quick.comparison import Analysis, findings, parsed_statements_of

# The number `N` is different in each.
OUTSIDE = (
    *(".global .b32 gN;", ".const .align 8 .b8 cN[8];", ".shared .f64 sN;", ".extern .shared .b8 eN[];"),
    *(
        ".extern .const .b8 cN[];",
        ".visible .global .u32 vN = 5;",
        ".weak .global .u32 wN;",
        ".common .global .u32 mN;",
    ),
    *(
        ".global .u64 aN = g0;",
        ".const .u64 aN[2] = {g0, 0};",
        ".global .u64 nN = generic(g0);",
        ".global .u64 fN = f0;",
    ),
    *(".extern .func xN(.param .b32 a);", ".weak .func yN() { ret; }", ".visible .func (.param .b32 r) zN() { ret; }"),
    *(".entry kN(.param .u64 .ptr .global .align 8 a) { ret; }", ".entry kN(.param .u64 a) .reqntid 32 { ret; }"),
    *(".extern\t.shared .align 4 .b8 tN[];", ".entry pN(.param .align 4 .b8 a[8]) { ret; }", ".func qN(.reg .b32 a);"),
    *(".visible .func aaN(.param .b32 a)", ".func (.param .b32 r) bbN() // c\n", ".func ccN", ".func ddN ( )\t"),
    *(".extern .func eeN(.param .b32 a) .noreturn", ".entry ffN(.param .b32 a)", ".func ggN(.param .b32 a)\n/* */"),
    *(
        ".global .texref hhN;",
        ".entry kN() .maxntid 1, 2, 3 .minnctapersm 2 { ret; }",
        ".func (.param .align 8 .b8 r[16]) uN(.param .b8 a[]);",
    ),
    *(".entry iiN(.param .b8 a[300]) { ret; }", ".entry jjN(.param .b32 a);", ".visible .entry llN(.param .b32 a)\n;"),
)
INSIDE = (
    *(".reg .pred %pN<3>;", ".reg .b32 %rN<9>;", ".reg .f64 %fdN;", ".reg .f16 %hN;", ".reg .b128 %qN;"),
    *(".param .b32 paramN;", ".local .align 4 .b8 localN[8];", ".shared .u32 sharedN;", '.pragma "nounroll";'),
    *("PN: .callprototype (.param .b32 _) _ (.param .b32 _);", "TN: .branchtargets L;"),
)
VERSIONS = (
    Version(1, 0),
    Version(1, 1),
    Version(1, 2),
    Version(1, 4),
    Version(1, 5),
    Version(2, 0),
    Version(2, 1),
    Version(2, 2),
    Version(2, 3),
    Version(3, 0),
    Version(3, 1),
)
PROFILES = [
    (version, number)
    for version in VERSIONS
    for number in (10, 13, 20, 30)
    if Target(number) in TARGETS and version >= TARGETS[Target(number)]
]


@pytest.mark.parametrize(("version", "number"), PROFILES)
def test_declarations_of_older_modules_are_those_of_the_parser(
    version: Version, number: int, parser_alone: Analysis
) -> None:
    outside = "\n".join(text.replace("N", str(at)) for at, text in enumerate((*OUTSIDE[:1], ".func f0;", *OUTSIDE[1:])))
    inside = "\n".join(text.replace("N", str(at)) for at, text in enumerate(INSIDE))
    text = f".version {version}\n.target sm_{number}\n{outside}\n.entry k()\n{{\n{inside}\nL:\nret;\n}}\n"
    found = findings(text)
    assert any("requires-version" in str(one) for one in found)
    assert found == parser_alone(text)


def test_the_lines_of_a_function_with_an_indented_brace_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    head = "\t.version 2.3\n\t.target sm_20\n\t.address_size 64\n"
    function = (
        "\t.entry kN (.param .u64 a)\n\t{\n\t.reg .u64 %rd<4>;\n\t.loc\t1\tN\t0\n$LDWbegin_kN:\n"
        "\tld.param.u64 \t%rd1, [a];\n\tst.global.u64 \t[%rd1+N], %rd1;\n\texit;\n$LDWend_kN:\n\t} // kN\n\n"
    )
    text = head + '\t.file\t1\t"a.cu"\n' + "".join(function.replace("N", str(4 * number)) for number in range(60))
    looked_at: list[int] = []

    def counted(*given: Any) -> Lines:
        lines = Lines(*given)
        looked_at.append(len(lines.lines))
        return lines

    monkeypatch.setattr(reader, "Lines", counted)
    forget_all()
    module = analysed(text)
    assert not module.findings()
    assert sum(looked_at) < text.count("\n")


@pytest.mark.parametrize(
    "head",
    [
        "\t.version 2.3\n\t.target sm_20\n\t.address_size 64\n",
        "\t.version 2.1\n\t.target sm_20\n",
        ".version 1.4\n.target sm_13\n",
        "\t.version 1.4\n\t.target sm_10, map_f64_to_f32\n",
    ],
)
def test_what_older_compilers_write_needs_no_parser(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    prototypes = "\t.visible .func (.param .s32 r) f (.param .u64 a, .param .f32 b)\n\n\t.visible .func g ()\n\n"
    text = head + (prototypes if "2." in head else "")
    text += '\t.file\t1\t"a.cu"\n\t.extern\t.shared .align 4 .b8 data[];\n\t.shared .align 4 .b8 tile[64];\n'
    text += "\t.entry k (\n\t\t.param .u32 a)\n\t{\n\t.reg .u32 %r<4>;\n\texit;\n\t} // k\n"
    assert parsed_statements_of(text, monkeypatch) == []
    module = analysed(text)
    assert not any(finding.severity is Severity.ERROR for finding in module.findings())
