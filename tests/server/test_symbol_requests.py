"""Definition, declaration, references and document highlight in a conversation, positions in UTF-16."""

from typing import Any

from tests.server.conversation import Conversation, replaced, stepped

URI = "file:///m.ptx"
TEXT = """.version 9.4
.target sm_90
.func f();
.visible .entry k()
{
\t.reg .b32 %r<9>;
\t/* 😀 */ mov.b32 %r1, 1; add.s32 %r2, %r1, 1;
\tcall f;
}
.func f()
{
\tret;
}
"""


def ask(conversation: Conversation, request: str, line: int, character: int, **more: Any) -> Any:
    """The result of a request at a position."""
    position = {"line": line, "character": character}
    return conversation.ask(f"textDocument/{request}", {"textDocument": {"uri": URI}, "position": position, **more})


def span(line: int, start: int, end: int) -> dict[str, dict[str, int]]:
    """A range within a line."""
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def test_requests_about_a_register() -> None:
    start = TEXT.split("\n")[6].index("%r1") + 1  # UTF-16: one unit more than code points
    with stepped() as conversation:
        conversation.open(TEXT)
        declared, written, read = span(5, 11, 13), span(6, start, start + 3), span(6, start + 21, start + 24)
        for request in ("definition", "declaration"):
            assert ask(conversation, request, 6, start) == [{"uri": URI, "range": declared}]
        every = ask(conversation, "references", 6, start, context={"includeDeclaration": True})
        assert [each["range"] for each in every] == [declared, written, read]
        uses = ask(conversation, "references", 6, start, context={"includeDeclaration": False})
        assert uses == every[1:]
        highlights = ask(conversation, "documentHighlight", 6, start)
        assert [(each["range"], each["kind"]) for each in highlights] == [(declared, 1), (written, 3), (read, 2)]


def test_requests_about_a_function_and_after_an_edit() -> None:
    with stepped() as conversation:
        conversation.open(TEXT)
        conversation.change(2, replaced(0, 0, 0, "// one more line\n"))
        assert [each["range"] for each in ask(conversation, "definition", 8, 6)] == [span(10, 6, 7)]
        assert [each["range"] for each in ask(conversation, "declaration", 8, 6)] == [span(3, 6, 7)]
        every = ask(conversation, "references", 8, 6, context={"includeDeclaration": True})
        assert [each["range"]["start"]["line"] for each in every] == [3, 8, 10]


def test_requests_at_a_place_without_a_name_have_empty_answers() -> None:
    with stepped() as conversation:
        conversation.open(TEXT)
        for request in ("definition", "declaration", "documentHighlight"):
            assert ask(conversation, request, 1, 0) == []


def test_renaming_a_register_and_a_refusal() -> None:
    start = TEXT.split("\n")[6].index("%r1") + 1
    with stepped() as conversation:
        conversation.open(TEXT)
        prepared = ask(conversation, "prepareRename", 6, start)
        assert prepared == {"range": span(6, start, start + 3), "placeholder": "%r1"}
        edit = ask(conversation, "rename", 6, start, newName="%count")
        ranges = [(each["range"], each["newText"]) for each in edit["changes"][URI]]
        assert ranges == [
            (span(6, start, start + 3), "%count"),
            (span(6, start + 21, start + 24), "%count"),
            (span(5, 17, 17), "\n\t.reg .b32 %count;"),
        ]
        place = {"textDocument": {"uri": URI}, "position": {"line": 6, "character": start}}
        refused = conversation.error("textDocument/rename", {**place, "newName": "%r2"})
        assert refused == {"code": -32803, "message": "`%r2` is used already where `%r1` is visible"}
        nothing = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 1}}
        assert conversation.error("textDocument/prepareRename", nothing)["message"] == (
            "`.version` is a word of the language: its name is fixed"
        )
