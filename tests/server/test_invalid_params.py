"""Messages whose parameters are not what the protocol says: a clear error and one line in the log, and nothing else."""

from typing import Any

import pytest

from ptx_lsp.server.request_table import COMMANDS, REQUESTS
from tests.server.conversation import ADD, MISTAKEN, MODULE, Conversation, in_this_process
from tests.server.every_request import NOTIFIED

URI = "file:///m.ptx"
DOCUMENT = {"textDocument": {"uri": URI}}
PLACE = {"line": 1, "character": 2}
VALUES: tuple[Any, ...] = (
    *(None, [], {}, 5, "x", {"textDocument": None}, {"textDocument": {}}, {"textDocument": {"uri": 5}}),
    {**DOCUMENT, "position": {"line": "a", "character": 1}, "range": {"start": PLACE}, "positions": 5, "context": 7},
    {**DOCUMENT, "position": {"line": -1, "character": 0}, "range": [], "positions": [5], "context": {}, "options": []},
    {**DOCUMENT, "position": PLACE, "item": {"name": 1}, "newName": 3, "query": 4, "command": 5, "arguments": 6},
)
METHODS = [row.method for row in REQUESTS]


@pytest.fixture
def client() -> Conversation:
    """A client with an open document."""
    made = in_this_process()
    made.open(MODULE)
    return made


@pytest.mark.parametrize("method", METHODS)
def test_wrong_parameters_give_a_clear_error(
    client: Conversation, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    for value in VALUES:
        caplog.clear()
        if NOTIFIED.match(method):
            client.send({"method": method, "params": value})
            client.ask("textDocument/hover", {**DOCUMENT, "position": PLACE})
        else:
            answer = client.answer(client.request(method, value))
            error = answer.get("error", {"code": -32602, "message": "invalid parameters: at `params`"})
            assert error["code"] in (-32602, -32803), answer
            assert "invalid parameters: " in error["message"] or error["code"] == -32803
        for record in caplog.records:
            assert record.exc_info is None
            assert "\n" not in record.getMessage()
    assert client.ask("textDocument/diagnostic", DOCUMENT)["items"] == [] or method.endswith("didClose")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "expected HoverParams"),
        ({}, "required field missing at `textDocument`; required field missing at `position`"),
        ({**DOCUMENT, "position": {"line": -1, "character": 0}}, "at `position"),
        ({**DOCUMENT, "position": {"line": 1}}, "required field missing at `position.character`"),
    ],
)
def test_the_error_names_the_field(client: Conversation, value: Any, reason: str) -> None:
    error = client.error("textDocument/hover", value)
    assert error["code"] == -32602
    assert reason in error["message"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (5, "`contentChanges[1]` must be an object"),
        ({"range": None}, "`contentChanges[1].text` must be a string"),
        ({"text": 5}, "`contentChanges[1].text` must be a string"),
        ({"text": "", "range": []}, "`contentChanges[1].range.start.line` must be an integer"),
        ({"text": "", "range": {"start": PLACE}}, "`contentChanges[1].range.end.line` must be an integer"),
        (
            {"text": "", "range": {"start": PLACE, "end": {"line": 3, "character": 1.5}}},
            "`contentChanges[1].range.end.character` must be an integer",
        ),
    ],
)
def test_no_change_of_a_wrong_message_is_applied(client: Conversation, change: Any, reason: str) -> None:
    client.change(2, {"text": MISTAKEN}, change)
    assert reason in client.received("window/logMessage")["message"]
    assert client.ask("textDocument/diagnostic", DOCUMENT)["items"] == []
    line = MODULE.split("\n")[ADD]
    place = {"start": {"line": ADD, "character": 0}, "end": {"line": ADD, "character": len(line)}}
    client.change(3, {"range": place, "text": line.replace("%r1", "%f1")})
    assert len(client.ask("textDocument/diagnostic", DOCUMENT)["items"]) == 1


def test_a_wrong_response_ends_nothing(client: Conversation, caplog: pytest.LogCaptureFixture) -> None:
    for message in ({"id": 7, "result": []}, {"id": 7, "error": 5}, {"id": 7}, {"id": 7, "error": {"code": "x"}}):
        client.send(message)
    assert client.ask("textDocument/diagnostic", DOCUMENT)["items"] == []
    assert all(record.exc_info is None and "\n" not in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("version", ["1.0", 2.0, None, [], {}])
def test_another_version_of_json_rpc_gets_an_error(client: Conversation, version: object) -> None:
    request = {"id": "old", "method": "textDocument/hover", "params": {**DOCUMENT, "position": PLACE}}
    client.send({**request, "jsonrpc": version}, {"method": "$/test", "params": None, "jsonrpc": version})
    assert client.answer("old")["error"] == {"code": -32600, "message": 'the version of JSON-RPC must be "2.0"'}


@pytest.mark.parametrize("method", [None, 5, [], {}])
def test_a_method_that_is_no_text_gets_an_error(
    client: Conversation, method: object, caplog: pytest.LogCaptureFixture
) -> None:
    client.send({"method": method, "params": None}, {"id": "odd", "method": method, "params": None})
    assert client.answer("odd")["error"] == {"code": -32600, "message": "the method of a message is a string"}
    assert all(record.exc_info is None for record in caplog.records)


@pytest.mark.parametrize("arguments", [None, [], [5], [None], [{}], [{"uri": 5}], [{"uri": URI}], [[], {}, 1]])
@pytest.mark.parametrize("command", [*(each.name for each in COMMANDS), "nonsense"])
def test_wrong_arguments_of_a_command_get_an_answer(
    client: Conversation, command: str, arguments: object, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.answer(client.request("workspace/executeCommand", {"command": command, "arguments": arguments}))
    assert ("error" in answer) or command != "nonsense"
    assert all(record.exc_info is None for record in caplog.records), caplog.records[0].getMessage()


@pytest.mark.parametrize("id_", [None, [], {}, 1.5, "x", True])
def test_nothing_is_cancelled_by_a_wrong_id(
    client: Conversation, id_: object, caplog: pytest.LogCaptureFixture
) -> None:
    client.notify("$/cancelRequest", {"id": id_})
    assert client.ask("textDocument/diagnostic", DOCUMENT)["items"] == []
    assert all(record.exc_info is None for record in caplog.records)


@pytest.mark.parametrize("token", [[], {}, 1.5])
def test_a_wrong_token_of_progress_gets_an_answer(client: Conversation, token: object) -> None:
    params = {**DOCUMENT, "position": PLACE, "workDoneToken": token, "partialResultToken": token}
    answer = client.answer(client.request("textDocument/definition", params))
    assert "result" in answer or answer["error"]["code"] == -32602
