"""Every fence of the Markdown files beside this one gives exactly the findings that its comments expect."""

from pathlib import Path

import pytest

from tests.mdtest.comparison import disagreements
from tests.mdtest.fences import Fence, read_fences
from tests.mdtest.fix_differences import fix_differences
from tests.mdtest.view_differences import view_differences

FENCES = [fence for path in sorted(Path(__file__).parent.glob("*.md")) for fence in read_fences(path)]


@pytest.mark.parametrize("fence", FENCES, ids=str)
def test_the_findings_are_those_that_the_fence_expects(fence: Fence) -> None:
    found = disagreements(fence)
    if found:
        pytest.fail(f"{fence.heading}\n  " + "\n  ".join(found), pytrace=False)
    assert not found


@pytest.mark.parametrize("fence", [f for f in FENCES if "hover:" in f.body or "inlay:" in f.body], ids=str)
def test_hovers_and_hints(fence: Fence) -> None:
    found = view_differences(fence)
    if found:
        pytest.fail(f"{fence.heading}\n  " + "\n  ".join(found), pytrace=False)
    assert not found


@pytest.mark.parametrize("fence", [f for f in FENCES if "fix:" in f.body], ids=str)
def test_fixes(fence: Fence) -> None:
    found = fix_differences(fence)
    if found:
        pytest.fail(f"{fence.heading}\n  " + "\n  ".join(found), pytrace=False)
    assert not found


def test_the_pages_have_fences() -> None:
    assert len(FENCES) > 10
