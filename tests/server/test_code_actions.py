"""Code actions over the protocol: which kinds are offered, and edits that are worked out when one is chosen."""

from typing import Any

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.rewrites.rewrite import Steps
from ptx_lsp.rewrites.unused_names import unused_steps
from tests.server.actions import AUTOMATIC, INVOKED, UNUSED
from tests.server.conversation import MISTAKEN, MODULE, Conversation, Message, in_this_process, initialized

URI = "file:///m.ptx"
FLOAT = 10
"""The line of `mov.f32 %f1, 0f3FB8AA3B;`."""

RESOLVING = {"textDocument": {"codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}}}


def actions(conversation: Conversation, line: int, column: int, **context: Any) -> list[Message]:
    """The code actions at a place."""
    place = {"line": line, "character": column}
    params = {"textDocument": {"uri": URI}, "range": {"start": place, "end": place}}
    found = conversation.ask("textDocument/codeAction", {**params, "context": {"diagnostics": [], **context}})
    assert isinstance(found, list)
    return found


def new_texts(action: Message) -> list[str]:
    """The texts that the edits of an action write."""
    return [edit["newText"] for edit in action["edit"]["changes"][URI]]


def test_edits_are_worked_out_when_an_action_is_chosen() -> None:
    with initialized(capabilities=RESOLVING) as conversation:
        conversation.open(MODULE)
        action, *_ = actions(conversation, FLOAT, 20)
        assert action["kind"] == "refactor.rewrite"
        assert "edit" not in action
        assert new_texts(conversation.ask("codeAction/resolve", action)) == ["1.442695"]
        conversation.change(2, {"text": MODULE + "\n"})
        assert conversation.error("codeAction/resolve", action)["code"] == -32801


def test_clients_that_cannot_ask_again_get_the_edits_at_once(conversation: Conversation) -> None:
    conversation.open(MODULE)
    action, *_ = actions(conversation, FLOAT, 20)
    assert new_texts(action) == ["1.442695"]
    without_edits = actions(conversation, 0, 0, only=["source.removeUnused"])
    assert without_edits == []


def test_clients_that_apply_edits_get_a_command_for_an_action_on_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []

    def steps(module: Module) -> Steps:
        counted.append("")
        yield from unused_steps(module)

    monkeypatch.setattr("ptx_lsp.rewrites.unused_names.unused_steps", steps)
    conversation = in_this_process({"workspace": {"applyEdit": True}})
    conversation.open(UNUSED)
    *rewrites, unused = actions(conversation, FLOAT + 1, 20, triggerKind=INVOKED)
    assert new_texts(rewrites[0]) == ["1.442695"]
    assert "edit" not in unused
    assert counted == []
    command = unused["command"]
    asked = {"command": command["command"], "arguments": command["arguments"]}
    conversation.request("workspace/executeCommand", asked)
    (edit,) = conversation.received("workspace/applyEdit")["edit"]["changes"][URI]
    assert (edit["range"]["start"]["line"], edit["newText"]) == (7, "")
    assert counted == [""]
    conversation.change(2, {"text": UNUSED + "\n"})
    conversation.said.clear()
    assert conversation.ask("workspace/executeCommand", asked) is None
    assert not any(message.get("method") == "workspace/applyEdit" for message in conversation.said)


@pytest.mark.parametrize(
    ("context", "kinds"),
    [
        ({}, {"refactor.rewrite"}),
        ({"triggerKind": AUTOMATIC}, {"refactor.rewrite"}),
        ({"triggerKind": INVOKED}, {"refactor.rewrite", "source.removeUnused.ptx", "source.addHeader.ptx"}),
        ({"only": ["refactor"]}, {"refactor.rewrite"}),
        ({"only": ["refactor.rewrite"]}, {"refactor.rewrite"}),
        ({"only": ["refactor.extract"]}, set()),
        ({"only": ["source"]}, {"source.removeUnused.ptx", "source.addHeader.ptx"}),
        ({"only": ["source.addHeader.ptx"]}, {"source.addHeader.ptx"}),
        ({"only": ["quickfix"]}, set()),
        ({"only": ["source.fixAll"]}, set()),
    ],
)
def test_only_the_kinds_that_the_client_asks_for(
    conversation: Conversation, context: dict[str, Any], kinds: set[str]
) -> None:
    text = UNUSED.replace(".address_size 64\n", "")
    conversation.open(text)
    assert {action["kind"] for action in actions(conversation, FLOAT, 20, **context)} == kinds


def test_the_document_can_be_cleaned(conversation: Conversation) -> None:
    conversation.open(UNUSED.replace(".address_size 64\n", ""))
    unused, header = actions(conversation, 0, 0, only=["source"])
    (edit,) = unused["edit"]["changes"][URI]
    assert (edit["range"]["start"]["line"], edit["newText"]) == (6, "")
    assert new_texts(header) == ["\n.address_size 64"]


def test_a_finding_can_be_ignored_in_three_places(conversation: Conversation) -> None:
    (diagnostic,) = conversation.open(MISTAKEN)
    line, column = diagnostic["range"]["start"].values()
    found = actions(conversation, line, column, only=["quickfix"], diagnostics=[diagnostic])
    ways = [action for action in found if action["title"].startswith("ignore")]
    assert [(action["title"], *new_texts(action)) for action in ways] == [
        ("ignore `operand-type` on this line", " // ptx-lsp: ignore[operand-type]"),
        ("ignore `operand-type` by a comment above this line", "\t// ptx-lsp: ignore-next-line[operand-type]\n"),
        ("ignore `operand-type` in this file", "// ptx-lsp: ignore-file[operand-type]\n"),
    ]
    assert not any(action.get("isPreferred") for action in ways)
    for number, action in enumerate(ways, 1):
        (edit,) = action["edit"]["changes"][URI]
        conversation.change(2 * number, {"range": edit["range"], "text": edit["newText"]})
        assert conversation.published() == []
        conversation.change(2 * number + 1, {"text": MISTAKEN})
        assert [each["code"] for each in conversation.published()] == ["operand-type"]


def test_a_comment_with_other_codes_gets_one_more(conversation: Conversation) -> None:
    comment = " // ptx-lsp: ignore[shift-count]"
    text = MISTAKEN.replace("0x10+2;", f"0x10+2;{comment}").replace(
        ".version", "// ptx-lsp: ignore-file[unused-label]\n.version"
    )
    diagnostic = next(each for each in conversation.open(text) if each["code"] == "operand-type")
    line, column = diagnostic["range"]["start"].values()
    found = [each for each in actions(conversation, line, column) if each["title"].startswith("ignore `operand")]
    assert [new_texts(action) for action in found] == [
        ["// ptx-lsp: ignore[shift-count, operand-type]"],
        ["\t// ptx-lsp: ignore-next-line[operand-type]\n"],
        ["// ptx-lsp: ignore-file[unused-label, operand-type]"],
    ]
