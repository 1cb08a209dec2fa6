"""The instruction set as a table: every opcode with its forms, of `rows/*.isa`, read on first use."""

from ptx_lsp.isa.forms import Form, ManualSection
from ptx_lsp.isa.matching import has_words
from ptx_lsp.isa.opcode_sets import COMMON
from ptx_lsp.isa.prepared_rows import Places, PreparedSection, prepared_chapter, prepared_places
from ptx_lsp.light_classes import Iterator, NamedTuple, cache, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.package_data import read_data, read_text

_CHAPTERS = (
    "compare control conversion copies fabric float half integer logic matrix miscellaneous mma movement multimem "
    "stack surface synchronization tcgen05 tensors texture video warpgroup wmma"
)
CHAPTERS = tuple(_CHAPTERS.split())
"""The files of rows that describe instructions, in alphabetical order."""


class Opcode(NamedTuple):
    """All meanings of one opcode (`add`, `cp`, without modifiers)."""

    opcode: str
    forms: tuple[Form, ...]

    @property
    def sections(self) -> tuple[ManualSection, ...]:
        """The sections of the manual about it."""
        return tuple(dict.fromkeys(form.section for form in self.forms))


Place = tuple[str, int, int]
"""A section in the rows: its chapter, and where it begins and ends in the text of `_texts`."""


def chapter_bytes(chapter: str) -> bytes:
    """The file of rows of a chapter."""
    return read_data("isa", "rows", f"{chapter}.isa")


@cache
def _places() -> Places | None:
    return prepared_places()


@cache
def _prepared(chapter: str) -> tuple[bytes, ...] | None:
    return prepared_chapter(chapter, chapter_bytes(chapter))


@cache
def _prepared_section(place: tuple[str, int]) -> PreparedSection:
    chapter, number = place
    sections = _prepared(chapter)
    assert sections is not None, "this is asked only of chapters that are prepared"
    return PreparedSection(sections[number])


@cache
def _texts() -> dict[str, str]:
    """The chapters. Each begins with a line break, because `NAMES` finds names after a line break."""
    return {chapter: "\n" + read_text("isa", "rows", f"{chapter}.isa") for chapter in CHAPTERS}


@cache
def places_in_rows() -> dict[str, list[Place]]:
    """The places of the sections of each opcode."""
    from ptx_lsp.isa.notation import NAMES  # only if the rows are not prepared

    index: dict[str, list[Place]] = {}
    for chapter, text in _texts().items():
        headers = list(NAMES.finditer(text))
        ends = [h.start(1) for h in headers[1:]] + [len(text)]
        for header, end in zip(headers, ends, strict=True):
            for opcode in {name.strip().split(".")[0] for name in header[1].split(",")}:
                index.setdefault(opcode, []).append((chapter, header.start(1), end))
    return index


@cache
def read_forms(place: Place) -> tuple[Form, ...]:
    """The forms of a section, read from its rows."""
    from ptx_lsp.isa.notation import file_groups, read_section

    chapter, start, end = place
    text = _texts()[chapter]
    return tuple(read_section(chapter, text[start:end], file_groups(text, start)))


def _prepared_sections(opcode: str) -> Iterator[PreparedSection] | None:
    """The sections of an opcode, each read when it is due; None if they are not prepared."""
    known = _places()
    places = () if known is None else known.get(opcode, ())
    if known is None or any(_prepared(chapter) is None for chapter, _ in places):
        return None
    return map(_prepared_section, places)


def sections_of(opcode: str) -> Iterator[tuple[Form, ...]]:
    """The forms of an opcode and of those that share its sections, section by section, each read when it is due."""
    prepared = _prepared_sections(opcode)
    if prepared is None:
        return map(read_forms, places_in_rows().get(opcode, ()))
    return (section.forms() for section in prepared)


def forms_having(opcode: str, words: tuple[str, ...]) -> list[tuple[int, Form]]:
    """The forms of an opcode that have a place for each word, and for each place that must be filled one of the words.

    With each comes its index among all forms of the opcode. Only these forms are made, not the others of the opcode.
    """
    prepared = _prepared_sections(opcode)
    if prepared is None:
        known = instruction(opcode)
        return [(index, form) for index, form in enumerate(known.forms) if has_words(form, words)] if known else []
    found: list[tuple[int, Form]] = []
    before = 0
    for section in prepared:
        numbers = section.numbers(opcode)
        found += [(before + numbers.index(number), section.form(number)) for number in section.having(numbers, words)]
        before += len(numbers)
    return found


@forgettable
@lru_cache(maxsize=4096)
def instruction(opcode: str) -> Opcode | None:
    """The instruction with this opcode (without modifiers, `add`); None if the opcode is unknown."""
    forms = [form for section in sections_of(opcode) for form in section if form.opcode == opcode]
    return Opcode(opcode, tuple(forms)) if forms else None


@cache
def opcodes() -> list[str]:
    """Every opcode, in alphabetical order."""
    places = _places()
    return sorted(places_in_rows() if places is None else places)


def nearest_opcode(word: str) -> str:
    """The opcode that was probably meant; empty if none is near.

    Of equally near opcodes it is the one that `word` is the beginning of, then the more common one.
    """
    from difflib import get_close_matches

    word = word[:40].lower()
    near = get_close_matches(word, opcodes(), 8, 0.6)
    return min(near, key=lambda opcode: _unlikeliness(word, opcode), default="")


def _unlikeliness(word: str, opcode: str) -> tuple[float, bool, int]:
    from difflib import SequenceMatcher

    ratio = SequenceMatcher(None, opcode, word).ratio()
    return -ratio, not opcode.startswith(word), COMMON.get(opcode, len(COMMON))


@cache
def modifier_words() -> frozenset[str]:
    """Every modifier of every form, with its dot: for keyword lists. Reads the whole table."""
    found: set[str] = set()
    for opcode in opcodes():
        known = instruction(opcode)
        for form in known.forms if known else ():
            found.update(word for element in form.elements for word in element.words)
    return frozenset(found)
