"""The tables of this room say for each error which text it underlines."""

import importlib

import pytest

from tests.judgement.verdicts import rows, without_places

TABLES = {
    "accepted_operands": (
        *("ADDRESSES_AND_REGISTERS", "COORDINATES", "MODIFIERS_ALONE", "TENSOR_MAPS", "WIDE_SWIZZLE"),
        "BRACES_IN_MMA",
    ),
    "accepted_vectors": ("VALUES_IN_BRACES", "TEXTURES", "SEPARATE_SAMPLERS"),
    "elements": ("ELEMENTS", "NAMES_FOR_VECTORS"),
}


@pytest.mark.parametrize("name", TABLES)
def test_every_error_of_a_table_has_its_place(name: str) -> None:
    module = importlib.import_module(f"tests.judgement.test_{name}")
    for table in TABLES[name]:
        assert sum(bool(row.errors) for row in rows(getattr(module, table))) > 0
        assert without_places(getattr(module, table)) == []
