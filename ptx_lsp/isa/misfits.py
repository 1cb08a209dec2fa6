"""Why modifiers match no form of an instruction: the nearest forms, and the difference to them."""

from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from ptx_lsp.isa.forms import Form, ModifierRule
from ptx_lsp.isa.matching import MOST_MODIFIERS, Match, broken_rule, fill, meaningful
from ptx_lsp.isa.types import TYPE_WORDS, same_bits
from ptx_lsp.light_classes import Enum, Iterable, lru_cache
from ptx_lsp.memo import forgettable

ALIKE = 0.6
"""The least similarity (`difflib`) of two words for one to be a likely mistake for the other."""

LONGEST_COMPARED = 40
"""A longer word, in characters, is a likely mistake for no other one."""

DISORDER = 55
"""The cost, in hundredths of a word, of types in the wrong order."""

OTHER_NAME = 200
"""The cost of a form that belongs to another instruction of the opcode: `tcgen05.fence` for `.mma`."""

MATRIX_TYPES = 3
"""The least number of types of a product of matrices."""

OTHER_TYPE = 110
"""The cost of a type in the place of another one."""


class Trouble(Enum):
    """Why modifiers match no form."""

    UNKNOWN = "a word that the form has no place for"
    MISSING = "a place that must be filled is empty"
    DUPLICATE = "a word occurs twice"
    SECOND = "another word already fills the place"
    ORDER = "the words are right but their order is wrong"
    RULE = "the modifiers violate a dependency"


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why modifiers do not match a form: the word at `index` (-1: a word is missing), and what the form expects there.

    `other` is the index of the word that the first cannot be combined with, -1 if there is no such word. `lacking` has
    the words for each mandatory place that is empty.
    """

    trouble: Trouble
    match: Match
    index: int
    wanted: tuple[str, ...] = ()
    other: int = -1
    rule: ModifierRule | None = None
    lacking: tuple[tuple[str, ...], ...] = ()


def nearest_misfit(forms: Iterable[Form], words: tuple[str, ...]) -> Misfit | None:
    """Why no form matches, explained with the nearest forms; None if `forms` is empty.

    If several forms are equally near and have the same trouble, `wanted` has the words that any of them expects.
    """
    words = words[:MOST_MODIFIERS]
    documented = [form for form in forms if not form.lenient]
    known = frozenset().union(*(form.vocabulary for form in documented))
    if not documented:
        return None
    named = max(_named(form, words) for form in documented)
    judged = []
    names = _words_of_names(documented)
    for form in documented:
        cost, misfit = _misfit(form, words, known, names[form.section.names])
        judged.append(((cost + OTHER_NAME * (_named(form, words) < named), misfit), len(form.elements)))
    (cost, best), _ = min(judged, key=lambda one: (one[0][0], one[1]))
    alike = [m for (c, m), _ in judged if c == cost and (m.trouble, m.index) == (best.trouble, best.index)]
    places = zip(*(m.lacking for m in alike if len(m.lacking) == len(best.lacking)), strict=True)
    return replace(
        best,
        wanted=tuple(dict.fromkeys(word for m in alike for word in m.wanted)),
        lacking=tuple(tuple(dict.fromkeys(word for words in place for word in words)) for place in places),
    )


def _named(form: Form, words: tuple[str, ...]) -> int:
    """How many words of the instruction's name are written in their places: two for `cp.async.bulk`, one for `.ca`."""
    count = 0
    for element, word in zip(form.elements, words, strict=False):
        if not element.fixed or element.optional or word not in element.words:
            break
        count += 1
    return count


def _words_of_names(forms: list[Form]) -> dict[tuple[str, ...], frozenset[str]]:
    """By the names of a section, the words in them that all its forms have: `.sp` of `mma.sp`, not `.full` of `div`."""
    common: dict[tuple[str, ...], frozenset[str]] = {}
    for form in forms:
        names = form.section.names
        before = common.get(names)
        if before is None:
            before = frozenset("." + word for name in names for word in name.split("."))
        common[names] = before & form.vocabulary
    return common


