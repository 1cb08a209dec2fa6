"""Work-done progress: tells the client that something takes long, and when it is over."""

import itertools
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.server.protocol import Protocol

if TYPE_CHECKING:
    from concurrent.futures import Future


class Progress:
    """The progresses that are under way, each under a key of the caller's choice."""

    def __init__(self, protocol: Protocol, supported: bool) -> None:
        self._protocol = protocol
        self._supported = supported
        self._numbers = itertools.count(1)
        self._tokens: dict[str, str] = {}
        self._shown: set[str] = set()

    def begin(self, key: str, title: str) -> None:
        """Show that this has begun, as soon as the client has agreed; does nothing where it cannot show it."""
        if not self._supported or key in self._tokens:
            return
        token = self._tokens[key] = f"ptx-lsp/{next(self._numbers)}"

        def agreed(answer: "Future[object]") -> None:
            if self._tokens.get(key) == token and answer.exception() is None:
                self._shown.add(token)
                self._tell(token, types.WorkDoneProgressBegin(title=title))

        params = types.WorkDoneProgressCreateParams(token)
        self._protocol.send_request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params).add_done_callback(agreed)

    def end(self, key: str) -> None:
        """This is over."""
        token = self._tokens.pop(key, "")
        if token in self._shown:
            self._shown.discard(token)
            self._tell(token, types.WorkDoneProgressEnd())

    def _tell(self, token: str, value: types.WorkDoneProgressBegin | types.WorkDoneProgressEnd) -> None:
        self._protocol.notify(types.PROGRESS, types.ProgressParams(token, value))
