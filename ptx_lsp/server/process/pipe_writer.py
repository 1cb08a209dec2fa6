"""A writer on a pipe or a socket of this process that takes as many parts of an answer at once as the system allows.

A transport of asyncio copies what it cannot write at once, and writes part after part: an answer of 30 MB takes it
35 ms of processor time, and this writer 8. All later answers wait for it.
"""

import asyncio
import os
from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import BinaryIO

from ptx_lsp.server.process.closing import everything_sent

_MOST_PARTS = 256  # in one call of the system, which takes 1024 on Linux


class PipeWriter:
    """Never blocks the event loop: bytes that the client has not read yet are kept as they were given, in order."""

    def __init__(self, file: BinaryIO, loop: asyncio.AbstractEventLoop) -> None:
        self._file = file
        self._number = file.fileno()
        self._loop = loop
        self._waiting: deque[bytes | memoryview] = deque()  # what the system has not taken yet, in order
        self._size = 0  # the number of bytes that wait
        self._is_open = True
        self._callback: Callable[[], None] = lambda: None
        os.set_blocking(self._number, False)

    def write(self, *parts: bytes) -> None:
        """Send these parts of a message after all earlier ones. Returns at once, after one call of the system."""
        if not self._is_open:
            return
        waits = bool(self._waiting)
        self._waiting += parts
        self._size += sum(map(len, parts))
        if not waits and not self._write_some():
            self._loop.add_writer(self._number, self._write_waiting)

    def _write_some(self) -> bool:
        """Write what the system takes now; True if nothing waits any more."""
        waiting = self._waiting
        try:
            written = os.writev(self._number, list(islice(waiting, _MOST_PARTS)))
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:  # the client does not read any more
            self._is_open = False
            waiting.clear()
            self._size = 0
            return True
        self._size -= written
        while waiting and written >= len(waiting[0]):
            written -= len(waiting.popleft())
        if written:
            waiting[0] = memoryview(waiting[0])[written:]
        return not waiting

    def _write_waiting(self) -> None:
        if not self._waiting or self._write_some():
            self._loop.remove_writer(self._number)
            self._callback()

    @property
    def unsent(self) -> int:
        """How many bytes the client has not read yet."""
        return self._size

    def on_resumed(self, callback: Callable[[], None]) -> None:
        """Call `callback` each time the client has read a backlog."""
        self._callback = callback

    async def close(self) -> None:
        """Wait up to a second until everything is sent, as the client may never read the rest; then close."""
        await everything_sent(lambda: self.unsent)
        self._is_open = False
        self._loop.remove_writer(self._number)
        self._file.close()
