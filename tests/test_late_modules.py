"""A late module is imported at the first use of one of its names, and then has all of them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptx_lsp.late_modules import late_module

NAME = "late_example"


@pytest.fixture(autouse=True)
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module that nothing has imported."""
    (tmp_path / f"{NAME}.py").write_text("def doubled(number): return 2 * number\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop(NAME, None)


def test_the_module_is_imported_when_it_is_used() -> None:
    late = late_module(NAME)
    assert NAME not in sys.modules
    assert late.doubled(4) == 8
    assert late.doubled is sys.modules[NAME].doubled


def test_assignments_to_the_module_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    late = late_module(NAME)
    assert late.doubled(4) == 8
    monkeypatch.setattr(f"{NAME}.doubled", None)
    assert late.doubled is None


def test_a_name_that_the_module_does_not_have() -> None:
    with pytest.raises(AttributeError):
        late_module(NAME).halved  # noqa: B018
