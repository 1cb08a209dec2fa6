"""The keys of bodies: a body that is compared with another one gets the key and names that it would get alone."""

from hypothesis import example, given
from hypothesis import strategies as st

from ptx_lsp.quick.body_text import BodyText, body_at, body_like

LINES = (
    "\tld.param.u64 %rd1, [NAME_param_0];",
    "\tmov.u64 %rd2, OUTER;",
    "\tcall OTHER, (OUTER);",
    "\t.shared .align 4 .b8 LOCAL[16];",
    "\tst.shared.u32 [LOCAL+4], %r1;",
    "\t@%p1 bra LABEL1;",
    "LABEL1:",
    "\t// LOCAL has been demoted",
    '\t.pragma "OUTER";',
    "\t.loc\t1 7 3, function_name OUTER, inlined_at 1 5 2",
    "\tadd.s32 %r1, %r2, OTHER_more;",
)
NAMES = ("f", "g", "x_1", "x_12", "add", "f_param_0", "y$1", "_z")
LABELS = ("$L__BB0_", "$L__BB12_", "$L")


@st.composite
def names(draw: st.DrawFn) -> dict[str, str]:
    """What replaces the names of the lines in one body."""
    found = {name: draw(st.sampled_from(NAMES)) for name in ("NAME", "OUTER", "OTHER", "LOCAL")}
    return {**found, "LABEL": draw(st.sampled_from(LABELS))}


def body(lines: list[str], written: dict[str, str]) -> str:
    """A body with these names, and its `}`."""
    text = "\n".join(lines) + "\n"
    for name, instead in written.items():
        text = text.replace(name, instead)
    return text + "}\n"


PLAIN = {"NAME": "f", "OUTER": "x_1", "OTHER": "y$1", "LOCAL": "_z", "LABEL": "$L__BB0_"}
RENAMED = {"NAME": "g", "OUTER": "y$1", "OTHER": "x_12", "LOCAL": "_z", "LABEL": "$L__BB12_"}


@given(st.lists(st.sampled_from(LINES), max_size=12), names(), names(), st.sets(st.sampled_from(NAMES)))
@example(list(LINES), PLAIN, RENAMED, {"f", "g", "x_1", "x_12", "y$1"})
@example(list(LINES[:3]), PLAIN, {**RENAMED, "OTHER": "y$1"}, set(NAMES))
def test_a_body_like_another_one_has_the_key_that_it_has_alone(
    lines: list[str], first: dict[str, str], second: dict[str, str], members: set[str]
) -> None:
    one, text = body(lines, first), body(lines, second)
    other = body_at(one, 0, one.rindex("}") - 1, first["NAME"], members)
    end = text.rindex("}") - 1
    if other is not None:
        found = body_like(other, text, 0, end, second["NAME"], members)
        assert found in (None, body_at(text, 0, end, second["NAME"], members))


def test_a_body_that_differs_only_in_names_is_like_another_one() -> None:
    lines, members = list(LINES[:7]), {"f", "g", "x_1", "x_12", "y$1"}
    one, text = body(lines, PLAIN), body(lines, RENAMED)
    end = text.rindex("}") - 1
    other = body_at(one, 0, one.rindex("}") - 1, "f", members)
    assert other is not None
    assert other.names.labels == "$L__BB0_"
    assert (other.names.outer, other.names.variables) == (("x_1", "y$1"), ("_z",))
    found = body_like(other, text, 0, end, "g", members)
    assert found == body_at(text, 0, end, "g", members)
    assert isinstance(found, BodyText)
    assert (found.names.outer, found.names.variables) == (("y$1", "x_12"), ("_z",))


def test_a_body_with_another_statement_is_like_no_other_one() -> None:
    one, text = body(list(LINES[:2]), PLAIN), body([LINES[0], LINES[2]], RENAMED)
    other = body_at(one, 0, one.rindex("}") - 1, "f", {"x_1"})
    assert other is not None
    assert body_like(other, text, 0, text.rindex("}") - 1, "g", {"x_1"}) is None
