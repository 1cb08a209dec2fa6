"""Counts that must not grow: times differ from machine to machine, how often something is done does not."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import pytest

from benchmarks.checking import hostile_texts
from benchmarks.material import EXAMPLES, choose, one_function, read_source, repeated, with_mistakes
from ptx_lsp.analysis import reading
from ptx_lsp.analysis.fold import Fold
from ptx_lsp.analysis.layout import TOGETHER
from ptx_lsp.analysis.module import Module
from ptx_lsp.text import document
from ptx_lsp.text.document import CHARACTERS_PER_CHUNK, LINES_PER_CHUNK, LINES_PER_EDITED_CHUNK
from ptx_lsp.text.ranges import Range

LINES = 6000
SOURCE = read_source(EXAMPLES / "gaussian.ptx")
TEXT = repeated(SOURCE, LINES)
SMALL = 20_000
PIECES = 2 * LINES_PER_CHUNK // LINES_PER_EDITED_CHUNK  # of a chunk, when it is edited for the first time
DEEP = 3000  # beyond Python's recursion limit


@dataclass
class Counts:
    """How often what was done while somebody counted."""

    blocks: int = 0  # blocks read
    statements: int = 0  # statements that went the full way
    cut: list[int] = field(default_factory=list)  # the lengths of the texts that were cut into chunks
    by_kind: Counter[str] = field(default_factory=Counter)


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counts]:
    """Count what happens inside."""
    counts = Counts()

    def watch(owner: Any, name: str, note: Callable[..., None]) -> None:
        original = getattr(owner, name)

        @wraps(original)
        def watched(*args: Any, **more: Any) -> Any:
            note(*args, **more)
            return original(*args, **more)

        patch.setattr(owner, name, watched)

    def read(module: Module, block: object) -> None:
        counts.blocks += 1

    def take(fold: Fold, statement: object, broken: bool = False) -> None:
        counts.statements += 1
        counts.by_kind[type(statement).__name__] += 1

    with monkeypatch.context() as patch:
        watch(Module, "_read", read)
        watch(reading, "take", take)
        watch(document, "cut", lambda text, finely=False: counts.cut.append(len(text)))
        yield counts


def analysed(text: str) -> Module:
    """A module that has been worked through."""
    module = Module(text)
    module.work()
    return module


def place_of(text: str, pattern: str, behind: int = 0) -> tuple[int, int]:
    """Line and column (from 0) of the first match of a pattern behind the first `behind` lines."""
    for line, content in enumerate(text.split("\n")):
        match = re.search(pattern, content)
        if line >= behind and match is not None:
            return line, match.start()
    raise AssertionError(pattern)


def type_and_settle(module: Module, line: int, column: int, text: str) -> None:
    """A typed text, and the work until the findings can be shown."""
    module.edit(Range(line, column, line, column), text)
    while not module.settled:
        module.work(0.0)


def analysed_and_typed_in(text: str, line: int) -> Module:
    """The same, and somebody has typed in a line before: it has been cut out finely."""
    module = analysed(text)
    for _ in range(2):
        module.edit(Range(line, 0, line, 0), " ")
        module.work()
    return module


def test_loading_reads_every_block_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with counted(monkeypatch) as counts:
        module = analysed(TEXT)
    assert module.findings() == []
    assert counts.blocks <= module.document.chunk_count
    assert counts.cut == [len(TEXT)]


def test_plain_instructions_do_not_go_the_full_way(monkeypatch: pytest.MonkeyPatch) -> None:
    with counted(monkeypatch) as counts:
        analysed(TEXT)
    # what there is of instructions in the examples is plain: once a distinct kind, whatever the length of the text
    assert counts.by_kind["Instruction"] < TEXT.count(";") / 100
    assert counts.statements < TEXT.count("\n") / 4


def test_the_first_character_in_a_body_reads_what_it_cuts_up(monkeypatch: pytest.MonkeyPatch) -> None:
    module = analysed(TEXT)
    line, column = place_of(TEXT, r"(?<=\tadd\.s32 \t%r)\d", LINES // 2)
    with counted(monkeypatch) as counts:
        type_and_settle(module, line, column, "9")
    assert counts.blocks <= PIECES
    # the declarations and braces of one block, and the statement that was edited
    assert counts.statements <= LINES_PER_CHUNK // 2
    assert max(counts.cut) <= CHARACTERS_PER_CHUNK * 2
    assert [f.code for f in module.findings()] == ["register-index"]


def test_a_character_in_a_body_reads_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    line, column = place_of(TEXT, r"(?<=\tadd\.s32 \t%r)\d", LINES // 2)
    module = analysed_and_typed_in(TEXT, line)
    with counted(monkeypatch) as counts:
        type_and_settle(module, line, column + 2, "9")
    assert counts.blocks == 1
    assert counts.statements <= LINES_PER_EDITED_CHUNK // 2
    assert max(counts.cut) <= 2 * CHARACTERS_PER_CHUNK * LINES_PER_EDITED_CHUNK // LINES_PER_CHUNK
    assert [f.code for f in module.findings()] == ["register-index"]


def test_characters_in_a_row_read_one_block_each(monkeypatch: pytest.MonkeyPatch) -> None:
    module = analysed(TEXT)
    line, column = place_of(TEXT, r"(?<=\tadd\.s32 \t%r)\d", LINES // 2)
    type_and_settle(module, line, column, "1")
    module.work()
    with counted(monkeypatch) as counts:
        for _ in range(5):
            type_and_settle(module, line, column, "1")
            module.work()
    assert counts.blocks == 5


def test_a_new_line_reads_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    line, _ = place_of(TEXT, r"^\tadd\.s32", LINES // 2)
    module = analysed_and_typed_in(TEXT, line)
    with counted(monkeypatch) as counts:
        type_and_settle(module, line, 0, "\n")
    assert counts.blocks == 1
    assert module.findings() == []


def test_a_declaration_reads_its_function_only(monkeypatch: pytest.MonkeyPatch) -> None:
    module = analysed(TEXT)
    line, column = place_of(TEXT, r"(?<=\t\.reg \.b32 \t%r<)\d", LINES // 2)
    with counted(monkeypatch) as counts:
        type_and_settle(module, line, column, "1")
    assert counts.blocks <= PIECES + 4
    assert module.findings() == []


@pytest.mark.parametrize("typed", ["{", "}", "/* */", "//", ";", '"'])
def test_no_character_splits_the_whole_text(monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    module = analysed(TEXT)
    line, _ = place_of(TEXT, r"^\tadd\.s32", LINES // 2)
    with counted(monkeypatch) as counts:
        type_and_settle(module, line, 0, typed)
    assert max(counts.cut) <= CHARACTERS_PER_CHUNK * 2
    assert counts.blocks <= module.document.chunk_count


def test_in_one_long_function_the_findings_wait_for_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    text = one_function(LINES)
    line, column = place_of(text, r"(?<=\tadd\.s32 \t%r)\d", LINES // 2)
    module = analysed_and_typed_in(text, line)
    with counted(monkeypatch) as counts:
        type_and_settle(module, line, column + 2, "9999")
    assert counts.blocks == 1
    assert "register-index" in [f.code for f in module.findings()]


def test_findings_cost_nothing_where_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks that have nothing to say are not asked."""
    module = analysed(TEXT)
    asked = []
    monkeypatch.setattr(Module, "_severity", lambda self, report: asked.append(report))
    assert module.findings() == []
    assert asked == []


