"""Definition, declaration, references and highlights inside of templates, in the languages that hold them."""

import pytest

from ptx_lsp.embedded.definition import declaration, definition
from ptx_lsp.embedded.document_highlight import document_highlight
from ptx_lsp.embedded.references import references
from ptx_lsp.features.document_highlight import Kind
from ptx_lsp.hosts.statement import Host
from tests.embedded.places import marked, shown

LOOP = (
    'asm volatile("{ .reg .pred %%p;\\n"\n  "L: add.s32 %0, %0, %1; setp.lt.s32 %p, %0, %1;\\n"\n'
    '  "@%" "%p bra L; }" : "+r"(sum) : "r"(a + b)); // %%p'
)


def at(text: str, place: str, occurrence: int = 0) -> str:
    """The text with the cursor at the start of an occurrence of a part of it, counted from 0."""
    parts = text.split(place)
    return place.join(parts[: occurrence + 1]) + "¦" + place + place.join(parts[occurrence + 1 :])


@pytest.mark.parametrize("occurrence", range(2))
def test_a_register_over_several_literals(occurrence: int) -> None:
    analysis, cursor = marked(at(LOOP, "%%p", occurrence) if not occurrence else at(LOOP, "%p, %0"))
    declared = LOOP.replace("%%p", "«%%p»", 1)
    assert shown(analysis, definition(analysis, cursor)) == declared
    assert shown(analysis, declaration(analysis, cursor)) == declared
    uses = LOOP.replace("%p, ", "«%p», ").replace('%" "%p', '«%" "%p»')
    assert shown(analysis, references(analysis, cursor, declarations=False)) == uses
    assert shown(analysis, references(analysis, cursor, declarations=True)) == uses.replace("%%p", "«%%p»", 1)
    found = document_highlight(analysis, cursor)
    assert found is not None
    assert [each.kind for each in found] == [Kind.TEXT, Kind.WRITE, Kind.READ]


def test_a_label() -> None:
    analysis, cursor = marked(at(LOOP, "L; }"))
    assert shown(analysis, definition(analysis, cursor)) == LOOP.replace("L:", "«L»:")
    found = document_highlight(analysis, cursor)
    assert found is not None
    assert [each.kind for each in found] == [Kind.TEXT, Kind.READ]


def test_an_operand_leads_to_its_expression_and_its_constraint() -> None:
    analysis, cursor = marked(at(LOOP, "%1", 1))
    assert shown(analysis, definition(analysis, cursor)) == LOOP.replace("a + b", "«a + b»")
    assert shown(analysis, declaration(analysis, cursor)) == LOOP.replace('"r"', '«"r"»')
    uses = LOOP.replace("%1", "«%1»")
    assert shown(analysis, references(analysis, cursor, declarations=False)) == uses
    assert shown(analysis, references(analysis, cursor, declarations=True)) == uses.replace('"r"', '«"r"»')


def test_what_is_done_with_an_operand() -> None:
    analysis, cursor = marked(at(LOOP, "%0"))
    found = document_highlight(analysis, cursor)
    assert found is not None
    assert [each.kind for each in found] == [Kind.WRITE, Kind.READ, Kind.READ, Kind.TEXT]


