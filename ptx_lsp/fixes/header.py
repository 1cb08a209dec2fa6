"""Fixes that change what the module says it is written for: a higher `.version`, another `.target`.

Offered only after the whole module was checked that way: raising a version can take instructions away.
"""

import re
from collections.abc import Iterator

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.fixes.fix import Edit, Fix, apply_edits
from ptx_lsp.isa.releases import cuda_release, read_version
from ptx_lsp.text.lines import line_starts
from ptx_lsp.text.ranges import Range

LONGEST_CHECKED = 1_000_000
"""Characters beyond which a module is not checked once more just to offer a fix."""

_VERSION = re.compile(r"^[ \t\f]*\.version[ \t]+([0-9]+\.[0-9]+)", re.M)
_TARGET = re.compile(r"^[ \t\f]*\.target[ \t]+((?:sm|compute)_[0-9]+[af]?)(?![ \t]*,[ \t]*(?:sm|compute)_)", re.M)


def raise_version(finding: Finding, module: Module) -> Iterator[Fix]:
    """The module's `.version` raised to the lowest that has what the finding is about."""
    wanted = finding.data.get("version", "")
    edit = _edit(_VERSION, wanted, module)
    version = read_version(wanted)
    if edit is not None and version is not None and _is_better(module, edit):
        release = cuda_release(version)
        with_release = f" (CUDA {release})" if release else ""
        yield Fix(f"raise `.version` to {wanted}{with_release}", (edit,), preferred=True)


def change_target(finding: Finding, module: Module) -> Iterator[Fix]:
    """Another `.target`, for each that has what the finding is about."""
    for wanted in finding.data.get("target", "").split():
        edit = _edit(_TARGET, wanted, module)
        if edit is not None and _is_better(module, edit):
            yield Fix(f"write `.target {wanted}`{_consequence(wanted)}", (edit,))


def _consequence(target: str) -> str:
    number = target.strip("smcopute_")
    if not number[-1:].isalpha():
        return ""
    major, minor = number[:-2], number[-2]
    if number.endswith("a"):
        return f": the module then runs on compute capability {major}.{minor} only"
    return f": the module then runs on the family of compute capability {major}.{minor} only"


def _edit(directive: re.Pattern[str], wanted: str, module: Module) -> Edit | None:
    text = module.document.whole()
    found = directive.search(text)
    if found is None or not wanted or found[1] == wanted or len(text) > LONGEST_CHECKED:
        return None
    starts = line_starts(text[: found.end()])
    line, first = len(starts) - 1, starts[-1]
    return Edit(Range(line, found.start(1) - first, line, found.end(1) - first), wanted)


def _is_better(module: Module, edit: Edit) -> bool:
    """Whether the module has fewer errors with that edit, and none on lines that had none."""
    changed = Module(apply_edits(module.document.whole(), (edit,)))
    changed.work()
    before = {f.range.line for f in module.findings() if f.severity is Severity.ERROR}
    after = [f.range.line for f in changed.findings() if f.severity is Severity.ERROR]
    return set(after) < before
