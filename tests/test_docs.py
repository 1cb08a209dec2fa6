"""The documentation: the site builds without a warning, and its commands exist."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.findings.codes import rules
from ptx_lsp.isa.instructions import opcodes
from tests.patience import PATIENCE_WITH_TOOLS

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
CALLED = re.compile(r"\bptx-lsp ([a-z]+)((?: --?[a-z][\w-]*(?:=\S+)?| [^\s`|]+)*)")


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command: list[str | Path] = [Path(sys.executable).parent / "mkdocs", "build", "--strict", "--quiet", "--site-dir"]
    command.append(tmp_path)
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}  # about the next version of mkdocs, not about a page
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env=environment, timeout=PATIENCE_WITH_TOOLS
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    assert {path.stem for path in (tmp_path / "rules").glob("*.html")} == {*rules(), "index"}
    assert len(list((tmp_path / "instructions").glob("*.html"))) == len(opcodes()) + 1
    assert (tmp_path / "search" / "search_index.json").stat().st_size > 100_000


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.name)
def test_every_command_and_option_in_a_page_exists(page: Path) -> None:
    wrong = []
    for line in re.findall(r"`([^`\n]+)`|^\$ (.+)$", page.read_text("utf-8"), re.M):
        for name, arguments in CALLED.findall(line[0] or line[1]):
            known = {each for option in COMMANDS[name].options for each in (option.name, option.short)} | {"--help"}
            options = re.findall(r"(?<= )--?[a-z][\w-]*", arguments)
            wrong += [f"{name} {option}" for option in options if option not in known]
    assert wrong == []


def test_the_page_of_vs_code_has_every_command_of_the_palette() -> None:
    package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text("utf-8"))
    commands = {f"*{each['category']}: {each['title']}*" for each in package["contributes"]["commands"]}
    page = (ROOT / "docs" / "editors" / "vscode.md").read_text("utf-8")
    assert commands == set(re.findall(r"\*PTX: [^*]+\*", page)) - {"*PTX:*"}


def test_the_page_of_inline_ptx_has_every_rule_of_inline_assembly() -> None:
    page = (ROOT / "docs" / "inline-ptx.md").read_text("utf-8")
    listed = re.findall(r"^\| `(asm-[a-z-]+)` \|", page, re.M)
    assert sorted(listed) == [code for code in rules() if code.startswith("asm-")]


def test_every_feature_names_its_tests_and_has_a_picture() -> None:
    page = ROOT / "docs" / "features.md"
    items = re.split(r"^- (?=\*\*)", page.read_text("utf-8"), flags=re.M)[1:]
    assert len(items) > 15
    for item in items:
        paths = re.findall(r"\]\((\.\./tests/[^)]+)\)", item)
        assert paths, item
        paths += re.findall(r"^  !\[[^\]]+\]\((images/[^)]+)\)$", item, re.M)
        assert any(path.startswith("images/") for path in paths), item
        assert [path for path in paths if not (page.parent / path).is_file()] == []
