"""Chunks of files are examined in copies of this process: the results are in order, and no copy is left."""

import os
import sys
from pathlib import Path

import pytest

from ptx_lsp.cli import process_copies
from ptx_lsp.cli.examination import Examination, Order, examine
from ptx_lsp.cli.formats.checked_file import Style

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"
ORDER = Order("text", Style(), {}, "", False, False, False, False, "", "")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not copy processes")


@pytest.fixture
def chunks(tmp_path: Path) -> list[list[str]]:
    """Chunks of 3 files with 0 to 20 findings each, one of them with a name that is no UTF-8, one that is missing."""
    paths = [str(tmp_path / f"{number:02}.ptx") for number in range(21)]
    paths[7] = str(tmp_path / "\udcff.ptx")
    for number, path in enumerate(paths[:-1]):
        Path(path).write_text(f"{HEAD}.entry k() {{\n{'wrong;' * number}\nret;\n}}\n")
    return [paths[at : at + 3] for at in range(0, len(paths), 3)]


def without_time(examined: list[Examination]) -> list[Examination]:
    return [each._replace(seconds=0.0, counts=dict(each.counts)) for each in examined]


def expected(chunks: list[list[str]]) -> list[list[Examination]]:
    return [without_time([examine(path, ORDER) for path in chunk]) for chunk in chunks]


def children() -> str:
    """The process ids of the children of this process."""
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text()


@pytest.mark.parametrize("processes", [1, 2, 5])
def test_the_results_are_those_of_one_process_in_order(chunks: list[list[str]], processes: int) -> None:
    before = children()
    found = list(process_copies.examined_chunks(chunks, ORDER, processes))
    assert [without_time(each) for each in found if each is not None] == expected(chunks)
    assert sum(sum(each.counts.values()) for chunk in found for each in chunk or ()) >= sum(range(20))
    assert found[-1] is not None
    assert found[-1][-1].trouble
    assert children() == before


def test_results_may_be_longer_than_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "long.ptx"
    path.write_text(f"{HEAD}.entry k() {{\n" + "wrong;\n" * 3000 + "ret;\n}\n")
    chunks = [[str(path)]] * 4
    found = list(process_copies.examined_chunks(chunks, ORDER, 2))
    assert [without_time(each) for each in found if each is not None] == expected(chunks[:1]) * 4
    assert found[0] is not None
    assert len(found[0][0].output) > 1 << 17


def test_no_copy_is_left_when_the_other_results_are_not_wanted(chunks: list[list[str]]) -> None:
    before = children()
    found = process_copies.examined_chunks(chunks * 50, ORDER, 3)
    assert next(found) is not None
    assert children() != before
    found.close()
    assert children() == before


def test_a_killed_copy_loses_its_chunk(chunks: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    parent = os.getpid()

    def examine_or_die(path: str, order: Order) -> Examination:
        if path == chunks[2][1] and os.getpid() != parent:
            os.kill(os.getpid(), 9)
        return examine(path, order)

    monkeypatch.setattr(process_copies, "examine", examine_or_die)
    found = list(process_copies.examined_chunks(chunks, ORDER, 2))
    assert [number for number, each in enumerate(found) if each is None] == [2]
    wanted = expected(chunks)
    assert [without_time(each) for each in found if each is not None] == wanted[:2] + wanted[3:]


def test_without_room_for_a_process_this_one_works(chunks: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", no_room)
    before = len(os.listdir("/proc/self/fd"))
    found = list(process_copies.examined_chunks(chunks, ORDER, 2))
    assert [without_time(each) for each in found if each is not None] == expected(chunks)
    assert len(os.listdir("/proc/self/fd")) == before
