"""Scheduling: slices with pauses, the last edited document first, complete findings, and none for closed documents."""

import asyncio
from typing import Any

import pytest

from ptx_lsp.server import scheduler
from ptx_lsp.server.scheduler import QUIET, Completeness, Scheduler
from ptx_lsp.server.stepped_loop import SteppedLoop


class FakeModule:
    """A module whose analysis takes `slices` slices; it fails if `fails` is True."""

    def __init__(self, slices: int, fails: bool = False) -> None:
        self.slices = slices
        self.fails = fails
        self.settled = False
        self.has_news = False

    def work(self, budget: float, visible: object) -> bool:
        if self.fails:
            raise RuntimeError("on purpose")
        self.slices -= 1
        return self.slices <= 0


class FakeDocument:
    """An open document whose analysis takes `slices` slices; it fails a second time if `fails_again` is True."""

    def __init__(self, name: str, slices: int) -> None:
        self.uri = name
        self.fails_again = False
        self.analysis = FakeModule(slices)
        self.visible = None
        self.edited = 0.0
        self.published: object = None
        self.outline_steps = None
        self.restarts = 0
        self.slices = slices

    def restart(self) -> None:
        self.restarts += 1
        self.analysis = FakeModule(self.slices, self.fails_again)


class Recorder:
    """A scheduler and a record of its calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        self.scheduler = Scheduler(
            self.publish,
            lambda document: self.calls.append(("slow", document.uri)),
            lambda document: self.calls.append(("finished", document.uri)),
            lambda: self.calls.append(("rest", "")),
            lambda document, again: self.calls.append(("failed again" if again else "failed", document.uri)),
        )

    def publish(self, document: Any, known: Completeness) -> None:
        self.calls.append((known.name.lower(), document.uri))
        document.analysis.has_news = False

    async def settle(self, turns: int = 50) -> None:
        task = asyncio.create_task(self.scheduler.run())
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()


def new_document(name: str, slices: int) -> Any:
    return FakeDocument(name, slices)


async def test_a_document_is_published_when_its_analysis_is_complete() -> None:
    recorder = Recorder()
    recorder.scheduler.wake(new_document("a", 5))
    await recorder.settle()
    assert recorder.calls == [("complete", "a")]


async def test_news_after_an_edit_are_published_at_once() -> None:
    recorder = Recorder()
    document = new_document("a", 5)
    document.published = ([], 0)
    document.analysis.has_news = True
    recorder.scheduler.wake(document)
    await recorder.settle()
    assert recorder.calls == [("partial", "a"), ("complete", "a")]


def test_after_a_quiet_time_there_is_time_for_slow_work() -> None:
    now = 0.0
    loop = SteppedLoop(lambda: now)  # type: ignore[abstract]  # asyncio itself does not insist on all methods

    def settle() -> None:
        while loop.due() == 0.0:
            loop.step()

    recorder = Recorder()
    task = loop.create_task(recorder.scheduler.run())
    settle()
    now += QUIET - 0.1
    settle()
    assert recorder.calls == []
    now += 0.2
    settle()
    assert recorder.calls == [("rest", "")]
    recorder.scheduler.wake(new_document("a", 3))
    settle()
    now += QUIET - 0.1
    settle()
    assert recorder.calls == [("rest", ""), ("complete", "a")]
    now += 0.2
    settle()
    assert recorder.calls == [("rest", ""), ("complete", "a"), ("rest", "")]
    now += 10 * QUIET
    settle()
    assert len(recorder.calls) == 3
    task.cancel()
    settle()


async def test_the_last_edited_document_is_the_next() -> None:
    recorder = Recorder()
    first, second = new_document("first", 20), new_document("second", 3)
    recorder.scheduler.wake(first)
    recorder.scheduler.wake(second)
    await recorder.settle()
    assert recorder.calls == [("complete", "second"), ("complete", "first")]


async def test_other_tasks_run_between_two_slices() -> None:
    recorder = Recorder()
    document = new_document("a", 10)
    recorder.scheduler.wake(document)
    task = asyncio.create_task(recorder.scheduler.run())
    left = []
    for _ in range(6):
        await asyncio.sleep(0)
        left.append(document.analysis.slices)
    task.cancel()
    assert left == sorted(left, reverse=True)
    assert left[0] - left[-1] == 5


async def test_an_edit_during_the_analysis_is_analysed_before_anything_is_published() -> None:
    recorder = Recorder()
    document = new_document("a", 3)
    recorder.scheduler.wake(document)
    task = asyncio.create_task(recorder.scheduler.run())
    await asyncio.sleep(0)
    document.analysis.slices = 4
    recorder.scheduler.wake(document)
    for _ in range(20):
        await asyncio.sleep(0)
    task.cancel()
    assert recorder.calls == [("complete", "a")]


async def test_settled_findings_follow_the_earlier_ones_before_the_slow_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "PATIENCE_AFTER_OPENING", -1.0)
    monkeypatch.setattr(scheduler, "PATIENCE_AFTER_EDIT", 1000.0)
    recorder = Recorder()
    document = new_document("a", 30)
    recorder.scheduler.wake(document)
    await recorder.settle(5)
    document.analysis.settled = True
    await recorder.settle(5)
    assert recorder.calls == [("earlier", "a"), ("settled", "a")]
    await recorder.settle()
    assert recorder.calls == [("earlier", "a"), ("settled", "a"), ("complete", "a")]


async def test_the_first_news_of_slow_checks_are_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "PATIENCE_AFTER_EDIT", 1000.0)
    recorder = Recorder()
    document = new_document("a", 30)
    document.published = ([], 0)
    document.analysis.settled = True
    recorder.scheduler.wake(document)
    await recorder.settle(5)
    assert recorder.calls == [("settled", "a")]
    document.analysis.has_news = True
    await recorder.settle(5)
    assert recorder.calls == [("settled", "a"), ("partial", "a")]


async def test_news_are_published_until_a_finding_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "PATIENCE_AFTER_EDIT", 1000.0)
    recorder = Recorder()
    document = new_document("a", 30)
    document.published = ([], 0)
    recorder.scheduler.wake(document)
    for _ in range(2):
        document.analysis.has_news = True
        await recorder.settle(5)
    assert recorder.calls == [("partial", "a")] * 2
    publish = recorder.publish

    def changes(changed: Any, known: Completeness) -> None:
        publish(changed, known)
        changed.published = (["a finding"], 0)

    recorder.scheduler._publish = changes
    for _ in range(2):
        document.analysis.has_news = True
        await recorder.settle(5)
    assert recorder.calls == [("partial", "a")] * 3


async def test_a_long_analysis_publishes_early_and_shows_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "PATIENCE_AFTER_OPENING", -1.0)
    monkeypatch.setattr(scheduler, "LONG", -1.0)
    recorder = Recorder()
    recorder.scheduler.wake(new_document("a", 4))
    await recorder.settle()
    assert recorder.calls == [("earlier", "a"), ("slow", "a"), ("complete", "a"), ("finished", "a")]


async def test_a_closed_document_is_not_analysed() -> None:
    recorder = Recorder()
    document = new_document("a", 9)
    recorder.scheduler.wake(document)
    recorder.scheduler.forget(document)
    await recorder.settle()
    assert recorder.calls == []
    assert document.analysis.slices == 9


async def test_a_failing_analysis_stops_no_other_and_ends_the_wait_for_it() -> None:
    recorder = Recorder()
    bad, good = new_document("bad", 3), new_document("good", 3)
    bad.analysis.fails = bad.fails_again = True
    recorder.scheduler.wake(good)
    recorder.scheduler.wake(bad)
    waiting = asyncio.create_task(recorder.scheduler.complete(bad))
    await recorder.settle()
    await asyncio.wait_for(waiting, 1)
    assert recorder.calls == [("failed", "bad"), ("failed again", "bad"), ("complete", "good")]
    assert bad.restarts == 2


async def test_a_failed_analysis_is_started_again_once_for_each_edit() -> None:
    recorder = Recorder()
    document = new_document("a", 3)
    for _ in range(2):
        document.analysis.fails = True
        recorder.scheduler.wake(document)
        await recorder.settle()
    assert recorder.calls == [("failed", "a"), ("complete", "a")] * 2
    assert document.restarts == 2
    assert not recorder.scheduler.busy


async def test_an_analysis_is_started_again_if_its_publication_fails() -> None:
    recorder = Recorder()
    published = iter((RuntimeError("on purpose"), None))

    def publish(document: Any, known: object) -> None:
        error = next(published)
        if error:
            raise error
        recorder.calls.append(("complete", document.uri))

    recorder.scheduler._publish = publish
    recorder.scheduler.wake(new_document("a", 3))
    await recorder.settle()
    assert recorder.calls == [("failed", "a"), ("complete", "a")]


async def test_complete_waits_for_the_end_of_the_analysis() -> None:
    recorder = Recorder()
    document = new_document("a", 5)
    await asyncio.wait_for(recorder.scheduler.complete(document), 1)
    recorder.scheduler.wake(document)
    waiting = asyncio.create_task(recorder.scheduler.complete(document))
    await asyncio.sleep(0)
    assert not waiting.done()
    await recorder.settle()
    await asyncio.wait_for(waiting, 1)
    assert document.analysis.slices <= 0
