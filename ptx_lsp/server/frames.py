"""The frames of the base protocol: a header with `Content-Length`, an empty line, a body of that many bytes."""

from dataclasses import dataclass

_END = b"\r\n\r\n"
_LONGEST_HEADER = 1 << 16
_LONGEST_BODY = 1 << 31  # no document has so many bytes: to wait for a longer body would be to wait for ever
_MOST_DIGITS = len(str(_LONGEST_BODY))


def frame(body: bytes) -> bytes:
    """A body with its header."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@dataclass(frozen=True, slots=True)
class Begun:
    """What has come of a body, and how many bytes it has in all."""

    data: bytes
    length: int


class FrameReader:
    """Puts frames together from bytes as they arrive, in time linear in their number."""

    __slots__ = ("_buffer", "_wanted")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._wanted = -1  # the length of the body that is being read, -1 while it is a header's turn

    def feed(self, data: bytes) -> list[bytes]:
        """Take more bytes, in any portions, and give the bodies that they complete.

        A header that names no length, or one that no body has, is skipped: what follows is read as the next header.
        """
        buffer = self._buffer
        buffer += data
        bodies: list[bytes] = []
        while True:
            if self._wanted < 0 and not self._read_header(len(data)):
                return bodies
            if len(buffer) < self._wanted:
                return bodies
            bodies.append(bytes(buffer[: self._wanted]))
            del buffer[: self._wanted]
            self._wanted = -1

    def hand_over(self, least: int) -> Begun | None:
        """Give up the body that is being read, if at least `least` bytes of it are missing: others will read it."""
        if self._wanted - len(self._buffer) < least:
            return None
        begun = Begun(bytes(self._buffer), self._wanted)
        self._buffer.clear()
        self._wanted = -1
        return begun

    def _read_header(self, fresh: int) -> bool:
        buffer = self._buffer
        while True:
            searched = max(0, len(buffer) - fresh - len(_END))
            end = buffer.find(_END, searched)
            if end < 0:
                if len(buffer) > _LONGEST_HEADER:
                    del buffer[:-3]  # no header is that long: this is noise, and it must not pile up
                return False
            self._wanted = _content_length(bytes(buffer[:end]))
            del buffer[: end + len(_END)]
            fresh = len(buffer)
            if self._wanted >= 0:
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
