"""Positions and labels of inlined code, which the whole module decides about: judged by ptxas, and after edits."""

import random

import pytest

from ptx_lsp import check
from ptx_lsp.analysis import inlined_positions
from ptx_lsp.analysis import module as analysis_module
from ptx_lsp.analysis.module import Module
from ptx_lsp.reading.block import FunctionPart
from ptx_lsp.semantics.surroundings import Report
from ptx_lsp.text.document import LINES_PER_CHUNK
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.analysis.incremental import apply, disagreement, lines_of
from tests.analysis.random_edits import SIZES, Sizes, Step, chunk_sizes, random_step
from tests.calls import noted_calls
from tests.oracle.assembler import Assembler, needs_assembler

HEAD = '.version 9.4\n.target sm_90\n.address_size 64\n.file 1 "a.cu"\n.file 2 "b.cu"\n'
SECTION = ".section .debug_str { callee:\n.b8 1\n.b8 0\nother: .b8 2 }\n"
WANTS = ".loc 1 9 9, function_name callee, inlined_at 1 8 5"
# the lines of a kernel, and whether ptxas accepts them
CASES = (
    (f".loc 1 8 5\n{WANTS}", True),
    (WANTS, False),
    (f"{WANTS}\n.loc 1 8 5", False),
    (f".loc 2 8 5\n{WANTS}", False),
    (f".loc 1 8 6\n{WANTS}", False),
    (f".loc_intermediate 1 8 5\n{WANTS}", False),
    (f"// .loc 1 8 5\n{WANTS}", False),
    (f"/* .loc 1 8 5 */ {WANTS}", False),
    (f"/*\n.loc 1 8 5\n*/ {WANTS}", False),
    (".loc 1 8 5, function_name callee, inlined_at 1 8 5", False),
    (f".loc 1 010 5\n{WANTS}", True),
    (f".loc 1 0x8 5\n{WANTS}", True),
    (".loc 1 8 5\n.loc 1 9 9, function_name callee, inlined_at 1 8U 05", True),
    (".loc 1 8 5\n.loc 1 9 9,\nfunction_name\ncallee, inlined_at 1\n8 5", True),
    (".loc 1 8 5\n.loc 1 9 9, function_name callee+1, inlined_at 1 8 5", True),
    (f".loc 1 8 5\n{WANTS}\n.loc 1 3 3, function_name other, inlined_at 1 9 9", True),
)
USES = 5000
LABELS = (("callee", True), ("other", True), ("missing", False))


def _module(lines: str, before: str = "", after: str = SECTION) -> str:
    return f"{HEAD}{before}.entry k()\n{{\n.reg .b32 r;\n{lines}\nmov.b32 r, 1;\nret;\n}}\n{after}"


def _errors(text: str) -> list[str]:
    return [finding.code for finding in check(text) if finding.severity.name == "ERROR"]


@pytest.mark.parametrize(("lines", "accepted"), CASES)
def test_a_position_is_that_of_a_loc_above(lines: str, accepted: bool) -> None:
    assert _errors(_module(lines)) == ([] if accepted else ["inlined-position"])


def test_a_loc_of_another_function_above_counts() -> None:
    before = ".entry first()\n{\n.loc 1 8 5\nret;\n}\n"
    assert _errors(_module(WANTS, before)) == []
    assert _errors(_module(WANTS, after=SECTION + before)) == ["inlined-position"]


@needs_assembler
def test_ptxas_wants_a_loc_above() -> None:
    outcomes = Assembler().modules([_module(lines) for lines, _ in CASES], "compute_90")
    assert [outcome.accepted for outcome in outcomes] == [accepted for _, accepted in CASES]


@pytest.mark.parametrize(("label", "found"), LABELS)
def test_the_label_of_an_inlined_function_is_in_a_section(label: str, found: bool) -> None:
    lines = f".loc 1 8 5\n{WANTS.replace('callee', label)}"
    expected = [] if found else ["inlined-function"]
    assert _errors(_module(lines)) == expected
    assert _errors(_module(lines, before=SECTION, after="")) == expected


@needs_assembler
def test_ptxas_compiles_only_labels_of_a_section() -> None:
    texts = [_module(f".loc 1 8 5\n{WANTS.replace('callee', label)}") for label, _ in LABELS]
    outcomes = Assembler().modules(texts, "sm_90")
    assert [outcome.accepted for outcome in outcomes] == [found for _, found in LABELS]


def test_a_label_in_a_function_that_is_no_kernel_is_a_warning() -> None:
    body = f".func f()\n{{\n.loc 1 8 5\n{WANTS.replace('callee', 'missing')}\nret;\n}}\n"
    found = [(finding.code, finding.severity.name) for finding in check(_module("", body))]
    assert ("inlined-function", "WARNING") in found


