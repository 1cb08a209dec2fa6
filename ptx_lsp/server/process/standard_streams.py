"""Standard input and output of this process.

On POSIX the event loop itself watches standard input, so that a request is read between two slices of analysis. If it
cannot (on Windows, or if standard input is a plain file), a thread reads.
"""

import asyncio
import contextlib
import os
import stat
import sys
import threading
from collections.abc import Callable
from io import BufferedWriter, FileIO
from typing import BinaryIO

from ptx_lsp.server.connection import Inbox, Writer
from ptx_lsp.server.process.pipe_writer import PipeWriter
from ptx_lsp.server.process.transport_writer import Output, TransportWriter

_BYTES_PER_READ = 1 << 16
_BYTES_IN_PIPE = 1 << 20


class _Input(asyncio.Protocol):
    """Feeds the inbox with what a pipe receives."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox

    def data_received(self, data: bytes) -> None:
        self._inbox.feed(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._inbox.end()


class _FileWriter:
    """Writes to a file that asyncio cannot watch; `write` waits until the bytes are written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, *parts: bytes) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._file.writelines(parts)
            self._file.flush()

    @property
    def unsent(self) -> int:
        return 0

    def on_resumed(self, callback: Callable[[], None]) -> None:
        """There is never a backlog."""

    async def close(self) -> None:
        with contextlib.suppress(OSError):
            self._file.close()


async def open_standard_streams(inbox: Inbox) -> Writer:
    """Feed `inbox` from standard input; the writer writes to standard output, and from now on nothing else does."""
    source, sink = _take_standard_streams()
    loop = asyncio.get_running_loop()
    try:
        if not _can_be_watched(source):
            raise ValueError("a device, such as /dev/null: the event loop would never see its end")
        await loop.connect_read_pipe(lambda: _Input(inbox), source)
    except (ValueError, OSError, NotImplementedError):
        threading.Thread(target=_read, args=(source, inbox, loop), daemon=True).start()
    _widen(sink)
    if sys.platform != "win32" and _can_be_watched(sink):
        return PipeWriter(sink, loop)
    try:
        transport, output = await loop.connect_write_pipe(Output, sink)
    except (ValueError, OSError, NotImplementedError):
        return _FileWriter(sink)
    return TransportWriter(transport, output)


def _can_be_watched(file: BinaryIO) -> bool:
    mode = os.fstat(file.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _take_standard_streams() -> tuple[FileIO, BinaryIO]:
    """Standard input and output as binary files. After this, `print` writes to standard error."""
    if sys.platform == "win32":
        import msvcrt

        for stream in (sys.stdin, sys.stdout):
            msvcrt.setmode(stream.fileno(), os.O_BINARY)
    source = FileIO(os.dup(sys.stdin.fileno()), "rb")
    sink = BufferedWriter(FileIO(os.dup(sys.stdout.fileno()), "wb"))
    sys.stdout.flush()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return source, sink


def _widen(sink: BinaryIO) -> None:
    """Let the pipe of the answers hold more, if it is a pipe and the system can (Linux can).

    Each time a pipe is full, the rest of a long answer waits for the slice of work after it, and so do later answers.
    """
    if sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.fcntl(sink.fileno(), fcntl.F_SETPIPE_SZ, _BYTES_IN_PIPE)


def _read(source: FileIO, inbox: Inbox, loop: asyncio.AbstractEventLoop) -> None:
    """Feed the inbox from a thread, until the end of the input."""
    with contextlib.suppress(RuntimeError):  # the loop may be closed
        while data := os.read(source.fileno(), _BYTES_PER_READ):
            loop.call_soon_threadsafe(inbox.feed, data)
        loop.call_soon_threadsafe(inbox.end)
