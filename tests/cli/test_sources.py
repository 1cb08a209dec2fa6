"""Which files a command line means, and what they hold."""

import os
from pathlib import Path

import pytest

from ptx_lsp.cli.sources import Trouble, find_files, read_source, reason, write_source


def test_a_folder_stands_for_the_ptx_below_it(tmp_path: Path) -> None:
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
    assert troubles == [Trouble(str(tmp_path), "the folder holds no `*.ptx` file")]


def test_a_named_file_needs_no_suffix_and_need_not_be_there() -> None:
    assert find_files(["nowhere.s"]) == (["nowhere.s"], [])


def test_bytes_survive(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf// \xff\xfe caf\xc3\xa9\r\n\x00\r.version"
    path = tmp_path / "a.ptx"
    path.write_bytes(data)
    text = read_source(str(path))
    assert text == "\ufeff// \udcff\udcfe caf\u00e9\r\n\x00\r.version"
    write_source(str(path), text)
    assert path.read_bytes() == data


def test_reasons_are_in_lower_case(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        read_source(str(tmp_path / "nowhere.ptx"))
    assert reason(caught.value) == "no such file or directory"
