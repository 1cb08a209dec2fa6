"""Each fix removes its finding, causes no other one, and gives a module that ptxas accepts."""

from dataclasses import dataclass
from itertools import pairwise

import pytest

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.codes import rules
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.fixes import catalogue
from ptx_lsp.fixes.catalogue import fixes
from ptx_lsp.fixes.fix import Fix, apply_edits
from ptx_lsp.fixes.fix_all import fix_all
from ptx_lsp.fixes.text_fixes import BY_CODE
from ptx_lsp.text.ranges import Range
from tests.analysed import analysed
from tests.mdtest.fences import Fence
from tests.oracle.assembler import Assembler, needs_assembler


@dataclass(frozen=True, slots=True)
class Case:
    """A wrong body, the code of its finding, the title of the fix, and the fixed body."""

    code: str
    wrong: str
    title: str
    right: str
    target: str = "sm_90"

    def module(self, body: str) -> str:
        """`body` in a kernel that has registers of every kind."""
        return Fence("", "", 0, frozenset({"body"}), {"target": self.target}, body + "\n").text


CASES = [
    Case("missing-semicolon", "add.s32 %r1, %r2, %r3\nret;", "insert `;`", "add.s32 %r1, %r2, %r3;\nret;"),
    Case("missing-semicolon", "ret // done", "insert `;`", "ret; // done"),
    Case("unmatched-bracket", "ld.b32 %r1, %rd1+8];", "insert `[` before `%rd1`", "ld.b32 %r1, [%rd1+8];"),
    Case("unmatched-bracket", "mov.b64 %rd1, %r1, %r2};", "insert `{` before `%r1`", "mov.b64 %rd1, {%r1, %r2};"),
    Case("unmatched-bracket", "mov.b32 %r1, %r2];", "remove this `]`", "mov.b32 %r1, %r2;"),
    Case("stray-token", "ret; ;", "remove this `;`", "ret; \n"),
    Case("stray-token", "ret;;;", "remove these `;`", "ret;\n"),
    Case(
        "state-space",
        ".shared .b32 tile[4];\nld.global.u32 %r1, [tile];",
        "write `.shared`, where `tile` is",
        "ld.shared.u32 %r1, [tile];",
    ),
    Case(
        "state-space",
        "{\n.param .b32 q;\nst.u32 [q], %r1;\n}",
        "write `.param`, where `q` is",
        "st.param.u32 [q], %r1;",
    ),
    Case(
        "removed-instruction",
        "mad.f32 %f1, %f2, %f3, %f4;",
        "add `.rn`, which rounds to nearest, ties to even",
        "mad.rn.f32 %f1, %f2, %f3, %f4;",
    ),
    Case("negative-offset", "ld.global.b32 %r1, [%rd1-8];", "write `+-8`", "ld.global.b32 %r1, [%rd1+-8];"),
    Case("negative-offset", "st.b32 [%rd1 - 0x10], %r1;", "write `+-0x10`", "st.b32 [%rd1 +-0x10], %r1;"),
    Case("immediate-type", "mul.f32 %f1, %f2, 2;", "write `2.0`", "mul.f32 %f1, %f2, 2.0;"),
    Case("immediate-type", "mul.f64 %fd1, %fd2, -1;", "write `-1.0`", "mul.f64 %fd1, %fd2, -1.0;"),
    Case(
        "immediate-type",
        "mul.f32 %f1, %f2, 0x3f000000;",
        "write `0f3F000000` (the same bits: 0.5)",
        "mul.f32 %f1, %f2, 0f3F000000;",
    ),
    Case(
        "immediate-type",
        "mul.f64 %fd1, %fd2, 0x3fe0000000000000;",
        "write `0d3FE0000000000000` (the same bits: 0.5)",
        "mul.f64 %fd1, %fd2, 0d3FE0000000000000;",
    ),
    Case("immediate-type", "add.s32 %r1, %r2, 4.0;", "write `4`", "add.s32 %r1, %r2, 4;"),
    Case(
        "immediate-type",
        "mov.u32 %r1, 0f3F800000;",
        "write `0x3F800000` (the same bits as 1.0)",
        "mov.u32 %r1, 0x3F800000;",
    ),
    Case("immediate-type", "mov.u64 %rd1, 0d4000000000000000;", "write `2`", "mov.u64 %rd1, 2;"),
    Case(
        "immediate-type",
        "mov.b32 %r1, 0.5;",
        "write `0f3F000000` (0.5 as an exact `.f32`)",
        "mov.b32 %r1, 0f3F000000;",
    ),
    Case(
        "missing-modifier",
        "cvt.s32.f32 %r1, %f1;",
        "add `.rzi`, which rounds toward zero, as a C cast does",
        "cvt.rzi.s32.f32 %r1, %f1;",
    ),
    Case(
        "missing-modifier",
        "cvt.s32.f32 %r1, %f1;",
        "add `.rni`, which rounds to the nearest integer, ties to even",
        "cvt.rni.s32.f32 %r1, %f1;",
    ),
    Case(
        "missing-modifier",
        "div.f32 %f1, %f2, %f3;",
        "add `.rn`, which rounds to nearest, ties to even",
        "div.rn.f32 %f1, %f2, %f3;",
    ),
    Case("duplicate-modifier", "add.rn.rn.f32 %f1, %f2, %f3;", "remove the second `.rn`", "add.rn.f32 %f1, %f2, %f3;"),
    Case(
        "instruction-type",
        "atom.global.add.s64 %rd1, [%rd2], %rd3;",
        "write `.u64` (the same bits)",
        "atom.global.add.u64 %rd1, [%rd2], %rd3;",
    ),
    Case("unknown-opcode", "ad.s32 %r1, %r2, %r3;", "write `add`", "add.s32 %r1, %r2, %r3;"),
    Case("unknown-modifier", "ld.globl.b32 %r1, [%rd1];", "write `.global`", "ld.global.b32 %r1, [%rd1];"),
    Case("unknown-opcode", "bfee.u32 %r1, %r2, %r3, %r4;", "write `bfe`", "bfe.u32 %r1, %r2, %r3, %r4;"),
    Case(
        "register-index",
        "mov.b32 %r12, 1;\nadd.s32 %r1, %r2, %r12;",
        "raise `%r<9>` to `%r<13>`",
        "mov.b32 %r12, 1;\nadd.s32 %r1, %r2, %r12;",
    ),
    Case("malformed-number", "add.s32 %r1, %r2, 16f;", "write `16`", "add.s32 %r1, %r2, 16;"),
    Case("unknown-directive", ",reg .b32 %q<3>;", "write `.reg`", ".reg .b32 %q<3>;"),
    Case(
        "declaration-type",
        ".reg %q;\nadd.s32 %q, %r1, %r2;",
        "insert `.b32`, which fits all uses",
        ".reg .b32 %q;\nadd.s32 %q, %r1, %r2;",
    ),
    Case(
        "declaration-type",
        ".reg %q .b32;\nadd.s32 %q, %r1, %r2;",
        "write `.b32 %q`",
        ".reg .b32 %q;\nadd.s32 %q, %r1, %r2;",
    ),
    Case("extra-comma", "add.s32 %r1, %r2, , %r3;", "remove this comma", "add.s32 %r1, %r2 , %r3;"),
    Case("missing-comma", "add.s32 %r1, %r2 %r3;", "insert `,` before `%r3`", "add.s32 %r1, %r2, %r3;"),
]


