"""The names that completion offers for a declaration; the expected ones are those of files of NVIDIA's compiler."""

import pytest

from ptx_lsp.features.completion import completion
from tests.features.modules import in_body, marked

ABOVE = """.version 9.4
.target sm_90
.address_size 64
.global .align 4 .b8 table_0[8];
\t// .globl\tfirst
.visible .entry first(
\t.param .u64 first_param_0,
\t.param .u32 first_param_1
)
{
\t.local .align 8 .b8 \t__local_depot0[24];
\t.reg .b64 \t%SP;
\t.reg .pred \t%p<3>;
\t.reg .b64 \t%rd<9>;
\t{ // callseq 0
\t.param .b64 param0;
\t.param .b32 retval0;
\t}
\tret;
}
\t// .globl\tsecond
"""


def offered(text: str) -> list[str]:
    """The labels of the items at the cursor, below the declarations of another function."""
    found = completion(*marked(ABOVE + text))
    return [item.label for item in found.items] if found is not None else []


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        (".visible .entry ¦", "second"),
        (".visible .entry second(\n\t.param .u64 ¦", "second_param_0"),
        (".visible .entry second(\n\t.param .u64 second_param_0,\n\t.param .u32 ¦", "second_param_1"),
        (".visible .entry second(\n\t.param .u64 second_param_0,\n\t.param .u32 second¦", "second_param_1"),
        (".entry second()\n{\n\t.reg .b64 ¦", "%SP"),
        (".entry second()\n{\n\t.reg .pred %¦", "%p"),
        (".entry second()\n{\n\t.reg .f64 %¦", "%fd"),
        (".entry second()\n{\n\t.local .align 8 .b8 \t__local_depot0[4];\n\t.local .b8 ¦", "__local_depot1"),
        (".entry second()\n{\n\t{\n\t.param .b64 param0;\n\t.param .b64 ¦", "param1"),
        (".global .align 4 .b8 ¦", "table_1"),
    ],
)
def test_the_name_is_among_the_first(typed: str, wanted: str) -> None:
    assert wanted in offered(typed)[:3]


def test_the_function_that_is_announced_last_is_first() -> None:
    assert offered(".visible .entry ¦")[:2] == ["second", "first"]


def test_an_empty_module_has_the_usual_families() -> None:
    found = completion(*marked(in_body("\t.reg .b16 %¦").replace("%h<9>", "%x<9>")))
    assert found is not None
    assert "%rs" in [item.label for item in found.items]
