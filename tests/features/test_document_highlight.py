"""Highlights of the symbol under the cursor, which distinguish reads and writes."""

import pytest

from ptx_lsp.features.document_highlight import Kind, document_highlight
from tests.features.modules import in_body, marked, shown

GLOBALS = ".global .b32 g;\n.func f() { ret; }"


def highlights(statements: str) -> list[tuple[str, Kind]]:
    """The highlighted lines of a kernel's body, each with its kind."""
    module, position = marked(in_body(statements, GLOBALS))
    found = [each for some in document_highlight(module, position) for each in some]
    lines = shown(module, [each.range for each in found])
    return [(line, each.kind) for line, each in zip(lines, found, strict=True)]


def test_a_register() -> None:
    statements = """\tmov.b32 ¦%r1, 0;
\tadd.s32 %r1, %r1, 1;
\tld.b32 %r2, [%r1];
\t@%p1 st.v2.b32 [%rd1], {%r1, %r3};
\tmov.b64 {%r1, %r2}, %rd1;
\tsetp.eq.s32 %p1|%p2, %r1, 0;
"""
    assert highlights(statements) == [
        (".reg .b32 «%r»<9>;", Kind.TEXT),
        ("mov.b32 «%r1», 0;", Kind.WRITE),
        ("add.s32 «%r1», %r1, 1;", Kind.WRITE),
        ("add.s32 %r1, «%r1», 1;", Kind.READ),
        ("ld.b32 %r2, [«%r1»];", Kind.READ),
        ("@%p1 st.v2.b32 [%rd1], {«%r1», %r3};", Kind.READ),
        ("mov.b64 {«%r1», %r2}, %rd1;", Kind.WRITE),
        ("setp.eq.s32 %p1|%p2, «%r1», 0;", Kind.READ),
    ]


def test_a_predicate_is_declared_written_and_read() -> None:
    statements = "\tsetp.eq.s32 %p2|¦%p1, %r1, 0;\n\t@!%p1 bra L;\nL:\tselp.b32 %r1, 1, 2, %p1;\n"
    assert [kind for _, kind in highlights(statements)] == [Kind.TEXT, Kind.WRITE, Kind.READ, Kind.READ]


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("ld.global.b32 %r1, [¦g];", Kind.READ),
        ("st.global.b32 [¦g], %r1;", Kind.WRITE),
        ("atom.global.add.u32 %r1, [¦g], 1;", Kind.WRITE),
        ("mov.u64 %rd1, ¦g;", Kind.READ),
        ("call ¦f;", Kind.READ),
    ],
)
def test_a_name_of_the_module(statement: str, kind: Kind) -> None:
    assert [kind for _, kind in highlights(f"\t{statement}\n")] == [Kind.TEXT, kind]


def test_a_label() -> None:
    assert [kind for _, kind in highlights("L:\n\tbra ¦L;\n")] == [Kind.TEXT, Kind.READ]


def test_a_label_of_a_section() -> None:
    module, position = marked(in_body("") + ".section .debug_str\n{\n$L__text:\n.b8 0\n.b32 ¦$L__text\n}\n")
    found = [each for some in document_highlight(module, position) for each in some]
    assert [each.kind for each in found] == [Kind.TEXT, Kind.READ]


def test_registers_declared_between_braces() -> None:
    statements = "\t{ .reg .b32 t; mov.b32 t, ¦t; }\n\t{ .reg .b32 t; mov.b32 %r1, t; }\n"
    assert [kind for _, kind in highlights(statements)] == [Kind.TEXT, Kind.WRITE, Kind.READ]
