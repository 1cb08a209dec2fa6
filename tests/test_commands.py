"""Every command of the documentation runs, and prints what its page shows.

A fenced block of `sh` or `console` is run in a copy of what the commands name, with this checkout's programs first on
PATH. A block that cannot run here has a comment above it, `<!-- not run here: REASON -->`.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.analysed import analysed
from tests.features.modules import in_body
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "editors" / "vscode" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^(?:<!-- not run here: (.+?) -->\n)?(`{3,})(sh|console|bash|shell)\n(.*?)^\2$", re.S | re.M)
REASONS = re.compile(r"tests/test_packaging\.py |\.ci/run |needs ")
"""Another file of the project that runs the command, or the tool that it needs."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block with commands: `page` relative to the checkout, `reason` if it is not run here."""

    page: str
    language: str
    text: str
    reason: str

    @property
    def commands(self) -> list[tuple[str, str]]:
        """Each command with the output that the page shows for it; empty if it shows none."""
        if self.language != "console":
            return [(self.text, "")]
        parts = re.split(r"^\$ ", self.text, flags=re.M)
        assert not parts[0], f"{self.page}: a console block begins with `$ `"
        return [(command, shown) for part in parts[1:] for command, _, shown in [part.partition("\n")]]


BLOCKS = [
    Block(page.relative_to(ROOT).as_posix(), found[3], found[4], found[1] or "")
    for page in PAGES
    for found in BLOCK.finditer(page.read_text("utf-8"))
]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with what the commands of the pages name."""
    folder = tmp_path_factory.mktemp("commands") / "ptx-lsp"
    shutil.copytree(ROOT / "examples", folder / "examples")
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for arguments in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        [*identity, "commit", "-q", "-m", "Add examples"],
        ["update-ref", "refs/remotes/origin/main", "HEAD"],
    ):
        subprocess.run(["git", *arguments], cwd=folder, check=True, timeout=PATIENCE)
    with (folder / "examples" / "gaussian.ptx").open("a") as changed:
        changed.write("// a changed line\n")
    return folder


RUN = [block for block in BLOCKS if not block.reason]
RUNNER = re.compile(r"(?:pipx run --spec|uvx --from) \S+ ")
"""What runs a command of ours with the package, in a block that is not run here."""


@pytest.mark.parametrize("block", RUN, ids=lambda block: f"{block.page}: {block.text.splitlines()[0][:40]}")
def test_the_commands_of_a_page_run_and_print_what_it_shows(block: Block, scratch: Path) -> None:
    _run(block.commands, scratch)


def test_what_another_program_runs_prints_what_the_page_shows(scratch: Path) -> None:
    commands = [
        (RUNNER.sub("", command), shown)
        for block in BLOCKS
        for command, shown in (block.commands if block.reason else ())
        if RUNNER.match(command)
    ]
    assert len(commands) == 2
    _run(commands, scratch)


def _run(commands: list[tuple[str, str]], scratch: Path) -> None:
    """Run each command in a folder, and compare its output with the beginning that a page shows."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, shown in commands:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=scratch,
            env=os.environ | {"PATH": path, "COLUMNS": "80"},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
        )
        # 1 says that there are findings
        assert done.returncode in ((0, 1) if "ptx-lsp check" in command else (0,)), done.stdout + done.stderr
        assert not done.stderr
        assert not shown or done.stdout.startswith(shown)


def test_every_command_that_is_not_run_has_a_reason() -> None:
    left = [block for block in BLOCKS if block.reason]
    assert len(RUN) >= 5
    assert [f"{block.page}: {block.reason}" for block in left if not REASONS.match(block.reason)] == []
    for block in left:
        for named in re.findall(r"tests/\w+\.py|\.ci/run", block.reason):
            assert (ROOT / named).is_file()


def test_every_block_of_commands_has_a_language() -> None:
    """A block without a language, or with `text`, could hide a command."""
    hidden = []
    for page in PAGES:
        fences = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text("utf-8"), re.S | re.M)
        plain = [text for language, text in fences if language in ("", "text")]
        hidden += [f"{page.name}: {text}" for text in plain if re.search(r"^(\$ )?(ptx-lsp|pip|pipx|npm) ", text, re.M)]
    assert hidden == []


def test_the_message_that_the_pages_quote_is_what_the_check_says() -> None:
    """A statement with the mistake of the message: the pages do not show it."""
    found = analysed(in_body("\tadd.f64 \t%fd1, %fd2, %r1;\n")).findings()
    (finding,) = (each for each in found if each.code == "operand-type")
    for name in ("README.md", "README.package.md"):
        page = " ".join((ROOT / name).read_text("utf-8").split())
        assert f"ptx-lsp says: `` {finding.message} ``." in page
