"""The pictures of the documentation, taken in VS Code.

Every run takes them; `PTX_LSP_NEW_SCREENSHOT=1` writes them to `docs/images/`. Before a picture is taken, the test
waits until VS Code shows what the picture is about.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.editors import places
from tests.editors.browser import Step
from tests.editors.codeserver import pack_probe, running
from tests.editors.pictures import FILES, PICTURES, Picture, steps_of
from tests.editors.workspaces import workspace

IMAGES = places.ROOT / "docs" / "images"
SETTINGS: dict[str, object] = {
    "debug.openDebug": "neverOpen",
    "editor.codeLens": True,
    "editor.fontSize": 13,
    "editor.linkedEditing": True,
    "files.autoSave": "onFocusChange",
}
TIME = 600.0  # seconds for all pictures


@pytest.fixture(scope="module")
def taken(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of all pictures, taken one after another in one window of VS Code with the extension and the probe.

    One of them shows the path of the workspace, which therefore is a short one.
    """
    with TemporaryDirectory(prefix="kernels-") as kernels:
        yield take(workspace(Path(kernels), SETTINGS), vsix, tmp_path_factory)


def take(folder: Path, vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Takes all pictures in this workspace; the folder that has them."""
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    pictures = IMAGES if "PTX_LSP_NEW_SCREENSHOT" in os.environ else tmp_path_factory.mktemp("pictures")
    settings = folder / ".vscode" / "settings.json"
    steps: list[Step] = [{"wait": ".explorer-folders-view .monaco-list-row"}]
    for picture in PICTURES:
        steps += steps_of(picture, pictures / f"{picture.name}.png", settings)
    profile = tmp_path_factory.mktemp("code-server")
    with running(profile, [vsix, pack_probe(profile)]) as editor:
        editor.perform(folder, steps, TIME)
    return pictures


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_vs_code_shows_what_a_picture_shows(taken: Path, picture: Picture) -> None:
    assert (taken / f"{picture.name}.png").stat().st_size > 8_000


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_a_page_shows_each_picture(picture: Picture) -> None:
    assert (IMAGES / f"{picture.name}.png").is_file()
    pages = [path.read_text("utf-8") for path in (places.ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if re.search(rf"\]\((\.\./)?images/{picture.name}\.png\)", page)]
