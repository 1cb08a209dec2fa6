"""Puts the server and all that it imports into bundled/libs, and the walkthrough's pictures into media."""

import json
import shutil
import subprocess
import sys
import tempfile
import venv
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBS = HERE / "bundled" / "libs"
MEDIA = HERE / "media"
SOURCES = ["pyproject.toml", "README.package.md", "LICENSE", "ptx_lsp"]


def main() -> None:
    """Builds bundled/libs again: the pinned requirements and ptx_lsp as its own wheel would install it."""
    shutil.rmtree(LIBS, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        python = python_with_pip(Path(folder) / "environment")
        install(python, "--requirement", str(HERE / "requirements.txt"))
        # Built from a copy: setuptools leaves a build folder beside the sources, and it keeps what was in it earlier.
        copy = Path(folder) / "ptx-lsp"
        copy.mkdir()
        for name in SOURCES:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, copy / name)
        install(python, str(copy))
    shutil.rmtree(LIBS / "bin", ignore_errors=True)
    for name in ["LICENSE", "CHANGELOG.md"]:
        shutil.copy2(ROOT / name, HERE / name)
    copy_pictures()


def copy_pictures() -> None:
    """Copies the pictures of the walkthrough: those of the documentation, which the tests take."""
    shutil.rmtree(MEDIA, ignore_errors=True)
    MEDIA.mkdir()
    for walkthrough in json.loads((HERE / "package.json").read_text("utf-8"))["contributes"]["walkthroughs"]:
        for step in walkthrough["steps"]:
            name = Path(step["media"]["image"]).name
            shutil.copy2(ROOT / "docs" / "images" / name, MEDIA / name)


def python_with_pip(folder: Path) -> str:
    """The Python that runs this, or where it has no pip, as Debian's, one of a new environment in a folder."""
    if find_spec("pip") is not None:
        return sys.executable
    venv.create(folder, with_pip=True)
    return str(next(path for path in (folder / "bin" / "python", folder / "Scripts" / "python.exe") if path.exists()))


def install(python: str, *what: str) -> None:
    """Installs into bundled/libs without dependencies, so that nothing comes along that is not pinned."""
    pip = [
        python,
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
