"""Edits in the rows of sections: the findings are those of a fresh analysis, and nothing is read if rows stay rows."""

import random

import pytest

from ptx_lsp.analysis import incremental
from ptx_lsp.analysis import module as analysis_module
from ptx_lsp.analysis.module import Module
from ptx_lsp.memo import forget_all
from ptx_lsp.quick import debug_sections
from ptx_lsp.syntax import section_rows, sections
from ptx_lsp.syntax.lexer import Cursor
from ptx_lsp.syntax.sections import parse_data
from ptx_lsp.syntax.tree import SectionData
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.analysis.incremental import apply, disagreement, lines_of, shown
from tests.analysis.random_edits import SIZES, SMALL_SIZES, Step, chunk_sizes
from tests.calls import noted_calls

KERNEL = """.entry k()
{
.reg .b32 r;
.loc 1 8 5
.loc 1 9 9, function_name $L__info_string1, inlined_at 1 8 5
mov.b32 r, 1;
.loc 1 9 9, function_name $L__info_string2, inlined_at 1 8 5
$L__end:
ret;
}
"""
NAMES = "\n".join(f"$L__info_string{number}:\n.b8 65,66\n.b8 0" for number in range(40))
MODULE = f""".version VERSION
.target sm_90
.address_size 64
.file 1 "a.cu"
{KERNEL}.section .debug_info
{{
.b32 12
.b8 4
.b32 .debug_str
.b64 $L__end
inner:
.b32 inner+4
}}
.file 2 "b.cu"
.section .debug_str
{{
{NAMES}
}}
.visible .global .b32 after;
"""
SNIPPETS = (
    *(
        "x",
        "1",
        "9",
        "0",
        ",2",
        ".b8 300",
        ".b8 ",
        "$L__info_string1",
        ":",
        "}",
        "{",
        "/*",
        "*/",
        '"',
        '""',
        '"a"',
        '.b8 1 // "\n',
        "\n",
        "\r",
        "é",
        "\0",
    ),
    *(
        " // a",
        "// ptx-lsp: ignore[inlined-function]",
        " - inner",
        ".section",
        ".loc 1 9 9",
        "inner:",
        ".b32 .debug_str",
    ),
    *("$L__info_string2:\n", "$L__info_string7: ", "$L__end", ".b8 1,2\n", "\t.b8 0\n}\n", ".texref", ";"),
)


def _module(version: str) -> Module:
    return Module(MODULE.replace("VERSION", version))


def _step(module: Module, chance: random.Random) -> Step:
    lines = lines_of(module)
    line = chance.randrange(14, len(lines)) if chance.random() < 0.9 else chance.randrange(len(lines))
    column = chance.randint(0, len(lines[line]))
    end = min(len(lines[line]), column + chance.choice((0, 0, 1, 3)))
    end_line = line
    if chance.random() < 0.1 and line + 1 < len(lines):
        end_line, end = line + 1, chance.randint(0, len(lines[line + 1]))
    text = chance.choice(SNIPPETS) if chance.random() < 0.8 else ""
    return Step(Range(line, column, end_line, end), text, chance.choice(("all", "all", "block", "nothing")))


@pytest.mark.parametrize("seed", range(12))
def test_the_findings_are_those_of_a_fresh_analysis(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_module, "FRESH_LINES", -1)
    for number in range(8):
        chance = random.Random(f"{seed} {number}")
        with chunk_sizes(chance.choice((SIZES, *SMALL_SIZES))):
            module = _module(chance.choice(("9.0", "9.0", "7.0", "6.0")))
            module.work()
            for _ in range(8):
                before = module.document.whole()
                step = _step(module, chance)
                apply(module, step)
                if step.work != "all":
                    continue
                assert disagreement(module, fresh_sizes=SIZES) is None, (before, step)


def test_a_changed_label_is_reported_and_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    module = _module("9.0")
    module.work()
    label = lines_of(module).index("$L__info_string2:")
    other = lines_of(module).index("$L__info_string30:")
    assert module.findings() == []

    def never(*_: object) -> None:
        raise AssertionError("a block is read")

    monkeypatch.setattr(incremental, "read", never)
    for line, column, inserted in ((label, 2, "x"), (other, 2, "x"), (label + 1, 4, "1")):
        module.edit(Range(line, column, line, column), inserted)
        module.work()
        assert [finding.message.split("`")[1] for finding in module.findings()] == ["$L__info_string2"]
    module.edit(Range(label, 2, label, 3), "")
    module.work()
    assert module.findings() == []


def test_a_label_that_another_row_has_is_reported() -> None:
    module = _module("9.0")
    module.work()
    line = lines_of(module).index("$L__info_string31:")
    module.edit(Range(line, 16, line, 17), "")
    module.work()
    assert [finding.code for finding in module.findings()] == ["duplicate-label"]
    assert disagreement(module) is None


