"""The missing modifiers of an instruction, each at its place in the manual."""

from collections.abc import Iterator
from itertools import islice, product

from ptx_lsp.fixes.opcodes import modifiers_of
from ptx_lsp.isa.forms import Form
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.types import TYPE_WORDS

MOST_COMBINATIONS = 24
MOST_LACKING = 4

Completion = tuple[tuple[int, str], ...]
"""Words to insert, each with the number of the present modifiers that come before it."""


def single_words(opcode: str, words: tuple[str, ...], wanted: list[str]) -> Iterator[Completion]:
    """Each modifier of the opcode that is not there yet, those that are `wanted` first."""
    for word in dict.fromkeys([*wanted, *modifiers_of(opcode)]):
        for place in places_for(opcode, words, word):
            yield ((place, word),)


def completions(opcode: str, words: tuple[str, ...]) -> Iterator[Completion]:
    """Several modifiers at once: for each form that has a place for all `words`, the other modifiers that it needs."""
    known = instruction(opcode)
    for form in known.forms if known is not None else ():
        taken = None if form.lenient else _taken(form, words)
        if taken is None:
            continue
        empty = [i for i, element in enumerate(form.elements) if not element.optional and i not in taken]
        if 2 <= len(empty) <= MOST_LACKING:
            for chosen in islice(product(*(form.elements[i].words for i in empty)), MOST_COMBINATIONS):
                yield tuple((_before(taken, i), word) for i, word in zip(empty, chosen, strict=True))


def places_for(opcode: str, words: tuple[str, ...], word: str) -> list[int]:
    """The possible numbers of `words` that come before `word` in the order of the manual, the most likely first.

    A type can have several places: `.f32` before or after the types that are there.
    """
    known = instruction(opcode)
    forms = [f for f in known.forms if not f.lenient and word in f.vocabulary] if known is not None else []
    ranked = sorted(forms, key=lambda form: -sum(w in form.vocabulary for w in words))
    found: list[int] = []
    for form in ranked[:MOST_COMBINATIONS]:
        for i, element in enumerate(form.elements):
            if word in element.words:
                found.append(_place(form, words, i))
    places = list(dict.fromkeys(found))
    return places if word in TYPE_WORDS else places[:1]


def insert(words: tuple[str, ...], completion: Completion) -> tuple[str, ...]:
    """All the words together, in their order."""
    result = list(words)
    for place, word in reversed(completion):
        result.insert(place, word)
    return tuple(result)


def _place(form: Form, words: tuple[str, ...], element: int) -> int:
    """The place with the fewest words on the wrong side of the element."""
    homes = [_home(form, word, element) for word in words]

    def misplaced(place: int) -> int:
        before, after = homes[:place], homes[place:]
        return sum(h > element for h in before) + sum(0 <= h < element for h in after)

    return min(range(len(words) + 1), key=lambda place: (misplaced(place), -place))


def _home(form: Form, word: str, but: int) -> int:
    """The index of the first place of the form for a word, without the place `but`; -1 if no place fits."""
    return next((i for i, element in enumerate(form.elements) if word in element.words and i != but), -1)


def _taken(form: Form, words: tuple[str, ...]) -> dict[int, int] | None:
    """For each place of the form that a word takes, left to right, the index of the word; None if one has no place."""
    taken: dict[int, int] = {}
    for at, word in enumerate(words):
        free = (i for i, element in enumerate(form.elements) if i not in taken and word in element.words)
        place = next(free, None)
        if place is None:
            return None
        taken[place] = at
    return taken


def _before(taken: dict[int, int], element: int) -> int:
    return max((at + 1 for place, at in taken.items() if place < element), default=0)
