"""The server's status, for a status bar: the notification `experimental/serverStatus` that rust-analyzer introduced.

`health` is `ok`; `warning` if an analysis failed and was started again; `error` if the analysis of a document has
failed twice. `quiescent` is false while an analysis takes long. `message` is for people. `restarts` counts the failed
analyses that were started again.
"""

import json
from collections.abc import Callable
from urllib.parse import unquote

METHOD = "experimental/serverStatus"


class Status:
    """The status now and the one sent last. Nothing is sent unless the client can show it (`supported`)."""

    def __init__(self, send: Callable[[str], None], supported: bool) -> None:
        self._send = send
        self._supported = supported
        self._busy: set[str] = set()  # the URIs of the documents whose analysis takes long
        self._broken: dict[str, None] = {}  # the URIs of the documents that cannot be analysed
        self._restarts = 0
        self._sent = ""

    def ready(self) -> None:
        """The server can answer requests."""
        self._notify()

    def analysing(self, uri: str) -> None:
        """The analysis of this document takes long."""
        self._busy.add(uri)
        self._notify()

    def finished(self, uri: str) -> None:
        """This analysis has ended, or the document is closed."""
        self._busy.discard(uri)
        self._notify()

    def restarted(self, uri: str) -> None:
        """The analysis of this document failed, and was started again."""
        self._restarts += 1
        self._notify()

    def broken(self, uri: str) -> None:
        """The analysis failed again and is not started again before the document changes."""
        self._broken[uri] = None
        self._notify()

    def sound(self, uri: str) -> None:
        """The analysis of this document is complete, or the document is closed."""
        if uri in self._broken:
            del self._broken[uri]
            self._notify()

    def _notify(self) -> None:
        health = "error" if self._broken else "warning" if self._restarts else "ok"
        params = {"health": health, "quiescent": not self._busy, "message": self._message(), "restarts": self._restarts}
        text = json.dumps({"jsonrpc": "2.0", "method": METHOD, "params": params})
        if self._supported and text != self._sent:
            self._sent = text
            self._send(text)

    def _message(self) -> str:
        if self._broken:
            name = unquote(next(iter(self._broken)).rsplit("/", 1)[-1])
            return f"`{name}` cannot be analysed: its findings are those of an earlier text; the log has the error"
        if self._restarts:
            times = "once" if self._restarts == 1 else f"{self._restarts} times"
            return f"an analysis failed and was started again ({times}); the log has the error"
        return ""