def of_code(module: Module, code: str) -> Finding:
    return next(finding for finding in module.findings() if finding.code == code)


def chosen(case: Case) -> tuple[str, Fix]:
    """The wrong module and the fix of that title."""
    text = case.module(case.wrong)
    module = analysed(text)
    offered = fixes(of_code(module, case.code), module)
    titles = [fix.title for fix in offered]
    # the title of an unsafe fix also says what it changes
    matching = [fix for fix in offered if fix.title == case.title or fix.title.startswith(case.title + ",")]
    assert matching, titles
    return text, matching[0]


def ids(case: Case) -> str:
    return f"{case.code}: {case.wrong[:40]}"


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_the_fix_resolves_the_finding(case: Case) -> None:
    text, fix = chosen(case)
    fixed = apply_edits(text, fix.edits)
    assert case.right in fixed
    assert [f for f in analysed(fixed).findings() if f.severity is Severity.ERROR] == []


RETYPED = [
    (".reg .bf16 %x;\nmov.b64 %x, %rd1;", ".b64"),  # `.b16`, which keeps a `.bf16`, is too narrow
    (".reg .float %x;\nadd.f64 %x, %fd1, %fd1;", ".b64"),
    (".reg .float %x;\nadd.f32 %x, %f1, %f1;", ".f32"),
    (".reg .bf16 %x;\nmov.b16 %x, 1;", ".b16"),
    (".reg .bf16 %x;", ".b16"),
]


