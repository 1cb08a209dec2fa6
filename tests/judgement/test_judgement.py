"""Verdicts on instructions: messages, places and data. ptxas 13.5 refuses every instruction that is refused here."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from ptx_lsp.findings.codes import rules
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.judge import form_of, judge
from ptx_lsp.judgement.verdict import Complaint, OperandCheckKind, Part, Verdict
from tests.oracle.assembler import Assembler, needs_assembler, refused
from tests.oracle.rendering import DECLARATIONS, statement

NEWEST, HOPPER = Version(9, 4), Target(90)


def verdict(opcode: str, *kinds: str, version: Version = NEWEST, target: Target = HOPPER) -> Verdict:
    return judge(opcode, kinds, version, target)


def complaint(opcode: str, *kinds: str, version: Version = NEWEST, target: Target = HOPPER) -> Complaint:
    (only,) = verdict(opcode, *kinds, version=version, target=target).complaints
    return only


def test_a_correct_instruction_has_roles_for_its_operands() -> None:
    found = verdict("add.s32", ".b32", ".s32", "int8")
    assert (found.complaints, found.operand_checks) == ((), ())
    assert (found.written, found.read_too, found.roles) == ((0,), (), ("d", "a", "b"))
    form = form_of("add.s32", found.form)
    assert form is not None
    assert form.opcode == "add"


def test_a_verdict_says_which_operands_are_read_and_written() -> None:
    found = verdict("tcgen05.shift.cta_group::1.down", "[.b32]", target=Target(100, "a"))
    assert (found.written, found.read_too) == ((0,), (0,))


def test_an_unknown_operand_fits_everywhere() -> None:
    assert not verdict("add.s32", "?", "?", "?").complaints
    assert not verdict("ld.global.v2.f32", "{.f32,?}", "[?]").complaints
    assert not verdict("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "?", "?", "?", "?").complaints


WRONG = [
    (("ad.s32", ".b32", ".b32", ".b32"), "unknown-opcode", Part.OPCODE, (), "did you mean `add`?"),
    (("ld.gobal.u32", ".b32", "[.b64]"), "unknown-modifier", Part.MODIFIER, (0,), "did you mean `.global`?"),
    (("cvt.s32.f32", ".b32", ".f32"), "missing-modifier", Part.MODIFIERS, (), "needs a rounding modifier: `.rni`"),
    (("cvt.f32.f64", ".f32", ".f64"), "missing-modifier", Part.MODIFIERS, (), "`.rn`, `.rz`, `.rm` or `.rp`"),
    (("mul.s32", ".b32", ".b32", ".b32"), "missing-modifier", Part.MODIFIERS, (), "`.hi`, `.lo` or `.wide`"),
    (("cvt.rn.s32.f32", ".b32", ".f32"), "modifier-conflict", Part.MODIFIER, (0,), "`.rzi`"),
    (("add.ftz.f64", ".f64", ".f64", ".f64"), "modifier-conflict", Part.MODIFIER, (0,), "combined with `.f64`"),
    (("add.ftz.ftz.f32", ".f32", ".f32", ".f32"), "duplicate-modifier", Part.MODIFIER, (1,), "is written twice"),
    (("ld.global.global.u32", ".b32", "[.b64]"), "duplicate-modifier", Part.MODIFIER, (1,), "is written twice"),
    (("membar.cta.cta",), "duplicate-modifier", Part.MODIFIER, (1,), "is written twice"),
    (("mul.s32.lo", ".b32", ".b32", ".b32"), "modifier-order", Part.MODIFIERS, (), "`mul.lo.s32`"),
    (("atom.global.add.s64", ".b64", "[.b64]", ".b64"), "instruction-type", Part.MODIFIER, (2,), "write `.u64`"),
    (("add.s32", ".b32", ".b32"), "operand-count", Part.OPERANDS, (), "takes 3 operands (`d`, `a`, `b`), found 2"),
    (("add.s32", ".b32", ".b32", ".f32"), "operand-type", Part.OPERAND, (2,), "but `b` of `add.s32` takes a 32-bit"),
    (("ld.global.u32", ".b32", "[.f32]"), "operand-type", Part.OPERAND, (1, 0), "an address takes an integer"),
    (("ld.global.u32", ".b32", ".b64"), "operand-kind", Part.OPERAND, (1,), "is an address: write `[{operand}]`"),
    (("mul.f32", ".f32", ".f32", "int8"), "immediate-type", Part.OPERAND, (2,), "takes a `.f32` or `.b32` register or"),
    (("ld.global.v2.f32", "{.f32,.f32,.f32}", "[.b64]"), "vector-size", Part.OPERAND, (0,), "2 elements, found 3"),
    (("ld.global.u32", ".b32", "[.shared:.b8[]]"), "state-space", Part.OPERAND, (1, 0), "takes `.global`"),
    (("add.s32", "_", ".b32", ".b32"), "sink", Part.OPERAND, (0,), "cannot be discarded"),
    (("add.s32", ".b32", "%.u32", "int8"), "special-register", Part.OPERAND, (1,), "`mov` it into a register first"),
    (("add.s32", ".b32", ".b32", "-.b32"), "negation", Part.OPERAND, (2,), "cannot be negated with `-`"),
    (("ld.global.v8.f32", ".f32", "[.b64]"), "requires-target", Part.MODIFIER, (1,), "needs `sm_100` or later"),
    (("wgmma.fence.sync.aligned",), "requires-target", Part.MODIFIERS, (), "needs `sm_90a`"),
    (("vote.all.pred", ".pred", ".pred"), "removed-instruction", Part.MODIFIERS, (), "now it needs `.sync`"),
]


@pytest.mark.parametrize(("key", "code", "part", "path", "text"), WRONG, ids=lambda value: str(value)[:40])
def test_a_mistake_is_reported_once_at_its_place(
    key: tuple[str, ...], code: str, part: Part, path: tuple[int, ...], text: str
) -> None:
    found = complaint(*_vectored(key))
    assert (found.code, found.part, found.path) == (code, part, path)
    assert text in found.message
    assert found.severity is Severity.ERROR


def _vectored(key: tuple[str, ...]) -> tuple[str, ...]:
    return key if ".v8" not in key[0] else (key[0], "{" + ",".join([key[1]] * 8) + "}", key[2])


@needs_assembler
def test_ptxas_refuses_every_row() -> None:
    texts = [statement(key[0], key[1:]) for key, *_ in WRONG for key in [_vectored(key)]]
    module = ".shared .align 16 .b8 shar__[256];"
    answers = Assembler().snippets(texts, "9.4", "sm_90", DECLARATIONS, module)
    assert [text for text, messages in zip(texts, answers, strict=True) if not refused(messages)] == []


def test_complaints_have_the_data_for_their_fixes() -> None:
    assert dict(complaint("ad.s32").data) == {"nearest": "add"}
    assert dict(complaint("mul.s32.lo", ".b32", ".b32", ".b32").data) == {"replacement": "mul.lo.s32"}
    assert dict(complaint("fma.f32", ".f32", ".f32", ".f32", ".f32").data) == {"wanted": ".rn .rz .rm .rp"}
    assert dict(complaint("elect.sync", ".b32|.pred", "int8", version=Version(7, 8)).data) == {"version": "8.0"}


def test_a_missing_version_or_target_is_reported() -> None:
    old = complaint("elect.sync", ".b32|.pred", "int8", version=Version(7, 8))
    assert (old.code, old.message) == (
        "requires-version",
        "`elect.sync` needs PTX ISA 8.0 (CUDA 12.0); this module is version 7.8",
    )
    assert complaint("elect.sync", ".b32|.pred", "int8", target=Target(80)).code == "requires-target"
    assert not verdict("elect.sync", ".b32|.pred", "int8").complaints


def test_in_newer_versions_unknown_words_are_information() -> None:
    found = judge("frobnicate.u32", (), Version(12, 0), HOPPER, known=False).complaints
    assert [c.severity for c in found] == [Severity.INFORMATION]
    found = judge("add.frobnicated.u32", (".b32",) * 3, Version(12, 0), HOPPER, known=False).complaints
    assert [c.severity for c in found] == [Severity.INFORMATION]


def test_a_modifier_without_effect_is_a_warning() -> None:
    found = complaint("add.s32.finite", ".b32", ".b32", ".b32")
    assert (found.code, found.severity, found.path) == ("noise-modifier", Severity.WARNING, (1,))


def test_constants_have_checks() -> None:
    (check,) = verdict("shl.b32", ".b32", ".b32", "int8").operand_checks
    assert (check.kind, check.path, check.bits) == (OperandCheckKind.SHIFT_COUNT, (2,), 32)
    (check,) = verdict("add.s32", ".b32", ".b32", "int64").operand_checks
    assert (check.kind, check.bits) == (OperandCheckKind.FITS, 32)
    (check,) = verdict("bar.sync", "int8").operand_checks
    assert (check.kind, check.low, check.high) == (OperandCheckKind.RANGE, 0, 15)


def test_every_code_has_a_page() -> None:
    assert {code for _, code, *_ in WRONG} <= rules().keys()


HOSTILE: list[tuple[str, Callable[[int], tuple[str, ...]]]] = [
    ("modifiers", lambda n: ("add" + ".x" * n, *[".b32"] * n)),
    ("known modifiers", lambda n: ("mma" + ".row.col" * n, "{" * n + "}" * n)),
    ("brackets", lambda n: ("ld.global.u32", "[" * n + "]" * n, "{{}}{}}{")),
    ("letters", lambda n: ("a" * n,)),
]


@pytest.mark.parametrize(("name", "texts"), HOSTILE, ids=[name for name, _ in HOSTILE])
def test_the_work_on_hostile_text_grows_no_faster_than_the_text(
    name: str, texts: Callable[[int], tuple[str, ...]]
) -> None:
    verdict(*texts(3))  # modules and tables that are loaded once are not counted
    short, long = (work(verdict, *texts(n)) for n in (1000, 4000))
    assert long <= 5 * short


def work(run: Callable[..., object], *arguments: str) -> int:
    """How many lines of Python a call executes, plus the number of functions written in C that it calls."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "c_call"

    before = sys.gettrace(), sys.getprofile()
    sys.settrace(trace)
    sys.setprofile(profile)
    try:
        run(*arguments)
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
    return count
