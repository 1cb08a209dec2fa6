"""All requests about the structure of a document, on real and broken text: no exception, and ranges inside the text."""

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.document_symbol import document_symbols, flat
from ptx_lsp.features.folding_range import folding_ranges
from ptx_lsp.features.formatted_range import format_range_steps
from ptx_lsp.features.formatting import BlankEdit, format_document
from ptx_lsp.features.linked_editing_range import linked_editing_ranges
from ptx_lsp.features.selection_range import selection_steps
from ptx_lsp.outline.constructs import find_constructs
from ptx_lsp.steps import result_of
from ptx_lsp.text.document import Document
from ptx_lsp.text.ranges import Position, Range

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((*(ROOT / "examples").rglob("*.ptx"), *(ROOT / "tests" / "data").glob("*.ptx")))
PIECES = (
    *("{", "}", ";", ":", "(", ")", '"', "/*", "*/", "//", "\n", "\r", "\r\n", "\f", ",", "=", "\t", "ü𝄞", "\0"),
    *(".entry k(", ".func f()\n{\n", ".section .debug_str {", "x:", "@%p1 ", ".shared .b32 s[4] = {", '.file 1 "a"'),
    *("// begin inline asm\n", "// end inline asm\n", ".loc 1 2 3\n", "::", "mov.b64 {%r1, %r2}, %rd1;", ".visible "),
)


def check(module: Module, choose: random.Random) -> None:
    """Ask for everything, and look at the ranges."""
    end = module.document.end()
    for range_ in (*_ranges(module), *_at_places(module, choose)):
        assert (0, 0) <= range_.start <= range_.end <= end
        for place in (range_.start, range_.end):
            assert module.document.clamp(place) == place


def _ranges(module: Module) -> Iterator[Range]:
    for symbol in flat(document_symbols(module)):
        yield symbol.range
        yield symbol.name_range
        assert symbol.name
        assert symbol.range.contains(symbol.name_range.start)
        assert symbol.range.contains(symbol.name_range.end)
    for outer in document_symbols(module):
        assert all(outer.range.start <= c.range.start and c.range.end <= outer.range.end for c in outer.children)
    for whole_lines in (False, True):
        for fold in folding_ranges(module, whole_lines):
            end_column = fold.end_column if fold.end_column >= 0 else len(module.document.line(fold.end_line))
            assert fold.line < fold.end_line
            yield Range(fold.line, max(0, fold.column), fold.end_line, end_column)
    for edit in format_document(module.document):
        yield edit.range
        assert module.document.text(edit.range).strip(" \t\f") == edit.text.strip(" \t") == ""
    yield from (link.range for link in find_constructs(module.document).paths)


def _at_places(module: Module, choose: random.Random) -> Iterator[Range]:
    for _ in range(4):
        line = choose.randrange(module.document.line_count)
        position = Position(line, choose.randint(0, len(module.document.line(line))))
        chain = result_of(selection_steps(module, [position]))[0]
        yield from chain
        assert all(outer.start <= inner.start and inner.end <= outer.end for inner, outer in pairwise(chain))
        for some in linked_editing_ranges(module, position):
            yield from some
        yield from (edit.range for edit in _edits(module, line))


def _edits(module: Module, line: int) -> list[BlankEdit]:
    return result_of(format_range_steps(module, line, line + 3))


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_request_is_answered_after_edits_and_before_the_analysis_ends(path: Path) -> None:
    choose = random.Random(path.name)
    module = Module(path.read_text("utf-8"))
    check(module, choose)  # nothing is analysed yet
    module.work(0.001)
    check(module, choose)
    for _ in range(8):
        line = choose.randrange(module.document.line_count)
        column = choose.randint(0, len(module.document.line(line)))
        end = choose.choice((line, line, min(line + 3, module.document.line_count - 1)))
        module.edit(Range(line, column, end, column), choose.choice(PIECES))
        module.work(choose.choice((0.0001, None)))
        check(module, choose)
        fresh = find_constructs(Document(module.document.whole()))
        known = find_constructs(module.document)
        assert [s.range for s in flat(known.outline)] == [s.range for s in flat(fresh.outline)]
        assert known[2:] == fresh[2:]
