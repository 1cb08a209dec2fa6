"""The verdict on an instruction: a pure function of its opcode text, operand kinds, version and target."""

from difflib import get_close_matches

from ptx_lsp.analysis.fitting import Fit, fit_operands
from ptx_lsp.analysis.verdict import Complaint, Part, Verdict
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.forms import Access, Condition, Form, Needs, Rule
from ptx_lsp.isa.instructions import Instruction, instruction, nearest_opcode
from ptx_lsp.isa.matching import Match, Misfit, Trouble, matches, nearest_misfit
from ptx_lsp.isa.releases import cuda_release
from ptx_lsp.isa.targets import allows
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.isa.versions import Target, Version

Key = tuple[str, tuple[str, ...]]

_memory: dict[tuple[Version, Target, bool], dict[Key, Verdict]] = {}
_spelled: dict[str, tuple[Match, ...]] = {}

JUDGED_ELSEWHERE = frozenset(("call",))
"""Opcodes whose operands follow a prototype: only their modifiers are judged here."""

MOST_REMEMBERED = 200_000


def judge(opcode: str, kinds: tuple[str, ...], version: Version, target: Target, known: bool = True) -> Verdict:
    """What holds for every statement with this opcode text (`add.s32`) and these operand kinds.

    `known` is False where the module's version is newer than ours: words that we do not know are then information.
    Answers are remembered for the life of the process.
    """
    memory = _memory.setdefault((version, target, known), {})
    verdict = memory.get((opcode, kinds))
    if verdict is None:
        if len(memory) > MOST_REMEMBERED:
            memory.clear()
        verdict = memory[opcode, kinds] = _judge(opcode, kinds, version, target, known)
    return verdict


def _judge(opcode: str, kinds: tuple[str, ...], version: Version, target: Target, known: bool) -> Verdict:
    head, *rest = opcode.split(".")
    words = tuple("." + word for word in rest)
    what = instruction(head)
    if what is None:
        return _only(_unknown_opcode(head, known))
    spelled = spellings(opcode)
    if not spelled:
        return _only(_explain(what, words, known))
    fits = [_fit(match, opcode, kinds) for match in spelled]
    judged = [(fit, _gate(fit, version, target)) for fit in fits]
    fit, gated = min(judged, key=_rank)
    complaints = (*_noise(fit.match), *(fit.complaints or gated))
    if not known and gated and not fit.complaints:
        complaints = tuple(c for c in complaints if c.code != "requires-version")
    return _verdict(what, fit, complaints)


def _rank(judged: tuple[Fit, tuple[Complaint, ...]]) -> tuple[int, int, int, bool]:
    """What comes first of the forms that an opcode text spells: what fits, what the module has, what is documented."""
    fit, gated = judged
    return fit.cost, len(gated), len(fit.match.noise), fit.match.form.lenient


def spellings(opcode: str) -> tuple[Match, ...]:
    """The forms that an opcode text spells; none where its modifiers are wrong."""
    found = _spelled.get(opcode)
    if found is None:
        if len(_spelled) > MOST_REMEMBERED:
            _spelled.clear()
        head, *rest = opcode.split(".")
        what = instruction(head)
        words = tuple("." + word for word in rest)
        found = _spelled[opcode] = tuple(matches(what.forms, words)) if what else ()
    return found


def _fit(match: Match, opcode: str, kinds: tuple[str, ...]) -> Fit:
    if match.form.opcode in JUDGED_ELSEWHERE:
        return Fit(match, opcode)
    return fit_operands(match, opcode, kinds)


def _only(complaint: Complaint) -> Verdict:
    return Verdict((complaint,), (), (), (), (), -1)


def _verdict(what: Instruction, fit: Fit, complaints: tuple[Complaint, ...]) -> Verdict:
    written = tuple(i for i, slot in enumerate(fit.slots) if slot.access is not Access.READ)
    both = tuple(i for i, slot in enumerate(fit.slots) if slot.access is Access.BOTH)
    roles = tuple(slot.role for slot in fit.slots)
    obligations = () if fit.complaints else tuple(fit.obligations)
    return Verdict(complaints, obligations, written, both, roles, what.forms.index(fit.match.form))


def _unknown_opcode(head: str, known: bool) -> Complaint:
    near = nearest_opcode(head)
    text = f"`{_quoted(head)}` is no PTX instruction" + (f": did you mean `{near}`?" if near else "")
    severity = Severity.ERROR if known else Severity.INFORMATION
    data = (("nearest", near),) if near else ()
    return Complaint("unknown-opcode", text, Part.OPCODE, (), severity, data)


