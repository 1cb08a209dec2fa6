"""Watches the client's process: a client that crashes may leave its pipes open."""

import asyncio
import logging
import os

from ptx_lsp.server.connection import Inbox

_INTERVAL = 10.0  # seconds

_log = logging.getLogger(__name__)


async def end_with_process(process: int | None, inbox: Inbox) -> None:
    """End the inbox when this process ends. Does nothing without a process id, or on a system that is not POSIX.

    On other systems the end of standard input is the only sign that the client has ended.
    """
    while process and os.name == "posix":
        await asyncio.sleep(_INTERVAL)
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            _log.warning("the client's process has ended")
            inbox.end()
            return
        except (OSError, OverflowError):  # no permission to look at it, or no process can have that id
            return
