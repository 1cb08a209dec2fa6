"""What must not stop the server: analyses that fail, odd files in a workspace, odd clients."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.server.conversation import ADD, MISTAKEN, MODULE, PATIENCE, Conversation, initialized, replaced, server

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
"""Makes the analysis of a text with `always` fail, of one with `once` the first time, and an edit that says `odd`."""


def status(conversation: Conversation) -> dict[str, Any]:
    return conversation.hear("experimental/serverStatus")  # type: ignore[no-any-return]


def test_a_failed_analysis_is_begun_anew_and_counted() -> None:
    with initialized(SHOWS_STATUS, program=FAILING) as conversation:
        assert status(conversation) == {"health": "ok", "quiescent": True, "message": "", "restarts": 0}
        assert len(conversation.open(MISTAKEN + "// once")) == 1
        told = [m["params"] for m in conversation.said if m.get("method") == "experimental/serverStatus"]
        assert [(each["health"], each["restarts"]) for each in told] == [("ok", 0), ("warning", 1)]
        conversation.change(2, replaced(ADD, 14, 17, "%r1"))
        assert conversation.published() == []


def test_an_analysis_that_fails_again_is_an_error_until_the_text_changes() -> None:
    with initialized(SHOWS_STATUS, program=FAILING) as conversation:
        status(conversation)
        last = MISTAKEN.count("\n")
        item = {"uri": URI, "languageId": "ptx", "version": 1, "text": MISTAKEN + "// always"}
        conversation.tell("textDocument/didOpen", {"textDocument": item})
        assert (restarted := status(conversation))["health"] == "warning"
        assert restarted["restarts"] == 1
        assert (broken := status(conversation))["health"] == "error"
        assert "`m.ptx` cannot be analysed" in broken["message"]
        conversation.change(2, replaced(last, 0, 9, "// fine"))
        assert len(conversation.published()) == 1
        assert [m["params"]["health"] for m in conversation.said if "Status" in m.get("method", "")][-1] == "warning"


def test_an_edit_that_fails_in_the_analysis_is_analysed_anew() -> None:
    with initialized(SHOWS_STATUS, program=FAILING) as conversation:
        status(conversation)
        conversation.open(MODULE)
        conversation.change(2, replaced(3, 0, 0, "// odd"), replaced(ADD, 14, 17, "%f1"))
        assert len(conversation.published()) == 1
        assert conversation.said[-1]["params"]["version"] == 2


def test_a_long_analysis_is_told_to_those_who_show_it() -> None:
    slow = "import ptx_lsp.server.scheduling as s\ns.LONG = -1.0"
    with initialized(SHOWS_STATUS, program=slow) as conversation:
        assert status(conversation)["quiescent"] is True
        conversation.open(MODULE.replace("\tret;", "\tadd.s32 %r2, %r1, %r1;\n" * 30_000 + "\tret;"))
        assert [m["params"]["quiescent"] for m in conversation.said if "Status" in m.get("method", "")] == [True, False]
        assert status(conversation)["quiescent"] is True


def test_clients_that_do_not_ask_for_the_status_are_not_sent_any() -> None:
    with initialized(program=FAILING) as conversation:
        conversation.open(MODULE + "// once")
        assert not [m for m in conversation.said if "Status" in m.get("method", "")]


def test_a_document_opened_twice_is_told_about_its_last_text_only() -> None:
    long = MISTAKEN.replace("\tret;", "\tadd.s32 %r2, %f1, %r1;\n" * 20_000 + "\tret;")
    with initialized() as conversation:
        for version, text in ((1, long), (2, MODULE)):
            item = {"uri": URI, "languageId": "ptx", "version": version, "text": text}
            conversation.tell("textDocument/didOpen", {"textDocument": item})
        conversation.open(MISTAKEN, "file:///other.ptx")
        pulled = conversation.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        assert pulled["items"] == []
        conversation.hover(ADD, 2)
        told = [m["params"] for m in conversation.said if "publishDiagnostics" in m.get("method", "")]
        assert [each["diagnostics"] for each in told if each["uri"] == URI][-1:] in ([], [[]])


def test_a_reopened_document_is_never_unchanged() -> None:
    with initialized() as conversation:
        for _ in range(20):
            conversation.open(MISTAKEN)
            first = conversation.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
            conversation.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
            conversation.open(MODULE)
            again = {"textDocument": {"uri": URI}, "previousResultId": first["resultId"]}
            assert conversation.ask("textDocument/diagnostic", again)["kind"] == "full"
            conversation.tell("textDocument/didClose", {"textDocument": {"uri": URI}})


@pytest.mark.parametrize("version", [True, "one", 1.5, [], None])
def test_a_version_that_is_no_number_is_not_passed_on(version: object) -> None:
    with initialized() as conversation:
        conversation.open(MISTAKEN, version=version)  # type: ignore[arg-type]
        assert "version" not in conversation.said[-1]["params"]


@pytest.mark.parametrize("id_", [[], {}, True, float("nan")])
def test_ids_that_are_none_harm_nobody(id_: object) -> None:
    with initialized() as conversation:
        conversation.tell("$/cancelRequest", {"id": id_})
        conversation.send({"id": id_, "method": "textDocument/hover", "params": {}})  # type: ignore[dict-item]
        assert conversation.wait(lambda m: "error" in m)["error"]["code"] == -32600
        assert conversation.open(MISTAKEN)


@pytest.mark.skipif(os.name != "posix", reason="named pipes, devices and odd names are of POSIX")
def test_odd_files_of_a_workspace_cost_the_others_nothing(tmp_path: Path) -> None:
    (tmp_path / "good.ptx").write_text(MISTAKEN, "utf-8")
    os.mkfifo(tmp_path / "pipe.ptx")
    (tmp_path / "endless.ptx").symlink_to("/dev/zero")
    (tmp_path / "nowhere.ptx").symlink_to("missing")
    with open(os.fsencode(tmp_path) + b"/name\xff.ptx", "w", encoding="utf-8") as file:
        file.write(MISTAKEN)
    with initialized(rootUri=tmp_path.as_uri()) as conversation:
        items = conversation.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert [(item["uri"], len(item["items"])) for item in items] == [((tmp_path / "good.ptx").as_uri(), 1)]


def test_hints_of_a_long_range_keep_nobody_waiting_and_can_be_cancelled() -> None:
    long = MODULE.replace("\tret;", "\tadd.s32 %r2, %r1, 0x10+2;\n" * 15_000 + "\tret;")
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99_999, "character": 0}}
    asked = {"textDocument": {"uri": URI}, "range": everything}
    with initialized() as conversation:
        conversation.open(long)
        conversation.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        hints = conversation.request("textDocument/inlayHint", asked)
        assert conversation.hover(ADD, 2)
        assert not [m for m in conversation.said if m.get("id") == hints]
        conversation.tell("$/cancelRequest", {"id": hints})
        assert conversation.answer(hints)["error"]["code"] == -32800
        hints = conversation.request("textDocument/inlayHint", asked)
        conversation.hover(ADD, 2)
        conversation.change(2, replaced(3, 0, 0, " "))
        assert conversation.answer(hints)["error"]["code"] == -32801


def test_hints_asked_during_the_analysis_are_those_of_the_finished_one() -> None:
    long = MODULE.replace("\tret;", "\tadd.s32 %r2, %r1, 0x10+2;\n" * 8_000 + "\tret;")
    lines = {"start": {"line": ADD, "character": 0}, "end": {"line": 8_000, "character": 0}}
    asked = {"textDocument": {"uri": URI}, "range": lines}
    with initialized() as conversation:
        conversation.open(long)
        whole = conversation.ask("textDocument/inlayHint", asked)
        assert len(whole) == 8_000 - ADD
        conversation.change(2, replaced(ADD, 1, 4, "add"), replaced(4_000, 0, 0, "{}"))
        again = conversation.ask("textDocument/inlayHint", asked)
        assert [hint["position"] for hint in again if hint["position"]["line"] != 4_000] == [
            hint["position"] for hint in whole if hint["position"]["line"] != 4_000
        ]


def test_what_a_client_does_not_read_does_not_pile_up() -> None:
    from ptx_lsp.server.publications import MOST_UNSENT, Publications

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


def test_a_server_whose_input_is_empty_ends() -> None:
    command = [sys.executable, "-m", "ptx_lsp", "server"]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    assert ended.returncode == 1
    assert ended.stderr == b""


def test_a_web_page_is_no_client() -> None:
    import socket

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
