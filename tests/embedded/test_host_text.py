"""Texts in other languages under edits: the findings of a fresh analysis, with little work."""

import random
from collections.abc import Iterable

import pytest

from ptx_lsp.analysis.module import Checks
from ptx_lsp.embedded import inline_statement, known_statements, scanned_text
from ptx_lsp.embedded.host_text import HostText, check_host
from ptx_lsp.embedded.inline_statement import Embedded, EmbeddedOptions, Source
from ptx_lsp.hosts import scan
from ptx_lsp.hosts.statement import START, AsmStatement, Host, State
from ptx_lsp.text.ranges import Position, Range
from tests.calls import calls_of

PIECES = (
    'asm("add.s32 %0, %1, %2;" : "=r"(a) : "r"(b), "l"(c));\n',
    'asm volatile("{\\n\\t"\n    ".reg .pred p;\\n\\t"\n    "setp.ne.b32 p, %0, 0;"\n    "@p trap;\\n}" :: "r"(x));\n',
    'asm("frob;");\n',
    'asm(".reg .b32 carry;");\n',
    'asm("mov.b32 carry, %0;" :: "r"(x));\n',
    "int x = 1; // nothing\n",
    "/* a comment\n over lines */\n",
    'const char *s = R"(asm("frob;"))";\n',
    '#define A(x) asm("mov.b32 %0, 1;" \\\n  : "=r"(x))\n',
    "\n" * 20,
    "// ptx-lsp: ignore\n",
    "__device__ void f() {}\n" * 5,
)
SNIPPETS = (
    '"',
    "/*",
    "*/",
    "asm(",
    ")",
    ";",
    "\\",
    "\n",
    "%3",
    'R"(',
    "x",
    "add.s32 ",
    "#if 1\n",
    "'",
    "// ",
    *PIECES[:5],
)


@pytest.mark.parametrize("seed", range(60))
def test_after_any_edits_the_findings_are_those_of_a_fresh_analysis(seed: int) -> None:
    chance = random.Random(seed)
    text = "".join(chance.choices(PIECES, k=chance.randrange(1, 40)))
    analysis = HostText(text, Host.CUDA, None, ())
    for _ in range(12):
        document = analysis.document
        start = document.clamp(Position(chance.randrange(document.line_count), chance.randrange(60)))
        end = document.clamp(Position(start.line + chance.choice((0, 0, 0, 1, 3)), start.column + chance.randrange(8)))
        analysis.edit(Range(*start, *max(start, end)), chance.choice(("", *SNIPPETS)))
        if chance.randrange(3):
            analysis.work(0.0)
        if chance.randrange(3):
            analysis.work()
            assert analysis.settled
            assert analysis.findings() == check_host(analysis.document.whole(), Host.CUDA)
    analysis.work()
    assert analysis.findings() == check_host(analysis.document.whole(), Host.CUDA)


@pytest.mark.parametrize("seed", range(60))
def test_large_parts_may_be_removed_before_the_scan_has_ended(seed: int) -> None:
    chance = random.Random(seed)
    analysis = HostText("".join(chance.choices(PIECES, k=chance.randrange(100, 400))), Host.CUDA, None, ())
    for _ in range(6):
        analysis.work(0.0)
        lines = analysis.document.line_count
        first = chance.randrange(lines)
        last = chance.choice((lines, chance.randrange(first, lines)))
        analysis.edit(Range(first, 0, last, 0), "".join(chance.choices(PIECES, k=chance.choice((0, 1, 60)))))
    analysis.work()
    assert analysis.findings() == check_host(analysis.document.whole(), Host.CUDA)


def test_typing_in_one_statement_judges_that_one(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f'void f{n}() {{ asm("mov.b32 %0, {n};" : "=r"(x)); }}\n' for n in range(300))
    analysis = HostText(text, Host.CUDA, None, ())
    analysis.work()
    embedded: list[str] = []

    def counted(statement: AsmStatement, source: Source, options: EmbeddedOptions) -> Embedded | None:
        embedded.append(source(0, statement.end))
        return inline_statement.embed(statement, source, options)

    monkeypatch.setattr(known_statements, "embed", counted)
    analysis.edit(Range(150, 32, 150, 32), "12345")
    analysis.work()
    assert embedded == ['asm("mov.b32 %0, 11234550;" : "=r"(x))']
    analysis.edit(Range(10, 0, 10, 0), "int y; ")
    analysis.work()
    assert len(embedded) == 1


