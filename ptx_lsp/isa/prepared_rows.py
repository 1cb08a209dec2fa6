"""The forms of the instruction set from a file that is read twenty times as fast as the rows.

The first statement of an opcode needs its forms: to read the rows of nine opcodes took two fifths of the time to check
a file of 4,000 lines. `prepared_rows.marshal` has what reading the rows gives, as plain tuples. It is used only if the
rows are those that it was made of, so a new row counts at once; `python -m tests.isa.prepared_rows` writes the file.
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
from ptx_lsp.light_classes import TYPE_CHECKING, Any, NamedTuple, cache, cast
from ptx_lsp.package_data import read_data

if TYPE_CHECKING:
    from ptx_lsp.isa.forms import Condition
    from ptx_lsp.light_classes import Iterable

FILE = "prepared_rows.marshal"
Raw = tuple[Any, ...]
"""The fields of an object of `isa.forms`, in which each object is such a tuple again, and a member of an enumeration is
its name. Sets are tuples in alphabetical order."""


class PreparedRows(NamedTuple):
    """The numbers of the sections of each opcode, in the order of the rows, and the sections.

    A section is the bytes for `marshal` of its own data and its forms, which do not have those.
    """

    places: dict[str, tuple[int, ...]]
    sections: tuple[bytes, ...]

    def forms(self, number: int) -> tuple[Form, ...]:
        """The forms of a section; equal for each call, but not the same objects."""
        import marshal

        own, forms = marshal.loads(self.sections[number])
        section = _section(own)
        return tuple([_form(form, section) for form in forms])


def prepared_rows(chapters: Iterable[bytes]) -> PreparedRows | None:
    """What was prepared of the rows of these chapters; None if there is no file, or if it is of other rows."""
    try:
        import marshal

        sums, places, sections = marshal.loads(read_data("isa", FILE))
    except (ImportError, OSError, EOFError, ValueError, TypeError):  # or one of another version of `marshal`
        return None
    return PreparedRows(places, sections) if sums == checksums(chapters) else None


def checksums(chapters: Iterable[bytes]) -> tuple[int, ...]:
    """A number for each chapter, which differs if its text differs."""
    from zlib import crc32

    return tuple([crc32(chapter) for chapter in chapters])


# --- from plain tuples ------------------------------------------------------------------------------------------------

# Equal parts of many forms are made once: the caches have no more entries than the rows have different parts.


def _section(raw: Raw) -> ManualSection:
    chapter, names, words, meaning, anchor, needs, gates, given, rules, noise, twice, *others = raw
    effects, notes, groups, trailing, addresses, native = others
    return ManualSection(
        chapter,
        names,
        frozenset(words),
        meaning,
        anchor,
        _needs(needs),
        tuple([Gate(_condition(condition), _needs(asked)) for condition, asked in gates]),
        tuple([(role, _needs(asked)) for role, asked in given]),
        tuple([ModifierRule(_condition(subject), _condition(other), both) for subject, other, both in rules]),
        frozenset(noise),
        frozenset(twice),
        effects,
        notes,
        groups,
        frozenset(trailing),
        frozenset(addresses),
        _needs(native),
    )


def _form(raw: Raw, section: ManualSection) -> Form:
    source, opcode, elements, slots, needs, lenient, vocabulary, must = raw
    return Form(
        source,
        opcode,
        tuple(map(_element, elements)),
        tuple(map(_slot, slots)),
        _needs(needs),
        section,
        lenient,
        frozenset(vocabulary),
        must,
    )


@cache
def _element(raw: Raw) -> Element:
    return Element(*raw)


@cache
def _slot(raw: Raw) -> Slot:
    role, access, shape, kinds, arity, parts, relaxed, optional, when, limit, flags = raw
    return Slot(
        role,
        Access[access],
        OperandShape[shape],
        kinds,
        arity,
        tuple(map(_slot, parts)),
        relaxed,
        optional,
        _condition(when),
        None if limit is None else Limit(Bound[limit[0]], *limit[1:]),
        frozenset(flags),
    )


@cache
def _condition(raw: Raw) -> Condition:
    return tuple([ConditionTerm(*term) for term in raw])


@cache
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
