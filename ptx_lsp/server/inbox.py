"""What the client has said and nobody has looked at yet.

Whoever takes from it gets everything that is there at once, so that a burst of edits is applied before any analysis,
and a request that was cancelled while it waited is never begun.
"""

import asyncio
import json
from typing import Any

from ptx_lsp.server.frames import FrameReader

Message = dict[str, Any]

UNREADABLE = "$/unreadable"
"""The method that a body which is no JSON object is given, with the reason as its parameter."""


class Inbox:
    """Bytes in at one end (`feed`, `end`), messages out at the other (`take`)."""

    __slots__ = ("_bodies", "_ended", "_frames", "_something")

    def __init__(self) -> None:
        self._frames = FrameReader()
        self._bodies: list[bytes] = []
        self._something = asyncio.Event()
        self._ended = False

    def feed(self, data: bytes) -> None:
        """Bytes have arrived."""
        bodies = self._frames.feed(data)
        if bodies:
            self._bodies += bodies
            self._something.set()

    def end(self) -> None:
        """No more bytes will arrive."""
        self._ended = True
        self._something.set()

    async def take(self) -> list[Message]:
        """Every message that waits, in the order of arrival, at least one; none when there will be no more."""
        while not self._bodies and not self._ended:
            self._something.clear()
            await self._something.wait()
        bodies, self._bodies = self._bodies, []
        return [_message(body) for body in bodies]


def cancelled(messages: list[Message]) -> set[object]:
    """The ids of the requests that `messages` themselves ask to cancel."""
    found = (message.get("params") for message in messages if message.get("method") == "$/cancelRequest")
    return {params.get("id") for params in found if isinstance(params, dict)}


def _message(body: bytes) -> Message:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        return {"method": UNREADABLE, "params": f"this is no JSON: {error}"}
    if not isinstance(message, dict):
        return {"method": UNREADABLE, "params": "a message must be an object"}
    return message
