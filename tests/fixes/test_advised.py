"""Every message that says "write X" has a fix that writes X."""

import re
from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding
from ptx_lsp.fixes.advised import advice
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.fixes.fix import apply_edits
from tests.analysed import analysed
from tests.mdtest.fences import read_fences

ROOT = Path(__file__).parents[2]
PAGES = [*sorted((ROOT / "ptx_lsp" / "rules").glob("*.md")), *sorted((ROOT / "tests" / "mdtest").glob("*.md"))]

BEFORE = re.compile(r"write `([^`]+)` before `([^`]+)`")


def advising(page: Path) -> list[tuple[str, Module, Finding]]:
    found = []
    for fence in read_fences(page):
        module = analysed(fence.text)
        found += [(fence.text, module, finding) for finding in module.findings() if advice(finding.message)]
    return found


def squeezed(text: str) -> str:
    return "".join(text.split())


def writes(text: str, module: Module, finding: Finding) -> bool:
    """Whether a fix inserts one of the advised spellings, or removes superfluous text so that one is there.

    If the message says to write one operand before another one, whether a fix puts them in that order.
    """
    before = squeezed(text)
    order = BEFORE.search(finding.message)
    for fix in fixes(finding, module):
        fixed = apply_edits(text, fix.edits)
        after = squeezed(fixed)
        if order is not None:
            statement = fixed.split("\n")[finding.range.line][finding.range.column :]
            return statement.index(order[1]) < statement.index(order[2])
        for spelling in map(squeezed, advice(finding.message)):
            added = after.count(spelling) - before.count(spelling)
            if added > 0 or (added == 0 and len(after) < len(before) and spelling in after):
                return True
    return False


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_message_advises_has_a_fix(page: Path) -> None:
    lacking = [finding.message for text, module, finding in advising(page) if not writes(text, module, finding)]
    assert lacking == []


def test_messages_advise_something() -> None:
    assert sum(len(advising(page)) for page in PAGES) >= 10


@pytest.mark.parametrize(
    ("message", "spellings"),
    [
        ("offsets are added: write `+-8`", ["+-8"]),
        ("`max` does not take `.b32`: write `.u32` or `.s32`", [".u32", ".s32"]),
        ("`.tf32` is a type of instructions only: keep it in `.b32`", [".b32"]),
        ("write `add.s32 %r1, ...`", []),
        ("`%r1` is not declared", []),
    ],
)
def test_advice_is_read_from_the_message(message: str, spellings: list[str]) -> None:
    assert advice(message) == spellings
