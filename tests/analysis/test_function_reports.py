"""Names that are never used or written: each is reported, but not thousands of them."""

import pytest

from ptx_lsp import check
from ptx_lsp.analysis.function_checks import FunctionChecks
from ptx_lsp.analysis.module import Module
from ptx_lsp.quick.body_text import BEGINS_LABEL
from ptx_lsp.semantics.compiler_labels import is_generated
from ptx_lsp.text.ranges import Range
from tests.calls import calls_of, noted_calls

BODY = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{{\n.reg .b32 %r<999>, %sum;\n{}}}\n"


@pytest.mark.parametrize(
    "name",
    [
        *("$L__BB0_1", "$L__tmp3", "$L__func_begin0", "$L__pubNames_start0", "LBB0_1", "Ltmp0", "Lfunc_end2", "BB6_12"),
        *("$L_brx_0", "$LDWbegin__Z6kernelPf", "$LDWend_k", "$LDWend", "$LBB3__Z6kernelPf", "$Lt_0_2562", "$L_0_1794"),
        *("$L1", "$L12", "tmp4", "$L__debug_loc0"),
    ],
)
def test_labels_that_compilers_generate_are_not_reported(name: str) -> None:
    assert check(BODY.format(f"{name}:\nmov.b32 %r1, 1;\n")) == []


def test_the_usual_begin_is_that_of_a_generated_label() -> None:
    assert is_generated(BEGINS_LABEL)
    assert is_generated(f"{BEGINS_LABEL}x$_1")


@pytest.mark.parametrize("name", ["$top", "loop", "L1", "BB", "$Loop", "$L_loop", "DONE_1", "LBB"])
def test_labels_that_people_write_are_reported(name: str) -> None:
    assert [f.code for f in check(BODY.format(f"{name}:\nmov.b32 %r1, 1;\n"))] == ["unused-label"]


def test_of_many_unused_labels_the_first_hundred_are_reported() -> None:
    labels = "".join(f"label{number}:\n" for number in range(150))
    lines = [finding.range.line for finding in check(BODY.format(labels + "mov.b32 %r1, 1;\n"))]
    assert lines == list(range(6, 106))


def test_of_many_never_written_registers_a_hundred_are_reported() -> None:
    sums = "mov.b32 %sum, 0;\n" + "".join(f"add.s32 %sum, %sum, %r{number};\n" for number in range(150))
    found = check(BODY.format(sums))
    assert {finding.code for finding in found} == {"never-written"}
    assert len(found) == 100


@pytest.mark.parametrize("lines", [1, 1000])  # in one block, and in many blocks
@pytest.mark.parametrize(("used", "reported"), [("%r0", False), ("%r700", False), ("%r0700", False), ("%sum", True)])
def test_a_family_is_used_if_any_member_is_used(lines: int, used: str, reported: bool) -> None:
    found = check(BODY.format(f"mov.b32 {used}, 1;\n" + "mov.b32 %sum, 2;\n" * lines))
    assert [finding.code for finding in found] == (["unused-registers"] if reported else [])


@pytest.mark.parametrize("between", [0, 1000])  # in one block, and in several
def test_a_register_that_is_never_written_is_not_reported_at_a_branch(between: int) -> None:
    lines = "bra %r1;\n" + "mov.b32 %sum, 2;\n" * between + "mov.b32 %sum, %r1;\n"
    found = {finding.code: finding.range.line for finding in check(BODY.format(lines))}
    assert found == {"label-expected": 6, "never-written": 7 + between}


@pytest.mark.parametrize("between", [0, 1000])  # in one block, and in several
def test_a_declaration_below_a_function_does_not_hide_a_register_at_a_branch(between: int) -> None:
    function = BODY.partition(".entry")[0] + ".reg .b32 x<3>;\n.entry k()\n{{\n\tbra x1;\n}}\n"
    found = check(function.format() + "\n" * between + ".global .b32 x1;\n")
    assert [f.range.line for f in found if f.code == "label-expected"] == [6]


def test_a_register_that_is_never_written_is_reported_at_its_own_name() -> None:
    lines = "// %r1\nmov.b32 %r10, 1;\nmov.b32 %r11, 1;\nadd.s32 %sum, %r10, %r11;\nadd.s32 %sum, %r11, %r1;\n"
    found = [finding for finding in check(BODY.format(lines)) if finding.code == "never-written"]
    assert [(f.range.line, f.range.column) for f in found] == [(10, len("add.s32 %sum, %r11, "))]


def settled(module: Module) -> Module:
    """The module after all work, in slices as an editor gives them."""
    while not module.work(0.001):
        pass
    return module


