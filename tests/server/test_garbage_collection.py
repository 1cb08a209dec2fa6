"""Old objects are searched for garbage when there is nothing else to do, and only if that may free some."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from ptx_lsp.server.client import read_client
from ptx_lsp.server.files import NoFiles
from ptx_lsp.server.garbage_collection import NEW, WORTH_IT, YOUNG, GarbageCollection
from ptx_lsp.server.server import build_server


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


def test_the_objects_of_a_closed_document_are_freed(garbage: GarbageCollection) -> None:
    left = ring()
    garbage.loaded()
    garbage.search()
    assert left() is not None  # it counts as part of the loaded document
    garbage.dropped()
    garbage.search()
    assert left() is None


def test_the_garbage_of_many_edits_is_freed(garbage: GarbageCollection) -> None:
    old = Ring()
    left = weakref.ref(old)
    kept = [[number] for number in range(2 * NEW * YOUNG * WORTH_IT)]  # meanwhile it becomes an old object
    del old
    gc.collect(1)
    assert left() is not None
    garbage.search()
    assert left() is None
    assert len(kept) > 0


def test_a_few_edits_cause_no_search(garbage: GarbageCollection, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda *_: searches.append(1))
    garbage.search()
    assert searches == []
    garbage.dropped()
    garbage.search()
    garbage.search()
    assert searches == [1]


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


async def test_a_server_notes_loaded_and_dropped_documents(
    garbage: GarbageCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(GarbageCollection, "dropped", lambda _: said.append("dropped"))
    monkeypatch.setattr(GarbageCollection, "loaded", lambda _: said.append("loaded"))
    server = build_server(read_client({"capabilities": {}}), NoFiles())
    uri = "file:///a.ptx"
    document = {"uri": uri, "version": 1, "languageId": "ptx", "text": ".version 8.0\n"}
    server.protocol.direct["textDocument/didOpen"]({"textDocument": document})
    server.scheduler._finished(server.documents[uri])
    server.protocol.direct["textDocument/didClose"]({"textDocument": document})
    assert said == ["loaded", "dropped"]
