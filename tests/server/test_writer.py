"""What is written reaches a client that reads, and waits for nobody who does not."""

import asyncio

from ptx_lsp.server.writer import drain


class Pipe:
    """A writer whose client reads so many bytes at a look."""

    def __init__(self, unsent: int, read: int) -> None:
        self._unsent = unsent
        self._read = read
        self.looks = 0

    def write(self, data: bytes) -> None:
        raise AssertionError("nothing is written here")

    @property
    def unsent(self) -> int:
        self.looks += 1
        self._unsent = max(0, self._unsent - self._read)
        return self._unsent

    async def close(self) -> None:
        raise AssertionError("nothing is closed here")


async def test_a_client_that_reads_gets_all_of_it() -> None:
    pipe = Pipe(unsent=500_000, read=50_000)
    await asyncio.wait_for(drain(pipe), 10)
    assert pipe.unsent == 0


async def test_a_client_that_does_not_read_is_not_waited_for() -> None:
    pipe = Pipe(unsent=500_000, read=0)
    await asyncio.wait_for(drain(pipe), 10)
    assert pipe.unsent == 500_000
    assert pipe.looks < 10
