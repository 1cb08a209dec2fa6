"""Why the modifiers of an opcode spell no form of it, in words."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.forms import Form, Rule
from ptx_lsp.isa.instructions import nearest_opcode
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.misfits import Misfit, Trouble, nearest_misfit
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.types import TYPE_WORDS, same_bits
from ptx_lsp.judgement.verdict import Complaint, Part, listed

_NAMED = """
a rounding modifier  rn rz rm rp rna rs rni rzi rmi rpi
a comparison         eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan
a scope              cta cluster gpu sys
an operation         add and or xor min max inc dec exch cas popc
"""


def _read_sorts() -> Iterator[tuple[frozenset[str], str]]:
    for row in _NAMED.strip().splitlines():
        name, words = row.split("  ", 1)
        yield frozenset("." + word for word in words.split()), name


SORTS = ((TYPE_WORDS, "a type"), (SPACE_WORDS, "a state space"), *_read_sorts())
"""What modifiers of one sort are called."""

LONGEST_SHOWN = 40

Explanation = tuple[str, str, tuple[tuple[str, str], ...]]


def unknown_opcode(head: str, severity: Severity) -> Complaint:
    """The complaint about an opcode that is none."""
    near = nearest_opcode(head)
    text = f"`{quoted(head)}` is no PTX instruction" + (f": did you mean `{near}`?" if near else "")
    data = (("nearest", near),) if near else ()
    return Complaint("unknown-opcode", text, Part.OPCODE, (), severity, data)


def explain(forms: tuple[Form, ...], words: tuple[str, ...], severity: Severity) -> Complaint:
    """Why these modifiers (with their dots) spell none of the forms of an opcode, of which there is one at least."""
    misfit = nearest_misfit(forms, words)
    if misfit is None:
        return Complaint("unknown-opcode", f"`{forms[0].opcode}` has no documented form", Part.OPCODE, (), severity)
    code, text, data = _EXPLAINED[misfit.trouble](forms, misfit)
    part, path = (Part.MODIFIER, (misfit.index,)) if misfit.index >= 0 else (Part.MODIFIERS, ())
    return Complaint(code, text, part, path, severity, data)


def missing(forms: tuple[Form, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    """The modifiers of which one makes these words a form, where that is all that they lack."""
    misfit = nearest_misfit(forms, words)
    if misfit is None or misfit.trouble is not Trouble.MISSING:
        return ()
    return misfit.wanted


def quoted(word: str) -> str:
    """A word of the author's, for a message: cut where it is long, its braces doubled."""
    word = word if len(word) <= 60 else word[:57] + "..."
    return word.replace("{", "{{").replace("}", "}}")


def needs(words: tuple[str, ...]) -> str:
    """What is needed where one of these words is: "a rounding modifier: `.rn` or `.rz`", "`.approx`"."""
    sort = next((name for sort, name in SORTS if len(words) > 1 and sort.issuperset(words)), "")
    return (sort + ": " if sort else "") + listed(words)


def _name(match: Match) -> str:
    """The name of the instruction, its fixed words included: `cp.async.bulk.tensor`."""
    form = match.form
    lead = [match.word(i) or e.words[0] for i, e in enumerate(form.elements) if e.fixed and not e.optional]
    return form.opcode + "".join(lead)


def _without(match: Match, index: int) -> str:
    """The opcode as it stands, without the modifier at `index`; its name alone where that is long."""
    text = match.form.opcode + "".join(word for i, word in enumerate(match.words) if i != index)
    return quoted(text) if len(text) <= LONGEST_SHOWN else _name(match)


def _explain_unknown(forms: tuple[Form, ...], misfit: Misfit) -> Explanation:
    match, word, wanted = misfit.match, misfit.match.words[misfit.index], misfit.wanted
    name, shown = _without(match, misfit.index), quoted(word)
    if word in TYPE_WORDS and wanted and TYPE_WORDS.issuperset(wanted):
        return _explain_type(match, misfit)
    if _known_to(forms, word):
        other = _opponent(forms, match, word)
        text = f"`{shown}` does not go with `{other}` in `{_name(match)}`" if other else f"`{shown}` does not fit here"
        if wanted:
            text = f"`{name}` takes {listed(wanted)} here, not `{shown}`"
        return "modifier-conflict", text, (("other", other),)
    candidates = {*wanted, *_free_words(match), *(w for form in forms if not form.lenient for w in form.vocabulary)}
    near = next(iter(get_close_matches(word[:60], sorted(candidates), 1, 0.6)), "")
    if near:
        text = f"`{_name(match)}` has no modifier `{shown}`: did you mean `{near}`?"
        return "unknown-modifier", text, (("nearest", near),)
    more = f": it takes {listed(wanted)} there" if wanted else ""
    return "unknown-modifier", f"`{_name(match)}` has no modifier `{shown}`{more}", ()


