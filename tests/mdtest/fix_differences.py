"""The fixes of a fence, compared with its expectations, and the modules that they make."""

from ptx_lsp.analysis.module import Module
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.fixes.fix import Fix, apply_edits
from tests.mdtest.expectations import Expectation, expectations, expected_of
from tests.mdtest.fences import Fence


def fix_differences(fence: Fence) -> list[str]:
    """The differences from the `fix` expectations of a fence, a readable line for each."""
    module, expected = expected_of(fence, "fix")
    differences = []
    for each in expected:
        found = _fixes(each, fence, module)
        if not any(_meets(fix, each, fence) for fix in found):
            shown = "\n".join(
                f"        {'safe' if f.safe else 'unsafe'}: {f.title} -> {_result(f, each, fence)}" for f in found
            )
            differences.append(
                f"{fence.file}:{fence.line + each.line}: not offered: {each}\n    but:\n{shown or '        nothing'}"
            )
    return differences


def fixed_texts(fence: Fence) -> list[tuple[int, str]]:
    """For each `fix` expectation its line (from 0, of the fence's own text) and the line after the fix."""
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
    """The line of the expectation after the fix, without its comment."""
    line = apply_edits(fence.text, fix.edits).split("\n")[expected.line + fence.first]
    return line.split("//")[0].strip()
