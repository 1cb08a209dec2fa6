"""The rendered output of `check` is the one that a person has read."""

import pytest

from tests.cli.snapshots import PAGE, printed, rewritten, snapshots
from tests.mdtest.fences import Fence


@pytest.mark.parametrize(("fence", "output"), snapshots(), ids=str)
def test_the_output_is_that_of_the_page(fence: Fence, output: str) -> None:
    assert printed(fence) == output, "read the difference, then run `python -m tests.cli.snapshots`"


def test_writing_again_changes_nothing_if_all_outputs_are_right() -> None:
    assert rewritten() == PAGE.read_text("utf-8")


def test_the_page_shows_related_notes() -> None:
    assert sum(output.count(": note: ") for _, output in snapshots()) >= 5