def _module_with_rows(size: int) -> Module:
    """A module with `size` more rows in its section, which has been analysed."""
    rows = "\n".join(f".b8 {number % 256}" for number in range(size))
    return analysed(MODULE.replace("VERSION", "9.0").replace(NAMES, NAMES + "\n" + rows))


def _parsed_rows(patch: pytest.MonkeyPatch) -> list[int]:
    """A list that gets an item for each row that the parser reads after this call."""
    parsed: list[int] = []

    def count(cursor: Cursor) -> SectionData:
        parsed.append(cursor.at)
        return parse_data(cursor)

    patch.setattr(sections, "parse_data", count)
    return parsed


def test_a_line_that_is_no_row_costs_the_parser_a_few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as in a section of a tenth of its size: the others are looked up, not parsed."""
    parsed = []
    for size in (1_000, 10_000):
        module = _module_with_rows(size)
        line = module.document.line_count - size // 2
        with monkeypatch.context() as patch:
            counted = _parsed_rows(patch)
            for inserted in (".", "b", "8", " "):
                column = len(module.document.line(line)) if inserted != "." else 0
                module.edit(Range(line, column, line, column), inserted if inserted != "." else ".\n")
                module.work()
                assert [finding.code for finding in module.findings() if finding.range.line >= line]
        parsed.append(len(counted))
        assert module.document.line(line) == ".b8 "
        assert disagreement(module) is None
    assert 0 < parsed[0] == parsed[1] < 60


@pytest.mark.parametrize("size", [3_000, 30_000])
def test_a_label_twice_costs_the_parser_a_few_rows(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    module = _module_with_rows(size)
    parsed = _parsed_rows(monkeypatch)
    line = module.document.line_count - size // 2
    for label, codes in (("$L__info_string31", ["duplicate-label"]), ("$L_new", ["duplicate-label"] * 2)):
        for _ in range(1 if label in NAMES else 2):
            module.edit(Range(line, 0, line, 0), f"{label}:\n")
            module.work()
        assert [finding.code for finding in module.findings()] == codes
        assert disagreement(module) is None
    assert 0 < len(parsed) < 30 * 2 * 3  # three readings, each with a fresh one


@pytest.mark.parametrize("size", [3_000, 30_000])
def test_a_comment_in_the_rows_costs_the_parser_a_few_rows(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    module = _module_with_rows(size)
    parsed = _parsed_rows(monkeypatch)
    for below in (size // 2, size // 3):
        line = module.document.line_count - below
        module.edit(Range(line, 0, line, 0), "/*")
        module.work()
        assert "unterminated-comment" in [finding.code for finding in module.findings()]
        assert len(parsed) < 30
        assert disagreement(module) is None
        module.edit(Range(line, 0, line, 2), "")
        module.work()
        assert module.findings() == []
        parsed.clear()


@pytest.mark.parametrize("size", [3_000, 30_000])
def test_a_mistake_in_the_rows_of_an_older_module_costs_the_parser_a_few_rows(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "\n".join(f".b8 {number % 256} // DW_OP-{number}" for number in range(size))
    head = '.version 6.3\n.target sm_60, debug\n.address_size 64\n.file 1 "a.cu"\n'
    module = analysed(f"{head}.section .debug_abbrev\n{{\n{rows}\n}}\n")
    assert module.findings() == []
    parsed = _parsed_rows(monkeypatch)
    line = module.document.line_count - size // 2
    module.edit(Range(line, 0, line, 0), "x")
    module.work()
    assert len(module.findings()) == 1
    assert len(parsed) < 30
    assert disagreement(module) is None


@pytest.mark.parametrize(
    ("line", "removed", "typed"), [("{", "{", ""), ("}", "}", ""), (".section", "", "*/"), (".section", "", "} ")]
)
def test_a_mistake_around_a_section_costs_the_parser_a_few_rows(
    line: str, removed: str, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = f".section .debug_str\n{{\n{NAMES}\n" + ".b8 1\n" * 3_000 + "}\n"
    module = analysed(
        MODULE.replace("VERSION", "9.0").partition(".section")[0] + section + section.replace("L__", "M__")
    )
    assert module.findings() == []
    numbers = [n for n in range(module.document.line_count) if module.document.line(n).startswith(line)]
    number = numbers[-2] if line != ".section" else numbers[0]
    parsed = _parsed_rows(monkeypatch)
    module.edit(Range(number, 0, number, len(removed)), typed)
    module.work()
    assert len(module.findings()) == 1
    assert len(parsed) < 60
    assert disagreement(module) is None
    with monkeypatch.context() as patch:
        patch.setattr(debug_sections, "may_leave_out_rows", lambda *_: False)
        assert shown(analysed(module.document.whole())) == shown(module)


@pytest.mark.parametrize("size", [3_000, 30_000])
def test_a_quotation_mark_in_the_rows_costs_the_parser_a_few_rows(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    module = _module_with_rows(size)
    parsed = _parsed_rows(monkeypatch)
    line = module.document.line_count - size // 2
    for column, inserted in ((4, '"'), (5, '"'), (5, "a"), (0, '"'), (0, '"')):
        module.edit(Range(line, column, line, column), inserted)
        module.work()
        assert module.findings()
        assert len(parsed) < 30
        assert disagreement(module) is None
        parsed.clear()


def test_the_rows_of_a_long_section_are_looked_at_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "\n".join(f".b8 {number % 256}, {number % 251}" for number in range(30_000))
    text = MODULE.replace("VERSION", "9.0").replace(NAMES, NAMES + "\n" + rows)
    forget_all()
    looked_at = noted_calls(monkeypatch, section_rows, "_are_rows")
    module = Module(text)
    slices: list[int] = []
    while not module.work(0.0):
        slices.append(sum(len(call.given[0]) for call in looked_at))
        looked_at.clear()
    assert sum(slices) > len(rows) * 0.9
    assert max(slices) < 100_000
    assert module.findings() == []


@pytest.mark.parametrize("seed", range(12))
def test_the_findings_are_those_of_a_parser_of_all_rows(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shortened = noted_calls(monkeypatch, section_rows, "with_few_rows")
    for number in range(12):
        chance = random.Random(f"rows {seed} {number}")
        module = _module(chance.choice(("9.0", "9.0", "7.8", "7.0", "6.3")))
        for _ in range(chance.randint(1, 4)):
            step = _step(module, chance)
            module.edit(step.range, step.text)
        module.work()
        with monkeypatch.context() as patch:
            patch.setattr(debug_sections, "may_leave_out_rows", lambda *_: False)
            whole = analysed(module.document.whole())
        fresh = analysed(module.document.whole())
        assert shown(fresh) == shown(whole), module.document.whole()
        assert shown(module) == shown(whole), module.document.whole()
    assert any(call.result is not None for call in shortened)


def test_a_mistake_in_a_section_is_reported_once_if_the_tokens_above_it_were_read_with_those_below_it() -> None:
    rows = "\n".join(f"$L{number}:\n.b8 {number}" for number in range(8))
    text = f'}}\n.file 1 "a.cu"\n.section .debug_str\n{{\n{rows}\n./65\n{rows.replace("L", "M")}\n}}\n.glbal .b32 x;\n'
    module = analysed(text)
    found = [finding.code for finding in module.findings()]
    assert found == ["unmatched-brace", "invalid-character", "unknown-specifier"]


def test_a_function_below_a_longer_row_is_still_a_kernel() -> None:
    kernel = KERNEL.replace("$L__info_string1,", "missing,")
    module = analysed(f'.version 9.0\n.target sm_90\n.file 1 "a.cu"\n.section .debug_str\n{{\n{NAMES}\n}}\n{kernel}')
    before = [(finding.code, finding.severity) for finding in module.findings()]
    assert [code for code, _ in before] == ["inlined-function"]
    generation = module.block_map.blocks[0].generation
    for _ in range(3):
        module.edit(Range(6, 9, 6, 9), "," + ",".join("1" * 60))
        module.work()
    assert len(module.block_map.blocks) == 1
    assert module.block_map.blocks[0].generation == generation + 3
    part = module.block_map.blocks[0].parts[0]
    assert part.stop is not None
    assert [module.document.whole()[offset] for offset in (part.start, part.stop)] == ["{", "}"]
    for line, old, new in ((5, "0", "x"), (5, "x", "0")):
        column = lines_of(module)[line].rindex(old)
        module.edit(Range(line, column, line, column + 1), new)
        module.work()
        assert [(finding.code, finding.severity) for finding in module.findings()] == before


@pytest.mark.parametrize("size", [3_000, 30_000])
def test_a_brace_in_the_rows_costs_the_parser_a_few_tokens(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows below the brace are in no section: one finding, and neither tokens nor statements for the others."""
    module = _module_with_rows(size)
    tokens: list[int] = []
    read_batch = Cursor.read_batch

    def count(cursor: Cursor, initial: bool = False) -> None:
        before = len(cursor.kinds)
        read_batch(cursor, initial)
        tokens.append(len(cursor.kinds) - before)

    for below in (size // 2, size // 3):
        line = module.document.line_count - below
        for inserted, found in (("}", 1), ("}\n", 1), ("}\nlabel:\n", 1)):
            monkeypatch.setattr(Cursor, "read_batch", count)
            module.edit(Range(line, 0, line, 0), inserted)
            module.work()
            assert [finding.code for finding in module.findings()] == ["unknown-directive"] * found
            assert sum(tokens) < 500
            tokens.clear()
            monkeypatch.setattr(Cursor, "read_batch", read_batch)
            assert disagreement(module) is None
            module.edit(Range(line, 0, line + inserted.count("\n"), 0 if "\n" in inserted else 1), "")
            module.work()
            assert module.findings() == []
