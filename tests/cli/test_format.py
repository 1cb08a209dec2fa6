"""`ptx-lsp format` as users call it."""

import io
import os
import sys
from pathlib import Path

import pytest

from ptx_lsp.cli.main import main

MESSY = ".version 8.4\n.target sm_90\n.func f()\n{\n  ret;\n}\n"
TIDY = MESSY.replace("  ret", "\tret")


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "messy.ptx"
    path.write_text(MESSY)
    return path


def test_files_are_formatted_in_place(messy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (messy.parent / "tidy.ptx").write_text(TIDY)
    assert main(["format", str(messy.parent)]) == 0
    assert messy.read_text() == TIDY
    assert capsys.readouterr() == ("", "1 file formatted, 1 file left unchanged\n")


def test_check_names_the_files_and_changes_none(messy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["format", "--check", str(messy)]) == 1
    assert messy.read_text() == MESSY
    assert capsys.readouterr() == (f"would be formatted: {messy}\n", "1 file would be formatted\n")
    messy.write_text(TIDY)
    assert main(["format", "--check", str(messy)]) == 0
    assert capsys.readouterr() == ("", "1 file already formatted\n")


def test_diff_is_a_unified_diff(messy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["format", "--diff", str(messy)]) == 1
    assert capsys.readouterr().out == (
        f"--- {messy}\n+++ {messy}\n@@ -2,5 +2,5 @@\n .target sm_90\n .func f()\n {{\n-  ret;\n+\tret;\n }}\n"
    )
    assert messy.read_text() == MESSY


def test_standard_input_is_formatted_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    for text, arguments, code, out in ((MESSY, [], 0, TIDY), (TIDY, [], 0, TIDY), (TIDY, ["--check"], 0, "")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert main(["format", *arguments, "-"]) == code
        assert capsysbinary.readouterr() == (out.encode(), b"")


def test_what_cannot_be_read_is_reported_and_the_rest_is_formatted(
    messy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, text = messy.parent / "missing.ptx", messy.parent / "text.ptx"
    text.write_text("# Notes\n\nThis is a text about something else.\n" * 9)
    assert main(["format", str(missing), str(text), str(messy)]) == 2
    assert messy.read_text() == TIDY
    said = capsys.readouterr().err.splitlines()
    assert f"ptx-lsp: cannot format `{missing}`: no such file or directory" in said
    assert f"ptx-lsp: cannot format `{text}`: it is not PTX" in said


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user whom permissions bind")
def test_a_file_that_cannot_be_written_keeps_its_text(messy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    messy.chmod(0o444)
    assert main(["format", str(messy)]) == 2
    assert messy.read_text() == MESSY
    assert "cannot format" in capsys.readouterr().err


def test_other_bytes_and_line_ends_stay(tmp_path: Path) -> None:
    path = tmp_path / "bytes.ptx"
    path.write_bytes(MESSY.replace("\n", "\r\n").encode() + b"// \xff\xfe\r\n")
    assert main(["format", str(path)]) == 0
    assert path.read_bytes() == TIDY.replace("\n", "\r\n").encode() + b"// \xff\xfe\r\n"


@pytest.mark.parametrize("arguments", [[], ["--fix", "a.ptx"]])
def test_a_wrong_call_explains_itself(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["format", *arguments]) == 2
    assert "usage: ptx-lsp format [--check | --diff] PATH... | -" in capsys.readouterr().err
