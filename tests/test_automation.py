"""What others run for us: workflows, pre-commit hooks, the problem matcher; and that each is valid for its service."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ptx_lsp.cli.main import main
from tests.patience import PATIENCE_WITH_TOOLS

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "examples"
PROGRAMS = Path(sys.executable).parent
WORKFLOWS = [ROOT / ".github" / "workflows" / "release.yml", EXAMPLES / "github-actions.yml"]
HOOKS = ROOT / ".pre-commit-hooks.yaml"


def run(*command: str | Path, folder: Path = ROOT, code: int = 0) -> str:
    """Runs a command, which must end with `code`; what it printed."""
    done = subprocess.run(
        [str(each) for each in command], cwd=folder, capture_output=True, text=True, timeout=PATIENCE_WITH_TOOLS
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ("github-workflows", WORKFLOWS[0]),
        ("github-workflows", WORKFLOWS[1]),
        ("gitlab-ci", EXAMPLES / "gitlab-ci.yml"),
    ],
    ids=str,
)
def test_a_workflow_is_valid_by_the_schema_of_its_service(schema: str, path: Path) -> None:
    run(PROGRAMS / "check-jsonschema", "--builtin-schema", f"vendor.{schema}", path)


def test_the_workflows_have_no_known_weakness() -> None:
    run(PROGRAMS / "zizmor", "--offline", "--quiet", "--no-progress", *WORKFLOWS)


def test_pre_commit_takes_the_hooks_and_the_example() -> None:
    run(PROGRAMS / "pre-commit", "validate-manifest", HOOKS)
    run(PROGRAMS / "pre-commit", "validate-config", EXAMPLES / "pre-commit-config.yaml")
    hooks = set(re.findall(r"- id: (\S+)", HOOKS.read_text("utf-8")))
    assert set(re.findall(r"- id: (\S+)", (EXAMPLES / "pre-commit-config.yaml").read_text("utf-8"))) <= hooks


FINE = ".version 8.0\n.target sm_80\n.address_size 64\n\n.visible .entry k()\n{\n\tret;\n}\n"


def committed(folder: Path) -> str:
    """Makes a repository of a folder; its commit."""
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    run("git", "init", "-q", "-b", "main", folder=folder)
    run("git", "add", "-A", folder=folder)
    run("git", *identity, "commit", "-q", "-m", "Begin", folder=folder)
    return run("git", "rev-parse", "HEAD", folder=folder).strip()


@pytest.mark.slow
def test_pre_commit_runs_the_hooks_in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example, with the address of a copy of this project; pre-commit installs it from there."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    project, repository = tmp_path / "project", tmp_path / "repository"
    shutil.copytree(ROOT / "ptx_lsp", project / "ptx_lsp", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.package.md", "LICENSE", HOOKS.name):
        shutil.copy(ROOT / name, project / name)
    commit = committed(project)
    config = (EXAMPLES / "pre-commit-config.yaml").read_text("utf-8")
    config = config.replace("https://example.com/ptx-lsp.git", project.as_uri()).replace("v0.1.0", commit)
    repository.mkdir()
    (repository / ".pre-commit-config.yaml").write_text(config, "utf-8")
    (repository / "kernel.ptx").write_text(FINE.replace("\tret;", "  ret ;"), "utf-8", newline="")
    (repository / "wrong.ptx").write_text(FINE.replace("ret;", "rot;"), "utf-8", newline="")
    committed(repository)
    command = (PROGRAMS / "pre-commit", "run", "--all-files", "--color", "never")
    printed = run(*command, folder=repository, code=1)
    assert re.search(r"ptx-lsp check\.+Failed", printed)
    assert "wrong.ptx:7:2: error: unknown instruction `rot`" in printed
    assert re.search(r"ptx-lsp format\.+Failed", printed)
    assert (repository / "kernel.ptx").read_text("utf-8") == FINE
    (repository / "wrong.ptx").write_text(FINE, "utf-8", newline="")
    printed = run(*command, folder=repository)
    assert re.search(r"ptx-lsp check\.+Passed", printed)
    assert re.search(r"ptx-lsp format\.+Passed", printed)


def test_the_commands_of_hooks_and_examples_exist(capsys: pytest.CaptureFixture[str]) -> None:
    texts = [path.read_text("utf-8") for path in (HOOKS, *WORKFLOWS, EXAMPLES / "gitlab-ci.yml")]
    commands = {
        found for text in texts for found in re.findall(r"(?<!install )\bptx-lsp (check|format)( [^\n]*)?", text)
    }
    assert len(commands) >= 4
    for command, arguments in commands:
        options = re.findall(r"--[\w-]+", arguments)
        assert main([command, "--help"]) == 0
        printed = capsys.readouterr().out
        assert [option for option in options if option not in printed] == []


def test_the_problem_matcher_takes_every_line_of_the_concise_format(capsys: pytest.CaptureFixture[str]) -> None:
    matcher = json.loads((EXAMPLES / "ptx-lsp-matcher.json").read_text("utf-8"))["problemMatcher"][0]
    (pattern,) = matcher["pattern"]
    assert main(["check", "-q", "--hints", "--format", "concise", str(ROOT / "examples" / "mistakes")]) == 1
    concise = capsys.readouterr().out.splitlines()
    main(["check", "--hints", "--format", "json", str(ROOT / "examples" / "mistakes")])
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(concise) == len(entries) > 10
    for line, entry in zip(concise, entries, strict=True):
        found = re.fullmatch(pattern["regexp"], line)
        assert found, line
        for name, key in (("file", "path"), ("line", "line"), ("column", "column"), ("message", "message")):
            assert found[pattern[name]] == str(entry[key])
        assert (found[pattern["severity"]], found[pattern["code"]]) == (entry["severity"], entry["code"])
