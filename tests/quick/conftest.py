"""The parser alone, with which the tests compare the recognisers."""

from collections.abc import Sequence

import pytest

from ptx_lsp.reading import reader
from tests.quick.comparison import Analysis, findings


@pytest.fixture
def parser_alone(monkeypatch: pytest.MonkeyPatch) -> Analysis:
    """A function that analyses a text without recognisers."""

    def analyse(text: str) -> Sequence[object]:
        with monkeypatch.context() as patch:
            patch.setattr(reader, "RECOGNISERS", False)
            return findings(text)

    return analyse
