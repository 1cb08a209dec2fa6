"""The completion of the command line, in the shells themselves, and the manual page."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.main import main
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "ptx_lsp" / "cli" / "completions"
PAGE = ROOT / "ptx_lsp" / "cli" / "ptx-lsp.1"
COMPLETE = """
source {script}
COMP_WORDS=({words}) COMP_CWORD={last}
{function}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def run(program: str, *arguments: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program; without it the test fails where CI is true, and is skipped elsewhere."""
    if shutil.which(program) is None and os.environ.get("CI") != "true":
        pytest.skip(f"there is no {program}")
    return subprocess.run([program, *map(str, arguments)], input=text, capture_output=True, text=True, timeout=PATIENCE)


def in_bash(*words: str) -> set[str]:
    """What bash offers for the last of these words."""
    script = COMPLETE.format(
        script=SCRIPTS / "ptx-lsp.bash",
        words=" ".join(f"'{word}'" for word in words),
        last=len(words) - 1,
        function="_shtab_ptx_lsp",
    )
    done = run("bash", "--norc", text=script)
    assert done.returncode == 0, done.stderr
    return {line.strip() for line in done.stdout.splitlines()}


def test_bash_completes_commands_options_and_values() -> None:
    assert in_bash("ptx-lsp", "") >= set(COMMANDS)
    assert in_bash("ptx-lsp", "che") == {"check"}
    assert in_bash("ptx-lsp", "check", "--unsafe") == {"--unsafe-fixes"}
    assert in_bash("ptx-lsp", "check", "--color", "a") == {"always", "auto"}
    assert in_bash("ptx-lsp", "completion", "") == {"bash", "zsh", "fish"}


def test_fish_completes_commands_options_and_values() -> None:
    def offered(line: str) -> set[str]:
        done = run("fish", "--no-config", text=f"source {SCRIPTS / 'ptx-lsp.fish'}; complete --do-complete '{line}'")
        assert done.returncode == 0, done.stderr
        return {each.partition("\t")[0] for each in done.stdout.splitlines()}

    assert offered("ptx-lsp che") == {"check"}
    assert "--unsafe-fixes" in offered("ptx-lsp check --unsafe")
    assert {"always", "auto", "never"} <= offered("ptx-lsp check --color ")


def test_zsh_reads_its_script() -> None:
    done = run("zsh", "-n", SCRIPTS / "ptx-lsp.zsh")
    assert (done.returncode, done.stderr) == (0, "")
    text = (SCRIPTS / "ptx-lsp.zsh").read_text("utf-8")
    assert text.startswith("#compdef ptx-lsp")
    assert all(option.name in text for command in COMMANDS.values() for option in command.options)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_command_prints_the_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert capsys.readouterr().out == (SCRIPTS / f"ptx-lsp.{shell}").read_text("utf-8")


def test_man_reads_the_manual_page_without_a_warning() -> None:
    done = run("man", "--warnings", "--local-file", PAGE)
    assert (done.returncode, done.stderr) == (0, "")
    words = " ".join(done.stdout.replace("\u2010\n", "").replace("\u2010", "-").split())
    for name, command in COMMANDS.items():
        assert f"ptx-lsp {name}" in words
        assert all(option.name in words for option in command.options)
