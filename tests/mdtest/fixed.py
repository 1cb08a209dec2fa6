"""A fence's fixes compared with what it expects of them, and the modules that they give."""

from ptx_lsp.analysis.module import Module
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.fixes.fix import Fix, apply_edits
from tests.mdtest.expectations import Expectation, expectations
from tests.mdtest.fences import Fence


def fixed_otherwise(fence: Fence) -> list[str]:
    """In what the fixes differ from the fence's `fix` expectations: a readable line for each."""
    expected = [e for e in expectations(fence) if e.kind == "fix"]
    if not expected:
        return []
    module = Module(fence.text)
    module.work()
    told = []
    for each in expected:
        found = _fixes(each, fence, module)
        if not any(_meets(fix, each, fence) for fix in found):
            shown = "\n".join(
                f"        {'safe' if f.safe else 'unsafe'}: {f.title} -> {_result(f, each, fence)}" for f in found
            )
            told.append(
                f"{fence.file}:{fence.line + each.line}: not offered: {each}\n    but:\n{shown or '        nothing'}"
            )
    return told


def fixed_texts(fence: Fence) -> list[tuple[int, str]]:
    """For each `fix` expectation its line (from 0, of the fence's own text) and the line that the fix gives."""
    return [(e.line, e.at) for e in expectations(fence) if e.kind == "fix" and e.at is not None]


def _fixes(expected: Expectation, fence: Fence, module: Module) -> list[Fix]:
    line = expected.line + fence.first
    return [fix for finding in module.findings() if finding.range.line == line for fix in fixes(finding, module)]


def _meets(fix: Fix, expected: Expectation, fence: Fence) -> bool:
    return (
        (expected.code is None or (expected.code == "safe") is fix.safe)
        and (expected.part is None or expected.part in fix.title)
        and (expected.at is None or expected.at == _result(fix, expected, fence))
        and (not fix.preferred or fix.safe)
    )


def _result(fix: Fix, expected: Expectation, fence: Fence) -> str:
    """The line of the expectation as it reads with the fix, without its comment."""
    line = apply_edits(fence.text, fix.edits).split("\n")[expected.line + fence.first]
    return line.split("//")[0].strip()