def _quoted(word: str) -> str:
    word = word if len(word) <= 60 else word[:57] + "..."
    return word.replace("{", "{{").replace("}", "}}")


def _explain(what: Instruction, words: tuple[str, ...], known: bool) -> Complaint:
    """Why these modifiers spell no form of the instruction, against the nearest one."""
    misfit = nearest_misfit(what.forms, words)
    severity = Severity.ERROR if known else Severity.INFORMATION
    if misfit is None:
        return Complaint("unknown-opcode", f"`{what.opcode}` has no forms", Part.OPCODE, (), severity)
    code, text, data = _EXPLAINED[misfit.trouble](what, misfit)
    part, path = (Part.MODIFIER, (misfit.index,)) if misfit.index >= 0 else (Part.MODIFIERS, ())
    return Complaint(code, text, part, path, severity, data)


Explanation = tuple[str, str, tuple[tuple[str, str], ...]]


def _listed(words: tuple[str, ...]) -> str:
    shown = [f"`{w}`" for w in words[:8]]
    if len(words) > 8:
        return ", ".join(shown) + " ..."
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " or " + shown[-1]


def _name(misfit: Misfit) -> str:
    form = misfit.match.form
    lead = [misfit.match.word(i) or e.words[0] for i, e in enumerate(form.elements) if e.fixed and not e.optional]
    return form.opcode + "".join(lead)


def _explain_unknown(what: Instruction, misfit: Misfit) -> Explanation:
    match, word = misfit.match, misfit.match.words[misfit.index]
    name, shown = _name(misfit), _quoted(word)
    fresh = _free_words(match)
    near = next(iter(get_close_matches(word[:60], [*misfit.wanted, *fresh], 1, 0.6)), "")
    data = (("nearest", near),) if near else ()
    if word in TYPE_WORDS and misfit.wanted and set(misfit.wanted) <= TYPE_WORDS:
        return "instruction-type", f"`{name}` has no form for `{shown}` here: it takes {_listed(misfit.wanted)}", data
    if _known_to(what, word):
        other = _opponent(what, match, word)
        text = f"`{shown}` does not go with `{other}` in `{name}`" if other else f"`{shown}` does not fit here"
        return "modifier-conflict", text, (*data, ("other", other))
    if near:
        return "unknown-modifier", f"`{name}` has no modifier `{shown}`: did you mean `{near}`?", data
    more = f": it takes {_listed(misfit.wanted)} there" if misfit.wanted else ""
    return "unknown-modifier", f"`{name}` has no modifier `{shown}`{more}", data


def _free_words(match: Match) -> list[str]:
    empty = (e for e, p in zip(match.form.elements, match.places, strict=True) if p < 0)
    return [word for element in empty for word in element.words]


def _known_to(what: Instruction, word: str) -> bool:
    return any(word in e.words for form in what.forms for e in form.elements)


def _opponent(what: Instruction, match: Match, word: str) -> str:
    """The modifier that keeps `word` out: the last that no form has together with it, the type by preference."""
    homes = [form for form in what.forms if any(word in e.words for e in form.elements)]
    present = [match.words[p] for p in match.places if p >= 0]
    present.sort(key=lambda w: w not in TYPE_WORDS)
    for other in present:
        if not any(other in e.words for form in homes for e in form.elements):
            return other
    return present[0] if present else ""


def _explain_missing(what: Instruction, misfit: Misfit) -> Explanation:
    wanted = misfit.wanted
    kind = "a type" if set(wanted) <= TYPE_WORDS else ""
    text = f"`{_name(misfit)}` needs {kind + ': ' if kind else ''}{_listed(wanted)}"
    return "missing-modifier", text, (("wanted", " ".join(wanted)),)


def _explain_duplicate(what: Instruction, misfit: Misfit) -> Explanation:
    word = misfit.match.words[misfit.index]
    return "duplicate-modifier", f"`{word}` stands twice", ()


def _explain_second(what: Instruction, misfit: Misfit) -> Explanation:
    word, other = misfit.match.words[misfit.index], misfit.match.words[misfit.other]
    text = f"`{word}` cannot follow `{other}`: `{_name(misfit)}` takes one of them"
    return "modifier-conflict", text, (("other", other),)


def _explain_order(what: Instruction, misfit: Misfit) -> Explanation:
    source = misfit.match.form.source.split(" ")[0]
    return "modifier-order", f"these modifiers stand in another order: `{_quoted(source)}`", ()


