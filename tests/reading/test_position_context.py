"""The context of a position, also between statements and in broken ones, and the closing brace of a body."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.text.ranges import Position, Range

TEXT = """.version 8.0
.target sm_80
.address_size 64
.global .b32 g;
.entry k(.param .b64 p)
{
\t.reg .b32 %r<4>;
\tadd.s32 %r1, %r2, 7;
\t{
\t\t.reg .b32 inner;
\t\tmov.b32 inner, %r1
\t}
\tst.
\tret;
}
"""


def module() -> Module:
    """The text, analysed."""
    found = Module(TEXT)
    found.work()
    return found


@pytest.mark.parametrize(
    ("line", "column", "prefix"),
    [
        (7, 0, ""),
        (7, 5, "add."),
        (7, 18, "add.s32 %r1, %r2,"),
        (7, 21, ""),
        (10, 10, "mov.b32 "),
        (12, 4, "st."),
        (13, 0, "st.\n"),
        (13, 4, "st.\n\tret"),
        (13, 5, ""),
        (3, 9, ".global .b3"[:9]),
        (14, 1, ""),
        (99, 0, ""),
    ],
)
def test_the_prefix_is_the_statement_up_to_the_position(line: int, column: int, prefix: str) -> None:
    context = module().context_at(Position(line, column))
    assert context is not None
    assert context.prefix == prefix


@pytest.mark.parametrize(
    ("line", "column", "visible", "hidden"),
    [
        (3, 0, (), ("g", "%r1", "p")),
        (4, 0, ("g",), ("p", "%r1")),
        (7, 0, ("g", "p", "%r1"), ("inner",)),
        (10, 12, ("inner", "%r1"), ()),
        (12, 0, ("%r1",), ("inner",)),
    ],
)
def test_the_scope_holds_the_names_above(
    line: int, column: int, visible: tuple[str, ...], hidden: tuple[str, ...]
) -> None:
    context = module().context_at(Position(line, column))
    assert context is not None
    assert [name for name in visible if context.scope.lookup(name) is None] == []
    assert [name for name in hidden if context.scope.lookup(name) is not None] == []


def test_the_profile_is_that_of_the_header_above() -> None:
    found = module()
    above, below = found.context_at(Position(1, 0)), found.context_at(Position(2, 0))
    assert above is not None
    assert below is not None
    assert (str(above.profile.version), str(below.profile.target)) == ("8.0", "sm_80")


def test_a_text_that_is_not_ptx_has_no_context() -> None:
    assert Module("<xml/>").context_at(Position(0, 0)) is None


def test_a_body_knows_where_it_closes() -> None:
    found = module()
    (body,) = found.bodies()
    assert body.closing is not None
    assert (body.opening.resolved(), body.closing.resolved()) == (Range(5, 0, 5, 1), Range(14, 0, 14, 1))
    found.edit(Range(0, 0, 0, 0), "\n")
    found.work()
    (body,) = found.bodies()
    assert body.closing is not None
    assert body.closing.resolved() == Range(15, 0, 15, 1)
    found.edit(Range(15, 0, 15, 1), "")
    found.work()
    (body,) = found.bodies()
    assert body.closing is None
