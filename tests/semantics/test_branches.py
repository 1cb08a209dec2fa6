"""The number of targets of an indirect branch, which ptxas limits when it compiles, and arrays of predicates."""

import pytest

from ptx_lsp import check
from ptx_lsp.isa.opcode_sets import MOST_TARGETS
from tests.oracle.assembler import Assembler, needs_assembler


def _branch(version: str, count: int) -> str:
    names = ",".join("L0" if number % 2 else "L1" for number in range(count))
    return f""".version {version}
.target sm_90
.address_size 64
.entry k(.param .u64 p)
{{
.reg .b32 r;
ts: .branchtargets {names};
ld.param.u32 r, [p];
brx.idx r, ts;
L0: exit;
L1: trap;
ret;
}}
"""


@pytest.mark.parametrize(
    ("version", "count", "severities"),
    [
        ("9.5", MOST_TARGETS, []),
        ("9.5", MOST_TARGETS + 1, ["ERROR"]),
        ("9.0", MOST_TARGETS, []),
        ("9.0", MOST_TARGETS + 1, ["WARNING"]),
    ],
)
def test_a_list_of_targets_has_a_limit(version: str, count: int, severities: list[str]) -> None:
    found = [finding.severity.name for finding in check(_branch(version, count)) if finding.code == "target-list"]
    assert found == severities


@needs_assembler
def test_ptxas_compiles_as_many_targets() -> None:
    outcomes = Assembler().modules([_branch("9.5", MOST_TARGETS + more) for more in (0, 1)], "sm_90")
    assert [outcome.accepted for outcome in outcomes] == [True, False]


PREDICATES = (
    (".param .pred p", True),
    (".param .pred p[4]", False),
    (".param .pred _[4]", False),
    (".param .align 4 .pred p[4]", False),
    (".reg .pred p", True),
    (".param .f16x2 p[4]", True),
)


def _prototype(parameter: str) -> str:
    head = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n"
    return f"{head}q: .callprototype _ ({parameter});\nret;\n}}\n"


@pytest.mark.parametrize(("parameter", "accepted"), PREDICATES)
def test_a_prototype_has_no_array_of_predicates(parameter: str, accepted: bool) -> None:
    errors = [finding.code for finding in check(_prototype(parameter)) if finding.severity.name == "ERROR"]
    assert errors == ([] if accepted else ["declaration-type"])


@needs_assembler
def test_ptxas_takes_no_array_of_predicates_in_a_prototype() -> None:
    outcomes = Assembler().modules([_prototype(parameter) for parameter, _ in PREDICATES], "compute_90")
    assert [outcome.accepted for outcome in outcomes] == [accepted for _, accepted in PREDICATES]
