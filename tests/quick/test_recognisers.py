"""With recognisers and with the parser alone, the findings are the same."""

import random

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.reading import reader
from ptx_lsp.semantics.symbols import Symbol
from tests.analysed import analysed
from tests.analysis.incremental import apply, lines_of
from tests.analysis.random_edits import random_step
from tests.quick.comparison import Analysis, findings, parsed_statements_of
from tests.quick.sample_lines import BODY, LINES, OUTSIDE, SECTIONS, SOURCES


@pytest.mark.parametrize("line", LINES)
def test_single_lines(line: str, parser_alone: Analysis) -> None:
    text = BODY.format(line)
    assert findings(text) == parser_alone(text)


# what only some versions and targets have
NEEDY = (
    *("mov.u32 %r1, %laneid;", "mov.u64 %rd1, %clock64;", "mov.u32 %r1, %nsmid;", "mov.u32 %r1, %clusterid.x;"),
    *("mov.u32 %r1, %envreg3;", "@%is_explicit_cluster mov.b32 %r1, 1;"),
    *("mov.v4.u32 {%r1, %r1, %r1, %r1}, %clusterid;", "cvt.u64.u32 %rd1, %lanemask_lt;"),
    *("mov.u64 %rd1, f;", "mov.u64 %rd1, k;", "call %rd1, (%r1), f;"),
    "{ mov.u32 %r1, %laneid; }\n{ mov.u32 %r1, %laneid; }",
)


@pytest.mark.parametrize("line", NEEDY)
@pytest.mark.parametrize(
    ("version", "target"),
    [("1.2", 10), ("2.0", 13), ("2.1", 20), ("3.1", 30), ("3.2", 30), ("4.3", 35), ("7.8", 80), ("9.4", 90)],
)
def test_lines_that_need_a_version_or_a_target(line: str, version: str, target: int, parser_alone: Analysis) -> None:
    text = BODY.format(f"{line}\n\t{line}")
    text = text.replace("9.4", version).replace("sm_90", f"sm_{target}")
    assert findings(text) == parser_alone(text)


@pytest.mark.parametrize("line", NEEDY)
def test_a_second_header_changes_what_there_is(line: str, parser_alone: Analysis) -> None:
    before = BODY.format(line).replace("9.4", "1.2").replace("sm_90", "sm_10")
    text = before + ".version 9.4\n.target sm_90\n" + BODY.format(line).partition("\n.func")[2].partition("\n")[2]
    assert findings(text) == parser_alone(text)


@pytest.mark.parametrize("line", OUTSIDE)
def test_declarations_outside_of_functions(line: str, parser_alone: Analysis) -> None:
    before = BODY.format("mov.b32 %r1, 1;")
    for text in (before + line, before.replace(".version 9.4", ".version 3.0") + line, before[:28] + line):
        assert findings(text) == parser_alone(text)


@pytest.mark.parametrize("section", SECTIONS)
def test_sections(section: str, parser_alone: Analysis) -> None:
    function = BODY.format("mov.b32 %r1, 1;")
    texts = [function + ".section .debug_x " + section + end for end in ("", "\n.func g() { ret; }\n", " // c\n\n}\n")]
    texts += [texts[0].replace(".version 9.4", f".version {version}") for version in ("1.4", "6.0", "7.0")]
    texts += [function.replace("mov.b32", f".section .debug_x {section}\n\tmov.b32"), texts[0].replace("\n", "\r\n")]
    for text in texts:
        assert findings(text) == parser_alone(text)


def test_plain_sections_need_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "\n{\na:\n.b8 1,2, 255\n.b32 $L__a+4 // c\n.b16 9999\n.b64 0x10\n.b32 b-a\n" + ".b8 7,8\n" * 900 + "}\n"
    text = (
        BODY.format("mov.b32 %r1, 1;")
        + ".section .debug_x "
        + rows
        + ".section .debug_y "
        + rows
        + ".section .debug_z { }\n"
    )
    assert parsed_statements_of(text, monkeypatch) == []


def test_examples_and_random_edits(parser_alone: Analysis) -> None:
    chance = random.Random(7)
    for source in SOURCES * 4:
        module = Module(source)
        for _ in range(chance.randint(0, 5)):
            apply(module, random_step(lines_of(module), source, chance))
        text = module.document.whole()
        assert findings(text) == parser_alone(text)


@pytest.mark.parametrize("line", OUTSIDE)
def test_the_symbols_of_a_module_are_those_of_the_parser(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def symbols() -> list[object]:
        module = analysed(BODY.format("mov.b32 %r1, 1;") + line)
        inside = [s for body in module.bodies() for found in body.scope.members.values() for s in found]
        return [(s, s.mark.resolved()) for s in (*module.symbols(), *inside)]

    quick = symbols()
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert quick == symbols()


def test_the_symbols_of_plain_registers_are_those_of_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    def symbols() -> list[Symbol]:
        module = analysed(BODY.format(".reg .b32 %x;\n\t.reg .f64 %d<7>;"))
        (body,) = module.bodies()
        return sorted(
            (s for table in (body.scope.members, body.scope.families) for found in table.values() for s in found),
            key=lambda s: s.name,
        )

    quick = symbols()
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert quick == symbols()
    assert [s.name for s in quick] == ["%d", "%f", "%p", "%r", "%rd", "%x"]
