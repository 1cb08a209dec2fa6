"""Diagnostics on their way to the client: of each document only the newest waits for a client that does not read."""

from collections.abc import Callable

MOST_UNSENT = 1 << 20
"""Bytes; while more are waiting to be sent, publications are kept back."""


class Publications:
    """Sends messages about documents; `unsent` gives how many bytes the client has not taken yet."""

    def __init__(self, send: Callable[[str], None], unsent: Callable[[], int]) -> None:
        self._send = send
        self._unsent = unsent
        self._kept: dict[str, str] = {}

    def send(self, uri: str, message: str) -> None:
        """Send what is now known of a document, or keep it until the client reads; an older message is dropped."""
        self._kept.pop(uri, None)
        self._kept[uri] = message
        self.flush()

    def flush(self) -> None:
        """Send what was kept, the oldest first, as long as the client takes it."""
        while self._kept and self._unsent() < MOST_UNSENT:
            uri = next(iter(self._kept))
            self._send(self._kept.pop(uri))
