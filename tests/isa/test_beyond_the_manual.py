"""Rows about statements that only the assembler accepts, and about operands: `lenient`, `given`, `scalar`, noise."""

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.matching import noise_words
from ptx_lsp.isa.misfits import nearest_misfit
from ptx_lsp.isa.notation import read_section
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.judge import judge

NEWEST, BLACKWELL = Version(9, 4), Target(100, "a")
QUAD = "{.b32,.b32,.b32,.b32}"


def complaints(opcode: str, *kinds: str, version: Version = NEWEST, target: Target = BLACKWELL) -> list[str]:
    found = judge(opcode, kinds, version, target).complaints
    return [c.code for c in found if c.severity is Severity.ERROR]


def test_a_lenient_form_is_accepted_but_never_proposed() -> None:
    forms = read_section("t", "foo — tests\n  foo.{a,b}   d:.b32\n  lenient foo.c   d:.b32", {})
    assert [form.lenient for form in forms] == [False, True]
    assert ".c" not in forms[0].section.words
    misfit = nearest_misfit(forms, (".x",))
    assert misfit is not None
    assert ".c" not in misfit.wanted
    assert complaints("setmaxnreg.inc.sync.aligned.s32", "int8") == []


def test_an_operand_may_need_a_version_of_its_own() -> None:
    kinds = ("{.f32,.f32,.f32,.f32}|.pred", "[.texref,{.f32,.f32}]")
    assert complaints("tex.2d.v4.f32.f32", *kinds, version=Version(7, 1), target=Target(60)) == []
    assert complaints("tex.2d.v4.f32.f32", *kinds, version=Version(7, 0), target=Target(60)) == ["requires-version"]
    assert complaints("tex.2d.v4.f32.f32", *kinds, version=Version(7, 1), target=Target(52)) == ["requires-target"]
    plain = ("{.f32,.f32,.f32,.f32}", "[.texref,{.f32,.f32}]")
    assert complaints("tex.2d.v4.f32.f32", *plain, version=Version(3, 0), target=Target(20)) == []


def test_some_results_can_only_be_discarded() -> None:
    opcode = "mbarrier.arrive.release.cluster.shared::cluster.b64"
    assert complaints(opcode, "_", "[.b32]") == []
    assert complaints(opcode, ".b64", "[.b32]") == ["operand-type"]


def test_one_coordinate_may_replace_a_vector_of_coordinates() -> None:
    assert complaints("tex.2d.v4.f32.f32", QUAD, "[.texref,.f32]") == []
    assert complaints("tex.2d.v4.f32.f32", QUAD, "[.texref,{.f32}]") == ["vector-size"]


def test_the_index_into_an_array_is_an_integer() -> None:
    assert complaints("tex.a2d.v4.f32.f32", QUAD, "[.texref,{.u32,.f32,.f32,.f32}]") == []
    assert complaints("tex.a2d.v4.f32.f32", QUAD, "[.texref,{.f32,.f32,.f32,.f32}]") == ["operand-type"]


def test_opaque_types_and_pairs_of_bits_are_never_noise_together() -> None:
    atom, fence = instruction("atom"), instruction("fence")
    assert atom is not None
    assert fence is not None
    assert {".pred", ".b2"} & noise_words(atom.forms[0]) == {".pred"}
    assert {".pred", ".b2"} & noise_words(fence.forms[0]) == {".b2"}
