"""The modifiers that can follow those that are already typed, in the order of the manual."""

from functools import lru_cache
from typing import NamedTuple

from ptx_lsp.isa.forms import Form
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.matching import Match, fill
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.fit import Fit
from ptx_lsp.judgement.gates import gate
from ptx_lsp.memo import forgettable

_NEXT, _LATER, _EARLIER, _UNUSABLE = 0, 1, 2, 3
_LAYOUTS = frozenset((".row", ".col"))
MOST_ASSIGNMENTS = 2_000
"""Assignments of words to places that are tried for a form."""


class Following(NamedTuple):
    """A modifier that can follow.

    `lacking` says what the module's version or target lacks for every form with it, empty if it lacks nothing.
    `early` is true if the manual writes it before a modifier that is already typed, although it may follow. `due` is
    true if each form that the module can use needs it or another word in its place: `.gpu` after `ld.relaxed`.
    """

    word: str
    lacking: str
    early: bool
    due: bool = False


@forgettable
@lru_cache(maxsize=512)
def following(opcode: str, typed: tuple[str, ...], version: Version, target: Target) -> tuple[Following, ...]:
    """The modifiers that can follow the modifiers `typed` of an opcode in some form.

    They have the order of the manual: of its forms, of the places in a form, of the words for a place. After those that
    the manual writes next are those before which it writes another, then those that it writes before a typed one, and
    last those that the module cannot use.
    """
    known = instruction(opcode)
    if known is None:
        return ()
    best: dict[str, tuple[int, str]] = {}
    due: list[frozenset[str]] = []
    for form in known.forms:
        if form.lenient:
            continue
        if form.vocabulary.issuperset(typed) and not _lacking(form, typed, version, target):
            due.append(_due(form, typed))
        for word, rank in _next_words(form, typed):
            have = best.get(word)
            if have is not None and have[0] <= rank:
                continue
            lacking = _lacking(form, (*typed, word), version, target)
            rank += _UNUSABLE if lacking else 0
            if have is None or rank < have[0]:
                best[word] = rank, lacking
    ordered = sorted(best.items(), key=lambda item: item[1][0])  # stable: the order of the manual
    always = frozenset[str]().union(*due) if due and all(due) else frozenset()
    return tuple(
        Following(word, lacking, rank % _UNUSABLE == _EARLIER, word in always) for word, (rank, lacking) in ordered
    )


@forgettable
@lru_cache(maxsize=512)
def between(
    opcode: str, typed: tuple[str, ...], below: tuple[str, ...], version: Version, target: Target
) -> frozenset[str]:
    """The words that fit between the modifiers `typed` and those `below`: with one of them a form is complete.

    If no form is complete then, the words that can be added to all of them.
    """
    known = instruction(opcode)
    around = (*typed, *below)
    forms = [form for form in known.forms if form.vocabulary.issuperset(around)] if known is not None else []
    found = following(opcode, around, version, target)
    complete = (
        each.word for each in found if any(fill(form, (*typed, each.word, *below)) is not None for form in forms)
    )
    return frozenset(complete) or frozenset(each.word for each in found)


def _due(form: Form, typed: tuple[str, ...]) -> frozenset[str]:
    """The words for the first mandatory place of a form that is empty; none if types fill all empty places."""
    for index, place in enumerate(_first_places(form, typed)):
        element = form.elements[index]
        if place < 0 and not element.optional and not TYPE_WORDS.issuperset(element.words):
            return frozenset(element.words)
    return frozenset()


def _next_words(form: Form, typed: tuple[str, ...]) -> list[tuple[str, int]]:
    """The words that can follow in a form, each with `_NEXT`, `_LATER` or `_EARLIER`."""
    if not form.vocabulary.issuperset(typed):
        return []
    found: dict[str, int] = {}
    repeated = TYPE_WORDS | _LAYOUTS
    for places in _assignments(form, typed):
        last, later = max(places, default=-1), _NEXT
        for index, element in enumerate(form.elements):
            if index in places or not _may_be_next(form, places, index):
                continue
            rank = _EARLIER if index < last else later
            for word in element.words:
                if (word not in typed or word in repeated) and not _excluded(form, (*typed, word), (*places, index)):
                    found[word] = min(found.get(word, rank), rank)
            if index > last and not element.optional:
                later = _LATER
    return list(found.items())


def _assignments(form: Form, typed: tuple[str, ...]) -> list[tuple[int, ...]]:
    """Every way to give each typed word a place of its own, as the indices of the places, in the order of the words."""
    ways: list[tuple[int, ...]] = [()]
    for word in typed:
        longer = [
            (*places, index)
            for places in ways
            for index, element in enumerate(form.elements)
            if word in element.words and index not in places and _may_be_next(form, places, index)
        ]
        ways = longer[:MOST_ASSIGNMENTS]
    return ways


def _may_be_next(form: Form, places: tuple[int, ...], index: int) -> bool:
    """Whether the place `index` may be filled after the places that are already filled."""
    elements = form.elements
    if elements[index].fixed:
        skipped = [i for i in range(index) if i not in places]
        return all(elements[i].fixed and elements[i].optional for i in skipped) and all(i < index for i in places)
    if any(elements[i].fixed and not elements[i].optional and i not in places for i in range(len(elements))):
        return False
    return not any(index in elements[i].ordered for i in places)


def _excluded(form: Form, words: tuple[str, ...], places: tuple[int, ...]) -> bool:
    """Whether a rule of the manual forbids words together, each in its place."""
    match = Match(form, words, _by_element(form, places))
    return any(
        not rule.together and match.holds(rule.subject) and match.holds(rule.object) for rule in form.section.rules
    )


def _by_element(form: Form, places: tuple[int, ...]) -> tuple[int, ...]:
    """For each place of a form the index of the word in it, -1 if it is empty."""
    filled = {place: index for index, place in enumerate(places)}
    return tuple(filled.get(index, -1) for index in range(len(form.elements)))


def _lacking(form: Form, words: tuple[str, ...], version: Version, target: Target) -> str:
    """What the module lacks for these words in a form: the end of the message of the finding, or empty."""
    match = fill(form, words) or Match(form, words, _first_places(form, words))
    complaints = gate(Fit(match, form.opcode + "".join(words)), (form,), version, target)
    return complaints[0].message if complaints else ""


def _first_places(form: Form, words: tuple[str, ...]) -> tuple[int, ...]:
    ways = _assignments(form, words)
    return _by_element(form, ways[0] if ways else ())
