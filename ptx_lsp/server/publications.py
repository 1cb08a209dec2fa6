"""Sends diagnostics. While the client does not read, only the newest message of each document is kept."""

from collections.abc import Callable

MOST_UNSENT = 1 << 20
"""Bytes; publications are kept back while this many or more are unsent."""


class Publications:
    """Sends messages about documents; `unsent` gives the number of bytes that the client has not read yet."""

    def __init__(self, send: Callable[[str], None], unsent: Callable[[], int]) -> None:
        self._send = send
        self._unsent = unsent
        self._kept: dict[str, str] = {}  # by URI the newest message of a document; the one kept longest is first

    def send(self, uri: str, message: str) -> None:
        """Send the newest message of a document, or keep it until the client reads and drop the one kept before."""
        self._kept.pop(uri, None)
        self._kept[uri] = message
        self.flush()

    def flush(self) -> None:
        """Send the kept messages, the oldest first, until too many bytes are unsent."""
        while self._kept and self._unsent() < MOST_UNSENT:
            uri = next(iter(self._kept))
            self._send(self._kept.pop(uri))
