"""What one conversation does next: messages first, and a slice of analysis between two looks at the inbox.

A conversation lasts from its first byte to the exit code. `server/scheduler.py` has the slices of analysis.

Everything here runs on one event loop of asyncio, whichever it is. It needs no thread, process, socket or file: those
are in `server/process/`, which runs this loop on standard streams or TCP; `server/stepped_server.py` runs it step by
step for a host that has none of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from ptx_lsp.server.connection import Inbox, Writer, cancelled, drain
from ptx_lsp.server.frames import Message
from ptx_lsp.server.initialize import answer_initialize

if TYPE_CHECKING:
    from ptx_lsp.server.client import Client
    from ptx_lsp.server.files import Files

EXIT_WITHOUT_SHUTDOWN = 1
"""The exit code if the client leaves without `shutdown`, as the protocol defines it."""


async def converse(
    inbox: Inbox, writer: Writer, files: Files, on_initialized: Callable[[Client], None] = lambda client: None
) -> int:
    """Serve one client until it exits or the inbox ends; the exit code.

    `on_initialized` is called once, when the client has said what it can do.
    """
    initialized = await answer_initialize(inbox, writer.write)
    if initialized is None:
        return EXIT_WITHOUT_SHUTDOWN
    client, messages = initialized
    on_initialized(client)
    return await _handle_all(inbox, writer, files, client, messages)


async def _handle_all(inbox: Inbox, writer: Writer, files: Files, client: Client, messages: list[Message]) -> int:
    from ptx_lsp.server.server import build_server  # after the answer to `initialize`: it takes 300 ms

    server = build_server(client, files)
    protocol = server.protocol
    protocol.set_writer(writer)  # type: ignore[arg-type]  # its `close` is ours to call
    writer.on_resumed(server.publications.flush)
    server.pause = inbox.admit

    async def serve_the_client() -> None:
        await drain(writer)
        await inbox.drain()

    analysis = asyncio.create_task(server.scheduler.run(serve_the_client))
    while protocol.exit_code is None:
        given_up = cancelled(messages)
        for message in messages:
            protocol.receive(message, given_up)
        if protocol.exit_code is None and not (messages := await inbox.take()):
            protocol.exit_code = EXIT_WITHOUT_SHUTDOWN
    analysis.cancel()
    return protocol.exit_code
