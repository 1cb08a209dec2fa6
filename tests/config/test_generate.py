"""Output generated from the rows of settings."""

import json
import subprocess
import sys
import tomllib

import jsonschema
import pytest

from ptx_lsp.config.generate import json_schema, package_json_configuration, project_schema, settings_table
from ptx_lsp.config.project_file import read_project
from ptx_lsp.config.schema import SETTINGS
from tests.config.everything import EVERYTHING
from tests.patience import PATIENCE


def test_package_json_has_every_setting_with_type_default_and_scope() -> None:
    configuration = package_json_configuration()
    properties = configuration["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == [row.key for row in SETTINGS]
    assert properties["ptx.hints.operandNames"]["enum"] == ["matrix", "all", "off"]
    assert properties["ptx.hints.operandNames"]["default"] == "matrix"
    assert properties["ptx.server.path"]["scope"] == "machine-overridable"
    assert json.loads(json.dumps(configuration)) == configuration


def test_the_json_schema_is_nested_and_has_no_settings_of_the_client() -> None:
    schema = json_schema()
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert properties["hints"]["properties"]["hexFloats"]["type"] == "boolean"
    assert "server" not in properties
    assert "trace" not in properties


def test_the_table_has_a_line_for_each_setting() -> None:
    lines = settings_table().splitlines()
    assert len(lines) == len(SETTINGS) + 2
    assert all(line.count(" | ") == 2 for line in lines[2:])


@pytest.mark.parametrize("what", ["package", "schema", "project", "table"])
def test_the_command_prints(what: str) -> None:
    command = [sys.executable, "-m", "ptx_lsp.config.generate", what]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout
    assert "operandNames" in printed or "operand-names" in printed


VERSIONS = (
    ("", True),
    ("8.4", True),
    ("10.12", True),
    ("8", False),
    ("8.4.1", False),
    ("8.1000", False),
    ("8.x", False),
)
TARGETS = (("", True), ("sm_90a, sm_120f", True), ("sm_90 ,sm_75", True), ("sm_12345", False), ("sm_90b", False))


@pytest.mark.parametrize(
    ("key", "value", "valid"),
    [("maximum-version", *each) for each in VERSIONS] + [("target", *each) for each in TARGETS],
)
def test_the_schema_and_the_program_accept_the_same_versions_and_targets(key: str, value: str, valid: bool) -> None:
    validator = jsonschema.Draft7Validator(project_schema())
    assert validator.is_valid({key: value}) is valid
    project = read_project(f"{key} = {value!r}", "/p/ptx-lsp.toml")
    assert project is not None
    assert (project.problems == ()) is valid


def test_the_schema_of_the_configuration_file_accepts_what_the_program_accepts() -> None:
    jsonschema.Draft7Validator.check_schema(project_schema())
    validator = jsonschema.Draft7Validator(project_schema())
    assert list(validator.iter_errors(tomllib.loads(EVERYTHING))) == []
    assert list(validator.iter_errors(tomllib.loads('ignore = ["unused", "all"]'))) == []
    for mistake in ("targt = ''", "hints.hex-floats = 1", "target = 'turing'", "ignore = ['unusd']", "select = 3"):
        text = tomllib.loads(mistake)
        assert list(validator.iter_errors(text)) != [], mistake
        project = read_project(mistake, "/p/ptx-lsp.toml")
        assert project is not None
        assert project.problems != ()
