"""The call hierarchy in a conversation, in one file and across files."""

from pathlib import Path

from tests.server.conversation import initialized
from tests.server.linked_modules import LIBRARY, OTHER, USER


def test_callers_in_other_files_and_the_definition_of_what_is_called(tmp_path: Path) -> None:
    for name, text in (("library", LIBRARY), ("user", USER), ("other", OTHER)):
        (tmp_path / f"{name}.ptx").write_text(text, "utf-8")
    user = (tmp_path / "user.ptx").as_uri()
    with initialized(rootUri=tmp_path.as_uri()) as conversation:
        conversation.open(USER, user)
        at = {"textDocument": {"uri": user}, "position": {"line": 9, "character": 8}}
        (twice,) = conversation.ask("textDocument/prepareCallHierarchy", at)
        assert (twice["name"], twice["detail"]) == ("twice", ".extern .func()")
        callers = conversation.ask("callHierarchy/incomingCalls", {"item": twice})
        assert sorted((each["from"]["name"], each["fromRanges"][0]["start"]["line"]) for each in callers) == [
            *(("k", 9), ("other", 9))
        ]
        at["position"] = {"line": 8, "character": 0}
        (kernel,) = conversation.ask("textDocument/prepareCallHierarchy", at)
        assert kernel["name"] == "k"
        called = conversation.ask("callHierarchy/outgoingCalls", {"item": kernel})
        assert [(each["to"]["name"], each["to"]["uri"].rpartition("/")[2]) for each in called] == [
            *(("twice", "library.ptx"), ("hidden", "user.ptx"))
        ]
