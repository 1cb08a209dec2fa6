"""The prepared forms are those of the rows, and changed rows are read themselves."""

from collections.abc import Iterator

import pytest

from ptx_lsp.isa import instructions, prepared_rows
from ptx_lsp.isa.forms import Form
from ptx_lsp.isa.instructions import CHAPTERS, chapter_bytes, forms_having, instruction, opcodes
from ptx_lsp.isa.matching import has_words
from tests.isa.prepared_rows import sections

WRITE = "python -m tests.isa.prepared_rows"


def data_of(chapter: str) -> tuple[bytes, ...]:
    """What was prepared of a chapter."""
    found = prepared_rows.prepared_chapter(chapter, chapter_bytes(chapter))
    assert found is not None, WRITE
    return found


def assert_same(found: object, expected: object) -> None:
    """Equal, and of the same types: a named tuple is equal to a plain one."""
    assert type(found) is type(expected), f"{found!r} and {expected!r}: {WRITE}"
    if isinstance(found, tuple) and isinstance(expected, tuple):
        for each, other in zip(found, expected, strict=True):
            assert_same(each, other)
    else:
        assert found == expected, WRITE


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_prepared_forms_are_those_of_the_rows(chapter: str) -> None:
    read = [instructions.read_forms(place) for place in sections(chapter)]
    for data, expected in zip(data_of(chapter), read, strict=True):
        found = prepared_rows.PreparedSection(data)
        assert_same(found.forms(), expected)
        assert all(form.section is found.form(0).section for form in found.forms())
        assert found.form(len(expected) - 1) is found.forms()[-1]


def test_prepared_places_are_those_of_the_rows() -> None:
    prepared = prepared_rows.prepared_places()
    assert prepared is not None
    found = {opcode: [sections(chapter)[number] for chapter, number in numbers] for opcode, numbers in prepared.items()}
    assert found == instructions.places_in_rows(), WRITE
    assert len({place for places in found.values() for place in places}) > 200


def texts(form: Form) -> Iterator[tuple[str, ...]]:
    """The modifiers of some opcode texts: of the mandatory ones, of all, with another word, and without the first."""
    must, every = tuple(place[0] for place in form.must), tuple(element.words[-1] for element in form.elements)
    yield from (must, every, (*every, ".v4"), (*must, ".nothing"), every[1:])


def test_the_forms_with_some_words_are_found_before_they_are_made() -> None:
    found = 0
    for opcode in opcodes():
        known = instruction(opcode)
        assert known is not None
        for words in {words for form in known.forms for words in texts(form)}:
            expected = [(index, form) for index, form in enumerate(known.forms) if has_words(form, words)]
            assert forms_having(opcode, words) == expected
            found += len(expected)
    assert found > 1000


def test_a_form_with_other_words_is_not_made() -> None:
    prepared = prepared_rows.prepared_places()
    assert prepared is not None
    [(chapter, number)] = prepared["atom"]
    section = prepared_rows.PreparedSection(data_of(chapter)[number])
    numbers = section.numbers("atom")
    having = section.having(numbers, (".cas", ".b128"))
    assert 0 < len(having) < len(numbers)
    assert section.having(numbers, (".cas", ".f65")) == []


def test_a_chapter_of_other_rows_is_not_used() -> None:
    rows = chapter_bytes("logic")
    assert prepared_rows.prepared_chapter("logic", rows) is not None
    assert prepared_rows.prepared_chapter("logic", rows + b"\n") is None
    assert prepared_rows.prepared_chapter("float", rows) is None
    assert prepared_rows.prepared_chapter("nothing", rows) is None


@pytest.mark.parametrize("data", [b"", b"no marshal", b"\xf3", b"N", b"(\x00\x00\x00\x00", b"i\x01\x00\x00\x00"])
def test_a_broken_file_is_not_used(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    rows = chapter_bytes("logic")
    monkeypatch.setattr(prepared_rows, "read_data", lambda *_: data)
    assert prepared_rows.prepared_chapter("logic", rows) is None


@pytest.mark.parametrize("name", ["_places", "_prepared"])
def test_without_the_files_the_rows_are_read(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(instructions, name, lambda *_: None)
    instructions.instruction.cache_clear()
    known = instructions.instruction("mad24")
    assert known is not None
    assert {form.source.split()[0] for form in known.forms} == {"mad24.half.{u32,s32}", "mad24.hi.sat.s32"}
    assert instructions.instruction("mad25") is None
    assert [form for section in instructions.sections_of("mad24") for form in section] == list(known.forms)
    assert [index for index, _ in forms_having("mad24", (".hi", ".sat", ".s32"))] == [1]
    assert forms_having("mad25", ()) == []
    instructions.instruction.cache_clear()
