"""The server driven from outside, step by step, without a process, a thread, a socket or a pipe."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ptx_lsp.server import stepped_server
from tests.patience import PATIENCE
from tests.server.conversation import ADD, MISTAKEN, MODULE, replaced
from tests.server.stepped_client import URI, Client, opened_by

SCRIPT = Path(__file__).with_name("without_threads.py")


def opened(text: str, portion: int = 1 << 16) -> Client:
    """A client that has initialized the server and opened a document."""
    client = Client(portion)
    opened_by(client, text)
    return client


def test_a_conversation_in_steps() -> None:
    client = opened(MISTAKEN)
    assert client.published() == [(1, ["operand-type"])]
    place = {"textDocument": {"uri": URI}, "position": {"line": ADD, "character": 23}}
    assert "18" in client.request(2, "textDocument/hover", place)["result"]["contents"]["value"]
    change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [replaced(ADD, 14, 17, "%r1")]}
    client.send({"method": "textDocument/didChange", "params": change})
    client.settle()
    assert client.published()[-1] == (2, [])
    assert client.request(3, "shutdown", None)["result"] is None
    assert client.server.exit_code is None
    client.send({"method": "exit"})
    client.settle()
    assert client.server.exit_code == 0
    assert client.server.due() is None


def test_a_long_answer_comes_in_several_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stepped_server, "MOST_BYTES", 30_000)
    labels = "".join(f"L{number}:\n" for number in range(5_000))
    client = opened(MODULE.replace("ret;", labels + "ret;"))
    client.sizes.clear()
    symbols = client.request(2, "textDocument/documentSymbol", {"textDocument": {"uri": URI}})["result"]
    assert sum(symbol["name"].startswith("L") for symbol in symbols) == 5_000
    assert sum(client.sizes) > 500_000
    assert max(client.sizes) < 150_000  # a part has the symbols of one step


def test_the_size_of_the_portions_does_not_matter() -> None:
    for portion in (1, 7, 1000):
        assert opened(MISTAKEN, portion).published() == [(1, ["operand-type"])]


def test_the_end_of_the_input_without_shutdown_is_exit_code_1() -> None:
    client = opened(MODULE)
    client.server.end()
    client.settle()
    assert client.server.exit_code == 1
    client = Client()
    client.server.end()
    client.settle()
    assert client.server.exit_code == 1


def test_a_request_that_waits_for_a_time_is_due_then() -> None:
    client = opened(MODULE)
    client.send({"id": 2, "method": "textDocument/codeLens", "params": {"textDocument": {"uri": URI}}})
    client.settle()
    assert not [message for message in client.received if message.get("id") == 2]
    due = client.server.due()
    assert due is not None
    assert 0 < due <= 0.3
    client.clock.now += due
    assert client.server.due() == 0.0
    client.settle()
    (response,) = [message for message in client.received if message.get("id") == 2]
    assert len(response["result"]) == 2


def test_the_answer_of_the_client_to_a_request_arrives() -> None:
    client = Client()
    client.request(1, "initialize", {"capabilities": {"workspace": {"configuration": True}}})
    client.send({"method": "initialized", "params": {}})
    client.settle()
    (asked,) = [message for message in client.received if message.get("method") == "workspace/configuration"]
    client.send({"id": asked["id"], "result": [{"severity": {"operand-type": "off"}}]})
    item = {"uri": URI, "languageId": "ptx", "version": 1, "text": MISTAKEN}
    client.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    client.settle()
    assert client.published() == [(1, [])]


def test_a_host_without_files_reports_open_documents_only() -> None:
    client = opened(MISTAKEN)
    response = client.request(2, "workspace/diagnostic", {"previousResultIds": []})
    assert [item["uri"] for item in response["result"]["items"]] == [URI]


def test_the_server_needs_no_thread_no_process_and_no_socket() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["refused"] == ["import", "socket", "thread", "process", "fork", "kill"]
    assert result["published"] == [["operand-type"], []]
    assert "18" in result["hover"]
    assert result["exit code"] == 0
