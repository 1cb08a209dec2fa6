"""The request table: every row has a handler and a capability that the protocol knows, and every handler has a row."""

import ast
import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import converters, types

import ptx_lsp.server.requests
from ptx_lsp.server import server as server_module
from ptx_lsp.server.client import Client
from ptx_lsp.server.initialize import initialize_result
from ptx_lsp.server.protocol import ErrorResult
from ptx_lsp.server.request_table import COMMANDS, FIX_ALL, REQUESTS, Request, load
from ptx_lsp.server.server import Server
from tests.server.conversation import MODULE, Conversation, InThisProcess

METHOD_NOT_FOUND = -32601
OWN = "ptx/"


def handlers() -> set[str]:
    """`module.function` of every public function in `server/requests/` that takes a server and parameters."""
    found = set()
    for path in Path(ptx_lsp.server.requests.__file__).parent.glob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_"):
                names = [argument.arg for argument in node.args.args]
                if names == ["server", "params"] or (names == ["server"] and node.args.vararg):
                    found.add(f"{path.stem}.{node.name}")
    return found


def test_each_method_and_each_command_has_one_row() -> None:
    names = [request.method for request in REQUESTS] + [command.name for command in COMMANDS]
    assert len(names) == len(set(names))
    own = [request for request in REQUESTS if request.method not in types.METHOD_TO_TYPES]
    assert [request for request in own if request.capability or not request.method.startswith(OWN)] == []


def test_each_row_names_a_handler_and_each_handler_has_a_row() -> None:
    named = [row.handler for row in (*REQUESTS, *COMMANDS)]
    assert all(callable(load(handler)) for handler in named)
    assert handlers() <= set(named)
    assert len(named) == len(set(named))


def test_the_capabilities_are_those_of_the_protocol() -> None:
    """lsprotocol drops what it does not know, so a misspelled capability would be missing."""
    result = initialize_result(Client())
    converter = converters.get_converter()
    assert converter.unstructure(converter.structure(result, types.InitializeResult)) == result


def test_each_row_announces_its_capability() -> None:
    announced = initialize_result(Client())["capabilities"]
    for request in REQUESTS:
        value = announced
        for name in filter(None, request.capability.split(".")):
            value = value[name]
        if isinstance(request.value, dict):
            assert value.items() >= request.value.items(), request
        elif request.capability:
            assert value == request.value, request
    assert announced["textDocumentSync"] == {"openClose": True, "change": types.TextDocumentSyncKind.Incremental}
    assert announced["diagnosticProvider"]["workspaceDiagnostics"] is True
    assert "(" in announced["signatureHelpProvider"]["triggerCharacters"]  # of the arguments of a call
    assert announced["inlayHintProvider"] == {"resolveProvider": True}
    kinds = ["quickfix", "refactor.rewrite", FIX_ALL, "source.removeUnused.ptx", "source.addHeader.ptx"]
    assert announced["codeActionProvider"] == {"codeActionKinds": kinds, "resolveProvider": True}
    assert announced["executeCommandProvider"] == {"commands": [command.name for command in COMMANDS]}


PLACE = {"line": 0, "character": 0}
PARAMS = {
    "textDocument": {"uri": "file:///closed.ptx"},
    "position": PLACE,
    "range": {"start": PLACE, "end": PLACE},
    "context": {
        "diagnostics": [],
        "includeDeclaration": True,
        "triggerKind": 1,
        "isRetrigger": False,
        "frameId": 1,
        "stoppedLocation": {"start": PLACE, "end": PLACE},
    },
    "newName": "other",
    "previousResultIds": [],
    "previousResultId": "",
    "label": "",
    "title": "",
    "options": {"tabSize": 8, "insertSpaces": False},
    "ch": ";",
    "positions": [PLACE],
    "query": "",
    "item": {
        "name": "k",
        "kind": 12,
        "uri": "file:///closed.ptx",
        "range": {"start": PLACE, "end": PLACE},
        "selectionRange": {"start": PLACE, "end": PLACE},
    },
}
"""Parameters that every request of the table takes; each of them ignores those that it does not know."""


def error_code(conversation: Conversation, method: str) -> int | None:
    """The code of the error that answers a request; None if it is answered with a result."""
    answer = conversation.answer(conversation.request(method, PARAMS))
    return answer["error"]["code"] if "error" in answer else None


def is_answered(method: str) -> bool:
    """Whether a method is that of a request. All of our own are."""
    return method.startswith(OWN) or types.METHOD_TO_TYPES[method][1] is not None


def test_every_request_of_the_table_is_answered_with_a_result(conversation: Conversation) -> None:
    methods = [request.method for request in REQUESTS if is_answered(request.method)]
    assert "textDocument/hover" in methods
    assert error_code(conversation, "textDocument/moniker") == METHOD_NOT_FOUND
    assert {method: error_code(conversation, method) for method in methods} == dict.fromkeys(methods)


async def count_lines(server: Server, params: Any) -> dict[str, Any] | ErrorResult:
    """A handler for a test: the number of lines of an open document."""
    document = server.document(params["textDocument"]["uri"])
    await asyncio.sleep(0)
    return ErrorResult(-1, "not open") if document is None else {"lines": document.module.document.line_count}


def test_a_row_is_enough_for_a_request_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers_ = {"count.lines": count_lines}
    monkeypatch.setattr(server_module, "REQUESTS", (*REQUESTS, Request("ptx/countLines", "count.lines")))
    monkeypatch.setattr(server_module, "load", lambda handler: handlers_.get(handler) or load(handler))
    conversation = Conversation(InThisProcess())
    conversation.ask("initialize", {"capabilities": {}})
    conversation.open(MODULE, "file:///a.ptx")
    asked = {"textDocument": {"uri": "file:///a.ptx"}}
    assert conversation.ask("ptx/countLines", asked) == {"lines": MODULE.count("\n") + 1}
    assert conversation.error("ptx/countLines", {"textDocument": {"uri": "file:///b.ptx"}}) == {
        "code": -1,
        "message": "not open",
    }
    assert conversation.error("ptx/countLines", {})["code"] == -32603
    assert conversation.error("ptx/countWords", asked)["code"] == METHOD_NOT_FOUND
