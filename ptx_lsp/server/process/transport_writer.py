"""A writer on a transport of asyncio, for pipes and for TCP."""

import asyncio
from collections.abc import Callable

_LOOKS_BEFORE_CLOSE = 200
_TIME_BETWEEN_LOOKS = 0.005  # seconds


class Output(asyncio.BaseProtocol):
    """The protocol of a transport that is written to. `resumed` is called when the client reads again."""

    def __init__(self) -> None:
        self.resumed: Callable[[], None] = lambda: None

    def resume_writing(self) -> None:
        """asyncio calls this when the client has read most of a long backlog."""
        self.resumed()


class TransportWriter:
    """Never blocks the event loop: bytes that the client has not read yet are kept."""

    def __init__(self, transport: asyncio.WriteTransport, output: Output) -> None:
        self._transport = transport
        self._output = output

    def write(self, data: bytes) -> None:
        """Send these bytes after all earlier ones. Returns at once."""
        if not self._transport.is_closing():
            self._transport.write(data)

    @property
    def unsent(self) -> int:
        """How many bytes the client has not read yet."""
        return 0 if self._transport.is_closing() else self._transport.get_write_buffer_size()

    def on_resumed(self, callback: Callable[[], None]) -> None:
        """Call `callback` each time the client has read most of a long backlog."""
        self._output.resumed = callback

    async def close(self) -> None:
        """Wait up to a second until everything is sent, as the client may never read the rest; then close."""
        for _ in range(_LOOKS_BEFORE_CLOSE):
            if self._transport.is_closing() or not self._transport.get_write_buffer_size():
                break
            await asyncio.sleep(_TIME_BETWEEN_LOOKS)
        self._transport.close()
