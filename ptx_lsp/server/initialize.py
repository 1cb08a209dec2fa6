"""Answers `initialize`, before pygls and lsprotocol are imported, which takes 300 ms: what the server can do.

The answer is plain data. Messages that arrive meanwhile wait in the inbox.
"""

import json
from collections.abc import Callable
from typing import Any

from ptx_lsp import __version__
from ptx_lsp.server.client import Client, read_client
from ptx_lsp.server.connection import Inbox
from ptx_lsp.server.frames import PARSE_ERROR, UNREADABLE, Message, frame
from ptx_lsp.server.request_table import COMMANDS, REQUESTS

NOT_INITIALIZED = -32002  # the error code of the protocol for what comes before `initialize`


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


def initialize_result(client: Client) -> dict[str, Any]:
    """What the server can do, as JSON: what the rows of the request table announce, and what needs no row."""
    capabilities: dict[str, Any] = {
        "positionEncoding": client.encoding.value,
        "executeCommandProvider": {"commands": [command.name for command in COMMANDS]},
        "workspace": {"workspaceFolders": {"supported": True}},
        "experimental": {"serverStatusNotification": True},
    }
    for request in REQUESTS:
        if request.capability:
            _announce(capabilities, request.capability.split("."), request.value)
    return {"capabilities": capabilities, "serverInfo": {"name": "ptx-lsp", "version": __version__}}


def _announce(capabilities: dict[str, Any], path: list[str], value: object) -> None:
    """Set the value at a path. Two rows may give parts of one object, in any order."""
    *parents, name = path
    for parent in parents:
        capabilities = capabilities.setdefault(parent, {})
    if isinstance(value, dict):
        capabilities[name] = capabilities.get(name, {}) | value
    else:
        capabilities[name] = value
