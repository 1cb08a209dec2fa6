"""Fixing a whole text, as `check --fix` does: the safe fixes and, on request, the unsafe ones."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from ptx_lsp.analysis.module import Checks, Module
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.fixes.fix import Edit, Fix, apply_edits

DEFAULT_CHECKS = Checks()
MOST_ROUNDS = 8
"""At most this many rounds: a fix can cause another finding, and fixes that conflict are made in the next round."""


class Fixed(NamedTuple):
    """A text after its fixes, and the number of fixes that were made."""

    text: str
    made: int


class Checked(Protocol):
    """A text after its check."""

    def findings(self) -> list[Finding]:
        """Its findings, in the order of the text."""

    def first_fixes(self) -> list[Fix]:
        """The first fix of each finding that has one, in the same order."""


class _CheckedModule(NamedTuple):
    module: Module

    def findings(self) -> list[Finding]:
        return self.module.findings()

    def first_fixes(self) -> list[Fix]:
        first = [next(iter(fixes(finding, self.module)), None) for finding in self.module.findings()]
        return [fix for fix in first if fix is not None]


def fix_all(text: str, checks: Checks = DEFAULT_CHECKS, *, unsafe: bool = False) -> Fixed:
    """Make every safe fix in `text`; if `unsafe`, also the first fix of each finding that has no safe one.

    Findings that `checks` switch off are not fixed.
    """
    return fix_in_rounds(text, lambda each: _CheckedModule(checked(each, checks)), unsafe)


def fix_in_rounds(text: str, check: Callable[[str], Checked], unsafe: bool) -> Fixed:
    """Make the safe fixes of a text that `check` can check; if `unsafe`, also the first fix of each other finding.

    Fixes of the same place are made one after the other, in rounds. After each round the text is checked again. If it
    does not have fewer findings then, the round is undone, and its fixes are tried one at a time.
    """
    now = _Attempt(text, check(text), 0)
    made = 0
    for _ in range(MOST_ROUNDS):
        chosen = compatible(fix for fix in now.checked.first_fixes() if fix.safe or unsafe)
        better = _better(now, chosen, check) or _one_at_a_time(now, chosen, check)
        if better is None:
            break
        now = better
        made += now.made
    return Fixed(now.text, made)


def checked(text: str, checks: Checks) -> Module:
    """The module of `text`, with its findings."""
    module = Module(text, checks)
    module.work()
    return module


class _Attempt(NamedTuple):
    """A text with its check, and how many fixes made it from the text before it."""

    text: str
    checked: Checked
    made: int


def _better(now: _Attempt, chosen: list[Fix], check: Callable[[str], Checked]) -> _Attempt | None:
    """The text with these fixes, checked; None if it does not have fewer findings."""
    if not chosen:
        return None
    text = apply_edits(now.text, [edit for fix in chosen for edit in fix.edits])
    fixed = check(text)
    return _Attempt(text, fixed, len(chosen)) if _weight(fixed) < _weight(now.checked) else None


MOST_SINGLE = 20
"""At most this many fixes of a round that failed are tried alone: each of them takes a check of the whole text."""


def _one_at_a_time(now: _Attempt, chosen: list[Fix], check: Callable[[str], Checked]) -> _Attempt | None:
    """The text after the first fix that reduces the number of findings by itself; None if no fix does."""
    if len(chosen) < 2:
        return None
    return next((tried for fix in chosen[:MOST_SINGLE] if (tried := _better(now, [fix], check))), None)


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


def _weight(text: Checked) -> tuple[int, int]:
    """The number of errors, then the number of other findings."""
    findings = text.findings()
    return sum(f.severity is Severity.ERROR for f in findings), len(findings)
