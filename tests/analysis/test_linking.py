"""Functions that are used but not defined: ptxas refuses such modules when it compiles a whole program."""

import pytest

from ptx_lsp.analysis.module import Checks
from ptx_lsp.findings.finding import Severity
from tests.analysed import analysed
from tests.oracle.assembler import Assembler, needs_assembler

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
MODULES = (
    ".extern .func f();\n.entry k() { call f, (); ret; }\n",
    ".func f();\n.entry k() { call f, (); ret; }\n",
    ".weak .func f();\n.entry k() { call f, (); ret; }\n",
    ".extern .func f();\n.entry k() { ret; }\n",
    ".func f();\n.entry k() { call f, (); ret; }\n.func f() { ret; }\n",
    ".extern .func f();\n.global .u64 t = f;\n.entry k() { .reg .b64 d; ld.global.b64 d, [t]; ret; }\n",
    ".extern .func f();\n.entry k() { .reg .b64 d; mov.b64 d, f; st.b64 [d], d; ret; }\n",
    ".extern .func (.param .b64 p) malloc(.param .b64 s);\n.extern .func free(.param .b64 p);\n"
    ".entry k() { .param .b64 p; call (p), malloc, (8); call free, (p); ret; }\n",
)


def codes(text: str, checks: Checks) -> list[str]:
    """The codes of the findings for a text, hints left out."""
    module = analysed(text, checks)
    return [f.code for f in module.findings() if f.severity is not Severity.HINT]


@needs_assembler
@pytest.mark.parametrize("body", MODULES)
def test_a_compile_of_a_whole_program_refuses_the_same(body: str) -> None:
    outcome = Assembler().module(HEAD + body, "sm_80")
    assert codes(HEAD + body, Checks()) == ([] if outcome.accepted else ["undefined-function"]), outcome.said


def test_editors_show_it_only_if_a_setting_says_so() -> None:
    text = HEAD + MODULES[0]
    assert codes(text, Checks(in_editor=True)) == []
    asked = {"undefined-function": Severity.WARNING}
    assert codes(text, Checks(asked, in_editor=True)) == ["undefined-function"]
    assert codes(text, Checks({"undefined-function": None})) == []
