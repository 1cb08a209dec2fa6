"""The order of reading after an edit: edited blocks, then blocks that the client shows, then the rest from above."""

import pytest

from ptx_lsp.analysis import invalidation, suspicions
from ptx_lsp.analysis import module as analysis_module
from ptx_lsp.analysis.module import Module
from ptx_lsp.text.ranges import Range
from tests.calls import calls_of, noted_calls

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n.reg .b32 %r<9>;\nmov.b32 %r2, 1;\n"
LINES = 20_000
TYPE = Range(5, 6, 5, 9)  # of the registers


def edited(range_: Range, new_text: str) -> Module:
    module = Module(HEAD + "mov.b32 %r1, %r2;\n" * LINES + "}\n")
    assert module.work(600.0)  # in blocks of the size that a server reads
    module.edit(range_, new_text)
    return module


def lines_told(module: Module) -> set[int]:
    return {finding.range.line for finding in module.findings()}


def test_shown_blocks_are_read_before_blocks_above_them() -> None:
    module = edited(TYPE, "b64")
    line = LINES - 500
    for _ in range(26):  # the block with the declaration is divided when it is edited
        module.work(0.0, (line, line + 10))
    said = lines_told(module)
    assert line in said
    assert len(said) < LINES // 2


def test_an_edited_block_is_read_before_the_rest_of_an_earlier_edit() -> None:
    module = edited(TYPE, "b64")
    module.work(0.0)
    line = LINES - 500
    module.edit(Range(line, 0, line, 0), "nonsense ")
    for _ in range(30):  # the block around is divided when it is edited
        module.work(0.0)
    assert line in lines_told(module)
    assert len(lines_told(module)) < LINES // 2


def begun(module: Module) -> set[str]:
    """Work until the last edit has been read and has changed findings; the codes of the findings then."""
    while not module.has_news:
        assert not module.work(0.0)
    assert not module.settled
    return {finding.code for finding in module.findings()}


def test_the_findings_of_an_edit_are_known_before_the_blocks_below_are_read() -> None:
    line = LINES // 2
    module = edited(Range(line, 0, line, 0), "{ nonsense; ")
    assert "unknown-opcode" in begun(module)


def test_a_declaration_that_is_repaired_is_known_before_its_uses_are_read() -> None:
    name = Range(5, 11, 5, 11)
    module = edited(name, "x")  # `%xr<9>`
    while not module.work(1.0):
        pass
    assert {finding.code for finding in module.findings()} == {"undeclared"}
    module.edit(Range(5, 11, 5, 12), "")
    assert begun(module) == set()


@pytest.mark.parametrize("last", ["ret;\n", "{{\n.reg .b32 %inner;\nmov.b32 %inner, 7;\n}}\nret;\n"])
def test_an_undeclared_name_is_known_before_the_rest_of_its_short_function_is_read(last: str) -> None:
    """The block of the function is divided: its pieces without a mistake are no news.

    A declaration between inner braces of the rest declares nothing for what is above it.
    """
    kernel = ".entry k{}()\n{{\n.reg .b32 %r<9>;\n" + "bar.sync 0;\n" * 40 + "mov.b32 %r1, 7;\n" * 60 + last + "}}\n"
    module = Module(HEAD.partition(".entry")[0] + "".join(kernel.format(number) for number in range(9)))
    assert module.work(600.0)
    declaration = 3 + 2 * kernel.count("\n") + 2  # of the third function
    module.edit(Range(declaration, 11, declaration, 11), "x")  # `%xr<9>`
    assert begun(module) == {"undeclared"}
    assert module.block_map.at_line(declaration + 101).stale  # the last statement of the function


def test_a_comment_without_an_end_is_reported_before_the_rest_is_read() -> None:
    line = LINES // 2
    module = edited(Range(line, 0, line, 0), "/*")
    assert begun(module) == {"unterminated-comment"}
    module.work()
    assert "unterminated-comment" in {finding.code for finding in module.findings()}
    module.edit(Range(line, 0, line, 2), "")
    assert "unterminated-comment" not in begun(module)


