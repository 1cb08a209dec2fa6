"""`ptx-lsp config`: the settings of a file, and where each is set; the precedence of `docs/configuration.md`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ptx_lsp import check, check_file
from ptx_lsp.analysis.module import checks_of
from ptx_lsp.cli.main import main
from ptx_lsp.cli.project_files import PROJECTS, project_of
from ptx_lsp.config.schema import SETTINGS
from ptx_lsp.config.settings import combined, read_values, settings_of
from tests.cli.checked import WARNED

Output = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "k.ptx").write_text(WARNED)
    monkeypatch.chdir(tmp_path)
    PROJECTS.forget()
    return tmp_path


def listed(capsys: Output, *arguments: str) -> dict[str, tuple[object, str]]:
    main(["config", "--format", "json", *arguments])
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {entry["key"]: (entry["value"], entry["origin"]) for entry in entries}


def test_every_value_has_its_origin(folder: Path, capsys: Output) -> None:
    (folder / "ptx-lsp.toml").write_text('target = "sm_80"\nmaximum-version = "8.0"\n[ignore]\n"a/**" = ["all"]\n')
    found = listed(capsys, "--target", "sm_90", "--severity", "constants=off", "k.ptx")
    assert found["target"] == ("sm_90", "command line")
    assert found["severity.constants"] == ("off", "command line")
    assert found["maximum-version"] == ("8.0", "ptx-lsp.toml")
    assert found['ignore."a/**"'] == (["all"], "ptx-lsp.toml")
    assert found["authority"] == ("ptxas", "default")
    assert {key.partition(".")[0] for key in found} == {
        row.toml_key.partition(".")[0] for row in SETTINGS if row.project
    }


def test_the_text_names_the_file_and_every_origin(folder: Path, capsys: Output) -> None:
    assert main(["config"]) == 0
    assert capsys.readouterr().out.startswith("# no configuration file\n")
    (folder / "pyproject.toml").write_text('[tool.ptx-lsp]\ntarget = "sm_80"\n')
    PROJECTS.forget()
    assert main(["config", "sub/other.ptx"]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == "# configuration file: pyproject.toml"
    assert [line.split() for line in lines if line.startswith("target")] == [
        ["target", "=", '"sm_80"', "#", "pyproject.toml"]
    ]
    assert all("  # " in line for line in lines)


def test_a_mistake_is_an_error(folder: Path, capsys: Output) -> None:
    (folder / "ptx-lsp.toml").write_text('\nselect = ["constants", "unusd"]\n')
    assert main(["config"]) == 1
    assert capsys.readouterr().err == "ptx-lsp.toml:2:24: error: there is no code `unusd`, did you mean `unused`?\n"
    assert main(["check", "--format", "json", "k.ptx"]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["path"], first["line"], first["column"], first["code"]) == ("ptx-lsp.toml", 2, 24, "")
    assert second["code"] == "constant-truncated"
    for format_ in ("text", "concise", "sarif", "github", "gitlab", "junit"):
        assert main(["check", "--format", format_, "k.ptx"]) == 1
        assert "unusd" in capsys.readouterr().out


OFF, ERROR = 'severity.constants = "off"\n', 'severity.constants = "error"\n'


@pytest.mark.parametrize(
    ("shared", "own", "arguments", "expected"),
    [
        ("", "", [], "warning"),
        (ERROR, "", [], "error"),
        ("", ERROR, [], "error"),
        (OFF, ERROR, [], "error"),
        (ERROR, OFF, [], None),
        (ERROR, OFF, ["--no-config"], "warning"),
        (ERROR, OFF, ["--config", "pyproject.toml"], "error"),
        (ERROR, "", ["--severity", "constants=hint"], None),
        (OFF, "", ["--severity", "constants=error"], "error"),
        (OFF, "", ["--severity", "operands=error"], None),
        ("", 'ignore = ["constants"]', [], None),
        ("", 'ignore = ["constants"]', ["--severity", "constants=error"], None),
        ("", 'ignore = ["constants"]', ["--select", "all"], None),
        ("", 'select = ["names"]', [], None),
        ("", 'select = ["names"]', ["--select", "constants"], "warning"),
        ("", 'select = ["names"]', ["--extend-select", "constants"], "warning"),
        ("", 'ignore = {"j.ptx" = ["all"]}', [], "warning"),
        ("", 'ignore = {"j.ptx" = ["all"]}', ["--ignore", "constants"], None),
    ],
)
def test_precedence(
    folder: Path, capsys: Output, shared: str, own: str, arguments: list[str], expected: str | None
) -> None:
    """The severity of the one finding; None if it is not reported."""
    if shared:
        (folder / "pyproject.toml").write_text("[tool.ptx-lsp]\n" + shared)
    if own:
        (folder / "ptx-lsp.toml").write_text(own)
    PROJECTS.forget()
    main(["check", "--format", "json", *arguments, "k.ptx"])
    found = [json.loads(line)["severity"] for line in capsys.readouterr().out.splitlines()]
    assert found == ([expected] if expected else [])
    if not arguments:
        assert [each.severity.name.lower() for each in check_file(folder / "k.ptx")] == found


PAGE = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text("utf-8")
ROWS = [line.split("|")[1:-1] for line in PAGE.splitlines() if line.startswith("| ") and line[2].isdigit()]
PLACES = {"options": "error", "editor": "information", "file": "hint"}
"""Where a value can be set, in the order of the page's table, and the severity that a test sets there."""


