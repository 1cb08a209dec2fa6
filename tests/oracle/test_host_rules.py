"""Our verdicts on inline PTX compared with those of NVRTC and ptxas, statement by statement."""

import pytest

from ptx_lsp.embedded.host_text import check_host
from ptx_lsp.findings.finding import Severity
from ptx_lsp.hosts.statement import Host
from ptx_lsp.isa.versions import Target
from tests.oracle.assembler import Assembler, needs_assembler
from tests.oracle.host_statements import HostStatement, program, statements
from tests.oracle.nvrtc import compile_program, needs_compiler, refused_statements
from tests.oracle.statements import COMPILED_ONLY

pytestmark = [needs_assembler, needs_compiler]
STATEMENTS = list(statements())
DIFFERENT = {
    "{ add.s32 %0, %1, 1; r:r": "another statement may close the brace",
    "ld.global.v2.f32 {%0, %1}, [%2]; fb:l": "for sm_100 operands have the strict types of sm_90, as warnings",
}
"""Statements that we judge differently, each with the reason."""


def test_there_are_many_statements() -> None:
    assert len(STATEMENTS) >= 300
    assert len(set(STATEMENTS)) == len(STATEMENTS)


@pytest.mark.parametrize("target", [Target(90), Target(100)], ids=str)
def test_the_assembler_agrees_on_every_statement(target: Target) -> None:
    text = program(STATEMENTS)
    arch = f"compute_{target.number}"
    compiled = compile_program(text, arch)
    assert compiled.ptx, compiled.log[:2000]
    refused = refused_statements(compiled.ptx, arch, Assembler())
    assert 100 < len(refused) < len(STATEMENTS) - 50
    found = check_host(text, Host.CUDA, targets=[target])
    ours: dict[int, str] = {}
    for finding in found:
        if finding.severity is Severity.ERROR and finding.code not in COMPILED_ONLY:
            ours.setdefault(finding.range.line - 1, f"[{finding.code}] {finding.message}")
    wrong = [
        f"{_shown(STATEMENTS[marker])}: ptxas: {refused.get(marker, 'accepted')}; we: {ours.get(marker, 'accepted')}"
        for marker in sorted(refused.keys() ^ ours.keys())
        if _shown(STATEMENTS[marker]) not in DIFFERENT
    ]
    assert wrong == []


REFUSED_BY_COMPILER = (
    ('asm volatile("mov.b32 %0, 1;" : "=x"(r));', "asm-constraint"),
    ('asm volatile("mov.b32 %0, 1;" : "=rf"(r));', "asm-constraint"),
    ('asm volatile("mov.b32 %0, 1;" : "= r"(r));', "asm-constraint"),
    ('asm volatile("mov.b32 %0, 1;" : "r"(r));', "asm-constraint"),
    ('asm volatile("bar.sync %0;" :: "=r"(r));', "asm-constraint"),
    ('asm volatile("bar.sync %0;" :: "g"(r));', "asm-constraint"),
    ('asm volatile("bar.sync 0;" ::: "cc");', "asm-clobber"),
    ('asm volatile("bar.sync 0;" ::: "memory", "r1");', "asm-clobber"),
    ('asm volatile("mov.b32 %0, %p1;" : "=r"(r));', "asm-escape"),
    ('asm volatile("mov.b32 %0, %h0;" : "=r"(r));', "asm-escape"),
    ('asm volatile("mov.b32 %0, %3;" : "=r"(r));', "asm-operand-number"),
    ('asm volatile("mov.b32 %0, %[x];" : "=r"(r));', "asm-operand-number"),
)


@pytest.mark.parametrize(("statement", "code"), REFUSED_BY_COMPILER)
def test_what_the_compiler_itself_refuses_is_an_error(statement: str, code: str) -> None:
    text = f'extern "C" __global__ void k(int r) {{ {statement} }}\n'
    assert compile_program(text, "compute_90").ptx == "", "the compiler takes it"
    errors = [each.code for each in check_host(text, Host.CUDA) if each.severity is Severity.ERROR]
    assert errors == [code]


@pytest.mark.parametrize(
    "statement",
    [
        'asm volatile("bar.sync 0;" ::: "memory");',
        'asm volatile("bar.sync %0;" :: "r"(r) "r"(r));',
        'asm volatile("mov.b32 %0, %1;" : "=&r"(r) : "r"(r));',
        'asm volatile("add.s32 %0, %0, 1;" : "+r"(r));',
        'asm volatile(u8"bar.sync 0;");',
        'asm volatile(R"x(bar.sync 0;)x");',
        'asm volatile("bar.\\x73ync\\40%0;" : : "r"(r));',
        'asm volatile("bar.sync" " " "%0;" : : "r"(r));',
        'asm volatile("bar.sync %0;" :: "n"(1 + 2));',
    ],
)
def test_what_the_compiler_takes_is_no_error(statement: str) -> None:
    text = f'extern "C" __global__ void k(int r) {{ {statement} }}\n'
    compiled = compile_program(text, "compute_90")
    assert compiled.ptx, compiled.log
    assert refused_statements(compiled.ptx, "compute_90", Assembler()) == {}
    assert [each for each in check_host(text, Host.CUDA) if each.severity is Severity.ERROR] == []


def _shown(statement: HostStatement) -> str:
    return f"{statement.template} {statement.outputs}:{statement.inputs}"
