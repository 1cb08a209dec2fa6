"""The siblings of a modifier: exactly the words of the opcode with which ptxas 13.5 accepts the statement."""

import pytest

from ptx_lsp.explanations.uses import matched
from ptx_lsp.explanations.variants import siblings
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.syntax.tree import Instruction
from tests.features.modules import in_body, marked
from tests.oracle.assembler import Assembler, needs_assembler, refused

OPERANDS = {
    ".16x128b": ("{%r1}", "{%r1,%r2}"),
    ".16x256b": ("{%r1}", "{%r1,%r2,%r3,%r4}"),
    ".16x32bx2": ("[%r2]", "[%r2], 16"),
}
"""The changes that some words need: the operand to replace, and the operand that the word requires."""

REGISTERS = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<99>; .reg .f64 %fd<9>; .reg .b16 %h<9>; .reg .pred %p<9>;"


def modifier_and_siblings(statement: str, version: str, target: str) -> tuple[str, tuple[str, ...]]:
    """The modifier at the cursor and its siblings."""
    module, position = marked(in_body(statement, version=version, target=target))
    located = module.statement_at(position)
    assert located is not None
    assert isinstance(located.statement, Instruction)
    form = matched(located.statement, located.surroundings)
    assert form is not None
    offset = located.offset(position)
    index = next(i for i, word in enumerate(located.statement.modifiers) if word.start == offset)
    profile = located.surroundings.profile
    found = siblings(form.match, index, profile.version, profile.target)
    return located.statement.modifiers[index].text, found


def with_operands_of(word: str, statement: str) -> str:
    """The statement with the operands that a word requires."""
    old, new = OPERANDS.get(word, ("", ""))
    return statement.replace(old, new) if old else statement


@needs_assembler
@pytest.mark.parametrize(
    ("statement", "version", "target"),
    [
        ("setp¦.lt.s32 %p1, %r1, %r2;", "8.0", "sm_90"),
        ("setp¦.equ.f32 %p1, %f1, %f2;", "8.0", "sm_90"),
        ("mul¦.lo.s32 %r1, %r2, %r3;", "8.0", "sm_90"),
        ("shl¦.b32 %r1, %r2, %r3;", "8.0", "sm_90"),
        ("atom.global¦.add.u32 %r1, [%rd1], %r2;", "8.0", "sm_90"),
        ("atom.global.add¦.u32 %r1, [%rd1], %r2;", "7.0", "sm_80"),
        ("shfl.sync¦.idx.b32 %r1, %r2, 0, 31, -1;", "8.0", "sm_90"),
        ("ld.global¦.ca.b32 %r1, [%rd1];", "8.0", "sm_90"),
        ("vote.sync¦.all.pred %p1, %p2, -1;", "8.0", "sm_90"),
        ("fma¦.rn.f32 %f1, %f2, %f3, %f4;", "8.0", "sm_90"),
        ("membar¦.gl;", "8.0", "sm_90"),
        ("redux.sync¦.add.s32 %r1, %r2, -1;", "8.0", "sm_90"),
        ("tcgen05.mma.cta_group::1¦.kind::f16 [%r1], %rd1, %rd2, %r3, %p1;", "9.0", "sm_100a"),
        ("tcgen05.ld.sync.aligned¦.32x32b.x1.b32 {%r1}, [%r2];", "9.0", "sm_100a"),
        ("prmt.b32¦.f4e %r1, %r2, %r3, 1;", "8.0", "sm_90"),
        ("szext¦.clamp.s32 %r1, %r2, %r3;", "8.0", "sm_90"),
    ],
)
def test_ptxas_accepts_the_siblings_and_no_other_word(statement: str, version: str, target: str) -> None:
    own, found = modifier_and_siblings(statement, version, target)
    assert own in found
    what = instruction(statement.split(".")[0].replace("¦", ""))
    assert what is not None
    words = sorted({word for form in what.forms if not form.lenient for word in form.vocabulary})
    arch = "compute_" + target.removeprefix("sm_")
    bodies = [with_operands_of(word, statement.replace("¦" + own, word)) for word in words]
    answers = Assembler().snippets(bodies, version, target, REGISTERS, arch=arch)
    for word, messages in zip(words, answers, strict=True):
        if refused(messages):
            # a mismatch of arguments means that the modifiers are right, for registers of another width
            assert word not in found or all(m.text.startswith("Arguments mismatch") for m in messages), messages
        elif word not in found:
            # if the place may be empty, words of other places may be added too
            assert is_accepted_without(statement.replace("¦", ""), own), f"{word} is missing: {found}"


def is_accepted_without(statement: str, own: str) -> bool:
    """Whether ptxas accepts the statement without the word."""
    answers = Assembler().snippets([statement.replace(own, "", 1)], "8.0", "sm_90", REGISTERS)
    return not refused(answers[0])


@pytest.mark.parametrize(
    ("statement", "version", "target", "missing"),
    [
        # `.kind::ti16` was introduced in PTX ISA 9.4, on sm_107a
        ("tcgen05.mma.cta_group::1¦.kind::f16 [%r1], %rd1, %rd2, %r3, %p1;", "9.0", "sm_100a", ".kind::ti16"),
        # scopes of clusters were introduced in PTX ISA 7.8, on sm_90
        ("atom.relaxed¦.gpu.global.add.u32 %r1, [%rd1], %r2;", "7.0", "sm_80", ".cluster"),
    ],
)
def test_words_above_the_module_s_version_and_target_are_not_siblings(
    statement: str, version: str, target: str, missing: str
) -> None:
    assert missing not in modifier_and_siblings(statement, version, target)[1]
