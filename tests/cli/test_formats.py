"""The formats of `check`: each is valid by its published schema or grammar, and all have the same findings.

The files are the examples of all rules, and those of the repository.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema

from ptx_lsp.cli.formats.checked_file import CheckedFile
from ptx_lsp.cli.formats.places import fingerprints
from ptx_lsp.cli.formats.table import FORMATS
from ptx_lsp.cli.main import main
from ptx_lsp.findings.codes import rule
from ptx_lsp.findings.finding import Finding
from ptx_lsp.text.ranges import Range
from tests.cli import same_findings
from tests.cli.same_findings import GITHUB, READERS, SEVERITIES, Place, differences, of_json, renamed, with_mistakes
from tests.mdtest.fences import read_fences

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "tests" / "data" / "schemas"
EXAMPLES = sorted((ROOT / "examples").glob("*.ptx"))
PAGES = sorted((ROOT / "ptx_lsp" / "rules").glob("*.md"))
LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an example of each rule and all examples of the repository."""
    folder = tmp_path_factory.mktemp("samples")
    for page in PAGES:
        for fence in read_fences(page)[:1]:
            (folder / f"{page.stem}.ptx").write_text(fence.text, "utf-8", newline="")
    for path in (ROOT / "examples").rglob("*.ptx"):
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.fixture(autouse=True)
def in_the_folder(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths in reports are relative to the current folder."""
    monkeypatch.chdir(samples)


def names() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


@cache
def printed(format_: str) -> str:
    """What `check` writes about all samples in a format."""
    return same_findings.printed(format_, names())


@cache
def entries() -> list[dict[str, Any]]:
    """The objects of the JSON format."""
    return [json.loads(line) for line in printed("json").splitlines()]


def expected() -> list[Place]:
    """The place, the code and the severity of every finding, by the JSON format."""
    return list(of_json(printed("json")))


def sarif() -> dict[str, Any]:
    run: dict[str, Any] = json.loads(printed("sarif"))["runs"][0]
    return run


def test_there_is_a_reader_for_every_format() -> None:
    assert READERS.keys() == FORMATS.keys()
    assert len({code for *_, code, _ in expected()}) > 100
    assert {severity for *_, severity in expected()} == set(SEVERITIES)


@pytest.mark.parametrize("format_", READERS)
def test_every_format_has_the_same_findings(format_: str) -> None:
    assert list(READERS[format_](printed(format_))) == renamed(expected(), format_)


def test_every_format_has_the_same_findings_for_modules_with_many_mistakes(tmp_path: Path) -> None:
    for path in EXAMPLES:
        (tmp_path / path.name).write_text(with_mistakes(path.read_text("utf-8"), 1, 0.25), "utf-8")
    count, different = differences(tmp_path, [path.name for path in EXAMPLES])
    assert count > 40
    assert different == []


def test_sarif_is_valid_by_the_schema_of_oasis() -> None:
    schema = json.loads((SCHEMAS / "sarif-2.1.0.json").read_text("utf-8"))
    checker = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
    assert [error.message for error in checker.iter_errors(json.loads(printed("sarif")))] == []
    assert list(checker.iter_errors({"version": "2.1.0"})) != []  # the schema is not empty


def test_sarif_has_rules_with_help_fixes_fingerprints_and_related_locations() -> None:
    run = sarif()
    rules = {each["id"]: each for each in run["tool"]["driver"]["rules"]}
    assert set(rules) == {code for *_, code, _ in expected()}
    for code, row in rules.items():
        page = rule(code)
        assert page is not None
        assert row["help"]["markdown"].strip() == page.page.strip()
        assert row["shortDescription"]["text"] == page.title
        assert row["helpUri"].endswith("#" + page.section)
    results = run["results"]
    marks = [each["partialFingerprints"]["ptxLspFinding/v1"] for each in results]
    assert len(set(marks)) == len(marks)
    assert [each["level"] for each in results] == [LEVELS[each["severity"]] for each in entries()]
    assert [len(each.get("fixes", [])) for each in results] == [len(each["fixes"]) for each in entries()]
    assert [len(each.get("relatedLocations", [])) for each in results] == [len(each["related"]) for each in entries()]
    assert any(each["fixes"] for each in entries())
    assert any(each["related"] for each in entries())


def test_a_fix_of_the_json_format_removes_its_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = (
        ".version 9.4\n.target sm_90\n.visible .entry k()\n{\n    .reg .b32 %r<2>;\n    mov.b32 %r1, 1\n    ret;\n}\n"
    )
    path = tmp_path / "k.ptx"
    path.write_text(module)
    assert main(["check", "--format", "json", str(path)]) == 1
    (entry,) = map(json.loads, capsys.readouterr().out.splitlines())
    (edit,) = entry["fixes"][0]["edits"]
    lines = module.split("\n")
    line = lines[edit["line"] - 1]
    lines[edit["line"] - 1] = line[: edit["column"] - 1] + edit["text"] + line[edit["end_column"] - 1 :]
    path.write_text("\n".join(lines))
    assert main(["check", "--format", "json", str(path)]) == 0


def test_gitlab_is_valid_by_the_schema_of_gitlab() -> None:
    schema = json.loads((SCHEMAS / "gitlab-code-quality.json").read_text("utf-8"))
    report = json.loads(printed("gitlab"))
    for entry in report:
        jsonschema.validate(entry, schema)
    assert len({entry["fingerprint"] for entry in report}) == len(report)
    assert {entry["severity"] for entry in report} <= {"info", "minor", "major", "critical", "blocker"}


def test_junit_is_valid_by_the_schema_of_jenkins() -> None:
    schema = xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")
    schema.validate(printed("junit"))
    suites = list(ElementTree.fromstring(printed("junit").encode()).iter("testsuite"))
    assert [each.attrib["name"] for each in suites] == names()
    assert sum(int(each.attrib["failures"]) for each in suites) == len(expected())
    assert not schema.is_valid("<testsuites><testsuite/></testsuites>")


def test_every_document_is_valid_without_findings_and_with_a_file_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = str(tmp_path / "no&such\x01.ptx")
    for paths, code in (([str(ROOT / "examples" / "softmax.ptx")], 0), ([missing], 2)):
        assert main(["check", "--format", "sarif", *paths]) == code
        run = json.loads(capsys.readouterr().out)["runs"][0]
        assert run["results"] == []
        assert run["invocations"][0]["executionSuccessful"] is (code == 0)
        assert main(["check", "--format", "gitlab", *paths]) == code
        assert json.loads(capsys.readouterr().out) == []
        assert main(["check", "--format", "junit", *paths]) == code
        document = capsys.readouterr().out
        xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd").validate(document)
        assert len(list(ElementTree.fromstring(document.encode()).iter("error"))) == (code == 2)


def test_names_with_unusual_characters_are_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a,b:c%d & <é>.ptx"
    path.write_text("mov.b32 %r1, 1;\n")
    for format_ in FORMATS:
        assert main(["check", "--format", format_, str(path)]) == 1
        output = capsys.readouterr().out
        if format_ == "github":
            assert all(GITHUB.fullmatch(line) for line in output.splitlines())
            assert "a%2Cb%3Ac%25d & <é>.ptx" in output
        elif format_ == "sarif":
            (uri,) = {
                r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                for r in json.loads(output)["runs"][0]["results"]
            }
            assert uri.endswith("/a%2Cb%3Ac%25d%20%26%20%3C%C3%A9%3E.ptx")
        elif format_ == "junit":
            assert path.name in ElementTree.fromstring(output.encode()).find("testsuite").attrib["name"]  # type: ignore[union-attr]


def test_fingerprints_stay_when_lines_are_added_above() -> None:
    def marks(lines: list[str], at: list[int]) -> list[str]:
        findings = [Finding("undeclared", Range(line, 0, line, 1), "message") for line in at]
        return fingerprints(CheckedFile("k.ptx", findings, lines.__getitem__))

    before = marks(["a", "b", "a"], [0, 1, 2])
    assert len(set(before)) == 3
    assert marks(["new", "  a", "b", "", "a"], [1, 2, 4]) == before
