"""The selectors of the video instructions, compared with the lists of the manual (#simd-video-instructions)."""

from itertools import product

import pytest

from ptx_lsp.isa.selectors import EXAMPLES, SELECTORS, is_selector, selects
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.judge import judge

VERSION, TARGET = Version(8, 0), Target(90)
SIMD = ("vadd2.s32.s32.s32", "vadd4.s32.s32.s32")


def codes(opcode: str, *kinds: str) -> list[str]:
    return [c.code for c in judge(opcode, kinds, VERSION, TARGET).complaints]


def every(letter: str, digits: str, most: int) -> list[str]:
    return [letter + "".join(way) for n in range(1, most + 1) for way in product(digits, repeat=n)]


def test_masks_are_those_of_the_manual() -> None:
    assert [s for s in every("h", "0123", 3) if selects("halfmask", s)] == ["h0", "h1", "h10"]
    masks = "b0 b1 b2 b3 b10 b20 b21 b30 b31 b32 b210 b310 b320 b321 b3210"
    assert " ".join(s for s in every("b", "01234", 5) if selects("bytemask", s)) == masks


def test_byte_selectors_choose_from_both_sources() -> None:
    assert len([s for s in every("h", "01234", 3) if selects("halves", s)]) == 4**2
    assert len([s for s in every("b", "012345678", 4) if selects("bytes", s)]) == 8**4


def test_every_class_has_a_text_for_messages() -> None:
    assert EXAMPLES.keys() == SELECTORS.keys()


def test_ptxas_reads_up_to_four_digits_as_a_selector() -> None:
    assert all(is_selector(text) for text in ("h32", "b4", "b33", "b0123", "b7777", "h0000", "b", "h"))
    assert not any(is_selector(text) for text in ("x", "w", "r", "", "b8", "h4", "b01234", "h77", "b0a"))


@pytest.mark.parametrize(
    ("opcode", "kinds"),
    [
        ("vadd.s32.s32.s32", (".u32", ".u32@b3", ".u32@h1")),
        ("vadd.s32.s32.s32", (".u32@h0", ".u32", ".u32", ".u32")),
        ("vmad.s32.s32.s32", (".u32", "-.s32", ".s32", ".s32")),
        ("vmad.s32.s32.s32", (".u32", "-.s32", "-.s32", "-.s32")),
        (SIMD[0], (".u32@h1", ".u32@h00", ".u32@h33", ".u32")),
        (SIMD[1], (".u32@b210", ".u32@b7654", ".u32@b0000", ".u32")),
    ],
)
def test_the_selectors_of_an_instruction_are_accepted(opcode: str, kinds: tuple[str, ...]) -> None:
    assert codes(opcode, *kinds) == []


@pytest.mark.parametrize(
    ("opcode", "kinds", "code"),
    [
        ("vadd.s32.s32.s32", (".u32", ".u32@h10", ".u32"), "operand-kind"),
        ("vadd.s32.s32.s32.add", (".u32@b0", ".u32", ".u32", ".u32"), "operand-kind"),
        ("vadd.s32.s32.s32", (".u32", "-.u32", ".u32"), "negation"),
        ("vmad.s32.s32.s32", (".u32", "-.s32", ".s32", "-.s32"), "negation"),
        ("vmad.s32.s32.s32.po", (".u32", "-.s32", ".s32", ".s32"), "negation"),
        (SIMD[0], (".u32@h01", ".u32", ".u32", ".u32"), "operand-kind"),
        (SIMD[0], (".u32", "int8", ".u32", ".u32"), "immediate-type"),
        (SIMD[1], (".u32", ".u32@b000", ".u32", ".u32"), "operand-kind"),
        ("add.u32", (".u32", ".u32@b0", ".u32"), "operand-kind"),
    ],
)
def test_other_selectors_and_signs_are_rejected(opcode: str, kinds: tuple[str, ...], code: str) -> None:
    """ptxas 13.5 rejects these too: an incorrect selector, or a negation that is not allowed."""
    assert codes(opcode, *kinds) == [code]
