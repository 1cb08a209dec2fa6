"""A check that needs the statement is made in whichever way the statement is read."""

from collections.abc import Iterator

import pytest

from ptx_lsp.memo import forget_all
from ptx_lsp.semantics import statement_checks
from ptx_lsp.semantics.operands import Reading
from ptx_lsp.semantics.statement_checks import StatementCheck
from ptx_lsp.semantics.surroundings import Surroundings
from ptx_lsp.syntax.tree import Instruction
from tests.analysed import analysed

HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n"
KERNEL = ".entry k{n}()\n{{\n\t.reg .b32 %r<9>;\n\t.reg .pred %p<3>;\n{body}\tret;\n}}\n"


def report(instruction: Instruction, reading: Reading, surroundings: Surroundings) -> None:
    """Report a move of a register to itself."""
    first, second = (surroundings.source(operand.start, operand.end) for operand in instruction.operands)
    if first == second:
        surroundings.report("shift-count", instruction.start, instruction.end, "a move to itself")


@pytest.fixture(params=[True, False])
def further_check(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give `mov.b32` one more check, once with `by_text` true and once false."""
    new = StatementCheck("no move to itself", lambda opcode, kinds: opcode == "mov.b32", report, by_text=request.param)
    monkeypatch.setattr(statement_checks, "STATEMENT_CHECKS", (*statement_checks.STATEMENT_CHECKS, new))
    forget_all()
    yield
    forget_all()


def reported(*bodies: str) -> list[int]:
    """The lines with the finding, in kernels of these lines, counted from the first line of each kernel's body."""
    kernels = [KERNEL.format(n=n, body=body) for n, body in enumerate(bodies)]
    module = analysed(HEAD + "".join(kernels))
    found, first = [], HEAD.count("\n")
    lines = [f.range.line for f in module.findings() if f.code == "shift-count"]
    for kernel in kernels:
        found += [line - first - 4 for line in lines if first <= line < first + kernel.count("\n")]
        first += kernel.count("\n")
    return found


FORMS = {
    "one line": ("\tmov.b32 %r1, %r1;\n", [0]),
    "two lines": ("\tmov.b32 %r1,\n\t\t%r1;\n", [0]),
    "guarded": ("\t@%p1 mov.b32 %r1, %r1;\n", [0]),
    "repeated": ("\tmov.b32 %r1, %r1;\n" * 3, [0, 1, 2]),
    "after a fine one": ("\tmov.b32 %r1, %r2;\n\tmov.b32 %r1, %r2;\n\tmov.b32 %r1, %r1;\n", [2]),
    "between braces": ("\t{ mov.b32 %r1, %r1; }\n", [0]),
    "between braces, with a register": ("\t{ .reg .b32 t; mov.b32 t, t;\n\tmov.b32 %r1, t; }\n", [0]),
    "between braces, over lines": ("\t{\n\tmov.b32 %r1, %r1;\n\tmov.b32 %r2, %r1;\n\t}\n", [1]),
    "undeclared": ("\tmov.b32 %r77, %r77;\n", [0]),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_further_check_is_reported_in_every_form(form: str, further_check: None) -> None:
    body, lines = FORMS[form]
    assert reported(body, body, body) == lines * 3


def test_without_the_check_nothing_is_reported() -> None:
    assert [reported(body) for body, _ in FORMS.values()] == [[]] * len(FORMS)


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("st.param.b32 [q], %r1;", []),
        ("@%p1 st.param.b32 [q], %r1;", ["bad-guard"]),
        ("@%p1 st.param.b32\n [q], %r1;", ["bad-guard"]),
        ("{ @%p1 st.param.b32 [q], %r1; }", ["bad-guard"]),
        ("@%p1 st.param.b32 [q], %r99;", ["bad-guard", "register-index"]),
        ("@%r1 st.param.b32 [q], %r1;", ["guard-type"]),
        ("st.global.b32 [%rd1].unified, %r1;", ["attribute"]),
        ("st.global.b32 [%rd1]\n.unified, %r1;", ["attribute"]),
        ("@%p1 ld.shared.b32 %r1, [%rd1].unified;", ["attribute"]),
        ("ld.global.b32 %r1, [%rd1].unified;", []),
    ],
)
def test_the_checks_of_loads_and_stores(line: str, codes: list[str]) -> None:
    module = analysed(HEAD + KERNEL.format(n=0, body=f"\t.reg .b64 %rd<2>;\n\t.param .b32 q;\n\t{line}\n"))
    usage = ("never-written", "unused-registers")
    assert sorted(f.code for f in module.findings() if f.code not in usage) == codes
