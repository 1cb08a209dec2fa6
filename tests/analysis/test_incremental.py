"""Incremental equals full: after any edits the findings are those of a fresh analysis of the final text."""

import random
from collections.abc import Iterator

import pytest

from ptx_lsp.analysis.module import FRESH_LINES, Module
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.reader import read as read_block
from ptx_lsp.reading.state import Below
from ptx_lsp.syntax.lexer import Cursor
from ptx_lsp.syntax.statements import Parsed, read_statements
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed
from tests.analysis import label_edits
from tests.analysis.incremental import apply, ask, disagreement, lines_of, play
from tests.analysis.kept_mistakes import KEPT
from tests.analysis.random_edits import REQUESTS, Edits, Sizes, Step, chunk_sizes, insert
from tests.analysis.random_tries import EXAMPLES, run_tries

HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n"
KERNEL = ".visible .entry k{n}()\n{{\n\t.reg .b32 %r<9>;\n{body}\tret;\n}}\n"


def kernel(number: int, instructions: int = 300) -> str:
    """A function that reaches over several blocks."""
    body = "".join(f"\tadd.s32 %r{i % 8}, %r{(i + 1) % 8}, {i};\n" for i in range(instructions))
    return KERNEL.format(n=number, body=body)


def line_with(text: str, wanted: str, nth: int = 0) -> int:
    """The number (from 0) of the nth line that holds a text."""
    return [n for n, line in enumerate(text.split("\n")) if wanted in line][nth]


