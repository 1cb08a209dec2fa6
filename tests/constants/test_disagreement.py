"""The authorities that disagree with ptxas, determined by hand from the manual's rules."""

import pytest

from ptx_lsp.constants.disagreement import disagreements, disagreements_at
from tests.constants.expressions import parsed

AT_ROOT = {
    "((-1 % 2) - 5) / 2": ["ISA Table 5: -2 (.s64)"],
    "(-1 | 0) < 0": ["ISA Table 5: 0 (.s64)"],
    "1 ? 1 : 1U": ["ISA: 1 (.u64)"],
    "7 % 3 == 1": [],
    "-1 + 2U": [],
    "1 ? 1.0 : 2.0": [],
}


@pytest.mark.parametrize("text", AT_ROOT)
def test_disagreements_about_the_value(text: str) -> None:
    assert [found.text for found in disagreements(parsed(text))] == AT_ROOT[text]


def test_disagreements_after_the_conversion_at_the_use() -> None:
    assert [d.text for d in disagreements_at(parsed("((-1 % 2) - 5) / 2"), "s64")] == ["ISA Table 5: -2"]
    assert disagreements_at(parsed("(-1 % 2) - 5"), ".s64") == ()
    assert disagreements_at(parsed("1 ? 1 : 1U"), "u32", initialiser=True) == ()
