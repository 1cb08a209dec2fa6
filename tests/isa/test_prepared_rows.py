"""The prepared forms are those of the rows, and changed rows are read themselves."""

from collections.abc import Iterator

import pytest

from ptx_lsp.isa import instructions, prepared_rows
from tests.isa.prepared_rows import sections


@pytest.fixture
def without_file(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(instructions, "_prepared", lambda: None)
    instructions.instruction.cache_clear()
    yield
    instructions.instruction.cache_clear()


def assert_same(found: object, expected: object) -> None:
    """Equal, and of the same types: a named tuple is equal to a plain one."""
    assert type(found) is type(expected), f"{found!r} and {expected!r}: python -m tests.isa.prepared_rows"
    if isinstance(found, tuple) and isinstance(expected, tuple):
        for each, other in zip(found, expected, strict=True):
            assert_same(each, other)
    else:
        assert found == expected, "python -m tests.isa.prepared_rows"


def test_the_file_is_of_the_rows() -> None:
    assert prepared_rows.prepared_rows(instructions.chapter_bytes()) is not None, "python -m tests.isa.prepared_rows"


def test_prepared_forms_are_those_of_the_rows() -> None:
    prepared = prepared_rows.prepared_rows(instructions.chapter_bytes())
    assert prepared is not None
    read = [instructions.read_forms(place) for place in sections()]
    assert len(read) == len(prepared.sections) > 200
    for number, expected in enumerate(read):
        assert_same(prepared.forms(number), expected)


def test_prepared_places_are_those_of_the_rows() -> None:
    prepared = prepared_rows.prepared_rows(instructions.chapter_bytes())
    assert prepared is not None
    places = sections()
    found = {opcode: [places[number] for number in numbers] for opcode, numbers in prepared.places.items()}
    assert found == instructions.places_in_rows()


def test_forms_share_the_page_of_their_section() -> None:
    prepared = prepared_rows.prepared_rows(instructions.chapter_bytes())
    assert prepared is not None
    for number in range(len(prepared.sections)):
        first, *others = prepared.forms(number)
        assert all(form.section is first.section for form in others)


def test_a_file_of_other_rows_is_not_used() -> None:
    first, *others = instructions.chapter_bytes()
    assert prepared_rows.prepared_rows([first, *others]) is not None
    assert prepared_rows.prepared_rows([first + b"\n", *others]) is None
    assert prepared_rows.prepared_rows([first]) is None


@pytest.mark.parametrize("data", [b"", b"no marshal", b"\xf3"])
def test_a_broken_file_is_not_used(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(prepared_rows, "read_data", lambda *_: data)
    assert prepared_rows.prepared_rows(instructions.chapter_bytes()) is None


@pytest.mark.usefixtures("without_file")
def test_without_the_file_the_rows_are_read() -> None:
    known = instructions.instruction("mad24")
    assert known is not None
    assert {form.source.split()[0] for form in known.forms} == {"mad24.half.{u32,s32}", "mad24.hi.sat.s32"}
    assert instructions.instruction("mad25") is None
    assert [form for section in instructions.sections_of("mad24") for form in section] == list(known.forms)
