"""Every fence of the Markdown files beside this one gives exactly the findings that its comments expect."""

from pathlib import Path

import pytest

from tests.mdtest.comparison import disagreements
from tests.mdtest.fences import Fence, read_fences
from tests.mdtest.fix_differences import fix_differences
from tests.mdtest.view_differences import view_differences
from tests.phrases import FENCED

PAGES = sorted(Path(__file__).parent.glob("*.md"))
FENCES = [fence for path in PAGES for fence in read_fences(path)]


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


def test_the_pages_have_fences_below_headings_of_their_own() -> None:
    assert len(FENCES) > 10
    for path in PAGES:
        headings = [line for line in FENCED.sub("", path.read_text("utf-8")).splitlines() if line.startswith("#")]
        assert len(headings) == len(set(headings)), path.name
