"""Semantic tokens of some lines, and after an edit: those of the whole document, found with little work."""

from collections.abc import Sequence
from typing import Any

import pytest

from ptx_lsp.features.semantic_tokens import semantic_tokens, tokens_in_range
from ptx_lsp.syntax.statements import parse_statements
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.calls import calls_of
from tests.features.module_tokens import tokens, tokens_of_lines, words
from tests.features.modules import in_body


def test_the_tokens_of_a_range_are_those_of_the_document_in_these_lines() -> None:
    body = "".join(f"l{n}:\n\tadd.s32 %r1,\n\t\t%r2, {n}; /* a\n b */\n\tbra l{n};\n" for n in range(300))
    module = analysed(in_body(body))
    everything = tokens(module)
    for first, last in [(0, 3), (10, 20), (500, 560), (14, 14), (1400, 9999)]:
        found = tokens_of_lines(module, first, last)
        assert found == [token for token in everything if first <= token.line <= last]
        assert found


FUNCTION = """.visible .entry k{0}(.param .u64 k{0}_param)
{{
\t.reg .b32 %r<4>;
\t{{
\t.reg .b32 only{0};
\tmov.b32 only{0}, %r1;
\t}}
\tret;
}}
"""


@pytest.mark.parametrize("after", ["", "{ ret; }\n", "\tret;\n", "/* a\n comment */\n", ".global .b32 next;\n"])
def test_a_range_below_other_functions_has_the_tokens_of_the_document(after: str) -> None:
    functions = (FUNCTION.format(number) + (after if number % 3 == 0 else "") for number in range(40))
    module = analysed(".version 8.4\n.target sm_90\n.address_size 64\n" + "".join(functions))
    everything = tokens(module)
    for first in range(0, module.document.line_count, 5):
        found = tokens_of_lines(module, first, first + 9)
        assert found == [token for token in everything if first <= token.line <= first + 9]


def test_a_range_is_found_without_the_statements_of_the_functions_above(monkeypatch: pytest.MonkeyPatch) -> None:
    module = analysed(".version 8.4\n.target sm_90\n.address_size 64\n" + "".join(map(FUNCTION.format, range(200))))
    parsed: list[int] = []

    def count(*arguments: Any) -> Any:
        parsed.append(1)
        return parse_statements(*arguments)

    monkeypatch.setattr("ptx_lsp.features.semantic_tokens.parse_statements", count)
    last = module.document.line_count - 1
    assert [list(blocks) for blocks in tokens_in_range(module, last - 5, last)]
    assert len(parsed) < 20


def test_the_lines_between_a_declaration_and_a_range_are_skipped_without_their_words() -> None:
    lines = "".join(f"\tadd.s32 %r1, %r2, {number};\n" for number in range(1_000))
    module = analysed(in_body(lines + "\t{ .reg .b32 inner; }\n" + lines))
    last = module.document.line_count - 1
    # the words of one line take some 30 calls
    assert calls_of(lambda: list(tokens_in_range(module, last - 9, last))) < 30 * 1_000


def test_only_what_an_edit_changes_is_read_again() -> None:
    body = "".join(f"\tadd.s32 %r1, %r2, {n};\n" for n in range(5_000))
    module = analysed(in_body(body))
    before = {id(block.numbers) for blocks in semantic_tokens(module) for block in blocks}
    module.edit(Range(1_000, 0, 1_000, 0), "\tmul.lo.s32 %r3, %r4, 5;\n")
    module.work()
    after = [block for blocks in semantic_tokens(module) for block in blocks]
    assert len(after) > 10
    assert len([block for block in after if id(block.numbers) not in before]) <= 2 + len(after) - len(before)
    assert tokens(module) == tokens(analysed(module.document.whole()))


def test_a_name_that_is_used_no_more_after_an_edit_elsewhere() -> None:
    module = analysed(in_body("\tmov.b32 %q1, 1;\n" + "\tret;\n" * 2_000, "").replace(".reg .f64 %fd", ".reg .b32 %q"))
    tokens(module)
    line = next(n for n in range(module.document.line_count) if "%q1" in module.document.line(n))
    module.edit(Range(line, 0, line + 1, 0), "")
    module.work()
    assert words(module, "%q<")[2] == "%q variable.declaration.unused"


