"""Old objects are searched for garbage when there is nothing else to do, and only if that may free some."""

import gc
import weakref
from collections import Counter
from collections.abc import Generator, Iterator

import pytest

from ptx_lsp.memo import Memo, unneeded_tables
from ptx_lsp.server import sliced_requests
from ptx_lsp.server.client import read_client
from ptx_lsp.server.files import NoFiles
from ptx_lsp.server.garbage_collection import NEW, SILENCE, WORTH_IT, YOUNG, GarbageCollection, LongSearches
from ptx_lsp.server.server import build_server
from ptx_lsp.server.sliced_requests import LONG, in_slices
from ptx_lsp.server.stepped_loop import SteppedLoop
from tests.server.conversation import in_this_process, replaced

FUNCTIONS = 300
FUNCTION = """.visible .entry kernel_{0}(.param .u64 kernel_{0}_param_0)
{{
\t.reg .pred %p<4>;
\t.reg .b32 %r<40>;
\tmov.u32 %r2, {0};
$L_{0}:
\tadd.s32 %r1, %r2, {0};
\t@%p1 bra $L_{0};
\tret;
}}
"""


def _count() -> Counter[str]:
    """How many objects there are of the classes that an analysis consists of."""
    gc.unfreeze()
    return Counter(type(each).__name__.removeprefix("Known") for each in gc.get_objects())


