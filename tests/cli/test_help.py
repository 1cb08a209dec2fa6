"""The help: every command and option is described, within 80 columns; the nearest name for one that does not exist."""

import pytest

from ptx_lsp import __version__
from ptx_lsp.cli.command_table import COMMANDS
from ptx_lsp.cli.help import WIDTH, help_of, overview
from ptx_lsp.cli.main import main


@pytest.mark.parametrize("name", COMMANDS)
def test_help_describes_the_command_and_all_its_options_in_80_columns(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    printed = capsys.readouterr().out
    assert printed == help_of(name)
    assert printed.startswith(f"usage: ptx-lsp {name}")
    assert max(map(len, printed.splitlines())) <= WIDTH == 80
    for option in COMMANDS[name].options:
        assert f"{option.name} {option.value}".rstrip() in printed
        assert " ".join(option.purpose.split()) in " ".join(printed.split())


def test_the_overview_names_every_command_in_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    printed = capsys.readouterr().out
    assert printed == overview()
    assert max(map(len, printed.splitlines())) <= WIDTH
    assert {line.split()[0] for line in printed.splitlines() if line.startswith("  ")} == set(COMMANDS)


def test_short_names_and_options_are_unique_in_a_command() -> None:
    for command in COMMANDS.values():
        names = [name for option in command.options for name in (option.name, option.short) if name]
        assert len(names) == len(set(names))


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["version"], ["--version"], ["-V"]):
        assert main(arguments) == 0
        assert capsys.readouterr().out == f"ptx-lsp {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chekc", "a.ptx"], "there is no command `chekc`, did you mean `check`?"),
        (["check", "--fxi", "a.ptx"], "there is no option `--fxi`, did you mean `--fix`?"),
        (["check", "--unsafe-fix", "a.ptx"], "there is no option `--unsafe-fix`, did you mean `--unsafe-fixes`?"),
        (["check", "--colour=always", "a.ptx"], "there is no option `--colour=always`, did you mean `--color`?"),
        (["needs", "--format", "jsno", "a.ptx"], "`--format` takes text or json, not `jsno`, did you mean `json`?"),
        (["version", "1"], "there is no argument `1`"),
        (["completion", "tcsh"], "which shell? bash, zsh or fish"),
    ],
)
def test_a_name_that_does_not_exist(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_a_command_like_no_other_prints_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["xyzzy"]) == 2
    assert overview() in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_before_a_command_is_help_of_it(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", command]) == 0
    assert capsys.readouterr().out == help_of(command)


def test_help_of_an_unknown_command_suggests_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "chekc"]) == 2
    assert "did you mean `check`?" in capsys.readouterr().err
