"""The options of `check`: what is selected, what is written where, and which files are read."""

import gzip
import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from ptx_lsp.cli import watch
from ptx_lsp.cli.main import main
from tests.cli.checked import RIGHT, WARNED, WRONG, run
from tests.patience import PATIENCE, limited

UNUSED = RIGHT.replace(".reg .b32 %r<4>;", ".reg .b32 %r<4>;\n    .reg .b32 %unused<2>;")
SAFE = RIGHT.replace("mov.b32 %r2, 1;", "mov.b32 %r2, 1")
WIDE = RIGHT.replace(".reg .b32 %r<4>;", ".reg .b32 %r<4>;\n    .shared .b8 tile[65536];\n    mov.b32 %r1, tile;")
MOST_OTHER_CHANGES = 1_000  # that are seen before the one that a test waits for

Output = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in [("wrong", WRONG), ("warned", WARNED), ("unused", UNUSED), ("safe", SAFE), ("wide", WIDE)]:
        (tmp_path / f"{name}.ptx").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def codes(capsys: Output, *arguments: str) -> list[str]:
    """The codes of the findings that `check` prints with these arguments."""
    main(["check", "--format", "json", *arguments])
    return [json.loads(line)["code"] for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["constant-truncated", "immediate-type"]),
        (["--select", "constants"], ["constant-truncated"]),
        (["--select", "immediate-type"], ["immediate-type"]),
        (["--select", "operands,constants"], ["constant-truncated", "immediate-type"]),
        (["--select", "operands", "--select", "constants"], ["constant-truncated", "immediate-type"]),
        (["--ignore", "constants"], ["immediate-type"]),
        (["--select", "constants,operands", "--ignore", "immediate-type"], ["constant-truncated"]),
        (["--ignore", "all"], []),
        (["--extend-select", "unused"], ["unused-registers", "constant-truncated", "immediate-type"]),
        (["--select", "constants", "--extend-select", "unused-registers"], ["unused-registers", "constant-truncated"]),
        (["--select", "unused"], ["unused-registers"]),
        (["--hints"], ["unused-registers", "constant-truncated", "immediate-type"]),
        (["--severity", "unused-registers=warning"], ["unused-registers", "constant-truncated", "immediate-type"]),
        (["--severity", "constants=off"], ["immediate-type"]),
        (["--severity", "constants=off,constant-truncated=error"], ["constant-truncated", "immediate-type"]),
    ],
    ids=str,
)
def test_selection(folder: Path, capsys: Output, arguments: list[str], expected: list[str]) -> None:
    assert codes(capsys, *arguments, "unused.ptx", "warned.ptx", "wrong.ptx") == expected


def test_severity_of_a_family(folder: Path) -> None:
    assert main(["check", "--severity", "constants=error", "warned.ptx"]) == 1
    assert main(["check", "--severity", "operands=hint", "wrong.ptx"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--select", "constnats"], "there is no rule `constnats`, did you mean `constants`?; `ptx-lsp rules` lists"),
        (["--select", ""], "`--select` takes codes and families"),
        (["--severity", "constants=loud"], "`--severity` takes CODE=LEVEL"),
        (["--severity", "constants"], "`--severity` takes CODE=LEVEL"),
        (["--target", "sm_91"], "`--target` takes targets such as sm_90a, not `sm_91`"),
        (["--target", "turing"], "`--target` takes targets such as sm_90a, not `turing`"),
        (["--statistics", "--format", "sarif"], "`--statistics` is printed as text or json only"),
        (["--watch", "--format", "sarif"], "`--watch` takes files and folders, and a format with one line"),
        (["--config", "no-such.toml"], "`no-such.toml` cannot be read"),
    ],
    ids=str,
)
def test_wrong_values(folder: Path, capsys: Output, arguments: list[str], message: str) -> None:
    assert main(["check", *arguments, "wrong.ptx"]) == 2
    assert message in capsys.readouterr().err


