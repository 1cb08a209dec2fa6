"""The pages beside this file: every fence gives exactly the findings that its comments expect."""

from pathlib import Path

import pytest

from tests.mdtest.host_fences import HostFence, host_disagreements, read_host_fences

FENCES = [fence for page in sorted(Path(__file__).parent.glob("*.md")) for fence in read_host_fences(page)]


@pytest.mark.parametrize("fence", FENCES, ids=str)
def test_the_findings_are_those_that_the_fence_expects(fence: HostFence) -> None:
    found = host_disagreements(fence)
    if found:
        pytest.fail(f"{fence.heading}\n  " + "\n  ".join(found), pytrace=False)
    assert not found


def test_the_pages_have_fences() -> None:
    assert len(FENCES) > 15