def test_an_edit_outside_of_statements_scans_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    line = 'void f() { asm("bar.sync 0;"); }\n'
    analysis = HostText(line * 5000, Host.CUDA, None, ())
    analysis.work()
    scanned: list[int] = []

    def counted(
        lines: Iterable[str], host: Host, state: State = START, last: bool = False
    ) -> tuple[list[AsmStatement], State]:
        known = list(lines)
        scanned.append(sum(map(len, known)))
        return scan.scan_lines(known, host, state, last)

    monkeypatch.setattr(scanned_text, "scan_lines", counted)
    analysis.edit(Range(2000, 0, 2000, 0), "int y; ")
    analysis.work()
    assert sum(scanned) < 300 * len(line)
    scanned.clear()
    analysis.edit(Range(2000, 0, 2000, 0), "int z; ")
    analysis.work()
    assert 0 < sum(scanned) < 20 * len(line)


def test_an_edit_among_long_statements_scans_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most chunks end inside of a statement here; what ends before the edit is not scanned again with it."""
    scanned: list[int] = []

    def counted(lines: Iterable[str], host: Host, state: State, last: bool) -> tuple[list[AsmStatement], State]:
        known = list(lines)
        scanned.append(sum(map(len, known)) + len(state.pending))
        return scan.scan_lines(known, host, state, last)

    monkeypatch.setattr(scanned_text, "scan_lines", counted)
    operands = ",\n".join(f'    "r"(x[{number}]) /* {"x" * 40} */' for number in range(100))
    statement = f'asm volatile("bar.sync 0;"\n  :: {operands});\n'
    analysis = HostText(statement * 60, Host.CUDA, None, ())
    analysis.work()
    lines = statement.count("\n")
    for number in (10, 30, 50):
        scanned.clear()
        analysis.edit(Range(number * lines + 7, 0, number * lines + 7, 0), " ")
        analysis.work()
        assert 0 < sum(scanned) < 30 * len(statement), number


def test_a_text_without_the_letters_of_asm_is_not_scanned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanned_text, "scan_lines", None)
    analysis = HostText("int x;\n" * 1000, Host.CUDA, None, ())
    assert analysis.work()
    analysis.edit(Range(500, 0, 500, 0), "/* ")
    assert analysis.work()
    assert analysis.findings() == []


def test_statements_are_at_their_places() -> None:
    text = "int x;\n" * 200 + 'asm("frob;"\n  : : "r"(x));\n' + "int y;\n" * 200 + 'void f() { asm("bar.sync 0;"); }'
    analysis = HostText(text, Host.CUDA, Checks(), ())
    analysis.work()
    assert [located.begin for located in analysis.statements()] == [(200, 0), (402, 11)]
    assert analysis.findings()[0].range == (200, 5, 200, 9)


def test_a_slice_of_the_work_is_short() -> None:
    """A statement with an error is judged for several targets, and the findings of all statements are collected."""
    text = "".join(f'void f{n}() {{ asm("mov.b32 %0, %1; // {n}" : "=r"(x) : "l"(y)); }}\n' for n in range(200))
    check_host(text[: text.index("\n")], Host.CUDA)  # loads the tables
    analysis = HostText(text, Host.CUDA, None, ())
    slices = [calls_of(lambda: analysis.work(0.0))]
    while not analysis.settled:
        slices.append(calls_of(lambda: analysis.work(0.0)))
    assert len(slices) > 1_000
    assert max(slices) < 30_000, "some milliseconds"
    assert len(analysis.findings()) == 200


def test_requests_about_different_lines_all_get_their_answers() -> None:
    """A statement with a mistake takes many steps: those of one request are kept while another one takes its own."""
    text = "".join(f'void f{n}() {{ asm("mov.b32 %0, {n}" : "=l"(x)); }}\n' for n in range(20))
    analysis = HostText(text, Host.CUDA, None, ())
    waiting = [(3, 3), (5, 5)]
    for _ in range(10_000):
        waiting = [lines for lines in waiting if not analysis.work_on(lines, 0.0)]
    assert not waiting


def test_lines_are_analysed_before_the_rest() -> None:
    text = "".join(f'void f{n}() {{ asm("mov.b32 %0, {n};" : "=r"(x)); }}\n' for n in range(2_000))
    analysis = HostText(text, Host.CUDA, None, ())
    while not analysis.work_on((1_500, 1_500), 0.0):
        pass
    located = analysis.statement_at(Position(1_500, 30))
    assert located is not None
    assert "1500" in located.known.source
    assert analysis.statement_at(Position(100, 30)) is None
    assert not analysis.settled
    analysis.work()
    assert len(list(analysis.known())) == 2_000