def _misfit(form: Form, words: tuple[str, ...], known: frozenset[str], name: frozenset[str]) -> tuple[int, Misfit]:
    """The distance of these words from a form, in hundredths of a word, and the one misfit to report.

    `known` are the words of all forms: such a word is not a misspelling. `name` are those of the instruction's name:
    people do not forget these.
    """
    kept = tuple(meaningful(form, words))
    filled = fill(form, tuple(words[i] for i in kept))
    if filled is not None:
        places = tuple(kept[p] if p >= 0 else -1 for p in filled.places)
        return _broken(Match(form, words, places))
    unordered = _places_in_any_order(form, words, kept)
    if unordered is not None:
        match = Match(form, words, unordered)
        return 90 + DISORDER * (not _keeps_types(match)), Misfit(Trouble.ORDER, match, -1)
    if (other := _of_other_type(form, words, kept)) is not None:
        return other
    places, left = _fill_greedily(form, words, kept)
    match = Match(form, words, places)
    empty = [i for i, e in enumerate(form.elements) if places[i] < 0 and not e.optional]
    cost = sum(100 if name.isdisjoint(form.elements[i].words) else 105 for i in empty) + 100 * len(left)
    if len(empty) == 1 and len(left) <= 1 and not _would_fit(match, empty[0], kept):
        cost += DISORDER
    if left:
        return _one_too_many(match, left, empty, cost, known)
    lacking = tuple(form.elements[i].words for i in empty)
    return cost, Misfit(Trouble.MISSING, match, -1, lacking[0] if lacking else (), lacking=lacking)


def _of_other_type(form: Form, words: tuple[str, ...], kept: tuple[int, ...]) -> tuple[int, Misfit] | None:
    """The misfit of words that match the form except for some of its types; None if they do not.

    There are as many types as the form has. Fewer than those of several matrices might have other places.
    """
    wanted = [e.words for e in form.elements if not e.optional and TYPE_WORDS.issuperset(e.words)]
    given = [i for i in kept if words[i] in TYPE_WORDS]
    if len(given) != len(wanted) or len(given) < MATRIX_TYPES:
        return None
    wrong = [(i, possible) for i, possible in zip(given, wanted, strict=True) if words[i] not in possible]
    right = dict(wrong)
    filled = fill(form, tuple(right[i][0] if i in right else words[i] for i in kept))
    if filled is None or not wrong:
        return None
    match = Match(form, words, tuple(kept[p] if p >= 0 else -1 for p in filled.places))
    return OTHER_TYPE * len(wrong), Misfit(Trouble.UNKNOWN, match, *wrong[0])


def _would_fit(match: Match, element: int, kept: tuple[int, ...]) -> bool:
    """Whether the words match the form if one is added for this place, at its position or for the word left over."""
    words = [match.words[i] for i in kept]
    word = match.form.elements[element].words[0]
    over = [n for n, i in enumerate(kept) if i not in match.places]
    if over:
        words[over[0]] = word
    else:
        before = [n for n, i in enumerate(kept) if i in match.places[:element]]
        words.insert(max(before, default=-1) + 1, word)
    return fill(match.form, tuple(words)) is not None


def _broken(match: Match) -> tuple[int, Misfit]:
    rule = broken_rule(match)
    if rule is None:
        return 90, Misfit(Trouble.ORDER, match, -1)
    if rule.together:
        return 90, Misfit(Trouble.RULE, match, match.last_index(rule.subject), match.lacking(rule.object), rule=rule)
    return 90, Misfit(Trouble.RULE, match, match.last_index(rule.object), (), match.last_index(rule.subject), rule)


