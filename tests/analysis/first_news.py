"""What is shown first after an edit, and how much has been read by then."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.reader import read
from ptx_lsp.reading.state import Below
from ptx_lsp.text.ranges import Range


def shown_first(module: Module) -> set[tuple[str, Range]]:
    """Work until there is something to show: what is complete if there is nothing before."""
    while not (module.has_news or module.settled):
        module.work(0.0)
    return shown(module)


def shown(module: Module) -> set[tuple[str, Range]]:
    return {(finding.code, finding.range) for finding in module.findings()}


def lines_read(monkeypatch: pytest.MonkeyPatch, *modules: str) -> list[int]:
    """How many lines that are not empty each text has that one of these modules of the analysis reads from now on."""
    lengths: list[int] = []

    def counted(reader: BlockReader, below: Below) -> None:
        lengths.append(len(list(filter(None, reader.source.text.split("\n")))))
        read(reader, below)

    for module in modules:
        monkeypatch.setattr(f"ptx_lsp.analysis.{module}.read", counted)
    return lengths
