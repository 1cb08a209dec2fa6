"""The queue of messages that have arrived and are not handled yet, in the order of their arrival.

`take` gives all of them at once, so that a burst of edits is applied before any analysis, and a request that was
cancelled while it waited never begins.
"""

import asyncio
from time import perf_counter

from ptx_lsp.server.frames import FrameReader
from ptx_lsp.server.messages import Message, read_message
from ptx_lsp.server.streamed_message import StreamedMessage

LONG = 1 << 18
"""Bytes; a body of which at least this many are missing is parsed while it arrives."""

LONGEST_DRAIN = 0.002
"""Seconds after which `drain` begins no further round."""

_TURNS = 3  # of the event loop: it reads bytes, wakes the main loop, and the main loop handles the messages


class Inbox:
    """Bytes in at one end (`feed`, `end`), messages out at the other (`take`)."""

    __slots__ = ("_bodies", "_ended", "_fed", "_frames", "_something", "_streamed")

    def __init__(self) -> None:
        self._frames = FrameReader()
        self._streamed: StreamedMessage | None = None
        self._bodies: list[bytes | StreamedMessage] = []
        self._something = asyncio.Event()  # set if there is a body, or the end of the input
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
            self._streamed = StreamedMessage(begun.length)
            self._streamed.feed(begun.data)
        if self._bodies:
            self._something.set()

    def _feed_streamed(self, message: StreamedMessage, data: bytes) -> bytes:
        """Give a message the bytes that belong to it; the bytes after it."""
        size = message.left
        message.feed(data[:size])
        if not message.left:
            self._bodies.append(message)
            self._streamed = None
        return data[size:]

    def end(self) -> None:
        """No more bytes will arrive."""
        self._ended = True
        self._something.set()

    async def take(self) -> list[Message]:
        """All waiting messages in the order of their arrival, at least one; an empty list after the last one."""
        while not self._bodies and not self._ended:
            self._something.clear()
            await self._something.wait()
        bodies, self._bodies = self._bodies, []
        return [read_message(body) if isinstance(body, bytes) else body.message() for body in bodies]

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
