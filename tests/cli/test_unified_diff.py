"""Differences of texts: git applies them, and gives the new text."""

import subprocess
from pathlib import Path

import pytest

from ptx_lsp.cli.main import main
from ptx_lsp.cli.unified_diff import differences
from tests.patience import PATIENCE

SAME = "".join(f"line {number}\n" for number in range(20))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\n", "a\nc\n"),
        ("a\nb", "a\nc"),
        ("a\nb\n", "a\nb"),
        ("a\r\nb\r\n", "a\r\nc\r\n"),
        ("a\rb\nc\n", "a\rx\nc\n"),  # a lone return ends a line of PTX, and none of a difference
        ("a\nb\r", "a\nc\r"),
        (f"a\n{SAME}b\n", f"x\n{SAME}y\n"),
    ],
)
def test_git_makes_the_new_text_of_the_difference(before: str, after: str, tmp_path: Path) -> None:
    assert applied(differences(before, after, "k.ptx"), before, tmp_path) == after


def test_equal_texts_have_no_difference() -> None:
    assert differences(SAME, SAME, "k.ptx") == ""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_git_makes_the_formatted_text_of_the_difference(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    lines = (".version 9.0", ".target sm_90", ".func f()", "{ // one", "  ret;", "}")
    before = end.join(lines) + "\n"
    path = tmp_path / "k.ptx"
    path.write_bytes(before.encode())
    monkeypatch.chdir(tmp_path)
    assert main(["format", "--diff", "k.ptx"]) == 1
    difference = capfdbinary.readouterr().out.decode()
    assert main(["format", "k.ptx"]) == 0
    assert applied(difference, before, tmp_path / "patched") == path.read_bytes().decode()


def applied(difference: str, before: str, folder: Path) -> str:
    """The text that `git apply` makes of a text and a difference."""
    folder.mkdir(exist_ok=True)
    (folder / "k.ptx").write_bytes(before.encode())
    (folder / "k.patch").write_bytes(difference.encode())
    subprocess.run(["git", "apply", "-p0", "--whitespace=nowarn", "k.patch"], check=True, cwd=folder, timeout=PATIENCE)
    return (folder / "k.ptx").read_bytes().decode()