ELSEWHERE = {
    "a variable of the module": (".entry k()\n{\n\tmov.u64 %rd1, late;\n}\n", ".global .b32 late;\n", ""),
    "a function": (".func f()\n{\n\tcall late;\n}\n", ".func late()\n{\n}\n", ""),
    "a register of the function": (".entry k()\n{\n\tmov.u32 %r1, late;\n", ".reg .b32 late;\n", "}\n"),
    "a register that hides a variable": (
        *(".global .b32 late;\n.entry k()\n{\n\tmov.u32 %r1, late;\n", ".reg .b32 late;\n", "}\n"),
    ),
    "a register that hides a variable from a nested block": (
        *(".global .b32 late;\n.entry k()\n{\n{\n\tmov.u32 %r1, late;\n}\n", ".reg .b32 late;\n", "}\n"),
    ),
    "a special register": (".entry k()\n{\n\tmov.u32 %r1, %tid;\n", ".param .b32 %tid;\n", "}\n"),
    "a label that is an operand": (".entry k()\n{\n\tmov.u32 %r1, late;\n", "late:\n", "}\n"),
    "a label with the name of a register": (".entry k()\n{\n.reg .b32 late;\n\tbra late;\n", "late:\n", "}\n"),
    "a label above, with the name of a register": (".entry k()\n{\n.reg .b32 late;\n", "late:\n", "\tbra late;\n}\n"),
    "a label of a nested block": (".entry k()\n{\n{\n", "late:\n", "\tmov.u32 %r1, late;\n}\n}\n"),
}
"""A text above, a declaration and a text below; one of the texts has a name whose meaning the declaration changes."""


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_name_that_is_declared_in_another_block(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptx_lsp.analysis.module.FRESH_LINES", -1)
    above, declaration, below = ELSEWHERE[name]
    above, below = above + "// far\n" * 400, "// far\n" * 400 + below
    line, end_line = above.count("\n"), (above + declaration).count("\n")
    without, declared = above + below, above + declaration + below
    for before, after, edit in (
        (without, declared, (Range(line, 0, line, 0), declaration)),
        (declared, without, (Range(line, 0, end_line, 0), "")),
    ):
        module, fresh = analysed(before), tokens(analysed(after))
        assert len(tokens(module)) > 0
        module.edit(*edit)
        module.work()
        assert tokens(module) == fresh


@pytest.mark.parametrize(
    "above", ["}\n", "\tret;\nend:\n\n}\n", '}\n\t.file 1 "k.cu"\n', '\tret;\n}\n\t.file 1 "k.cu"\n\n']
)
def test_the_rows_of_a_section_are_taken_in_steps_whatever_is_above_it(above: str) -> None:
    rows = ".b8 1\n" * 20_000
    module = analysed(in_body("").replace("\n\tret;\n}\n", f"\n{above}\t.section .debug_info\n\t{{\n{rows}\t}}\n"))
    steps = tokens_in_range(module, 0, module.document.line_count)
    assert max(calls_of(lambda: next(steps, None)) for _ in range(4_000)) < 20_000
    assert next(steps, None) is None


@pytest.mark.parametrize("mistake", ["", ".b8 1,,2\n", "x\n"])
@pytest.mark.parametrize("above", ["", "}\n", "\tret;\n}\n{\n"])
def test_a_range_of_a_long_section_divides_few_rows_into_lines(
    above: str, mistake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "".join(f".b8 {number % 256}\nlabel_{number}: // row\n.b64 label_{number}\n" for number in range(1_000))
    section = f"\t.section .debug_info\n\t{{\n{rows}{mistake}{rows.replace('label', 'other')}\t}}\n"
    module = analysed(in_body("").replace("\n\tret;\n}\n", f"\n{above}{section}"))
    every = tokens(module)
    divided: list[int] = []

    def noted(text: str, lines: Sequence[str] | None = None, begin: int = 0) -> list[int]:
        found = line_starts(text, lines, begin)
        divided.append(len(found))
        return found

    for name in ("features.semantic_tokens", "text.kept_lines"):
        monkeypatch.setattr(f"ptx_lsp.{name}.line_starts", noted)
    last = module.document.line_count - 1
    for first in (0, 20, 2_700, 3_020, 5_000, last - 70):
        found = [each for block in tokens_in_range(module, first, first + 60) for each in block]
        expected = [token for token in every if first <= token.line <= first + 60]
        assert [token for each in found for token in each.tokens()] == expected
    assert max(divided) < 300 or above != "}\n"  # otherwise the function does not end above the rows
