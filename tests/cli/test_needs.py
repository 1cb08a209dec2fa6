"""`ptx-lsp needs` as users call it."""

import json
from pathlib import Path

import pytest

from ptx_lsp.cli.main import main

CLUSTERS = """.version 8.4
.target sm_100
.address_size 64
.visible .entry kernel()
{
    .reg .b32 %r<4>;
    .reg .pred %p<4>;
    mov.u32 %r1, %cluster_ctarank;
    elect.sync %r2|%p1, -1;
    elect.sync %r3|%p2, -1;
    ret;
}
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "clusters.ptx"
    path.write_text(CLUSTERS)
    return path


def test_the_answer_comes_first_and_alone(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["needs", str(module)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{module}: needs PTX 8.0 (CUDA 12.0) and sm_90 or later; it is written for PTX 8.4 and sm_100",
        f"  {module}:9:5: `elect.sync` needs PTX 8.0",
        f"  {module}:8:18: `%cluster_ctarank` needs sm_90 or later",
    ]


def test_a_line_that_needs_both_is_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "fence.ptx"
    path.write_text(CLUSTERS.replace("mov.u32 %r1, %cluster_ctarank", "wgmma.fence.sync.aligned"))
    assert main(["needs", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"  {path}:8:5: `wgmma.fence.sync.aligned` needs PTX 8.0 and sm_90a"
    ]


def test_text_names_version_targets_and_lines(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["needs", "--verbose", str(module)]) == 0
    lines = capsys.readouterr().out.splitlines()
    written = "it is written for PTX 8.4 and sm_100"
    assert lines[0] == f"{module}: needs PTX 8.0 (CUDA 12.0) and sm_90 or later; {written}"
    assert f"  {module}:9:5: `elect.sync` and 1 more of it" in lines
    assert "  sm_90a: PTX 8.0 (CUDA 12.0)" not in lines, "it is above the lowest target"
    assert "  sm_10 to sm_89" in lines
    assert f"    {module}:8:18: `%cluster_ctarank`" in lines


def test_all_names_every_line(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["needs", "--all", str(module)]) == 0
    shown = capsys.readouterr().out
    assert f"  {module}:9:5: `elect.sync`\n  {module}:10:5: `elect.sync`\n" in shown


def test_json(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["needs", "--format", "json", str(module)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["version"], printed["cuda"], printed["targets"]) == ("8.0", "12.0", ["sm_90"])
    assert printed["written"] == {"version": "8.4", "target": "sm_100"}
    assert [line["line"] for line in printed["version_lines"]] == [9, 10]
    assert [line["line"] for line in printed["target_lines"]] == [8, 9, 10]
    first = printed["version_lines"][0]
    assert first == {"line": 9, "column": 5, "end_line": 9, "end_column": 15, "name": "elect.sync"}
    assert printed["accepted"]["sm_100"] == "8.6", "the version that added sm_100"
    assert [refusal["targets"][-1] for refusal in printed["refused"]] == ["sm_89"]


@pytest.mark.parametrize("options", [[], ["--verbose"]])
def test_a_module_that_no_target_accepts(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nowhere.ptx"
    both = "wgmma.fence.sync.aligned;\n    tcgen05.wait::ld.sync.aligned;"
    path.write_text(CLUSTERS.replace("elect.sync %r2|%p1, -1;", both))
    assert main(["needs", *options, str(path)]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith(f"{path}: no known target has everything in it")
    assert "wgmma.fence" in shown
    assert "tcgen05.wait" in shown
    if not options:
        assert len(shown.splitlines()) == 4, "each of the three lines is named once"


def test_other_errors_are_mentioned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.ptx"
    path.write_text(CLUSTERS.replace("ret;", "rett;"))
    assert main(["needs", str(path)]) == 0
    assert "may hide some of what it needs" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "<xml/>"])
def test_a_text_that_is_not_ptx(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "other.ptx"
    path.write_text(text)
    assert main(["needs", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert str(path) in printed.err


def test_a_file_that_does_not_exist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["needs", str(tmp_path / "missing.ptx")]) == 2
    assert "missing.ptx" in capsys.readouterr().err


def test_wrong_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["needs"]) == 2
    assert "usage: ptx-lsp needs" in capsys.readouterr().err


def test_check_reports_what_needs_a_later_version_than_the_maximum(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module.write_text(CLUSTERS.replace("sm_100", "sm_90"))
    assert main(["check", "--format", "json", "--maximum-version", "7.8", str(module)]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    above = [entry for entry in printed if entry["code"] == "above-maximum-version"]
    assert [(entry["line"], entry["severity"]) for entry in above] == [(1, "warning"), (9, "warning"), (10, "warning")]


def test_a_maximum_that_is_not_a_version(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--maximum-version", "new", str(module)]) == 2
    assert "`--maximum-version` takes a PTX ISA version" in capsys.readouterr().err
