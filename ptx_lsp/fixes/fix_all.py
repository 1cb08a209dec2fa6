"""Fixing a whole text, as `check --fix` does: the safe fixes and, on request, the unsafe ones."""

from collections.abc import Iterable
from typing import NamedTuple

from ptx_lsp.analysis.module import Checks, Module
from ptx_lsp.findings.finding import Severity
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.fixes.fix import Edit, Fix, apply_edits

DEFAULT_CHECKS = Checks()
MOST_ROUNDS = 8
"""At most this many rounds: a fix can cause another finding, and fixes that conflict are made in the next round."""


class Fixed(NamedTuple):
    """A text after its fixes, and the number of fixes that were made."""

    text: str
    made: int


def fix_all(text: str, checks: Checks = DEFAULT_CHECKS, *, unsafe: bool = False) -> Fixed:
    """Make every safe fix in `text`; if `unsafe`, also the first fix of each finding that has no safe one.

    Findings that `checks` switch off are not fixed.

    Fixes of the same place are made one after the other, in rounds. After each round the text is checked again. If it
    does not have fewer findings then, the round is undone, and its fixes are tried one at a time.
    """
    module = checked(text, checks)
    made = 0
    for _ in range(MOST_ROUNDS):
        chosen = compatible(_first_fixes(module, unsafe))
        better = _better(text, module, chosen) or _one_at_a_time(text, module, chosen)
        if better is None:
            break
        text, module, count = better
        made += count
    return Fixed(text, made)


def checked(text: str, checks: Checks) -> Module:
    """The module of `text`, with its findings."""
    module = Module(text, checks)
    module.work()
    return module


def _first_fixes(module: Module, unsafe: bool) -> list[Fix]:
    first = [next(iter(fixes(finding, module)), None) for finding in module.findings()]
    return [fix for fix in first if fix is not None and (fix.safe or unsafe)]


Attempt = tuple[str, Module, int]


def _better(text: str, module: Module, chosen: list[Fix]) -> Attempt | None:
    """`text` with these fixes, checked; None if it does not have fewer findings."""
    if not chosen:
        return None
    new_text = apply_edits(text, [edit for fix in chosen for edit in fix.edits])
    fixed = checked(new_text, module.checks)
    return (new_text, fixed, len(chosen)) if _weight(fixed) < _weight(module) else None


MOST_SINGLE = 20
"""At most this many fixes of a round that failed are tried alone: each of them takes a check of the whole text."""


def _one_at_a_time(text: str, module: Module, chosen: list[Fix]) -> Attempt | None:
    """The text after the first fix that reduces the number of findings by itself; None if no fix does."""
    if len(chosen) < 2:
        return None
    return next((tried for fix in chosen[:MOST_SINGLE] if (tried := _better(text, module, [fix]))), None)


def compatible(candidates: Iterable[Fix]) -> list[Fix]:
    """The `candidates` whose edits do not overlap with those of an earlier one."""
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
        # two insertions at one place can be two declarations, or the same declaration twice
        return one.range.start != one.range.end or one.text == other.text
    return one.range.start < other.range.end and other.range.start < one.range.end


def _weight(module: Module) -> tuple[int, int]:
    """The number of errors, then the number of other findings."""
    findings = module.findings()
    return sum(f.severity is Severity.ERROR for f in findings), len(findings)
