"""The connection with the client: which messages have arrived, and where bytes for the client go.

The messages that have arrived and are not handled yet wait in the `Inbox`, in the order of their arrival. `Inbox.take`
gives all of them at once, so that a burst of edits is applied before any analysis, and a request that was cancelled
while it waited never begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import isfinite
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from ptx_lsp.server.frames import FrameReader, Message, read_message

if TYPE_CHECKING:
    from ptx_lsp.server.streamed_message import StreamedMessage

LONG = 1 << 18
"""Bytes; a body of which at least this many are missing is parsed while it arrives."""

LONGEST_DRAIN = 0.002
"""Seconds after which `drain` begins no further round."""

_TURNS_TO_READ = 2  # of the event loop: what is ready already comes before what it reads
_TURNS = 3  # of the event loop: it reads bytes, wakes the main loop, and the main loop handles the messages
_TIME_TO_READ = 0.001  # seconds in which a client reads a part of what is waiting, if it reads at all


def cancelled(messages: list[Message]) -> set[object]:
    """The ids of the requests that these messages cancel, without values that cannot be an id."""
    found = (message.get("params") for message in messages if message.get("method") == "$/cancelRequest")
    ids = (params.get("id") for params in found if isinstance(params, dict))
    return {id_ for id_ in ids if is_id(id_)}


def is_id(value: object) -> bool:
    """Whether a value can be the id of a request: a number or a string."""
    if isinstance(value, float):
        return isfinite(value)  # Python reads `NaN` and `Infinity`, which are not JSON
    return isinstance(value, (int, str)) and not isinstance(value, bool)


class Inbox:
    """Bytes in at one end (`feed`, `end`), messages out at the other (`take`)."""

    __slots__ = ("_bodies", "_ended", "_fed", "_frames", "_has_input", "_streamed")

    def __init__(self) -> None:
        self._frames = FrameReader()
        self._streamed: StreamedMessage | None = None
        self._bodies: list[bytes | StreamedMessage] = []
        self._has_input = asyncio.Event()  # set if there is a body, or the end of the input
        self._ended = False  # True once no more bytes will arrive
        self._fed = 0  # how often bytes have arrived

    def feed(self, data: bytes) -> None:
        """Take bytes that have arrived, in any portions."""
        self._fed += 1
        if self._streamed is not None:
            data = self._feed_streamed(self._streamed, data)
        self._bodies += self._frames.feed(data)
        begun = self._frames.hand_over(LONG)
        if begun is not None:
            from ptx_lsp.server.streamed_message import StreamedMessage  # few conversations have a long message

            self._streamed = StreamedMessage(begun.length)
            self._streamed.feed(begun.data)
        if self._bodies:
            self._has_input.set()

    def _feed_streamed(self, message: StreamedMessage, data: bytes) -> bytes:
        """Give a message the bytes that belong to it; the bytes after it."""
        size = message.left
        message.feed(data[:size])
        if not message.left:
            self._bodies.append(message)
            self._streamed = None
        return data[size:]

    def end(self) -> None:
        """Note that no more bytes will arrive."""
        self._ended = True
        self._has_input.set()

    async def take(self) -> list[Message]:
        """All waiting messages in the order of their arrival, at least one; an empty list after the last one."""
        while not self._bodies and not self._ended:
            self._has_input.clear()
            await self._has_input.wait()
        bodies, self._bodies = self._bodies, []
        return [read_message(body) if isinstance(body, bytes) else body.message() for body in bodies]

    async def admit(self) -> None:
        """Let the event loop read what has arrived and begin to handle it: the pause between two slices of a request.

        A task that only gave way to the next one would do another slice before each of these turns.
        """
        before = self._fed
        for _ in range(_TURNS_TO_READ):
            await asyncio.sleep(0)
        if self._fed != before or self._bodies:
            for _ in range(_TURNS):
                await asyncio.sleep(0)

    async def drain(self) -> None:
        """Let the event loop read, take and handle what has arrived, and what arrives meanwhile.

        It ends after `LONGEST_DRAIN`: a client that sends requests without pause must not stop all other work.
        """
        end = perf_counter() + LONGEST_DRAIN
        before = -1
        while self._fed != before and perf_counter() < end:
            before = self._fed
            for _ in range(_TURNS):
                await asyncio.sleep(0)


class Writer(Protocol):
    """Takes bytes for the client: the interface that the main loop writes to."""

    def write(self, *parts: bytes) -> None:
        """Send these parts of a message after all earlier ones. Returns at once."""

    @property
    def unsent(self) -> int:
        """How many bytes the client has not read yet."""

    def on_resumed(self, callback: Callable[[], None]) -> None:
        """Call `callback` each time the client has read most of a long backlog."""

    async def close(self) -> None:
        """Wait until everything is sent or the client stops reading, then close."""


async def drain(writer: Writer) -> None:
    """Wait while the client keeps reading: a long response goes through a pipe in many parts."""
    before = writer.unsent + 1
    while 0 < writer.unsent < before:
        before = writer.unsent
        await asyncio.sleep(_TIME_TO_READ)
