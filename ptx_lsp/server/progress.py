"""Work-done progress: reports to the client that some work takes long, and when it ends."""

import itertools
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.server.protocol import Protocol

if TYPE_CHECKING:
    from concurrent.futures import Future


class Progress:
    """The progress reports that have begun, each with a key that the caller chooses.

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
