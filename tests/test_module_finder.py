"""The finder of the package's modules finds what Python finds, and nothing that was compiled from another source."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

PROGRAM = """
import sys
from ptx_lsp.module_finder import find_modules_faster
find_modules_faster()
import ptx_lsp.room.module as made
spec = made.__spec__
print(type(spec.loader).__qualname__, made.VALUE, made.__file__, made.__cached__, made.__package__, spec.origin)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a package that has the finder and one module."""
    root = Path(__file__).resolve().parents[1] / "ptx_lsp"
    copied = tmp_path / "ptx_lsp"
    (copied / "room").mkdir(parents=True)
    for name in ("module_finder.py", "light_classes.py"):
        (copied / name).write_bytes((root / name).read_bytes())
    (copied / "__init__.py").write_text("")
    (copied / "room" / "__init__.py").write_text("")
    (copied / "room" / "module.py").write_text("VALUE = 1\n")
    return tmp_path


def run(folder: Path, program: str, **environment: str) -> str:
    """What a program prints in a new process."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    given = {"PYTHONPATH": "."} | environment
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, timeout=PATIENCE, env=inherited | given, check=True
    ).stdout


def imported(folder: Path, **environment: str) -> list[str]:
    """The loader of a module, its value and its places, in a new process."""
    return run(folder, PROGRAM, **environment).split()


def test_a_compiled_module_has_the_places_that_python_gives_it(package: Path) -> None:
    first, second = imported(package), imported(package)
    assert first[0] == "SourceFileLoader"
    assert second[0].endswith("Loader")
    assert second[0] != first[0]
    assert second[1:] == first[1:]
    source = str(package / "ptx_lsp" / "room" / "module.py")
    assert [os.path.realpath(each) for each in second[2:4]] == [
        os.path.realpath(each) for each in (source, package / "ptx_lsp" / "room" / "__pycache__" / Path(second[3]).name)
    ]


def test_a_source_that_changed_is_compiled_again(package: Path) -> None:
    imported(package)
    source = package / "ptx_lsp" / "room" / "module.py"
    before = source.stat()
    source.write_text("VALUE = 22\n")
    os.utime(source, (before.st_atime, before.st_mtime))
    assert imported(package)[1] == "22", "the size differs"
    source.write_text("VALUE = 33\n")
    os.utime(source, (before.st_atime, before.st_mtime + 10))
    assert imported(package)[1] == "33", "the time differs"


@pytest.mark.parametrize("broken", [b"", b"\0" * 40])
def test_a_broken_compiled_file_is_not_used(package: Path, broken: bytes) -> None:
    compiled = Path(imported(package)[3])
    (package / compiled).write_bytes(broken)
    assert imported(package)[1] == "1"


def test_half_a_compiled_file_is_not_used(package: Path) -> None:
    """Python itself raises EOFError for such a file, but writes it whole."""
    compiled = package / imported(package)[3]
    whole = compiled.read_bytes()
    compiled.write_bytes(whole[:-8])
    finder = "from ptx_lsp.module_finder import find_modules_faster; find_modules_faster(); import sys; "
    asked = "import ptx_lsp.room; print(sys.meta_path[0].find_spec('ptx_lsp.room.module', ptx_lsp.room.__path__))"
    assert run(package, finder + asked) == "None\n"


def test_compiled_files_may_be_in_another_folder(package: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "compiled"
    for _ in range(2):
        found = imported(package, PYTHONPYCACHEPREFIX=str(elsewhere))
        assert found[1] == "1"
        assert found[3].startswith(str(elsewhere))
    assert found[0].endswith(".Loader")


def test_a_module_that_is_loaded_again_is_read_again(package: Path) -> None:
    imported(package)
    program = (
        "import importlib, pathlib; from ptx_lsp.module_finder import find_modules_faster; find_modules_faster()\n"
        "import ptx_lsp.room.module as made\n"
        "pathlib.Path(made.__file__).write_text('VALUE = 1234\\n')\n"
        "print(importlib.reload(made).VALUE)"
    )
    assert run(package, program) == "1234\n"
