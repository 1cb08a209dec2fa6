"""pygls' protocol, with three things of our own.

* Messages come from our inbox, parsed; `textDocument/didChange`, sent at every keystroke, is handled as plain JSON.
  Through lsprotocol's classes and a generator handler it costs half a millisecond before any work begins.
* An answer may be finished JSON text (`Text`): nothing is left for cattrs to convert.
* Every request gets an answer: also one that cannot be understood, or comes after `shutdown`.
"""

import asyncio
import contextvars
import json
import logging
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from ptx_lsp.server.messages import UNREADABLE, Message, is_id

INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
PARSE_ERROR = -32700
REQUEST_CANCELLED = -32800

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Text:
    """A result that is JSON text already."""

    json: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a handler gives in place of a result: the request gets no answer, and why; nothing is wrong."""

    code: int
    reason: str


CONTENT_MODIFIED = Refusal(-32801, "the document has changed meanwhile")


class Protocol(LanguageServerProtocol):
    """Receives messages that were parsed already, and knows plain handlers beside pygls' own."""

    def __init__(self, server: LanguageServer, converter: Any) -> None:
        super().__init__(server, converter)
        self.plain: dict[str, Callable[[Any], None]] = {}
        self.exit_code: int | None = None

    def receive(self, message: Message, cancelled: set[object]) -> None:
        """Handle one message; never raises. A request whose id is in `cancelled` is not begun."""
        method, id_ = message.get("method"), message.get("id")
        try:
            if method in self.plain:
                self.plain[method](message.get("params"))
            elif method == UNREADABLE:
                self.send_error(None, PARSE_ERROR, message["params"])
            elif id_ is not None and not is_id(id_):
                self.send_error(None, INVALID_REQUEST, "the id of a message is a number or a string")
            elif id_ is not None and method is not None and id_ in cancelled:
                self.send_error(id_, REQUEST_CANCELLED, "cancelled before it was begun")
            elif id_ is not None and method is not None and (self._shutdown or method == types.INITIALIZE):
                reason = "the server is shutting down" if self._shutdown else "the server is initialized already"
                self.send_error(id_, INVALID_REQUEST, reason)
            else:
                self._receive_typed(message, method, id_)
        except Exception:
            _log.exception("the message %s failed", method)

    def _receive_typed(self, message: Message, method: Any, id_: Any) -> None:
        if method is not None and method not in types.METHOD_TO_TYPES:
            if id_ is not None:
                self.send_error(id_, METHOD_NOT_FOUND, f"there is no method {method}")
            return
        try:
            structured = self.structure_message({"jsonrpc": "2.0", "params": None, **message})
        except JsonRpcException as error:
            if id_ is not None and method is not None:
                self._send_response(id_, error=error.to_response_error())
            return
        contextvars.copy_context().run(self.handle_message, structured)

    def send_text(self, body: str) -> None:
        """Send a whole message that is JSON text already."""
        if self.writer is not None:
            data = body.encode("utf-8", "surrogatepass")
            self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))

    def unsent(self) -> int:
        """How many bytes the client has not taken yet."""
        return self.writer.unsent if self.writer is not None else 0  # type: ignore[union-attr]  # it is one of ours

    def send_error(self, id_: Any, code: int, message: str) -> None:
        """Answer a request with an error."""
        error = {"code": code, "message": message}
        self.send_text(json.dumps({"jsonrpc": "2.0", "id": id_, "error": error}))

    def _send_response(self, msg_id: Any, result: Any = None, error: types.ResponseError | None = None) -> None:
        if error is None and isinstance(result, Refusal):
            self._result_types.pop(msg_id, None)
            self.send_error(msg_id, result.code, result.reason)
        elif error is None and isinstance(result, Text):
            self._result_types.pop(msg_id, None)
            self.send_text(f'{{"jsonrpc":"2.0","id":{json.dumps(msg_id)},"result":{result.json}}}')
        else:
            super()._send_response(msg_id, result, error)

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        future = self._request_futures.get(msg_id)
        if isinstance(future, asyncio.Future):  # what is no future of asyncio's cannot be stopped once it runs
            future.cancel()

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        """The client wants the process to end: whoever runs the connection looks at `exit_code`."""
        self.exit_code = 0 if self._shutdown else 1
        return
        yield
