"""Writes the prepared forms of the instruction set: `python -m tests.isa.prepared_rows`, after each change of a row."""

import marshal
from pathlib import Path
from typing import Any

from ptx_lsp.isa import prepared_rows
from ptx_lsp.isa.forms import Access, Bound, Form, OperandShape
from ptx_lsp.isa.instructions import Place, chapter_bytes, places_in_rows, read_forms

PATH = Path(prepared_rows.__file__).with_name(prepared_rows.FILE)
FORMAT = 4  # of `marshal`: equal parts of a section are written once; every later version of Python reads it
_ENUMERATIONS = (Access, OperandShape, Bound)


def sections() -> list[Place]:
    """The places of all sections, in the order in which the file has them."""
    return sorted({place for places in places_in_rows().values() for place in places})


def raw(value: object, shared: dict[object, Any]) -> Any:
    """A value as `marshal` takes it, in the form of `prepared_rows.Raw`; equal parts are the same object."""
    if isinstance(value, _ENUMERATIONS):
        value = value.name
    elif isinstance(value, frozenset):
        value = raw(tuple(sorted(value)), shared)
    elif isinstance(value, tuple):
        value = tuple([raw(each, shared) for each in value])
    return shared.setdefault((type(value), repr(value)), value)


def section(read: tuple[Form, ...]) -> bytes:
    """The page and the forms of a section as bytes."""
    shared: dict[object, Any] = {}
    rows = [tuple([each for each in form if each is not form.section]) for form in read]
    return marshal.dumps((raw(read[0].section, shared), tuple([raw(row, shared) for row in rows])), FORMAT)


def data() -> bytes:
    """The whole file: the checksums of the rows, the numbers of the sections of each opcode, and the sections."""
    numbers = {place: number for number, place in enumerate(sections())}
    places = {opcode: tuple([numbers[place] for place in found]) for opcode, found in sorted(places_in_rows().items())}
    sums = prepared_rows.checksums(chapter_bytes())
    return marshal.dumps((sums, places, tuple([section(read_forms(place)) for place in sections()])), FORMAT)


if __name__ == "__main__":
    PATH.write_bytes(data())