@pytest.mark.parametrize(("body", "type_"), RETYPED)
def test_a_preferred_type_fits_all_uses(body: str, type_: str) -> None:
    case = Case("declaration-type", body, "", "")
    module = analysed(case.module(case.wrong))
    first, *_ = fixes(of_code(module, case.code), module)
    assert (first.title.split(",")[0], first.preferred) == (f"write `{type_}`", True)


DECLARED = [
    ("add.s32 %x1, %r1, %r2;", ".reg .b32 %x1;"),
    ("add.f32 %x, %f1, %f2;", ".reg .f32 %x;"),
    ("add.f64 %x, %fd1, %fd2;\nmov.f64 %fd1, %x;", ".reg .f64 %x;"),
    ("mov.b64 %x, 1;", ".reg .b64 %x;"),
    ("setp.lt.s32 %q1, %r1, %r2;\n@%q1 bra end;\nend:", ".reg .pred %q<2>;"),
    ("@%q bra end;\nend:", ".reg .pred %q;"),
    ("ld.global.b32 %r1, [%address];", ".reg .b64 %address;"),
    ("ld.global.f32 %x, [%rd1];", ".reg .f32 %x;"),
    ("ld.global.u8 %x, [%rd1];", ".reg .b16 %x;"),
    ("mul.wide.s32 %x, %r1, %r2;", ".reg .b64 %x;"),
    ("add.s32 %x1, %r1, %r2;\nadd.s32 %x2, %x1, %r2;\nadd.s32 %x17, %x1, %x2;", ".reg .b32 %x<18>;"),
    ("add.s16 value, %h1, %h2;", ".reg .b16 value;"),
    ("{ .reg .b32 %inner; mov.b32 %inner, 1; add.s32 %x1, %inner, %r2; }", ".reg .b32 %x1;"),
]


READ_AND_WRITTEN = {
    "add.f64 %x, %fd1, %fd2;\nmov.f64 %fd1, %x;",
    "setp.lt.s32 %q1, %r1, %r2;\n@%q1 bra end;\nend:",
    "add.s32 %x1, %r1, %r2;\nadd.s32 %x2, %x1, %r2;\nadd.s32 %x17, %x1, %x2;",
}
"""A name that is only read or only written may be a typo."""


@pytest.mark.parametrize(("body", "declaration"), DECLARED, ids=[body for body, _ in DECLARED])
def test_a_register_is_declared_with_the_type_of_its_uses(body: str, declaration: str) -> None:
    case = Case("undeclared", body, f"declare `{declaration}`", body)
    text, fix = chosen(case)
    fixed = apply_edits(text, fix.edits)
    assert declaration in fixed
    assert fix.safe is fix.preferred is (body in READ_AND_WRITTEN)
    assert [f for f in analysed(fixed).findings() if f.severity is Severity.ERROR] == []