def _long() -> list[str]:
    """The lines of a module of several blocks, whose positions are far above their uses."""
    filler = ["mov.b32 r, 1;"] * (4 * LINES_PER_CHUNK)  # blocks hold several chunks of plain lines
    kernels = []
    for number in range(3):
        kernels += [f".entry k{number}()", "{", ".reg .b32 r;", f".loc 1 {number} 5", *filler]
        kernels += [f".loc 1 9 9, function_name callee, inlined_at 1 {number} 5", *filler, "ret;", "}"]
    return [*HEAD.splitlines(), *kernels, *SECTION.splitlines()]


def test_the_first_line_that_names_inlined_code_may_be_written_later() -> None:
    lines = [line.partition(", function_name")[0] for line in _long()]
    module = analysed("\n".join(lines))
    last = max(at for at, line in enumerate(lines) if line == ".loc 1 9 9")
    for name in ("callee", "absent"):
        new = f", function_name {name}, inlined_at 1 0 5"
        apply(module, Step(Range(last, len(".loc 1 9 9"), last, len(lines[last])), new, "everything"))
        lines[last] = f".loc 1 9 9{new}"
        assert disagreement(module) is None
        bad = [finding.code for finding in module.findings() if finding.code.startswith("inlined-")]
        assert bad == ([] if name == "callee" else ["inlined-function"])


@pytest.mark.parametrize("lost", [".loc 1 1 5", "callee:"])
def test_an_edit_far_from_the_use_is_noticed(lost: str) -> None:
    text = "\n".join(_long())
    module = analysed(text)
    at = next(i for i, line in enumerate(_long()) if line.endswith(lost))
    end = len(_long()[at])
    for new in (" " * len(lost), lost):
        apply(module, Step(Range(at, end - len(lost), at, end), new, "everything"))
        assert disagreement(module) is None
        bad = [f.code for f in module.findings() if f.code.startswith("inlined-")]
        assert bool(bad) == (not new.strip())


def test_the_first_use_is_compared_with_positions_that_were_read_before_it() -> None:
    lines = [line for line in _long() if "function_name" not in line]
    module = analysed("\n".join(lines))
    at = lines.index("ret;")
    for place in (".loc 1 0 5", ".loc 1 7 7"):  # the module has the first one; the last step withdraws all uses
        use = f".loc 1 9 9, function_name callee, inlined_at {place[5:]}\n"
        apply(module, Step(Range(at, 0, at, 0), use, "everything"))
        assert disagreement(module) is None
        assert _inlined(module) == ([] if place in lines else ["inlined-position"])
        apply(module, Step(Range(4, 0, 4, 0), f"{place}\n", "everything"))  # outside of functions: another error
        apply(module, Step(Range(at + 1, 0, at + 2, 0), "", "everything"))
        apply(module, Step(Range(4, 0, 5, 0), "", "everything"))
        assert disagreement(module) is None
        assert _inlined(module) == []


def _compared(module: Module) -> list[Report]:
    """The reports of the comparison, also those that are no findings because a mistake may hide a section."""
    comparison = module._analysis._positions._comparison
    return comparison.reports([], without_labels=False) if comparison is not None else []


def _inlined(module: Module) -> list[str]:
    return [finding.code for finding in module.findings() if finding.code.startswith("inlined-")]


def test_the_places_in_a_block_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = noted_calls(monkeypatch, inlined_positions, "uses")
    module = analysed("\n".join(_long()).replace("callee:", "renamed:"))
    apply(module, Step(Range(4, 0, 4, 0), " ", "everything"))  # the first edit divides the block
    before = module.findings()
    assert "inlined-function" in {finding.code for finding in before}
    count = len(searched)
    assert module.findings() == before
    assert len(searched) == count
    apply(module, Step(Range(4, 0, 4, 0), " ", "everything"))
    assert [finding.code for finding in module.findings()] == [finding.code for finding in before]
    assert len(searched) == count


def test_the_positions_of_blocks_that_name_no_inlined_code_are_read_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    read = noted_calls(monkeypatch, inlined_positions, "inlined_code")
    lines = [line for line in _long() if "function_name" not in line]
    at = lines.index("ret;")
    module = Module("\n".join([*lines[:at], WANTS, *lines[at:]]))
    while not module.settled:
        module.work(0.0)
    assert read == []  # it was not known that the module names inlined code, or the block itself was read
    most, done = 0, False
    while not done:
        before = len(read)
        done = module.work(0.0)
        most = max(most, len(read) - before)
    assert len(read) > 2
    assert most == 1
    assert disagreement(module) is None


