"""The work for the fixes of a module grows with its text, and not with its text times its findings."""

import pytest

from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.syntax import statements
from tests.analysed import analysed
from tests.calls import noted_calls
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
    parsed = noted_calls(monkeypatch, statements, "_parse")
    for finding in findings:
        fixes(finding, module)
    # a fix parses its statement alone too, to verify itself
    assert wrong < len(parsed) < 8 * lines
