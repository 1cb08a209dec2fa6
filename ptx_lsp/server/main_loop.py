"""One conversation, from its first byte to the exit code: messages from the inbox are handled, answers are written.

Everything here runs on one event loop of asyncio, whichever it is. It needs no thread, process, socket or file: those
are in `server/process/`, which runs this loop on standard streams or TCP; `server/stepped_server.py` runs it step by
step for a host that has none of them.
"""

import asyncio
from collections.abc import Callable

from ptx_lsp.server.client import Client
from ptx_lsp.server.files import Files
from ptx_lsp.server.inbox import Inbox
from ptx_lsp.server.initialize import answer_initialize
from ptx_lsp.server.messages import Message, cancelled
from ptx_lsp.server.writer import Writer, drain

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
    from ptx_lsp.server.wiring import build_server  # after the answer to `initialize`: it takes 300 ms

    server = build_server(client, files)
    protocol = server.protocol
    protocol.set_writer(writer)  # type: ignore[arg-type]  # its `close` is ours to call
    writer.on_resumed(server.publications.flush)

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