# observed: ptxas 13.5 with -arch=TARGET for a module of `.target sm_90`: the limit is that of TARGET
@pytest.mark.parametrize(
    ("target", "expected"),
    [("sm_90", ["memory-limit"]), ("sm_90a", []), ("sm_100", ["memory-limit"]), ("sm_100a", []), ("sm_120a", [])],
)
def test_limits_are_those_of_the_target(folder: Path, capsys: Output, target: str, expected: list[str]) -> None:
    assert codes(capsys, "--target", target, "wide.ptx") == expected


# observed: ptxas 13.5: "SM version specified by .target is higher than default SM version assumed"
@pytest.mark.parametrize(
    ("target", "expected"), [("sm_80", ["target-mismatch"]), ("sm_90", []), ("sm_90a", []), ("sm_120", [])]
)
@pytest.mark.parametrize("between", [" ", " // why\n"])
def test_a_module_that_does_not_compile_for_the_target_gets_a_warning(
    folder: Path, capsys: Output, target: str, expected: list[str], between: str
) -> None:
    (folder / "right.ptx").write_text(RIGHT.replace(".target ", f".target{between}"))
    assert codes(capsys, "--target", target, "right.ptx") == expected


def test_the_module_s_own_target_decides_which_instructions_it_has(folder: Path, capsys: Output) -> None:
    old = RIGHT.replace("sm_90", "sm_70").replace("ret;", "cp.async.wait_all;\n    ret;")
    (folder / "old.ptx").write_text(old)
    assert codes(capsys, "--target", "sm_90", "old.ptx") == ["requires-target"]


def test_diff_prints_the_fixes_and_changes_nothing(folder: Path, capsys: Output) -> None:
    assert main(["check", "--diff", "safe.ptx", "unused.ptx"]) == 1
    captured = capsys.readouterr()
    assert "-    mov.b32 %r2, 1\n+    mov.b32 %r2, 1;\n" in captured.out
    assert captured.err == "1 fix in 2 files\n"
    assert (folder / "safe.ptx").read_text() == SAFE
    (folder / "safe.patch").write_text(captured.out)
    subprocess.run(["git", "apply", "-p0", "safe.patch"], check=True, cwd=folder, timeout=PATIENCE)
    assert (folder / "safe.ptx").read_text() == RIGHT
    assert main(["check", "--diff", "safe.ptx"]) == 0
    assert capsys.readouterr().out == ""


def test_diff_does_not_call_a_file_with_an_error_and_no_fix_free_of_findings(folder: Path, capsys: Output) -> None:
    assert codes(capsys, "wrong.ptx") == ["immediate-type"]
    main(["check", "--diff", "wrong.ptx"])
    assert capsys.readouterr() == ("", "no fixes in 1 file\n")


def test_statistics_count_the_findings_of_each_rule(folder: Path, capsys: Output) -> None:
    (folder / "again.ptx").write_text(WARNED)
    assert main(["check", "--statistics", "warned.ptx", "again.ptx", "wrong.ptx"]) == 1
    first, second, summary = capsys.readouterr().out.splitlines()
    assert first.split()[:3] == ["2", "warning", "constant-truncated"]
    assert second.split()[:3] == ["1", "error", "immediate-type"]
    assert summary == "1 error, 2 warnings in 3 files"
    main(["check", "--statistics", "--format", "json", "warned.ptx", "again.ptx"])
    assert json.loads(capsys.readouterr().out) == {"code": "constant-truncated", "severity": "warning", "count": 2}


def test_exit_zero_quiet_and_verbose(folder: Path, capsys: Output) -> None:
    assert main(["check", "--exit-zero", "-q", "wrong.ptx"]) == 0
    captured = capsys.readouterr()
    assert "[immediate-type]" in captured.out
    assert " in 1 file" not in captured.out
    assert main(["check", "--exit-zero", "missing.ptx"]) == 2
    capsys.readouterr()
    assert main(["check", "-v", "wrong.ptx"]) == 1
    assert capsys.readouterr().err.startswith("wrong.ptx: 1 finding")


