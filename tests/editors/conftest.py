"""Shared by the tests of the editors: the extension as built from this checkout, and a real file to work on."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors import places
from tests.editors.codeserver import Editor, environment, pack_probe, running
from tests.patience import PATIENCE_WITH_TOOLS

SOURCES = [places.VSCODE, places.ROOT / "ptx_lsp"]
PACKAGE = places.VSCODE / "ptx-lsp.vsix"
MADE = {"node_modules", "bundled", "media", "out", "__pycache__"}


@pytest.fixture(scope="session")
def vsix() -> Path:
    """The extension as `npm run package` makes it; made again when one of its sources has changed."""
    import fcntl  # the tests of the editors need Debian's packages

    places.program("npm")
    with (places.VSCODE / ".npmrc").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not PACKAGE.exists() or PACKAGE.stat().st_mtime < newest_source():
            build()
    return PACKAGE


@pytest.fixture(scope="session")
def editor(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """VS Code with the extension and the probe, one for each process that runs tests."""
    folder = tmp_path_factory.mktemp("code-server")
    with running(folder, [vsix, pack_probe(folder)]) as started:
        yield started


def build() -> None:
    """Installs the build tools of the extension, if they are missing, and builds it."""
    if not (places.VSCODE / "node_modules").is_dir():
        run("npm", "ci", "--ignore-scripts")
    run("npm", "run", "package")


def run(*command: str) -> None:
    """Runs a command in the extension's folder; its output is shown if it fails."""
    done = subprocess.run(
        command, cwd=places.VSCODE, capture_output=True, text=True, env=environment(), timeout=PATIENCE_WITH_TOOLS
    )
    assert done.returncode == 0, done.stdout + done.stderr


def newest_source() -> float:
    """When a source of the extension was last changed."""
    times = [0.0]
    for source in SOURCES:
        for folder, folders, names in os.walk(source):
            folders[:] = [name for name in folders if name not in MADE]
            times += [(Path(folder) / name).stat().st_mtime for name in names if not name.endswith(".vsix")]
    return max(times)
