"""A workspace for VS Code, and the steps that the probe performs in it."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

from tests.editors import places
from tests.editors.codeserver import Editor, Step

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
    "workbench.startupEditor": "none",
}


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
