"""Every rule's page: its front matter, an example with just that finding, and the fixed example with none; and every
code that is reported has a page."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ptx_lsp.findings.codes import FAMILIES, rules
from tests.mdtest.comparison import SEVERITIES, disagreements
from tests.mdtest.expectations import Expectation, expectations
from tests.mdtest.fences import read_fences
from tests.mdtest.host_fences import host_disagreements, host_expectations, read_host_fences

PACKAGE = Path(__file__).resolve().parents[1] / "ptx_lsp"
PAGES = sorted((PACKAGE / "rules").glob("*.md"))
FRONT = re.compile(
    r"---\ntitle: [^\n]+\nseverity: (error|warning|information|hint|off)\nsection: [a-z0-9-]+\n"
    r"family: (?P<family>[a-z]+)\n(editors: off\n)?---\n"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_its_front_matter_and_headings(page: Path) -> None:
    text = page.read_text("utf-8")
    front = FRONT.match(text)
    assert front, "front matter: title, severity, section, family"
    assert front["family"] in FAMILIES, "findings/codes.py lists the families"
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


def test_every_page_is_a_rule() -> None:
    assert set(rules()) == {page.stem for page in PAGES}


def test_families_and_codes_have_different_names() -> None:
    assert set(FAMILIES) & set(rules()) == set()


def test_every_code_that_the_sources_report_has_a_page() -> None:
    assert sorted(reported_codes() - set(rules())) == []


def test_every_page_has_a_check_that_names_it() -> None:
    assert sorted(set(rules()) - texts_in_sources()) == []


def reported_codes() -> set[str]:
    """The codes that are the first argument, or `code=`, of the calls that report."""
    found: set[str] = set()
    for node in nodes():
        if isinstance(node, ast.Call) and called(node) in {"Finding", "Report", "Problem", "report"}:
            first = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "code")]
            found |= {a.value for a in first if isinstance(a, ast.Constant) and isinstance(a.value, str)}
    return found


def texts_in_sources() -> set[str]:
    """Every string that the sources spell out."""
    return {node.value for node in nodes() if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def nodes() -> Iterator[ast.AST]:
    """Every node of every module of the package."""
    for tree in trees():
        yield from ast.walk(tree)


@cache
def trees() -> list[ast.Module]:
    """The syntax trees of all modules of the package."""
    return [ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")]


def called(node: ast.Call) -> str:
    """The name of what a call calls."""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _compare(found: list[str]) -> None:
    if found:
        pytest.fail("\n  ".join(["", *found]), pytrace=False)