class Ring:
    """An object that refers to itself, as blocks and their parts refer to each other."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def garbage() -> Iterator[GarbageCollection]:
    """The garbage collection of a server; the settings of `gc` are restored afterwards."""
    threshold, enabled = gc.get_threshold(), gc.isenabled()
    gc.enable()  # `check` in this process may have disabled it
    begun = GarbageCollection()
    begun.begin()
    yield begun
    gc.unfreeze()
    gc.set_threshold(*threshold)
    if not enabled:
        gc.disable()


def ring() -> "weakref.ref[Ring]":
    """A ring without any reference to it."""
    return weakref.ref(Ring())


def test_exempt_objects_are_freed_by_a_search_of_all(garbage: GarbageCollection) -> None:
    left = ring()
    garbage.loaded()
    garbage.search()
    assert left() is not None  # it counts as part of the loaded document
    garbage.dropped()
    garbage.search()
    assert left() is not None  # a search of all objects takes long
    garbage.search_all()
    assert left() is None


@pytest.mark.parametrize("most", [False, True])
def test_the_garbage_of_many_edits_is_freed_at_once_or_in_a_silence(garbage: GarbageCollection, most: bool) -> None:
    old = Ring()
    left = weakref.ref(old)
    kept = [[number] for number in range(2 * NEW * YOUNG * WORTH_IT)]  # meanwhile it becomes an old object
    del old
    gc.collect(1)
    assert left() is not None
    if not most:
        kept.clear()
    garbage.search()
    assert (left() is None) != most
    assert garbage.is_search_of_all_due
    garbage.search_all()
    assert left() is None
    assert not garbage.is_search_of_all_due


def test_a_few_edits_cause_no_search(garbage: GarbageCollection, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda *_: searches.append(1))
    garbage.dropped()
    garbage.search()
    assert searches == []


def test_all_objects_are_searched_once_if_the_client_is_silent(
    garbage: GarbageCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches: list[int] = []
    monkeypatch.setattr(GarbageCollection, "search_all", lambda _: searches.append(1))
    now, received = 0.0, 0
    loop = SteppedLoop(lambda: now)  # type: ignore[abstract]  # as in the stepped server
    looks = LongSearches(garbage, lambda: received, lambda: False)
    garbage.dropped()
    loop.call_soon(looks.rest)
    loop.call_soon(looks.rest)
    loop.step()
    now, received = SILENCE + 1, 1
    loop.step()
    assert searches == []
    now += SILENCE + 1
    loop.step()
    assert searches == [1]


@pytest.mark.parametrize("debug", ["", ", debug"])
def test_a_closed_document_needs_no_search(garbage: GarbageCollection, debug: str) -> None:
    functions = "".join(FUNCTION.format(number) for number in range(FUNCTIONS))
    conversation = in_this_process({"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}})
    conversation.open(f".version 8.4\n.target sm_90{debug}\n.address_size 64\n{functions}")
    about = {"textDocument": {"uri": "file:///m.ptx"}, "position": {"line": 8, "character": 14}}
    for method in ("documentSymbol", "codeLens", "foldingRange", "semanticTokens/full", "completion", "hover"):
        conversation.ask(f"textDocument/{method}", about)
    conversation.ask("textDocument/references", {**about, "context": {"includeDeclaration": True}})
    conversation.change(2, replaced(9, 0, 0, "\tmov.u32 %r1, 1;\n"))
    conversation.ask("textDocument/diagnostic", about)
    gc.collect()
    gc.disable()
    before = _count()
    conversation.begin_again()
    for _ in range(20):
        for _ in range(200):
            conversation.hover(0, 0)
        left = _count()
        if before["Body"] - left["Body"] >= FUNCTIONS:  # it is given up in steps, which are shorter on a busy machine
            break
    assert before["Body"] - left["Body"] >= FUNCTIONS
    assert before["Symbol"] - left["Symbol"] >= FUNCTIONS
    assert before["Module"] > left["Module"]


def test_python_itself_searches_old_objects_only_if_the_server_never_rests(
    garbage: GarbageCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ptx_lsp.server.garbage_collection.MOST", 15)
    garbage.begin()
    gc.collect()  # Python waits until there are a quarter more objects than the last time
    before = gc.get_stats()[2]["collections"]
    kept = [[number] for number in range(10 * NEW * YOUNG)]
    assert gc.get_stats()[2]["collections"] == before
    kept += [[number] for number in range(30 * NEW * YOUNG)]
    assert gc.get_stats()[2]["collections"] > before


async def test_a_server_notes_loaded_documents(garbage: GarbageCollection, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(GarbageCollection, "dropped", lambda _: said.append("dropped"))
    monkeypatch.setattr(GarbageCollection, "loaded", lambda _: said.append("loaded"))
    server = build_server(read_client({"capabilities": {}}), NoFiles())
    uri = "file:///a.ptx"
    document = {"uri": uri, "version": 1, "languageId": "ptx", "text": ".version 8.0\n"}
    server.protocol.direct["textDocument/didOpen"]({"textDocument": document})
    server.scheduler._finished(server.documents[uri])
    server.protocol.direct["textDocument/didClose"]({"textDocument": document})
    assert said == ["loaded"]  # no search is needed


def test_a_server_frees_tables_that_nothing_refers_to_after_an_analysis(garbage: GarbageCollection) -> None:
    unneeded_tables.clear()
    conversation = in_this_process()
    table: Memo[int, Ring] = Memo(1_000, nested=True)
    table[0] = kept = Ring()
    table.update(dict.fromkeys(range(1_000), kept))
    del table, kept
    assert len(unneeded_tables) == 1
    conversation.open(".version 8.0\n")
    for _ in range(50):
        conversation.hover(0, 0)
    assert not unneeded_tables


async def test_a_long_request_exempts_what_it_makes_as_it_goes(
    garbage: GarbageCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    exempt: list[int] = []
    monkeypatch.setattr(sliced_requests, "SLICE", 0.0)  # each step is a slice
    monkeypatch.setattr(GarbageCollection, "loaded", lambda _: exempt.append(len(made)))
    server = build_server(read_client({"capabilities": {}}), NoFiles())
    document = {"uri": "file:///a.ptx", "version": 1, "languageId": "ptx", "text": ".version 8.0\n"}
    server.protocol.direct["textDocument/didOpen"]({"textDocument": document})

    def steps() -> Generator[None, None, str]:
        for number in range(5 * LONG):
            made.append(number)
            yield
        return "done"

    assert await in_slices(server, server.documents["file:///a.ptx"], steps()) == "done"
    assert exempt == [*range(LONG, 5 * LONG + 1, LONG), 5 * LONG]
