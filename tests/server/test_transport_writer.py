"""The writer keeps what the client has not read, in order, and gives it to the transport only in parts."""

import asyncio
from typing import cast

from ptx_lsp.server.process.transport_writer import Output, TransportWriter

LIMIT = 4


class Transport:
    """A transport whose client reads only when `read` is called; it reports a backlog of more than `LIMIT` bytes."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self.buffer = b""
        self.longest = 0

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return len(self.buffer)

    def write(self, data: bytes) -> None:
        self.buffer += data
        self.longest = max(self.longest, len(self.buffer))
        if len(self.buffer) > LIMIT:
            self.output.pause_writing()

    def read(self) -> bytes:
        data, self.buffer = self.buffer, b""
        if self.output.paused:
            self.output.resume_writing()
        return data


def test_parts_wait_outside_of_the_transport_and_are_sent_in_order() -> None:
    output = Output()
    transport = Transport(output)
    writer = TransportWriter(cast(asyncio.WriteTransport, transport), output)
    resumed: list[int] = []
    writer.on_resumed(lambda: resumed.append(writer.unsent))
    parts = [b"one", b"two", b"three", b"four", b"five", b"six"]
    for part in parts:
        writer.write(part)
    assert writer.unsent == len(b"".join(parts))
    assert transport.longest <= LIMIT + len(b"three")
    sent = b""
    while writer.unsent:
        sent += transport.read()
    assert sent == b"".join(parts)
    assert transport.longest <= LIMIT + len(b"three")
    assert len(resumed) == 1