def test_missing_labels_are_reported_in_slices() -> None:
    lines = _long()
    module = analysed("\n".join(lines))
    at = lines.index(".section .debug_str { callee:")
    module.edit(Range(at, len(lines[at]) - 1, at, len(lines[at]) - 1), "x")
    shown = set()
    while not module.work(0.0):
        shown.add(_missing_labels(module))
    complete = _missing_labels(module)
    assert complete == sum("function_name" in line for line in lines)
    assert len(shown) > 2
    assert max(shown) <= complete


def test_the_first_missing_label_is_shown_before_the_others_are_looked_for() -> None:
    lines = _long()
    module = analysed("\n".join(lines))
    at = lines.index(".section .debug_str { callee:")
    module.edit(Range(at, len(lines[at]) - 1, at, len(lines[at]) - 1), "x")
    while not _missing_labels(module):
        assert not module.work(3600.0)
    assert _missing_labels(module) < sum("function_name" in line for line in lines)


def test_a_use_of_a_label_that_comes_back_is_compared_with_the_labels_of_then() -> None:
    lines = _long()
    module = analysed("\n".join(lines))
    for number, label in enumerate(("renamed", "callee")):
        uses = [at for at, line in enumerate(lines) if "function_name" in line]
        for at in uses:
            apply(module, Step(Range(at, 0, at, len(lines[at])), "", "everything"))
        at = next(at for at, line in enumerate(lines) if ".section" in line)
        apply(module, Step(Range(at, 0, at, len(lines[at])), f".section .debug_str {{ {label}:", "everything"))
        apply(module, Step(Range(4, 0, 4, 0), "\n" * 200, "everything"))  # the text is in other blocks
        for at in uses:
            apply(module, Step(Range(at + 200, 0, at + 200, 0), lines[at], "everything"))
        assert disagreement(module) is None
        assert _inlined(module) == (["inlined-function"] * len(uses) if number == 0 else [])
        lines[4:4] = [""] * 200


def test_missing_labels_are_not_reported_while_blocks_come_out_of_a_comment() -> None:
    lines = _long()
    module = analysed("\n".join(lines))
    at = lines.index(".entry k1()")
    module.edit(Range(at, 0, at, 0), "/*")
    module.work()
    assert _missing_labels(module) == 0  # the comment has the section: it is the one mistake
    module.edit(Range(at, 0, at, 2), "")
    steps = 0
    while not module.work(0.0):
        assert _missing_labels(module) == 0
        steps += 1
    assert steps > 2


def test_missing_labels_are_not_reported_while_the_mistake_that_hid_them_is_undone() -> None:
    lines = _long()
    module = analysed("\n".join(lines))
    line = ".section .debug_str { callee:"
    at = lines.index(line)
    module.edit(Range(at, len(line) - 2, at, len(line) - 2), "%r1")
    module.work()
    assert _missing_labels(module) == 0  # ptxas reports the stray token alone
    assert module.findings()
    module.edit(Range(at, len(line) - 2, at, len(line) + 1), "")
    while not module.work(0.0):
        assert _missing_labels(module) == 0
    assert module.findings() == []


HIDDEN = _module(f".loc 1 8 5\n{WANTS}", after=f"/*\n{SECTION}")


def test_a_comment_without_an_end_is_the_only_finding_if_it_hides_the_sections() -> None:
    assert _errors(HIDDEN) == ["unterminated-comment"]
    assert _errors(HIDDEN + "*/") == ["inlined-function"]


