"""Writes the prepared forms of the instruction set: `python -m tests.isa.prepared_rows`, after each change of a row."""

import marshal
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ptx_lsp.isa import prepared_rows
from ptx_lsp.isa.forms import Access, Bound, Condition, Element, Form, Needs, OperandShape, Slot
from ptx_lsp.isa.instructions import CHAPTERS, Place, chapter_bytes, places_in_rows, read_forms

FOLDER = Path(prepared_rows.__file__).with_name(prepared_rows.FOLDER)
FORMAT = 4  # of `marshal`: equal parts of a section are written once; every later version of Python reads it
_ENUMERATIONS = (Access, OperandShape, Bound)


def sections(chapter: str) -> list[Place]:
    """The places of the sections of a chapter, in the order of its rows."""
    return sorted({place for places in places_in_rows().values() for place in places if place[0] == chapter})


class _Writer:
    """The data of one section. Its lists have each different part once, as `marshal` takes it."""

    def __init__(self) -> None:
        self._words: dict[str, int] = {}
        self._lists: dict[type, list[Any]] = {Needs: [], tuple: [], Element: [], Slot: []}
        self._numbers: dict[tuple[type, object], int] = {}
        self._shared: dict[object, Any] = {}

    def raw(self, value: object) -> Any:
        """A value as `marshal` takes it, in the form of `prepared_rows.Raw`; equal parts are the same object."""
        if isinstance(value, _ENUMERATIONS):
            value = value.name
        elif isinstance(value, frozenset):
            value = self.raw(tuple(sorted(value)))
        elif isinstance(value, tuple):
            value = tuple([self.raw(each) for each in value])
        return self._shared.setdefault((type(value), repr(value)), value)

    def number(self, part: Needs | Condition | Element | Slot) -> int:
        """The number of a part in its list. The parts of a slot come before it."""
        if (type(part), part) not in self._numbers:
            raw: list[Any] = list(part)
            if isinstance(part, Slot):
                inside, when = (part._fields.index(name) for name in ("parts", "when"))
                raw[inside], raw[when] = tuple(map(self.number, part.parts)), self.number(part.when)
            of = self._lists[type(part)]
            of.append(self.raw(tuple(raw)))
            self._numbers[type(part), part] = len(of) - 1
        return self._numbers[type(part), part]

    def bits(self, words: Iterable[str]) -> int:
        """A number with the bits of these words."""
        return sum(self._words.setdefault(word, 1 << len(self._words)) for word in sorted(set(words)))

    def form(self, form: Form) -> Any:
        """A form without its section."""
        elements, slots = tuple(map(self.number, form.elements)), tuple(map(self.number, form.slots))
        return form.source, elements, slots, self.number(form.needs), form.lenient

    def section(self, forms: tuple[Form, ...]) -> bytes:
        """The whole section as bytes."""
        heads = tuple([(form.opcode, self.bits(form.vocabulary), tuple(map(self.bits, form.must))) for form in forms])
        rows, own = tuple([marshal.dumps(self.form(form), FORMAT) for form in forms]), forms[0].section
        numbered: dict[str, Any] = {
            "needs": self.number(own.needs),
            "gates": tuple([(self.number(each.condition), self.number(each.needs)) for each in own.gates]),
            "given": tuple([(role, self.number(needs)) for role, needs in own.given]),
            "rules": tuple([(self.number(a), self.number(b), together) for a, b, together in own.rules]),
            "native": self.number(own.native),
        }
        rest = marshal.dumps((self.raw(own._replace(**numbered)), *map(tuple, self._lists.values())), FORMAT)
        return marshal.dumps((self._words, self.raw(heads), rest, rows), FORMAT)


def files() -> dict[str, bytes]:
    """The files by their names."""
    chapters = {chapter: sections(chapter) for chapter in CHAPTERS}
    numbers = {place: (place[0], number) for places in chapters.values() for number, place in enumerate(places)}
    places = {opcode: tuple([numbers[place] for place in found]) for opcode, found in sorted(places_in_rows().items())}
    found = {prepared_rows.PLACES: marshal.dumps(places, FORMAT)}
    for chapter, of in chapters.items():
        written = tuple([_Writer().section(read_forms(place)) for place in of])
        found[f"{chapter}.marshal"] = marshal.dumps((prepared_rows.checksum(chapter_bytes(chapter)), written), FORMAT)
    return found


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, data in files().items():
        (FOLDER / name).write_bytes(data)
