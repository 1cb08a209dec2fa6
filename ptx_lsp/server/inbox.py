"""What the client has said and nobody has looked at yet.

Whoever takes from it gets everything that is there at once, so that a burst of edits is applied before any analysis,
and a request that was cancelled while it waited is never begun.
"""

import asyncio
from time import perf_counter

from ptx_lsp.server.frames import FrameReader
from ptx_lsp.server.messages import Message, read_message
from ptx_lsp.server.streamed_message import StreamedMessage

LONG = 1 << 18
"""Bytes; a body of which so many are missing is read while it arrives."""

LONGEST_DRAIN = 0.002
"""Seconds after which `drain` begins no other round."""

_TURNS = 3  # of the event loop: it reads, whoever takes is woken, and has handled it


class Inbox:
    """Bytes in at one end (`feed`, `end`), messages out at the other (`take`)."""

    __slots__ = ("_arrival", "_bodies", "_ended", "_fed", "_frames", "_something")

    def __init__(self) -> None:
        self._frames = FrameReader()
        self._arrival: StreamedMessage | None = None
        self._bodies: list[bytes | StreamedMessage] = []
        self._something = asyncio.Event()
        self._ended = False
        self._fed = 0  # how often bytes have arrived

    def feed(self, data: bytes) -> None:
        """Bytes have arrived."""
        self._fed += 1
        if self._arrival is not None:
            data = self._arrive(self._arrival, data)
        self._bodies += self._frames.feed(data)
        begun = self._frames.hand_over(LONG)
        if begun is not None:
            self._arrival = StreamedMessage(begun.length)
            self._arrival.feed(begun.data)
        if self._bodies:
            self._something.set()

    def _arrive(self, arrival: StreamedMessage, data: bytes) -> bytes:
        """Give an arrival what belongs to it; what follows."""
        size = arrival.left
        arrival.feed(data[:size])
        if not arrival.left:
            self._bodies.append(arrival)
            self._arrival = None
        return data[size:]

    def end(self) -> None:
        """No more bytes will arrive."""
        self._ended = True
        self._something.set()

    async def take(self) -> list[Message]:
        """Every message that waits, in the order of arrival, at least one; none when there will be no more."""
        while not self._bodies and not self._ended:
            self._something.clear()
            await self._something.wait()
        bodies, self._bodies = self._bodies, []
        return [read_message(body) if isinstance(body, bytes) else body.message() for body in bodies]

    async def drain(self) -> None:
        """Let what has arrived be read, taken and handled, and what arrives meanwhile.

        Not for long, though: a client that asks without pause must not bring all other work to a halt.
        """
        end = perf_counter() + LONGEST_DRAIN
        before = -1
        while self._fed != before and perf_counter() < end:
            before = self._fed
            for _ in range(_TURNS):
                await asyncio.sleep(0)
