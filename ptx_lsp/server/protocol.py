"""pygls' protocol, with five changes.

* Messages come from the inbox as parsed JSON. `textDocument/didChange`, sent at every keystroke, is handled as plain
  JSON: through lsprotocol's classes and a generator handler it costs half a millisecond before any work begins.
* A result may be JSON text already (`JsonText`), which cattrs need not convert.
* The table of requests may have methods that the protocol does not have: they take and return plain JSON.
* Every request gets a response, also one that is invalid or that comes after `shutdown`.
* A mistake in the parameters of a message is reported in one line, to the client too.
"""

import asyncio
import contextvars
import json
import logging
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage

from ptx_lsp.server.connection import is_id
from ptx_lsp.server.frames import PARSE_ERROR, UNREADABLE, Message
from ptx_lsp.server.invalid_params import InvalidParamsError, reasons

INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
REQUEST_CANCELLED = -32800

VALUES_PER_PART = 100
"""Values of a list that are sent in one part; most values have 100 to 300 bytes."""

_log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class JsonText:
    """A result that is JSON text already."""

    json: str


@dataclass(frozen=True, slots=True)
class JsonParts:
    """A long result that is JSON already, in UTF-8; its parts are sent one after the other, and never joined."""

    parts: list[bytes]


class ListInParts:
    """The JSON list of values that are JSON already and are added portion by portion.

    Small portions are joined: a writer takes longer for a part than to copy some kilobytes.
    """

    def __init__(self) -> None:
        self._parts = [b"["]
        self._waiting: list[str] = []

    def add(self, portion: list[str]) -> None:
        """Add these values."""
        self._waiting += portion
        if len(self._waiting) >= VALUES_PER_PART:
            self._join()

    def _join(self) -> None:
        comma = "," if len(self._parts) > 1 else ""
        self._parts.append((comma + ",".join(self._waiting)).encode("utf-8", "surrogatepass"))
        self._waiting = []

    def result(self) -> JsonParts:
        """The list of all that was added."""
        if self._waiting:
            self._join()
        return JsonParts([*self._parts, b"]"])


def in_portions(values: Sequence[T], write: Callable[[T], str], length: int) -> Iterator[list[str]]:
    """Some values as JSON, which `write` makes of each, in portions of at most this length, for `list_parts`."""
    for begin in range(0, len(values), length):
        yield [write(each) for each in values[begin : begin + length]]


def list_parts(portions: Iterable[list[str]]) -> Generator[None, None, JsonParts]:
    """The JSON list of all values in some portions, which are JSON already: one step for each portion."""
    values = ListInParts()
    for portion in portions:
        values.add(portion)
        yield
    return values.result()


@dataclass(frozen=True, slots=True)
class ErrorResult:
    """What a handler returns instead of a result: the error code and the reason. It is not a failure, so not logged."""

    code: int
    reason: str


CONTENT_MODIFIED = ErrorResult(-32801, "the document has changed meanwhile")


