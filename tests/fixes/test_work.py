"""The work for the fixes of a module grows with its text, and not with its text times its findings."""

from collections import Counter

import pytest

from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.syntax import statements
from ptx_lsp.syntax.lexer import Cursor
from ptx_lsp.syntax.tree import Statement
from tests.analysed import analysed
from tests.features.modules import in_body

RIGHT, WRONG = "\tadd.s32 %r1, %r2, %r3;\n", "\tadd.s32 %r1, %r2, %f1;\n"


@pytest.mark.parametrize(("right", "wrong"), [(0, 400), (6_000, 60)])
def test_the_fixes_of_all_findings_parse_each_line_a_few_times(
    right: int, wrong: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = analysed(in_body(RIGHT * right + WRONG * wrong))
    lines = right + wrong
    findings = module.findings()
    assert len(findings) >= wrong
    parse, parsed = statements._parse, Counter[str]()

    def counted(cursor: Cursor) -> Statement:
        parsed["statements"] += 1
        return parse(cursor)

    monkeypatch.setattr(statements, "_parse", counted)
    for finding in findings:
        fixes(finding, module)
    # a fix parses its statement alone too, to verify itself
    assert wrong < parsed["statements"] < 8 * lines