def test_a_first_declaration_is_inserted_after_the_brace() -> None:
    body = "    mov.b32 %x, 1;\n    add.s32 %x, %x, 1;\n    ret;\n"
    text = ".version 9.4\n.target sm_90\n.visible .entry k()\n{\n" + body + "}\n"
    fixed, made = fix_all(text)
    assert made == 1
    assert "{\n    .reg .b32 %x;\n    mov.b32 %x, 1;" in fixed


def test_uses_that_disagree_get_no_declaration() -> None:
    module = analysed(Case("", "", "", "").module("add.s32 %x, %r1, %r2;\nadd.f64 %fd1, %x, %fd2;"))
    assert fixes(of_code(module, "undeclared"), module) == []


def test_a_type_is_the_author_s_choice() -> None:
    module = analysed(Case("", "", "", "").module("add.s32 %r1, %r2, %f3;"))
    assert fixes(of_code(module, "operand-type"), module) == []


def test_a_target_is_changed_only_if_the_module_is_then_correct() -> None:
    wrong = ".version 9.4\n.target sm_90\n.visible .entry k() { wgmma.fence.sync.aligned; ret; }\n"
    module = analysed(wrong)
    offered = fixes(of_code(module, "requires-target"), module)
    assert [apply_edits(wrong, fix.edits) for fix in offered] == [wrong.replace("sm_90", "sm_90a")]
    assert "compute capability 9.0 only" in offered[0].title


def test_the_safe_fixes_of_a_text_are_made() -> None:
    lines = ("add.s32 %x1, %r1, %r2", "mul.f32 %f1, %f2, 0x40000000;", "ld.global.b32 %r1, [%rd1-4];")
    body = "\n".join((*lines, "add.s32 %r1, %x1, %f3;", "add.f32 %f1, sun, %f2;"))
    text = Case("", "", "", "").module(body)
    fixed, made = fix_all(text)
    left = [f.code for f in analysed(fixed).findings() if f.severity is Severity.ERROR]
    assert made == 4
    assert left == ["operand-type", "undeclared"]


def test_a_correct_text_stays_as_it_is() -> None:
    text = Case("", "", "", "").module("add.s32 %r1, %r2, %r3;")
    assert fix_all(text) == (text, 0)


def test_a_finding_beyond_the_text_has_no_fix() -> None:
    """An edit that is not analysed yet may have shortened the text: what was found below it is outdated."""
    module = analysed(".version 9.4\n.target sm_90\n.visible .entry k()\n{\n\tret;\n")
    before = module.findings()
    module.edit(Range(2, 10, 5, 0), "")
    found = [finding for finding in before if finding.range.line >= module.document.line_count]
    assert found
    assert [fixes(finding, module) for finding in found] == [[]] * len(found)


def test_every_code_with_a_fix_is_a_rule() -> None:
    codes = {*catalogue.OF_MODULE, *catalogue.OF_STATEMENT, *BY_CODE}
    assert codes <= set(rules())


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_edits_of_a_fix_do_not_overlap(case: Case) -> None:
    _, fix = chosen(case)
    ordered = sorted(fix.edits, key=lambda edit: edit.range.start)
    assert all(one.range.end <= other.range.start for one, other in pairwise(ordered))


@needs_assembler
def test_the_assembler_accepts_the_fixed_texts() -> None:
    texts = []
    for case in CASES + [Case("undeclared", body, f"declare `{what}`", body) for body, what in DECLARED]:
        text, fix = chosen(case)
        texts += [text, apply_edits(text, fix.edits)]
    outcomes = Assembler().modules(texts)
    wrong, right = outcomes[::2], outcomes[1::2]
    assert [o.said[:1] for o in right if not o.accepted] == []
    assert all(not outcome.accepted for outcome in wrong)
