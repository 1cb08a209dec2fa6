"""`ptx-lsp check` as users call it: its output, on which stream, and its exit code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ptx_lsp import check
from tests.cli.checked import RIGHT, WARNED, WRONG, run
from tests.patience import PATIENCE, limited

MOST_MODULES = 69  # with a text, of a check of a few lines that are fine; lower it when you can
PLACE = ["path", "line", "column", "end_line", "end_column"]
KEYS = [*PLACE, "severity", "code", "message", "url", "related", "fixes"]


def as_json(*arguments: str | Path, text: str | bytes = b"") -> tuple[int, list[dict[str, object]]]:
    done = run("check", "--format", "json", *arguments, text=text)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def errors(entries: list[dict[str, object]]) -> list[dict[str, object]]:
    return [entry for entry in entries if entry["severity"] == "error"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "right.ptx").write_text(RIGHT)
    (tmp_path / "wrong.ptx").write_text(WRONG)
    (tmp_path / "warned.ptx").write_text(WARNED)
    return tmp_path


def test_findings_are_printed_as_text(folder: Path) -> None:
    done = run("check", folder / "wrong.ptx")
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert lines[0].startswith(f"{folder / 'wrong.ptx'}:9:23: error: ")
    assert lines[0].endswith("[immediate-type]")
    assert lines[1] == "    9 |     add.s32 %r1, %r2, 1.0;"
    assert lines[2] == "      |                       ^~~"
    assert lines[-1] == "1 error in 1 file"
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


def test_colours_on_demand(folder: Path) -> None:
    assert "\x1b[1;31merror:" in run("check", "--color", "always", folder / "wrong.ptx").stdout


def test_no_findings(folder: Path) -> None:
    done = run("check", folder / "right.ptx")
    assert (done.returncode, done.stdout, done.stderr) == (0, "no findings in 1 file\n", "")


def test_warnings_have_exit_code_0(folder: Path) -> None:
    code, entries = as_json(folder / "warned.ptx")
    assert code == 0
    assert [entry["severity"] for entry in entries] == ["warning"]


def test_severities_by_code(folder: Path) -> None:
    code, entries = as_json("--severity", "constant-truncated=error", folder / "warned.ptx")
    assert code == 1
    assert [entry["severity"] for entry in entries] == ["error"]
    assert as_json("--severity=constant-truncated=off", folder / "warned.ptx") == (0, [])
    assert run("check", "--severity", "no-such-code=off", folder / "warned.ptx").returncode == 2


def test_findings_are_printed_as_json(folder: Path) -> None:
    code, entries = as_json(folder / "wrong.ptx")
    assert code == 1
    assert len(entries) == 1
    entry = entries[0]
    assert list(entry) == KEYS
    message = entry.pop("message")
    assert isinstance(message, str)
    place = {"line": 9, "column": 23, "end_line": 9, "end_column": 26}
    assert entry == {
        "path": str(folder / "wrong.ptx"),
        **place,
        "severity": "error",
        "code": "immediate-type",
        "url": "https://docs.nvidia.com/cuda/parallel-thread-execution/#constants",
        "related": [],
        "fixes": [{"title": "write `1`", "safe": False, "edits": [{**place, "text": "1"}]}],
    }


def test_json_without_findings_is_empty(folder: Path) -> None:
    done = run("check", "--format=json", folder / "right.ptx")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_columns_count_code_points() -> None:
    _, entries = as_json("-", text=WRONG.replace("    add", "/* \U0001f600\u00e9 */ add"))
    assert errors(entries)[0]["column"] == 28


def test_standard_input() -> None:
    code, entries = as_json("-", text=WRONG)
    assert code == 1
    assert [entry["path"] for entry in entries] == ["<stdin>"]


def test_a_folder_is_searched(folder: Path) -> None:
    done = run("check", folder)
    assert done.returncode == 1
    assert done.stdout.endswith("1 error, 1 warning in 3 files\n")


def test_a_folder_without_ptx(tmp_path: Path) -> None:
    done = run("check", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert str(tmp_path) in done.stderr


def test_a_file_that_cannot_be_read_does_not_stop_the_others(folder: Path) -> None:
    code, entries = as_json(folder / "missing.ptx", folder / "wrong.ptx")
    assert code == 2
    assert len(errors(entries)) == 1
    done = run("check", folder / "missing.ptx", folder / "right.ptx")
    assert done.returncode == 2
    assert "missing.ptx" in done.stderr
    assert done.stdout == "no findings in 1 file\n"
    alone = run("check", folder / "missing.ptx")
    assert (alone.returncode, alone.stdout) == (2, "")
    assert alone.stderr == f"ptx-lsp: cannot check `{folder / 'missing.ptx'}`: no such file or directory\n"


def test_hints_are_printed_on_demand(folder: Path) -> None:
    path = folder / "hinted.ptx"
    path.write_text(RIGHT.replace("mov.b32 %r2", "$top: mov.b32 %r2"))
    assert run("check", path).stdout == "no findings in 1 file\n"
    assert as_json(path) == (0, [])
    assert run("check", "--hints", path).stdout.endswith("1 hint in 1 file\n")
    assert [entry["severity"] for entry in as_json("--hints", path)[1]] == ["hint"]
    _, warned = as_json("--severity", "unused-label=warning", path)
    assert [(entry["severity"], entry["code"]) for entry in warned] == [("warning", "unused-label")]


@pytest.mark.parametrize(
    ("data", "code", "severity", "rule"),
    [
        (b"", 1, "error", "empty-file"),
        (b"\n \n", 1, "error", "empty-file"),
        (RIGHT.encode("utf-16"), 1, "error", "not-text"),
        (b"\x7fELF\x02\x01\x01" + bytes(5000), 1, "error", "not-text"),
        (b'<?xml version="1.0"?>\n<pretext/>\n', 2, "information", "not-ptx"),
    ],
    ids=["empty", "blank", "utf-16", "binary", "xml"],
)
def test_a_text_that_is_not_ptx_gets_one_finding(data: bytes, code: int, severity: str, rule: str) -> None:
    returned, entries = as_json("-", text=data)
    assert (returned, [(e["severity"], e["code"]) for e in entries]) == (code, [(severity, rule)])


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (RIGHT.encode() + b"\0", 1),
        (b"\xef\xbb\xbf" + RIGHT.encode(), 1),
        (RIGHT.encode() + b"\x1a", 0),
        (RIGHT.encode() + b"// \xff\xfe\n", 0),
        (RIGHT.encode() + b"\xff\n", 1),
        (RIGHT.replace("\n", "\r\n").encode(), 0),
        (RIGHT.rstrip().encode(), 0),
    ],
    ids=["NUL at the end", "byte order mark", "Ctrl-Z", "bad UTF-8 in a comment", "and in code", "CRLF", "no last \\n"],
)
def test_bytes_as_the_assembler_judges_them(data: bytes, wrong: int) -> None:
    code, entries = as_json("-", text=data)
    assert len(errors(entries)) == wrong, entries
    assert code == min(wrong, 1)


@pytest.mark.parametrize("arguments", [["--what", "x.ptx"], ["--format", "xml", "x.ptx"], [], ["--jobs", "0", "x.ptx"]])
def test_wrong_arguments(arguments: list[str]) -> None:
    done = run("check", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage: ptx-lsp check" in done.stderr


def test_a_bare_call_prints_help_and_an_unknown_command_fails() -> None:
    assert "--format" in run("check", "--help").stdout
    bare = run()
    assert bare.returncode == 0
    assert "check" in bare.stdout
    assert run("frobnicate").returncode == 2


def test_several_processes_print_the_same_as_one(folder: Path) -> None:
    for number in range(210):  # enough: some are checked before the process is copied
        (folder / f"more{number:03}.ptx").write_text(WRONG if number % 3 else RIGHT)
    one = run("check", "--jobs", "1", folder)
    two = run("check", "--jobs", "2", folder)
    assert one.stdout == two.stdout
    assert (one.returncode, two.returncode) == (1, 1)
    program = "import threading, sys; from ptx_lsp.cli.main import main; main(sys.argv[1:])"  # these are in a pool
    pool = subprocess.run(
        [sys.executable, "-c", program, "check", "--jobs", "2", folder], capture_output=True, timeout=PATIENCE
    )
    assert pool.stdout.decode().replace("\r\n", "\n") == two.stdout
    assert two.stdout.endswith("141 errors, 1 warning in 213 files\n")


def test_fix_changes_the_file(folder: Path) -> None:
    path = folder / "fixable.ptx"
    path.write_bytes(RIGHT.replace("%r3;\n    ret", "%r3\n    ret").replace("\n", "\r\n").encode() + b"// \xff\r\n")
    done = run("check", "--fix", path)
    assert done.returncode == 0
    assert path.read_bytes() == RIGHT.replace("\n", "\r\n").encode() + b"// \xff\r\n"
    assert done.stdout == "1 fixed, no findings in 1 file\n"


def test_fix_leaves_other_files_alone(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    run("check", "--fix", folder)
    after = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert (folder / "right.ptx").read_text() == RIGHT
    assert {path: before[path] for path in before if path.name != "wrong.ptx"} == {
        path: after[path] for path in after if path.name != "wrong.ptx"
    }


def test_fix_on_standard_input_prints_the_fixed_text() -> None:
    done = run("check", "--fix", "-", text=RIGHT.replace("%r3;\n    ret", "%r3\n    ret"))
    assert done.returncode == 0
    assert done.stdout == RIGHT
    assert "1 fixed" in done.stderr


def test_unsafe_fixes_are_made_on_demand(folder: Path) -> None:
    path = folder / "wrong.ptx"
    before = path.read_text()
    safe = run("check", "--fix", path)
    assert path.read_text() == before
    assert safe.returncode == 1
    unsafe = run("check", "--unsafe-fixes", path)
    assert path.read_text() == before.replace("1.0", "1")
    assert unsafe.stdout.startswith("1 fixed")
    assert unsafe.returncode == 0


def test_nothing_of_the_server_is_imported(folder: Path) -> None:
    program = (
        "import sys; from ptx_lsp.cli.main import main; main(sys.argv[1:]); "
        "heavy = {'pygls', 'lsprotocol', 'attrs', 'asyncio', 'argparse', 'multiprocessing'}; "
        "print(sorted({m.split('.')[0] for m in sys.modules} & heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "check", str(folder / "right.ptx")],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def imported_by_check(path: Path) -> list[str]:
    """The modules of the package that a check of a file without findings imports."""
    program = (
        "import sys; from ptx_lsp.cli.main import main; main(sys.argv[1:]); "
        "print(*sorted(m for m in sys.modules if m.partition('.')[0] == 'ptx_lsp' and sys.modules[m].__doc__))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "check", str(path)], capture_output=True, text=True, timeout=PATIENCE
    )
    summary, modules = done.stdout.splitlines()
    assert summary == "no findings in 1 file"
    return modules.split()


def test_a_short_check_imports_few_modules(tmp_path: Path) -> None:
    """Each module takes a tenth of a millisecond; what few texts need is imported when a text needs it."""
    path = tmp_path / "short.ptx"
    path.write_text(RIGHT)
    modules = imported_by_check(path)
    assert len(modules) <= MOST_MODULES, modules


def test_debug_information_needs_no_tree_and_no_judge(tmp_path: Path) -> None:
    path = tmp_path / "debug.ptx"
    path.write_text(RIGHT + "\t.section\t.debug_abbrev\n\t{\n" + "\t.b8 17\n" * 3000 + "\t}\n")
    modules = imported_by_check(path)
    assert "ptx_lsp.analysis.long_sections" in modules
    assert not {"ptx_lsp.syntax.tree", "ptx_lsp.judgement.judge", "ptx_lsp.isa.forms"} & set(modules)


def test_a_closed_pipe_is_not_reported(folder: Path) -> None:
    for number in range(200):
        (folder / f"more{number:03}.ptx").write_text(WRONG)
    command = [sys.executable, "-m", "ptx_lsp", "check", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process, limited(process):
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


def test_as_a_library() -> None:
    assert check(RIGHT) == []
    assert [(f.code, f.range.line, f.range.column) for f in check(WRONG)] == [("immediate-type", 8, 22)]
