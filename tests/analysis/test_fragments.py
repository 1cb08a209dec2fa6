"""Fragments that are analysed with an environment: names, version, target, depth, positions of a host text."""

import random
from dataclasses import replace

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.definition import definition
from ptx_lsp.features.references import references
from ptx_lsp.features.rename import RenameRefused, rename
from ptx_lsp.findings.finding import Finding
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.semantics.environment import Environment, OperandRole, OuterSymbol
from ptx_lsp.text.position_map import MappedPiece, PositionMap
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed

OPERANDS = (
    OuterSymbol("%0", ".b32", OperandRole.OUTPUT, declared=Range(20, 8, 20, 12)),
    OuterSymbol("%1", ".b32", declared=Range(21, 8, 21, 12)),
    OuterSymbol("%2", ".b64"),
    OuterSymbol("%3", ".f32", OperandRole.BOTH),
)
AROUND = Environment(Version(8, 0), Target(90), OPERANDS)


def analysed_fragment(fragment: str, environment: Environment = AROUND) -> Module:
    module = Module(fragment, environment=environment)
    module.work()
    return module


def found(fragment: str, environment: Environment = AROUND) -> list[tuple[str, str]]:
    """The code of each finding with the text of its range; `fragment` has no map of positions."""
    module = analysed_fragment(fragment, environment)
    return [(finding.code, module.document.text(finding.range)) for finding in module.findings()]


@pytest.mark.parametrize(
    "fragment",
    [
        "",
        "add.s32 %0, %1, 1;",
        "{ .reg .pred p; setp.ne.b32 p, %1, 0; @p mov.b32 %0, 1; @!p mov.b32 %0, 2; }",
        "add.f32 %3, %3, %3;",
        "bra L;\nL: mov.b32 %0, 3;",
        "// nothing\n",
        "ld.global.b32 %0, [%2];",
        "mov.u32 %0, %laneid;",
    ],
)
def test_what_is_right_has_no_findings(fragment: str) -> None:
    assert found(fragment) == []


@pytest.mark.parametrize(
    ("fragment", "findings"),
    [
        ("add.s32 %0, %1, %2;", [("operand-type", "%2")]),
        ("add.s32 %0, %1, %9;", [("undeclared", "%9")]),
        ("add.s32 %0, %1", [("missing-semicolon", "1")]),
        ("frob.b32 %0, %1;", [("unknown-opcode", "frob")]),
        ("bra L;", [("undefined-label", "L")]),
        ("} mov.b32 %0, 1;", [("unmatched-brace", "}")]),
        ("{ mov.b32 %0, 1;", [("unclosed-brace", "{")]),
        ("add.s32 %1, %0, 1;", [("never-written", "%0")]),
        ("{ .reg .b32 t; mov.b32 %0, t; }", []),
        ("tcgen05.wait::ld.sync.aligned;", [("requires-target", "tcgen05.wait::ld.sync.aligned")]),
    ],
)
def test_what_is_wrong(fragment: str, findings: list[tuple[str, str]]) -> None:
    assert [code for code, _ in found(fragment)] == [code for code, _ in findings]
    assert found(fragment) == findings


def test_at_module_level_the_header_is_given() -> None:
    outside = Environment(Version(8, 0), Target(90), (OuterSymbol("g", ".b32", space=".global"),), in_function=False)
    right = ".global .u64 p = g;\n.func f() { .reg .b32 r; ld.global.b32 r, [g]; st.global.b32 [g], r; ret; }\n"
    assert found(right, outside) == []
    assert found("mov.b32 a, b;", outside) == [("outside-function", "mov.b32 a, b;")]


def test_the_version_and_target_are_those_of_the_environment() -> None:
    fragment = "elect.sync %1|p, -1;"
    old = Environment(Version(7, 8), Target(90), (*OPERANDS, OuterSymbol("p", ".pred")))
    assert [code for code, _ in found(fragment, old)] == ["requires-version"]
    new = Environment(Version(8, 0), Target(90), old.symbols)
    assert found(fragment, new) == []
    assert analysed_fragment(fragment, new).profile.version == (8, 0)


