"""The pictures of the editors that run in a terminal, each configured as its page says.

Every run takes them; `PTX_LSP_NEW_SCREENSHOT=1` writes them to `docs/images/`. A picture is taken when the terminal
shows the finding of a mistake.
"""

import os
from pathlib import Path

import pytest

from tests.editors import places
from tests.editors.browser import drive
from tests.editors.terminals import DOCS, LSP_MODE, TERMINALS, Terminal, plan

IMAGES = places.ROOT / "docs" / "images"


@pytest.mark.parametrize("terminal", TERMINALS, ids=lambda terminal: terminal.name)
def test_an_editor_with_the_configuration_of_its_page_shows_a_finding(terminal: Terminal, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    picture = (IMAGES if "PTX_LSP_NEW_SCREENSHOT" in os.environ else tmp_path) / f"{terminal.name}.png"
    drive(plan(terminal, home, picture), tmp_path)
    assert picture.stat().st_size > 8_000


def test_lsp_mode_with_the_lines_of_the_page_shows_a_finding(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    shown = drive(plan(LSP_MODE, home, tmp_path / "lsp-mode.png"), tmp_path)
    assert "did you mean `%value`?" in str(shown[-2])


@pytest.mark.parametrize("terminal", TERMINALS, ids=lambda terminal: terminal.name)
def test_a_page_shows_the_picture_of_its_editor(terminal: Terminal) -> None:
    assert (IMAGES / f"{terminal.name}.png").is_file()
    assert f"](../images/{terminal.name}.png)" in (DOCS / f"{terminal.name}.md").read_text("utf-8")
