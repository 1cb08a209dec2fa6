"""What a machine can check of the files of the repository: what they must not name, their English, their checkers."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ptx_lsp import __version__
from tests.patience import PATIENCE_WITH_TOOLS
from tests.phrases import UNCLEAR, unclear_phrases

ROOT = Path(__file__).resolve().parents[1]
# The files whose sentences must be clear: settings (`package.json`), rows, editors' files and scripts too.
WITH_SENTENCES = frozenset((".py", ".md", ".json", ".isa", ".toml", ".el", ".lua", ".ts", ".mjs", ".sh", ".yml", ""))
# Both are spelled in parts, so that this file does not fail itself.
_FOLDERS = "|".join(("work", "opt/dev", "opt/pypi"))
_SHARED = "shared"
MACHINE = re.compile(
    rf"(?<![\w/])/(?:{_FOLDERS})/[\w.]|/tmp/(?!x\.ptx)[a-z]|\b{_SHARED}/(?:facts|corpus|tools)\b|/{'root'}/"
)
REGISTRIES = re.compile(
    "|".join(("registry" r"\.npmjs", "registry" r"\.yarnpkg", "pypi" r"\.org", "pythonhosted" r"\.org"))
)


def tracked() -> list[Path]:
    """The files of the repository that are text."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, timeout=PATIENCE_WITH_TOOLS)
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = listed.stdout.decode().split("\0")
    return [ROOT / each for each in names if each and not each.endswith(".png") and (ROOT / each).is_file()]


def test_nothing_names_this_machine_or_a_registry() -> None:
    found = []
    for path in tracked():
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").split("\n"), 1):
            if REGISTRIES.search(line) or (path != Path(__file__) and MACHINE.search(line)):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert found == []


def readable() -> list[Path]:
    """The sources, documents, rows, settings and editor files of the repository, except the two with the phrases."""
    own = {Path(__file__), Path(__file__).with_name("phrases.py")}
    return [path for path in tracked() if path.suffix in WITH_SENTENCES and path not in own]


def test_sentences_have_no_unclear_phrases() -> None:
    found = [
        f"{path.relative_to(ROOT)}: `{phrase}`, write `{UNCLEAR.get(phrase, 'the subject first')}`"
        for path in readable()
        if path.name != "package-lock.json"
        for phrase in unclear_phrases(path)
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "# It stands\n# in it",
        '"""It stands\nin it."""',
        'f"{x} stands in"',
        'a = "it stands " "in"',
        "a = 1  # Stands in it",
        "def it_stands_in_it():\n    pass",
    ],
)
def test_unclear_phrases_are_found_in_comments_strings_and_names(text: str, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(text + "\n", "utf-8")
    assert unclear_phrases(path) == ["stands"]


def test_inverted_sentences_are_found(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text('"""A table. Of two names, the first one is kept."""\n', "utf-8")
    assert unclear_phrases(path) == ["Of two names,"]


def test_unclear_phrases_are_not_found_in_code(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("answer = 1 is None\nmended = 2\n", "utf-8")
    assert unclear_phrases(path) == []


def test_what_the_editors_take_from_the_package_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "editors" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_WITH_TOOLS)
    assert done.stdout == "", f"run `python editors/generate.py`: {done.stdout}{done.stderr}"
    assert done.returncode == 0, done.stderr


def test_the_version_is_written_in_one_place() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'dynamic = ["version"]' in project
    assert 'version = { attr = "ptx_lsp.__version__" }' in project
    package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text("utf-8"))
    assert package["version"] == __version__
    log = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "## [Unreleased]" in log or f"## [{__version__}]" in log


@pytest.mark.parametrize(
    "tool",
    [["ruff", "check"], ["ruff", "format", "--check"], pytest.param(["mypy"], marks=pytest.mark.slow)],
    ids=" ".join,
)
def test_the_checkers_are_content(tool: list[str]) -> None:
    arguments = ["."] if tool[0] == "ruff" else []
    done = subprocess.run(
        [sys.executable, "-m", *tool, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_WITH_TOOLS
    )
    assert done.returncode == 0, done.stdout + done.stderr
