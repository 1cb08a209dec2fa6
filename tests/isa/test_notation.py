"""The notation of rows: the meaning of each kind of line, and the rejection of misspelt lines."""

from pathlib import Path

import pytest

import ptx_lsp
from ptx_lsp.isa.clauses import NotationError, read_condition, read_needs
from ptx_lsp.isa.forms import Access, Bound, ConditionTerm, Form, OperandShape
from ptx_lsp.isa.instructions import CHAPTERS, instruction, opcodes
from ptx_lsp.isa.notation import file_groups, read_section
from ptx_lsp.isa.versions import Target, Version


def forms(*lines: str, head: str = "foo — tests  #foo") -> list[Form]:
    return read_section("tests", "\n".join([head, *("  " + line for line in lines)]), {})


def words(form: Form) -> list[tuple[str, ...]]:
    return [element.words for element in form.elements]


def test_a_header_has_names_a_meaning_and_an_anchor() -> None:
    (form,) = forms("mul.lo.s32  d, a", head="mul.lo, mul.hi — half of the product  #the-anchor")
    assert form.section.names == ("mul.lo", "mul.hi")
    assert form.section.meaning == "half of the product"
    assert form.section.url.endswith("#the-anchor")
    assert form.elements[0].fixed


def test_words_of_a_name_may_be_free() -> None:
    (form,) = forms("add.cc.u32  d, a", "free .cc", head="add.cc — tests  #x")
    assert not form.elements[0].fixed


def test_modifiers_are_mandatory_optional_or_one_of_several() -> None:
    (form,) = forms("foo.a{.b}.{c,d}{.{e,f}}.type  d", ".type = .u32 .s32")
    assert words(form) == [(".a",), (".b",), (".c", ".d"), (".e", ".f"), (".u32", ".s32")]
    assert [element.optional for element in form.elements] == [False, True, False, True, False]
    assert form.elements[-1].name == ".type"
    assert len(form.must) == 3
    assert form.vocabulary == {".a", ".b", ".c", ".d", ".e", ".f", ".u32", ".s32"}


def test_words_in_one_pair_of_braces_are_all_present_or_all_missing() -> None:
    both, neither = sorted(forms("foo{.a.b}.u32  d"), key=lambda form: -len(form.elements))
    assert words(both) == [(".a",), (".b",), (".u32",)]
    assert words(neither) == [(".u32",)]


def test_groups_may_contain_groups_and_be_at_the_margin() -> None:
    text = ".int = .u32 .s32\n.all = .int .f32\nfoo — tests\n  foo.all  d"
    groups = file_groups(text, text.index("foo"))
    (form,) = read_section("tests", text[text.index("foo") :], groups)
    assert words(form) == [(".u32", ".s32", ".f32")]


def test_types_keep_their_order() -> None:
    (form,) = forms("foo.x.u32.s32  d:.u32, a:.s32")
    assert [element.ordered for element in form.elements] == [(), (), (1,)]


def test_operands_without_a_kind_have_the_type_of_the_form() -> None:
    (form,) = forms("foo.{x,y}.u32  d, a, b:.f32")
    assert [slot.kinds for slot in form.slots] == [("@1",), ("@1",), (".f32",)]
    assert [slot.access for slot in form.slots] == [Access.WRITE, Access.READ, Access.READ]


def test_operands_are_addresses_vectors_and_pairs() -> None:
    (form,) = forms("foo.v4.global.u32  >p[|q]:pred, [a, c{2}:.i32], <>e{4}, {x:.b32, y:.b64}")
    pair, address, vector, unlike = form.slots
    assert (pair.shape, pair.role, pair.parts[1].optional) == (OperandShape.PAIR, "p|q", True)
    assert (address.shape, address.parts[0].kinds, address.parts[1].arity) == (OperandShape.ADDRESS, ("@1",), ("2",))
    assert (vector.shape, vector.access, vector.arity) == (OperandShape.VECTOR, Access.BOTH, ("4",))
    assert [part.role for part in unlike.parts] == ["x", "y"]


