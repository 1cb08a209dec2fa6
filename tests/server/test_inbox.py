"""The inbox gives all waiting messages at once."""

import asyncio
import json

import pytest

from ptx_lsp.server import connection as inbox_module
from ptx_lsp.server.connection import Inbox, cancelled
from ptx_lsp.server.frames import UNREADABLE, Message, frame
from ptx_lsp.server.initialize import answer_initialize


def framed(*messages: object) -> bytes:
    return b"".join(frame(json.dumps(message).encode()) for message in messages)


async def test_a_burst_is_taken_at_once_and_in_order() -> None:
    inbox = Inbox()
    inbox.feed(framed({"method": "a"}, {"method": "b"}))
    inbox.feed(framed({"method": "c"}))
    assert [message["method"] for message in await inbox.take()] == ["a", "b", "c"]


async def test_take_waits_for_a_message() -> None:
    inbox = Inbox()
    taking = asyncio.create_task(inbox.take())
    await asyncio.sleep(0)
    assert not taking.done()
    inbox.feed(framed({"method": "a"}))
    assert await asyncio.wait_for(taking, 1) == [{"method": "a"}]


async def test_the_end_comes_after_the_messages_before_it() -> None:
    inbox = Inbox()
    inbox.feed(framed({"method": "a"}))
    inbox.end()
    assert await inbox.take() == [{"method": "a"}]
    assert await inbox.take() == []


async def test_a_body_that_is_not_a_message_is_unreadable() -> None:
    inbox = Inbox()
    inbox.feed(frame(b"{nonsense") + frame(b"[1]") + frame(b"[" * 100_000) + frame(b"\xff"))
    assert [message["method"] for message in await inbox.take()] == [UNREADABLE] * 4


async def test_long_and_short_messages_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox_module, "LONG", 40)
    inbox = Inbox()
    data = framed({"method": "a"}, {"method": "b", "text": "line\n" * 30}, {"method": "c"}, {"text": "x" * 90})
    for start in range(0, len(data), 33):
        inbox.feed(data[start : start + 33])
    taken = await inbox.take()
    assert [message.get("method") for message in taken] == ["a", "b", "c", None]
    assert taken[1]["text"] == "line\n" * 30
    assert taken[3]["text"] == "x" * 90


async def test_draining_lets_a_waiting_take_have_what_has_arrived() -> None:
    inbox = Inbox()
    taking = asyncio.create_task(inbox.take())
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_soon(inbox.feed, framed({"method": "a"}))
    await inbox.drain()
    assert taking.done()


async def test_a_message_is_taken_before_the_next_slice_of_a_request() -> None:
    inbox = Inbox()
    events: list[str] = []

    async def work() -> None:
        for number in range(3):
            events.append(f"slice {number}")
            await inbox.admit()

    async def take() -> None:
        events.append(str((await inbox.take())[0]["method"]))

    taking, working = asyncio.create_task(take()), asyncio.create_task(work())
    loop = asyncio.get_running_loop()
    # the loop reads it after what is ready at the end of the first slice
    loop.call_soon(lambda: loop.call_soon(inbox.feed, framed({"method": "asked"})))
    await asyncio.gather(taking, working)
    assert events == ["slice 0", "asked", "slice 1", "slice 2"]


async def test_draining_ends_although_more_arrives_all_the_time() -> None:
    inbox = Inbox()
    loop = asyncio.get_running_loop()
    fed = 0

    def feed() -> None:
        nonlocal fed
        fed += 1
        inbox.feed(framed({"method": "a"}))
        loop.call_soon(feed)

    feed()
    await asyncio.wait_for(inbox.drain(), 10)
    assert fed > 1


def test_cancellations_are_found_among_invalid_ones() -> None:
    messages: list[Message] = [
        {"method": "$/cancelRequest", "params": {"id": 3}},
        {"method": "$/cancelRequest", "params": {"id": "x"}},
        {"method": "$/cancelRequest"},
        {"method": "$/cancelRequest", "params": [1]},
        {"method": "$/cancelRequest", "params": {"id": []}},
        {"method": "$/cancelRequest", "params": {"id": {}}},
        {"method": "textDocument/hover", "params": {"id": 4}},
    ]
    assert cancelled(messages) == {3, "x"}


async def test_before_initialize_requests_are_refused_and_notifications_dropped() -> None:
    inbox = Inbox()
    answers: list[bytes] = []
    inbox.feed(
        framed(
            {"method": "initialized"},
            {"id": 1, "method": "textDocument/hover"},
            {"id": "two", "method": "initialize", "params": {}},
            {"method": "after"},
        )
    )
    initialized = await answer_initialize(inbox, answers.append)
    assert initialized is not None
    assert initialized[1] == [{"method": "after"}]
    first, second = (json.loads(answer.partition(b"\r\n\r\n")[2]) for answer in answers)
    assert (first["id"], first["error"]["code"]) == (1, -32002)
    assert second["id"] == "two"
    assert second["result"]["serverInfo"]["name"] == "ptx-lsp"


async def test_a_client_may_exit_before_initialize() -> None:
    inbox = Inbox()
    inbox.feed(framed({"method": "exit"}))
    assert await answer_initialize(inbox, lambda data: None) is None
    inbox.end()
    assert await answer_initialize(inbox, lambda data: None) is None
