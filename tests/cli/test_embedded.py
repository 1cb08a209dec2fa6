"""`ptx-lsp check` of files in other languages."""

import json
from pathlib import Path

import pytest

from ptx_lsp import check_embedded
from ptx_lsp.cli.main import main
from ptx_lsp.cli.project_files import PROJECTS
from ptx_lsp.isa.versions import Target

CUDA = 'void f() {\n  asm("add.s32 %0, %1, %2;" : "=r"(a) : "r"(b), "l"(c));\n}\n'
RUST = 'fn f() { asm!("add.u32 {0}, {0};", out(reg32) x); }\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kernel.cu").write_text(CUDA, "utf-8")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "lib.rs").write_text(RUST, "utf-8")
    (tmp_path / "inner" / "plain.py").write_text("x = 1\n", "utf-8")
    (tmp_path / "module.ptx").write_text(".version 9.0\n.target sm_90\n.address_size 64\n", "utf-8")
    return tmp_path


def test_a_file_that_is_named_is_checked_by_its_extension(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder / "kernel.cu")]) == 1
    printed = capsys.readouterr().out
    assert f'{folder / "kernel.cu"}:2:24: error: `%2` (`"l"(c)`) is 64 bits wide' in printed
    assert "1 error in 1 file" in printed


def test_folders_are_searched_for_hosts_only_on_request(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder)]) == 0
    assert capsys.readouterr().out.endswith("in 1 file\n")
    assert main(["check", "--embedded", str(folder)]) == 1
    printed = capsys.readouterr().out
    assert "2 errors in 4 files" in printed
    assert "[operand-count]" in printed


def test_json_has_the_positions_of_the_host(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "json", str(folder / "kernel.cu")]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert (found["line"], found["column"], found["end_line"], found["end_column"]) == (2, 24, 2, 26)
    assert found["code"] == "asm-constraint"


def test_the_host_and_the_target_can_be_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "kernel.txt"
    path.write_text('asm volatile("wgmma.fence.sync.aligned;");\n', "utf-8")
    assert main(["check", "--host", "cuda", str(path)]) == 0
    assert main(["check", "--host=cuda", "--target=sm_90a", str(path)]) == 0
    assert main(["check", "--host=cuda", "--target", "sm_80", str(path)]) == 1
    assert "[requires-target]" in capsys.readouterr().out
    assert main(["check", "--target", "sm_9x", str(path)]) == 2
    assert "`--target` takes targets such as sm_90a, not `sm_9x`" in capsys.readouterr().err


def test_the_targets_of_a_configuration_file(folder: Path) -> None:
    path = folder / "kernel.cu"
    path.write_text('asm volatile("wgmma.fence.sync.aligned;");\n', "utf-8")
    for targets, code in (("sm_80", 1), ("sm_80, sm_90a", 0), ("sm_90a,sm_80", 0)):
        (folder / "ptx-lsp.toml").write_text(f'target = "{targets}"\n', "utf-8")
        PROJECTS.forget()
        assert main(["check", str(path)]) == code
    assert main(["check", "--target", "sm_80", str(path)]) == 1


def test_the_library_function() -> None:
    (finding,) = check_embedded(CUDA, "cuda-cpp")
    assert (finding.code, finding.range) == ("asm-constraint", (1, 23, 1, 25))
    wide = 'asm volatile("wgmma.fence.sync.aligned;");'
    assert check_embedded(wide, "cuda-cpp") == []
    assert [each.code for each in check_embedded(wide, "cuda-cpp", targets=[Target(80)])] == ["requires-target"]
    with pytest.raises(ValueError, match="cobol"):
        check_embedded("", "cobol")


def test_fix_changes_the_literals_of_a_host_in_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "inner" / "lib.rs"
    path.write_text('fn f() { asm!("mov.u32 {}, %laneid", out(reg32) x); }\n', "utf-8")
    wanted = 'fn f() { asm!("mov.u32 {}, %laneid;", out(reg32) x); }\n'
    assert main(["check", "--diff", str(path)]) == 1
    assert f"+{wanted}" in capsys.readouterr().out
    assert main(["check", "--fix", str(path)]) == 0
    assert "1 fixed" in capsys.readouterr().out
    assert path.read_text("utf-8") == wanted


def test_a_fix_that_cannot_be_written_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "code.py"
    text = 'c = """void f() { asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 %0, [%1];" : "=r"(a) : "r"(b)); }"""\n'
    path.write_text(text, "utf-8")
    assert main(["check", "--unsafe-fixes", str(path)]) == 1
    printed = capsys.readouterr().err
    assert f"{path}:1:65: not fixed: the text of the fix" in printed
    assert "cannot be written in this literal" in printed
    assert path.read_text("utf-8") == text


def test_json_has_the_fixes_in_the_host(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "lane.cu"
    path.write_text('asm volatile("bar.sync 0");\n', "utf-8")
    assert main(["check", "--format", "json", str(path)]) == 1
    (fix,) = json.loads(capsys.readouterr().out)["fixes"]
    assert fix["safe"] is True
    assert [(edit["column"], edit["text"]) for edit in fix["edits"]] == [(25, ";")]
