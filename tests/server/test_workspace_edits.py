"""`WorkspaceEdit`: clients that take versions get those of open documents; the edits are the same for all."""

from pathlib import Path
from typing import Any

import pytest

from tests.server.actions import INVOKED, UNUSED
from tests.server.conversation import MODULE, Conversation, Message, in_this_process, initialized
from tests.server.linked_modules import LIBRARY, USER

URI = "file:///m.ptx"
HOST = "file:///k.cu"
ASM = 'asm("{ .reg .b32 t; mov.gloabl.b32 t, %1; mov.b32 %0, t; }" : "=r"(y) : "r"(x));\n'
VERSIONED: Message = {"workspaceEdit": {"documentChanges": True}}
RESOLVES: Message = {"codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}}


def pair(edit: Message) -> dict[str, tuple[int | None, list[Message]]]:
    """The version and the edits of each document."""
    assert list(edit) == ["documentChanges"]
    found = {}
    for each in edit["documentChanges"]:
        assert list(each) == ["textDocument", "edits"]
        found[each["textDocument"]["uri"]] = each["textDocument"]["version"], each["edits"]
    return found


def both(capabilities: Message, ask: Any) -> None:
    """Ask two clients, of which one takes versions: the edits of the two are the same, and the version is 1."""
    plain = ask(in_this_process(capabilities))
    workspace = capabilities.get("workspace", {}) | VERSIONED
    versioned = pair(ask(in_this_process({**capabilities, "workspace": workspace})))
    assert list(plain) == ["changes"]
    assert versioned == {uri: (1, edits) for uri, edits in plain["changes"].items()}


def actions(conversation: Conversation, uri: str, line: int, column: int, **context: Any) -> Any:
    """The code actions at a place."""
    here = {"line": line, "character": column}
    return conversation.ask_about(
        uri, "codeAction", range={"start": here, "end": here}, context={"diagnostics": [], **context}
    )


def opened_host(conversation: Conversation) -> None:
    item = {"uri": HOST, "languageId": "cuda-cpp", "version": 1, "text": ASM}
    conversation.notify("textDocument/didOpen", {"textDocument": item})
    conversation.published(HOST)


def test_a_rename() -> None:
    def ask(conversation: Conversation) -> Any:
        conversation.open(MODULE, URI)
        return conversation.ask_about(URI, "rename", position={"line": 8, "character": 10}, newName="%n")

    both({}, ask)


def test_a_quick_fix() -> None:
    def ask(conversation: Conversation) -> Any:
        conversation.open(MODULE.replace("mov.u32", "mvo.u32"), URI)
        return actions(conversation, URI, 8, 3)[0]["edit"]

    both({}, ask)


def test_all_fixes() -> None:
    def ask(conversation: Conversation) -> Any:
        conversation.open(MODULE.replace("mov.u32", "mvo.u32"), URI)
        return actions(conversation, URI, 0, 0, only=["source.fixAll"])[0]["edit"]

    both({}, ask)


def test_an_action_that_is_resolved() -> None:
    def ask(conversation: Conversation) -> Any:
        conversation.open(MODULE, URI)
        return conversation.ask("codeAction/resolve", actions(conversation, URI, 10, 20)[0])["edit"]

    both({"textDocument": RESOLVES}, ask)


def test_an_action_that_a_command_applies() -> None:
    def ask(conversation: Conversation) -> Any:
        conversation.open(UNUSED, URI)
        command = actions(conversation, URI, 0, 0, triggerKind=INVOKED)[-1]["command"]
        asked = {"command": command["command"], "arguments": command["arguments"]}
        conversation.request("workspace/executeCommand", asked)
        return conversation.received("workspace/applyEdit")["edit"]

    both({"workspace": {"applyEdit": True}}, ask)


@pytest.mark.parametrize("request_", ["rename", "codeAction"])
def test_inline_assembly(request_: str) -> None:
    def ask(conversation: Conversation) -> Any:
        opened_host(conversation)
        if request_ == "codeAction":
            return actions(conversation, HOST, 0, ASM.index("gloabl"))[0]["edit"]
        here = {"line": 0, "character": ASM.index("t;")}
        return conversation.ask_about(HOST, "rename", position=here, newName="%n")

    both({}, ask)


def test_a_file_that_is_not_open_has_no_version(tmp_path: Path) -> None:
    user, library = tmp_path / "user.ptx", tmp_path / "library.ptx"
    user.write_text(USER, "utf-8")
    library.write_text(LIBRARY, "utf-8")
    with initialized({"workspace": VERSIONED}, rootUri=tmp_path.as_uri()) as conversation:
        conversation.open(LIBRARY, library.as_uri())
        conversation.change(7, {"text": LIBRARY + "\n"}, uri=library.as_uri())
        here = {"line": 3, "character": 16}
        found = pair(conversation.ask_about(library.as_uri(), "rename", position=here, newName="double"))
    assert {uri: (version, len(edits)) for uri, (version, edits) in found.items()} == {
        library.as_uri(): (7, 1),
        user.as_uri(): (None, 2),
    }
