"""The pictures of the documentation, taken in VS Code.

Every run takes them; `PTX_LSP_NEW_SCREENSHOT=1` writes them to `docs/images/`. Before a picture is taken, the test
waits until VS Code shows what the picture is about.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors import places
from tests.editors.codeserver import Editor, Step, running
from tests.editors.pictures import FILES, PICTURES, Picture, steps_of
from tests.editors.workspaces import workspace

IMAGES = places.ROOT / "docs" / "images"
SETTINGS: dict[str, object] = {"editor.fontSize": 13, "editor.codeLens": True, "files.autoSave": "off"}
OPENED: list[Step] = [{"wait": ".explorer-folders-view .monaco-list-row"}, {"press": "Control+b"}]


@pytest.fixture(scope="module")
def editor(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """VS Code with the extension alone."""
    with running(tmp_path_factory.mktemp("code-server"), [vsix]) as started:
        yield started


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_vs_code_shows_what_a_picture_shows(editor: Editor, tmp_path: Path, picture: Picture) -> None:
    folder = workspace(tmp_path, SETTINGS)
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    target = (IMAGES if "PTX_LSP_NEW_SCREENSHOT" in os.environ else tmp_path) / f"{picture.name}.png"
    editor.perform(folder, [*OPENED, *steps_of(picture, target)])
    assert target.stat().st_size > 8_000


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_a_page_shows_each_picture(picture: Picture) -> None:
    assert (IMAGES / f"{picture.name}.png").is_file()
    pages = [path.read_text("utf-8") for path in (places.ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if re.search(rf"\]\((\.\./)?images/{picture.name}\.png\)", page)]