ELSEWHERE = [
    (
        Host.CUDA,
        'asm("add.u32 %[sum], %[¦a], %2;" : [sum] "=r"(s) : [a] "r"(x[1]), "r"(y));',
        ('[a] "r"(«x[1]»)', '[«a»] "r"', "«%[a]»"),
    ),
    (
        Host.CUDA,
        'asm("add.u32 %[sum], %[a], %2;" : [sum] "=r"(s) : [¦a] "r"(x[1]), "r"(y));',
        ('[a] "r"(«x[1]»)', '[«a»] "r"', "«%[a]»"),
    ),
    (
        Host.RUST,
        'asm!("add.u32 {}, {a¦}, 1;", out(reg32) s, a = in(reg32) x + 1);',
        ("«x + 1»", "«a» = in", "«{a}»"),
    ),
    (
        Host.RUST,
        'asm!("add.u32 {¦}, {a}, {0};", out(reg32) s, a = in(reg32) x);',
        (") «s»,", "out(«reg32»)", "«{}», {a}, «{0}»"),
    ),
    (
        Host.PYTHON,
        'y = tl.inline_asm_elementwise("add.u32 $0, ¦$1, $1;", "=r, r", [x + 1], tl.int32, True, 1)',
        ("[«x + 1»]", '"=r, «r»"', "«$1», «$1»"),
    ),
    (
        Host.PYTHON,
        'y = tl.inline_asm_elementwise("add.u32 ¦$0, $1, $1;", "=r, r", [x], tl.int32, True, 1)',
        ('"«=r», r"', '"«=r», r"', "«$0»"),
    ),
    (
        Host.PYTHON,
        "c = '''__device__ void f() { asm(\"mov.u32 %0, ¦%1;\" : \"=r\"(y) : \"r\"(x)); }'''",
        ("(«x»)", '«"r"»', "«%1»"),
    ),
    (
        Host.LLVM,
        '%1 = call i32 asm "add.u32 $0, ${¦1:r}, 1;", "=r,r"(i32 %x)',
        ("«i32 %x»", '"=r,«r»"', "«${1:r}»"),
    ),
    (
        Host.MLIR,
        '%1 = nvvm.inline_ptx "add.u32 {$w0}, {¦$r0}, 1;" ro(%x : i32) -> i32',
        ("«%x»", "«%x»", "«{$r0}»"),
    ),
    (
        Host.JULIA,
        '@asmcall("add.u32 \\$0, \\$¦1, 2;", "=r,r", Int32, Tuple{Int32}, x)',
        (", «x»)", '"=r,«r»"', "«\\$1»"),
    ),
]


@pytest.mark.parametrize(("host", "text", "expected"), ELSEWHERE)
def test_operands_of_each_language(host: Host, text: str, expected: tuple[str, str, str]) -> None:
    analysis, cursor = marked(text, host)
    defined, declared, used = expected
    assert defined in shown(analysis, definition(analysis, cursor))
    assert declared in shown(analysis, declaration(analysis, cursor))
    assert used in shown(analysis, references(analysis, cursor, declarations=False))


@pytest.mark.parametrize(
    "text",
    [
        'asm("mov.u32 %0, %1;" : "=r"(y) : "n"(¦N));',
        '¦asm("mov.u32 %0, 1;" : "=r"(y));',
        "int ¦x;",
        'f("¦mov.u32 %0;");',
    ],
)
def test_outside_of_templates_there_is_no_answer(text: str) -> None:
    analysis, cursor = marked(text)
    assert definition(analysis, cursor) is None
    assert declaration(analysis, cursor) is None
    assert references(analysis, cursor, declarations=True) is None
    assert document_highlight(analysis, cursor) is None


def test_an_immediate_is_read() -> None:
    analysis, cursor = marked('asm("add.u32 %0, %0, ¦%1;" : "+r"(y) : "n"(N));')
    found = document_highlight(analysis, cursor)
    assert found is not None
    assert [each.kind for each in found] == [Kind.READ, Kind.TEXT]


def test_an_operand_is_found_in_statements_with_an_unknown_part_too() -> None:
    text = 'asm("mov.u32 %0, %1; " LD(x) " [%0]; add.u32 %0, ¦%1, 2;" : "=r"(y) : "r"(z));'
    analysis, cursor = marked(text)
    uses = shown(analysis, references(analysis, cursor, declarations=False))
    assert uses == text.replace("¦", "").replace("%1", "«%1»")
    analysis, cursor = marked(text.replace("¦", "").replace("[%0", "[¦%0"))
    found = document_highlight(analysis, cursor)
    assert found is not None
    assert [each.kind for each in found] == [Kind.WRITE, Kind.TEXT, Kind.WRITE, Kind.TEXT]


def test_an_operand_that_does_not_exist() -> None:
    text = 'asm("add.u32 %0, ¦%9, %9;" : "=r"(y));'
    analysis, cursor = marked(text)
    assert definition(analysis, cursor) == []
    assert shown(analysis, references(analysis, cursor, declarations=True)).count("«%9»") == 2
    text = 'asm("add.u32 %0, ¦%[a], %[b];" : "=r"(y));'
    analysis, cursor = marked(text)
    assert shown(analysis, references(analysis, cursor, declarations=True)).count("«") == 1


def test_each_statement_is_searched_alone() -> None:
    statement = 'asm("{ .reg .b32 t; mov.b32 t, %0; }" :: "r"(x));'
    analysis, cursor = marked(f"{at(statement, 't, %0')} {statement}")
    found = shown(analysis, references(analysis, cursor, declarations=True))
    assert found == f"{statement.replace('t; ', '«t»; ').replace('t, ', '«t», ')} {statement}"
