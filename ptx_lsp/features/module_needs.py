"""The needs of a module: the lowest version and targets that have all its features, and the causes.

They are computed from the needs of its statements, and then tried: the module is analysed again with that version and
target, because some changes between versions are not features (the size of parameters, the places of variables).
"""

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.isa.directive_names import TARGET, VERSION
from ptx_lsp.isa.releases import NEWEST, RELEASES, read_version
from ptx_lsp.isa.targets import TARGETS, lowest_targets, read_target, satisfies
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.judge import judge
from ptx_lsp.judgement.verdict import Part
from ptx_lsp.semantics.need_sets import NeedSets, StatementNeeds, first_version, met
from ptx_lsp.steps import result_of
from ptx_lsp.syntax.tree import Directive, Word
from ptx_lsp.text.ranges import Range

SLICE = 0.002
"""The maximum seconds of work between two pauses."""

Groups = dict[NeedSets, list[StatementNeeds]]
_CAUSES_PER_STEP = 200


@dataclass(frozen=True, slots=True)
class Cause:
    """A place in the text that needs something, with the name of the feature for messages."""

    name: str
    range: Range


@dataclass(frozen=True, slots=True)
class Refusal:
    """Targets that lack the same features, with those features."""

    targets: tuple[Target, ...]
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """The version and target in the module's header, with their ranges; None if they are missing."""

    version: Version | None = None
    version_range: Range | None = None
    target: Target | None = None
    target_range: Range | None = None


@dataclass(frozen=True, slots=True)
class ModuleNeeds:
    """The needs of a module.

    `version` is the lowest that has all features, `targets` are the lowest targets that have them in this version; None
    and empty if no known target has all of them. `firsts` has the first version of every target that has all features,
    `refusals` the missing features of every other target. `version_causes` and `target_causes` are the places that
    need this version and these targets.
    """

    written: Written
    version: Version | None
    targets: tuple[Target, ...]
    firsts: dict[Target, Version]
    refusals: tuple[Refusal, ...]
    version_causes: tuple[Cause, ...]
    target_causes: tuple[Cause, ...]


def targets_text(targets: Iterable[Target]) -> str:
    """Some targets, of which a module needs one: `sm_80 or later`, `sm_90a, sm_100f or sm_120f`."""
    shown = [f"{target}{'' if target.suffix else ' or later'}" for target in targets]
    return " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def needs_of(module: Module) -> ModuleNeeds:
    """The needs of a module. The module must have been analysed (`work`)."""
    return result_of(find_needs(module))


def find_needs(module: Module) -> Generator[None, None, ModuleNeeds]:
    """The same in small steps: it yields every few hundredths of a second, so that the caller can do other work.

    The module must not change between the steps.
    """
    groups: Groups = {}
    for found in module.needs():
        for each in found:
            groups.setdefault(each.need_sets, []).append(each)
        yield
    written = _written(module)
    firsts = {t: first for t in TARGETS if (first := _first(groups, t)) is not None}
    version = min(firsts.values(), default=None)
    tried: tuple[Cause, ...] = ()
    if version is not None:
        lowest = next(iter(lowest_targets(t for t in firsts if firsts[t] == version)))
        version, tried = yield from _try(module, written, version, lowest)
        firsts = {t: max(first, version) for t, first in firsts.items()}
    targets = lowest_targets(t for t in firsts if firsts[t] == version)
    yield
    refusals = yield from _refusals(groups, [t for t in TARGETS if t not in firsts])
    yield
    for_target = _target_causes(refusals, targets)
    # if the version is the first with this target, the causes of the target are also causes of the version
    for_version = tried or (yield from _version_causes(groups, version, targets)) or for_target
    return ModuleNeeds(written, version, targets, firsts, refusals, for_version, for_target)


def _first(groups: Iterable[NeedSets], target: Target) -> Version | None:
    """The first version in which a module for `target` can have all needed features, or None."""
    latest = TARGETS[target]
    for need_sets in groups:
        first = first_version(need_sets, target)
        if first is None:
            return None
        latest = max(latest, first)
    return latest if all(met(need_sets, latest, target) for need_sets in groups) else None


# --- causes -------------------------------------------------------------------------------------------------------


def _version_causes(
    groups: Groups, version: Version | None, targets: tuple[Target, ...]
) -> Generator[None, None, tuple[Cause, ...]]:
    """The features that are missing one version earlier; empty if only the target itself is missing there."""
    if version is None or not targets:
        return ()
    earlier = max((v for v in RELEASES if v < version), default=None)
    if earlier is None:
        return ()
    target = targets[0]
    found = [each for need_sets, who in groups.items() if not met(need_sets, earlier, target) for each in who]
    return (yield from _causes(found, earlier, target))


