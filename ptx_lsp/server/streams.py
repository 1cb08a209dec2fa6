"""Where the bytes come from and go to: standard input and output, or a TCP connection.

On POSIX the event loop itself watches standard input, so that a request is seen between two slices of analysis; where
it cannot (Windows, or a plain file as input) a thread reads.
"""

import asyncio
import contextlib
import os
import stat
import sys
import threading
from collections.abc import Callable
from io import BufferedWriter, FileIO
from typing import BinaryIO, Protocol

from ptx_lsp.server.inbox import Inbox

_PORTION = 1 << 16
_FIRST_WORD = b"content-"  # of either header that the protocol knows, in lower case
_TO_READ = 0.001  # seconds in which a client reads a portion, if it reads at all


class Writer(Protocol):
    """Takes bytes for the client."""

    def write(self, data: bytes) -> None:
        """Send these bytes, in order, sooner or later."""

    @property
    def unsent(self) -> int:
        """How many bytes are still to be sent."""

    def on_resumed(self, callback: Callable[[], None]) -> None:
        """Call this whenever the client, having left much unread, has read most of it."""

    async def close(self) -> None:
        """Wait until everything is sent, then close."""


class _Output(asyncio.BaseProtocol):
    """Is told by its transport whether the client reads."""

    def __init__(self) -> None:
        self.resumed: Callable[[], None] = lambda: None

    def resume_writing(self) -> None:
        self.resumed()


class _Input(asyncio.Protocol):
    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox

    def data_received(self, data: bytes) -> None:
        self._inbox.feed(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._inbox.end()


class _TransportWriter:
    """Never blocks the event loop: what the client does not read yet is kept."""

    def __init__(self, transport: asyncio.WriteTransport, output: _Output) -> None:
        self._transport = transport
        self._output = output

    def write(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)

    @property
    def unsent(self) -> int:
        return 0 if self._transport.is_closing() else self._transport.get_write_buffer_size()

    def on_resumed(self, callback: Callable[[], None]) -> None:
        self._output.resumed = callback

    async def close(self) -> None:
        for _ in range(200):  # a client that has gone may never read the rest
            if self._transport.is_closing() or not self._transport.get_write_buffer_size():
                break
            await asyncio.sleep(0.005)
        self._transport.close()


class _FileWriter:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, data: bytes) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._file.write(data)
            self._file.flush()

    @property
    def unsent(self) -> int:
        return 0

    def on_resumed(self, callback: Callable[[], None]) -> None:
        """Nothing is ever left unread here: `write` waits."""

    async def close(self) -> None:
        with contextlib.suppress(OSError):
            self._file.close()


async def drain(writer: Writer) -> None:
    """Send what is left while the client keeps reading: a long answer goes through a pipe in many pieces."""
    before = writer.unsent + 1
    while 0 < writer.unsent < before:
        before = writer.unsent
        await asyncio.sleep(_TO_READ)


async def open_standard_streams(inbox: Inbox) -> Writer:
    """Feed `inbox` from standard input; what is written goes to standard output, and nothing else does any more."""
    source, sink = _take_standard_streams()
    loop = asyncio.get_running_loop()
    try:
        if not _can_be_watched(source):
            raise ValueError("a device, such as /dev/null: the event loop would never see its end")
        await loop.connect_read_pipe(lambda: _Input(inbox), source)
    except (ValueError, OSError, NotImplementedError):
        threading.Thread(target=_read, args=(source, inbox, loop), daemon=True).start()
    try:
        transport, output = await loop.connect_write_pipe(_Output, sink)
    except (ValueError, OSError, NotImplementedError):
        return _FileWriter(sink)
    return _TransportWriter(transport, output)


async def open_tcp(inbox: Inbox, host: str, port: int) -> Writer:
    """Listen, and feed `inbox` from the first client that speaks the protocol; answers go back to it.

    Raises OSError where nobody may listen there. Port 0 takes a free one; standard error tells which.
    """
    loop = asyncio.get_running_loop()
    accepted: asyncio.Future[_Visitor] = loop.create_future()
    listener = await loop.create_server(lambda: _Visitor(inbox, accepted), host, port)
    place = listener.sockets[0].getsockname()
    print(f"ptx-lsp: listening on {place[0]}:{place[1]}", file=sys.stderr, flush=True)
    visitor = await accepted
    listener.close()
    assert visitor.transport is not None
    return _TransportWriter(visitor.transport, visitor)


class _Visitor(asyncio.Protocol, _Output):
    """Somebody who has connected over TCP: the client as soon as the first header begins as the protocol has it.

    Any web page can send an HTTP request to a port of this machine; it must not be taken for a client.
    """

    def __init__(self, inbox: Inbox, accepted: "asyncio.Future[_Visitor]") -> None:
        super().__init__()
        self.transport: asyncio.Transport | None = None
        self._inbox = inbox
        self._accepted = accepted
        self._begun = b""  # what has come before it is known who it is
        self._is_client = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if not self._is_client:
            self._begun += data
            data = self._begun
            start = data[: len(_FIRST_WORD)].lower()
            if start != _FIRST_WORD[: len(start)] or self._accepted.done():
                assert self.transport is not None
                self.transport.abort()
                return
            if len(start) < len(_FIRST_WORD):
                return
            self._is_client = True
            self._accepted.set_result(self)
        self._inbox.feed(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._is_client:
            self._inbox.end()


def _can_be_watched(source: FileIO) -> bool:
    mode = os.fstat(source.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _take_standard_streams() -> tuple[FileIO, BinaryIO]:
    """Standard input and output as binary files of our own; a stray `print` goes to standard error from now on."""
    if sys.platform == "win32":
        import msvcrt

        for stream in (sys.stdin, sys.stdout):
            msvcrt.setmode(stream.fileno(), os.O_BINARY)
    source = FileIO(os.dup(sys.stdin.fileno()), "rb")
    sink = BufferedWriter(FileIO(os.dup(sys.stdout.fileno()), "wb"))
    sys.stdout.flush()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return source, sink


def _read(source: FileIO, inbox: Inbox, loop: asyncio.AbstractEventLoop) -> None:
    with contextlib.suppress(RuntimeError):  # the loop may have gone
        while data := os.read(source.fileno(), _PORTION):
            loop.call_soon_threadsafe(inbox.feed, data)
        loop.call_soon_threadsafe(inbox.end)
