"""The writer on a pipe sends all parts in their order, keeps what the client has not read, and ends with the client."""

import asyncio
import os
import sys
from collections.abc import Iterator

import pytest

from ptx_lsp.server.process import pipe_writer
from ptx_lsp.server.process.pipe_writer import PipeWriter
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other pipes")

PARTS = [bytes([number % 251]) * (1 + 7919 * number % 30_000) for number in range(1_000)]
WHOLE = b"".join(PARTS)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """The file descriptors of the two ends of a pipe: where to read, and where to write."""
    read, write = os.pipe()
    yield read, write
    for end in (read, write):
        try:
            os.close(end)
        except OSError:
            continue


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of parts in each call of `os.writev` so far."""
    numbers: list[int] = []

    def counted(number: int, parts: list[bytes]) -> int:
        numbers.append(len(parts))
        return writev(number, parts)

    writev = os.writev
    monkeypatch.setattr(os, "writev", counted)
    return numbers


async def read_from(end: int, size: int) -> bytes:
    """That many bytes, read in portions while the event loop runs."""
    os.set_blocking(end, False)
    found = b""
    async with asyncio.timeout(PATIENCE):
        while len(found) < size:
            try:
                found += os.read(end, 50_000)
            except BlockingIOError:
                await asyncio.sleep(0)
    return found


async def test_a_long_answer_goes_in_order_and_in_few_calls(pipe: tuple[int, int], calls: list[int]) -> None:
    writer = PipeWriter(os.fdopen(pipe[1], "wb"), asyncio.get_running_loop())
    resumed: list[int] = []
    writer.on_resumed(lambda: resumed.append(writer.unsent))
    for part in PARTS:
        writer.write(part)
    assert writer.unsent > len(WHOLE) // 2
    assert await read_from(pipe[0], len(WHOLE)) == WHOLE
    assert writer.unsent == 0
    assert resumed == [0]
    assert max(calls) == pipe_writer._MOST_PARTS  # not one call for each part
    writer.write(b"later")
    assert await read_from(pipe[0], 5) == b"later"
    await writer.close()


async def test_a_client_that_has_gone_is_no_error(pipe: tuple[int, int]) -> None:
    writer = PipeWriter(os.fdopen(pipe[1], "wb"), asyncio.get_running_loop())
    for part in PARTS:
        writer.write(part)
    assert writer.unsent > 0
    os.close(pipe[0])
    async with asyncio.timeout(60):
        while writer.unsent:
            await asyncio.sleep(0)
    writer.write(b"this is never read")
    assert writer.unsent == 0
    await writer.close()


async def test_other_work_is_done_while_a_client_does_not_read(pipe: tuple[int, int]) -> None:
    writer = PipeWriter(os.fdopen(pipe[1], "wb"), asyncio.get_running_loop())
    writer.write(WHOLE)
    before = writer.unsent
    for _ in range(100):
        await asyncio.sleep(0)
    assert writer.unsent == before > 0


async def test_an_answer_of_many_parts_is_given_to_the_system_in_one_call(
    pipe: tuple[int, int], calls: list[int]
) -> None:
    """A client that reads at once would otherwise let each small part be written by a call of its own."""
    writer = PipeWriter(os.fdopen(pipe[1], "wb"), asyncio.get_running_loop())
    parts = [b"%d," % number for number in range(3_000)]
    writer.write(*parts)
    assert len(calls) == 1
    assert await read_from(pipe[0], sum(map(len, parts))) == b"".join(parts)
    await writer.close()
