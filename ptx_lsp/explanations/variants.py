"""Other modifiers that a place of an instruction may have, at the module's version and target."""

from ptx_lsp.isa.forms import Form
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.matching import Match, broken_rule, fill
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.fit import Fit
from ptx_lsp.judgement.gates import gate


def possible_words(match: Match, place: int, version: Version, target: Target) -> tuple[str, ...]:
    """The words that a place of this form may have together with the other modifiers, in the order of the form."""
    form = match.form
    found = []
    for word in form.elements[place].words:
        words = tuple(w for i in range(len(form.elements)) if (w := word if i == place else match.word(i)))
        if _spells(form, words, version, target):
            found.append(word)
    return tuple(found)


def addable_words(match: Match, version: Version, target: Target) -> tuple[str, ...]:
    """The modifiers that may be added to get another form of the same page, in alphabetical order."""
    opcode = instruction(match.form.opcode)
    others = [f for f in opcode.forms if f.section is match.form.section and not f.lenient] if opcode else []
    fixed = sum(element.fixed for element in match.form.elements)
    words = tuple(w for i in range(len(match.form.elements)) if (w := match.word(i)))
    found: dict[str, None] = {}
    for form in others:
        for word in form.vocabulary - match.form.vocabulary - TYPE_WORDS:
            if _spells(form, (*words[:fixed], word, *words[fixed:]), version, target):
                found[word] = None
    return tuple(sorted(found))


def siblings(match: Match, index: int, version: Version, target: Target) -> tuple[str, ...]:
    """The words that may replace the modifier at `index`, itself included, in a form that the module may use.

    The other modifiers do not change. If the modifier is optional, its siblings are the words that share a place with
    it in some form; if it is mandatory, all words that may fill its place.
    """
    opcode = instruction(match.form.opcode)
    if opcode is None or index in match.noise:
        return ()
    place = match.places.index(index)
    forms = tuple(f for f in opcode.forms if not f.lenient or f is match.form)
    before = tuple(w for i, w in enumerate(match.words[:index]) if i not in match.noise)
    after = tuple(w for i, w in enumerate(match.words[index + 1 :], index + 1) if i not in match.noise)
    fixed = match.form.elements[place].fixed
    may_be_empty = any(_spells(form, before + after, version, target) for form in forms)
    candidates = _candidates(forms, match.words[index], fixed, may_be_empty)
    return tuple(
        word
        for word in candidates
        if any(word in form.vocabulary and _spells(form, (*before, word, *after), version, target) for form in forms)
    )


def _candidates(forms: tuple[Form, ...], word: str, fixed: bool, may_be_empty: bool) -> tuple[str, ...]:
    """The words of places like that of `word`, in the order of the forms; `may_be_empty`: only places with `word`."""
    found: dict[str, None] = {}
    for form in forms:
        for element in form.elements:
            if element.fixed == fixed and (word in element.words or not may_be_empty):
                found.update(dict.fromkeys(element.words))
    return tuple(found)


def _spells(form: Form, words: tuple[str, ...], version: Version, target: Target) -> bool:
    """Whether the form matches these modifiers, and the module may use the form."""
    filled = fill(form, words)
    if filled is None or broken_rule(filled) is not None:
        return False
    return not gate(Fit(filled, form.opcode + "".join(words)), (form,), version, target)
