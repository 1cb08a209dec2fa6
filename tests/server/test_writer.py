"""`drain` waits for a client that reads, and not for one that does not."""

import asyncio
from collections.abc import Callable

from ptx_lsp.server.connection import drain


class Pipe:
    """A writer whose client reads `read` bytes between two looks at `unsent`."""

    def __init__(self, unsent: int, read: int) -> None:
        self._unsent = unsent
        self._read = read
        self.looks = 0

    def write(self, *parts: bytes) -> None:
        raise AssertionError("nothing is written here")

    @property
    def unsent(self) -> int:
        self.looks += 1
        self._unsent = max(0, self._unsent - self._read)
        return self._unsent

    def on_resumed(self, callback: Callable[[], None]) -> None:
        raise AssertionError("nothing is held back here")

    async def close(self) -> None:
        raise AssertionError("nothing is closed here")


async def test_drain_waits_until_a_reading_client_has_everything() -> None:
    pipe = Pipe(unsent=500_000, read=50_000)
    await asyncio.wait_for(drain(pipe), 10)
    assert pipe.unsent == 0


async def test_drain_does_not_wait_for_a_client_that_does_not_read() -> None:
    pipe = Pipe(unsent=500_000, read=0)
    await asyncio.wait_for(drain(pipe), 10)
    assert pipe.unsent == 500_000
    assert pipe.looks < 10