def test_operands_may_depend_on_modifiers() -> None:
    (form,) = forms("foo{.m}.u32  d, a{, b}{, c if .m}{, e:.b64 with .m}")
    assert [slot.optional for slot in form.slots] == [False, False, True, True, True]
    assert [slot.when for slot in form.slots[3:]] == [(ConditionTerm("", (".m",)),)] * 2
    assert "only_with" in form.slots[4].flags


@pytest.mark.parametrize(
    ("limit", "bound", "numbers"),
    [
        ("(0..15)", Bound.RANGE, (0, 15, 1, 0)),
        ("(0..1048575 %8)", Bound.MULTIPLE, (0, 1048575, 8, 0)),
        ("(pow2 32..512 mod32)", Bound.POWER_OF_TWO, (32, 512, 1, 2**32)),
    ],
)
def test_constants_have_limits(limit: str, bound: Bound, numbers: tuple[int, int, int, int]) -> None:
    (form,) = forms(f"foo  a:imm {limit}")
    found = form.slots[0].limit
    assert found is not None
    assert (found.bound, (found.low, found.high, found.step, found.modulo)) == (bound, numbers)


def test_needs_have_versions_targets_and_alternatives() -> None:
    needs = read_needs("ptx 8.6 sm_100a sm_101a or ptx 8.8 sm_100f removed 9.0 sm_120 deprecated 8.9")
    assert [a.version for a in needs.alternatives] == [Version(8, 6), Version(8, 8)]
    assert needs.alternatives[0].targets == (Target(100, "a"), Target(101, "a"))
    assert (needs.removed[0].version, needs.removed[0].target) == (Version(9, 0), Target(120))
    assert needs.deprecated == Version(8, 9)


def test_conditions_have_terms() -> None:
    assert read_condition(".a.{b,c}.g(.d)", {}) == (
        ConditionTerm("", (".a",)),
        ConditionTerm("", (".b", ".c")),
        ConditionTerm(".g", (".d",)),
    )


@pytest.mark.parametrize(
    "line",
    [
        "foo.u32  d, a:.b33",  # no such type
        "foo.u32  d, a{.vec}",  # no such group
        "foo.u32  d, a:imm (0..)",
        "foo.u32  d, a symbl",  # no such flag
        "foo.u32  d, [a] sreeg",
        "foo.u32.s32  d",  # two types
        "foo.u32  d, [a",
        "foo{.u32  d",
        "bar.u32  d",  # another opcode
        ".a excludes .b",  # no form has these modifiers
        "given c  ptx 8.0",  # no such operand
        ".u32 sm90",
        "effect reeds .global",
        "requires ptx eight",
    ],
)
def test_misspelt_rows_are_refused(line: str) -> None:
    with pytest.raises((NotationError, ValueError)):
        forms("foo.u32  d, a:.u32", line)


def test_every_file_of_rows_is_read() -> None:
    rows = {path.stem for path in (Path(ptx_lsp.__file__).parent / "isa" / "rows").iterdir()}
    assert rows == {*CHAPTERS, "directives", "habits", "narrow_addresses", "special_registers"}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_row_can_be_read_and_has_a_page(chapter: str) -> None:
    found = [f for o in opcodes() if (i := instruction(o)) for f in i.forms if f.section.chapter == chapter]
    assert found
    for form in found:
        assert form.section.anchor, form.source
        assert form.section.meaning, form.source
        assert form.opcode in {name.split(".")[0] for name in form.section.names}


def test_an_opcode_is_read_once() -> None:
    assert instruction("add") is instruction("add")
    assert instruction("ad") is None


def test_every_summary_begins_with_a_verb() -> None:
    """A verb in the third person first: `adds two integers; ...`."""
    for opcode in opcodes():
        found = instruction(opcode)
        assert found is not None
        for section in found.sections:
            first, *rest = section.meaning.split()
            assert first.rstrip(",").endswith("s"), section.meaning
            assert rest, section.names
