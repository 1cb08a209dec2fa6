"""The preparation of the server: everything that the first mistakes need, in short steps, while nothing else is due."""

import asyncio
import gc
import re
from collections.abc import Iterator
from weakref import ref

import pytest

from ptx_lsp.analysis import comments, suspicions
from ptx_lsp.analysis.foreseen import below_edit, certain_reports, edited_piece
from ptx_lsp.isa.instructions import instruction, opcodes
from ptx_lsp.memo import forget_all
from ptx_lsp.outline import constructs, scanned_chunks
from ptx_lsp.patterns import lazy_pattern, make_ready
from ptx_lsp.server import preparation, scheduler
from ptx_lsp.server.preparation import MISTAKES, WITH_PATTERNS, Preparation, edits, expressions, steps
from ptx_lsp.text.document import Document
from tests.analysed import analysed
from tests.calls import noted_calls
from tests.server.conversation import stepped

VARIABLES = ".version 9.4\n.target sm_90\n" + "".join(f".global .b32 name_{n};\n" for n in range(20_000))


def test_all_rows_are_read() -> None:
    forget_all()
    for _ in steps():
        pass
    assert instruction.cache_info().currsize >= len(opcodes())


def test_the_prepared_module_has_every_kind_of_common_mistake() -> None:
    module = analysed(MISTAKES)
    codes = {finding.code for finding in module.findings()}
    wanted = {"unknown-opcode", "undeclared", "missing-semicolon", "undefined-label", "operand-type"}
    assert wanted <= codes, sorted(codes)


def test_edits_of_each_kind_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """They use what only edits need: the first ones of a user would import it."""
    used = [
        noted_calls(monkeypatch, module, name)
        for module, name in (
            (edited_piece, "look_ahead"),
            (below_edit, "foreseen"),
            (certain_reports, "preview"),
            (suspicions, "changed_names"),
            (comments, "OpenComments"),
        )
    ]
    for _ in edits():
        pass
    assert all(used)


def test_each_expression_is_compiled_in_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two lists in each module take the place of expressions, which are compiled once in a process."""
    compiled: list[object] = []

    def noted(value: object) -> bool:
        if isinstance(value, list):
            compiled.append(value)
        return isinstance(value, list)

    monkeypatch.setattr(preparation, "make_ready", noted)
    for name in WITH_PATTERNS:
        monkeypatch.setattr(f"ptx_lsp.{name}.FIRST_AND_SECOND", [name], raising=False)
        monkeypatch.setattr(f"ptx_lsp.{name}.ANOTHER", [name], raising=False)
    before = 0
    for _ in expressions():
        assert len(compiled) - before <= 1
        before = len(compiled)
    assert len(compiled) >= 2 * len(WITH_PATTERNS)


def test_an_expression_is_ready_after_its_step() -> None:
    expression = lazy_pattern("(one)|(two)")
    assert re.compile("(one)|(two)") not in vars(expression).values()
    assert make_ready(expression)
    assert re.compile("(one)|(two)") in vars(expression).values()
    assert not make_ready("(one)")


async def test_it_does_what_is_needed_at_once_before_the_outlines() -> None:
    done: list[str] = []

    def counted(what: str) -> Iterator[None]:
        done.append(what)
        yield

    def texts() -> list[Document]:
        done.append("outlines")
        return []

    prepared = Preparation(lambda: False, texts, first=lambda: counted("first"), at_once=lambda: counted("at once"))
    prepared.begin()
    await turns(5)
    assert done[:3] == ["at once", "outlines", "first"]


async def test_it_stops_while_a_document_is_analysed_and_continues_later(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []

    def counted() -> Iterator[None]:
        for number in range(5):
            done.append(number)
            yield

    busy = False
    monkeypatch.setattr(preparation, "steps", counted)
    prepared = Preparation(lambda: busy, list)
    prepared.begin()
    await asyncio.sleep(0)
    busy = True
    await turns()
    assert 0 < len(done) < 5
    busy = False
    prepared.begin()
    await turns()
    assert done == [0, 1, 2, 3, 4]
    prepared.begin()
    await turns()
    assert done == [0, 1, 2, 3, 4]


async def test_the_outline_is_found_and_what_was_found_before_an_edit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    scanned = noted_calls(monkeypatch, scanned_chunks, "scan_chunk")
    monkeypatch.setattr(preparation, "steps", lambda: iter(()))
    text = Document(VARIABLES)
    busy = False
    prepared = Preparation(lambda: busy, lambda: [text])
    prepared.begin()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    busy = True
    await turns()
    first = len(scanned)
    assert 0 < first < text.chunk_count
    busy = False
    prepared.begin()
    await turns(text.chunk_count)
    assert len(scanned) == text.chunk_count
    assert len(constructs.find_constructs(text).outline) == 20_000
    assert len(scanned) == text.chunk_count


async def test_the_outline_comes_before_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    text = Document(VARIABLES)
    known: list[bool] = []

    def noted() -> Iterator[None]:
        known.append(next(constructs.construct_steps(text), "found") == "found")
        yield

    monkeypatch.setattr(preparation, "steps", noted)
    monkeypatch.setattr(preparation, "MANY_STEPS", 3)
    outlined: list[bool] = []
    Preparation(lambda: False, lambda: [text], lambda: outlined.append(not known)).begin()
    await turns(2 * text.chunk_count)
    assert known == outlined == [True]


def test_the_outline_is_found_once_for_all_that_take_steps_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    scanned = noted_calls(monkeypatch, scanned_chunks, "scan_chunk")
    text = Document(VARIABLES)
    first, second = constructs.construct_steps(text), constructs.construct_steps(text)
    for _ in zip(first, second, strict=False):
        pass
    assert len(scanned) == text.chunk_count
    assert len(constructs.find_constructs(text).outline) == 20_000


def test_a_search_that_was_not_finished_keeps_no_document() -> None:
    text = Document(VARIABLES)
    next(constructs.construct_steps(text))
    kept = ref(text)
    del text
    gc.collect()
    assert kept() is None


def test_the_outline_is_found_right_after_a_long_document_was_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    scanned = noted_calls(monkeypatch, scanned_chunks, "scan_chunk")
    monkeypatch.setattr(scheduler, "LONG", -1.0)
    with stepped() as conversation:
        conversation.open(VARIABLES)
        while (found := len(scanned)) < Document(VARIABLES).chunk_count:
            conversation.hover(0, 0)
        assert (
            len(conversation.ask("textDocument/documentSymbol", {"textDocument": {"uri": "file:///m.ptx"}})) == 20_000
        )
        assert len(scanned) == found


async def turns(number: int = 20) -> None:
    """Let other tasks run."""
    for _ in range(number):
        await asyncio.sleep(0)
