"""The output on a terminal: colours and progress."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import limited

pty = pytest.importorskip("pty")

RIGHT = ".version 9.4\n.target sm_90\n"


def at_a_terminal(*arguments: str) -> str:
    """Everything that the command writes if standard output and standard error are a terminal."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "ptx_lsp", *arguments], stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    written = b""
    with limited(process):
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # on Linux: the other side was closed
                break
            if not piece:
                break
            written += piece
        process.wait()
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


def test_colours(tmp_path: Path) -> None:
    (tmp_path / "empty.ptx").write_text("")
    assert "\x1b[1;31merror:" in at_a_terminal("check", str(tmp_path))
    assert "\x1b" not in at_a_terminal("check", "--color=never", str(tmp_path))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_progress_through_many_files(tmp_path: Path, jobs: str) -> None:
    for number in range(40):
        (tmp_path / f"{number:02}.ptx").write_text(RIGHT if number != 7 else "")
    shown = at_a_terminal("check", "--jobs", jobs, str(tmp_path))
    assert "of 40 files checked" in shown
    # every line of progress is erased: the rest is the output that a pipe gets
    left = "\n".join(part.split("\r\x1b[K")[-1] for part in shown.split("\n"))
    assert left.startswith("\x1b[1m")
    assert "files checked" not in left
    assert left.endswith("1 error in 40 files\n")


def test_no_progress_for_few_files(tmp_path: Path) -> None:
    (tmp_path / "right.ptx").write_text(RIGHT)
    assert at_a_terminal("check", str(tmp_path)) == "no findings in 1 file\n"