def test_findings_go_to_the_output_file(folder: Path, capsys: Output) -> None:
    assert main(["check", "--format", "sarif", "-o", "out.sarif", "wrong.ptx"]) == 1
    assert capsys.readouterr().out == ""
    assert json.loads((folder / "out.sarif").read_text())["version"] == "2.1.0"
    assert main(["check", "-o", "no/such/folder/x", "wrong.ptx"]) == 2


def test_packed_files_are_read_and_fixed(folder: Path, capsys: Output) -> None:
    packed = folder / "dump.ptx.gz"
    packed.write_bytes(gzip.compress(SAFE.encode()))
    (folder / "broken.ptx.gz").write_bytes(gzip.compress(SAFE.encode())[:-9])
    (folder / "plain.ptx.gz").write_bytes(b"no gzip")
    assert codes(capsys, "dump.ptx.gz") == ["missing-semicolon"]
    assert main(["check", "--fix", "dump.ptx.gz"]) == 0
    assert gzip.decompress(packed.read_bytes()).decode() == RIGHT
    capsys.readouterr()
    assert main(["check", "broken.ptx.gz", "plain.ptx.gz"]) == 2
    assert capsys.readouterr().err.count("ptx-lsp: cannot check") == 2
    assert main(["check", "-q", "."]) == 2  # the folder has the two broken files


def test_a_list_of_files(folder: Path, capsys: Output) -> None:
    (folder / "list.txt").write_text("wrong.ptx\n\nwarned.ptx\r\n")
    assert codes(capsys, "@list.txt") == ["immediate-type", "constant-truncated"]
    assert main(["check", "@missing.txt"]) == 2
    assert "cannot check `@missing.txt`" in capsys.readouterr().err


def test_standard_input_has_the_given_name_and_its_configuration(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "ptx-lsp.toml").write_text('ignore = ["immediate-type"]\n')
    done = run("check", "-", "--stdin-filename", folder / "other" / "k.ptx", text=WRONG)
    assert done.stdout.startswith(f"{folder / 'other' / 'k.ptx'}:9:23: error: ")
    done = run("check", "-", "--stdin-filename", folder / "sub" / "k.ptx", text=WRONG)
    assert (done.returncode, done.stdout) == (0, "no findings in 1 file\n")


def test_watch_checks_what_changes_and_nothing_else(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.ptx").write_text(RIGHT)
    command = [sys.executable, "-m", "ptx_lsp", "check", "--watch", "--format", "concise", str(tmp_path)]
    watching = "watching for changes, Ctrl-C ends\n"
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process, limited(process):
        assert process.stdout is not None
        try:
            assert read_until(process, watching) == ["no findings in 2 files\n"]
            # the folder may be watched a moment after the first check: the file is written until a change is seen
            first = changed(process, tmp_path / "one.ptx", WRONG, watching)
            assert first[-1] == "1 error in 2 files\n"
            assert {line.partition(":")[0] for line in first[:-1]} == {str(tmp_path / "one.ptx")}
            (tmp_path / "one.ptx").unlink()
            assert read_until(process, watching)[-1] == "no findings in 1 file\n"
            os.mkfifo(tmp_path / "pipe.ptx")  # no process writes to it
            assert read_until(process, watching)[-1] == "no findings in 1 file\n"
        finally:
            process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=PATIENCE)
        assert (said, process.returncode) == ("stopped watching\n", 0)