@pytest.mark.parametrize(("name", "unused"), [("$L__tmp0", 0), ("loop", 2)])
def test_labels_of_a_long_function(name: str, unused: int) -> None:
    text = BODY.format(f"{name}:\n" + "mov.b32 %r1, 1;\n" * 9000 + f"{name}1:\nmov.b32 %r1, 1;\n")
    module = settled(Module(text))
    assert [finding.code for finding in module.findings()] == ["unused-label"] * unused
    module.edit(Range(20, 0, 20, 0), f"bra {name};\n{name}2:\n")
    assert [finding.code for finding in settled(module).findings()] == ["unused-label"] * unused
    module.edit(Range(6, 0, 7, 0), "")
    found = sorted(finding.code for finding in settled(module).findings())
    assert found == ["undefined-label"] + ["unused-label"] * unused


def test_an_edit_costs_the_same_with_more_generated_labels() -> None:
    """A function of debug code has a label at every third line, and nothing branches to most of them."""

    def cost(labels: int) -> int:
        lines = "".join(f"$L__tmp{number}:\n\tmov.b32 %r1, {number};\n" for number in range(labels))
        module = settled(Module(BODY.format(lines)))

        def edit() -> None:
            for range_, text in ((Range(41, 1, 41, 1), "x"), (Range(41, 1, 41, 2), "")):
                module.edit(range_, text)
                settled(module).findings()

        edit()  # the names of the function are counted for the first edit
        return calls_of(edit)

    assert cost(16_000) < 1.5 * cost(4_000)


def test_the_use_of_a_register_that_nothing_writes_is_found_without_the_statements_far_above() -> None:
    def calls(filler: int) -> int:
        uses = "".join(f"// begin inline asm\nabs.s32 %sum, %r{number};\n// end inline asm\n" for number in range(30))
        text = BODY.format("mov.b32 %sum, 1;\n" * filler + uses)
        found = check(text)
        assert [finding.code for finding in found] == ["never-written"] * 30
        return calls_of(lambda: check(text))

    assert calls(2_000) < 2 * calls(200)


@pytest.mark.parametrize("comment", ["// add.s32 %r{0}, %r{0}, %r{0};\n", "/* add.s32 %r{0}, %r{0}, %r{0}; */\n"])
def test_the_use_of_a_register_that_nothing_writes_is_found_without_the_comments_that_mention_it(comment: str) -> None:
    def calls(filler: int) -> int:
        mentions = "".join(comment.format(number % 30) for number in range(filler))
        uses = "".join(f"abs.s32 %sum, %r{number};\n" for number in range(30))
        text = BODY.format(f"mov.b32 %sum, 1;\n{mentions}{uses}")
        found = check(text)
        assert [finding.code for finding in found] == ["never-written"] * 30
        assert found[0].range.line == text[: text.index("\nabs.s32")].count("\n") + 1
        return calls_of(lambda: check(text))

    assert calls(2_000) - calls(200) < 1_800 * 30  # each comment is looked at once, and not for each register


def reading_unwritten() -> Module:
    """A long function that reads 80 registers which nothing writes."""
    lines = "".join(f"mov.b32 %sum, %r{number % 80};\n" for number in range(3_000))
    return settled(Module(BODY.format("mov.b32 %sum, 1;\n" * 20 + lines)))


def edited(module: Module) -> None:
    """Make a mistake at the begin of the function, and fix it."""
    for range_, text in ((Range(7, 0, 7, 0), "x"), (Range(7, 0, 7, 1), "")):
        module.edit(range_, text)
        settled(module).findings()


def test_uses_of_registers_that_nothing_writes_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the next edit, only what a block that was read again has is looked for, and the findings are the same."""
    module = reading_unwritten()
    edited(module)
    looked_for = noted_calls(monkeypatch, FunctionChecks, "_find")
    before = module.findings()
    edited(module)
    assert looked_for == []
    module.edit(Range(40, 0, 41, 0), "")
    after = settled(module).findings()
    names = {call.given[2] for call in looked_for}
    assert 0 < len(names) < 20
    assert [(f.code, f.range) for f in after] == [(f.code, f.range) for f in check(module.document.whole())]
    assert len(after) == len(before) == 80


def test_uses_of_registers_that_nothing_writes_are_looked_for_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    module = reading_unwritten()
    looked_for = noted_calls(monkeypatch, FunctionChecks, "_find")
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", 0)
    module.edit(Range(7, 0, 7, 0), " ")
    most = 0
    ended = False
    while not ended:
        ended = module.work(0.0)
        most = max(most, len(looked_for))
        looked_for.clear()
    assert most == 1
