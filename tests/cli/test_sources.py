"""Finding, reading and writing the files that a command line names."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ptx_lsp.cli.sources import Unreadable, find_files, read_source, reason, write_source
from tests.patience import PATIENCE


def test_a_folder_means_the_ptx_files_below_it(tmp_path: Path) -> None:
    for name in ("b.ptx", "a/z.ptx", "a/y.PTX", "a/notes.txt", "c/d/e.ptx", "ptx"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    files, troubles = find_files([str(tmp_path)])
    assert [os.path.relpath(file, tmp_path) for file in files] == [
        "b.ptx",
        os.path.join("a", "y.PTX"),
        os.path.join("a", "z.ptx"),
        os.path.join("c", "d", "e.ptx"),
    ]
    assert troubles == []


def test_each_file_once_and_in_order(tmp_path: Path) -> None:
    (tmp_path / "a.ptx").write_text("")
    path = str(tmp_path / "a.ptx")
    assert find_files(["-", path, path, str(tmp_path)]) == (["-", path], [])


def test_a_folder_without_ptx_is_trouble(tmp_path: Path) -> None:
    files, troubles = find_files([str(tmp_path)])
    assert files == []
    assert troubles == [Unreadable(str(tmp_path), "the folder has no `*.ptx` file")]


def test_a_named_file_needs_no_suffix_and_need_not_exist() -> None:
    assert find_files(["nowhere.s"]) == (["nowhere.s"], [])


def test_bytes_do_not_change(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf// \xff\xfe caf\xc3\xa9\r\n\x00\r.version"
    path = tmp_path / "a.ptx"
    path.write_bytes(data)
    text = read_source(str(path))
    assert text == "\ufeff// \udcff\udcfe caf\u00e9\r\n\x00\r.version"
    write_source(str(path), text)
    assert path.read_bytes() == data


@pytest.mark.parametrize("length", [0, 1, (1 << 14) - 1, 1 << 14, (1 << 14) + 1, (3 << 20) + 7])
def test_files_of_every_length_are_read_whole(tmp_path: Path, length: int) -> None:
    text = ("0123456789\n" * (length // 11 + 1))[:length]
    path = tmp_path / "a.ptx"
    path.write_text(text, newline="")
    assert read_source(str(path)) == text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of POSIX")
@pytest.mark.parametrize("length", [5, 1 << 14, 300_000])
def test_a_pipe_is_read_to_its_end(tmp_path: Path, length: int) -> None:
    path, text = tmp_path / "pipe.ptx", "x" * length
    os.mkfifo(path)
    program = "import sys; open(sys.argv[1], 'w').write('x' * int(sys.argv[2]))"
    with subprocess.Popen([sys.executable, "-c", program, str(path), str(length)]) as writer:
        assert read_source(str(path)) == text
        assert writer.wait(PATIENCE) == 0


def test_reasons_are_in_lower_case(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        read_source(str(tmp_path / "nowhere.ptx"))
    assert reason(caught.value) == "no such file or directory"


@pytest.mark.skipif(os.name != "posix", reason="named pipes and devices are of POSIX")
def test_a_folder_s_files_that_are_not_regular_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ptx")
    (tmp_path / "zero.ptx").symlink_to("/dev/zero")
    (tmp_path / "good.ptx").write_text("")
    files, troubles = find_files([str(tmp_path)])
    assert files == [str(tmp_path / "good.ptx")]
    assert [(os.path.basename(trouble.path), trouble.reason) for trouble in troubles] == [
        ("pipe.ptx", "it is not a regular file"),
        ("zero.ptx", "it is not a regular file"),
    ]


@pytest.mark.skipif(os.name != "posix", reason="links are of POSIX")
def test_links_to_files_are_followed_and_links_to_folders_are_not(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.ptx").write_text("")
    (tmp_path / "file.ptx").symlink_to("real/a.ptx")
    (tmp_path / "folder.ptx").symlink_to("real")
    (tmp_path / "itself.ptx").symlink_to("itself.ptx")
    (tmp_path / "nowhere.ptx").symlink_to("nothing")
    files, troubles = find_files([str(tmp_path)])
    expected = ["file.ptx", "itself.ptx", "nowhere.ptx", "real/a.ptx"]  # reading the second and third is the trouble
    assert (files, troubles) == ([str(tmp_path / name) for name in expected], [])


def test_reading_a_file_without_end_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptx_lsp.cli.sources.LARGEST", 100)
    path = tmp_path / "a.ptx"
    path.write_bytes(b"/" * 100)
    assert len(read_source(str(path))) == 100
    path.write_bytes(b"/" * 101)
    with pytest.raises(OSError, match="it is larger than"):
        read_source(str(path))


@pytest.mark.skipif(os.name != "posix", reason="modes and links are of POSIX")
def test_a_file_keeps_its_mode_and_a_link_its_target(tmp_path: Path) -> None:
    path, link = tmp_path / "a.ptx", tmp_path / "link.ptx"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to("a.ptx")
    write_source(str(link), "after")
    assert link.is_symlink()
    assert path.read_text() == "after"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.ptx", "link.ptx"]


@pytest.mark.skipif(os.name != "posix", reason="limits of a process are of POSIX")
def test_a_write_that_fails_does_not_change_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.ptx"
    path.write_text("b" * 50_000)
    program = (
        "import resource, sys; from ptx_lsp.cli.sources import write_source\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))\n"
        "try: write_source(sys.argv[1], 'a' * 60_000)\n"
        "except OSError as error: print(error.strerror)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == "File too large\n"
    assert path.read_text() == "b" * 50_000
    assert [each.name for each in tmp_path.iterdir()] == ["a.ptx"]