def _one_too_many(
    match: Match, left: list[int], empty: list[int], cost: int, known: frozenset[str]
) -> tuple[int, Misfit]:
    form, words, places = match.form, match.words, match.places
    index = left[0]
    word = words[index]
    homes = [i for i, e in enumerate(form.elements) if word in e.words and places[i] >= 0]
    if any(words[places[i]] == word for i in homes):
        if len(empty) == 1 and word not in TYPE_WORDS:
            # `.row.row` for `.row.col`: the second `.row` fills the place of `.col`
            return cost - 120, Misfit(Trouble.UNKNOWN, match, index, form.elements[empty[0]].words)
        return cost, Misfit(Trouble.DUPLICATE, match, index)
    if homes:
        return cost, Misfit(Trouble.SECOND, match, index, (), places[homes[0]])
    if not empty:
        return cost, Misfit(Trouble.UNKNOWN, match, index)
    wanted = form.elements[empty[0]].words
    return cost - _nearness(word, wanted, known), Misfit(Trouble.UNKNOWN, match, index, wanted)


def _nearness(word: str, wanted: tuple[str, ...], known: frozenset[str]) -> int:
    """The saving if one word is a mistake for another: most for a misspelling or a type of the same bits."""
    if any(same_bits(word, w) or (word not in known and _alike(word, w)) for w in wanted):
        return 105
    return 98 if word in known and word not in TYPE_WORDS else 90


@forgettable
@lru_cache(10_000)
def _alike(word: str, other: str) -> bool:
    if word in TYPE_WORDS or len(word) > LONGEST_COMPARED:
        return False
    return SequenceMatcher(None, word, other).ratio() >= ALIKE


def _places_in_any_order(form: Form, words: tuple[str, ...], kept: tuple[int, ...]) -> tuple[int, ...] | None:
    """A place for each word, ignoring positions; None if a word has no place or a mandatory place has no word."""
    must = [i for i, e in enumerate(form.elements) if not e.optional]
    if not len(must) <= len(kept) <= len(form.elements):
        return None
    places = [-1] * len(form.elements)
    if not all(_fill_place(form, words, kept, places, element, set()) for element in must):
        return None
    if not all(word in places or _place_word(form, words, places, word, set()) for word in kept):
        return None
    return _as_written(form, words, places)


def _as_written(form: Form, words: tuple[str, ...], places: list[int]) -> tuple[int, ...]:
    """The places, with words that can exchange their places in the order in which they are written.

    Each of `.row` and `.col` can describe both matrices: their order is what the author means.
    """
    for first in range(len(places)):
        for second in range(first + 1, len(places)):
            one, other = places[first], places[second]
            if (
                0 <= other < one
                and words[other] in form.elements[first].words
                and words[one] in form.elements[second].words
            ):
                places[first], places[second] = other, one
    return tuple(places)


def _fill_place(
    form: Form, words: tuple[str, ...], kept: tuple[int, ...], places: list[int], element: int, seen: set[int]
) -> bool:
    """Find a word for a place, moving words between places if necessary; the number of places bounds the depth."""
    for word in kept:
        if words[word] in form.elements[element].words and word not in seen:
            seen.add(word)
            owner = places.index(word) if word in places else -1
            if owner < 0 or _fill_place(form, words, kept, places, owner, seen):
                places[element] = word
                return True
    return False


def _place_word(form: Form, words: tuple[str, ...], places: list[int], word: int, seen: set[int]) -> bool:
    """Give a word a place, moving other words on; the number of places of the form bounds the depth."""
    for i, element in enumerate(form.elements):
        if words[word] in element.words and i not in seen:
            seen.add(i)
            if places[i] < 0 or _place_word(form, words, places, places[i], seen):
                places[i] = word
                return True
    return False


def _keeps_types(match: Match) -> bool:
    """Whether the types have the order of the form. Types in another order are no slip: another form is meant."""
    types = [p for p in match.places if p >= 0 and match.words[p] in TYPE_WORDS]
    return [match.words[p] for p in types] == [match.words[p] for p in sorted(types)]


def _fill_greedily(form: Form, words: tuple[str, ...], kept: tuple[int, ...]) -> tuple[tuple[int, ...], list[int]]:
    """As many words as possible in places, left to right. Returns the places and the words left over."""
    places = [-1] * len(form.elements)
    left = []
    for at in kept:
        for i, element in enumerate(form.elements):
            if places[i] < 0 and words[at] in element.words and (not element.fixed or i <= at):
                places[i] = at
                break
        else:
            left.append(at)
    return tuple(places), left
