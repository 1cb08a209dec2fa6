"""ptxas parses the fences that say `compile=sm_NN` without an error, and judges them as expected when it compiles."""

import pytest

from tests.mdtest.expectations import expectations
from tests.mdtest.fences import Fence, read_fences
from tests.mdtest.judged_pages import PAGES, without
from tests.oracle.assembler import Assembler, Outcome, needs_assembler

FENCES = [fence for page in PAGES for fence in read_fences(page) if "compile" in fence.options]


def wrong_lines(fence: Fence, kind: str) -> list[int]:
    """The lines of the fence's own text, from 0, with an expectation of this kind."""
    return sorted({e.line for e in expectations(fence) if e.kind == kind})


# with errors, each of which belongs to one line
PARTED = [fence for fence in FENCES if wrong_lines(fence, "error") and "whole" not in fence.flags]


@needs_assembler
@pytest.mark.parametrize("fence", FENCES, ids=str)
def test_ptxas_parses_the_fence(fence: Fence) -> None:
    outcome = Assembler().module(fence.text, fence.arch)
    assert outcome.accepted, outcome.said


@needs_assembler
@pytest.mark.parametrize("fence", FENCES, ids=str)
def test_ptxas_says_what_the_fence_expects(fence: Fence) -> None:
    errors, warnings = wrong_lines(fence, "error"), wrong_lines(fence, "warning")
    outcome = _compiled(fence, fence.text)
    said = " ".join(message.text for message in outcome.said)
    assert fence.options.get("says", "") in said
    if errors:
        assert not outcome.accepted
    elif warnings or wrong_lines(fence, "info"):
        assert said
    else:
        assert outcome.accepted
        assert not said


@needs_assembler
@pytest.mark.parametrize("fence", PARTED, ids=str)
def test_each_wrong_line_alone(fence: Fence) -> None:
    errors = wrong_lines(fence, "error")
    reported = [*errors, *wrong_lines(fence, "warning")]
    for line in errors:
        alone = without(fence, [other for other in reported if other != line])
        assert not _compiled(fence, alone).accepted, f"line {line} of the fence"


@needs_assembler
@pytest.mark.parametrize("fence", PARTED, ids=str)
def test_ptxas_compiles_the_fence_without_its_wrong_lines(fence: Fence) -> None:
    lines = [*wrong_lines(fence, "error"), *wrong_lines(fence, "warning")]
    outcome = _compiled(fence, without(fence, lines))
    assert outcome.accepted, outcome.said


def _compiled(fence: Fence, text: str) -> Outcome:
    return Assembler().module(text, fence.options["compile"])
