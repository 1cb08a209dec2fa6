"""The call hierarchy of one module."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.features import calls as calls_module
from ptx_lsp.features.call_hierarchy import (
    Functions,
    by_callee,
    by_caller,
    function_at,
    incoming_calls,
    outgoing_calls,
)
from ptx_lsp.occurrences.line_statements import LineStatements
from ptx_lsp.steps import result_of
from ptx_lsp.text.ranges import Position
from tests.analysed import analysed
from tests.features.modules import in_body, marked

TEXT = """.version 9.4
.target sm_90
.func twice(.reg .b32 x);
.func (.reg .b32 r) once(.reg .b32 x)
{
\t.reg .pred %p;
\t@%p call (r),
\t\tonce, (x); /* call twice; */
\tcall.uni twice, (x); // call once
\tret;
}
.func twice(.reg .b32 x)
{
\tret;
}
.visible .entry k()
{
\t.reg .b32 %r<3>;
\t.reg .b64 %rd;
\tp: .callprototype _ ();
\tcall (%r1), once, (1); call twice, (2); call twice, (3);
\tcall %rd, (), p;
\tcall outside;
}
"""


def functions(module: Module) -> Functions:
    """The functions of a module by their names."""
    return result_of(Functions().steps(module))


def names_at(module: Module, position: Position) -> list[str]:
    """The name of the function at a position, if one is there."""
    return [each.name for each in result_of(function_at(module, position))]


def callers(module: Module, name: str) -> list[tuple[str, list[tuple[int, int]]]]:
    """The callers of a function with the places of the calls."""
    found = by_caller(functions(module), [call for some in incoming_calls(module, name) for call in some])
    return [(each.function.name, [(range_.line, range_.column) for range_ in each.ranges]) for each in found]


def callees(module: Module, name: str) -> list[tuple[str, int]]:
    """The functions that one calls, with the numbers of calls."""
    found = by_callee(functions(module), [call for some in outgoing_calls(module, name) for call in some])
    return [(each.function.name, len(each.ranges)) for each in found]


def test_callers_and_callees() -> None:
    module = analysed(TEXT)
    assert callers(module, "once") == [("once", [(7, 2)]), ("k", [(20, 13)])]
    assert callers(module, "twice") == [("once", [(8, 10)]), ("k", [(20, 29), (20, 46)])]
    assert callees(module, "k") == [("once", 1), ("twice", 2)]
    assert callees(module, "twice") == []


def test_a_call_in_a_comment_does_not_count() -> None:
    call = "\tcall.uni twice, (x); // call once\n"
    module = analysed(TEXT.replace(call, f"/*\n\tret;\n{call}\tret;\n*/\n"))
    assert callees(module, "once") == [("once", 1)]
    opened = 80 * "\tret;\n" + "/*" + 300 * call  # a comment without an end, longer than a block
    assert callees(analysed(TEXT.replace(call, opened)), "once") == [("once", 1)]


def test_the_function_at_a_position() -> None:
    module, position = marked(TEXT.replace("call.uni twice", "call.uni tw¦ice"))
    assert names_at(module, position) == ["twice"]
    module, position = marked(TEXT.replace("\t@%p", "\t¦@%p"))
    assert names_at(module, position) == ["once"]
    module, position = marked(TEXT.replace(".version", ".ver¦sion"))
    assert names_at(module, position) == []


def test_the_definition_is_preferred() -> None:
    found = functions(analysed(TEXT)).named("twice")
    assert found is not None
    assert found.range == (11, 0, 14, 1)
    assert found.name_range == (11, 6, 11, 11)


def test_calls_are_not_looked_for_in_the_sections_below_the_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    text = in_body("\tcall f;", ".func f() { ret; }\n")
    module = analysed(text + ".section .debug_info {\n" + ".b8 1\n" * 5_000 + "}\n")
    looked_at: list[int] = []

    class Noted(LineStatements):
        def __init__(self, text: str) -> None:
            looked_at.append(len(text))
            super().__init__(text)

    monkeypatch.setattr(calls_module, "LineStatements", Noted)
    assert len([each for some in calls_module.calls(module) for each in some]) == 1
    assert sum(looked_at) <= len(text)