def _explain_type(match: Match, misfit: Misfit) -> Explanation:
    word, name = match.words[misfit.index], _without(match, misfit.index)
    same = [w for w in misfit.wanted if same_bits(word, w)]
    if same:
        text = f"`{name}` has no form for `{word}`: write `{same[0]}`, which has the same bits"
        return "instruction-type", text, (("nearest", same[0]),)
    return "instruction-type", f"`{name}` has no form for `{word}`: it takes {listed(misfit.wanted)} there", ()


def _free_words(match: Match) -> list[str]:
    empty = (e for e, p in zip(match.form.elements, match.places, strict=True) if p < 0)
    return [word for element in empty for word in element.words]


def _known_to(forms: tuple[Form, ...], word: str) -> bool:
    return any(word in e.words for form in forms for e in form.elements)


def _opponent(forms: tuple[Form, ...], match: Match, word: str) -> str:
    """The modifier that keeps `word` out: the last that no form has together with it, the type by preference."""
    homes = [form for form in forms if any(word in e.words for e in form.elements)]
    present = [match.words[p] for p in match.places if p >= 0]
    present.sort(key=lambda w: w not in TYPE_WORDS)
    for other in present:
        if not any(other in e.words for form in homes for e in form.elements):
            return other
    return present[0] if present else ""


def _explain_missing(forms: tuple[Form, ...], misfit: Misfit) -> Explanation:
    text = f"`{_without(misfit.match, -1)}` needs {needs(misfit.wanted)}"
    return "missing-modifier", text, (("wanted", " ".join(misfit.wanted)),)


def _explain_duplicate(forms: tuple[Form, ...], misfit: Misfit) -> Explanation:
    word = misfit.match.words[misfit.index]
    return "duplicate-modifier", f"`{word}` stands twice", ()


def _explain_second(forms: tuple[Form, ...], misfit: Misfit) -> Explanation:
    word, other = misfit.match.words[misfit.index], misfit.match.words[misfit.other]
    text = f"`{word}` cannot follow `{other}`: `{_name(misfit.match)}` takes one of them"
    return "modifier-conflict", text, (("other", other),)


def _explain_order(forms: tuple[Form, ...], misfit: Misfit) -> Explanation:
    match = misfit.match
    right = match.form.opcode + "".join(match.words[p] for p in match.places if p >= 0)
    data = (("replacement", right),) if len(right) <= 2 * LONGEST_SHOWN else ()
    return "modifier-order", f"these modifiers stand in another order: `{quoted(right)}`", data


def _explain_rule(forms: tuple[Form, ...], misfit: Misfit) -> Explanation:
    rule = misfit.rule
    assert rule is not None
    word = misfit.match.words[misfit.index] if misfit.index >= 0 else _spelled_out(rule)
    if rule.together:
        return "missing-modifier", f"`{word}` needs {needs(misfit.wanted)}", (("wanted", " ".join(misfit.wanted)),)
    other = misfit.match.words[misfit.other] if misfit.other >= 0 else ""
    return "modifier-conflict", f"`{word}` does not go with `{other}` in `{_name(misfit.match)}`", (("other", other),)


def _spelled_out(rule: Rule) -> str:
    return "".join(term.words[0] for term in rule.subject)


_EXPLAINED: dict[Trouble, Callable[[tuple[Form, ...], Misfit], Explanation]] = {
    Trouble.UNKNOWN: _explain_unknown,
    Trouble.MISSING: _explain_missing,
    Trouble.DUPLICATE: _explain_duplicate,
    Trouble.SECOND: _explain_second,
    Trouble.ORDER: _explain_order,
    Trouble.RULE: _explain_rule,
}
