"""Garbage: old objects are looked through when nothing else is to be done, and only if that may free something."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from ptx_lsp.server.client import read_client
from ptx_lsp.server.files import NoFiles
from ptx_lsp.server.garbage_collection import NEW, WORTH_IT, YOUNG, Garbage
from ptx_lsp.server.wiring import build_server


class Ring:
    """Something that holds itself, as blocks and their parts hold each other."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def garbage() -> Iterator[Garbage]:
    """That of a server; afterwards all is as it was."""
    threshold, enabled = gc.get_threshold(), gc.isenabled()
    gc.enable()  # `check` in this process may have put an end to it
    begun = Garbage()
    begun.begin()
    yield begun
    gc.unfreeze()
    gc.set_threshold(*threshold)
    if not enabled:
        gc.disable()


def ring() -> "weakref.ref[Ring]":
    """A ring that nobody holds any more."""
    return weakref.ref(Ring())


def test_what_a_closed_document_held_is_freed(garbage: Garbage) -> None:
    left = ring()
    garbage.loaded()
    garbage.look()
    assert left() is not None  # it is taken for a part of what was loaded
    garbage.leave()
    garbage.look()
    assert left() is None


def test_what_many_edits_left_is_freed(garbage: Garbage) -> None:
    old = Ring()
    left = weakref.ref(old)
    kept = [[number] for number in range(2 * NEW * YOUNG * WORTH_IT)]  # it grows old meanwhile
    del old
    gc.collect(1)
    assert left() is not None
    garbage.look()
    assert left() is None
    assert len(kept) > 0


def test_nothing_is_looked_through_for_a_few_edits(garbage: Garbage, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda *_: looks.append(1))
    garbage.look()
    assert looks == []
    garbage.leave()
    garbage.look()
    garbage.look()
    assert looks == [1]


def test_python_itself_looks_through_old_objects_only_where_nobody_ever_rests(
    garbage: Garbage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ptx_lsp.server.garbage_collection.MOST", 15)
    garbage.begin()
    gc.collect()  # Python waits for a quarter more of what it found the last time
    before = gc.get_stats()[2]["collections"]
    kept = [[number] for number in range(10 * NEW * YOUNG)]
    assert gc.get_stats()[2]["collections"] == before
    kept += [[number] for number in range(30 * NEW * YOUNG)]
    assert gc.get_stats()[2]["collections"] > before


def test_a_server_tells_what_is_left(garbage: Garbage, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(Garbage, "leave", lambda _: said.append("left"))
    monkeypatch.setattr(Garbage, "loaded", lambda _: said.append("loaded"))
    server = build_server(read_client({"capabilities": {}}), NoFiles())
    document = {"uri": "file:///a.ptx", "version": 1, "languageId": "ptx", "text": ".version 8.0\n"}
    server.protocol.plain["textDocument/didOpen"]({"textDocument": document})
    server.scheduler._finished(server.documents[document["uri"]])
    server.protocol.plain["textDocument/didClose"]({"textDocument": document})
    assert said == ["loaded", "left"]
