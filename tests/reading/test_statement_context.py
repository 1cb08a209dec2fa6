"""A statement that is requested alone has the same context as among all statements of its block."""

from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.isa.versions import Target
from ptx_lsp.reading.statement_context import StatementContext
from ptx_lsp.text.ranges import Position, Range

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").rglob("*.ptx"))
BEFORE_ANY_FUNCTION = "\tadd.s32 %r1, %r2, %r3;\n"
NESTED = """.version 8.0
.target sm_80
.address_size 64
.func f() { .reg .b32 %r<4>; { .reg .f32 %r1; mov.f32 %r1, 0f00000000; } mov.b32 %r1, %r2; bra L; L: ret; }
.entry k() { ret; } mov.b32 %r1, %r2;
.func g() { mov.b32 %x, 1; .reg .b32 %x; mov.b32 %x, 1 } }
"""


def shown(located: StatementContext | None) -> object:
    """The parts of a context that are compared."""
    if located is None:
        return None
    sees = located.surroundings
    function = sees.function.name if sees.function is not None else None
    place = located.range(located.statement.start, located.statement.end)
    return place, type(located.statement), located.verdict, sees.depth, function


@pytest.mark.parametrize("text", [path.read_text("utf-8") for path in EXAMPLES] + [NESTED, BEFORE_ANY_FUNCTION, "{{}"])
@pytest.mark.slow
def test_every_place_gives_the_same_statement(text: str) -> None:
    module, whole = Module(text), Module(text)
    module.work()
    whole.work()
    document = module.document
    everything = [
        (located.range(located.statement.start, located.statement.end), shown(located))
        for located in whole.statements(Range(0, 0, document.line_count, 0))
    ]
    for line in range(document.line_count):
        here = [each for place, each in everything if place.line <= line <= place.end_line]
        assert [shown(located) for located in module.statements(Range(line, 0, line, 0))] == here
        for column in range(0, len(document.line(line)) + 2, 3):
            place = Position(line, column)
            found = shown(module.statement_at(place))
            assert found is None or found in here


def test_a_statement_sees_only_the_declarations_above_it() -> None:
    module = Module(NESTED)
    module.work()
    use, line = NESTED.split("\n")[-2].index("mov"), NESTED.count("\n") - 1
    before = module.statement_at(Position(line, use))
    after = module.statement_at(Position(line, NESTED.split("\n")[-2].rindex("mov")))
    assert before is not None
    assert before.surroundings.scope.lookup("%x") is None
    assert after is not None
    assert after.surroundings.scope.lookup("%x") is not None


@pytest.mark.parametrize("operator", "/+-*")
def test_an_operator_on_the_line_after_a_location_is_no_part_of_it(operator: str) -> None:
    module = Module(f".version 9.4\n.target sm_90\n.func f()\n{{\n\t.loc 1 3 0\n{operator} .target sm_80\n\tret;\n}}\n")
    module.work()
    located = module.statement_at(Position(6, 2))
    assert located is not None
    assert [finding.range.line for finding in module.findings() if finding.code == "stray-token"] == [5]
    assert located.surroundings.profile.target == module.profile.target == Target(80)
