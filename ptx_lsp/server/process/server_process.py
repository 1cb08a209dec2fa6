"""Runs the main loop in this process, until the client leaves or the client's process ends."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable

from ptx_lsp.server.client import Client
from ptx_lsp.server.connection import Inbox, Writer
from ptx_lsp.server.main_loop import converse
from ptx_lsp.server.process.client_process import end_with_process
from ptx_lsp.server.process.disk_files import DiskFiles


def serve(open_streams: Callable[[Inbox], Awaitable[Writer]], client_process: int | None = None) -> int:
    """Serve one client over these streams until it leaves; the exit code of this process.

    `client_process` is the client's process id; without it, the one that `initialize` names is used.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    return asyncio.run(_serve(open_streams, client_process))


async def _serve(open_streams: Callable[[Inbox], Awaitable[Writer]], client_process: int | None) -> int:
    inbox = Inbox()
    writer = await open_streams(inbox)
    watch: asyncio.Task[None] | None = None

    def begin_watch(client: Client) -> None:
        nonlocal watch
        watch = asyncio.create_task(end_with_process(client_process or client.process, inbox))

    try:
        return await converse(inbox, writer, DiskFiles(), begin_watch)
    finally:
        if watch is not None:
            watch.cancel()
        await writer.close()
