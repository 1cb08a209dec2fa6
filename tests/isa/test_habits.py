"""The habits: their words do not exist in PTX, and the words that they propose do."""

from ptx_lsp.isa.instructions import instruction, opcodes
from ptx_lsp.isa.intended_words import C_TYPE, HEAD, NAME, TYPE, WORD, c_type, habit_spellings
from ptx_lsp.isa.special_registers import special_register
from ptx_lsp.isa.types import TYPE_WORDS


def test_no_head_is_an_opcode() -> None:
    heads = habit_spellings(HEAD)
    assert len(heads) > 100
    assert heads.keys().isdisjoint(opcodes())


def test_no_modifier_is_one_of_its_opcode() -> None:
    words = habit_spellings(WORD)
    assert len(words) > 50
    for spelling in words:
        opcode, _, word = spelling.partition(".")
        known = instruction(opcode)
        assert opcode == "*" or known is not None, spelling
        assert known is None or not any("." + word in form.vocabulary for form in known.forms), spelling


def test_no_name_is_a_special_register() -> None:
    names = habit_spellings(NAME)
    assert len(names) > 50
    assert [name for name in names if special_register(name) is not None] == []


def test_types_of_c_are_types_of_ptx() -> None:
    assert c_type("int") == ".s32"
    assert {habit.message for habit in habit_spellings(C_TYPE).values()} <= TYPE_WORDS


def test_every_habit_has_a_message_without_a_full_stop() -> None:
    for kind in (HEAD, WORD, NAME, TYPE):
        for spelling, habit in habit_spellings(kind).items():
            assert habit.message, spelling
            assert not habit.message.endswith("."), spelling
            assert all(remedy.text for remedy in habit.remedies), spelling
