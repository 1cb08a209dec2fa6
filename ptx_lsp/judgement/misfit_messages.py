"""Why the modifiers of an opcode match none of its forms, in words."""

from dataclasses import replace

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.forms import Form
from ptx_lsp.isa.intended_words import meant_modifier
from ptx_lsp.isa.matching import ALONE, GLOBAL_NOISE, SCOPES, Match, matches
from ptx_lsp.isa.misfits import Misfit, Trouble, nearest_misfit
from ptx_lsp.isa.opcode_sets import CONVERSION
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPE_WORDS, TYPES, same_bits
from ptx_lsp.judgement.conformance import register_fits
from ptx_lsp.judgement.verdict import MOST_LISTED, Complaint, Part, listed
from ptx_lsp.light_classes import Callable, Iterator
from ptx_lsp.nearest_word import nearest
from ptx_lsp.text.lines import beginning_of

_NAMED = """
a rounding modifier  rn rz rm rp rna rs rni rzi rmi rpi
a comparison         eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan
an operation         add and or xor min max inc dec exch cas popc
"""


def _read_sorts() -> Iterator[tuple[frozenset[str], str]]:
    for row in _NAMED.strip().splitlines():
        name, words = row.split("  ", 1)
        yield frozenset("." + word for word in words.split()), name


_TYPE, _ANOTHER_TYPE = "a type", "another type"

SORTS = ((TYPE_WORDS, _TYPE), (SPACE_WORDS, "a state space"), (frozenset(SCOPES), "a scope"), *_read_sorts())
"""Groups of modifiers, each with its name in messages."""

ROUNDING = next(words for words, name in SORTS if name == "a rounding modifier")
TO_INTEGER = frozenset(word for word in ROUNDING if word.endswith("i"))
"""The rounding modifiers that change the value although the type does not need it: `.rzi` makes 1.0 of 1.5."""
_HALVES = frozenset((".hi", ".lo"))
"""Of a product; they are comparisons only beside `.eq` and the like."""

LONGEST_SHOWN = 40
"""An opcode with modifiers that is longer, in characters, is shown without them."""

Explanation = tuple[str, str, tuple[tuple[str, str], ...]]


def explain(
    forms: tuple[Form, ...], words: tuple[str, ...], severity: Severity, kinds: tuple[str, ...] = ()
) -> Complaint:
    """Why these modifiers (with their dots) match none of the forms of an opcode; `forms` is not empty.

    `kinds` are those of the operands: of the types that may be missing, only those that fit them are named.
    """
    strange = _strange_word(forms, words, severity)
    if strange is not None:
        return strange
    again = _repeated(forms, words)
    if again >= 0:
        text, data = _written_twice(words, again)
        return Complaint("duplicate-modifier", text, Part.MODIFIER, (again,), severity, data)
    twice = next((alike for alone in ALONE if len(alike := [i for i, w in enumerate(words) if w in alone]) > 1), None)
    if twice is not None:
        text = f"`{words[twice[1]]}` cannot be combined with `{words[twice[0]]}`: one of them at most"
        return Complaint("duplicate-modifier", text, Part.MODIFIER, (twice[1],), severity)
    misfit = nearest_misfit(forms, words)
    if misfit is None:
        return Complaint("unknown-opcode", f"`{forms[0].opcode}` has no documented form", Part.OPCODE, (), severity)
    if misfit.index < 0 or _known_to(forms, words[misfit.index]):
        unknown = _unknown_word(forms, words, severity)
        if unknown is not None:
            return unknown
    if misfit.trouble is Trouble.MISSING:
        misfit = _of_count(forms, words, kinds, misfit)
    if misfit.trouble is Trouble.SECOND:
        misfit = _without_misfit(misfit, kinds)
    if misfit.trouble is Trouble.MISSING:
        code, text, data = _explain_missing(misfit, kinds)
    else:
        code, text, data = _EXPLAINED[misfit.trouble](forms, misfit)
    part, path = (Part.MODIFIER, (misfit.index,)) if misfit.index >= 0 else (Part.MODIFIERS, ())
    return Complaint(code, text, part, path, severity, data)


def _of_count(forms: tuple[Form, ...], words: tuple[str, ...], kinds: tuple[str, ...], misfit: Misfit) -> Misfit:
    """What is missing for a form that has as many operands as there are, if the nearest form has another number."""
    alike = tuple(form for form in forms if _has_count(form, len(kinds)))
    if misfit.match.form in alike:
        return misfit
    other = nearest_misfit(alike, words) if alike else None
    return other if other is not None and other.trouble is Trouble.MISSING else misfit


