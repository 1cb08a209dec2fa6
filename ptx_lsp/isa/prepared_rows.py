"""The forms of the instruction set from files that are read twenty times as fast as the rows.

The first statement of an opcode needs its forms: to read the rows of nine opcodes took two fifths of the time to check
a file of 4,000 lines. Each file in `prepared/` has what reading the rows of its chapter gives, as plain tuples. It is
used only if the rows are those that it was made of, so a changed row counts at once. Which opcodes there are, and in
which sections, is in a file of its own, which is not compared with the rows: a test does that.
`python -m tests.isa.prepared_rows` writes all files.
"""

from __future__ import annotations

from ptx_lsp.isa.forms import (
    ANYWHERE,
    Access,
    Bound,
    ConditionTerm,
    Element,
    Form,
    Gate,
    Limit,
    ManualSection,
    ModifierRule,
    Needs,
    OperandShape,
    Removal,
    Requirement,
    Slot,
)
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.light_classes import TYPE_CHECKING, Any, NamedTuple, cast
from ptx_lsp.package_data import read_data

if TYPE_CHECKING:
    from ptx_lsp.isa.forms import Condition

FOLDER = "prepared"
PLACES = "places.marshal"
Raw = tuple[Any, ...]
"""The fields of an object of `isa.forms`, in which each object is such a tuple again, and a member of an enumeration is
its name. Sets are tuples in alphabetical order. Needs, conditions, elements and slots are numbers in the lists of their
section, and a part of a slot is that of an earlier one."""
_MEMBERS: dict[str, Any] = {each.name: each for each in (*Access, *OperandShape, *Bound)}


class PreparedSection:
    """The forms of a section, each made when it is asked for: an instruction needs one of up to fifty.

    Each word is a bit of a number. `_heads` has for each form its opcode, its vocabulary, and the words of each place
    that must be filled. `_rest` and `_forms` are bytes for `marshal`, of the section and of each form.
    """

    __slots__ = ("_forms", "_heads", "_made", "_parts", "_rest", "_section", "_words")

    def __init__(self, data: bytes) -> None:
        import marshal

        self._words, self._heads, self._rest, self._forms = marshal.loads(data)
        self._section: ManualSection | None = None
        self._parts: _Parts | None = None
        self._made: dict[int, Form] = {}

    def numbers(self, opcode: str) -> list[int]:
        """The numbers of the forms of an opcode."""
        return [number for number, head in enumerate(self._heads) if head[0] == opcode]

    def having(self, numbers: list[int], words: tuple[str, ...]) -> list[int]:
        """Which of these forms have a place for each word, and for each place that must be filled one of the words."""
        bits, heads = 0, self._heads
        for word in words:
            if word not in self._words:
                return []
            bits |= self._words[word]
        having = [number for number in numbers if bits & heads[number][1] == bits]
        return [number for number in having if all(bits & place for place in heads[number][2])]

    def form(self, number: int) -> Form:
        """The form with this number."""
        if number not in self._made:
            import marshal

            if self._section is None or self._parts is None:
                own, *lists = marshal.loads(self._rest)
                self._parts = _parts(lists)
                self._section = _section(own, self._parts)
            opcode, raw = self._heads[number][0], marshal.loads(self._forms[number])
            self._made[number] = _form(opcode, raw, self._section, self._parts)
        return self._made[number]

    def forms(self) -> tuple[Form, ...]:
        """All forms."""
        return tuple(map(self.form, range(len(self._heads))))


class _Parts(NamedTuple):
    """The lists of a section, from which its forms take their parts."""

    needs: list[Needs]
    conditions: list[Condition]
    elements: list[Element]
    slots: list[Slot]


Places = dict[str, tuple[tuple[str, int], ...]]
"""The sections of each opcode, in the order of the rows: the chapter, and the number of the section in it."""


def prepared_places() -> Places | None:
    """The sections of each opcode; None without a file."""
    return cast("Places | None", _read(PLACES))


def prepared_chapter(chapter: str, rows: bytes) -> tuple[bytes, ...] | None:
    """The data of the sections of a chapter; None if there is no such file, or if it is of other rows than these."""
    try:
        of, sections = _read(f"{chapter}.marshal")
        return sections if of == checksum(rows) else None
    except (ImportError, TypeError, ValueError):  # not CPython, no file, or another file
        return None


def _read(name: str) -> Any:
    try:
        import marshal

        return marshal.loads(read_data("isa", FOLDER, name))
    except (ImportError, OSError, EOFError, ValueError, TypeError):  # or one of another version of `marshal`
        return None


def checksum(rows: bytes) -> bytes:
    """Eight bytes that differ if the rows differ. Raises ImportError where they cannot be made fast."""
    from _imp import source_hash  # that of `importlib` and of `zlib` take longer to import than all rows to compare

    return source_hash(0, rows)


# --- from plain tuples ------------------------------------------------------------------------------------------------


def _parts(raw: list[Raw]) -> _Parts:
    needs, conditions, elements, slots = raw
    parts = _Parts(
        [_needs(each) for each in needs],
        [tuple([ConditionTerm(*term) for term in each]) for each in conditions],
        [Element(*each) for each in elements],
        [],
    )
    for each in slots:
        parts.slots.append(_slot(each, parts))
    return parts


def _section(raw: Raw, parts: _Parts) -> ManualSection:
    chapter, names, words, meaning, anchor, whole, gates, given, rules, noise, twice, *others = raw
    effects, notes, groups, trailing, addresses, native = others
    needs, conditions = parts.needs, parts.conditions
    return ManualSection(
        chapter,
        names,
        frozenset(words),
        meaning,
        anchor,
        needs[whole],
        tuple([Gate(conditions[condition], needs[asked]) for condition, asked in gates]),
        tuple([(role, needs[asked]) for role, asked in given]),
        tuple([ModifierRule(conditions[subject], conditions[other], both) for subject, other, both in rules]),
        frozenset(noise),
        frozenset(twice),
        effects,
        notes,
        groups,
        frozenset(trailing),
        frozenset(addresses),
        needs[native],
    )


def _form(opcode: str, raw: Raw, section: ManualSection, parts: _Parts) -> Form:
    source, places, operands, needs, lenient = raw
    elements = tuple([parts.elements[number] for number in places])
    return Form(
        source,
        opcode,
        elements,
        tuple([parts.slots[number] for number in operands]),
        parts.needs[needs],
        section,
        lenient,
        frozenset([word for element in elements for word in element.words]),
        tuple([element.words for element in elements if not element.optional]),
    )


def _slot(raw: Raw, parts: _Parts) -> Slot:
    role, access, shape, kinds, arity, inside, relaxed, optional, when, limit, flags = raw
    return Slot(
        role,
        _MEMBERS[access],
        _MEMBERS[shape],
        kinds,
        arity,
        tuple([parts.slots[number] for number in inside]),
        relaxed,
        optional,
        parts.conditions[when],
        None if limit is None else Limit(_MEMBERS[limit[0]], *limit[1:]),
        frozenset(flags),
    )


def _needs(raw: Raw) -> Needs:
    alternatives, removed, deprecated = raw
    if not (alternatives or removed or deprecated):
        return ANYWHERE
    return Needs(
        tuple([Requirement(_version(since), tuple([Target(*each) for each in on])) for since, on in alternatives]),
        tuple([Removal(Version(*since), None if on is None else Target(*on)) for since, on in removed]),
        _version(deprecated),
    )


def _version(raw: Raw | None) -> Version | None:
    return None if raw is None else Version(*cast("tuple[int, int]", raw))
