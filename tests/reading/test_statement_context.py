"""A statement that is requested alone has the same context as among all statements of its block."""

from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Target
from ptx_lsp.reading.statement_context import StatementContext, holding_steps
from ptx_lsp.semantics.symbols import Scope
from ptx_lsp.syntax.tree import Section, SectionData
from ptx_lsp.text.document import Document
from ptx_lsp.text.kept_lines import KeptText
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed
from tests.growth import LINEAR, growth
from tests.reading.texts import FINE, SECTIONS

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").rglob("*.ptx"))
MANY_LINES = 300
BEFORE_ANY_FUNCTION = "\tadd.s32 %r1, %r2, %r3;\n"
NESTED = """.version 8.0
.target sm_80
.address_size 64
.func f() { .reg .b32 %r<4>; { .reg .f32 %r1; mov.f32 %r1, 0f00000000; } mov.b32 %r1, %r2; bra L; L: ret; }
.entry k() { ret; } mov.b32 %r1, %r2;
.func g() { mov.b32 %x, 1; .reg .b32 %x; mov.b32 %x, 1 } }
"""
HEAD_OF_MODULE = ".version 8.3\n.target sm_90\n.address_size 64\n"
# ptxas takes `.target` in a function for all that follows
TARGETS = f"""{HEAD_OF_MODULE}.func f()
{{
\t.reg .b32 %r<4>;
\tadd.s32 %r1, %r2, %r3;
.target sm_80
\tret;
}}
.func g()
{{
\t.reg .b32 %r<4>;
\tadd.s32 %r1, %r2, %r3;
\t{{
.target sm_75
\t}}
\tadd.s32 %r1, %r2, %r3;
\tret;
}}
.entry k()
{{
\tret;
}}
"""
PLAIN_SECTIONS = SECTIONS.replace("/* } */\n", "")


def names_in(scope: Scope | None) -> list[object]:
    """What is declared in a scope and in those around it, and all labels."""
    found: list[object] = []
    while scope is not None:
        for table in (scope.members, scope.families):
            declared = [(name, [each.type for each in symbols if scope.sees(each)]) for name, symbols in table.items()]
            found.append(sorted(each for each in declared if each[1]))
        found.append(sorted(scope.labels))
        scope = scope.parent
    return found


def shown(located: StatementContext | None) -> object:
    """The parts of a context that are compared."""
    if located is None:
        return None
    sees = located.surroundings
    function = sees.function.name if sees.function is not None else None
    place = located.range(located.statement.start, located.statement.end)
    sees_target = sees.profile.target.number
    return place, type(located.statement), located.verdict, sees.depth, function, sees_target, names_in(sees.scope)


@pytest.mark.parametrize(
    "text",
    [path.read_text("utf-8") for path in EXAMPLES]
    + [NESTED, FINE, SECTIONS, PLAIN_SECTIONS, TARGETS, BEFORE_ANY_FUNCTION, "{{}"],
)
@pytest.mark.slow
def test_every_place_gives_the_same_statement(text: str) -> None:
    module, whole = Module(text), Module(text)
    module.work()
    whole.work()
    document = module.document
    apart = 3 if document.line_count < MANY_LINES else 9  # columns between two places
    everything = [
        (located.range(located.statement.start, located.statement.end), shown(located))
        for located in whole.statements(Range(0, 0, document.line_count, 0))
    ]
    for line in range(document.line_count):
        here = [each for place, each in everything if place.line <= line <= place.end_line]
        assert [shown(located) for located in module.statements(Range(line, 0, line, 0))] == here
        for column in range(0, len(document.line(line)) + 2, apart):
            place = Position(line, column)
            found = shown(module.statement_at(place))
            assert found is None or found in here


def _where(located: StatementContext, part: SectionData) -> tuple[Range, str]:
    """The place in the document of a row, and its text."""
    return located.range(part.start, part.end), located.text[part.start : part.end]


@pytest.mark.parametrize(("text", "most"), [(SECTIONS, 201), (PLAIN_SECTIONS, 20)])
def test_every_row_of_a_section_is_found_among_few(text: str, most: int) -> None:
    module, whole = Module(text), Module(text)
    module.work()
    whole.work()
    sections = [
        (located, located.statement)
        for located in whole.statements(Range(0, 0, 999, 0))
        if isinstance(located.statement, Section)
    ]
    assert [len(section.data) for _, section in sections] == [200, 200, 201, 0]
    for located, section in sections:
        for row in section.data:
            found = module.statement_at(located.position(row.start))
            assert found is not None
            assert isinstance(found.statement, Section)
            assert _where(located, row) in [_where(found, each) for each in found.statement.data]
            assert len(found.statement.data) <= most
            assert found.range(found.statement.start, found.statement.end) == located.range(section.start, section.end)


@pytest.mark.parametrize("text", [FINE, SECTIONS, PLAIN_SECTIONS])
def test_the_text_with_all_kinds_of_lines_has_no_mistake(text: str) -> None:
    module = analysed(text)
    assert [finding.code for finding in module.findings() if finding.severity is Severity.ERROR] == []


def test_a_statement_sees_only_the_declarations_above_it() -> None:
    module = analysed(NESTED)
    use, line = NESTED.split("\n")[-2].index("mov"), NESTED.count("\n") - 1
    before = module.statement_at(Position(line, use))
    after = module.statement_at(Position(line, NESTED.split("\n")[-2].rindex("mov")))
    assert before is not None
    assert before.surroundings.scope.lookup("%x") is None
    assert after is not None
    assert after.surroundings.scope.lookup("%x") is not None


