"""Remembered lines are used again only where they are fine: with and without them, the findings are the same."""

import random

import pytest

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.memo import forget_all
from ptx_lsp.quick import known, line_runs, statements
from ptx_lsp.quick.known import known_for
from ptx_lsp.reading import parsed_statements, reader
from ptx_lsp.semantics.surroundings import Profile
from tests.analysed import analysed
from tests.calls import noted_calls
from tests.quick.comparison import findings
from tests.quick.line_parts import DECLARATIONS, INLINE, OWN, POSITIONS
from tests.quick.sample_lines import LINES, SOURCES

HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n.func f(.param .b32 p);\n"


def body(number: int, declarations: str, lines: str) -> str:
    """A kernel of these lines."""
    return f".entry k{number}()\n{{\n{declarations}\t{lines}\n\tret;\n}}\n"


@pytest.mark.slow
@pytest.mark.parametrize("lines", [*LINES, *INLINE, *POSITIONS])
def test_a_remembered_line_may_be_wrong_in_another_function(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bodies = [body(n, d, lines) for n, d in enumerate((*DECLARATIONS, *reversed(DECLARATIONS)))]
    texts = [HEAD + "".join(bodies), *(HEAD + one for one in bodies[: len(DECLARATIONS)])]
    texts += [texts[0].replace("9.4", "6.0"), texts[0].replace("9.4", "1.0").replace("sm_90", "sm_10")]
    forget_all()
    quick = [findings(text) for text in (*texts, texts[0])]
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    slow = [findings(text) for text in texts]
    assert quick == [*slow, slow[0]]


def test_a_remembered_line_below_one_whose_shape_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    learnt = "xor.b32 %r38, %r45, %r37;"
    unknown = (f"xor.b32 %r{n}, %r45, %r{n - 1};" for n in (36, 43, 44, 45))
    lines = "\n\t".join((next(unknown), learnt, '.pragma "nounroll";', *unknown))
    text = HEAD + body(0, "\t.reg .b32 %r<46>;\n", learnt) + body(1, "", lines)
    forget_all()
    quick = findings(text)
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert quick == findings(text)


@pytest.mark.parametrize("lines", OWN)
def test_a_line_with_a_parameter_is_remembered_for_every_function(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = (".param .b32 {0}_param_0, .param .b64 {0}_param_1", ".param .b64 {0}_param_0, .param .b32 {0}_param_1", "")
    texts = []
    for declarations in DECLARATIONS:
        bodies = [
            body(n, declarations, lines.format(f"k{n}")).replace("()", f"({g.format(f'k{n}')})", 1)
            for n, g in enumerate(given * 2)
        ]
        texts += [HEAD + "".join(bodies), *(HEAD + one for one in bodies)]
    forget_all()
    quick = [findings(text) for text in texts * 2]
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert quick == [findings(text) for text in texts] * 2


@pytest.mark.slow
def test_random_functions_in_one_module(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(4)
    pool = [line for source in SOURCES for line in source.split("\n") if line.startswith("\t") and line.endswith(";")]
    pool += [f"\t{lines}" for lines in (*LINES, *INLINE, *POSITIONS)]
    texts = []
    for _ in range(60):
        chosen = [
            body(number, chance.choice(DECLARATIONS), "\n".join(chance.choices(pool, k=chance.randint(1, 12))))
            for number in range(chance.randint(2, 6))
        ]
        texts.append(HEAD + "".join(chosen))
    forget_all()
    quick = [findings(text) for text in texts]
    monkeypatch.setattr(reader, "RECOGNISERS", False)
    assert quick == [findings(text) for text in texts]


def test_a_repeated_line_is_not_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    monkeypatch.setattr(line_runs, "FEWEST_SHAPED", 1_000)  # a line whose shape is known is not judged at all
    whole_lines = noted_calls(monkeypatch, line_runs, "instruction")
    parts_of_lines = noted_calls(monkeypatch, statements, "instruction")
    again = "add.s32 %r1, %r2, 7;\n\tld.param.b32 %r1, [{0}_param_0];\n{{ .reg .pred q;\n\tsetp.eq.s32 q, %r1, 2;}}"
    for number in range(3):
        text = body(number, DECLARATIONS[0], again.format(f"k{number}"))
        findings(HEAD + text.replace("()", f"(.param .b32 k{number}_param_0)", 1))
    asked = [call.given for call in (*whole_lines, *parts_of_lines)]
    assert sum("\tadd.s32 %r1, %r2, 7;" in given for given in asked) == 1
    assert sum("ld.param.b32" in given for given in asked) == 1
    assert sum("q, %r1, 2" in given for given in asked) == 1


def test_a_line_at_which_a_run_ends_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    calls = noted_calls(monkeypatch, line_runs, "instruction")
    wrong = "\tadd.s32 %r1, %f, 7;"
    text = HEAD + body(0, DECLARATIONS[0], f"mov.b32 %r1, 1;\n{wrong}\n\tmov.b32 %r2, 1;\nL: .reg .b32 %q;\n\tbra L;")
    assert "operand-type" in [found[0] for found in findings(text)]
    assert sum(wrong in call.given for call in calls) == 1


def numbers_of_parsed_statements(line: str, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of statements that the parser reads of each of three texts with the same line."""
    forget_all()
    taken = noted_calls(monkeypatch, parsed_statements, "apply_statement")
    counts = []
    for number in range(3):
        taken.clear()
        findings(HEAD + body(number, DECLARATIONS[0], line))
        counts.append(len(taken))
    return counts


@pytest.mark.parametrize("line", ["mov.b32 %r1, 2 * 3;", "mov.b32 %r1, 0b101;", '.pragma "frequency 4";'])
def test_a_fine_line_that_was_parsed_is_remembered(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = numbers_of_parsed_statements(line, monkeypatch)
    assert counts[0] == counts[1] + 1 == counts[2] + 1


@pytest.mark.parametrize(
    "line",
    [
        *("mov.u32 %r1, %laneid;", "mov.b32 %r1, WARP_SZ;", "mov.b32 %r1, 4U;"),
        *('.pragma "nounroll";', '.pragma "used_bytes_mask 0xff";'),
    ],
)
def test_plain_lines_need_no_parser(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = numbers_of_parsed_statements(line, monkeypatch)
    assert counts == numbers_of_parsed_statements("mov.b32 %r1, 1;", monkeypatch)


def test_the_number_of_remembered_lines_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "MOST_LINES", 20)
    forget_all()
    lines = "\n".join(f"\tmov.b32 %r1, {number};" for number in range(300))
    module = analysed(HEAD + body(0, DECLARATIONS[0], lines))
    profile = module.profile
    assert 0 < len(known_for(profile).lines) <= 20


def errors(text: str) -> list[str]:
    """The codes of the errors of a text."""
    module = analysed(text)
    return [finding.code for finding in module.findings() if finding.severity is Severity.ERROR]


def test_a_call_between_braces_is_not_known_by_its_text() -> None:
    """The parameters of the function decide whether the call is right; in another module they may be others."""
    body = (
        ".func g() {\n.reg .b64 %rd<5>;\nmov.u64 %rd1, 1;\n{ // callseq 0, 0\n"
        ".param .b64 param0;\n.param .b64 param1;\n"
        "st.param.b64 [param0], %rd1;\nst.param.b64 [param1], %rd1;\ncall.uni f, (param0, param1);\n}\nret;\n}\n"
    )
    head = ".version 8.8\n.target sm_80\n.address_size 64\n"
    for _ in range(3):
        assert errors(head + ".func f(.param .b64 a, .param .b64 b);\n" + body) == []
    assert errors(head + ".func f(.param .b64 a);\n" + body) == ["call-arguments"]


def test_a_full_memory_drops_only_the_oldest_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """To drop all lines of a long table takes longer than a slice of the work may take."""
    forget_all()
    lines = "".join(f"\tmov.b32 %r{number}, %r{number + 1};\n" for number in range(3_000))
    text = HEAD + ".entry k()\n{\n\t.reg .b32 %r<3001>;\n" + lines + "}\n"
    memory = known_for(Profile(Version(9, 4), Target(90))).lines
    monkeypatch.setattr(memory, "limit", 1_000)
    monkeypatch.setattr(line_runs, "FEWEST_SHAPED", 10**6)
    analysed(text)
    kept = [line for line in lines.splitlines() if line in memory]
    assert 500 < len(memory) <= 1_000
    assert kept == lines.splitlines()[-len(kept) :]


def test_lines_of_whole_bodies_are_remembered_if_most_occur_again() -> None:
    def remembered(numbers: list[list[int]]) -> int:
        forget_all()
        text = HEAD + "".join(
            body(at, DECLARATIONS[0], "\n\t".join(f"add.s32 %r{n % 7}, %r{n % 9}, {n};" for n in (*given, at + 100)))
            for at, given in enumerate(numbers)
        )
        module = analysed(text)
        assert not any(each.severity is Severity.ERROR for each in module.findings())
        return sum("add.s32" in line for line in known_for(module.profile).lines)

    once = [list(range(at * 20, at * 20 + 20)) for at in range(2)]
    again = [list(range(20))] * 3
    assert remembered(once) == 0
    assert remembered(again) == 20


GUARDED = """	setp.lt.s32 	%p{0}, %r2, 8;
	not.pred 	%p{1}, %p{0};
	@%p{1} bra 	$L{0};
	mov.u32 	%r{0}, 0;
$L{0}:
"""
MOVES = "".join(f"	mov.b32 	%r{n}, %r1;\n	add.s32 	%r{n}, %r1, {n};\n" for n in range(2, 18))
IN_BRACES = """	// begin inline asm
	{
.reg .pred p;
setp.ne.b32 p, %r13, 0;
}

	// end inline asm
"""


def test_a_run_that_begins_again_confirms_the_known_lines_above_those_that_were_fine() -> None:
    above, below = (GUARDED.format(n, n + 1) + GUARDED.format(n, n + 1).replace("$L", "$M") for n in (1, 3))
    body = f"	.reg .b32 	%r<21>;\n{MOVES}{above}{IN_BRACES}{MOVES}{IN_BRACES}{below}	ret;\n"
    fine, broken = (HEAD + f".entry k()\n{{\n	.reg .pred 	%{name}<9>;\n{body}}}\n" for name in ("p", "other"))
    forget_all()
    first = analysed(broken).findings()
    assert "undeclared" in {finding.code for finding in first}
    assert analysed(fine).findings() == []
    assert analysed(broken).findings() == first
