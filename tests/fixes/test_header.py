"""Fixes for the header of a module: a directive that is missing, one in the wrong place, a target that needs more."""

import pytest

from ptx_lsp.analysis.module import Checks
from ptx_lsp.findings.finding import Severity
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.fixes.fix import Fix, apply_edits
from ptx_lsp.isa.releases import RELEASES
from ptx_lsp.isa.versions import Version
from tests.analysed import analysed
from tests.oracle.assembler import Assembler, needs_assembler

NEWEST = str(max(RELEASES))
KERNEL = ".entry kernel()\n{\n    ret;\n}\n"


def offered(text: str, code: str, checks: Checks | None = None) -> list[Fix]:
    module = analysed(text, checks)
    (finding,) = [finding for finding in module.findings() if finding.code == code]
    return fixes(finding, module)


@pytest.mark.parametrize(
    ("text", "code", "fixed"),
    [
        ("", "empty-file", f".version {NEWEST}\n.target sm_75\n"),
        (KERNEL, "missing-version", f".version {NEWEST}\n.target sm_75\n{KERNEL}"),
        (f".target sm_90\n{KERNEL}", "missing-version", f".version {NEWEST}\n.target sm_90\n{KERNEL}"),
        (f".version 8.0\n{KERNEL}", "missing-target", f".version 8.0\n.target sm_75\n{KERNEL}"),
    ],
)
def test_a_missing_directive_is_inserted_by_a_click(text: str, code: str, fixed: str) -> None:
    (fix,) = offered(text, code)
    assert not fix.safe
    assert apply_edits(text, fix.edits) == fixed
    assert not [f for f in analysed(fixed).findings() if f.severity is Severity.ERROR]


def test_the_version_is_one_that_the_settings_permit() -> None:
    (fix,) = offered(KERNEL, "missing-version", Checks(maximum_version=Version(7, 8)))
    assert fix.title.startswith("insert `.version 7.8` and `.target sm_75`")


def test_a_version_below_the_target_is_moved() -> None:
    text = f".target sm_90\n.version 8.7 // newest\n{KERNEL}"
    (fix,) = offered(text, "missing-version")
    assert fix.safe
    fixed = apply_edits(text, fix.edits)
    assert fixed == f".version 8.7 // newest\n.target sm_90\n{KERNEL}"
    assert not [f for f in analysed(fixed).findings() if f.severity is Severity.ERROR]


@needs_assembler
def test_a_target_brings_the_version_that_the_statement_needs() -> None:
    registers = ", ".join(f"%f{number}" for number in range(8))
    body = f".reg .f32 %f<8>;\n.reg .b64 %rd<2>;\nld.global.v8.f32 {{{registers}}}, [%rd1];\nret;\n"
    text = f".version 8.7\n.target sm_90\n.address_size 64\n.entry kernel()\n{{\n{body}}}\n"
    fix = offered(text, "requires-target")[0]
    fixed = apply_edits(text, fix.edits)
    assert ".version 8.8\n.target sm_100\n" in fixed
    assert Assembler().module(fixed, "compute_100").accepted
    assert not Assembler().module(fixed.replace(".version 8.8", ".version 8.7"), "compute_100").accepted
