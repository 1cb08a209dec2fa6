"""What is compared with and without recognisers: findings, names, and the statements that the parser reads."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.quick import text_shapes
from ptx_lsp.reading import parsed_statements
from ptx_lsp.reading.block_reader import BlockReader
from ptx_lsp.reading.parsed_statements import apply_statement
from ptx_lsp.syntax.tree import Statement
from tests.analysed import analysed
from tests.analysis.incremental import shown

HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n"

Analysis = Callable[[str], Sequence[object]]
"""From a text to its findings."""


def findings(text: str) -> list[tuple[object, ...]]:
    """The findings that an editor shows."""
    return shown(analysed(text))


def function(name: str, declarations: str, lines: list[str]) -> str:
    """A kernel of these lines."""
    return f".entry {name}()\n{{\n{declarations}" + "".join(f"\t{line}\n" for line in lines) + "\tret;\n}\n"


def names(text: str) -> list[tuple[set[str], set[str]]]:
    """The names that each function of a text only reads, and those that it writes."""
    module = Module(text)
    module.work()
    blocks = module._analysis.block_map.blocks
    return [(set(part.read.split()), set(part.written.split())) for block in blocks for part in block.parts]


def results_of(function: str, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The results of a function of `text_shapes` from now on, without None."""
    found: list[object] = []
    original = getattr(text_shapes, function)

    def watched(*given: Any) -> Any:
        result = original(*given)
        found.extend([result] if result is not None else [])
        return result

    monkeypatch.setattr(text_shapes, function, watched)
    return found


def parsed_statements_of(text: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The classes of the statements of a text that the parser reads."""
    taken: list[str] = []

    def watched(block_reader: BlockReader, statement: Statement, broken: bool) -> None:
        taken.append(type(statement).__name__)
        apply_statement(block_reader, statement, broken)

    monkeypatch.setattr(parsed_statements, "apply_statement", watched)
    findings(text)
    return taken
