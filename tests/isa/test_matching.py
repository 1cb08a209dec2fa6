"""From modifiers to forms, and the reasons for a mismatch: every verdict here is that of ptxas 13.5."""

from collections.abc import Iterator
from random import Random

import pytest

from ptx_lsp.isa import matching
from ptx_lsp.isa.forms import Form
from ptx_lsp.isa.instructions import instruction, nearest_opcode, opcodes
from ptx_lsp.isa.matching import MOST_MODIFIERS, Match, fill, matches
from ptx_lsp.isa.misfits import Misfit, Trouble, nearest_misfit


def matches_of(opcode: str) -> list[Match]:
    head, *words = opcode.split(".")
    known = instruction(head)
    assert known is not None
    return matches(known.forms, tuple("." + word for word in words))


def misfit(opcode: str) -> Misfit:
    head, *words = opcode.split(".")
    known = instruction(head)
    assert known is not None
    assert not matches_of(opcode)
    found = nearest_misfit(known.forms, tuple("." + word for word in words))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "opcode",
    [
        "add.s32",
        "add.sat.s32",
        "mul.wide.u16",
        "set.u32.eq.f32.ftz",
        "cvt.rn.f32.s32",
        "ld.u32.global",
        "bra",
        "ld.v2.global.f32",
    ],
)
def test_modifiers_match_forms_in_any_order_that_ptxas_accepts(opcode: str) -> None:
    assert matches_of(opcode)


def test_a_match_knows_its_words() -> None:
    (match, *_) = matches_of("ld.global.v2.f32")
    assert match.group(".vec") == ".v2"
    assert not match.noise


def test_words_without_meaning_are_listed_separately() -> None:
    (match, *_) = matches_of("add.s32.finite")
    assert match.noise == (1,)
    (match, *_) = matches_of("add.sat.sat.s32")
    assert match.noise == (1,)


@pytest.mark.parametrize(
    ("opcode", "trouble", "index", "wanted"),
    [
        ("cvt.s32.f32", Trouble.MISSING, -1, {".rni", ".rzi", ".rmi", ".rpi"}),
        ("cvt.f32.s32", Trouble.MISSING, -1, {".rn", ".rz", ".rm", ".rp"}),
        ("mul.s32", Trouble.MISSING, -1, {".hi", ".lo", ".wide"}),
        ("fma.f32", Trouble.MISSING, -1, {".rn", ".rz", ".rm", ".rp"}),
        ("cvt.rn.s32.f32", Trouble.UNKNOWN, 0, {".rni", ".rzi", ".rmi", ".rpi"}),
        ("ld.gobal.u32", Trouble.UNKNOWN, 0, set()),
        ("and.u32", Trouble.UNKNOWN, 0, {".pred", ".b16", ".b32", ".b64"}),
        ("add.ftz.ftz.f32", Trouble.DUPLICATE, 1, set()),
        ("fence.acq_rel.cta.gpu", Trouble.SECOND, 2, set()),
        ("mul.s32.lo", Trouble.ORDER, -1, set()),
        ("barrier.sync.cta", Trouble.ORDER, -1, set()),
    ],
)
def test_a_misfit_is_relative_to_the_nearest_form(opcode: str, trouble: Trouble, index: int, wanted: set[str]) -> None:
    found = misfit(opcode)
    assert (found.trouble, found.index) == (trouble, index)
    assert wanted <= set(found.wanted)


def test_hostile_opcodes_are_judged_quickly() -> None:
    known = instruction("cvt")
    assert known is not None
    words = tuple(f".w{i}" for i in range(10 * MOST_MODIFIERS))
    assert matches(known.forms, words) == []
    assert nearest_misfit(known.forms, words) is not None
    types = (".f32", ".s32") * MOST_MODIFIERS
    assert nearest_misfit(known.forms, types) is not None


@pytest.mark.parametrize(
    ("word", "near"),
    [("ad", "add"), ("mvo", "mov"), ("setup", "setp"), ("fm", "fma"), ("mult", "mul"), ("xyzzy", "")],
)
def test_the_nearest_opcode(word: str, near: str) -> None:
    assert nearest_opcode(word) == near


def test_words_in_their_first_places_are_the_first_way_to_fill_a_form(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(5)
    statements = [(form, _random_words(form, random)) for form in _all_forms() for _ in range(6)]
    quick = [fill(form, words) for form, words in statements]
    assert sum(match is not None for match in quick) > len(statements) / 4
    monkeypatch.setattr(matching, "_in_turn", lambda *_: None)
    assert [fill(form, words) for form, words in statements] == quick


def _all_forms() -> Iterator[Form]:
    for opcode in opcodes():
        known = instruction(opcode)
        assert known is not None
        yield from known.forms


def _random_words(form: Form, random: Random) -> tuple[str, ...]:
    """Words of the places of a form, sometimes in another order, or with one that is missing or there twice."""
    words = [random.choice(e.words) for e in form.elements if not e.optional or random.random() < 0.5]
    if words and random.random() < 0.3:
        random.shuffle(words)
    if words and random.random() < 0.2:
        words.insert(random.randrange(len(words)), random.choice(words))
    if words and random.random() < 0.1:
        words.pop(random.randrange(len(words)))
    return tuple(words)
