"""The extension's manifest against the program: its patterns match the output, its settings and words are right."""

import json
import re
import subprocess
import sys
from typing import Any

from ptx_lsp.hosts.statement import Host
from tests.editors import places
from tests.patience import PATIENCE_WITH_TOOLS

MISTAKES = sorted((places.ROOT / "examples" / "mistakes").glob("*.ptx"))


def manifest() -> dict[str, Any]:
    """package.json."""
    read = json.loads((places.VSCODE / "package.json").read_text("utf-8"))
    assert isinstance(read, dict)
    return read


def check(*options: str) -> list[str]:
    """The lines that `ptx-lsp check` prints for the mistaken examples."""
    command = [sys.executable, "-m", "ptx_lsp", "check", *options, *map(str, MISTAKES)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_WITH_TOOLS).stdout.splitlines()


def test_the_problem_matcher_reads_every_finding_of_check() -> None:
    [matcher] = manifest()["contributes"]["problemMatchers"]
    pattern = matcher["pattern"]
    matches = [found for line in check("--format", "text") if (found := re.match(pattern["regexp"], line))]
    read = {
        tuple(found[pattern[name]] for name in ("file", "line", "column", "severity", "message", "code"))
        for found in matches
    }
    findings = [json.loads(line) for line in check("--format", "json")]
    assert len(findings) >= len(MISTAKES)
    assert read == {
        (f["path"], str(f["line"]), str(f["column"]), f["severity"].removesuffix("rmation"), f["message"], f["code"])
        for f in findings
    }


def test_programs_are_not_named_by_a_folder_that_is_not_trusted() -> None:
    restricted = manifest()["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    settings = manifest()["contributes"]["configuration"]["properties"]
    assert {name for name in settings if name.startswith("ptx.server.")} == set(restricted)


def test_the_extension_knows_every_language_whose_inline_ptx_the_server_checks() -> None:
    hosts = {host.value for host in Host}
    (listed,) = re.findall(r"HOSTS = \[(.*?)\]", (places.VSCODE / "src" / "hosts.ts").read_text("utf-8"), re.S)
    assert set(re.findall(r'"([^"]+)"', listed)) == hosts
    assert set(manifest()["activationEvents"]) == {f"onLanguage:{language}" for language in {"ptx", *hosts}}
    setting = manifest()["contributes"]["configuration"]["properties"]["ptx.embedded.languages"]
    assert set(re.findall(r"`([^`]+)`", setting["markdownDescription"])) == hosts
    assert set(setting["default"]) <= hosts
    page = (places.ROOT / "docs" / "editors" / "other.md").read_text("utf-8")
    assert hosts <= set(re.findall(r"`([a-z-]+)`", page))


def test_words_are_those_of_ptx() -> None:
    configuration = json.loads((places.VSCODE / "language-configuration.json").read_text("utf-8"))
    words = re.findall(configuration["wordPattern"], "@!%p1 ld.shared::cta.u32 %tid.x, $L__BB0_1, 0f3F800000, -1.5;")
    assert words == ["%p1", "ld", ".shared::cta", ".u32", "%tid", ".x", "$L__BB0_1", "0f3F800000", "1.5"]
