"""Which commands of the extension VS Code's command palette offers."""

from pathlib import Path

from tests.editors.browser import Step
from tests.editors.codeserver import Editor
from tests.editors.workspaces import PALETTE, SAMPLE, workspace


def test_the_palette_offers_the_command_that_fits_the_document(editor: Editor, tmp_path: Path) -> None:
    folder = workspace(tmp_path)
    (folder / "plain.cu").write_text("int x;\n", "utf-8")
    row = ".quick-input-list .monaco-list-row"
    of_line, source = "PTX: Show PTX of This Line", "PTX: Show Source"
    steps: list[Step] = []
    for name, language, shown, hidden in (
        (SAMPLE.name, "PTX", source, of_line),
        ("plain.cu", "CUDA", of_line, source),
    ):
        steps += [
            {"click": ".explorer-folders-view .monaco-list-row", "text": name},
            {"wait": "[id='status.editor.mode']", "text": language},
            {"click": ".view-lines"},
            {"press": "F1", "until": PALETTE},
            {"type": "PTX: Show", "into": PALETTE},
            {"wait": row, "text": shown},
            {"wait": row, "text": hidden, "state": "hidden"},
            {"press": "Escape"},
        ]
    assert len(editor.perform(folder, steps)) == len(steps)
