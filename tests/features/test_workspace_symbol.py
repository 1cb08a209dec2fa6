"""The names that a module declares, and which names fit a query."""

import pytest

from ptx_lsp.features.workspace_symbol import fits, module_names
from ptx_lsp.outline.constructs import find_constructs
from ptx_lsp.text.document import Document

TEXT = """.version 9.4
.target sm_90
.extern .func (.param .b32 r) outside(.param .b32 x);
.extern .shared .align 16 .b8 dynamic[];
.visible .global .align 4 .b32 table[4], last;
.func local_one()
{
\t.shared .b8 inner[4];
here:
\tret;
}
.visible .entry k(.param .u64 input)
{
\tret;
}
"""


def test_the_names_of_a_module_with_what_other_modules_see() -> None:
    found = [(n.name, n.is_defined, n.is_shared) for n in module_names(find_constructs(Document(TEXT)).outline)]
    assert found == [
        ("outside", False, True),
        ("dynamic", False, True),
        ("table", True, True),
        ("last", True, True),
        ("local_one", True, False),
        ("k", True, True),
    ]


@pytest.mark.parametrize(
    ("query", "name", "expected"),
    [
        ("", "kernel", True),
        ("krn", "kernel", True),
        ("nrk", "kernel", False),
        ("gemm", "_Z4GEMMPf", True),
        ("GEMM", "gemm", False),
        ("aA", "xAxa", False),
        ("aA", "xaxA", True),
    ],
)
def test_a_query_fits_a_name(query: str, name: str, expected: bool) -> None:
    assert fits(query, name) is expected
