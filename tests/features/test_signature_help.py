"""Signature help: the forms of an instruction, and the operand at the cursor. The roles are those of the PTX ISA."""

import pytest

from ptx_lsp.features.signature_help import Signatures, signature_help
from tests.features.modules import in_body, marked

CALLEE = ".extern .func (.param .b32 result) callee (.param .b64 first, .param .b32 second);"


def help_at(statement: str, version: str = "9.4", target: str = "sm_90a") -> Signatures | None:
    """The signatures at the cursor in the body of a kernel."""
    module, position = marked(in_body(statement, CALLEE, version, target))
    return signature_help(module, position)


def operand(statement: str) -> tuple[str, str]:
    """The text of the operand at the cursor in the active form, and what it is."""
    found = help_at(statement)
    assert found is not None
    assert found.operand is not None
    form = found.forms[found.active]
    start, end, meaning = form.parameters[found.operand]
    return form.label[start:end], meaning


@pytest.mark.parametrize(
    ("statement", "text", "meaning"),
    [
        ("add.s32 ¦", "d", ".s32"),
        ("add.s32 %r1, %r2 ¦", "a", ".s32"),
        ("add.s32 %r1, %r2, ¦", "b", ".s32"),
        ("ld.shared.f32 %f1, [¦", "[a]", ".shared"),
        ("shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, ¦", "membermask", "lane"),
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, ¦", "a", "4 × `.b32`"),
        ("cp.async.cg.shared.global [%r1], [%rd1], ¦", "cp-size", "16"),
        ("call (%r1), callee, (%rd1, ¦", ".param .b32 second", ""),
        ("call ¦", "function", "declared above"),
        ("call (¦", "result", "left out"),
        ("@%p1 call.uni (%r1), ¦", "function", "declared above"),
        ("call unknown, (%r1, ¦", "arguments", "in their order"),
        ("call (%r1), %rd1, (%r2), ¦", "prototype", ".callprototype"),
        ("mov.b32 %r1, 7\n\tadd.s32 %r2, ¦", "a", ".s32"),
    ],
)
def test_the_operand_at_the_cursor(statement: str, text: str, meaning: str) -> None:
    found = operand(statement)
    assert found[0] == text
    assert meaning in found[1]


@pytest.mark.parametrize(("statement", "head"), [("call.¦", "call{.uni} "), ("call.uni ¦", "call.uni ")])
def test_a_call_has_its_form_before_it_names_a_function(statement: str, head: str) -> None:
    found = help_at(statement)
    assert found is not None
    assert [form.label for form in found.forms] == [head + "{(result), }function{, (arguments)}{, prototype};"]


def test_what_the_instruction_does_begins_with_a_capital_letter_as_in_hover() -> None:
    found = help_at("mad.lo.u32 %r1, ¦")
    assert found is not None
    assert found.forms[0].meaning.startswith("Multiplies two integers")


def test_operands_that_may_be_left_out_are_written_as_in_the_manual() -> None:
    found = help_at("bar.sync ¦")
    assert found is not None
    assert found.forms[0].label == "bar.sync a{, b};"
    assert operand("bar.sync 0, ¦")[0] == "b"


def test_the_forms_are_those_of_the_modifiers_typed_so_far() -> None:
    found = help_at("atom.global.cas.b32 ¦")
    assert found is not None
    assert [form.label for form in found.forms][found.active].startswith("atom.global.cas.b32 d, [a], b, c")
    assert all(".cas" in form.label for form in found.forms)


def test_no_operand_is_active_in_the_modifiers() -> None:
    found = help_at("shfl.sync.¦")
    assert found is not None
    assert found.operand is None
    assert found.forms[0].label == "shfl.sync.mode.b32 d[|p], a, b, c, membermask;"


@pytest.mark.parametrize(
    ("statement", "label"),
    [
        ("wgmma.fence.¦", "wgmma.fence.sync{.aligned};"),  # programs write it always
        ("wgmma.fence.sync.¦", "wgmma.fence.sync{.aligned};"),
        ("ld.¦", "ld{.ss}.ldtype d, [a];"),
        ("ld.global.¦", "ld.global.ldtype d, [a];"),
        ("ld.f32 ¦", "ld.f32 d, [a];"),  # a space is written before the type
    ],
)
def test_usual_modifiers_are_shown_although_they_are_optional(statement: str, label: str) -> None:
    found = help_at(statement)
    assert found is not None
    assert found.forms[0].label == label


def test_the_words_of_a_group_that_is_not_typed_are_listed() -> None:
    found = help_at("shfl.sync.¦")
    assert found is not None
    assert found.forms[0].choices == ("`.mode`: one of `.up`, `.down`, `.bfly`, `.idx`",)
    typed = help_at("shfl.sync.up.b32 ¦")
    assert typed is not None
    assert typed.forms[0].choices == ()


def test_a_group_of_one_word_is_that_word() -> None:
    found = help_at("cp.async.bulk.¦")
    assert found is not None
    assert any(".L2::cache_hint [" in form.label for form in found.forms)
    assert not any(len(choice.split("`, `")) == 1 for form in found.forms for choice in form.choices)


def test_forms_that_the_module_can_use_come_first() -> None:
    found = help_at("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {¦")
    assert found is not None
    assert len(found.forms) == 2


@pytest.mark.parametrize("statement", ["¦", "add.s32 %r1, %r2, %r3;¦", "// add.s32 ¦", "nosuch.s32 ¦", ".reg .b32 ¦"])
def test_there_is_no_help_outside_of_instructions(statement: str) -> None:
    assert help_at(statement) is None


def test_forms_that_differ_in_what_they_need_only_are_one() -> None:
    """`addc` exists in 32 and in 64 bits since different versions."""
    found = help_at("addc.¦")
    assert found is not None
    labels = [form.label for form in found.forms]
    assert len(labels) == len(set(labels))


def test_the_types_of_a_form_are_in_the_order_in_which_they_are_typed() -> None:
    """`cvt.s32.f32` converts from a float, and no form of it has `.f32` first."""
    found = help_at("cvt.s32.f32 ¦")
    assert found is not None
    assert [form.meaning.split()[:3] for form in found.forms] == [["Converts", "a", "float"]]
