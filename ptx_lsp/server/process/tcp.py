"""A TCP connection of one client, for debugging."""

import asyncio
import sys

from ptx_lsp.server.connection import Inbox, Writer
from ptx_lsp.server.process.transport_writer import Output, TransportWriter

_FIRST_WORD = b"content-"
"""How both headers of the protocol begin, in lower case."""


async def open_tcp(inbox: Inbox, host: str, port: int) -> Writer:
    """Listen, and feed `inbox` from the first client that speaks the protocol; the writer sends to this client.

    Raises OSError if this process may not listen there. Port 0 takes a free one, which standard error reports.
    """
    loop = asyncio.get_running_loop()
    accepted: asyncio.Future[_Connection] = loop.create_future()
    listener = await loop.create_server(lambda: _Connection(inbox, accepted), host, port)
    place = listener.sockets[0].getsockname()
    print(f"ptx-lsp: listening on {place[0]}:{place[1]}", file=sys.stderr, flush=True)
    connection = await accepted
    listener.close()
    assert connection.transport is not None
    return TransportWriter(connection.transport, connection)


class _Connection(asyncio.Protocol, Output):
    """A TCP connection. It is the client's if its first bytes are the beginning of a header of the protocol.

    Any web page can send an HTTP request to a port of this machine, and must not be accepted as the client.
    """

    def __init__(self, inbox: Inbox, accepted: "asyncio.Future[_Connection]") -> None:
        super().__init__()
        self.transport: asyncio.Transport | None = None
        self._inbox = inbox
        self._accepted = accepted
        self._first = b""  # the bytes that came before the connection was accepted
        self._is_client = False  # True once the connection is accepted

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if not self._is_client:
            self._first += data
            data = self._first
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
