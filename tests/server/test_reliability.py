"""Failures that must not stop the server: of the analysis, of files in a workspace, of the client."""

import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ptx_lsp.server.diagnostics import MOST_UNSENT, Publications
from tests.patience import PATIENCE
from tests.server.conversation import ADD, MISTAKEN, MODULE, Conversation, initialized, replaced, server

pytestmark = pytest.mark.process

URI = "file:///m.ptx"
SHOWS_STATUS = {"experimental": {"serverStatusNotification": True}}
FAILING = """
import ptx_lsp.analysis.module as module

class Module(module.Module):
    def work(self, *arguments):
        text = self.document.whole()
        if "always" in text or ("once" in text and not seen):
            seen.append(text)
            raise RuntimeError("on purpose")
        return super().work(*arguments)

    def edit(self, range_, new_text):
        super().edit(range_, new_text)
        if "odd" in new_text:
            raise IndexError("on purpose")

seen = []
module.Module = Module
"""
"""Makes the analysis fail: of a text with `always`; of one with `once`, the first time; after an edit with `odd`."""


def status(conversation: Conversation) -> dict[str, Any]:
    """The next status that the server sends."""
    found: dict[str, Any] = conversation.received("experimental/serverStatus")
    return found


def test_a_failed_analysis_is_started_again_and_counted() -> None:
    with initialized(SHOWS_STATUS, program=FAILING) as conversation:
        assert status(conversation) == {"health": "ok", "quiescent": True, "message": "", "restarts": 0}
        assert len(conversation.open(MISTAKEN + "// once")) == 1
        sent = [m["params"] for m in conversation.said if m.get("method") == "experimental/serverStatus"]
        assert [(each["health"], each["restarts"]) for each in sent] == [("ok", 0), ("warning", 1)]
        conversation.change(2, replaced(ADD, 14, 17, "%r1"))
        assert conversation.published() == []


def test_an_analysis_that_fails_again_is_an_error_until_the_text_changes() -> None:
    with initialized(SHOWS_STATUS, program=FAILING) as conversation:
        status(conversation)
        last = MISTAKEN.count("\n")
        item = {"uri": URI, "languageId": "ptx", "version": 1, "text": MISTAKEN + "// always"}
        conversation.notify("textDocument/didOpen", {"textDocument": item})
        assert (restarted := status(conversation))["health"] == "warning"
        assert restarted["restarts"] == 1
        assert (broken := status(conversation))["health"] == "error"
        assert "`m.ptx` cannot be analysed" in broken["message"]
        conversation.change(2, replaced(last, 0, 9, "// fine"))
        assert len(conversation.published()) == 1
        assert [m["params"]["health"] for m in conversation.said if "Status" in m.get("method", "")][-1] == "warning"


def test_after_an_edit_that_fails_the_analysis_is_started_again() -> None:
    with initialized(SHOWS_STATUS, program=FAILING) as conversation:
        status(conversation)
        conversation.open(MODULE)
        conversation.change(2, replaced(3, 0, 0, "// odd"), replaced(ADD, 14, 17, "%f1"))
        assert len(conversation.published()) == 1
        assert conversation.said[-1]["params"]["version"] == 2


def test_a_long_analysis_is_reported_to_clients_that_show_the_status() -> None:
    slow = "import ptx_lsp.server.scheduler as s\ns.LONG = -1.0"
    with initialized(SHOWS_STATUS, program=slow) as conversation:
        assert status(conversation)["quiescent"] is True
        conversation.open(MODULE.replace("\tret;", "\tadd.s32 %r2, %r1, %r1;\n" * 30_000 + "\tret;"))
        assert [m["params"]["quiescent"] for m in conversation.said if "Status" in m.get("method", "")] == [True, False]
        assert status(conversation)["quiescent"] is True


def test_other_clients_get_no_status() -> None:
    with initialized(program=FAILING) as conversation:
        conversation.open(MODULE + "// once")
        assert not [m for m in conversation.said if "Status" in m.get("method", "")]


def test_a_document_opened_twice_has_the_diagnostics_of_its_last_text(conversation: Conversation) -> None:
    long = MISTAKEN.replace("\tret;", "\tadd.s32 %r2, %f1, %r1;\n" * 20_000 + "\tret;")
    for version, text in ((1, long), (2, MODULE)):
        item = {"uri": URI, "languageId": "ptx", "version": version, "text": text}
        conversation.notify("textDocument/didOpen", {"textDocument": item})
    conversation.open(MISTAKEN, "file:///other.ptx")
    pulled = conversation.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    assert pulled["items"] == []
    conversation.hover(ADD, 2)
    sent = [m["params"] for m in conversation.said if "publishDiagnostics" in m.get("method", "")]
    assert [each["diagnostics"] for each in sent if each["uri"] == URI][-1:] in ([], [[]])


def test_a_reopened_document_is_never_unchanged(conversation: Conversation) -> None:
    for _ in range(20):
        conversation.open(MISTAKEN)
        first = conversation.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        conversation.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        conversation.open(MODULE)
        again = {"textDocument": {"uri": URI}, "previousResultId": first["resultId"]}
        assert conversation.ask("textDocument/diagnostic", again)["kind"] == "full"
        conversation.notify("textDocument/didClose", {"textDocument": {"uri": URI}})