def _has_count(form: Form, count: int) -> bool:
    return sum(not (slot.optional or slot.when) for slot in form.slots) <= count <= len(form.slots)


def _repeated(forms: tuple[Form, ...], words: tuple[str, ...]) -> int:
    """The index of the last repeated word without which the words are a form; -1 if no repeated word is too many."""
    twice = [index for index, word in enumerate(words) if word in words[:index]]
    return next((at for at in reversed(twice) if matches(forms, (*words[:at], *words[at + 1 :]))), -1)


def _written_twice(words: tuple[str, ...], index: int) -> tuple[str, tuple[tuple[str, str], ...]]:
    """What is wrong with a word that is one too many, and data for its fix."""
    word = words[index]
    without_one = {(*words[:at], *words[at + 1 :]) for at, other in enumerate(words) if other == word}
    # in `.s32.u32.s32` either `.s32` may be the one that is too many
    return f"`{word}` is written twice", ((("removed", word),) if len(without_one) == 1 else ())


def _strange_word(forms: tuple[Form, ...], words: tuple[str, ...], severity: Severity) -> Complaint | None:
    """The complaint about the first word that no form has, if it is known what people mean by it; otherwise None."""
    for index, word in enumerate(words):
        if not _known_to(forms, word) and (meant := meant_modifier(forms[0].opcode, word, _words_of(forms))):
            name = forms[0].opcode + "".join(words[:index])
            text = f"`{name if len(name) <= LONGEST_SHOWN else forms[0].opcode}` has no modifier `{word}`: {meant}"
            return Complaint("unknown-modifier", quoted(text, 400), Part.MODIFIER, (index,), severity)
    return None


def _unknown_word(forms: tuple[Form, ...], words: tuple[str, ...], severity: Severity) -> Complaint | None:
    """The complaint about the first word that no form of the opcode has; None if each word has a form."""
    known = GLOBAL_NOISE.union(*(form.section.words | form.section.noise | form.vocabulary for form in forms))
    index = next((index for index, word in enumerate(words) if word not in known), -1)
    if index < 0:
        return None
    near = nearest(words[index], _words_of(forms))
    text = f"`{forms[0].opcode}` has no modifier `{quoted(words[index])}`" + (
        f": did you mean `{near}`?" if near else ""
    )
    data = (("nearest", near),) if near else ()
    return Complaint("unknown-modifier", text, Part.MODIFIER, (index,), severity, data)


