"""Remembered bodies are used again only where they are fine: with and without them, the findings are the same."""

import random
from collections.abc import Iterator

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Severity
from ptx_lsp.memo import forget_all
from ptx_lsp.occurrences.target import function_labels
from ptx_lsp.quick import body_text
from ptx_lsp.quick.known import known_for
from ptx_lsp.reading import known_bodies, reader
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.analysis.random_edits import Sizes, chunk_sizes
from tests.calls import noted_calls
from tests.quick.comparison import findings
from tests.quick.functions import AROUND, CONTROL, HEAD, PARAMETERS, errors, function, hits
from tests.quick.line_parts import DECLARATIONS, INLINE, OWN, POSITIONS
from tests.quick.sample_lines import LINES

UNDECLARED = (
    "add.s32 %r1, %r1, %wrong;",
    "add.s32 %wrong, %wrong, %wrong;\n\tmov.b32 %r1, %wrong;",
    "@%wrong bra $L;\n$L:",
    "mov.b32 %x1, %r1;\n\tmov.b32 %r2, %x2;",
    "mov.b32 %r99, %r77;",
    "mov.b32 %late, 1;\n\t.reg .b32 %late;\n\tmov.b32 %late, 2;",
    "{\n\t.reg .b32 %wrong;\n\tmov.b32 %wrong, 1;\n}\n\tmov.b32 %r1, %wrong;",
    "{\n\tmov.b32 %wrong, 1;\n}\n\tmov.b32 %r1, %other;",
    "mov.b64 %rd1, wrong;\n\tmov.b32 %r1, %wrong;",
    "mov.b32 %r1, $L;\n$L:",
    "ld.global.b32 %wrong, [%rd1];\n\tld.global.b32 %r1, [%wrong];",
    "mov.b32 %r1, %wrong; mov.b32 %r2, %other;",
)


def modules(lines: str) -> Iterator[str]:
    """Modules that repeat a body with several meanings of its names."""
    for number, around in enumerate(AROUND):
        declarations = DECLARATIONS[number % len(DECLARATIONS)]
        functions = (
            function(f"k{at}", parameters, declarations, lines)
            for at, parameters in enumerate((*PARAMETERS, *PARAMETERS, PARAMETERS[number % len(PARAMETERS)]))
        )
        yield HEAD + around + "".join(functions)


