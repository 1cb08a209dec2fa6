"""What the lines around an edit show of the braces of a function."""

import pytest

from ptx_lsp.outline.edited_braces import opens_scope, outside_below
from ptx_lsp.text.ranges import Range


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
    ("text", "place"),
    [
        ("}\n.visible .entry k()\n{", (1, 0, 15)),
        ("}\n\n// a\n\t.func f()\n{", (3, 1, 6)),
        ('}\n\t.file\t1 "a.py"\n', (1, 1, 6)),
        ("}\n\t.section\t.debug_abbrev\n\t{\n", (1, 1, 9)),
        ("}\n.func f();\n", None),
        ("}\n.extern .func f();\n.extern .shared .b8 m[];\n.entry k()\n{", (3, 0, 6)),
        ("} .entry k()", None),
        ("}\n.global .b32 x;\n", None),
        ("}\n.visible\n.entry k()\n", None),
        ("}\nret;\n", None),
    ],
)
def test_a_directive_outside_of_functions_is_found_below(text: str, place: tuple[int, int, int] | None) -> None:
    expected = None if place is None else (Range(7 + place[0], place[1], 7 + place[0], place[2]),)
    assert outside_below(text, 7, False) == expected


@pytest.mark.parametrize("text", ["}\n// a\n", "}\n.global .b32 x;\n", "}\n.func f();\n"])
def test_nothing_is_below_the_last_function(text: str) -> None:
    assert outside_below(text, 7, True) == ()
    assert outside_below(text, 7, False) is None