def missing(forms: tuple[Form, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    """The modifiers of which one must be added to these words to match a form; empty if more than one is missing."""
    misfit = nearest_misfit(forms, words)
    if misfit is None or misfit.trouble is not Trouble.MISSING:
        return ()
    return misfit.wanted


def quoted(word: str, longest: int = 60) -> str:
    """A word of the source for a message: cut after `longest` characters, with its braces doubled."""
    return beginning_of(word, longest).replace("{", "{{").replace("}", "}}")


def needs(words: tuple[str, ...], present: tuple[str, ...] = ()) -> str:
    """The need for one of these words, for a message: "a rounding modifier: `.rn` or `.rz`", "`.approx`".

    `present` are the modifiers that are there: beside a type, the need is for "another type".
    """
    named = len(words) > 1 and not _HALVES.issuperset(words)
    sort = next((name for sort, name in SORTS if named and sort.issuperset(words)), "")
    if sort == _TYPE and not TYPE_WORDS.isdisjoint(present):
        sort = _ANOTHER_TYPE
    return (sort + ": " if sort else "") + listed(words)


def _name(match: Match) -> str:
    """The name of the instruction with the fixed words that the source has: `cp.async.bulk.tensor`."""
    form = match.form
    return form.opcode + "".join(match.word(i) for i, e in enumerate(form.elements) if e.fixed and not e.optional)


def _without(match: Match, index: int) -> str:
    """The opcode text without the modifier at `index`; only the instruction's name if that text is long."""
    text = match.form.opcode + "".join(word for i, word in enumerate(match.words) if i != index)
    return quoted(text) if len(text) <= LONGEST_SHOWN else _name(match)


def _explain_unknown(forms: tuple[Form, ...], misfit: Misfit) -> Explanation:
    match, word, wanted = misfit.match, misfit.match.words[misfit.index], misfit.wanted
    name, shown = _without(match, misfit.index), quoted(word)
    if word in TYPE_WORDS and wanted and TYPE_WORDS.issuperset(wanted):
        return _explain_type(match, misfit)
    if _known_to(forms, word):
        other = _opponent(forms, match, word)
        text = f"`{_name(match)}` cannot have `{shown}` here"
        if other:
            text = f"`{shown}` cannot be combined with `{other}` in `{_name(match)}`"
        if wanted:
            text = f"`{name}` takes {listed(wanted)} here, not `{shown}`"
            meant = _only_like(word, wanted)
            if not meant and len(wanted) > MOST_LISTED and (meant := nearest(word, wanted)):
                text = f"`{name}` does not take `{shown}`: did you mean `{meant}`?"
            if meant:
                return "modifier-conflict", text, (("other", other), ("meant", meant))
        return _conflict(match, misfit.index, text, other)
    candidates = {*wanted, *_free_words(match), *(w for form in forms if not form.lenient for w in form.vocabulary)}
    near = _only_longer(word, wanted) or _cut(word, match.form.opcode, wanted, candidates) or nearest(word, candidates)
    if near:
        text = f"`{_name(match)}` has no modifier `{shown}`: did you mean `{near}`?"
        return "unknown-modifier", text, (("nearest", near),)
    more = f": it takes {listed(wanted)} there" if wanted else ""
    return "unknown-modifier", f"`{_name(match)}` has no modifier `{shown}`{more}", ()


def _cut(word: str, opcode: str, wanted: tuple[str, ...], candidates: set[str]) -> str:
    """The word of which the beginning is written, as `.gl` is of `.global`, while it is typed; empty without one.

    It is one of the words that are `wanted` next if one of them begins so, and the one that programs use most.
    """
    from ptx_lsp.isa.usual_modifiers import usual  # only a text with a mistake needs it

    ranks = usual(opcode)
    longer = [each for each in wanted if each.startswith(word)] or [
        each for each in candidates if each.startswith(word)
    ]
    return min(longer, key=lambda each: (ranks.get(each, len(ranks)), len(each), each), default="")


def _only_longer(word: str, wanted: tuple[str, ...]) -> str:
    """The expected word of which `word` is the part before `::`, as `.L2` is of `.L2::evict_normal`; else empty."""
    found = [longer for longer in wanted if longer.startswith(word + "::")]
    return found[0] if len(found) == 1 else ""


def _explain_type(match: Match, misfit: Misfit) -> Explanation:
    word, name = match.words[misfit.index], _without(match, misfit.index)
    same = tuple(w for w in misfit.wanted if same_bits(word, w))
    if same:
        why = ", which has the same bits" if same[0].startswith(".b") else ""
        text = f"`{name}` does not take `{word}`: write {listed(same[:1] if why else same)}{why}"
        return "instruction-type", text, (("nearest", same[0]),)
    bits = f".b{TYPES[word].storage}" if word in TYPES else ""
    if bits in misfit.wanted:
        return "instruction-type", f"`{name}` does not take `{word}`: write `{bits}`, which has as many bits", ()
    return "instruction-type", f"`{name}` does not take `{word}`: its type is {listed(misfit.wanted)} there", ()


def _free_words(match: Match) -> list[str]:
    empty = (e for e, p in zip(match.form.elements, match.places, strict=True) if p < 0)
    return [word for element in empty for word in element.words]


def _words_of(forms: tuple[Form, ...]) -> frozenset[str]:
    return frozenset().union(*(form.vocabulary for form in forms if not form.lenient))


def _known_to(forms: tuple[Form, ...], word: str) -> bool:
    return any(word in e.words for form in forms for e in form.elements)


def _opponent(forms: tuple[Form, ...], match: Match, word: str) -> str:
    """The modifier that excludes `word`: the last one that no form has together with it, the type by preference."""
    homes = [form for form in forms if any(word in e.words for e in form.elements)]
    present = [match.words[p] for p in match.places if p >= 0]
    present.sort(key=lambda w: w not in TYPE_WORDS)
    for other in present:
        if not any(other in e.words for form in homes for e in form.elements):
            return other
    return present[0] if present else ""


def _explain_missing(misfit: Misfit, kinds: tuple[str, ...]) -> Explanation:
    lacking = misfit.lacking if len(misfit.lacking) > 1 else (misfit.wanted,)
    only = _fitting(misfit.wanted, kinds) or misfit.wanted
    said = tuple(map(_one_of, lacking)) if len(lacking) > 1 else (needs(only, misfit.match.words),)
    text = f"`{_without(misfit.match, -1)}` needs {_and(said)}"
    return "missing-modifier", text, (("wanted", " ".join(word for words in lacking for word in words)),)


def _fitting(words: tuple[str, ...], kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The types among some words that fit the first source, or the only register, of operands of these kinds."""
    registers = [kind for kind in kinds if kind in TYPES]
    values = [kind for kind in registers if TYPES[kind].letter != "p"] or registers
    if not values or not TYPE_WORDS.issuperset(words):
        return ()
    source = values[min(1, len(values) - 1)]
    return tuple(word for word in words if register_fits(word, source))


def _one_of(words: tuple[str, ...]) -> str:
    return listed(words) if len(words) == 1 else f"one of {listed(words)}"


def _and(parts: tuple[str, ...]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def _explain_duplicate(forms: tuple[Form, ...], misfit: Misfit) -> Explanation:
    return "duplicate-modifier", *_written_twice(misfit.match.words, misfit.index)


def _explain_second(forms: tuple[Form, ...], misfit: Misfit) -> Explanation:
    word, other = misfit.match.words[misfit.index], misfit.match.words[misfit.other]
    text = f"`{_name(misfit.match)}` takes either `{other}` or `{word}`, not both"
    return "modifier-conflict", text, (("other", other),)


def _without_misfit(misfit: Misfit, kinds: tuple[str, ...]) -> Misfit:
    """The same, with the first of two types as the one too many if operands of these kinds fit the second one alone."""
    word, other = misfit.match.words[misfit.index], misfit.match.words[misfit.other]
    if _fitting((word, other), kinds) != (word,):
        return misfit
    return replace(misfit, index=misfit.other, other=misfit.index)


def _explain_order(forms: tuple[Form, ...], misfit: Misfit) -> Explanation:
    match = misfit.match
    right = match.form.opcode + "".join(match.words[p] for p in match.places if p >= 0)
    spaces = tuple(word for word in match.words if word in SPACE_WORDS)
    wanted = tuple(match.words[p] for p in match.places if p >= 0 and match.words[p] in SPACE_WORDS)
    if spaces != wanted:
        # most likely, the operands are in the wrong order too
        text = f"`{_name(match)}` names the destination's state space first: `{''.join(wanted)}`"
        return "modifier-order", text, ()
    data = (("replacement", right),) if len(right) <= 2 * LONGEST_SHOWN else ()
    return "modifier-order", f"wrong order of modifiers, expected `{quoted(right, 2 * LONGEST_SHOWN)}`", data


def _explain_rule(forms: tuple[Form, ...], misfit: Misfit) -> Explanation:
    rule, match = misfit.rule, misfit.match
    assert rule is not None
    word = match.words[misfit.index] if misfit.index >= 0 else _name(match)
    if rule.together:
        return "missing-modifier", f"`{word}` needs {needs(misfit.wanted)}", (("wanted", " ".join(misfit.wanted)),)
    other = match.words[misfit.other] if misfit.other >= 0 else ""
    text = f"`{word}` cannot be combined with `{other}` in `{_name(match)}`"
    return _conflict(match, misfit.index, text, other)


def _only_like(word: str, wanted: tuple[str, ...]) -> str:
    """The expected word that begins with `word`, as `.rni` does with `.rn`; empty unless exactly one does."""
    found = [w for w in wanted if w.startswith(word)]
    return found[0] if len(found) == 1 else wanted[0] if len(wanted) == 1 else ""


def _conflict(match: Match, index: int, text: str, other: str) -> Explanation:
    data: tuple[tuple[str, str], ...] = (("other", other),)
    if _is_rounded_widening(match, index):
        word, source = match.words[index], next(w for w in reversed(match.words) if w in TYPE_WORDS)
        if word in TO_INTEGER:
            rounded = f"{match.form.opcode}{word}{source}{source}"
            text = f"`{word}` rounds to an integer, and `{_without(match, index)}` does not round"
            text += f": write `{rounded}` before it"
        else:
            text = f"`{_without(match, index)}` is exact: remove the rounding modifier `{word}`"
            data += (("remove", "yes"), ("safe", "yes"))
    return "modifier-conflict", text, data


def _is_rounded_widening(match: Match, index: int) -> bool:
    """Whether the word at `index` is a rounding modifier of a conversion from a float to a wider one."""
    types = [word for word in match.words if word in TYPE_WORDS]
    if match.form.opcode != CONVERSION or index < 0 or match.words[index] not in ROUNDING or len(types) != 2:
        return False
    to, source = (TYPES[word] for word in types)
    return to.letter == "f" and source.bits < to.bits and (source.letter == "f" or source.name == ".bf16")


_EXPLAINED: dict[Trouble, Callable[[tuple[Form, ...], Misfit], Explanation]] = {
    Trouble.UNKNOWN: _explain_unknown,
    Trouble.DUPLICATE: _explain_duplicate,
    Trouble.SECOND: _explain_second,
    Trouble.ORDER: _explain_order,
    Trouble.RULE: _explain_rule,
}
