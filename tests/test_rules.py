"""Every rule's page: its front matter, an example with just that finding, and the fixed example with none."""

import re
from pathlib import Path

import pytest

from ptx_lsp.findings.codes import rules
from tests.mdtest.comparison import SEVERITIES, disagreements
from tests.mdtest.expectations import Expectation, expectations
from tests.mdtest.fences import read_fences
from tests.mdtest.host_fences import host_disagreements, host_expectations, read_host_fences

PAGES = sorted((Path(__file__).parents[1] / "ptx_lsp" / "rules").glob("*.md"))
FRONT = re.compile(
    r"---\ntitle: [^\n]+\nseverity: (error|warning|information|hint|off)\nsection: [a-z0-9-]+\n"
    r"family: [a-z]+\n(editors: off\n)?---\n"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_its_front_matter_and_headings(page: Path) -> None:
    text = page.read_text("utf-8")
    assert FRONT.match(text), "front matter: title, severity, section, family"
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", page.stem), "codes are kebab-case"
    headings = re.findall(r"^## (.*)$", text, re.M)
    assert headings[:2] == ["Example", "Fixed"]
    assert page.stem in rules()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_example_has_the_findings_that_it_names(page: Path) -> None:
    examples = [fence for fence in read_fences(page) if fence.heading == "Example"]
    in_hosts = [fence for fence in read_host_fences(page) if fence.heading == "Example"]
    assert examples or in_hosts, "an example in a `ptx` fence, or in one of a host language"
    for host_fence in in_hosts:
        _check_example(page, host_expectations(host_fence))
        _compare(host_disagreements(host_fence))
    for fence in examples:
        _check_example(page, [e for e in expectations(fence) if e.kind in SEVERITIES])
        _compare(disagreements(fence))


def _check_example(page: Path, expected: list[Expectation]) -> None:
    assert expected, "the example names its finding"
    assert {e.code for e in expected} == {page.stem}
    assert all(e.at is not None for e in expected), "every expectation says `at` which text the range covers"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_fixed_example_has_no_findings(page: Path) -> None:
    fixed = [fence for fence in read_fences(page) if fence.heading == "Fixed"]
    in_hosts = [fence for fence in read_host_fences(page) if fence.heading == "Fixed"]
    assert fixed or in_hosts, "the fixed example in a `ptx` fence, or in one of a host language"
    for host_fence in in_hosts:
        assert not host_expectations(host_fence)
        _compare(host_disagreements(host_fence))
    for fence in fixed:
        assert not expectations(fence)
        _compare(disagreements(fence))


def _compare(found: list[str]) -> None:
    if found:
        pytest.fail("\n  ".join(["", *found]), pytrace=False)
