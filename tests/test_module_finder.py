"""The finder of the package's modules finds what Python finds, and nothing that was compiled from another source."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ptx_lsp.module_finder import ORDER
from tests import loading_order
from tests.patience import PATIENCE

FEW = 4  # modules that may differ
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


def test_modules_that_are_loaded_before_another_are_those_that_it_imports(package: Path) -> None:
    room = package / "ptx_lsp" / "room"
    (room / "inner").mkdir()
    (room / "inner" / "__init__.py").write_text("")
    (room / "inner" / "first.py").write_text("from ptx_lsp.room.module import VALUE\nMORE = VALUE + 1\n")
    (room / "last.py").write_text("from ptx_lsp.room.inner.first import MORE\n")
    attributes = "__name__ __file__ __cached__ __package__ __path__ __doc__ __spec__"
    program = (
        "import sys; from ptx_lsp.module_finder import find_modules_faster; find_modules_faster()\n"
        "asked = []\n"
        "sys.meta_path.insert(0, type('Asked', (), {'find_spec': lambda name, *_: asked.append(name)}))\n"
        "from ptx_lsp.room.last import MORE; import ptx_lsp\n"
        "print(MORE, ptx_lsp.room.inner.first.MORE, len(asked))\n"
        "for name in ('ptx_lsp.room.module', 'ptx_lsp.room.inner', 'ptx_lsp.room.inner.first'):\n"
        f"    print(*[getattr(sys.modules[name], each, '-') for each in {attributes.split()}])\n"
    )
    run(package, program)
    imported_one_by_one = run(package, program)
    (package / "ptx_lsp" / ORDER).write_text("room.last: room.module room.nothing room.inner room.inner.first\n")
    loaded = run(package, program)
    hidden = [re.sub(r"object at 0x\w+", "", each) for each in (loaded, imported_one_by_one)]
    assert hidden[0].split("\n")[0] == "2 2 2", "the finders are asked for the room and its last module only"
    assert hidden[1].split("\n")[0] == "2 2 5"
    assert hidden[0].split("\n")[1:] == hidden[1].split("\n")[1:]


def test_a_module_that_fails_before_another_is_not_kept(package: Path) -> None:
    room = package / "ptx_lsp" / "room"
    (room / "failing.py").write_text("VALUE = 1 // 0\n")
    (room / "last.py").write_text("from ptx_lsp.room.failing import VALUE\n")
    (package / "ptx_lsp" / ORDER).write_text("room.last: room.failing\n")
    program = (
        "import sys; from ptx_lsp.module_finder import find_modules_faster; find_modules_faster()\n"
        "for _ in range(2):\n"
        "    try:\n        import ptx_lsp.room.last\n"
        "    except ZeroDivisionError:\n        print(*[each for each in sys.modules if 'room.' in each])\n"
    )
    assert [run(package, program) for _ in range(2)] == ["\n\n", "\n\n"]


def test_the_order_is_nearly_that_of_the_imports() -> None:
    """Each module that is missing, or that is not imported any more, costs a tenth of a millisecond, and no more."""
    texts = loading_order.PLACE.read_text("utf-8"), loading_order.table()
    written, now = (dict(row.split(": ") for row in text.splitlines()) for text in texts)
    assert written.keys() == now.keys()
    for name, modules in now.items():
        assert len(set(modules.split()) ^ set(written[name].split())) <= FEW, f"{name}: python -m tests.loading_order"