@pytest.mark.slow
@pytest.mark.parametrize(("fresh_lines", "tries"), [(FRESH_LINES, 100), (-1, 200)])
def test_random_edits(fresh_lines: int, tries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a fresh analysis after edits that change more than one block, and with incremental analysis alone."""
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", fresh_lines)
    assert list(run_tries(sorted(EXAMPLES.rglob("*.ptx")), range(tries), 20261122, play, "whole")) == []


@pytest.mark.slow
def test_random_edits_in_known_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    assert list(run_tries(sorted(EXAMPLES.rglob("*.ptx")), range(60), 20261123, play, "repeated")) == []


MODULE = HEAD + kernel(1) + kernel(2) + kernel(3, 60)
RET = line_with(MODULE, "\tret;")
SECOND = line_with(MODULE, ".entry k2")
REG = line_with(MODULE, ".reg .b32")

# after each of these, the two differed at some time
CASES = {
    "a register family that shrinks": [Step(Range(REG, 14, REG, 15), "3", "all")],
    "a register declared by a module": [insert(3, 0, ".reg .b32 %r<4>;\n"), insert(RET, 0, "mov.b32 %r99, 1;\n")],
    "a brace too many, taken back": [insert(100, 0, "}\n"), Step(Range(100, 0, 101, 0), "", "all")],
    "a brace too many, and one missing": [insert(100, 0, "}\n"), insert(200, 0, "{\n", "block")],
    "a function that begins in another": [insert(120, 0, ".entry foo() {\n"), insert(10, 0, "$L1:\n")],
    "a comment that covers the rest": [insert(50, 0, "/*"), insert(400, 0, "*/", "nothing")],
    "text after the end of a function": [insert(SECOND, 0, "\tbra $L1;\n$L1:\n"), insert(5, 0, "\n\n")],
    "a header with a brace in two blocks": [Step(Range(RET, 0, SECOND + 3, 0), "\n", "all"), insert(4, 0, "(")],
    "a version in the middle": [insert(200, 3, ".version 8.0"), insert(2, 0, "\n", "block")],
    "a section that is never closed": [insert(0, 0, ".section .debug_x {\n"), insert(90, 3, '"')],
    "a register taken out of braces, and an edit above them": [
        *(insert(60, 0, "}\n"), insert(40, 0, "mov.b32 %q1, %q2;\n"), insert(20, 0, "{\n\t.reg .b32 %q<4>;\n")),
        *(insert(10, 0, "\n", "nothing"), Step(Range(22, 0, 23, 0), "\n", "all")),
    ],
    "a NUL character above another one": [insert(400, 0, "\0"), insert(100, 0, "\0"), insert(420, 0, "\0")],
    "a lone carriage return": [insert(60, 4, "\r"), insert(SECOND, 2, ".func bar(.param .b32 x);")],
}


DEBUG = ".version 9.0\n.target sm_90a, debug\n" + kernel(1)


@pytest.mark.parametrize("above", ["\n", "\n\n", "// a\n"])
def test_reports_about_the_end_move_with_the_header(above: str) -> None:
    module = analysed(DEBUG)
    for number in range(3):
        module.edit(Range(0, 0, 0, 0), above)
        module.work()
        assert [(f.code, f.range.line) for f in module.findings()] == [
            ("missing-debug-information", (number + 1) * above.count("\n") + 1)
        ]


def test_a_debug_option_that_counts_no_more_is_not_counted_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    variables = "".join(f".global .b32 g{number};\n" for number in range(20))
    with chunk_sizes(Sizes(4, 64, 2)):
        module = analysed(f".version 9.4\n.target sm_80, debug\n{variables}.address_size 64\n")
        assert [finding.code for finding in module.findings()] == ["missing-debug-information", "misplaced-directive"]
        module.edit(Range(1, 8, 1, 8), "%r99%p1")
        assert disagreement(module) is None


@pytest.mark.parametrize("name", CASES)
def test_kept_cases(name: str) -> None:
    module = analysed(MODULE)
    for step in CASES[name]:
        apply(module, step)
    assert disagreement(module) is None


DATA = EXAMPLES.parent / "tests" / "data"
TWICE = HEAD + kernel(1) + KERNEL.format(n=2, body=("\tret;\n" * 600 + "\t.reg .b32 %q<9>;\n") * 2)
# after these, the two differed if no fresh analysis followed the edit
FAR_CASES = {
    "a declaration gone, above what continues a function after its end": (
        (EXAMPLES / "tile_transpose.ptx").read_text("utf-8"),
        [insert(35, 0, ".section .debug_x {"), Step(Range(23, 12, 25, 23), "é", "all")],
    ),
    "a damaged header that ends with its block": (
        (DATA / "calls.ptx").read_text("utf-8"),
        [insert(26, 0, "\tpopc.b32 %r15, %r14;\n"), Step(Range(34, 14, 44, 0), "goto $L1;", "all")],
    ),
    "a family gone, above its second declaration": (
        TWICE,
        [insert(line_with(TWICE, "%q"), 9, "<")],
    ),
    "a function that begins in another, where an edit is not analysed yet": (
        (DATA / "gaussian.ptx").read_text("utf-8"),
        [
            insert(19, 21, "for ("),
            Step(Range(21, 0, 21, 1), "[", "block"),
            Step(Range(37, 0, 37, 12), ".entry foo() {", "all"),
        ],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CASES, *FAR_CASES])
def test_kept_cases_without_a_fresh_analysis(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a large file no fresh analysis follows an edit: incremental analysis alone must be right."""
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    source, steps = FAR_CASES[name] if name in FAR_CASES else (MODULE, CASES[name])
    module = analysed(source)
    for step in steps:
        apply(module, step)
    near = {step.range.line + more for step in steps for more in (0, 1, 4)}
    assert disagreement(module, sorted({*near, *range(0, module.document.line_count, 40)})) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", KEPT)
def test_kept_edits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With small chunks and without a fresh analysis."""
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    assert play(KEPT[name], most=99) is None


@pytest.mark.parametrize("seed", range(4))
def test_random_labels(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    assert list(label_edits.run(seed, range(40))) == []


PHANTOM = HEAD + kernel(1).replace("\tret;", "$L__BB0_1:\n\tbra $L__BB0_1;\n\tret;")
LABEL = line_with(PHANTOM, "$L__BB0_1:")


@pytest.mark.parametrize("request_", REQUESTS)
def test_a_request_declares_no_label(request_: str) -> None:
    """A request about the block of a label, in a function that began in a block above, declares no second label."""
    module = analysed(PHANTOM)
    for text in ("\n", "\n", "x"):
        apply(module, Step(Range(LABEL, 0, LABEL, 0), text, "all", ((request_, LABEL + 1), (request_, LABEL))))
    assert disagreement(module) is None


LABELLED = HEAD + "".join(kernel(n, 24).replace("\tret;", f"$L{n}:\n\tbra $L{n};\n\tret;") for n in range(12))


def label_tables(module: Module) -> dict[int, dict[str, list[int]]]:
    """The labels of every function, by the identities of scope and labels."""
    scopes = [body.scope for body in module.bodies()]
    return {id(scope): {name: [id(s) for s in found] for name, found in scope.labels.items()} for scope in scopes}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_a_request_leaves_the_label_tables_as_they_are(seed: int) -> None:
    """Also while a block holds other functions than it did when it was read."""
    chance = random.Random(seed)
    module = analysed(LABELLED)
    for _ in range(20):
        lines = lines_of(module)
        line = chance.choice([n for n, text in enumerate(lines) if text[:1] in ("{", "}", "$", ".")])
        text = chance.choice(("", "", "{", "}", "$L3:", ".visible .entry k3()"))
        module.edit(Range(line, 0, line, len(lines[line])), text)
        before = label_tables(module)
        ask(module, chance.choice(("hover", "hints", "all hints")), max(0, line - 20))
        assert label_tables(module) == before
        if chance.random() < 0.5:
            module.work(0)
    assert disagreement(module) is None


COUNTED = HEAD + ".entry k()\n{\n" + "\t.reg .b32 %r<10>;\n" + "\tadd.s32 %r1, %r1, 1;\n" * 600 + "\t@%r2 ret;\n}\n"
COUNT = line_with(COUNTED, "\t.reg .b32 %r<10>;")


@pytest.mark.parametrize(
    "steps",
    [
        (Step(Range(COUNT, 0, COUNT, 0), "\n", "all"),),
        (Step(Range(COUNT, 14, COUNT, 15), "2", "all"), Step(Range(COUNT, 0, COUNT, 0), "\n", "all")),
        (Step(Range(COUNT, 0, COUNT, 15), "\n\t.reg .b32 %r<2", "all"),),
        (
            Step(Range(COUNT, 0, COUNT + 1, 0), "", "block"),
            Step(Range(COUNT + 400, 0, COUNT + 400, 0), "\t.reg .b32 %r<9>;\n", "all"),
        ),
        (
            Step(Range(COUNT, 0, COUNT + 1, 0), "", "nothing"),
            Step(Range(COUNT + 1, 0, COUNT + 1, 0), "\t.reg .b32 %r<9>;\n\t.reg .b32 %r<10>;\n", "all"),
        ),
    ],
)
def test_a_finding_in_another_block_names_the_present_place_of_a_family(
    steps: tuple[Step, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    module = Module(COUNTED)
    while not module.work(0.01):
        pass
    for step in steps:
        apply(module, step)
        assert step.work != "all" or disagreement(module) is None


@pytest.mark.parametrize("above", range(12))
def test_a_section_that_loses_its_brace(above: int) -> None:
    """The tokens after its name decide how its contents are read, wherever the text was divided for the edit."""
    head = HEAD + kernel(1, above)
    section = ".section .debug_x\n\t{\n$L__a_long_name_of_a_label:\n" + ".b8 1,2\n" * 60 + "\t}\n"
    module = analysed(head + section)
    brace = head.count("\n") + 1
    apply(module, Step(Range(brace, 0, brace, 2), "", "all"))
    assert disagreement(module) is None


def test_an_edit_in_a_body_reads_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """A keystroke inside an instruction does not touch other functions, however many there are."""
    text = HEAD + "".join(kernel(n) for n in range(20))
    module = analysed(text)
    module.edit(Range(3000, 5, 3000, 5), "x")  # the first one cuts the text up
    module.work()
    read: list[int] = []

    def watched(reader: BlockReader, below: Below) -> None:
        read.append(reader.block.index)
        read_block(reader, below)

    monkeypatch.setattr("ptx_lsp.analysis.incremental.read", watched)
    module.edit(Range(3000, 5, 3000, 5), "x")
    module.work(0)
    assert len(read) == 1
    module.work()
    assert max(read) - min(read) <= 4
    assert text.count("\n") < FRESH_LINES


def _lines_read(text: str, position: Position, inserted: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many lines are read after a text has been inserted, until there is something to show."""
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    module = Module(text)
    while not module.work(0.0):
        pass
    read: list[int] = []

    def watched(reader: BlockReader, below: Below) -> None:
        read_block(reader, below)
        read.append(reader.block.lines)

    monkeypatch.setattr("ptx_lsp.analysis.incremental.read", watched)
    module.edit(Range(*position, *position), inserted)
    while not module.has_news and not module.work(0.0):
        pass
    return sum(read)


FILES = HEAD + "".join(f'.file {number} "a{number}.h"\n' for number in range(1, 1_001))


@pytest.mark.parametrize("inserted", ["x", ", 1, 2\n", '"', "\n"])
def test_an_edit_in_a_list_of_files_reads_few_lines(inserted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each `.file` may continue on the line below it: a list of them is no one statement."""
    assert 0 < _lines_read(FILES, Position(500, 0), inserted, monkeypatch) < 500


PROTOTYPES = HEAD + "".join(f"\t.visible .func (.param .b64 r) f{n} (.param .b32 a{n})\n\n" for n in range(1_000))


@pytest.mark.parametrize("inserted", ["x", ".func f(\n", '"', "/", "{"])
def test_an_edit_of_a_prototype_without_a_semicolon_reads_few_lines(
    inserted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each may continue below it: a list of them, as compilers before CUDA 5 wrote it, is no one statement."""
    assert 0 < _lines_read(PROTOTYPES, Position(501, 10), inserted, monkeypatch) < 250


@pytest.mark.parametrize("line", range(3, 15))
@pytest.mark.parametrize("column", [0, 10, 45])
@pytest.mark.parametrize("text", ["x", ".noreturn", ";", "{", ".func f(", "\n", "//", ".global .b32 v"])
def test_a_prototype_ends_where_the_next_block_begins(
    line: int, column: int, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    begin = PROTOTYPES[:600]
    at = Range(line, min(column, len(begin.split("\n")[line])), line, min(column, len(begin.split("\n")[line])))
    end = Range(at.line, at.column, line + text.count("\n"), at.column + len(text) if "\n" not in text else 0)
    steps = (Step(at, text, "all"), Step(end, "", "all"))
    for some in (steps, steps[:1]):
        assert play(Edits(begin, Sizes(2, 100, 1), some, ())) is None


@pytest.mark.parametrize("line", range(4, 24))
@pytest.mark.parametrize("text", [",", ", 1, 2", "x", '"', "\n", "//", " "])
def test_a_file_ends_where_the_next_block_begins(line: int, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    steps = (insert(line, 0, text), Step(Range(line, 0, line + text.count("\n"), 6), text, "all"))
    assert play(Edits(FILES[:600], Sizes(2, 100, 1), steps, ())) is None


MANY = [f"L{number}" for number in range(2_000)]
LISTS = {
    "labels": "t: .branchtargets " + ",\n".join(MANY) + ";\n" + ":\n\tret;\n".join(MANY) + ":\n",
    "registers": ".reg .b32 " + ",\n".join(MANY) + ";\n",
}


@pytest.mark.parametrize("name", LISTS)
def test_a_long_list_is_parsed_a_few_times(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser reads it again from its begin when the block has grown."""
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    module = Module(HEAD + KERNEL.format(n=1, body=LISTS[name]))
    while not module.work(0.0):
        pass
    parsed: list[Cursor] = []

    def watched(cursor: Cursor, fresh: bool) -> Iterator[Parsed]:
        parsed.append(cursor)
        return read_statements(cursor, fresh)

    monkeypatch.setattr("ptx_lsp.reading.parsed_statements.read_statements", watched)
    module.edit(Range(1000, 0, 1000, 0), "x")
    while not module.has_news and not module.work(0.0):
        pass
    assert 0 < len(parsed) < 5


def test_findings_below_an_edit_move_before_it_is_analysed() -> None:
    """Findings do not flicker: blocks that have not been read again keep them, at their new places."""
    module = analysed(HEAD + kernel(1).replace("%r3", "%q3", 1) + kernel(2).replace("%r5", "%q5", 1))
    before = module.findings()
    assert [f.code for f in before] == ["undeclared", "undeclared"]
    module.edit(Range(1, 0, 1, 0), "\n\n")
    assert [f.range.line for f in module.findings()] == [f.range.line + 2 for f in before]
