"""Names of other modules: symbols of the workspace, and definitions, declarations and references across files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ptx_lsp.features.workspace_symbol import ModuleName, module_names
from ptx_lsp.outline.nesting import Construct
from ptx_lsp.server import workspace_index
from tests.server.conversation import Conversation, initialized
from tests.server.linked_modules import LIBRARY, OTHER, USER
from tests.server.stepped_client import URI, Client, opened_by

WATCHES = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
Place = tuple[str, int, int]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with a library and two modules that use it."""
    for name, text in (("library", LIBRARY), ("user", USER), ("other", OTHER)):
        (tmp_path / f"{name}.ptx").write_text(text, "utf-8")
    (tmp_path / "broken.ptx").write_bytes(b"\xff\xfe.func")
    return tmp_path


def places(answer: Any) -> list[Place]:
    """The file, line and column of each location."""
    return [
        (each["uri"].rpartition("/")[2], each["range"]["start"]["line"], each["range"]["start"]["character"])
        for each in answer
    ]


def ask(conversation: Conversation, method: str, uri: str, line: int, character: int) -> list[Place]:
    """The locations that a request about a position gives."""
    position = {"line": line, "character": character}
    params = {"textDocument": {"uri": uri}, "position": position, "context": {"includeDeclaration": True}}
    return places(conversation.ask(f"textDocument/{method}", params))


def renamed(conversation: Conversation, uri: str, line: int, character: int, name: str) -> list[Place]:
    """The places that get a new name, in all files."""
    position = {"line": line, "character": character}
    answer = conversation.ask(
        "textDocument/rename", {"textDocument": {"uri": uri}, "position": position, "newName": name}
    )
    return sorted(
        each for file, edits in answer["changes"].items() for each in places([{"uri": file, **edit} for edit in edits])
    )


def test_definitions_declarations_and_references_across_files(folder: Path) -> None:
    user, library = folder / "user.ptx", folder / "library.ptx"
    with initialized(rootUri=folder.as_uri()) as conversation:
        conversation.open(USER, user.as_uri())
        assert ask(conversation, "definition", user.as_uri(), 9, 7) == [("library.ptx", 3, 15)]
        assert ask(conversation, "definition", user.as_uri(), 10, 17) == [("library.ptx", 7, 22)]
        assert ask(conversation, "declaration", user.as_uri(), 9, 7) == [("user.ptx", 3, 14)]
        assert ask(conversation, "definition", user.as_uri(), 11, 7) == [("user.ptx", 5, 6)]  # not of this module
        conversation.open(LIBRARY, library.as_uri())
        assert ask(conversation, "definition", library.as_uri(), 3, 16) == [("library.ptx", 3, 15)]
        assert sorted(ask(conversation, "declaration", library.as_uri(), 3, 16)) == [
            *(("other.ptx", 3, 14), ("user.ptx", 3, 14))
        ]
        assert sorted(ask(conversation, "references", library.as_uri(), 3, 16)) == [
            *(("library.ptx", 3, 15), ("other.ptx", 3, 14), ("other.ptx", 9, 6)),
            *(("user.ptx", 3, 14), ("user.ptx", 9, 6)),
        ]
        assert ask(conversation, "references", library.as_uri(), 8, 7) == [("library.ptx", 8, 6)]


def test_the_names_of_the_module_that_is_asked_about_are_not_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[str] = []

    def collect(outline: list[Construct]) -> Iterator[ModuleName]:
        names = list(module_names(outline))
        collected.extend(each.name for each in names)
        return iter(names)

    monkeypatch.setattr(workspace_index, "module_names", collect)
    client = Client()
    opened_by(client, LIBRARY)
    place = {"position": {"line": 3, "character": 16}, "context": {"includeDeclaration": True}}
    for number, method in enumerate(("references", "definition", "declaration"), 2):
        asked = {"textDocument": {"uri": URI}, **place}
        assert places(client.request(number, f"textDocument/{method}", asked)["result"])
    assert not collected  # a module of a million lines has 30,000
    assert client.request(9, "workspace/symbol", {"query": "twice"})["result"]
    assert "twice" in collected


