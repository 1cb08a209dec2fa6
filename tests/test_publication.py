"""One row says where the repository is published: with it the pages that are read elsewhere have pictures and links."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ptx_lsp import __version__
from tests.patience import PATIENCE_WITH_TOOLS

ROOT = Path(__file__).resolve().parents[1]
ADDRESS = "https://code.example/someone/ptx-lsp"
LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)]+)\)")
ENTRY = "editors/neovim/mason/package.yaml"
LEFT_OUT = shutil.ignore_patterns("__pycache__", "node_modules", "bundled", "build", "*.egg-info", ".*")

pytestmark = pytest.mark.slow


def copy(folder: Path, table: str) -> Path:
    """A copy of the repository with this table of addresses and no other one, after `editors/generate.py`."""
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    project = folder / "pyproject.toml"
    text = re.sub(r"^\[project\.urls\]\n.*?(?=^\[)", "", project.read_text("utf-8"), flags=re.S | re.M)
    project.write_text(text.replace("[project.scripts]", f"{table}[project.scripts]"), "utf-8")
    subprocess.run(
        [sys.executable, folder / "editors" / "generate.py"],
        check=True,
        capture_output=True,
        timeout=PATIENCE_WITH_TOOLS,
    )
    return folder


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository with a made-up address."""
    return copy(tmp_path_factory.mktemp("published") / "ptx-lsp", f'[project.urls]\nRepository = "{ADDRESS}"\n\n')


def targets(page: Path) -> list[tuple[str, str]]:
    """The targets of the links of a page; the first text of each is `!` for a picture, else empty."""
    return LINK.findall(page.read_text("utf-8"))


def file_of(sign: str, target: str) -> Path:
    """The file of the repository that an absolute link leads to."""
    return ROOT / target.removeprefix(f"{ADDRESS}/{'raw' if sign else 'blob'}/HEAD/")


def test_without_an_address_no_link_of_the_descriptions_is_relative(tmp_path: Path) -> None:
    unpublished = copy(tmp_path / "ptx-lsp", "")
    for page in (unpublished / "README.package.md", unpublished / "editors" / "vscode" / "README.md"):
        assert [target for _, target in targets(page) if not target.startswith("https://")] == []
    assert "repository" not in json.loads((unpublished / "editors" / "vscode" / "package.json").read_text("utf-8"))


def test_with_an_address_the_description_of_the_package_has_every_link_and_picture(published: Path) -> None:
    found = targets(published / "README.package.md")
    assert [file_of(*each).relative_to(ROOT).as_posix() for each in found] == [
        target for _, target in targets(ROOT / "README.md")
    ]
    assert [target for sign, target in found if not file_of(sign, target).is_file()] == []
    assert any(sign for sign, _ in found)


def test_with_an_address_the_extension_has_pictures_and_names_the_repository(published: Path) -> None:
    found = targets(published / "editors" / "vscode" / "README.md")
    assert [sign for sign, _ in found] == ["!"]
    assert [target for sign, target in found if not file_of(sign, target).is_file()] == []
    manifest = json.loads((published / "editors" / "vscode" / "package.json").read_text("utf-8"))
    assert manifest["repository"] == {"type": "git", "url": ADDRESS}


MASON: dict[str, object] = {
    "required": ["name", "description", "homepage", "licenses", "languages", "categories", "source"],
    "properties": {
        "homepage": {"const": ADDRESS},
        "categories": {"items": {"enum": ["Compiler", "DAP", "Formatter", "Linter", "LSP", "Runtime"]}},
        "source": {"properties": {"id": {"const": f"pkg:pypi/ptx-lsp@{__version__}"}}, "required": ["id"]},
        "bin": {"const": {"ptx-lsp": "pypi:ptx-lsp"}},
        "neovim": {"const": {"lspconfig": "ptx_lsp"}},
    },
    "type": "object",
}
"""The form of an entry in the registry of Mason: what `package.schema.json` of `mason-org/registry-schema` requires."""


def test_with_an_address_the_entry_for_mason_has_its_form(published: Path, tmp_path: Path) -> None:
    schema = tmp_path / "mason.json"
    schema.write_text(json.dumps(MASON), "utf-8")
    check = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema)]
    done = subprocess.run([*check, str(published / ENTRY)], capture_output=True, text=True, timeout=PATIENCE_WITH_TOOLS)
    assert done.returncode == 0, done.stdout
    assert subprocess.run(
        [*check, str(ROOT / "docs" / "examples" / "gitlab-ci.yml")], capture_output=True, timeout=PATIENCE_WITH_TOOLS
    ).returncode
    assert (ROOT / "editors" / "neovim" / "lsp" / "ptx_lsp.lua").is_file()


def test_with_an_address_the_wheel_names_the_repository(published: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    subprocess.run(
        [*build, str(tmp_path), str(published)], check=True, capture_output=True, timeout=PATIENCE_WITH_TOOLS
    )
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        [name] = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        metadata = archive.read(name).decode("utf-8")
    assert f"Project-URL: Repository, {ADDRESS}" in metadata
    assert f"]({ADDRESS}/raw/HEAD/docs/images/window.png)" in metadata
