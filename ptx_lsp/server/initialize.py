"""Answers `initialize`, before pygls and lsprotocol are imported, which takes 300 ms.

Messages that arrive meanwhile wait in the inbox.
"""

import json
from collections.abc import Callable

from ptx_lsp.server.capabilities import initialize_result
from ptx_lsp.server.client import Client, read_client
from ptx_lsp.server.frames import frame
from ptx_lsp.server.inbox import Inbox
from ptx_lsp.server.messages import UNREADABLE, Message

NOT_INITIALIZED = -32002
PARSE_ERROR = -32700


async def answer_initialize(inbox: Inbox, write: Callable[[bytes], None]) -> tuple[Client, list[Message]] | None:
    """Wait for `initialize` and answer it: the client, and the messages that arrived together with the request.

    None if the client exits before. As the protocol says, requests before `initialize` are answered with an error, and
    notifications are dropped.
    """
    while batch := await inbox.take():
        for index, message in enumerate(batch):
            method, id_ = message.get("method"), message.get("id")
            if method == "exit":
                return None
            if method == "initialize" and id_ is not None:
                client = read_client(message.get("params"))
                _answer(write, id_, "result", initialize_result(client))
                return client, batch[index + 1 :]
            if method == UNREADABLE:
                _answer(write, None, "error", {"code": PARSE_ERROR, "message": message["params"]})
            elif id_ is not None and method is not None:
                _answer(write, id_, "error", {"code": NOT_INITIALIZED, "message": "`initialize` comes first"})
    return None


def _answer(write: Callable[[bytes], None], id_: object, kind: str, value: object) -> None:
    write(frame(json.dumps({"jsonrpc": "2.0", "id": id_, kind: value}).encode()))
