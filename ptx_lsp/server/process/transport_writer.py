"""A writer on a transport of asyncio, for pipes and for TCP."""

import asyncio
from collections import deque
from collections.abc import Callable

from ptx_lsp.server.process.closing import everything_sent


class Output(asyncio.BaseProtocol):
    """The protocol of a transport that is written to.

    `paused` is true while the transport has a long backlog; `resumed` is called when the client has read most of it.
    """

    def __init__(self) -> None:
        self.paused = False
        self.resumed: Callable[[], None] = lambda: None

    def pause_writing(self) -> None:
        """asyncio calls this when the backlog has become long."""
        self.paused = True

    def resume_writing(self) -> None:
        """asyncio calls this when the client has read most of a long backlog."""
        self.paused = False
        self.resumed()


class TransportWriter:
    """Never blocks the event loop: bytes that the client has not read yet are kept.

    They are kept as they were given, and not joined: to copy some megabytes would keep other requests waiting.
    """

    def __init__(self, transport: asyncio.WriteTransport, output: Output) -> None:
        self._transport = transport
        self._output = output
        self._waiting: deque[bytes] = deque()  # what the transport has not been given yet, in order
        self._size = 0  # the number of bytes that wait
        self._callback: Callable[[], None] = lambda: None
        output.resumed = self._resume

    def write(self, *parts: bytes) -> None:
        """Send these parts of a message after all earlier ones. Returns at once."""
        if self._transport.is_closing():
            return
        for part in parts:
            if self._waiting or self._output.paused:
                self._waiting.append(part)
                self._size += len(part)
            else:
                self._transport.write(part)

    def _resume(self) -> None:
        while self._waiting and not self._output.paused:
            data = self._waiting.popleft()
            self._size -= len(data)
            self._transport.write(data)
        if not self._waiting and not self._output.paused:
            self._callback()

    @property
    def unsent(self) -> int:
        """How many bytes the client has not read yet."""
        return 0 if self._transport.is_closing() else self._size + self._transport.get_write_buffer_size()

    def on_resumed(self, callback: Callable[[], None]) -> None:
        """Call `callback` each time the client has read most of a long backlog."""
        self._callback = callback

    async def close(self) -> None:
        """Wait up to a second until everything is sent, as the client may never read the rest; then close."""
        await everything_sent(lambda: self.unsent)
        self._transport.close()
