"""What the lines around an edit show of the braces of a function."""

import pytest

from ptx_lsp.reading.braces import header_below, opens_scope


@pytest.mark.parametrize(
    ("before", "line", "opens"),
    [
        ("}", "", True),
        ("", "{", True),
        ("add.s32 %r1, %r2, %r3;", "{ add.s32 %r1, %r2, %r3;", True),
        ("%r1, %r2", "{%r1, %r2", False),
        ("} add.s32 %r1, %r2, %r3;", "add.s32 %r1, %r2, %r3;", False),
        ("{", "", False),
        ("mov.b32 %r1, {%r2, %r3};", "mov.b32 %r1, {%r2, %r3;", False),
    ],
)
def test_a_scope_begins_or_does_not_end_in_a_line(before: str, line: str, opens: bool) -> None:
    assert opens_scope(before, line) is opens


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("}\n.visible .entry k()\n{", (1, 0, 15)),
        ("}\n\n// a\n\t.func f()\n{", (3, 1, 6)),
        ("}\n.func f();\n", None),
        ("} .entry k()", None),
        ("}\n.global .b32 x;\n", None),
        ("}\n.visible\n.entry k()\n", None),
    ],
)
def test_the_header_below_a_function_is_found(text: str, header: tuple[int, int, int] | None) -> None:
    assert header_below(text) == header