def test_a_comment_that_ends_below_is_not_reported() -> None:
    module = Module(HEAD + "mov.b32 %r1, %r2;\n" * LINES + "/* */\n}\n")
    assert module.work(600.0)
    module.edit(Range(LINES // 2, 0, LINES // 2, 0), "/*")
    assert begun(module) == set()


def test_what_is_in_a_comment_is_read_once_although_its_functions_are_missing_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(analysis_module, "FRESH_LINES", -1)
    called = "".join(f".func f{number}()\n{{\n" + "call f0;\n" * 200 + "ret;\n}\n" for number in range(40))
    module = Module(HEAD + "ret;\n}\n" + called + "/* */\n")
    assert module.work(600.0)
    inside = module.block_map.at_line(4_000)
    before = inside.generation
    module.edit(Range(6, 0, 6, 0), "/*")
    assert module.work()
    assert module.block_map.at_line(4_000) is inside
    assert inside.generation == before + 1


def test_an_edit_below_a_header_leaves_the_blocks_below_as_they_are() -> None:
    module = edited(Range(6, 0, 6, 0), "nonsense ")
    below = module.block_map.at_line(LINES // 2)
    before = below.generation
    assert module.work()
    assert module.block_map.at_line(LINES // 2) is below
    assert below.generation == before
    assert lines_told(module) == {6}


def test_an_edited_declaration_is_in_a_short_block() -> None:
    module = edited(TYPE, "b64")
    begun(module)
    assert module.block_map.at_line(5).lines < 40


def test_a_long_block_with_a_changed_name_is_divided_and_its_first_part_is_shown() -> None:
    """No block above it, in which pieces are read first, mentions the name."""
    kernel = ".entry k{}()\n{{\n.reg .b32 %r<9>;\n" + "mov.b32 %r1, 7;\n" * 2_000 + "ret;\n}}\n"
    above = ".version 9.0\n.target sm_90\n.address_size 64\n.global .b32 g;\n"
    above += "".join(kernel.format(number) for number in range(5))
    module = Module(above + kernel.format(5).replace("mov.b32 %r1, 7", "ld.global.b32 %r1, [g]"))
    assert module.work(600.0)
    first = above.count("\n") + 3  # the line of the first use
    assert module.block_map.at_line(first).lines > 300
    module.edit(Range(3, 13, 3, 14), "h")
    assert begun(module) == {"undeclared"}
    assert module.findings()[0].range.line == first
    block = module.block_map.at_line(first)
    assert block.lines < 40
    below = module.block_map.after(block)
    assert below is not None
    assert below.stale
    while not module.work(1.0):
        pass
    assert {finding.code for finding in module.findings()} == {"undeclared"}


def test_the_uses_next_to_a_changed_declaration_are_shown_first() -> None:
    module = edited(Range(5, 11, 5, 11), "x")  # `%xr<9>`
    assert begun(module) == {"undeclared"}
    first = module.findings()[0].range.line
    assert module.block_map.at_line(first).lines < 40
    assert any(block.stale for block in module.block_map.blocks)
    while not module.work(1.0):
        pass
    assert {finding.code for finding in module.findings()} == {"undeclared"}


def test_the_blocks_that_see_a_changed_label_end_with_its_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """The block of the label also declares functions, which all blocks below see."""
    kernel = ".entry k{}()\n{{\n{{\n.reg .b32 %r<9>;\nbra done;\n" + "mov.b32 %r1, 7;\n" * 6 + "done:\n}}\nret;\n}}\n"
    module = Module(HEAD.partition(".entry")[0] + "".join(kernel.format(number) for number in range(3_000)))
    assert module.work(600.0)
    assert len(module.block_map.blocks) > 40
    seen = noted_calls(monkeypatch, suspicions, "resumed")
    label = 3 + 2 * kernel.count("\n") + 11  # of the third function
    assert module.document.line(label) == "done:"
    module.edit(Range(label, 4, label, 4), "x")
    while not module.settled:
        module.work(1.0)
    assert {finding.code for finding in module.findings()} >= {"undefined-label"}
    assert 0 < len(seen) < 20


def test_what_is_affected_by_many_declarations_is_found_in_small_steps() -> None:
    declarations = "".join(f".global .b32 g{number};\n" for number in range(20_000))
    module = Module(f".version 9.0\n.target sm_90\n.address_size 64\n{declarations}.entry k()\n{{\n\tret;\n}}\n")
    assert module.work(600.0)
    module.edit(Range(3, 0, 3, 0), "/* ")
    calls = []
    while not module.settled:
        calls.append(calls_of(lambda: module.work(0.0)))
    assert max(calls) < 60_000


@pytest.mark.parametrize("steps", range(100, 260, 8))
def test_an_edit_between_these_steps_begins_the_search_again(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suspicions, "_AT_ONCE", 8)
    monkeypatch.setattr(invalidation, "_AT_ONCE", 8)
    monkeypatch.setattr(analysis_module, "FRESH_LINES", -1)
    declarations = "".join(f".global .b64 g{number};\n" for number in range(1_000))
    uses = "".join(f"\tld.global.b64 %r1, [g{number}];\n" for number in range(0, 900, 10))
    head = ".version 9.0\n.target sm_90\n.address_size 64\n"
    module = Module(
        f"{head}{declarations}.entry k()\n{{\n\t.reg .b64 %r<3>;\n{uses * 20}\tld.global.b64 %r1, [h];\n\tret;\n}}\n"
    )
    assert module.work(600.0)
    module.edit(Range(910, 13, 910, 13), "x")  # `g907`, which is not used
    for _ in range(steps):
        module.work(0.0)
    module.edit(Range(13, 0, 13, 0), ".global .b64 h;\n")
    while not module.work(600.0):
        pass
    fresh = Module(module.document.whole())
    fresh.work(600.0)
    assert [finding[:3] for finding in module.findings()] == [finding[:3] for finding in fresh.findings()]