def test_findings_are_at_the_positions_of_the_host() -> None:
    # three literals, on lines 12 to 14, that begin in column 4; the last one is a hole up to its second character
    pieces = [MappedPiece(Range(line, 0, line, 40), Range(12 + line, 4, 12 + line, 44)) for line in range(3)]
    lines = ["add.s32 %0, %1, %2;", "mov.b32 %0, %8;", "mul.f32 %3, %3, %2;"]
    fragment = "\n".join(lines)
    pieces = [
        MappedPiece(Range(0, 0, 0, 19), Range(12, 4, 12, 23)),
        MappedPiece(Range(0, 19, 1, 0), Range(12, 23, 12, 25)),  # written \n
        MappedPiece(Range(1, 0, 1, 15), Range(13, 4, 13, 19)),
        MappedPiece(Range(1, 15, 2, 0), Range(13, 19, 13, 21)),
        MappedPiece(Range(2, 0, 2, 12), Range(14, 4, 14, 16)),
    ]
    environment = Environment(Version(8, 0), Target(90), OPERANDS, positions=PositionMap(pieces))
    module = analysed_fragment(fragment, environment)
    first, second = module.findings()  # that of the last line touches the hole
    assert (first.code, first.range) == ("operand-type", (12, 20, 12, 22))
    assert (second.code, second.range) == ("undeclared", (13, 16, 13, 18))
    whole = analysed_fragment(fragment)
    assert [finding.code for finding in whole.findings()] == ["operand-type", "undeclared", "operand-type"]
    assert whole.findings()[2].related == ()  # `%2` has no place in the host
    (related,) = analysed_fragment("add.f32 %3, %3, %1;", _with_type(AROUND, 1, ".f64")).findings()[0].related
    assert related.range == (21, 8, 21, 12)


def test_edits_of_a_fragment() -> None:
    module = analysed_fragment("add.s32 %0, %1, 1;\n")
    module.edit(Range(0, 16, 0, 17), "%2")
    module.work()
    assert [finding.range for finding in module.findings()] == [(0, 16, 0, 18)]
    module.edit(None, "bra L;\n")
    module.work()
    assert [finding.code for finding in module.findings()] == ["undefined-label"]
    module.edit(Range(1, 0, 1, 0), "L:\n")
    module.work()
    assert module.findings() == []


def _with_type(environment: Environment, number: int, type_: str) -> Environment:
    """The environment with another type of one symbol."""
    symbols = list(environment.symbols)
    symbols[number] = replace(symbols[number], type=type_)
    return replace(environment, symbols=tuple(symbols))


STATEMENTS = """add.s32 {a}, {b}, {c};
mov.b32 {a}, {b};
@{p} bra L{n};
L{n}:
ld.global.b32 {a}, [{d}];
st.global.v2.b32 [{d}], {{{a}, {b}}};
mul.wide.s32 {d}, {a}, {b};
{{ .reg .b32 t; mov.b32 t, {a}; mov.b32 {b}, t; }}
setp.lt.f32 {p}, {e}, 0f00000000;
cvt.rn.f32.s32 {e}, {a};
frob {a};
add.s32 {a} {b}, 1;
shfl.sync.idx.b32 {a}|{p}, {b}, 0, 31, -1;
mov.b32 {b}, undeclared{n};
.reg .b32 %own{n};
mov.b64 {d}, {{{a}, {b}}};""".splitlines()
NAMES = {"%0": ".b32", "%1": ".b32", "%2": ".b64", "%3": ".f32", "%4": ".pred", "%5": ".b32", "%6": ".b16"}
WRITTEN = "\n".join(f"ld.{type_[1:] if type_ != '.pred' else 'b32'}" for type_ in NAMES.values())


@pytest.mark.parametrize("seed", range(60))
def test_the_findings_are_those_of_a_module_with_the_declarations(seed: int) -> None:
    chance = random.Random(seed)
    names = [*NAMES, "%7"]
    lines = []
    for _ in range(chance.randrange(1, 9)):
        letters = {letter: chance.choice(names) for letter in "abc"} | {"d": "%2", "e": "%3", "p": "%4"}
        if not chance.randrange(4):
            letters[chance.choice("dep")] = chance.choice(names)
        lines.append(chance.choice(STATEMENTS).format(n=chance.randrange(3), **letters))
    fragment = "\n".join(lines)
    roles = dict.fromkeys(NAMES, OperandRole.INPUT)
    outer = tuple(OuterSymbol(name, type_, roles[name]) for name, type_ in NAMES.items())
    module = analysed_fragment(fragment, Environment(Version(9, 0), Target(100, "a"), outer))
    given = ", ".join(f".reg {type_} {name}" for name, type_ in NAMES.items())
    head = f".version 9.0\n.target sm_100a\n.address_size 64\n.func f({given}) {{\n"
    whole = analysed(f"{head}{fragment}\n}}\n")
    moved = [_without_related(finding.shifted(-head.count("\n"))) for finding in whole.findings()]
    assert [_without_related(finding) for finding in module.findings()] == moved


def _without_related(finding: Finding) -> Finding:
    """A finding without related places, which are outside of the fragment where the declarations are."""
    return finding._replace(related=())


def test_requests_about_names_that_are_declared_outside() -> None:
    module = analysed_fragment("add.s32 %0, %1, 1;\nmov.b32 %0, %1;\n")
    place = Position(0, 12)
    assert [range_.start for some in references(module, place, declarations=True) for range_ in some] == [
        (0, 12),
        (1, 12),
    ]
    assert definition(module, place) == []
    with pytest.raises(RenameRefused, match="`%1` is declared outside of this text"):
        list(rename(module, place, "%x"))