@pytest.mark.parametrize("path", ["build", "build/one.ptx"])
def test_watch_continues_in_a_folder_that_is_made_again(path: str, tmp_path: Path) -> None:
    build = tmp_path / "build"
    build.mkdir()
    (build / "one.ptx").write_text(RIGHT)
    command = [sys.executable, "-m", "ptx_lsp", "check", "--watch", "--format", "concise", str(tmp_path / path)]
    watching = "watching for changes, Ctrl-C ends\n"
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process,
        limited(process),
    ):
        assert process.stdout is not None
        try:
            assert read_until(process, watching) == ["no findings in 1 file\n"]
            shutil.rmtree(build)
            while read_until(process, watching)[-1] != "no findings in 0 files\n":
                pass
            made = tmp_path / "made"
            made.mkdir()
            (made / "one.ptx").write_text(WRONG)
            made.rename(build)  # a folder that is made in its place would be checked before its file is written
            while (last := read_until(process, watching)[-1]) == "no findings in 0 files\n":
                pass  # the removal is reported more than once
            assert last == "1 error in 1 file\n"
        finally:
            process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=PATIENCE)
        assert (complaints, process.returncode) == ("", 0)


def test_no_change_is_missed_before_the_first_check_or_while_files_are_checked(tmp_path: Path) -> None:
    build, file = tmp_path / "build", tmp_path / "build" / "one.ptx"
    build.mkdir()
    changes = watch.changes([str(build)])
    build.rmdir()
    assert next(changes) == {str(build)}
    build.mkdir()
    assert next(changes) == {str(build)}  # it is being watched now
    file.write_text(RIGHT)
    until(file, changes)


def test_a_folder_that_is_made_again_at_once_is_watched_again(tmp_path: Path) -> None:
    """On many file systems it has the number of the folder that was removed."""
    build = tmp_path / "build"
    build.mkdir()
    changes = watch.changes([str(build)])
    next(changes)
    build.rmdir()
    build.mkdir()
    until(build, changes)
    seen = Event()
    with ThreadPoolExecutor() as pool:
        pool.submit(write_until, seen, build / "one.ptx")
        try:
            until(build / "one.ptx", changes)
        finally:
            seen.set()  # the pool waits for the thread that writes


def write_until(seen: Event, path: Path) -> None:
    """Write a file again and again until a change of it has been seen."""
    while not seen.wait(0.05):
        path.write_text(RIGHT)


def until(path: Path, changes: Iterator[set[str]]) -> None:
    """Wait until a path has changed."""
    others = 0
    while str(path) not in (changed_now := next(changes)):
        others += 1
        assert others < MOST_OTHER_CHANGES, f"no change of {path}, but of {changed_now}"


@pytest.mark.parametrize("paths", [["--embedded", "."], ["@list.txt"]])
def test_watch_checks_the_files_of_other_languages_and_of_a_list(paths: list[str], folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    (folder / "kernel.cu").write_text('asm("mov.b32 %0, 1;" : "=r"(x));\n')
    (folder / "list.txt").write_text("kernel.cu\n")
    command = [sys.executable, "-m", "ptx_lsp", "check", "--watch", "--format", "concise", *paths]
    watching = "watching for changes, Ctrl-C ends\n"
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as process, limited(process):
        assert process.stdout is not None
        try:
            assert read_until(process, watching) == ["no findings in 1 file\n"]
            found = changed(process, folder / "kernel.cu", 'asm("mov.b32 %1, 1;" : "=r"(x));\n', watching)
            assert [line.rpartition("[")[2] for line in found[:-1]] == ["asm-operand-number]\n"]
        finally:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


def changed(process: subprocess.Popen[str], path: Path, text: str, last: str) -> list[str]:
    """Write a file until the process prints something; what it prints up to a line."""
    assert process.stdout is not None
    for _ in range(100):
        path.write_text(text)
        if select.select([process.stdout], [], [], 0.5)[0]:
            return read_until(process, last)
    raise AssertionError("the change was not seen")


def read_until(process: subprocess.Popen[str], last: str) -> list[str]:
    """The lines that a process prints up to a line, which is left out."""
    assert process.stdout is not None
    lines: list[str] = []
    while (line := process.stdout.readline()) != last:
        assert line, "the process has ended"
        lines.append(line)
    return lines
