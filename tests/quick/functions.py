"""Functions with the same bodies, and what remembers them."""

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Severity
from ptx_lsp.quick import body_memory
from tests.analysed import analysed
from tests.calls import noted_calls

HEAD = ".version 9.4\n.target sm_90\n.address_size 64\n"

# what is declared before the functions: the same names with several meanings
AROUND = (
    "",
    ".func f(.param .b32 p);\n.global .b32 a;\n",
    ".func f(.param .b64 p);\n.global .b64 a[4];\n",
    ".func (.param .b32 q) f();\n.global .f32 %t;\n",
    ".reg .b32 %r<40>, %rd;\n",
    ".reg .b32 %r1;\n.reg .f32 %rd1, a;\n",
    ".shared .b32 $L, p, b;\n.extern .func f;\n",
    ".reg .b32 %wrong;\n.reg .f32 %x<4>;\n",
)

PARAMETERS = (
    "",
    ".param .b32 {0}_param_0, .param .b64 {0}_param_1",
    ".param .b64 {0}_param_0, .param .b32 {0}_param_1",
    ".param .b32 $L, .param .b32 %r1",
    ".param .b32 a, .param .b32 %p2",
)

CONTROL = (
    "$L: bra $L;",
    "$L:\n\tsetp.eq.s32 %p1, %r1, 2;\n\t@%p1 bra $L;\n\t@%p1 bra.uni $M;\n$M:",
    "bra $M;",
    "{ $L: bra $L; }\n$L:",
    "{ $L:\n }\n\tbra $L;",
    "{\n\t.param .b32 q;\n\tst.param.b32 [q], %r1;\n\tcall f, (q);\n}",
    "{\n\t.param .b32 q;\n\tcall (q), f;\n\tld.param.b32 %r2, [q];\n}",
    "call f, (%r1);",
    "ld.global.b32 %r2, [a];",
    "mov.b64 %rd1, a;\n\t.reg .b64 a;\n\tmov.b64 a, %rd1;",
    ".shared .b32 k1;\n\tld.shared.b32 %r2, [k1];",
    "mov.b32 %r8, %r7;\n\tmov.b32 %r9, %r8;",
    "// a comment\n\n\t/* another\n }\n */ ret;",
    "mov.u32 %r1, %laneid;",
    "brx.idx %r1, $T;\n$T: .branchtargets $L;\n$L:",
    "$T: .branchtargets $L, $M;\n\tbrx.idx %r1, $T;\n$L:\n$M:",
    "$T: .branchtargets $L;\n\tbrx.idx %rd1, $T;\n$L:",
    "{\n$T: .branchtargets $L;\n\tbrx.idx %r1, $T;\n$L:\n}",
    "P : .callprototype _ (.param .b32 _);\n\tcall %rd1, (%r1), P;",
    "{\n\tP : .callprototype (.param .b32 _) _ (.param .b32 _);\n\t.param .b32 q, s;\n\tcall (q), %rd1, (s), P;\n}",
    "{\n\tP : .callprototype _ (.param .b64 _);\n\t.param .b32 s;\n\tcall %rd1, (s), P;\n}",
    "{\n$M: mov.b32 %r1, %r2;\n}\n\tbra $M;",
    "{\n$M: mov.b32 %r1, %r2;\n}\n$M:\n\tbra $M;",
    "ret;\n}\n\tmov.b32 %r1, %r2;",
    "{\nret;\n}\n",
    "{\n{\n\tmov.b32 %r1, %r2;\n}\n}\n\tmov.b32 %r2, %r1; // {",
    "{ // }\n\tmov.b32 %r1, %r2;\n}\n",
    '.pragma "nounroll";',
)


def function(name: str, parameters: str, declarations: str, lines: str) -> str:
    """A kernel of these lines, in which `{0}` is its name."""
    own = name + "_param_"
    given, inside = parameters.replace("{0}", name), lines.replace("{0}_param_", own)
    return f".entry {name}({given})\n{{\n{declarations}\t{inside}\n\tret;\n}}\n"


def hits(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Module, int]:
    """The module of a text, and how many bodies were read as one text."""
    calls = noted_calls(monkeypatch, body_memory, "known_body")
    module = analysed(text)
    return module, sum(call.result is not None for call in calls)


def errors(module: Module) -> list[tuple[str, int]]:
    """The codes and lines of the errors."""
    return [(each.code, each.range.line) for each in module.findings() if each.severity is Severity.ERROR]
