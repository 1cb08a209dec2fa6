"""Where the server's bytes go: the interface that the main loop writes to."""

import asyncio
from collections.abc import Callable
from typing import Protocol

_TIME_TO_READ = 0.001  # seconds in which a client reads a part of what is waiting, if it reads at all


class Writer(Protocol):
    """Takes bytes for the client."""

    def write(self, data: bytes) -> None:
        """Send these bytes after all earlier ones. Returns at once."""

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
