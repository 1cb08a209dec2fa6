"""Whole conversations with the real server, in plain JSON."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ptx_lsp.server.frames import frame
from tests.patience import PATIENCE
from tests.server.conversation import (
    ADD,
    MISTAKEN,
    MODULE,
    Conversation,
    in_this_process,
    initialized,
    replaced,
    server,
)

pytestmark = pytest.mark.process

URI = "file:///m.ptx"
PLACE = {"textDocument": {"uri": URI}, "position": {"line": ADD, "character": 2}}
EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}


def test_a_correct_module_gets_no_diagnostics(conversation: Conversation) -> None:
    assert conversation.open(MODULE) == []


def test_a_diagnostic_has_every_part_that_a_client_may_show(conversation: Conversation) -> None:
    (diagnostic,) = conversation.open(MISTAKEN)
    assert diagnostic["range"] == {"start": {"line": ADD, "character": 14}, "end": {"line": ADD, "character": 17}}
    assert diagnostic["severity"] == 1
    assert diagnostic["code"] == "operand-type"
    assert diagnostic["source"] == "ptx-lsp"
    assert "`%f1` is `.f32`" in diagnostic["message"]
    href = diagnostic["codeDescription"]["href"]
    assert href.startswith("https://docs.nvidia.com/cuda/parallel-thread-execution/#")
    related = diagnostic["relatedInformation"][0]
    assert related["location"]["uri"] == URI
    assert related["location"]["range"]["start"]["line"] == 7


def test_the_diagnostics_of_each_edit_carry_its_version(conversation: Conversation) -> None:
    conversation.open(MISTAKEN)
    conversation.change(2, replaced(ADD, 14, 17, "%r1"))
    assert conversation.published() == []
    assert conversation.said[-1]["params"]["version"] == 2
    conversation.change(3, replaced(ADD, 14, 17, "%f1"))
    assert len(conversation.published()) == 1
    assert conversation.said[-1]["params"]["version"] == 3


def test_several_changes_are_applied_in_their_order(conversation: Conversation) -> None:
    conversation.open(MODULE)
    conversation.change(
        2, replaced(0, 0, 0, "// one\n"), replaced(1, 0, 0, "// two\n"), replaced(ADD + 2, 14, 17, "%f1")
    )
    (diagnostic,) = conversation.published()
    assert diagnostic["range"]["start"] == {"line": ADD + 2, "character": 14}


def test_a_burst_of_edits_is_analysed_as_one(conversation: Conversation) -> None:
    conversation.open(MODULE)
    burst = [
        {
            "method": "textDocument/didChange",
            "params": {
                "textDocument": {"uri": URI, "version": version},
                "contentChanges": [replaced(ADD, 14, 17, "%f1" if version % 2 else "%r1")],
            },
        }
        for version in range(2, 102)
    ]
    conversation.send(*burst)
    conversation.change(102, replaced(ADD, 14, 17, "%f2"))
    conversation.wait(lambda m: m.get("params", {}).get("version") == 102)
    versions = [m["params"]["version"] for m in conversation.said if "publishDiagnostics" in m.get("method", "")]
    assert versions == sorted(set(versions))
    assert len(versions) < 50


def test_the_whole_text_may_be_replaced(conversation: Conversation) -> None:
    conversation.open(MODULE)
    conversation.change(2, {"text": MISTAKEN})
    assert len(conversation.published()) == 1


def test_unchanged_diagnostics_are_not_published_again(conversation: Conversation) -> None:
    conversation.open(MISTAKEN)
    conversation.change(2, replaced(3, 0, 0, " "))
    conversation.change(3, replaced(ADD, 14, 17, "%r1"))
    assert conversation.published() == []
    assert conversation.said[-1]["params"]["version"] == 3


def test_earlier_findings_are_published_while_a_long_function_is_analysed_again(conversation: Conversation) -> None:
    lines = MISTAKEN.split("\n")
    long = "\n".join(lines[: ADD + 1] + [lines[ADD - 1]] * 60_000 + lines[ADD + 1 :])
    before = conversation.open(long)
    conversation.change(2, replaced(ADD + 1, 0, 0, "{"))
    brace, *others = conversation.published()
    assert brace["code"] == "unclosed-brace"
    assert others == before
    assert conversation.said[-1]["params"]["version"] == 2


def test_closing_removes_the_diagnostics(conversation: Conversation) -> None:
    conversation.open(MISTAKEN)
    conversation.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert conversation.published() == []
    assert conversation.hover(ADD, 2) == ""


@pytest.mark.parametrize("uri", ["git:/m.ptx", "vscode-remote://host/m.ptx", "output:x"])
def test_documents_of_other_schemes_are_ignored(conversation: Conversation, uri: str) -> None:
    item = {"uri": uri, "languageId": "ptx", "version": 1, "text": MISTAKEN}
    conversation.notify("textDocument/didOpen", {"textDocument": item})
    conversation.change(2, replaced(0, 0, 0, " "), uri=uri)
    assert conversation.hover(ADD, 2, uri) == ""
    assert conversation.open(MODULE, "untitled:Untitled-1") == []
    conversation.notify("textDocument/didClose", {"textDocument": {"uri": "untitled:Untitled-1"}})
    assert not any(m.get("params", {}).get("uri") == uri for m in conversation.said)


@pytest.mark.parametrize(
    ("encoding", "codec", "size"), [("utf-8", "utf-8", 1), ("utf-16", "utf-16-le", 2), ("utf-32", "utf-32-le", 4)]
)
def test_columns_are_in_the_negotiated_unit(encoding: str, codec: str, size: int) -> None:
    text = MISTAKEN.replace("\tadd.s32 %r2,", "\tadd.s32/*é€😀*/%r2,")
    before = text.splitlines()[ADD].partition("%f1")[0]
    column = len(before.encode(codec)) // size
    conversation = in_this_process({"general": {"positionEncodings": [encoding]}})
    (diagnostic,) = conversation.open(text)
    assert diagnostic["range"]["start"] == {"line": ADD, "character": column}
    assert "%f1" in conversation.hover(ADD, column + 1)
    conversation.change(2, replaced(ADD, column, column + 3, "%r1"))
    assert conversation.published() == []


def test_errors_are_answered_and_the_server_continues(conversation: Conversation) -> None:
    conversation.open(MODULE)
    assert conversation.error("textDocument/hover", {"nonsense": 1})["code"] == -32602
    assert conversation.error("textDocument/hover", None)["code"] == -32602
    assert conversation.error("no/such/method", {})["code"] == -32601
    assert conversation.error("initialize", {"capabilities": {}})["code"] == -32600
    assert conversation.error("workspace/executeCommand", {"command": "no.such"})["code"] == -32602
    conversation.notify("no/such/notification", {"x": 1})
    conversation.notify("textDocument/didChange", {"x": 1})
    conversation.notify("textDocument/didOpen", None)
    assert conversation.process.stdin is not None
    conversation.process.stdin.write(frame(b"{nonsense"))
    conversation.process.stdin.flush()
    assert conversation.wait(lambda m: m.get("error", {}).get("code") == -32700)["id"] is None
    assert conversation.hover(ADD, 2)


def test_a_request_that_waits_can_be_cancelled(conversation: Conversation) -> None:
    conversation.open(MODULE)
    first = conversation.ask("workspace/diagnostic", {"previousResultIds": []})["items"][0]
    known = [{"uri": first["uri"], "value": first["resultId"]}]
    waiting = conversation.request("workspace/diagnostic", {"previousResultIds": known})
    assert conversation.hover(ADD, 2)
    conversation.notify("$/cancelRequest", {"id": waiting})
    assert conversation.answer(waiting)["error"]["code"] == -32800


def test_a_request_that_was_cancelled_before_its_turn_does_not_begin(conversation: Conversation) -> None:
    conversation.open(MODULE)
    conversation.send(
        {"id": "first", "method": "textDocument/hover", "params": PLACE},
        {"id": "second", "method": "textDocument/hover", "params": PLACE},
        {"method": "$/cancelRequest", "params": {"id": "first"}},
    )
    assert conversation.answer("first")["error"]["code"] == -32800
    assert conversation.answer("second")["result"]


def test_shutdown_and_exit() -> None:
    with initialized() as conversation:
        conversation.ask("shutdown", None)
        assert conversation.error("textDocument/hover", PLACE)["code"] == -32600
        conversation.notify("exit", None)
        assert conversation.process.wait(PATIENCE) == 0


def test_the_end_of_the_input_without_shutdown_is_an_error() -> None:
    with initialized() as conversation:
        conversation.hover(ADD, 2)
        assert conversation.process.stdin is not None
        conversation.process.stdin.close()
        assert conversation.process.wait(PATIENCE) == 1


def test_resolving_a_hint_gives_its_tooltip(conversation: Conversation) -> None:
    conversation.open(MODULE)
    hints = conversation.ask("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": EVERYTHING})
    assert [(hint["label"], hint["position"]["line"]) for hint in hints] == [("= 18", ADD), ("1.442695", ADD + 1)]
    assert "tooltip" not in hints[0]
    resolved = conversation.ask("inlayHint/resolve", hints[0])
    assert resolved["tooltip"]["kind"] == "plaintext"  # the client has not said that it shows Markdown
    assert "16 + 2 = 18 (.s64)" in resolved["tooltip"]["value"]
    conversation.change(2, replaced(0, 0, 0, "\n"))
    assert "tooltip" not in conversation.ask("inlayHint/resolve", hints[0])


def test_the_command_evaluates_texts_and_ranges(conversation: Conversation) -> None:
    conversation.open(MODULE)

    def evaluate(argument: object) -> dict[str, object]:
        answer = conversation.ask("workspace/executeCommand", {"command": "ptx.evaluate", "arguments": [argument]})
        assert isinstance(answer, dict)
        return answer

    assert evaluate({"text": "1 << 4"})["text"] == "16"
    assert evaluate({"text": "1 <<"})["ok"] is False
    nothing_selected = {"start": {"line": ADD, "character": 25}, "end": {"line": ADD, "character": 25}}
    assert evaluate({"uri": URI, "range": nothing_selected})["value"] == "0x0000000000000012"
    selected = {"start": {"line": ADD, "character": 19}, "end": {"line": ADD, "character": 23}}
    assert evaluate({"uri": URI, "range": selected})["text"] == "16"
    params = {"command": "ptx.evaluate", "arguments": [{"uri": "file:///closed.ptx", "range": selected}]}
    assert conversation.error("workspace/executeCommand", params)["code"] == -32602


def test_a_mistake_has_a_fix(conversation: Conversation) -> None:
    text = MODULE.replace("mov.f32 %f1, 0f3FB8AA3B;", "mul.f32 %f1, %f1, 2;")
    (diagnostic,) = conversation.open(text)
    ask = {"textDocument": {"uri": URI}, "range": diagnostic["range"], "context": {"diagnostics": [diagnostic]}}
    first, *_ = conversation.ask("textDocument/codeAction", ask)
    assert first["kind"] == "quickfix"
    assert first["diagnostics"][0]["code"] == diagnostic["code"]
    (edit,) = first["edit"]["changes"][URI]
    assert edit["newText"] == "2.0"
    conversation.change(2, {"range": edit["range"], "text": edit["newText"]})
    assert conversation.published() == []
    ask["context"] = {"diagnostics": [], "only": ["refactor.inline"]}
    assert conversation.ask("textDocument/codeAction", ask) == []


def test_all_safe_fixes_can_be_made_at_once(conversation: Conversation) -> None:
    line = "add.s32 %x, sun, 1\n    mov.f32 %f1, 0x3F800000;"
    conversation.open(MODULE.replace("mov.f32 %f1, 0f3FB8AA3B;", line))
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    for kind in ("source.fixAll", "source.fixAll.ptx", "source"):
        ask = {"textDocument": {"uri": URI}, "range": whole, "context": {"diagnostics": [], "only": [kind]}}
        (action,) = conversation.ask("textDocument/codeAction", ask)
        assert action["kind"] == "source.fixAll.ptx"
        assert action["title"] == "make 2 safe fixes"
    (edit,) = action["edit"]["changes"][URI]
    assert edit["newText"] == "\tadd.s32 %x, sun, 1;\n    mov.f32 %f1, 0f3F800000;\n"
    ask["context"] = {"diagnostics": []}
    assert [a["kind"] for a in conversation.ask("textDocument/codeAction", ask)] == []


def test_diagnostics_can_be_pulled(conversation: Conversation) -> None:
    conversation.open(MISTAKEN)
    ask = {"textDocument": {"uri": URI}}
    full = conversation.ask("textDocument/diagnostic", ask)
    assert full["kind"] == "full"
    assert [item["code"] for item in full["items"]] == ["operand-type"]
    again = conversation.ask("textDocument/diagnostic", {**ask, "previousResultId": full["resultId"]})
    assert again == {"kind": "unchanged", "resultId": full["resultId"]}
    conversation.change(2, replaced(ADD, 14, 17, "%r1"))
    assert conversation.ask("textDocument/diagnostic", {**ask, "previousResultId": full["resultId"]})["items"] == []
    other = conversation.ask("textDocument/diagnostic", {"textDocument": {"uri": "file:///closed.ptx"}})
    assert other == {"kind": "full", "items": []}


def test_a_client_that_pulls_diagnostics_gets_none_published() -> None:
    conversation = in_this_process({"textDocument": {"diagnostic": {}}})
    assert len(conversation.open(MISTAKEN)) == 1
    pulled = conversation.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    assert len(pulled["items"]) == 1
    assert conversation.said[-2]["params"]["diagnostics"] == []  # removed, as the editor would show both
    conversation.change(2, replaced(0, 0, 0, "\n"))
    conversation.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    assert conversation.said[-1]["result"]["items"]
    assert "publishDiagnostics" not in conversation.said[-2].get("method", "")


def test_the_files_of_a_workspace_are_reported(tmp_path: Path) -> None:
    (tmp_path / "good.ptx").write_text(MODULE)
    (tmp_path / "sub").mkdir()
    bad = tmp_path / "sub" / "bad.ptx"
    bad.write_text(MISTAKEN)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "bad.ptx").write_text(MISTAKEN)
    capabilities = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    with initialized(capabilities, rootUri=tmp_path.as_uri()) as conversation:
        items = conversation.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert {item["uri"]: len(item["items"]) for item in items} == {
            (tmp_path / "good.ptx").as_uri(): 0,
            bad.as_uri(): 1,
        }
        known = [{"uri": item["uri"], "value": item["resultId"]} for item in items]
        waiting = conversation.request("workspace/diagnostic", {"previousResultIds": known})
        watched = conversation.received("client/registerCapability")["registrations"][0]
        assert watched["registerOptions"]["watchers"] == [{"globPattern": "**/*.ptx"}]
        bad.write_text(MODULE)
        conversation.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": bad.as_uri(), "type": 2}]})
        (news,) = conversation.answer(waiting)["result"]["items"]
        assert (news["uri"], news["items"]) == (bad.as_uri(), [])


def test_the_findings_of_a_removed_file_are_withdrawn(tmp_path: Path) -> None:
    bad = tmp_path / "bad.ptx"
    bad.write_text(MISTAKEN)
    with initialized(rootUri=tmp_path.as_uri()) as conversation:
        (first,) = conversation.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
        known = [{"uri": first["uri"], "value": first["resultId"]}]
        bad.unlink()
        (news,) = conversation.ask("workspace/diagnostic", {"previousResultIds": known})["items"]
        assert (news["uri"], news["items"]) == (bad.as_uri(), [])
        known = [{"uri": news["uri"], "value": news["resultId"]}]
        waiting = conversation.request("workspace/diagnostic", {"previousResultIds": known})  # no news: it waits
        bad.write_text(MISTAKEN)
        conversation.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": bad.as_uri(), "type": 1}]})
        (again,) = conversation.answer(waiting)["result"]["items"]
        assert len(again["items"]) == 1


def test_a_tcp_client_is_served() -> None:
    with server("--tcp", "127.0.0.1:0") as conversation:
        line = conversation.log.get(timeout=PATIENCE)
        host, port = line.rsplit(" ", 1)[1].strip().rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
            connection.sendall(frame(body.encode()))
            answer = b""
            while b'"hoverProvider"' not in answer:
                piece = connection.recv(65536)
                assert piece, f"the server ended after {answer!r}"
                answer += piece
            connection.sendall(frame(b'{"jsonrpc":"2.0","method":"exit"}'))
        assert conversation.process.wait(PATIENCE) == 1


def test_a_file_can_be_standard_input(tmp_path: Path) -> None:
    said: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    script = tmp_path / "script"
    script.write_bytes(b"".join(frame(json.dumps({"jsonrpc": "2.0", **m}).encode()) for m in said))
    out = tmp_path / "out"
    with script.open("rb") as source, out.open("wb") as sink:
        command = [sys.executable, "-m", "ptx_lsp", "server", "--stdio", "--clientProcessId=1"]
        assert subprocess.run(command, stdin=source, stdout=sink, timeout=PATIENCE).returncode == 0
    assert out.read_bytes().count(b"Content-Length") == 2


def test_the_answer_to_initialize_needs_neither_pygls_nor_lsprotocol() -> None:
    modules = "ptx_lsp.cli.main, ptx_lsp.cli.serve, ptx_lsp.server.process.server_process, ptx_lsp.server.process.tcp"
    code = f"import sys, {modules}; print([m for m in ('pygls', 'lsprotocol', 'attrs', 'cattrs') if m in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=PATIENCE).stdout.strip()
        == b"[]"
    )
