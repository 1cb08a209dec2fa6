"""Completion and its resolve in a conversation, with the capabilities of different clients."""

from typing import Any

from tests.server.conversation import Conversation, in_this_process, replaced

URI = "file:///m.ptx"
TEXT = """.version 7.0
.target sm_70
.func callee(.param .b32 first) { ret; }
.visible .entry k()
{
\t.reg .b32 %r<9>;
\tmov.b32 %r1, 1;
\t/* 😀 */ add.s32 %r2, %r1, 1;
\tret;
}
"""
ADD = 7
SNIPPETS = {
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True, "tagSupport": {"valueSet": [1]}}},
        "hover": {"contentFormat": ["markdown"]},
    }
}


def complete(conversation: Conversation, line: int, character: int) -> Any:
    """The list at a position."""
    place = {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}
    return conversation.ask("textDocument/completion", place)


def test_a_list_replaces_the_word_in_the_columns_of_the_client() -> None:
    start = TEXT.split("\n")[ADD].index("add") + 1  # UTF-16: one unit more than code points
    conversation = in_this_process()
    conversation.open(TEXT)
    conversation.change(2, replaced(ADD, start, start + 7, "ad"))
    found = complete(conversation, ADD, start + 2)
    assert found["isIncomplete"] is False
    assert [item["label"] for item in found["items"]] == ["add", "addc"]
    first = found["items"][0]
    span = {"start": {"line": ADD, "character": start}, "end": {"line": ADD, "character": start + 2}}
    assert first["textEdit"] == {"range": span, "newText": "add"}
    assert first["commitCharacters"] == ["."]
    assert "documentation" not in first
    sorted_ = sorted(found["items"], key=lambda item: item["sortText"])
    assert sorted_ == found["items"]


def test_the_documentation_comes_with_resolve() -> None:
    conversation = in_this_process(SNIPPETS)
    conversation.open(TEXT)
    conversation.change(2, replaced(ADD, 10, 31, "add."))
    item = next(i for i in complete(conversation, ADD, 14)["items"] if i["label"] == ".sat")
    resolved = conversation.ask("completionItem/resolve", item)
    assert resolved["label"] == ".sat"
    assert resolved["documentation"]["kind"] == "markdown"
    assert "saturates" in resolved["documentation"]["value"]


def test_what_the_module_lacks_is_marked() -> None:
    conversation = in_this_process(SNIPPETS)
    conversation.open(TEXT)
    conversation.change(2, replaced(ADD, 10, 31, "add."))
    items = complete(conversation, ADD, 14)["items"]
    lacking = next(i for i in items if i["label"] == ".bf16")
    assert lacking["tags"] == [1]
    assert "needs" in lacking["detail"]
    assert items.index(lacking) > max(n for n, item in enumerate(items) if "tags" not in item)


def test_tab_stops_only_for_clients_that_have_snippets() -> None:
    for capabilities, text in ((SNIPPETS, "callee, (${1:first})"), ({}, "callee")):
        conversation = in_this_process(capabilities)
        conversation.open(TEXT)
        conversation.change(2, replaced(ADD, 10, 31, "call "))
        items = complete(conversation, ADD, 15)["items"]
        (item,) = (item for item in items if item["label"] == "callee")
        assert item["textEdit"]["newText"] == text
        assert item.get("insertTextFormat") == (2 if capabilities else None)


def test_signature_help_with_offsets_and_without() -> None:
    offsets = {"signatureInformation": {"parameterInformation": {"labelOffsetSupport": True}}}
    place = {"textDocument": {"uri": URI}, "position": {"line": ADD, "character": 23}}
    for capabilities, labels in (
        ({"textDocument": {"signatureHelp": offsets}}, [[8, 9], [11, 12], [14, 15]]),
        ({}, ["d", "a", "b"]),
    ):
        conversation = in_this_process(capabilities)
        conversation.open(TEXT)
        found = conversation.ask("textDocument/signatureHelp", place)
        signature = found["signatures"][found["activeSignature"]]
        assert signature["label"] == "add.s32 d, a, b;"
        assert [each["label"] for each in signature["parameters"]] == labels
        assert found["activeParameter"] == 1
        assert {each["activeParameter"] for each in found["signatures"]} == {1}, "null means that none is active"
        assert ".s32" in signature["parameters"][1]["documentation"]["value"]
