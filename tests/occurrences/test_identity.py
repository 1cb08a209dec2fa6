"""The identity of a symbol across edits: the place of its declaration, moved with the text."""

import random
from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.occurrences.search import Occurrence, occurrences
from ptx_lsp.occurrences.target import target_at
from ptx_lsp.text.moving_ranges import MovingRanges, end_of
from ptx_lsp.text.ranges import Position, Range
from tests.analysed import analysed
from tests.occurrences.counting import blanked, declarations, spans

ROOT = Path(__file__).parents[2]
FILES = [ROOT / path for path in ("examples/softmax.ptx", "examples/tensor_core.ptx", "tests/data/calls.ptx")]
NEW_LINES = (
    "// a comment\n",
    "\tadd.s32 %r1, %r1, 1;\n",
    "\t{\n\t.reg .b32 %r1;\n\t}\n",
    "NEW:\n",
    "\n\n",
    "\tbroken (\n;\n",
)


def occurrences_at(module: Module, place: Position) -> list[Occurrence]:
    """The occurrences of the symbol at a place."""
    found = target_at(module, place)
    assert found is not None
    return [each for some in occurrences(module, found.target, roles=False) for each in some]


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
@pytest.mark.parametrize("seed", range(3))
def test_a_declaration_that_moves_is_that_of_the_same_symbol(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    text = path.read_text()
    module = analysed(text)
    declared = list(declarations(blanked(text), spans(blanked(text))))
    names = [each.name for each in declared]
    lines = [text.count("\n", 0, each.at) for each in declared]
    columns = [each.at - text.rfind("\n", 0, each.at) - 1 for each in declared]
    places = zip(lines, columns, names, strict=True)
    moving = MovingRanges(Range(line, column, line, column + len(name)) for line, column, name in places)
    same = 0
    for _ in range(12):
        _edit(module, moving, chance)
        module.work()
        fresh = analysed(module.document.whole())
        for number in chance.sample(range(len(names)), min(6, len(names))):
            place = moving.ranges[number]
            if place.edited:
                continue
            found = target_at(module, place.range.start)
            if target_at(fresh, place.range.start) is None:  # its statement is broken now
                assert found is None
                continue
            assert found is not None
            same += 1
            assert found.range == place.range
            assert found.target.symbol.name == names[number]
            assert occurrences_at(module, place.range.start) == occurrences_at(fresh, place.range.start)
    assert same > 12


def _edit(module: Module, moving: MovingRanges, chance: random.Random) -> None:
    """Insert a few lines, or remove one, somewhere in the module; `moving` follows."""
    line = chance.randrange(4, module.document.line_count - 1)
    removed = chance.random() < 0.3 and module.document.line(line).startswith("\t") and line
    replaced = Range(line, 0, line + 1 if removed else line, 0)
    new = "" if removed else chance.choice(NEW_LINES)
    before = module.document.line_count
    module.edit(replaced, new)
    moving.edit(replaced, end_of(replaced, new, module.document.line_count - before))