@pytest.mark.parametrize("surface", ["command line", "editor", "library"])
@pytest.mark.parametrize(
    "present",
    [set(), *({each} for each in PLACES), {*PLACES}, {"editor", "file"}],
    ids=lambda each: "+".join(sorted(each)),
)
def test_the_first_row_of_the_page_that_has_a_value_counts(
    folder: Path, capsys: Output, surface: str, present: set[str]
) -> None:
    column = 1 + ["command line", "editor", "library"].index(surface)
    read = [place for place, row in zip(PLACES, ROWS, strict=False) if row[column].strip() == "yes"]
    expected = next((PLACES[place] for place in read if place in present), "warning")
    if "file" in present:
        (folder / "ptx-lsp.toml").write_text(f'severity = {{ constants = "{PLACES["file"]}" }}')
    options = ["--severity", f"constants={PLACES['options']}"] if "options" in present else []
    sent = {"severity": {"constants": PLACES["editor"]}} if "editor" in present else {}
    PROJECTS.forget()
    if surface == "command line":
        main(["check", "--hints", "--format", "json", *options, "k.ptx"])
        found = [json.loads(line)["severity"] for line in capsys.readouterr().out.splitlines()]
    elif surface == "editor":
        project = project_of(str(folder / "k.ptx"), None)
        values, _ = read_values(sent)
        settings = settings_of(combined(project.values if project else {}, values))
        found = [each.severity.name.lower() for each in check(WARNED, checks_of(settings, in_editor=True))]
    else:
        found = [each.severity.name.lower() for each in check_file(folder / "k.ptx")]
    assert found == [expected]


def test_the_page_has_the_places_that_the_test_above_sets() -> None:
    names = ["options of the command line", "settings of the editor", "the nearest configuration file", "the default"]
    assert [name in row[0] for name, row in zip(names, ROWS, strict=True)] == [True] * 4


def _make_folder(path: Path) -> None:
    path.mkdir()


def _make_loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize(("make", "why"), [(_make_folder, "Is a directory"), (_make_loop, "symbolic links")])
def test_a_configuration_that_cannot_be_read_is_a_finding(
    folder: Path, capsys: Output, make: Callable[[Path], None], why: str
) -> None:
    make(folder / "ptx-lsp.toml")
    assert main(["check", "k.ptx"]) == 1
    shown = capsys.readouterr()
    assert "ptx-lsp.toml:1:1: error: it cannot be read: " in shown.out
    assert why in shown.out
    assert shown.err == ""