def _explain_rule(what: Instruction, misfit: Misfit) -> Explanation:
    rule = misfit.rule
    assert rule is not None
    word = misfit.match.words[misfit.index] if misfit.index >= 0 else _spelled_out(rule)
    if rule.together:
        return "missing-modifier", f"`{word}` needs {_listed(misfit.wanted)}", (("wanted", " ".join(misfit.wanted)),)
    other = misfit.match.words[misfit.other] if misfit.other >= 0 else ""
    return "modifier-conflict", f"`{word}` does not go with `{other}` in `{_name(misfit)}`", (("other", other),)


def _spelled_out(rule: Rule) -> str:
    return "".join(term.words[0] for term in rule.subject)


_EXPLAINED = {
    Trouble.UNKNOWN: _explain_unknown,
    Trouble.MISSING: _explain_missing,
    Trouble.DUPLICATE: _explain_duplicate,
    Trouble.SECOND: _explain_second,
    Trouble.ORDER: _explain_order,
    Trouble.RULE: _explain_rule,
}


def _noise(match: Match) -> tuple[Complaint, ...]:
    name = match.form.opcode
    return tuple(
        Complaint(
            "noise-modifier",
            f"`{match.words[i]}` means nothing in `{name}`: the assembler passes over it",
            Part.MODIFIER,
            (i,),
            Severity.WARNING,
        )
        for i in match.noise
    )


def needed(match: Match) -> list[tuple[Needs, Condition]]:
    """All that a matched form needs: of its page, of itself, of its modifiers (with the condition that brings it)."""
    section = match.form.section
    found: list[tuple[Needs, Condition]] = [(section.needs, ()), (match.form.needs, ())]
    found += [(gate.needs, gate.condition) for gate in section.gates if match.holds(gate.condition)]
    return found


def _gate(fit: Fit, version: Version, target: Target) -> tuple[Complaint, ...]:
    """What the module's version and target do not have: one complaint at most."""
    for needs, condition in needed(fit.match):
        removed = _removed(fit.match, needs, version, target)
        if removed:
            return (removed,)
        problem = _unmet(needs, version, target)
        if problem:
            code, text = problem
            return (_gated(fit.match, condition, code, text),)
    return _gate_operands(fit, version, target)


def _gate_operands(fit: Fit, version: Version, target: Target) -> tuple[Complaint, ...]:
    for role, needs in fit.match.form.section.given:
        problem = _unmet(needs, version, target) if role in fit.given else None
        if problem:
            code, text = problem
            return (Complaint(code, f"the operand `{role}` of `{fit.opcode}` {text}", Part.OPERAND, fit.given[role]),)
    return ()


def _gated(match: Match, condition: Condition, code: str, text: str) -> Complaint:
    index = match.index(condition) if condition else -1
    if index >= 0:
        return Complaint(code, f"`{match.words[index]}` {text}", Part.MODIFIER, (index,))
    name = match.form.opcode + "".join(match.words)
    return Complaint(code, f"`{name}` {text}", Part.MODIFIERS)


def _unmet(needs: Needs, version: Version, target: Target) -> tuple[str, str] | None:
    """The code and the predicate of what is not met: "needs PTX 8.0 ...", or None."""
    if not needs.alternatives:
        return None
    reachable = [a for a in needs.alternatives if allows(target, a.targets)]
    if any(a.version is None or a.version <= version for a in reachable):
        return None
    if reachable:
        lowest = min(a.version for a in reachable if a.version)
        release = cuda_release(lowest)
        brought = f" (CUDA {release})" if release else ""
        return "requires-version", f"needs PTX ISA {lowest}{brought}; this module is version {version}"
    targets = dict.fromkeys(str(t) for a in needs.alternatives for t in a.targets)
    return "requires-target", f"needs {_listed(tuple(targets))}{_or_later(needs)}; this module is for `{target}`"


def _or_later(needs: Needs) -> str:
    plain = all(not t.suffix for a in needs.alternatives for t in a.targets)
    return " or later" if plain else ""


def _removed(match: Match, needs: Needs, version: Version, target: Target) -> Complaint | None:
    for removal in needs.removed:
        if version >= removal.version and (removal.target is None or target.number >= removal.target.number):
            name = match.form.opcode + "".join(match.words)
            where = f" on `{removal.target}` and later" if removal.target else ""
            text = f"`{name}` was removed in PTX ISA {removal.version}{where}"
            return Complaint("removed-instruction", text, Part.MODIFIERS)
    return None


def form_of(opcode: str, index: int) -> Form | None:
    """The form that `Verdict.form` points to."""
    what = instruction(opcode.split(".")[0])
    return what.forms[index] if what and 0 <= index < len(what.forms) else None
