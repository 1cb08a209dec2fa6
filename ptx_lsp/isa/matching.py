"""From the modifiers of an opcode to the forms that they match."""

from ptx_lsp.isa.forms import Condition, Form, ModifierRule
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.light_classes import Iterable, NamedTuple

TEST_CLASSES = (".finite", ".infinite", ".number", ".notanumber", ".normal", ".subnormal")
TENSOR_MAP_FIELDS = (
    ".global_address",
    ".global_dim",
    ".global_stride",
    ".element_stride",
    ".rank",
    ".box_dim",
    ".elemtype",
    ".interleave_layout",
    ".swizzle_mode",
    ".swizzle_atomicity",
    ".fill_mode",
)
ELEMENT_FORMATS = (".b8x16", ".b6x16_p32", ".b4x16_p64")
ACCUMULATORS = (".acc::f16", ".acc::f32")
GLOBAL_NOISE = frozenset((*ELEMENT_FORMATS, *ACCUMULATORS, *TEST_CLASSES, *TENSOR_MAP_FIELDS))
"""Modifiers that ptxas 13.5 accepts on any opcode and ignores, unless the form has a place for them (observed)."""

GLOBAL_TWICE = frozenset((".sat", ".uni", ".cc", ".NaN", ".relu", ".shiftamt", ".approx"))
"""Modifiers that may be repeated in every form that has them (observed: ptxas 13.5)."""

SCOPES = (".cta", ".cluster", ".gpu", ".sys")
RESTRICTIONS = (
    ".sync_restrict::shared::cta",
    ".sync_restrict::shared::cluster",
    ".sync_restrict::shared::cluster::read",
)
ALONE = tuple(map(frozenset, (TEST_CLASSES, TENSOR_MAP_FIELDS, SCOPES, (".async",), RESTRICTIONS)))
"""A statement has at most one of each of these, even where they mean nothing (observed: ptxas 13.5)."""

OPAQUE, PAIRS_OF_BITS = ".pred", ".b2"
"""On each opcode ptxas ignores one of these two modifiers and rejects the other (observed: ptxas 13.5).

It ignores `.pred` where the row says `noise .pred`, and `.b2` on every other opcode.
"""

MOST_MODIFIERS = 40  # of an opcode text that is matched


class Match(NamedTuple):
    """A form with the modifiers of a statement in its places.

    `places` has the index of the modifier for each place of the form, -1 for a place that is empty. `noise` are the
    indices of modifiers that mean nothing.
    """

    form: Form
    words: tuple[str, ...]
    places: tuple[int, ...]
    noise: tuple[int, ...] = ()

    def word(self, element: int) -> str:
        """The modifier in a place of the form, with its dot; empty if the place is empty."""
        at = self.places[element]
        return self.words[at] if at >= 0 else ""

    def group(self, name: str) -> str:
        """The modifier in the first place named `name` that is filled; empty if there is no such place."""
        for element, at in zip(self.form.elements, self.places, strict=True):
            if element.name == name and at >= 0:
                return self.words[at]
        return ""

    def holds(self, condition: Condition) -> bool:
        """Whether the modifiers meet a condition."""
        return not condition or not self.lacking(condition)

    def lacking(self, condition: Condition) -> tuple[str, ...]:
        """The words of the first term that is not met; empty if all are met."""
        # a statement is compared with the conditions of its whole section: loops, which cost less here than generators
        for group, allowed in condition:
            for word in (self.group(group),) if group else self.words:
                if word in allowed:
                    break
            else:
                return allowed
        return ()

    def last_index(self, condition: Condition) -> int:
        """The index of the last modifier that takes part in a condition that is met, -1 if no modifier does."""
        words = {word for term in condition for word in term.words}
        return max((i for i, word in enumerate(self.words) if word in words), default=-1)


def matches(forms: Iterable[Form], words: tuple[str, ...]) -> list[Match]:
    """The forms that match these modifiers, their dependencies included.

    Forms that match only if meaningless words are ignored count only if no form matches without that. `words` have
    their dots and the order of the statement.
    """
    if len(words) > MOST_MODIFIERS:
        return []
    forms = list(forms)
    # most forms of an opcode lack one of the words, or need another one
    having = [form for form in forms if has_words(form, words)]
    return list(filter(None, [exact_match(form, words) for form in having])) or noisy_matches(forms, words)


def has_words(form: Form, words: tuple[str, ...]) -> bool:
    """Whether a form has a place for each word, and for each place that must be filled one of the words."""
    present = frozenset(words)
    return form.vocabulary >= present and not any(map(present.isdisjoint, form.must))


def exact_match(form: Form, words: tuple[str, ...]) -> Match | None:
    """The match of a form that has these words; None if one of them has no meaning in it, or breaks a rule."""
    match = _filled(form, words) if len(words) <= MOST_MODIFIERS else None
    return None if match is None or broken_rule(match) else match


def noisy_matches(forms: Iterable[Form], words: tuple[str, ...]) -> list[Match]:
    """The forms that match these modifiers if some of them mean nothing."""
    if len(words) > MOST_MODIFIERS:
        return []
    return [m for form in forms if (m := _without_noise(form, words)) and not broken_rule(m)]


