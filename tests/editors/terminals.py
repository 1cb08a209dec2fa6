"""The editors in a terminal, as the documentation shows them: each with the configuration of its page."""

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.editors import places
from tests.editors.browser import Step
from tests.editors.samples import server

DOCS = places.ROOT / "docs" / "editors"
COLUMNS, ROWS = 100, 24
THEME = {"background": "#1c1c1c", "foreground": "#d0d0d0", "cursor": "#d0d0d0"}
EXAMPLE = (places.ROOT / "examples" / "tile_transpose.ptx").read_text("utf-8")
MISTAKEN = EXAMPLE.replace("add.u32 %row, %row, 8;", "add.u32 %row, %row, %valeu;", 1)
FIRST = EXAMPLE[: EXAMPLE.index("ld.const.f32 %scale")].count("\n") + 1  # a line above the mistake
ROW = ".xterm-rows > div"


class Terminal(NamedTuple):
    """An editor for a terminal: the name of its picture, how it is configured, and what a user does.

    `configure` writes the configuration into a home folder and gives the command that starts the editor. The screen
    must show all of `shows` after the steps of `do`.
    """

    name: str
    configure: Callable[[Path], list[str]]
    do: list[Step]
    shows: list[Step]


def neovim(home: Path) -> list[str]:
    """Neovim 0.11 with the file and the lines of its page, and one of its colour schemes with many colours."""
    folder = home / ".config" / "nvim"
    shutil.copytree(places.ROOT / "editors" / "neovim" / "lsp", folder / "lsp")
    lines = shown_on("neovim", "add this to `init.lua`", "lua")
    (folder / "init.lua").write_text(lines + "vim.cmd.colorscheme('habamax')\n", "utf-8")
    return [str(places.new_neovim()), "-i", "NONE", "-n", f"+{FIRST}", "+normal! zt"]


def emacs(home: Path) -> list[str]:
    """Emacs with the file and the lines of its page, which start the server through eglot."""
    return emacs_with(home, "load it from your init file")


def emacs_with_lsp_mode(home: Path) -> list[str]:
    """The same with the lines for lsp-mode."""
    places.lsp_mode()
    return emacs_with(home, "through lsp-mode instead of eglot")


def emacs_with(home: Path, before: str) -> list[str]:
    """Emacs with the file of its page, and the lines of the page after a text."""
    folder = home / ".emacs.d"
    folder.mkdir()
    shutil.copy(places.ROOT / "editors" / "emacs" / "ptx-lsp.el", folder)
    # the warnings of its compiler, which runs in the background, would cover half of the window
    (folder / "early-init.el").write_text("(setq native-comp-async-report-warnings-errors nil)\n", "utf-8")
    (folder / "init.el").write_text(shown_on("emacs", before, "elisp"), "utf-8")
    return [str(places.program("emacs")), "-nw", f"+{FIRST}"]


def shown_on(page: str, before: str, language: str) -> str:
    """The first block of code in a language after a text of an editor's page."""
    text = (DOCS / f"{page}.md").read_text("utf-8")
    found = re.compile(rf"^```{language}\n(.*?)^```$", re.S | re.M).search(text, text.index(before))
    assert found, before
    return found[1]


def row(text: str) -> Step:
    """Until a row of the screen holds a text."""
    return {"wait": ROW, "text": text}


TO_FINDING: list[Step] = [
    row("Flymake[1"),
    {"press": "Alt+x"},
    row("M-x"),
    {"type": "flymake-goto-next-error"},
    {"press": "Enter"},
]
TERMINALS = [
    Terminal(
        "neovim",
        neovim,
        [
            row("E add.u32 %row, %row, %valeu;"),
            row("(32 + 1) * 4 = 132"),
            {"type": "]d"},
            {"press": "Control+w"},
            {"type": "d"},
        ],
        [row("is not declared"), {"wait": ".xterm-rows span[style*='color:#']", "text": "bra"}],
    ),
    Terminal(
        "emacs",
        emacs,
        TO_FINDING,
        [row("is not declared")],
    ),
]
LSP_MODE = Terminal("lsp-mode", emacs_with_lsp_mode, TO_FINDING, [row("is not declared")])


def plan(terminal: Terminal, home: Path, picture: Path) -> dict[str, object]:
    """The plan of browser.mjs that starts an editor in a home folder of its own, and takes its picture."""
    sample = home / "tile_transpose.ptx"
    sample.write_text(MISTAKEN, "utf-8")
    command = [*terminal.configure(home), sample.name]
    programs = [str(server(home)), "/usr/local/bin", "/usr/bin", "/bin"]
    environment = {"HOME": str(home), "PATH": ":".join(programs), "LANG": "C.UTF-8"}
    environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    screen = {
        "xterm": str(places.code_server().parents[2] / "lib" / "vscode" / "node_modules" / "@xterm" / "xterm"),
        "bridge": [sys.executable, str(places.HERE / "terminal.py")],
        "columns": COLUMNS,
        "rows": ROWS,
        "program": command,
        "folder": str(home),
        "environment": environment,
        "theme": THEME,
    }
    steps = [*terminal.do, *terminal.shows, {"screenshot": str(picture), "of": "#terminal"}]
    return {"terminal": screen, "steps": steps}
