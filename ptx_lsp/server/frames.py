"""Messages as bytes: each is a JSON object in a frame, a header with `Content-Length`, an empty line and a body."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Message = dict[str, Any]

UNREADABLE = "$/unreadable"
"""The method of the message that replaces a body that is not a JSON object; its parameter is the reason."""

PARSE_ERROR = -32700
"""The error code of JSON-RPC for such a body."""

_END = b"\r\n\r\n"
_LONGEST_HEADER = 1 << 16  # bytes
_LONGEST_BODY = 1 << 31  # bytes; no document is longer: a longer body would never arrive
_MOST_DIGITS = len(str(_LONGEST_BODY))


def frame(body: bytes) -> bytes:
    """A body with its header."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@dataclass(frozen=True, slots=True)
class PartialBody:
    """The bytes of a body that have arrived, and the length of the whole body."""

    data: bytes
    length: int


class FrameReader:
    """Joins bytes to frames as they arrive, in time linear in their number."""

    __slots__ = ("_buffer", "_length")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length = -1  # of the body that is being read; -1 while a header is read

    def feed(self, data: bytes) -> list[bytes]:
        """Take more bytes, in any portions; the bodies that they complete.

        A header without a possible length is skipped: the bytes after it are read as the next header.
        """
        buffer = self._buffer
        buffer += data
        bodies: list[bytes] = []
        while True:
            if self._length < 0 and not self._read_header(len(data)):
                return bodies
            if len(buffer) < self._length:
                return bodies
            bodies.append(bytes(buffer[: self._length]))
            del buffer[: self._length]
            self._length = -1

    def hand_over(self, least: int) -> PartialBody | None:
        """Give up the body that is being read, if at least `least` bytes are missing: the caller reads the rest."""
        if self._length - len(self._buffer) < least:
            return None
        begun = PartialBody(bytes(self._buffer), self._length)
        self._buffer.clear()
        self._length = -1
        return begun

    def _read_header(self, fresh: int) -> bool:
        buffer = self._buffer
        while True:
            searched = max(0, len(buffer) - fresh - len(_END))
            end = buffer.find(_END, searched)
            if end < 0:
                if len(buffer) > _LONGEST_HEADER:
                    del buffer[:-3]  # no header is that long: drop the noise, so that it does not use memory
                return False
            self._length = _content_length(bytes(buffer[:end]))
            del buffer[: end + len(_END)]
            fresh = len(buffer)
            if self._length >= 0:
                return True


def _content_length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        digits = value.strip()
        if name.strip().lower() == b"content-length" and digits.isdigit():
            digits = digits.lstrip(b"0") or b"0"
            length = int(digits) if len(digits) <= _MOST_DIGITS else -1
            return length if length <= _LONGEST_BODY else -1
    return -1


def read_message(body: bytes, hook: Callable[[Message], Message] | None = None) -> Message:
    """The message of a body; `hook` may change each of its objects. Never raises."""
    try:
        message = json.loads(body, object_hook=hook)
    except (ValueError, RecursionError) as error:
        return unreadable(f"this is not JSON: {error}")
    return message if isinstance(message, dict) else unreadable("a message must be an object")


def unreadable(reason: str) -> Message:
    """The message that replaces a body that cannot be parsed."""
    return {"method": UNREADABLE, "params": reason}