def test_hidden_reports_about_labels_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be thousands, while a comment hides the sections."""
    text = _module(".loc 1 8 5\n" + f"{WANTS}\nmov.b32 r, 1;\n" * USES)
    module = analysed(text)
    opened = Range(HEAD.count("\n") + 5, 0, HEAD.count("\n") + 5, 0)
    module.edit(opened, "/*")
    module.work()
    asked: list[FunctionPart] = []

    def is_of_kernel(part: FunctionPart) -> bool:
        asked.append(part)
        return True

    monkeypatch.setattr(inlined_positions, "_is_of_kernel", is_of_kernel)
    module.edit(opened._replace(end_column=2), "")
    while not module.work(0.0):
        module.leading_findings(1000)
    assert len(asked) < USES // 10  # those of the edited block
    assert module.findings() == []


@needs_assembler
def test_ptxas_reports_only_a_comment_without_an_end() -> None:
    without_end, with_end = (outcome.said for outcome in Assembler().modules([HIDDEN, HIDDEN + "*/"], "sm_90"))
    assert "unexpected EOF" in without_end[0].text
    assert not any("Unresolved label" in message.text for message in without_end)
    assert any("Unresolved label" in message.text for message in with_end)


def test_missing_positions_are_still_reported_when_the_text_near_an_edit_was_read_in_smaller_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(analysis_module, "FRESH_LINES", -1)  # otherwise a fresh analysis could hide a difference
    uses_of_it = "ret;\n.loc 1 9 9, function_name callee, inlined_at 1 8 5\n" * 300
    module = analysed(f"{HEAD}.entry k()\n{{\n{uses_of_it}}}\n{SECTION}")
    before = module.findings()
    module.edit(Range(301, 0, 301, 0), "x")
    module.work()
    assert [f for f in module.findings() if f.code != "unknown-opcode"] == before


KNOWN = "{\n\tadd.s32 r, r, 1;\n\t.loc 1 8 5\n\t// on\n\t, function_name callee, inlined_at 7 7 7\n}"


def test_a_loc_that_continues_in_lines_that_are_known_as_one_text_keeps_its_position() -> None:
    function = f"\n}}\n.entry k0()\n{{\n.reg .b32 r;\nmov.b32 r, 1;\n\t.loc 1 8 5\n{KNOWN}\n"
    functions = "".join(function.replace("k0", f"k{number}") for number in range(1, 41))
    with chunk_sizes(Sizes(16, 512, 4)):
        module = analysed(_module(KNOWN + functions))
        assert len(module.block_map.blocks) > 4
        assert [finding.code for finding in module.findings()] == ["inlined-position"] * 41


ROWS = "x1:\n.b8 1\n}\nL1:\n\tmov.u32 %r1, %r;\n\tmov.u32 %r1, done;\n"
IN_TWO_BLOCKS = (
    "{\n.section .debug_str\n{\n" + ROWS + "\tadd.s32 %r1, %r1, 1;\nL1: .callprototype _ (.param .b32 _);\n"
    "\tadd.s32 %r1, %r1, 1;\nL1:\n\tadd.s32 %r1, %r1, 1;\ndone:\n}\ndone:\n{\n"
    "\t.loc 1 2 3, function_name done, inlined_at 1 2 3\n}\n}\n"
)


def test_a_label_counts_if_the_statement_of_its_section_ends_in_a_block_above(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_module, "FRESH_LINES", -1)  # otherwise a fresh analysis could hide a difference
    with chunk_sizes(Sizes(16, 512, 4)):
        module = analysed(IN_TWO_BLOCKS)
        apply(module, Step(Range(4, 0, 9, 0), "", "all"))  # the section has no end before an instruction
        assert module.document.line(9) == "done:"
        assert module.block_map.at_line(9).line in range(4, 9)
        for line, length, new, missing in (
            (9, 0, "", False),
            (9, 4, "dono", True),
            (9, 4, "done", False),
            (10, 1, "{", True),
            (10, 1, "}", False),
            (9, 0, "// ", True),
            (9, 3, "", False),
            (1, 8, ".sectio", True),
            (1, 7, ".section", False),
        ):
            apply(module, Step(Range(line, 0, line, length), new, "all"))
            assert disagreement(module, fresh_sizes=SIZES) is None
            assert ("inlined-function" in [r.code for r in _compared(module)]) == missing, (line, new)
            assert _missing_labels(module) == 0  # the brace that is missing may hide a section


def test_a_kernel_that_becomes_a_function_has_warnings_in_the_blocks_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_module, "FRESH_LINES", -1)  # otherwise a fresh analysis could hide a difference
    lines = "\tadd.s32 %r1, %r1, 1;\n" * 3 + "\t.loc 1 2 3, function_name done, inlined_at 1 2 3\n"
    with chunk_sizes(Sizes(2, 100, 1)):
        module = Module(f".target sm_80\n.address_size 64\n.entry k0()\n{{\n{lines}")
        while not module.work(60.0):
            pass
        assert len(module.block_map.blocks) > 1
        apply(module, Step(Range(4, 0, 4, 17), ".nc{", "all"))
        assert [r.severity.name for r in _compared(module) if r.code == "inlined-function"] == ["WARNING"]
        assert _missing_labels(module) == 0  # the unknown directive may hide a section
        assert disagreement(module, fresh_sizes=SIZES) is None


def _missing_labels(module: Module) -> int:
    return sum(finding.code == "inlined-function" for finding in module.findings())


@pytest.mark.slow
def test_random_edits_give_the_findings_of_a_fresh_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_module, "FRESH_LINES", -1)  # otherwise a fresh analysis could hide a difference
    chance = random.Random(5)
    source = "\n".join(_long())
    module = analysed(source)
    for _ in range(40):
        apply(module, random_step(lines_of(module), source, chance))
        assert disagreement(module) is None
