"""Mending a whole text unasked, as `check --fix` does: only what is certain, and only what makes it better."""

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Severity
from ptx_lsp.fixes.catalogue import SOMETIMES_CERTAIN, fixes
from ptx_lsp.fixes.fix import Edit, Fix, apply_edits

MOST_ROUNDS = 8
"""One mend can bring to light what it hid; this is how often we look again."""


def mend(text: str) -> tuple[str, int]:
    """`text` with every certain fix made, and how many were made. A text without any comes back as it was.

    After each round the text is checked again, and a round that did not leave fewer errors is taken back.
    """
    module = _checked(text)
    made = 0
    for _ in range(MOST_ROUNDS):
        chosen = _compatible(_certain_fixes(module))
        if not chosen:
            break
        new_text = apply_edits(text, [edit for fix in chosen for edit in fix.edits])
        mended = _checked(new_text)
        if _weight(mended) >= _weight(module):
            break
        text, module, made = new_text, mended, made + len(chosen)
    return text, made


def _checked(text: str) -> Module:
    module = Module(text)
    module.work()
    return module


def _certain_fixes(module: Module) -> list[Fix]:
    found = []
    for finding in module.findings():
        if finding.code in SOMETIMES_CERTAIN:
            found += [fix for fix in fixes(finding, module) if fix.certain][:1]
    return found


def _compatible(candidates: list[Fix]) -> list[Fix]:
    """Those that touch nothing that one before them touches; the others get their turn in the next round."""
    chosen: list[Fix] = []
    taken: dict[int, list[Edit]] = {}
    for fix in candidates:
        lines = {line for edit in fix.edits for line in (edit.range.line, edit.range.end_line)}
        near = [edit for line in lines for edit in taken.get(line, ())]
        if any(_overlap(edit, other) for edit in fix.edits for other in near):
            continue
        chosen.append(fix)
        for edit in fix.edits:
            for line in {edit.range.line, edit.range.end_line}:
                taken.setdefault(line, []).append(edit)
    return chosen


def _overlap(one: Edit, other: Edit) -> bool:
    if one.range == other.range:
        # two insertions at one place can be two declarations, or twice the same one
        return one.range.start != one.range.end or one.text == other.text
    return one.range.start < other.range.end and other.range.start < one.range.end


def _weight(module: Module) -> tuple[int, int]:
    """Errors first, then everything else."""
    findings = module.findings()
    return sum(f.severity is Severity.ERROR for f in findings), len(findings)
