"""What is remembered of an opcode text, a slot or a kind does not change a verdict."""

from random import Random

import pytest

from ptx_lsp.isa.instructions import instruction, opcodes
from ptx_lsp.isa.matching import MOST_MODIFIERS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.judge import judge
from ptx_lsp.memo import forget_all
from ptx_lsp.semantics.need_sets import need_sets_of
from ptx_lsp.semantics.shipped_outcomes import operand_kinds
from tests.semantics.shipped_outcomes import groups

Key = tuple[str, tuple[str, ...], Version, Target]

PROFILES = ((Version(9, 0), Target(90)), (Version(6, 0), Target(70)), (Version(9, 4), Target(100, "a")))
MORE_KINDS = (
    *(".pred", ".b16", ".u32", ".f32", ".f64", ".b128", ".u32+", ".u64+", "-.s32", "!.pred", ".u32@b0", "_", "?"),
    *("int8", "int32", "float", "single", "%.u32", "%.v4.u32", "func", "entry", "label", "{.f32,.b32}", "{_,_}"),
    *(".f32|.pred", "_|.pred", ".b32|_", "[.b64]", "[.u32+]", "[.global:.u32]", "[.param.func:.b32,.b32]"),
    *(".global:.b8[]", ".shared:.b32+", ".param.local:.b32", ".param.result:.b64", ".texref", "[.texref,{.s32,.s32}]"),
)
STORED = ("[.b64]", "{.f32,.f32,.f32,.f32,.f32,.f32,.f32,.f32}", ".b32")
ALIKE = (
    # with equal slots, and different verdicts
    ("wmma.store.d.sync.aligned.col.m16n16k16.f32", STORED),
    ("wmma.store.d.v4.sync.aligned.col.m16n16k16.f32", STORED),
    ("clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128", ("[.texref]", "[.b32]")),
    ("mbarrier.init.b64", ("[.texref]", ".b32")),
)


@pytest.fixture
def keys() -> list[Key]:
    """Shipped keys, and keys that differ from one in an operand or in their modifiers; the same ones in each run."""
    random = Random(12)
    shipped = [(key[0], operand_kinds(key)) for group in groups() for key in group.keys]
    found: list[Key] = [(opcode, kinds, *PROFILES[-1]) for opcode, kinds in ALIKE]
    for opcode, kinds in random.sample(shipped, 500):
        version, target = random.choice(PROFILES)
        found.append((opcode, kinds, version, target))
        other = list(kinds)
        if other:
            other[random.randrange(len(other))] = random.choice(MORE_KINDS)
        found.append((opcode, tuple(other), version, target))
        words = opcode.split(".")
        words.insert(random.randint(1, len(words)), random.choice(("v4", "sat", "ftz", "global", "f32", "finite")))
        found.append((".".join(words), kinds, version, target))
    return found


def test_a_verdict_does_not_depend_on_what_was_judged_before(keys: list[Key]) -> None:
    alone = []
    for key in keys:
        forget_all()
        alone.append((judge(*key), need_sets_of(*key[:2])))
    for seed in (1, 2):
        forget_all()
        order = list(range(len(keys)))
        Random(seed).shuffle(order)
        for index in order:
            assert (judge(*keys[index]), need_sets_of(*keys[index][:2])) == alone[index], keys[index]


def test_an_operand_after_a_wrong_one_is_compared_again_where_it_is_alone() -> None:
    # the parts of this vector have two widths, which is not reported after another mistake
    opcode = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"
    profile = (Version(8, 7), Target(120, "a"))
    rest = ("{.b32,.b32}", "{.f32,.f32,.f32,.f32}", ".b32", "{.u16,.s32}", ".b32", "{.u16,.u16}")
    wrong, right = ("{.f64,.f64,.f64,.f64}", "{.b32,.b32,.b32,.b32}")
    one, two = ((opcode, ("{.f32,.f32,.f32,.f32}", second, *rest)) for second in (wrong, right))
    forget_all()
    alone = judge(*two, *profile)
    assert alone.complaints
    forget_all()
    assert judge(*one, *profile).complaints
    assert judge(*two, *profile) == alone


def test_no_form_has_more_places_than_a_statement_may_have_modifiers() -> None:
    # the kinds of slots name places up to that number
    for opcode in opcodes():
        known = instruction(opcode)
        assert known is not None
        assert all(len(form.elements) <= MOST_MODIFIERS for form in known.forms)
