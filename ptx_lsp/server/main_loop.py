"""One conversation from its first byte to the end of the process."""

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable

from ptx_lsp.server.client import Client
from ptx_lsp.server.inbox import Inbox
from ptx_lsp.server.initialize import answer_initialize
from ptx_lsp.server.messages import Message, cancelled
from ptx_lsp.server.streams import Writer, drain

LEFT_WITHOUT_SHUTDOWN = 1
_LOOK_AFTER_CLIENT = 10.0

_log = logging.getLogger(__name__)


def serve(open_streams: Callable[[Inbox], Awaitable[Writer]], client_process: int | None = None) -> int:
    """Speak with one client over these streams until it leaves; the exit code of the process.

    `client_process` is the client's process id: the server ends when that process does (on POSIX; elsewhere the end
    of standard input tells).
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    return asyncio.run(_converse(open_streams, client_process))


async def _converse(open_streams: Callable[[Inbox], Awaitable[Writer]], client_process: int | None) -> int:
    inbox = Inbox()
    writer = await open_streams(inbox)
    try:
        greeted = await answer_initialize(inbox, writer.write)
        if greeted is None:
            return LEFT_WITHOUT_SHUTDOWN
        client, messages = greeted
        guard = asyncio.create_task(_watch(inbox, client_process or client.process))
        code = await _serve(inbox, writer, client, messages)
        guard.cancel()
        return code
    finally:
        await writer.close()


async def _serve(inbox: Inbox, writer: Writer, client: Client, messages: list[Message]) -> int:
    from ptx_lsp.server.wiring import build_server

    server = build_server(client)
    protocol = server.protocol
    protocol.set_writer(writer)  # type: ignore[arg-type]  # its `close` is ours to call
    writer.on_resumed(server.publications.flush)

    async def see_to_the_client() -> None:
        await drain(writer)
        await inbox.drain()

    analysis = asyncio.create_task(server.scheduler.run(see_to_the_client))
    while protocol.exit_code is None:
        given_up = cancelled(messages)
        for message in messages:
            protocol.receive(message, given_up)
        if protocol.exit_code is None and not (messages := await inbox.take()):
            protocol.exit_code = LEFT_WITHOUT_SHUTDOWN
    analysis.cancel()
    return protocol.exit_code


async def _watch(inbox: Inbox, process: int | None) -> None:
    """End the inbox when the client's process is gone: a client that crashed may leave its pipes open."""
    while process and os.name == "posix":
        await asyncio.sleep(_LOOK_AFTER_CLIENT)
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            _log.warning("the client's process is gone")
            inbox.end()
            return
        except (OSError, OverflowError):  # it is not ours to look at, or no process can have that number
            return
