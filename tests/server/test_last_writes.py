"""The command that goes from a register to its last writes."""

from typing import Any

from tests.server.conversation import ADD, MODULE, Conversation, stepped

URI = "file:///m.ptx"
INVALID_PARAMS = -32602


def ask(conversation: Conversation, line: int, character: int) -> Any:
    """The answer to the command at a place."""
    argument = {"uri": URI, "position": {"line": line, "character": character}}
    return conversation.ask("workspace/executeCommand", {"command": "ptx.lastWrites", "arguments": [argument]})


def test_the_result_is_a_list_of_locations_with_the_columns_of_the_client() -> None:
    text = MODULE.replace("\tmov.u32 %r1, 1;", "/* 𝄞 */ mov.u32 %r1, 1;")
    with stepped() as conversation:
        conversation.open(text)
        start, end = {"line": ADD - 1, "character": 17}, {"line": ADD - 1, "character": 20}
        at = text.split("\n")[ADD].index("%r1") + 1
        assert ask(conversation, ADD, at) == [{"uri": URI, "range": {"start": start, "end": end}}]
        assert ask(conversation, ADD - 1, 18) == []
        assert ask(conversation, 0, 0) == []


def test_arguments_that_are_no_place_are_reported() -> None:
    with stepped() as conversation:
        conversation.open(MODULE)
        for argument in (None, {}, {"uri": "file:///other.ptx", "position": {}}, {"uri": URI, "position": 3}):
            params = {"command": "ptx.lastWrites", "arguments": [argument]}
            assert conversation.error("workspace/executeCommand", params)["code"] == INVALID_PARAMS