class Protocol(LanguageServerProtocol):
    """Receives parsed messages. `direct` holds, by method, the handlers that are called at once, with plain JSON.

    `received` counts the messages. `exit_code` is None until the client has sent `exit`.
    """

    def __init__(self, server: LanguageServer, converter: Any) -> None:
        super().__init__(server, converter)
        self.direct: dict[str, Callable[[Any], None]] = {}
        self.received = 0
        self.exit_code: int | None = None

    def receive(self, message: Message, cancelled: set[object]) -> None:
        """Handle one message; never raises. A request whose id is in `cancelled` is answered with an error at once."""
        method, id_ = message.get("method"), message.get("id")
        self.received += 1
        try:
            if "method" in message and not isinstance(method, str):
                self._refuse("?", id_, "the method of a message is a string")
            elif method in self.direct:
                self.direct[method](message.get("params"))
            elif method == UNREADABLE:
                self.send_error(None, PARSE_ERROR, message["params"])
            elif id_ is not None and not is_id(id_):
                self.send_error(None, INVALID_REQUEST, "the id of a message is a number or a string")
            elif message.get("jsonrpc", self.VERSION) != self.VERSION:
                self._refuse(method, id_, f'the version of JSON-RPC must be "{self.VERSION}"')
            elif id_ is not None and method is not None and id_ in cancelled:
                self.send_error(id_, REQUEST_CANCELLED, "cancelled before it began")
            elif id_ is not None and method is not None and (self._shutdown or method == types.INITIALIZE):
                reason = "the server is shutting down" if self._shutdown else "the server is already initialized"
                self.send_error(id_, INVALID_REQUEST, reason)
            else:
                self._receive_typed(message, method, id_)
        except InvalidParamsError as error:
            self._report_invalid(method, str(error))
        except Exception:
            _log.exception("the message %s failed", method)

    def _receive_typed(self, message: Message, method: Any, id_: Any) -> None:
        ours = method is not None and method not in types.METHOD_TO_TYPES
        if ours and method not in self.fm.features:
            if id_ is not None:
                self.send_error(id_, METHOD_NOT_FOUND, f"there is no method {method}")
            return
        try:
            whole = {"jsonrpc": "2.0", "params": None, **message}
            structured = _untyped(whole) if ours else self.structure_message(whole)
        except JsonRpcException as error:
            if id_ is not None and method is not None:
                self._send_response(id_, error=error.to_response_error())
            self._report_invalid(method, error.message)
            return
        if method == types.WORKSPACE_EXECUTE_COMMAND and structured.params.command not in self.fm.commands:
            self.send_error(id_, JsonRpcInvalidParams.CODE, f"there is no command `{structured.params.command}`")
            return
        contextvars.copy_context().run(self.handle_message, structured)

    def structure_message(self, data: Message) -> Any:
        """A message as an object of the protocol's class; `JsonRpcInvalidParams` says why that is impossible."""
        try:
            if "method" in data:
                expected = self.get_message_type(data["method"])
            elif "error" in data:
                expected = types.ResponseErrorMessage
            else:
                expected = self._result_types.pop(data["id"], JsonRPCResponseMessage)
            return self._converter.structure(data, expected or JsonRPCNotification)
        except Exception as error:
            raise JsonRpcInvalidParams(f"invalid parameters: {reasons(error)}") from error

    def _refuse(self, method: Any, id_: Any, reason: str) -> None:
        if id_ is not None and method is not None:
            self.send_error(id_ if is_id(id_) else None, INVALID_REQUEST, reason)
        self._report_invalid(method, reason)

    def _report_invalid(self, method: Any, reason: str) -> None:
        """Write what is wrong with a message to standard error and to the client's log."""
        text = f"{method or 'a response'}: {reason}"
        _log.warning("%s", text)
        log = {"type": types.MessageType.Warning.value, "message": f"ptx-lsp: {text}"}
        self.send_text(json.dumps({"jsonrpc": "2.0", "method": types.WINDOW_LOG_MESSAGE, "params": log}))

    def send_text(self, text: str) -> None:
        """Send a whole message that is JSON text already."""
        self.send_parts([text.encode("utf-8", "surrogatepass")])

    def send_parts(self, parts: list[bytes]) -> None:
        """Send a whole message that is JSON already, in UTF-8; its parts are not copied together."""
        if self.writer is not None:
            parts[0] = b"Content-Length: %d\r\n\r\n%b" % (sum(map(len, parts)), parts[0])
            self.writer.write(*parts)

    def unsent(self) -> int:
        """How many bytes the client has not read yet."""
        return self.writer.unsent if self.writer is not None else 0  # type: ignore[union-attr]  # our own writer

    def send_error(self, id_: Any, code: int, message: str) -> None:
        """Answer a request with an error."""
        error = {"code": code, "message": message}
        self.send_text(json.dumps({"jsonrpc": "2.0", "id": id_, "error": error}))

    def _send_response(self, msg_id: Any, result: Any = None, error: types.ResponseError | None = None) -> None:
        if error is None and isinstance(result, ErrorResult):
            self._result_types.pop(msg_id, None)
            self.send_error(msg_id, result.code, result.reason)
        elif error is None and isinstance(result, JsonText):
            self._result_types.pop(msg_id, None)
            self.send_text(f'{{"jsonrpc":"2.0","id":{json.dumps(msg_id)},"result":{result.json}}}')
        elif error is None and isinstance(result, JsonParts):
            self._result_types.pop(msg_id, None)
            head = f'{{"jsonrpc":"2.0","id":{json.dumps(msg_id)},"result":'.encode()
            self.send_parts([head, *result.parts, b"}"])
        else:
            super()._send_response(msg_id, result, error)

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        future = self._request_futures.get(msg_id) if is_id(msg_id) else None
        if isinstance(future, asyncio.Future):  # other futures cannot be stopped once they run
            future.cancel()

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        """Set `exit_code`: the main loop then ends."""
        self.exit_code = 0 if self._shutdown else 1
        return
        yield


def _untyped(message: Message) -> Any:
    """A message with a method of our own, for pygls."""
    method, params = message["method"], message["params"]
    if message.get("id") is None:
        return JsonRPCNotification(method=method, jsonrpc="2.0", params=params)
    return JsonRPCRequestMessage(id=message["id"], method=method, jsonrpc="2.0", params=params)