def test_a_function_is_renamed_in_the_modules_that_are_linked_with_it(folder: Path) -> None:
    user, library = folder / "user.ptx", folder / "library.ptx"
    with initialized(rootUri=folder.as_uri()) as conversation:
        conversation.open(USER, user.as_uri())
        conversation.open(LIBRARY, library.as_uri())
        for uri, line, character in ((library.as_uri(), 3, 16), (user.as_uri(), 9, 7)):
            assert renamed(conversation, uri, line, character, "double") == [
                *(("library.ptx", 3, 15), ("other.ptx", 3, 14), ("other.ptx", 9, 6)),
                *(("user.ptx", 3, 14), ("user.ptx", 9, 6)),
            ]
        assert renamed(conversation, user.as_uri(), 11, 7, "own") == [("user.ptx", 5, 6), ("user.ptx", 11, 6)]
        place = {"textDocument": {"uri": library.as_uri()}, "position": {"line": 3, "character": 16}}
        refused = conversation.error("textDocument/rename", {**place, "newName": "other"})
        assert refused["message"] == "`other` is used already where `twice` is visible, in `other.ptx`"


def test_a_function_that_two_modules_define_is_renamed_in_one(folder: Path) -> None:
    (folder / "second.ptx").write_text(LIBRARY)
    with initialized(rootUri=folder.as_uri()) as conversation:
        uri = (folder / "library.ptx").as_uri()
        conversation.open(LIBRARY, uri)
        assert renamed(conversation, uri, 3, 16, "double") == [("library.ptx", 3, 15)]


def test_symbols_of_the_workspace_follow_files_and_documents(folder: Path) -> None:
    with initialized(WATCHES, rootUri=folder.as_uri()) as conversation:
        found = conversation.ask("workspace/symbol", {"query": "wice"})
        assert sorted(each["containerName"] for each in found) == ["library.ptx", "other.ptx", "user.ptx"]
        assert {each["name"] for each in found} == {"twice"}
        registered = [message for message in conversation.said if message.get("method") == "client/registerCapability"]
        assert registered[0]["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
        uri = (folder / "library.ptx").as_uri()
        conversation.open(LIBRARY.replace("twice", "thrice"), uri)
        assert len(conversation.ask("workspace/symbol", {"query": "wice"})) == 2
        (folder / "other.ptx").unlink()
        changed = {"changes": [{"uri": (folder / "other.ptx").as_uri(), "type": 3}]}
        conversation.notify("workspace/didChangeWatchedFiles", changed)
        (left,) = conversation.ask("workspace/symbol", {"query": "wice"})
        assert left["location"]["uri"] == (folder / "user.ptx").as_uri()


def folder_change(conversation: Conversation, *, added: tuple[Path, ...] = (), removed: tuple[Path, ...] = ()) -> None:
    """Say that folders of the workspace have changed."""
    event = {
        "added": [{"uri": path.as_uri(), "name": path.name} for path in added],
        "removed": [{"uri": path.as_uri(), "name": f"old {path.name}"} for path in removed],
    }
    conversation.notify("workspace/didChangeWorkspaceFolders", {"event": event})


def test_symbols_of_the_workspace_follow_its_folders(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    more = tmp_path_factory.mktemp("more")
    (more / "third.ptx").write_text(LIBRARY)
    with initialized(WATCHES, rootUri=folder.as_uri()) as conversation:

        def files() -> list[str]:
            found = conversation.ask("workspace/symbol", {"query": "twice"})
            return sorted(each["containerName"] for each in found)

        one = ["library.ptx", "other.ptx", "user.ptx"]
        assert files() == one
        folder_change(conversation, added=(more,))
        assert files() == sorted([*one, "third.ptx"])
        folder_change(conversation, added=(more,), removed=(more,))  # the folder has another name now
        assert files() == sorted([*one, "third.ptx"])
        folder_change(conversation, removed=(more,))
        assert files() == one
        folder_change(conversation, removed=(folder,))
        assert files() == []


def test_the_maximum_number_of_files(folder: Path) -> None:
    options = {"workspace": {"maximumFiles": 0}}
    with initialized(rootUri=folder.as_uri(), initializationOptions=options) as conversation:
        assert conversation.ask("workspace/symbol", {"query": ""}) == []
        conversation.open(USER, (folder / "user.ptx").as_uri())
        found = conversation.ask("workspace/symbol", {"query": ""})
        assert [each["name"] for each in found] == ["twice", "table", "hidden", "k"]