def _without_noise(form: Form, words: tuple[str, ...]) -> Match | None:
    kept = meaningful(form, words)
    if len(kept) == len(words) or any(sum(word in alone for word in words) > 1 for alone in ALONE):
        return None
    if own := form.section.noise & form.vocabulary:  # words that mean nothing in other forms of the section
        more = [i for i in range(len(words)) if i in kept or words[i] in own]
        if (match := _filled_by(form, words, more)) is not None:
            return match
    return _filled_by(form, words, kept)


def _filled_by(form: Form, words: tuple[str, ...], kept: list[int]) -> Match | None:
    """The form filled with the words of these indices, if the others mean nothing."""
    filled = fill(form, tuple(words[i] for i in kept))
    if filled is None or _moved(filled, kept):
        return None
    places = tuple(kept[p] if p >= 0 else -1 for p in filled.places)
    return Match(form, words, places, tuple(i for i in range(len(words)) if i not in kept))


def meaningful(form: Form, words: tuple[str, ...]) -> list[int]:
    """The indices of the words that have a meaning in a form."""
    noise = noise_words(form)
    twice = GLOBAL_TWICE | form.section.twice
    trailing = form.section.trailing
    types = [i for i, w in enumerate(words) if w in TYPE_WORDS and w not in trailing]
    end = types[-1] if types else -1
    return [
        i
        for i, w in enumerate(words)
        if w not in noise and not (w in twice and w in words[:i]) and not (i > end and w in trailing)
    ]


def _moved(filled: Match, kept: list[int]) -> bool:
    """Whether a word of the instruction's name has another position once meaningless words are counted."""
    return any(e.fixed and kept[p] != p for e, p in zip(filled.form.elements, filled.places, strict=True) if p >= 0)


def noise_words(form: Form) -> frozenset[str]:
    """The modifiers that mean nothing in a form: not those for which its section has a place."""
    section = form.section
    more = GLOBAL_NOISE if OPAQUE in section.noise else GLOBAL_NOISE | {PAIRS_OF_BITS}
    return section.noise | (more - section.words - section.trailing)


def fill(form: Form, words: tuple[str, ...]) -> Match | None:
    """The form with every word in a place of its own, or None if that is impossible."""
    return _filled(form, words) if has_words(form, words) else None


def _filled(form: Form, words: tuple[str, ...]) -> Match | None:
    """The same for a form that has a place for each word, and of each mandatory place one of its words."""
    elements = form.elements
    if not len(form.must) <= len(words) <= len(elements):
        return None
    places = [-1] * len(elements)
    next_fixed = _fill_fixed(form, words, places)
    if next_fixed < 0:
        return None
    in_turn = _in_turn(form, words, next_fixed, places)
    if in_turn is not None:
        return Match(form, words, in_turn)
    free = [i for i, e in enumerate(elements) if not e.fixed]
    choices = [[i for i in free if word in elements[i].words] for word in words[next_fixed:]]
    if not all(choices) or not _assign(form, choices, next_fixed, places):
        return None
    return Match(form, words, tuple(places))


def _fill_fixed(form: Form, words: tuple[str, ...], places: list[int]) -> int:
    """Fill the places at the start; returns the number of words used, or -1 if a mandatory place stays empty."""
    at = 0
    for i, element in enumerate(form.elements):
        if not element.fixed:
            break
        if at < len(words) and words[at] in element.words:
            places[i] = at
            at += 1
        elif not element.optional:
            return -1
    return at


def _in_turn(form: Form, words: tuple[str, ...], first: int, fixed: list[int]) -> tuple[int, ...] | None:
    """The places if each word from `first` on takes the first one that it may have; None if they do not fit then.

    This is the first way that `_assign` tries. It is right for nearly all statements, and costs a quarter of that.
    """
    elements, places, last = form.elements, fixed.copy(), -1
    for at in range(first, len(words)):
        word = words[at]
        for i, element in enumerate(elements):
            if word in element.words and places[i] < 0 and not element.fixed:
                if i > last:
                    last = i
                elif _comes_too_late(form, places, i):
                    continue
                places[i] = at
                break
        else:
            return None
    for i, element in enumerate(elements):
        if places[i] < 0 and not element.optional:
            return None
    return tuple(places)


def _comes_too_late(form: Form, places: list[int], place: int) -> bool:
    """Whether a later place is filled that has to be filled after this one."""
    elements = form.elements
    return any(places[i] >= 0 and place in elements[i].ordered for i in range(place + 1, len(elements)))


def _assign(form: Form, choices: list[list[int]], first: int, places: list[int]) -> bool:
    """Assign each word to a place so that no mandatory place stays empty; depth is bounded by MOST_MODIFIERS."""
    must = [i for i, e in enumerate(form.elements) if not e.optional]

    def place(word: int) -> bool:
        if word == len(choices):
            return all(places[i] >= 0 for i in must)
        for i in choices[word]:
            if places[i] < 0 and not _comes_too_late(form, places, i):
                places[i] = first + word
                if place(word + 1):
                    return True
                places[i] = -1
        return False

    return place(0)


def broken_rule(match: Match) -> ModifierRule | None:
    """The first dependency between modifiers that a match violates, or None."""
    for rule in match.form.section.rules:
        if match.holds(rule.subject) and match.holds(rule.object) != rule.together:
            return rule
    return None
