"""Configuration files in the server: which settings hold for a document, and the mistakes in these files."""

from pathlib import Path
from typing import Any

import pytest

from ptx_lsp.server.process.disk_files import DiskFiles
from tests.server.conversation import MISTAKEN, MODULE, Conversation, in_this_process

EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}


def uri(path: Path) -> str:
    return path.as_uri()


def configured(folder: Path, text: str, **options: Any) -> Conversation:
    (folder / "ptx-lsp.toml").write_text(text)
    return in_this_process(files=DiskFiles(), rootUri=folder.as_uri(), **options)


def hints(conversation: Conversation, path: Path) -> list[str]:
    found = conversation.ask("textDocument/inlayHint", {"textDocument": {"uri": uri(path)}, "range": EVERYTHING})
    return [hint["label"] for hint in found]


def rewritten(conversation: Conversation, path: Path, text: str) -> None:
    path.write_text(text)
    conversation.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri(path), "type": 2}]})


def test_a_configuration_file_changes_findings_and_hints(tmp_path: Path) -> None:
    conversation = configured(tmp_path, 'severity = {operand-type = "hint"}\nhints.hex-floats = false\n')
    assert [each["severity"] for each in conversation.open(MISTAKEN, uri(tmp_path / "a" / "m.ptx"))] == [4]
    conversation.open(MODULE, uri(tmp_path / "n.ptx"))
    assert hints(conversation, tmp_path / "n.ptx") == ["= 18"]


def test_a_configuration_file_changes_inline_values(tmp_path: Path) -> None:
    def inline_values(conversation: Conversation, path: Path) -> list[str]:
        conversation.open(MODULE, uri(path))
        context = {"frameId": 1, "stoppedLocation": EVERYTHING}
        params = {"textDocument": {"uri": uri(path)}, "range": EVERYTHING, "context": context}
        return [value["text"] for value in conversation.ask("textDocument/inlineValue", params)]

    with_floats = inline_values(configured(tmp_path, ""), tmp_path / "n.ptx")
    without = inline_values(configured(tmp_path, "hints.hex-floats = false\n"), tmp_path / "n.ptx")
    assert without == [text for text in with_floats if not text.startswith("0f")]
    assert len(without) < len(with_floats)


def test_patterns_are_relative_to_the_folder_of_the_file(tmp_path: Path) -> None:
    conversation = configured(tmp_path, '[ignore]\n"generated/*.ptx" = ["operand-type"]\n')
    assert conversation.open(MISTAKEN, uri(tmp_path / "generated" / "m.ptx")) == []
    assert len(conversation.open(MISTAKEN, uri(tmp_path / "m.ptx"))) == 1


# docs/configuration.md: the command line, then the editor, then the configuration file, then the default
@pytest.mark.parametrize(
    ("project", "options", "expected"),
    [
        ("", {}, 1),
        ('severity.operand-type = "warning"', {}, 2),
        ("", {"severity": {"operand-type": "hint"}}, 4),
        ('severity.operand-type = "warning"', {"severity": {"operand-type": "hint"}}, 4),
        ('severity.operand-type = "warning"', {"severity": {"never-written": "hint"}}, 2),
    ],
)
def test_the_editor_s_settings_have_priority(tmp_path: Path, project: str, options: Any, expected: int) -> None:
    conversation = configured(tmp_path, project, initializationOptions=options)
    assert [each["severity"] for each in conversation.open(MISTAKEN, uri(tmp_path / "m.ptx"))] == [expected]


def test_a_change_takes_effect_at_once(tmp_path: Path) -> None:
    conversation = configured(tmp_path, "")
    path = tmp_path / "m.ptx"
    assert len(conversation.open(MISTAKEN, uri(path))) == 1
    rewritten(conversation, tmp_path / "ptx-lsp.toml", 'ignore = ["all"]')
    assert conversation.published(uri(path)) == []
    rewritten(conversation, tmp_path / "ptx-lsp.toml", "")
    assert len(conversation.published(uri(path))) == 1


def test_a_mistake_is_a_diagnostic_in_the_file(tmp_path: Path) -> None:
    conversation = configured(tmp_path, '# \U0001f600\n[hints]\n"hex-floats" = "\U0001f600" # no\n')
    file = tmp_path / "ptx-lsp.toml"
    document = {"uri": uri(tmp_path / "m.ptx"), "languageId": "ptx", "version": 1, "text": MODULE}
    conversation.notify("textDocument/didOpen", {"textDocument": document})
    (problem,) = conversation.published(uri(file))
    assert problem["message"] == "`hints.hex-floats` takes true or false"
    assert problem["range"] == {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 12}}
    rewritten(conversation, file, "hints.hex-floats = false")
    assert conversation.published(uri(file)) == []


def test_the_client_is_asked_to_watch_configuration_files() -> None:
    conversation = in_this_process({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
    request = conversation.wait(lambda message: message.get("method") == "client/registerCapability")
    (registration,) = request["params"]["registrations"]
    patterns = [watcher["globPattern"] for watcher in registration["registerOptions"]["watchers"]]
    assert patterns == ["**/ptx-lsp.toml", "**/pyproject.toml"]


def test_a_document_that_is_no_file_has_no_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    conversation = configured(tmp_path, 'ignore = ["all"]')
    assert len(conversation.open(MISTAKEN, "untitled:Untitled-1")) == 1
