"""The lines above a range of tokens: whatever they hold, the tokens are those of the document in these lines."""

from typing import Any

import pytest

from ptx_lsp.features import semantic_tokens as feature
from ptx_lsp.features.lines_above import end_of_lines_above
from ptx_lsp.syntax.statements import parse_statements
from tests.analysed import analysed
from tests.features.module_tokens import tokens, tokens_of_lines
from tests.features.modules import in_body

PLAIN = [
    "\tadd.s32 %r1, %r2, 3; // a sum",
    "\t@!%p1 bra $L_1;",
    "\tmov.b64 {%r1, %r2}, %rd1;",
    "\tret;",
    "",
    "\t// a comment",
    "$L_1:",
    "$L_2: // a label\n\n$L_3:",
    "\t.loc 1 2 3\n\tmov.b32 %r1, 4;",
    "\t.loc 1 2 3, function_name $L_info, inlined_at 1 5 6 // inlined\n\tmov.b32 %r1, 4;",
    '\t.pragma "nounroll";',
    "\t.reg .b32 %more<4>;",
    "\t{ // callseq 0, 0\n\t.param .b32 param0;\n$L_9:\n\tst.param.b32 [param0], %r1;\n"
    "\tcall.uni\n\tf,\n\t(\n\tparam0\n\t);\n\t}",
    "\t{ .reg .b32 %r1; mov.b32 %r1, 5; }",
    "\tcall.uni (%r1),\n\tg,\n\t(%r2);",
]
"""Statements above a range that are passed over together."""
OTHER = [
    "$L_4:\n\t.branchtargets $L_1, $L_2;",
    "$L_5: .callprototype _ (.param .b32 _);",
    "$L_6:\nbranchtargets $L_1, $L_2;",
    "$L_7:\n$L_1, $L_2;",
    "$L_8:\n\tlabel_1, label_2;",
    "\t.loc 1 2 3\n\t, function_name $L_info, inlined_at 1 5 6\n\tmov.b32 %r1, 4;",
    "\tmov.b32 %r1, 5",
    "\t{ .reg .b32 inner;\n\tmov.b32 inner, %r1;",
    "\tmov.b32 inner, 7; }",
    "\t}",
    "\t/* a comment",
    "\t*/ ret;",
    "\tret }",
    "\t.shared .b32 table[2] = {1, 2};",
    ".visible .entry another()\n{\n\t.reg .b32 %r<4>;",
]
"""Statements that the parser reads, and mistakes."""
MISTAKES = [
    "\treg .b32 %missing;",
    "\tcall f, (%r1;",
    "\tadd.s32 %r1 %r2;;",
    "\t.reg .b32 %one %two;",
    "\t.param .b32 .func x;",
]


@pytest.mark.parametrize("other", OTHER + MISTAKES)
def test_tokens_below_any_line_are_those_of_the_document(other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "\n".join([*PLAIN, other, *PLAIN, "\tadd.s32 %r1, %more1, inner;", "$L_10:", "\tbra $L_10;"])
    module = analysed(in_body(body))
    everything = tokens(module)
    for first in range(module.document.line_count):
        assert tokens_of_lines(module, first, first + 2) == [
            each for each in everything if first <= each.line <= first + 2
        ]
    monkeypatch.setattr(feature, "label_line", lambda text, start: None)
    assert tokens(analysed(in_body(body))) == everything


@pytest.mark.parametrize("line", PLAIN)
def test_a_usual_statement_above_a_range_is_passed_over(line: str) -> None:
    text = f"{line}\n\tret;\n"
    assert end_of_lines_above(text, 0, len(text)) == len(text)


@pytest.mark.parametrize("line", OTHER)
def test_another_statement_above_a_range_is_not_passed_over(line: str) -> None:
    text = f"{line}\n\tret;\n"
    assert end_of_lines_above(text, 0, len(text)) < len(text)


def _noting(calls: list[Any], work: Any) -> Any:
    """A function that notes the arguments of each call."""

    def noting(*asked: Any) -> Any:
        calls.append(asked)
        return work(*asked)

    return noting


def test_usual_statements_above_a_range_are_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[Any] = []
    monkeypatch.setattr(feature, "parse_statements", _noting(parsed, parse_statements))
    module = analysed(in_body("\n".join(PLAIN[:6] * 40 + PLAIN[8:] * 40)))
    last = module.document.line_count - 1
    assert tokens_of_lines(module, last - 3, last)
    assert len(parsed) < 20