@pytest.mark.parametrize("version", [True, "one", 1.5, [], None])
def test_a_version_that_is_not_an_integer_is_left_out(conversation: Conversation, version: object) -> None:
    conversation.open(MISTAKEN, version=version)
    assert "version" not in conversation.said[-1]["params"]


@pytest.mark.parametrize("id_", [[], {}, True, float("nan")])
def test_an_invalid_id_is_an_error_and_the_server_continues(conversation: Conversation, id_: object) -> None:
    conversation.notify("$/cancelRequest", {"id": id_})
    conversation.send({"id": id_, "method": "textDocument/hover", "params": {}})
    assert conversation.wait(lambda m: "error" in m)["error"]["code"] == -32600
    assert conversation.open(MISTAKEN)


@pytest.mark.skipif(os.name != "posix", reason="named pipes, devices and names that are not UTF-8 exist on POSIX")
def test_files_that_cannot_be_read_do_not_affect_the_reports_of_others(tmp_path: Path) -> None:
    (tmp_path / "good.ptx").write_text(MISTAKEN, "utf-8")
    os.mkfifo(tmp_path / "pipe.ptx")
    (tmp_path / "endless.ptx").symlink_to("/dev/zero")
    (tmp_path / "nowhere.ptx").symlink_to("missing")
    with open(os.fsencode(tmp_path) + b"/name\xff.ptx", "w", encoding="utf-8") as file:
        file.write(MISTAKEN)
    with initialized(rootUri=tmp_path.as_uri()) as conversation:
        items = conversation.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert [(item["uri"], len(item["items"])) for item in items] == [((tmp_path / "good.ptx").as_uri(), 1)]


def test_other_requests_do_not_wait_for_the_hints_of_a_long_range(conversation: Conversation) -> None:
    long = MODULE.replace("\tret;", "\tadd.s32 %r2, %r1, 0x10+2;\n" * 15_000 + "\tret;")
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99_999, "character": 0}}
    asked = {"textDocument": {"uri": URI}, "range": everything}
    conversation.open(long)
    conversation.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    hints = conversation.request("textDocument/inlayHint", asked)
    assert conversation.hover(ADD, 2)
    assert not [m for m in conversation.said if m.get("id") == hints]
    conversation.notify("$/cancelRequest", {"id": hints})
    assert conversation.answer(hints)["error"]["code"] == -32800
    hints = conversation.request("textDocument/inlayHint", asked)
    conversation.hover(ADD, 2)
    conversation.change(2, replaced(3, 0, 0, " "))
    assert conversation.answer(hints)["error"]["code"] == -32801


def test_hints_during_the_analysis_are_those_of_the_complete_analysis(conversation: Conversation) -> None:
    long = MODULE.replace("\tret;", "\tadd.s32 %r2, %r1, 0x10+2;\n" * 2_000 + "\tret;")
    lines = {"start": {"line": ADD, "character": 0}, "end": {"line": 2_000, "character": 0}}
    asked = {"textDocument": {"uri": URI}, "range": lines}
    conversation.open(long)
    whole = conversation.ask("textDocument/inlayHint", asked)
    assert len(whole) == 2_000 - ADD
    conversation.change(2, replaced(ADD, 1, 4, "add"), replaced(1_000, 0, 0, "{}"))
    again = conversation.ask("textDocument/inlayHint", asked)
    assert [hint["position"] for hint in again if hint["position"]["line"] != 1_000] == [
        hint["position"] for hint in whole if hint["position"]["line"] != 1_000
    ]


def test_only_the_newest_diagnostics_wait_for_a_client_that_does_not_read() -> None:
    unsent = 0
    sent: list[str] = []
    publications = Publications(sent.append, lambda: unsent)
    publications.send("a", "a1")
    unsent = MOST_UNSENT
    for number in range(2, 1000):
        publications.send("a", f"a{number}")
    publications.send("b", "b1")
    assert sent == ["a1"]
    unsent = 0
    publications.flush()
    assert sent == ["a1", "a999", "b1"]


def test_a_server_with_an_empty_input_ends() -> None:
    command = [sys.executable, "-m", "ptx_lsp", "server"]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    assert ended.returncode == 1
    assert ended.stderr == b""


def test_a_web_page_is_not_accepted_as_the_client() -> None:
    with server("--tcp", "127.0.0.1:0") as conversation:
        port = int(conversation.log.get(timeout=PATIENCE).rsplit(":", 1)[1])
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
        head = b"Content-Length: %d\r\n\r\n" % len(body)
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as page:
            page.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n" + head + head + body)
            with contextlib.suppress(ConnectionResetError):
                assert page.recv(100) == b""
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
            client.sendall(head[:5])
            client.sendall(head[5:] + body)
            assert client.recv(100).startswith(b"Content-Length")
        assert conversation.process.wait(PATIENCE) == 1
