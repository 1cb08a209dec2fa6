"""Scheduling: slices that yield, the last edit first, complete answers, and no answer for what is closed."""

import asyncio
from typing import Any

import pytest

from ptx_lsp.server import scheduling
from ptx_lsp.server.scheduling import Scheduler


class Work:
    """Stands for a module: so many slices of work."""

    def __init__(self, slices: int, fails: bool = False) -> None:
        self.slices = slices
        self.fails = fails
        self.settled = False

    def work(self, budget: float, visible: object) -> bool:
        if self.fails:
            raise RuntimeError("on purpose")
        self.slices -= 1
        return self.slices <= 0


class Paper:
    """Stands for an open document."""

    def __init__(self, name: str, slices: int) -> None:
        self.uri = name
        self.fails_anew = False
        self.module = Work(slices)
        self.visible = None
        self.edited = 0.0
        self.published: object = None
        self.restarts = 0
        self.slices = slices

    def restart(self) -> None:
        self.restarts += 1
        self.module = Work(self.slices, self.fails_anew)


class Desk:
    """An analyst with a record of what it said."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []
        self.scheduler = Scheduler(
            lambda paper, known: self.said.append((known.name.lower(), paper.uri)),
            lambda paper: self.said.append(("slow", paper.uri)),
            lambda paper: self.said.append(("finished", paper.uri)),
            lambda: self.said.append(("rest", "")),
            lambda paper, for_good: self.said.append(("failed for good" if for_good else "failed", paper.uri)),
        )

    async def settle(self, turns: int = 50) -> None:
        task = asyncio.create_task(self.scheduler.run())
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()


def paper(name: str, slices: int) -> Any:
    return Paper(name, slices)


async def test_a_document_is_published_when_its_analysis_is_complete() -> None:
    desk = Desk()
    desk.scheduler.wake(paper("a", 5))
    await desk.settle()
    assert desk.said == [("complete", "a")]


async def test_when_nothing_has_been_to_do_for_a_while_there_is_time_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "QUIET", 0.01)
    desk = Desk()
    task = asyncio.create_task(desk.scheduler.run())
    await asyncio.sleep(0.1)
    desk.scheduler.wake(paper("a", 3))
    await asyncio.sleep(0.1)
    task.cancel()
    assert desk.said == [("rest", ""), ("complete", "a"), ("rest", "")]


async def test_the_last_edited_document_is_the_next() -> None:
    desk = Desk()
    first, second = paper("first", 20), paper("second", 3)
    desk.scheduler.wake(first)
    desk.scheduler.wake(second)
    await desk.settle()
    assert desk.said == [("complete", "second"), ("complete", "first")]


async def test_between_two_slices_others_have_their_turn() -> None:
    desk = Desk()
    document = paper("a", 10)
    desk.scheduler.wake(document)
    task = asyncio.create_task(desk.scheduler.run())
    left = []
    for _ in range(6):
        await asyncio.sleep(0)
        left.append(document.module.slices)
    task.cancel()
    assert left == sorted(left, reverse=True)
    assert left[0] - left[-1] == 5


async def test_an_edit_during_the_work_is_done_before_anything_is_published() -> None:
    desk = Desk()
    document = paper("a", 3)
    desk.scheduler.wake(document)
    task = asyncio.create_task(desk.scheduler.run())
    await asyncio.sleep(0)
    document.module.slices = 4
    desk.scheduler.wake(document)
    for _ in range(20):
        await asyncio.sleep(0)
    task.cancel()
    assert desk.said == [("complete", "a")]


async def test_what_takes_long_is_told_in_part_and_shows_a_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "PATIENCE_AFTER_OPENING", -1.0)
    monkeypatch.setattr(scheduling, "LONG", -1.0)
    desk = Desk()
    desk.scheduler.wake(paper("a", 4))
    await desk.settle()
    assert desk.said == [("earlier", "a"), ("slow", "a"), ("complete", "a"), ("finished", "a")]


async def test_a_closed_document_is_not_worked_on() -> None:
    desk = Desk()
    document = paper("a", 9)
    desk.scheduler.wake(document)
    desk.scheduler.forget(document)
    await desk.settle()
    assert desk.said == []
    assert document.module.slices == 9


async def test_a_failing_analysis_stops_neither_the_others_nor_those_who_wait() -> None:
    desk = Desk()
    bad, good = paper("bad", 3), paper("good", 3)
    bad.module.fails = bad.fails_anew = True
    desk.scheduler.wake(good)
    desk.scheduler.wake(bad)
    waiting = asyncio.create_task(desk.scheduler.complete(bad))
    await desk.settle()
    await asyncio.wait_for(waiting, 1)
    assert desk.said == [("failed", "bad"), ("failed for good", "bad"), ("complete", "good")]
    assert bad.restarts == 2


async def test_a_failed_analysis_is_begun_anew_once_for_each_edit() -> None:
    desk = Desk()
    document = paper("a", 3)
    for _ in range(2):
        document.module.fails = True
        desk.scheduler.wake(document)
        await desk.settle()
    assert desk.said == [("failed", "a"), ("complete", "a")] * 2
    assert document.restarts == 2
    assert not desk.scheduler.busy


async def test_what_fails_when_it_is_published_is_begun_anew_too() -> None:
    desk = Desk()
    published = iter((RuntimeError("on purpose"), None))

    def publish(paper: Any, known: object) -> None:
        error = next(published)
        if error:
            raise error
        desk.said.append(("complete", paper.uri))

    desk.scheduler._publish = publish
    desk.scheduler.wake(paper("a", 3))
    await desk.settle()
    assert desk.said == [("failed", "a"), ("complete", "a")]


async def test_one_can_wait_for_completeness() -> None:
    desk = Desk()
    document = paper("a", 5)
    await asyncio.wait_for(desk.scheduler.complete(document), 1)
    desk.scheduler.wake(document)
    waiting = asyncio.create_task(desk.scheduler.complete(document))
    await asyncio.sleep(0)
    assert not waiting.done()
    await desk.settle()
    await asyncio.wait_for(waiting, 1)
    assert document.module.slices <= 0