def test_many_mistakes_are_found_in_one_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    text = with_mistakes(SOURCE, 500)
    with counted(monkeypatch) as counts:
        module = analysed(text)
    assert len([f for f in module.findings() if f.code == "undeclared"]) == 500
    assert counts.blocks <= module.document.chunk_count


@pytest.mark.parametrize("name", hostile_texts(0))
def test_hostile_texts_are_read_to_their_end_in_linear_work(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    text = hostile_texts(SMALL)[name]
    with counted(monkeypatch) as counts:
        module = analysed(text)
    assert counts.blocks <= 2 * module.document.chunk_count
    assert counts.statements <= 2 * len(text)
    assert module.settled
    assert module.work()


@pytest.mark.parametrize("mark", ["(", "[", "{", "-", "/*", "{\n", '"'])
def test_no_nesting_reaches_the_recursion_limit(mark: str) -> None:
    text = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n\tmov.u32 %r1, " + mark * DEEP
    module = analysed(text)
    assert module.findings()


def test_a_paste_reads_what_is_pasted(monkeypatch: pytest.MonkeyPatch) -> None:
    module = analysed(TEXT)
    line, _ = place_of(TEXT, r"^\tadd\.s32", LINES // 2)
    pasted = (TEXT.split("\n")[line] + "\n") * 2000
    before = module.document.chunk_count
    with counted(monkeypatch) as counts:
        type_and_settle(module, line, 0, pasted)
    assert counts.blocks <= module.document.chunk_count - before + TOGETHER + 4
    assert max(counts.cut) <= len(pasted) + CHARACTERS_PER_CHUNK * 2


def test_the_material_is_the_same_every_time() -> None:
    assert repeated(read_source(EXAMPLES / "gaussian.ptx"), LINES) == TEXT
    assert choose(sorted(EXAMPLES.glob("*.ptx")), debug=False).parent == EXAMPLES
    assert TEXT.count("\n") >= LINES
