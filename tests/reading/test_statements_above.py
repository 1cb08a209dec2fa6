"""The declarations above a position are applied without the parser, and have the same effect as with it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.reading import statement_context
from ptx_lsp.reading.statement_context import holding_steps
from ptx_lsp.semantics.symbols import Scope
from ptx_lsp.syntax.statements import Parsed, parse_statements
from ptx_lsp.text.kept_lines import KeptText
from ptx_lsp.text.ranges import Position
from tests.analysed import analysed

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").rglob("*.ptx"))
HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
REGISTERS = 150
FUNCTIONS = 20
SMALL = "".join(
    f".visible .func (.param .b32 r) f{n}(\n\t.param .b64 p{n},\n\t.param .b32 q\n)\n{{\n\t.reg .b32 %r<3>;\n"
    f"\tmov.b32 %r1, %r2;\n\tret;\n}}\n"
    for n in range(FUNCTIONS)
)
LARGE = (
    ".visible .entry k(.param .b32 p)\n{\n"
    + "".join(f"\t.reg .u32 %r{n};\n" for n in range(REGISTERS))
    + "\t.local .align 8 .b8 stack[16];\n\t.shared .b32 s;\n$L1:\n\t{\n\t.reg .pred %q;\n\tmov.u32 %r1, %r2;\n"
    + "\tbra $L1;\n\t}\n}\n"
)
TEXT = HEAD + SMALL + LARGE
LAST = TEXT.count("\n") - 4
"""The line of the `mov` between the inner braces."""


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The statements that the requests parse."""
    found: list[Any] = []

    def noted(text: str, start: int = 0) -> Iterator[Parsed]:
        for each in parse_statements(text, start):
            found.append(each[0])
            yield each

    monkeypatch.setattr(statement_context, "parse_statements", noted)
    return found


def names(scope: Scope | None) -> list[Any]:
    """All that the scopes around declare."""
    found = []
    while scope is not None:
        tables = [{name: table.get(name) for name in table} for table in (scope.members, scope.families, scope.labels)]
        places = [[symbol.mark.resolved() for some in table.values() for symbol in some or ()] for table in tables]
        found.append((tables, places, scope.opening.resolved() if scope.opening is not None else None))
        scope = scope.parent
    return found


def contexts(module: Module, position: Position) -> list[Any]:
    """What is seen at a position: by the statement there, at the place itself, and by a search for its offset."""
    found: list[Any] = []
    if (one := module.statement_at(position)) is not None:
        found += one.statement, names(one.surroundings.scope), one.surroundings.depth
        found.append([use.name for use in one.surroundings.label_uses])
    if (place := module.context_at(position)) is not None:
        found += names(place.scope), place.prefix, place.surroundings.depth, place.surroundings.function
        found.append([(each.symbol, each.symbol.mark.resolved()) for each in place.declared_here])
    block = module.block_map.at_line(position.line)
    text = module.block_map.text(block)
    offset = sum(len(line) + 1 for line in text.split("\n")[: position.line - block.line]) + position.column
    for holding in holding_steps(block, KeptText(text), [offset]):
        if holding is not None:
            found += holding.statement, names(holding.surroundings.scope), holding.surroundings.depth
    return found


def test_declarations_and_headers_are_not_parsed(parsed: list[Any]) -> None:
    module = analysed(TEXT)
    located = module.statement_at(Position(LAST, 3))
    assert located is not None
    assert len(parsed) < 10 < REGISTERS + FUNCTIONS
    assert located.surroundings.scope.lookup(f"%r{REGISTERS - 1}") is not None
    parsed.clear()
    place = module.context_at(Position(LAST, 3))
    assert place is not None
    assert len(parsed) < 10
    assert [place.scope.lookup(name) is not None for name in ("%q", "s", "p", "f1", "%x")] == [True] * 4 + [False]


@pytest.mark.parametrize("text", [TEXT, TEXT.replace("\n", "\r\n"), TEXT.replace("{\n", "{ // {\n\n")])
def test_the_same_is_seen_with_the_parser(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    same_everywhere(text, 7, monkeypatch)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_same_is_seen_in_the_examples(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same_everywhere(path.read_bytes().decode("utf-8", "surrogateescape"), 1, monkeypatch)


def same_everywhere(text: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare what is seen at places of every line, or of each one of `step` lines, with what the parser finds."""
    module = analysed(text)
    places = [
        Position(line, column)
        for line in range(0, module.document.line_count, step)
        for column in (1, len(module.document.line(line)))
    ]
    found = [contexts(module, place) for place in places]
    monkeypatch.setattr(statement_context, "apply_recognised", lambda reader, text, start, stop, known: start)
    for place, known in zip(places, found, strict=True):
        assert known == contexts(module, place), place
