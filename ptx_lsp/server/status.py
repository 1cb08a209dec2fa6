"""How the server is, for a status bar: the notification `experimental/serverStatus` that rust-analyzer introduced.

`health` is `ok`, `warning` where an analysis failed and was started again, `error` where a document cannot be analysed
as it is. `quiescent` is false while an analysis takes long. `message` is for people, `restarts` counts for how many
failures a document was analysed anew.
"""

import json
from collections.abc import Callable
from urllib.parse import unquote

METHOD = "experimental/serverStatus"


class Status:
    """The state that the client was told last, and what it is now."""

    def __init__(self, send: Callable[[str], None], supported: bool) -> None:
        self._send = send
        self._supported = supported
        self._busy: set[str] = set()
        self._broken: dict[str, None] = {}  # the URIs of the documents that cannot be analysed
        self._restarts = 0
        self._told = ""

    def ready(self) -> None:
        """The server can answer."""
        self._tell()

    def analysing(self, uri: str) -> None:
        """The analysis of this document takes long."""
        self._busy.add(uri)
        self._tell()

    def finished(self, uri: str) -> None:
        """It is over, or the document is closed."""
        self._busy.discard(uri)
        self._tell()

    def restarted(self, uri: str) -> None:
        """The analysis of this document failed, and was started again."""
        self._restarts += 1
        self._tell()

    def broken(self, uri: str) -> None:
        """The analysis failed again: nothing more is tried before the document changes."""
        self._broken[uri] = None
        self._tell()

    def sound(self, uri: str) -> None:
        """The document has been analysed to its end, or is closed."""
        if uri in self._broken:
            del self._broken[uri]
            self._tell()

    def _tell(self) -> None:
        health = "error" if self._broken else "warning" if self._restarts else "ok"
        params = {"health": health, "quiescent": not self._busy, "message": self._message(), "restarts": self._restarts}
        text = json.dumps({"jsonrpc": "2.0", "method": METHOD, "params": params})
        if self._supported and text != self._told:
            self._told = text
            self._send(text)

    def _message(self) -> str:
        if self._broken:
            name = unquote(next(iter(self._broken)).rsplit("/", 1)[-1])
            return f"`{name}` cannot be analysed: its findings are those of an earlier text; the log has the error"
        if self._restarts:
            times = "once" if self._restarts == 1 else f"{self._restarts} times"
            return f"an analysis failed and was started again ({times}); the log has the error"
        return ""
