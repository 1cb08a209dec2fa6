"""`textDocument/codeLens` in a conversation with the real server."""

from tests.server.conversation import MODULE, Conversation, replaced

URI = "file:///m.ptx"
OWN = "on sm_90 PTX 7.8 (CUDA 11.8)"


def test_lenses_are_at_version_and_target_and_move_with_edits(conversation: Conversation) -> None:
    conversation.open(MODULE)
    ask = {"textDocument": {"uri": URI}}
    version, target = conversation.ask("textDocument/codeLens", ask)
    assert version["range"] == {"start": {"line": 0, "character": 9}, "end": {"line": 0, "character": 12}}
    assert version["command"]["title"] == f"needs PTX 2.3 (CUDA 4.0), for .address_size; {OWN}"
    assert target["command"]["title"] == "needs sm_10 or later"
    conversation.change(2, replaced(3, 0, 0, ".global .attribute(.managed) .b32 g;\n"))
    version, target = conversation.ask("textDocument/codeLens", ask)
    assert version["command"]["title"] == f"needs PTX 4.0 (CUDA 6.0), for .attribute and 1 other; {OWN}"
    assert target["range"]["start"]["line"] == 1
    assert target["command"]["title"] == "needs sm_30 or later, for .managed"


def test_a_document_that_is_not_open_has_no_lenses(conversation: Conversation) -> None:
    assert conversation.ask("textDocument/codeLens", {"textDocument": {"uri": "file:///other.ptx"}}) == []


def test_lenses_on_functions_and_loops(conversation: Conversation) -> None:
    text = MODULE.replace("k()", "k(.param .u64 input)").replace(
        "\tret;", "again:\n\tbar.sync 0;\n\tbra again;\n\tret;"
    )
    conversation.open(text)
    found = conversation.ask("textDocument/codeLens", {"textDocument": {"uri": URI}})
    assert [(each["range"]["start"]["line"], each["command"]["title"]) for each in found[2:]] == [
        (4, "parameters 8 bytes"),
        (11, "loop of 2 instructions, 1 barrier"),
    ]
