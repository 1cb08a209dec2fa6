"""What others run for us: workflows, pre-commit hooks, the problem matcher; and that each is valid for its service."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ptx_lsp.cli.main import main

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "examples"
PROGRAMS = Path(sys.executable).parent
WORKFLOWS = [ROOT / ".github" / "workflows" / "release.yml", EXAMPLES / "github-actions.yml"]
HOOKS = ROOT / ".pre-commit-hooks.yaml"


def run(*command: str | Path, folder: Path = ROOT) -> None:
    done = subprocess.run([str(each) for each in command], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


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
