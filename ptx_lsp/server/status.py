"""What the client can show about the work of the server: the progress of long work, and the server's status.

The status is for a status bar: the notification `experimental/serverStatus` that rust-analyzer introduced. `health` is
`ok`; `warning` if an analysis failed and was started again; `error` if the analysis of a document has failed twice.
`quiescent` is false while an analysis takes long. `message` is for people. `restarts` counts the failed analyses that
were started again.
"""

import itertools
import json
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lsprotocol import types

from ptx_lsp.server.protocol import Protocol

if TYPE_CHECKING:
    from concurrent.futures import Future

METHOD = "experimental/serverStatus"


class Status:
    """The status now and the one sent last. Nothing is sent unless the client can show it (`supported`)."""

    def __init__(self, send: Callable[[str], None], supported: bool) -> None:
        self._send = send
        self._supported = supported
        self._busy: set[str] = set()  # the URIs of the documents whose analysis takes long
        self.broken_documents: dict[str, None] = {}
        """The URIs of the documents that cannot be analysed."""
        self._restarts = 0
        self._sent = ""

    def ready(self) -> None:
        """Note that the server can answer requests."""
        self._notify()

    def analysing(self, uri: str) -> None:
        """Note that the analysis of this document takes long."""
        self._busy.add(uri)
        self._notify()

    def finished(self, uri: str) -> None:
        """Note that this analysis has ended, or that the document is closed."""
        self._busy.discard(uri)
        self._notify()

    def restarted(self, uri: str) -> None:
        """Note that the analysis of this document failed and was started again."""
        self._restarts += 1
        self._notify()

    def broken(self, uri: str) -> None:
        """Note that the analysis failed again, so that it is not started again before the document changes."""
        self.broken_documents[uri] = None
        self._notify()

    def sound(self, uri: str) -> None:
        """Note that the analysis of this document is complete, or that the document is closed."""
        if uri in self.broken_documents:
            del self.broken_documents[uri]
            self._notify()

    def _notify(self) -> None:
        health = "error" if self.broken_documents else "warning" if self._restarts else "ok"
        params = {"health": health, "quiescent": not self._busy, "message": self._message(), "restarts": self._restarts}
        text = json.dumps({"jsonrpc": "2.0", "method": METHOD, "params": params})
        if self._supported and text != self._sent:
            self._sent = text
            self._send(text)

    def _message(self) -> str:
        if self.broken_documents:
            name = unquote(next(iter(self.broken_documents)).rsplit("/", 1)[-1])
            return f"`{name}` cannot be analysed: its findings are those of an earlier text; the log has the error"
        if self._restarts:
            times = "once" if self._restarts == 1 else f"{self._restarts} times"
            return f"an analysis failed and was started again ({times}); the log has the error"
        return ""


class Progress:
    """The work-done progress reports that have begun, each with a key that the caller chooses.

    `supported` is True if the client can show them; if not, nothing is sent.
    """

    def __init__(self, protocol: Protocol, supported: bool) -> None:
        self._protocol = protocol
        self._supported = supported
        self._numbers = itertools.count(1)
        self._tokens: dict[str, str] = {}  # by key, until `end`
        self._shown: set[str] = set()  # the tokens that the client has accepted

    def begin(self, key: str, title: str) -> None:
        """Report that the work has begun, as soon as the client accepts. Does nothing if the key has begun already."""
        if not self._supported or key in self._tokens:
            return
        token = self._tokens[key] = f"ptx-lsp/{next(self._numbers)}"

        def report_begin(answer: "Future[object]") -> None:
            if self._tokens.get(key) == token and answer.exception() is None:
                self._shown.add(token)
                self._notify(token, types.WorkDoneProgressBegin(title=title))

        params = types.WorkDoneProgressCreateParams(token)
        self._protocol.send_request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params).add_done_callback(report_begin)

    def end(self, key: str) -> None:
        """Report that the work has ended."""
        token = self._tokens.pop(key, "")
        if token in self._shown:
            self._shown.discard(token)
            self._notify(token, types.WorkDoneProgressEnd())

    def _notify(self, token: str, value: types.WorkDoneProgressBegin | types.WorkDoneProgressEnd) -> None:
        self._protocol.notify(types.PROGRESS, types.ProgressParams(token, value))
