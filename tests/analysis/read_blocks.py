"""What is read of a module while it is analysed in slices, as in an editor."""

import pytest

from ptx_lsp.analysis import incremental
from ptx_lsp.analysis.module import Module
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.reader import read
from ptx_lsp.reading.state import Below


def noted_lines(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that gets the number of lines of each block that is read after this call."""
    found: list[int] = []

    def noted(block: BlockReader, below: Below) -> None:
        read(block, below)
        found.append(block.source.text.count("\n"))

    monkeypatch.setattr(incremental, "read", noted)
    return found


def work(module: Module) -> None:
    """Analyse a module as an editor does, in slices."""
    while not module.work(0.0):
        pass
