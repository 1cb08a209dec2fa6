"""The tables of this room say for each error which text it underlines."""

import importlib
from pathlib import Path

import pytest

from tests.judgement.verdicts import rows, without_places

TABLES = {
    "calls": ("DIRECT_CALLS", "INDIRECT_CALLS"),
    "declarations": ("MODULE_DECLARATIONS", "BODY_DECLARATIONS"),
    "directives": ("MODULE_DIRECTIVES", "BODY_DIRECTIVES"),
    "functions": ("HEADERS",),
    "initialisers": ("INITIAL_VALUES",),
    "metadata_sections": ("SECTIONS", "MARKS", "OLD", "OTHER"),
    "performance": ("KERNEL_DIRECTIVES", "FUNCTION_DIRECTIVES"),
    "source_sections": ("SECTIONS",),
    "structure": ("HEADS",),
    "textures": ("WITHOUT_SAMPLER", "WITH_SAMPLER", "OLD_TEXTURES"),
    "unified_addresses": ("ROWS",),
}


@pytest.mark.parametrize("name", TABLES)
def test_every_error_of_a_table_has_its_place(name: str) -> None:
    module = importlib.import_module(f"tests.semantics.test_{name}")
    for table in TABLES[name]:
        assert sum(bool(row.errors) for row in rows(getattr(module, table))) > 0
        assert without_places(getattr(module, table)) == []


def test_every_module_with_a_table_is_listed() -> None:
    with_tables = {
        path.stem.removeprefix("test_")
        for path in Path(__file__).parent.glob("test_*.py")
        if "ptxas_mistakes(" in path.read_text("utf-8") and path != Path(__file__)
    }
    assert with_tables == set(TABLES)