@pytest.mark.parametrize(("line", "target"), [(6, 90), (8, 80), (13, 80), (17, 75), (22, 75)])
def test_a_target_inside_of_a_function_is_for_all_that_follows(line: int, target: int) -> None:
    module = analysed(TARGETS)
    located = module.statement_at(Position(line, 1))
    assert located is not None
    assert located.surroundings.profile.target.number == target
    context = module.context_at(Position(line, 1))
    assert context is not None
    assert context.profile.target.number == target


@pytest.mark.parametrize(
    ("line", "declares"),
    [
        ("mov; .b32 %x, %y;", False),  # the rest of what is wrong
        ("mov; .extern .func f (.param .b64 a);.b32 %x, %y;", False),
        (".<; .target sm_90 .b32 %x, %y;", False),
        (".<; ret; .target sm_90 .b32 %x, %y;", True),
        ("mov; .reg .b32 %x, %y;", True),
        ("ret; .reg .b32 %x, %y;", True),
        (".b32 %x, %y;", True),
    ],
)
def test_a_statement_sees_the_declarations_of_a_line_with_a_mistake_as_the_analysis_does(
    line: str, declares: bool
) -> None:
    module = analysed(f"{HEAD_OF_MODULE}.entry k()\n{{\n\t{line}\n\tmov.b32 %r1, %y;\n}}\n")
    [body] = module.bodies()
    assert (body.scope.lookup("%y") is not None) is declares
    located = module.statement_at(Position(6, 1))
    context = module.context_at(Position(6, 1))
    assert located is not None
    assert context is not None
    for seen in (located.surroundings.scope, context.scope):
        assert (seen.lookup("%y") is not None) is declares


@pytest.mark.parametrize("operator", "/+-*")
def test_an_operator_on_the_line_after_a_location_is_no_part_of_it(operator: str) -> None:
    module = analysed(
        f".version 9.4\n.target sm_90\n.func f()\n{{\n\t.loc 1 3 0\n{operator} .target sm_80\n\tret;\n}}\n"
    )
    located = module.statement_at(Position(6, 2))
    assert located is not None
    assert [finding.range.line for finding in module.findings() if finding.code == "stray-token"] == [5]
    assert located.surroundings.profile.target == module.profile.target == Target(80)


BEGIN_OF_ENTRY = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {\n"


def _last_statement(text: str) -> None:
    module = analysed(BEGIN_OF_ENTRY + text + "add.s32 %r1, %r2, %r3;\n")
    assert module.statement_at(Position(4, len(text) + 1)) is not None


@pytest.mark.parametrize("each", ["{{ bra L{0}; L{0}: }} ", "bra L{0}; L{0}: "])
def test_a_statement_of_a_long_line_is_found_in_linear_time(each: str) -> None:
    short, long_ = ("{ " + "".join(map(each.format, range(count))) + "} " for count in (500, 2000))
    assert growth(_last_statement, short, long_) < LINEAR


def test_deep_scopes_with_declarations_are_read_in_linear_time() -> None:
    def analyse(text: str) -> None:
        Module(BEGIN_OF_ENTRY + text).work()

    scope = "{\n.reg .b32 a;\nmov.u32 a, 1;\n"
    assert growth(analyse, scope * 1000, scope * 4000) < LINEAR


@pytest.mark.parametrize("mistake", ["", ".b8 1,,2\n", "x\n"])
def test_a_request_cuts_few_rows_out_of_a_long_section(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f".b8 {number % 256}\nlabel_{number}:\n" for number in range(4_000))
    text = f"{FINE}.section .debug_info {{\nbegin:\n{rows}{mistake}{rows.replace('label', 'other')}}}\n"
    module = analysed(text)
    last = module.document.line_count - 3
    cut: list[int] = []
    text_of = Document.text

    def noted(document: Document, range_: Range) -> str:
        found = text_of(document, range_)
        cut.append(len(found))
        return found

    monkeypatch.setattr(Document, "text", noted)
    for line in (last, last - 3_000, last - 7_990):
        found, context = module.statement_at(Position(line, 1)), module.context_at(Position(line, 1))
        assert found is not None
        assert isinstance(found.statement, Section)
        assert Position(line - line % 2, 0) in [found.position(each.start) for each in found.statement.data]
        assert context is not None
        assert context.prefix.endswith("\n" + module.document.line(line)[:1])
        assert len(found.statement.data) < 100
    assert sum(cut) < 6 * (len(FINE) + 3_000)


def test_a_search_pauses_after_each_statement_that_it_reads() -> None:
    lines = "\tadd.s32 %r1, %r1, 1;\n" * 30
    text = f"{FINE}.entry mistaken()\n{{\n\t.reg .b32 %r<3>;\n\tfrob %r1;\n{lines}\tmov.b32 %r2, 7;\n}}\n"
    module = analysed(text)
    block = module.block_map.blocks[-1]
    read = module.block_map.text(block)
    found = list(holding_steps(block, KeptText(read), (read.rindex("%r2"),)))
    assert found.count(None) > 30
    assert [each.text[each.statement.start :][:7] for each in found if each is not None] == ["mov.b32"]
