"""The environment of the command: closed and full streams, wrong numbers, unusual names, killed processes."""

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ptx_lsp
from tests.cli.checked import RIGHT, WRONG, run
from tests.patience import PATIENCE

pytestmark = pytest.mark.process

ODD = "b\x1b[2J\r\u061c\xad\u202e\U000e0041.ptx"
POSIX = pytest.mark.skipif(os.name != "posix", reason="closed streams and devices are of POSIX")


def shell(command: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Have the shell run `ptx-lsp` as `$P`; its arguments are `$1` and so on."""
    environment = {**os.environ, "P": f"{sys.executable} -m ptx_lsp"}
    everything = ["sh", "-c", command, "sh", *map(str, arguments)]
    return subprocess.run(everything, capture_output=True, text=True, env=environment, timeout=PATIENCE)


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.ptx"
    path.write_text(WRONG)
    return path


@POSIX
@pytest.mark.parametrize("command", ["check", "needs"])
def test_output_that_cannot_be_written(command: str, wrong: Path) -> None:
    done = shell(f"$P {command} $1 > /dev/full", wrong)
    assert (done.returncode, done.stderr) == (2, f"ptx-lsp {command}: no space left on device\n")


@POSIX
@pytest.mark.parametrize("arguments", ["", "help", "--help", "--version", "check --help"])
def test_help_that_cannot_be_written(arguments: str) -> None:
    done = shell(f"$P {arguments} > /dev/full")
    assert done.returncode == 2
    assert done.stderr in ("ptx-lsp: no space left on device\n", "ptx-lsp check: no space left on device\n")


@POSIX
def test_closed_streams(wrong: Path) -> None:
    done = shell("$P check $1 >&-", wrong)
    assert (done.returncode, done.stderr) == (1, "")
    done = shell("$P check $1 2>&-", wrong)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "1 error in 1 file")
    done = shell("$P check - <&-")
    assert (done.returncode, done.stderr) == (2, "ptx-lsp: cannot check `<stdin>`: standard input is closed\n")
    for arguments in ("eval", "eval -"):
        done = shell(f"$P {arguments} <&-")
        assert (done.returncode, done.stderr) == (2, "ptx-lsp eval: standard input is closed\n")
    done = shell("$P server <&-")
    assert (done.returncode, done.stderr) == (2, "ptx-lsp server: standard input or standard output is closed\n")


@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000, "0", "-1", "\u00b2", ""])
def test_arguments_that_are_not_numbers(number: str, wrong: Path) -> None:
    for arguments in (
        ["check", f"--jobs={number}", wrong],
        ["check", f"--maximum-version={number}", wrong],
        ["server", f"--clientProcessId={number}x"],
        ["server", f"--tcp=127.0.0.1:{number}x"],
    ):
        done = run(*arguments)
        assert done.returncode == 2, arguments
        assert "Traceback" not in done.stderr
        assert "takes" in done.stderr


@pytest.mark.skipif(multiprocessing.get_start_method() != "fork", reason="a child must inherit what is patched")
@pytest.mark.parametrize("before", ["", "import threading"], ids=["copies", "a pool"])
def test_a_killed_process_affects_one_file(tmp_path: Path, before: str) -> None:
    for number in range(40):
        (tmp_path / f"{number:02}.ptx").write_text(WRONG if number % 2 else RIGHT)
    program = """
import os, signal, sys
from ptx_lsp.cli import examination
from ptx_lsp.cli.main import main
read, parent = examination.read_source, os.getpid()
def read_or_die(path):
    if "17.ptx" in path and os.getpid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
    return read(path)
examination.read_source = read_or_die
sys.exit(main(sys.argv[1:]))
"""
    command = [sys.executable, "-c", before + program, "check", "--jobs", "3", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2
    assert done.stderr == f"ptx-lsp: cannot check `{tmp_path / '17.ptx'}`: the process that checked it was killed\n"
    assert done.stdout.endswith("19 errors in 39 files\n")


@POSIX
def test_control_characters_in_names_are_replaced(tmp_path: Path) -> None:
    (tmp_path / ODD).symlink_to("nowhere")
    (tmp_path / ("c" + ODD)).write_text(WRONG)
    for command in (["check"], ["check", "--hints"], ["needs"], ["needs", "--verbose"]):
        done = run(*command, tmp_path)
        assert "b\ufffd[2J" in done.stderr
        assert "cb\ufffd[2J" in done.stdout
        assert (done.stdout + done.stderr).replace("\n", "").isprintable()
    done = run("check", "--what" + ODD)
    assert done.stderr.replace("\n", "").isprintable()


def test_control_characters_in_expressions_are_replaced() -> None:
    assert run("eval", "1 /* \x1b[2J */ + 1").stdout.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("before", "orderly"),
    [
        ("pass", False),
        ("import threading", True),
        ("import atexit; atexit.register(print)", True),
        ("import cProfile; profile = cProfile.Profile(); profile.enable()", True),
    ],
)
def test_the_program_ends_at_once_unless_something_needs_an_orderly_end(
    wrong: Path, before: str, orderly: bool
) -> None:
    program = f"from ptx_lsp.cli.main import program\n{before}\nprogram()\nprint('an orderly end')"
    # without `site`, which could import what needs an orderly end
    command = [sys.executable, "-S", "-c", program, "check", str(wrong)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=Path(ptx_lsp.__file__).parents[1], timeout=PATIENCE
    )
    assert "1 error in 1 file\n" in done.stdout  # all of it was written
    assert ("an orderly end" in done.stdout) == orderly
    assert done.returncode == (0 if orderly else 1)


@POSIX
@pytest.mark.parametrize("option", ["--diff", "--check"])
def test_a_reader_that_ends_early_is_no_trouble_of_formatting(option: str, tmp_path: Path) -> None:
    path = tmp_path / "long.ptx"
    path.write_text(RIGHT + " ret;\n" * 50_000)
    done = shell(f"$P format {option} $1 | true", path)
    assert "cannot format" not in done.stderr