def _target_causes(refusals: tuple[Refusal, ...], targets: tuple[Target, ...]) -> tuple[Cause, ...]:
    """The features that the targets next to the lowest ones do not have."""
    lacking = {target: refusal.causes for refusal in refusals for target in refusal.targets}
    below = {weaker for target in targets for weaker in _next_below(target, lacking)}
    found = dict.fromkeys(cause for target in sorted(below) for cause in lacking[target])
    return tuple(sorted(found, key=lambda cause: cause.range))


def _next_below(target: Target, among: Iterable[Target]) -> list[Target]:
    """The highest of some targets that are lower than this one."""
    weaker = [t for t in among if t != target and satisfies(target, t)]
    return [t for t in weaker if not any(o != t and satisfies(o, t) for o in weaker)]


def _refusals(groups: Groups, targets: list[Target]) -> Generator[None, None, tuple[Refusal, ...]]:
    """The features that each of these targets does not have, in the first version that has the others."""
    alike: dict[tuple[NeedSets, ...], list[Target]] = {}
    for target in targets:
        version = _first_of_most(groups, target)
        unmet = tuple(need_sets for need_sets in groups if not met(need_sets, version, target))
        alike.setdefault(unmet, []).append(target)
    found = []
    for unmet, those in alike.items():
        who = (each for need_sets in unmet for each in groups[need_sets])
        causes = yield from _causes(who, _first_of_most(groups, those[0]), those[0])
        found.append(Refusal(tuple(those), causes))
    return tuple(found)


def _first_of_most(groups: Iterable[NeedSets], target: Target) -> Version:
    """The first version in which a module for `target` has all needed features that this target can have."""
    firsts = (first for need_sets in groups if (first := first_version(need_sets, target)) is not None)
    return max(firsts, default=TARGETS[target])


def _causes(
    found: Iterable[StatementNeeds], version: Version, target: Target
) -> Generator[None, None, tuple[Cause, ...]]:
    causes: list[Cause] = []
    for each in found:
        causes.append(Cause(_name(each, version, target), each.mark.resolved()))
        if not len(causes) % _CAUSES_PER_STEP:
            yield
    return tuple(sorted(causes, key=lambda cause: cause.range))


def _name(needs: StatementNeeds, version: Version, target: Target) -> str:
    """The feature that a version and target do not have: a modifier of the instruction, or the whole instruction."""
    if not needs.opcode:
        return needs.name
    complaints = judge(needs.opcode, needs.kinds, version, target).complaints
    first = next((c for c in complaints if c.severity is Severity.ERROR), None)
    if first is None or first.part is not Part.MODIFIER:
        return needs.name
    word = needs.opcode.split(".")[1 + first.path[0]]
    return f"`.{word}` of {needs.name}"


# --- the trial ----------------------------------------------------------------------------------------------------


def _try(
    module: Module, written: Written, version: Version, target: Target
) -> Generator[None, None, tuple[Version, tuple[Cause, ...]]]:
    """The first version from `version` on that adds no errors to those of the module; `version` if none is better.

    Also returns the causes of the other errors one version earlier, if the result is not `version`.
    """
    last = min(written.version or NEWEST, NEWEST)
    wrong = yield from _new_errors(module, written, version, target)
    # most often there is no error; an error that no later version removes has another cause
    if not wrong or last <= version or (yield from _new_errors(module, written, last, target)):
        return version, ()
    for later in sorted(v for v in RELEASES if version < v <= last):
        now = yield from _new_errors(module, written, later, target)
        if not now:
            return later, tuple(Cause(f.message, f.range) for f in wrong)
        wrong = now
    return version, ()


def _new_errors(
    module: Module, written: Written, version: Version, target: Target
) -> Generator[None, None, list[Finding]]:
    """The errors that the module has with this version and target, and does not have now."""
    if written.version_range is None or written.target_range is None:
        return []
    trial = Module(module.document.whole())
    # the target is after the version, so this edit does not move the version
    trial.edit(written.target_range, str(target))
    trial.edit(written.version_range, str(version))
    while not trial.work(SLICE):
        yield
    known = {(f.code, f.range.line) for f in module.findings() if f.severity is Severity.ERROR}
    errors = (f for f in trial.findings() if f.severity is Severity.ERROR)
    return [f for f in errors if (f.code, f.range.line) not in known]


def _written(module: Module) -> Written:
    """The version and target in the header; of several architectures the last one counts."""
    found = Written()
    for located in module.statements(Range(0, 0, module.document.line_count, 0)):
        statement = located.statement
        if not isinstance(statement, Directive):
            break
        for argument in statement.arguments:
            range_ = located.range(argument.start, argument.end)
            text = located.text[argument.start : argument.end]
            if statement.name.text == VERSION and found.version is None:
                found = Written(read_version(text), range_, found.target, found.target_range)
            elif statement.name.text == TARGET and isinstance(argument, Word) and (named := read_target(text)):
                found = Written(found.version, found.version_range, named, range_)
    return found
