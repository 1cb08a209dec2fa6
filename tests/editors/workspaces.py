"""A workspace for VS Code, and the steps that the probe performs in it."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

from tests.editors import places
from tests.editors.browser import Step
from tests.editors.codeserver import Editor

SAMPLE = places.ROOT / "examples" / "gaussian.ptx"
STEADY: dict[str, object] = {
    "editor.minimap.enabled": False,
    "editor.stickyScroll.enabled": False,
    "editor.fontSize": 15,
    "editor.guides.indentation": False,
    "editor.quickSuggestions": {"other": "off"},
    "editor.tabSize": 8,
    "breadcrumbs.enabled": False,
    "window.commandCenter": False,
    "workbench.activityBar.location": "hidden",
    "workbench.colorTheme": "Default Dark Modern",
    "workbench.layoutControl.enabled": False,
    "workbench.quickOpen.closeOnFocusLost": False,
    "workbench.startupEditor": "none",
}

PALETTE = ".quick-input-widget input"


def in_palette(keys: str, text: str, row: str) -> list[Step]:
    """The keys that open the palette, a text typed there, and Enter once a row of it holds `row`."""
    return [
        {"press": keys, "until": PALETTE},
        {"type": text, "into": PALETTE},
        {"wait": ".quick-input-list .monaco-list-row", "text": row},
        {"press": "Enter", "into": PALETTE},
    ]


def to_place(line: int, column: int = 1) -> list[Step]:
    """The cursor at a place of the open file, both numbers from 1."""
    there = f"Ln {line}, Col {column}"
    return [
        {"wait": ".view-line"},
        *in_palette("Control+g", f"{line}:{column}", f"line {line} "),
        {"wait": "[id='status.editor.selection']", "text": there},
    ]


def workspace(folder: Path, settings: dict[str, object] | None = None) -> Path:
    """A folder with the sample and with settings that make pictures and plans repeatable."""
    server = {"ptx.server.path": os.environ["PTX_LSP_TEST_SERVER"]} if "PTX_LSP_TEST_SERVER" in os.environ else {}
    (folder / ".vscode").mkdir()
    (folder / ".vscode" / "settings.json").write_text(json.dumps(STEADY | server | (settings or {})), "utf-8")
    shutil.copy(SAMPLE, folder / SAMPLE.name)
    return folder


def ask(editor: Editor, folder: Path, plan: list[Step], meanwhile: list[Step] | None = None) -> list[Any]:
    """The probe performs the steps of a plan; the result of each."""
    (folder / "probe-plan.json").write_text(json.dumps(plan), "utf-8")
    result = folder / "probe-result.json"
    editor.perform(folder, [*(meanwhile or []), {"file": str(result)}])
    outcomes = json.loads(result.read_text("utf-8"))
    assert [each["error"] for each in outcomes if "error" in each] == []
    return [each.get("value") for each in outcomes]
