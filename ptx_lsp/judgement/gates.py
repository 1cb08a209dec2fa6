"""Instructions, modifiers and operands that the module's version or target does not have."""

from ptx_lsp.isa.forms import Condition, Form, Needs, Requirement
from ptx_lsp.isa.instructions import instruction
from ptx_lsp.isa.matching import Match
from ptx_lsp.isa.releases import with_release
from ptx_lsp.isa.spaces import SPACE_WORDS
from ptx_lsp.isa.targets import TARGETS, allows, nameable
from ptx_lsp.isa.types import TYPE_WORDS
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.fit import Fit
from ptx_lsp.judgement.verdict import Complaint, Part, listed
from ptx_lsp.light_classes import lru_cache
from ptx_lsp.memo import forgettable

Unmet = tuple[str, str, tuple[tuple[str, str], ...]]
"""The code of a finding, the end of its message ("needs PTX ISA 8.0 ..."), and data for the fix."""

REQUIRES_VERSION, REQUIRES_TARGET, REMOVED = "requires-version", "requires-target", "removed-instruction"
REQUIREMENTS = frozenset((REQUIRES_VERSION, REQUIRES_TARGET))
"""The codes of findings that say what a module needs, and hide no other finding of their statement."""

UNAVAILABLE = REQUIREMENTS | {REMOVED}
"""The codes of findings about what the module's version or target does not have."""

ADDRESS_OF_RESULT = Needs((Requirement(Version(6, 0), (Target(30),)),))
"""The needs of `mov.u64 %rd1, retval;` in the function with that result (observed: ptxas 13.5)."""


def needed(match: Match) -> list[tuple[Needs, Condition]]:
    """The needs of a matched form: of its section, of the form, of its modifiers, each with its condition."""
    section = match.form.section
    found: list[tuple[Needs, Condition]] = [(section.needs, ()), (match.form.needs, ())]
    words = frozenset(match.words)
    for each in section.gates:
        # most do not apply because the first word of their condition is missing
        if not words.isdisjoint(each.condition[0].words) and match.holds(each.condition):
            found.append((each.needs, each.condition))
    return found


def gate(fit: Fit, forms: tuple[Form, ...], version: Version, target: Target) -> tuple[Complaint, ...]:
    """At most one complaint, if the module's version or target lacks something; `forms` are those to choose from."""
    return gate_modifiers(fit.match, forms, version, target) or gate_operands(fit, version, target)


def gate_modifiers(
    match: Match, forms: tuple[Form, ...] | None, version: Version, target: Target
) -> tuple[Complaint, ...]:
    """At most one complaint, if the module's version or target lacks the form or one of its modifiers.

    `forms` are those that the message about a removed one chooses from, None for all forms of the opcode.
    """
    for what, condition in needed(match):
        if what.removed and gone(what, version, target):
            return (_removed(match, what, forms, version, target),)
        unmet = unmet_needs(what, version, target)
        if unmet:
            return (_gated(match, condition, unmet),)
    return ()


def gone(what: Needs, version: Version, target: Target) -> bool:
    """Whether something was removed in this version or an earlier one, on this target."""
    return any(version >= r.version and (r.target is None or target.number >= r.target.number) for r in what.removed)


def meets(what: Needs, version: Version, target: Target) -> bool:
    """Whether a module of this version and target has all that is needed; what was removed is not looked at."""
    alternatives = what.alternatives
    return not alternatives or any(
        allows(target, a.targets) and (a.version or version) <= version for a in alternatives
    )


def lowest_version(what: Needs, target: Target) -> Version | None:
    """The lowest version that has something on this target, if it needs a version; None if no version does."""
    return min((a.version for a in what.alternatives if a.version and allows(target, a.targets)), default=None)


