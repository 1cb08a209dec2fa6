"""Settings reach the server at its start and while it runs, in each way a client can send them."""

from typing import Any

from tests.server.conversation import ADD, MISTAKEN, MODULE, Conversation, in_this_process

URI = "file:///work/m.ptx"
OFF = {"severity": {"operand-type": "off"}}
EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}


def hints(conversation: Conversation) -> list[str]:
    found = conversation.ask("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": EVERYTHING})
    return [hint["label"] for hint in found]


def send_settings(conversation: Conversation, values: Any) -> None:
    request = conversation.wait(lambda m: m.get("method") == "workspace/configuration")
    assert request["params"]["items"] == [{"section": "ptx"}]
    conversation.send({"id": request["id"], "result": [values]})


def test_initialization_options() -> None:
    conversation = in_this_process(initializationOptions={"hints": {"hexFloats": False}})
    conversation.open(MODULE, URI)
    assert hints(conversation) == ["= 18"]


def test_settings_that_the_client_sends(conversation: Conversation) -> None:
    assert len(conversation.open(MISTAKEN, URI)) == 1
    conversation.notify("workspace/didChangeConfiguration", {"settings": {"ptx": OFF}})
    assert conversation.published(URI) == []
    conversation.notify("workspace/didChangeConfiguration", {"settings": {"severity": {"operand-type": "hint"}}})
    assert conversation.published(URI)[0]["severity"] == 4


def test_settings_that_the_server_requests() -> None:
    conversation = in_this_process({"workspace": {"configuration": True}}, initializationOptions=OFF)
    send_settings(conversation, None)
    assert conversation.open(MISTAKEN, URI) == []
    conversation.notify("workspace/didChangeConfiguration", {"settings": None})
    send_settings(conversation, {"severity": {"operand-type": "warning"}})
    assert conversation.published(URI)[0]["severity"] == 2


def test_a_client_that_refuses_to_send_its_settings_is_served() -> None:
    conversation = in_this_process({"workspace": {"configuration": True}})
    request = conversation.wait(lambda m: m.get("method") == "workspace/configuration")
    conversation.send({"id": request["id"], "error": {"code": -32601, "message": "no"}})
    assert len(conversation.open(MISTAKEN, URI)) == 1


def test_findings_can_be_turned_off_by_path_by_code_and_all_at_once() -> None:
    conversation = in_this_process(rootUri="file:///work")
    assert len(conversation.open(MISTAKEN, URI)) == 1
    for settings in (
        {"ignore": {"m.ptx": ["operand-type"]}},
        {"ignore": {"*.ptx": ["*"]}},
        {"ignore": {"/work/**": ["*"]}},
        {"diagnostics": {"enable": False}},
    ):
        conversation.notify("workspace/didChangeConfiguration", {"settings": {"ptx": settings}})
        assert conversation.published(URI) == []
        conversation.notify("workspace/didChangeConfiguration", {"settings": {"ptx": {}}})
        assert len(conversation.published(URI)) == 1


def test_the_number_of_findings_is_capped_with_a_note() -> None:
    mistake = MISTAKEN.splitlines()[ADD]
    text = MISTAKEN.replace(mistake, "\n".join([mistake] * 30))
    conversation = in_this_process(initializationOptions={"diagnostics": {"maximum": 10}})
    note, *shown = conversation.open(text, URI)
    assert len(shown) == 10
    assert note["message"].startswith("20 more findings are not shown")
    assert note["range"]["start"] == {"line": 0, "character": 0}
    conversation.notify("workspace/didChangeConfiguration", {"settings": {"diagnostics": {"maximum": 0}}})
    assert len(conversation.published(URI)) == 30


def test_invalid_settings_are_shown_to_the_user() -> None:
    conversation = in_this_process(initializationOptions={"hints": {"hexFloats": "maybe"}})
    shown = conversation.received("window/showMessage")
    assert "`ptx.hints.hexFloats` takes true or false" in shown["message"]


def test_a_client_that_supports_it_is_asked_to_refresh() -> None:
    capabilities = {"workspace": {"inlayHint": {"refreshSupport": True}, "diagnostics": {"refreshSupport": True}}}
    conversation = in_this_process(capabilities)
    conversation.open(MODULE, URI)
    conversation.notify("workspace/didChangeConfiguration", {"settings": {"hints": {"hexFloats": False}}})
    conversation.wait(lambda m: m.get("method") == "workspace/inlayHint/refresh")
    conversation.wait(lambda m: m.get("method") == "workspace/diagnostic/refresh")
    assert hints(conversation) == ["= 18"]
