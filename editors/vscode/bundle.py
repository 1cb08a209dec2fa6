"""Puts the server and all that it imports into bundled/libs, where the extension finds it."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBS = HERE / "bundled" / "libs"
SOURCES = ["pyproject.toml", "README.md", "LICENSE", "ptx_lsp"]


def main() -> None:
    """Builds bundled/libs anew: the pinned requirements and ptx_lsp as its own wheel would install it."""
    shutil.rmtree(LIBS, ignore_errors=True)
    install("--requirement", str(HERE / "requirements.txt"))
    # Built from a copy: setuptools leaves a build folder beside the sources, and what once lay in it lives on.
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "ptx-lsp"
        copy.mkdir()
        for name in SOURCES:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, copy / name)
        install(str(copy))
    shutil.rmtree(LIBS / "bin", ignore_errors=True)
    for name in ["LICENSE", "CHANGELOG.md"]:
        shutil.copy2(ROOT / name, HERE / name)


def install(*what: str) -> None:
    """Installs into bundled/libs without dependencies, so that nothing comes along that is not pinned."""
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--root-user-action=ignore",
    ]
    subprocess.run([*pip, "--no-deps", "--no-compile", "--target", str(LIBS), *what], check=True)


if __name__ == "__main__":
    main()
