"""What is compared with and without recognisers: findings, names, and the statements that the parser reads."""

from collections.abc import Callable, Sequence

import pytest

from ptx_lsp.reading import parsed_statements
from tests.analysed import analysed
from tests.analysis.incremental import shown
from tests.calls import noted_calls

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
    module = analysed(text)
    blocks = module.block_map.blocks
    return [(set(part.read.split()), set(part.written.split())) for block in blocks for part in block.parts]


def parsed_statements_of(text: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The classes of the statements of a text that the parser reads."""
    calls = noted_calls(monkeypatch, parsed_statements, "apply_statement")
    findings(text)
    return [type(call.given[1]).__name__ for call in calls]
