"""The server without a process of its own: bytes of the client in, bytes for the client out, one step at a time.

For hosts that have no threads, processes or sockets, such as a WebAssembly page, and for tests. The host calls `feed`
when the client has sent bytes, and then `step` until `due` is not 0.0 any more:

    server = SteppedServer()
    server.feed(data)
    while server.due() == 0.0:
        send(server.step())
"""

import time
from collections import deque
from collections.abc import Callable

from ptx_lsp.server.connection import Inbox
from ptx_lsp.server.files import Files, NoFiles
from ptx_lsp.server.main_loop import converse
from ptx_lsp.server.stepped_loop import SteppedLoop

MOST_BYTES = 1 << 20
"""The bytes for the client after which a step returns no further part of a long answer: to copy them takes time."""


class _Output:
    """Keeps the bytes for the client, as they were given, until the host takes them."""

    def __init__(self) -> None:
        self._parts: deque[bytes] = deque()

    def write(self, *parts: bytes) -> None:
        self._parts += parts

    @property
    def unsent(self) -> int:
        return 0  # the host takes everything in the next steps

    def on_resumed(self, callback: Callable[[], None]) -> None:
        """Nothing is ever held back."""

    async def close(self) -> None:
        """There is nothing to close."""

    @property
    def waits(self) -> bool:
        """Whether there are bytes that the host has not taken yet."""
        return bool(self._parts)

    def take(self) -> bytes:
        """The next bytes: whole parts, up to the first one with which they are `MOST_BYTES` or more."""
        taken: list[bytes] = []
        size = 0
        while self._parts and size < MOST_BYTES:
            taken.append(self._parts.popleft())
            size += len(taken[-1])
        return b"".join(taken)


class SteppedServer:
    """One conversation with one client. `clock` gives seconds and never goes back."""

    def __init__(self, files: Files | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._loop = SteppedLoop(clock)  # type: ignore[abstract]  # asyncio itself does not insist on all methods
        self._inbox = Inbox()
        self._output = _Output()
        self._conversation = self._loop.create_task(converse(self._inbox, self._output, files or NoFiles()))

    def feed(self, data: bytes) -> None:
        """Take bytes that the client has sent."""
        self._inbox.feed(data)

    def end(self) -> None:
        """Note that the client will send no more bytes."""
        self._inbox.end()

    def step(self) -> bytes:
        """Do a small part of what there is to do: a few messages, or some milliseconds of analysis.

        Returns bytes for the client, often none, and of a long answer only a part. They are parts of one stream, in its
        order. Raises what ended the conversation, if a bug did.
        """
        self._loop.step()
        if self._conversation.done():
            self._conversation.result()
        return self._output.take()

    def due(self) -> float | None:
        """Seconds until the next step has something to do; None if it has not before the client sends bytes."""
        if self._output.waits:
            return 0.0
        return None if self._conversation.done() else self._loop.due()

    @property
    def exit_code(self) -> int | None:
        """None until the conversation has ended; then 0 if the client has sent `shutdown` and `exit`, else 1."""
        return self._conversation.result() if self._conversation.done() else None