def gate_operands(fit: Fit, version: Version, target: Target) -> tuple[Complaint, ...]:
    """At most one complaint, if the module's version or target lacks what an operand of a fitted form is."""
    for role, needs in fit.match.form.section.given:
        unmet = unmet_needs(needs, version, target) if role in fit.given else None
        if unmet:
            code, text, data = unmet
            name, _, where = role.partition(" ")
            what = f"`{name}` of `{fit.opcode}` {where}" if where else f"the operand `{name}` of `{fit.opcode}`"
            message = f"{what} {text}"
            return (Complaint(code, message, Part.OPERAND, fit.given[role], data=data),)
    unmet = unmet_needs(fit.match.form.section.native, version, target) if fit.passed else None
    if unmet:
        code, text, data = unmet
        path, what = fit.passed[0]
        return (Complaint(code, f"{what} {text}", Part.OPERAND, path, data=data),)
    unmet = unmet_needs(ADDRESS_OF_RESULT, version, target) if fit.results else None
    if unmet:
        code, text, data = unmet
        return (Complaint(code, f"the address of a result {text}", Part.OPERAND, fit.results[0], data=data),)
    return ()


def _gated(match: Match, condition: Condition, unmet: Unmet) -> Complaint:
    code, text, data = unmet
    words = {word for term in condition for word in term.words}
    present = [i for i, word in enumerate(match.words) if word in words]
    if not present:
        return Complaint(code, f"`{_spelled(match)}` {text}", Part.MODIFIERS, data=data)
    # the type or the state space is seldom the reason
    index = min(present, key=lambda i: (match.words[i] in TYPE_WORDS | SPACE_WORDS, -i))
    together = "".join(match.words[i] for i in present)
    return Complaint(code, f"`{together}` {text}", Part.MODIFIER, (index,), data=data)


def _spelled(match: Match) -> str:
    return match.form.opcode + "".join(match.words)


def unmet_needs(what: Needs, version: Version, target: Target) -> Unmet | None:
    """What a version and target lack for something: a code, its words for a message, and data; None if nothing."""
    # most need nothing: to look into the table, which takes the hash of all requirements, costs more than the rest
    return _unmet_of(what, version, target) if what.alternatives else None


@forgettable
@lru_cache(maxsize=4096)
def _unmet_of(what: Needs, version: Version, target: Target) -> Unmet | None:
    if meets(what, version, target):
        return None
    lowest = lowest_version(what, target)
    if lowest is not None:
        text = f"needs PTX ISA {with_release(lowest)}; this module is version {version}"
        return REQUIRES_VERSION, text, (("version", str(lowest)),)
    return _no_target(what.alternatives, version, target)


@forgettable
@lru_cache(maxsize=512)
def _no_target(alternatives: tuple[Requirement, ...], version: Version, target: Target) -> Unmet:
    """The need of another target, as no version has it on the module's target; and of a version, if that is too low."""
    enough = max(version, min(map(_first_version, alternatives)))
    required = [t for a in alternatives if _first_version(a) <= enough for t in a.targets]
    targets = tuple(map(str, nameable(required, enough)))
    later = " or later" if not any(t.suffix for t in required) else ""
    data = (("target", targets[0]),) if later and len(targets) == 1 else ()
    if enough == version:
        return REQUIRES_TARGET, f"needs {listed(targets)}{later}; this module is for `{target}`", data
    text = f"needs {listed(targets)}{later} and PTX ISA {with_release(enough)}"
    return REQUIRES_TARGET, f"{text}; this module is for `{target}`, version {version}", data


def _first_version(alternative: Requirement) -> Version:
    """The first version that has both the requirement and a target that meets it."""
    exists = min((_first_naming(t) for t in alternative.targets), default=Version(1, 0))
    return max(alternative.version or exists, exists)


def _first_naming(required: Target) -> Version:
    return min((first for t, first in TARGETS.items() if allows(t, (required,))), default=Version(1, 0))


def _removed(match: Match, what: Needs, forms: tuple[Form, ...] | None, version: Version, target: Target) -> Complaint:
    from ptx_lsp.judgement.misfit_messages import missing, needs

    if forms is None:
        known = instruction(match.form.opcode)
        forms = known.forms if known else ()
    removal = what.removed[0]
    where = f" on `{removal.target}` and later" if removal.target else ""
    text = f"`{_spelled(match)}` was removed in PTX ISA {removal.version}{where}"
    left = tuple(f for f in forms if not gone(f.needs, version, target) and not gone(f.section.needs, version, target))
    wanted = missing(left, match.words) if left else ()
    more = f"; now it needs {needs(wanted)}" if wanted else ""
    data = (("wanted", " ".join(wanted)),) if wanted else ()
    return Complaint(REMOVED, text + more, Part.MODIFIERS, data=data)