@pytest.mark.parametrize(
    "lines", [*CONTROL, *UNDECLARED, *INLINE, *POSITIONS, *(line.replace("{{", "{") for line in OWN)]
)
def test_a_remembered_body_may_be_wrong_in_another_function(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = list(modules(lines))
    forget_all()
    quick = [findings(text) for text in texts]
    again = [findings(text) for text in reversed(texts)]
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    parsed = [findings(text) for text in texts]
    assert quick == parsed
    assert again == parsed[::-1]


def test_random_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(12)
    pool = [*LINES, *CONTROL, *UNDECLARED, *INLINE, *POSITIONS]
    texts = []
    for _ in range(30):
        bodies = ["\n\t".join(chance.choices(pool, k=chance.randint(1, 4))) for _ in range(3)]
        functions = (
            function(f"k{n}", chance.choice(PARAMETERS), chance.choice(DECLARATIONS[:2]), chance.choice(bodies))
            for n in range(12)
        )
        texts.append(HEAD + chance.choice(AROUND) + "".join(functions))
    forget_all()
    quick = [findings(text) for text in texts * 2]
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert quick == [findings(text) for text in texts] * 2


@pytest.mark.parametrize("around", AROUND[1:])
def test_a_body_may_be_wrong_below_a_declaration_that_is_below_its_first_reading(
    around: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [
        HEAD + equal[0] + around + "".join(equal[1:])
        for lines in (*CONTROL, *UNDECLARED, *INLINE)
        for declarations in DECLARATIONS[:2]
        for equal in [[function(f"k{n}", "", declarations, lines) for n in range(3)]]
    ]
    quick = []
    for text in texts:
        forget_all()
        quick.append(findings(text))
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert quick == [findings(text) for text in texts]


def test_a_first_reading_is_not_used_if_one_of_its_names_was_declared_later(monkeypatch: pytest.MonkeyPatch) -> None:
    equal = [function(f"k{n}", "", DECLARATIONS[0], "{\n\t.reg .b32 t;\n\tmov.b32 t, %r1;\n\t}") for n in range(3)]
    forget_all()
    assert hits(HEAD + ".global .b32 t;\n" + "".join(equal), monkeypatch)[1] == 2
    forget_all()
    assert hits(HEAD + equal[0] + ".global .b32 t;\n" + "".join(equal[1:]), monkeypatch)[1] == 1


BODY = (
    "ld.param.b32 %r1, [{0}_param_0];\n$L:\n\tsetp.eq.s32 %p1, %r1, 2;\n\t@%p1 bra $L;\n"
    "\t{\n\t.reg .b32 t;\n\tmov.b32 t, %r1;\n\t}"
)


def test_a_body_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    text = HEAD + "".join(function(f"k{n}", PARAMETERS[1], DECLARATIONS[0], BODY) for n in range(9))
    assert hits(text, monkeypatch)[1] == 8


def test_a_body_may_have_braces_at_the_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    lines = "{\n\tmov.b32 %r1, %r2;\n}\n\tmov.b32 %r2, %r1;"
    text = HEAD + "".join(function(f"k{n}", "", DECLARATIONS[0], lines) for n in range(5))
    assert hits(text, monkeypatch)[1] == 4


def test_names_of_a_known_body_have_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    functions = [function(f"k{n}", PARAMETERS[1], DECLARATIONS[0], BODY) for n in range(3)]
    module, count = hits(HEAD + "".join(functions), monkeypatch)
    assert count == 2
    labels = [label.mark.resolved() for _, label in function_labels(module, "$L")]
    lines = [n for n, line in enumerate((HEAD + "".join(functions)).split("\n")) if line == "$L:"]
    assert labels == [Range(line, 0, line, 2) for line in lines]
    last = module.bodies()[-1].scope
    assert {name: symbols[0].count for name, symbols in last.families.items()} == {"%r": 9, "%rd": 9, "%p": 3}
    assert last.families["%rd"][0].mark.resolved() == Range(lines[-1] - 4, 11, lines[-1] - 4, 14)
    assert sorted(last.members) == ["%f", "k2_param_0", "k2_param_1"]


def test_an_edit_in_a_known_body_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    text = HEAD + "".join(function(f"k{n}", PARAMETERS[1], DECLARATIONS[0], BODY) for n in range(5))
    module, count = hits(text, monkeypatch)
    assert count == 4
    line = max(n for n, each in enumerate(text.split("\n")) if "setp" in each)
    module.edit(Range(line, 0, line, 0), "\tadd.s32 %r1, %r1, %wrong;\n")
    module.work()
    assert errors(module) == [("undeclared", line)]
    module.edit(Range(line, 0, line + 1, 0), "")
    module.work()
    assert errors(module) == []


def test_a_body_with_undeclared_names_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    lines = "add.s32 %r1, %r1, %wrong;\n\tmov.b32 %r2, %other;\n\tadd.s32 %r2, %r2, %wrong;"
    text = HEAD + "".join(function(f"k{n}", "", DECLARATIONS[0], lines) for n in range(6))
    module, count = hits(text, monkeypatch)
    assert count == 4
    written = text.split("\n")
    firsts = [n for n, line in enumerate(written) if "add.s32 %r1" in line]
    expected = [("undeclared", n + below) for n in firsts for below in (0, 1)]
    assert errors(module) == expected
    first = next(finding for finding in module.findings() if finding.range.line == firsts[5])
    assert [related.range.line for related in first.related] == [firsts[5] + 2]
    assert written[firsts[5]][first.range.column : first.range.end_column] == "%wrong"
    line = written.index(next(line for line in written if ".entry" in line))
    module.edit(Range(line, 0, line, 0), ".reg .b32 %wrong;\n")
    module.work()
    undeclared = [("undeclared", n + 1) for _, n in expected[1::2]]
    assert errors(module) == [("declaration-space", line), *undeclared]
    module.edit(Range(line, 0, line + 1, 0), "")
    module.work()
    assert errors(module) == expected


def test_a_known_body_does_not_end_a_function_that_a_brace_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "{\n\t.reg .b32 %r<9>;\n\tmov.b32 %r1, 2;\n\tmov.b32 %r2, %r1;\n\tst.local.b32 [%r1], %r2;\n}\n"
    kernels = [f".entry {name}()\n{body}" for name in "abch"]
    text = f"{HEAD}.entry f()\n}}\n{body}{kernels[-1]}.visible .global .b32 a;\n"
    with monkeypatch.context() as patch:
        patch.setattr(reader, "RECOGNISERS", False)
        expected = findings(text)
    for _ in range(3):
        findings(HEAD + "".join(kernels[:3]))
    assert findings(text) == expected


def remembered_bodies(*numbers: int) -> int:
    """How many bodies are remembered after reading functions that differ only in names and in a number."""
    forget_all()
    body = "\t.reg .b32 %r<2>;\n\tmov.b32 %r1, {};\n\tret;\n"
    functions = "".join(
        f".visible .entry k{place}(\n\t.param .b32 k{place}_param_0\n)\n{{\n{body.format(number)}}}\n"
        for place, number in enumerate(numbers)
    )
    module = analysed(HEAD + functions)
    assert Severity.ERROR not in {found.severity for found in module.findings()}
    return len(known_for(module.profile).bodies)


def test_a_body_is_remembered_when_its_text_is_read_for_the_second_time() -> None:
    assert remembered_bodies(1, 2, 3, 4) == 0
    assert remembered_bodies(1, 1) == 1
    assert remembered_bodies(1, 2, 1) == 1
    assert remembered_bodies(1, 2, 3, 3, 2, 5) == 2


def test_the_text_that_is_kept_of_bodies_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_text, "MOST_CHARACTERS_SEEN", 0)
    assert remembered_bodies(1, 1) == 0
    assert remembered_bodies(1, 1, 1) == 1
    monkeypatch.setattr(body_text, "MOST_BODIES_SEEN", 1)
    assert remembered_bodies(1, 1) == 0


def test_the_body_of_a_function_without_a_name_is_read_again() -> None:
    """Without a name, and with a closing brace alone, as a user may leave it; ptxas reports the name too."""
    forget_all()
    for _ in range(3):
        module = analysed(f"{HEAD}.visible .entry\n}}\n")
        assert [found.code for found in module.findings()] == ["expected-name"]


def test_a_body_that_continues_below_its_brace_is_read_again() -> None:
    """Its declarations may be below the text that would be remembered."""
    forget_all()
    for _ in range(3):
        module = analysed(f"{HEAD}.visible .entry k()\n{{\n}}\n\tret;\n\t.reg .b32 %r<10>;\n}}\n")
        assert [found.code for found in module.findings()] == ["early-brace"]


def test_the_end_of_a_function_is_no_body(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block may begin with a line that looks like the one with the brace of the function, and grow below it."""
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    declared = "\t.reg .b32 %r<4>;\n\t.reg .pred %p<3>;\n" + "\tadd.s32 %r1, %r1, 1;\n" * 2
    labelled = "{0}:\n\tadd.s32 %r1, %r1, 1;\n{1}:\n\tadd.s32 %r1, %r1, 1;\n"
    ends = labelled.format("f", "%r") + "{\nx:\n%r:\n\tadd.s32 %r1, %r1, 1;\n}\nx:\n\tret;\n}\n"
    text = f".version 8.0\n.target sm_80\n.entry k()\nf:\n\tbra x;\n}}\n.entry l()\n{{\n{declared}{ends}"
    other = ".version 8.0\n.target sm_80\n.func k()\n{\nx:\n\tret;\n}\n"
    forget_all()
    expected = findings(other)
    forget_all()
    for _ in range(3):
        with chunk_sizes(Sizes(2, 100, 1)):
            module = Module(text)
            while not module.work(3600.0):  # in slices, which make small blocks
                pass
            module.edit(Range(8, 0, 8, 1), "/")
            module.work()
    assert findings(other) == expected


@pytest.mark.parametrize(("second", "compared"), [("$L__func_begin0", 1), ("$L__func_begin1", 0)])
def test_bodies_of_debug_code_are_compared_only_if_their_first_labels_are_equal(
    second: str, compared: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = noted_calls(monkeypatch, known_bodies, "body_like")
    functions = [
        f".func {name}()\n{{\n\t.reg .b32 %r<3>;\n{label}:\n\tmov.b32 %r1, 1;\n\tmov.b32 %r2, %r1;\n\tret;\n}}\n"
        for name, label in (("f", "$L__func_begin0"), ("g", second))
    ]
    forget_all()
    assert not analysed(HEAD + "".join(functions)).findings()
    assert len(made) == compared


@pytest.mark.parametrize(("second", "compared"), [("callseq 5, 0", 1), ("callseq 6, 0", 0)])
def test_bodies_are_compared_only_if_their_first_calls_have_the_same_number(
    second: str, compared: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = noted_calls(monkeypatch, known_bodies, "body_like")
    functions = [
        f".func {name}()\n{{\n\t{{ // {called}\n\tcall.uni\n\th,\n\t(\n\t);\n\t}} // {called}\n\tret;\n}}\n"
        for name, called in (("f", "callseq 5, 0"), ("g", second))
    ]
    forget_all()
    assert not analysed(f"{HEAD}.func h()\n{{\n\tret;\n}}\n{''.join(functions)}").findings()
    assert len(made) == compared


@pytest.mark.parametrize("body", ["\tbra NAME;", "\t.shared .b32 NAME_1;\n\tbra NAME_1;"])
def test_a_branch_to_a_name_that_varies_is_reported_with_its_name(body: str) -> None:
    forget_all()
    for name in ("L1", "L1", "L1", "$L2"):
        module = analysed(HEAD + f".func NAME()\n{{\n{body}\n}}\n".replace("NAME", name))
        (found,) = [each for each in module.findings() if each.severity is Severity.ERROR]
        assert (found.code, f"`{name}" in found.message) == ("label-expected", True)
