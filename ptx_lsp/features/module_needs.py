"""What a module really needs: the lowest version and targets that have all of it, and who asks for them.

Found from what its statements demand, then tried: the module is analysed once more as if it were written for just
that, because some of what a version changes is no feature (how large parameters may be, where variables may stand).
"""

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from ptx_lsp.analysis.module import Module
from ptx_lsp.findings.finding import Finding, Severity
from ptx_lsp.isa.releases import NEWEST, RELEASES, read_version
from ptx_lsp.isa.targets import TARGETS, read_target, satisfies
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.judgement.judge import judge
from ptx_lsp.judgement.verdict import Part
from ptx_lsp.semantics.demands import Demand, Demanding, first_version, met
from ptx_lsp.semantics.structure import TARGET, VERSION
from ptx_lsp.syntax.tree import Directive, Word
from ptx_lsp.text.ranges import Range

SLICE = 0.01
"""Seconds of work between two rests."""

Groups = dict[Demand, list[Demanding]]


@dataclass(frozen=True, slots=True)
class Cause:
    """A place in the text that asks for something, and what it is, as a message calls it."""

    name: str
    range: Range


@dataclass(frozen=True, slots=True)
class Refusal:
    """Targets that lack the same, and what that is."""

    targets: tuple[Target, ...]
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """What the module says itself: the numbers and names, and where; None where it does not say."""

    version: Version | None = None
    version_range: Range | None = None
    target: Target | None = None
    target_range: Range | None = None


@dataclass(frozen=True, slots=True)
class ModuleNeeds:
    """What a module needs.

    `version` is the lowest that has everything, `targets` the lowest targets that do so in this version; None and
    nothing where no known target has everything. `firsts` tells for every target that has everything the first
    version, `refusals` what every other one lacks. `version_causes` and `target_causes` ask for no less than that.
    """

    written: Written
    version: Version | None
    targets: tuple[Target, ...]
    firsts: dict[Target, Version]
    refusals: tuple[Refusal, ...]
    version_causes: tuple[Cause, ...]
    target_causes: tuple[Cause, ...]


def needs_of(module: Module) -> ModuleNeeds:
    """What a module needs. The module must have been analysed (`work`)."""
    steps = find_needs(module)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            found: ModuleNeeds = done.value
            return found


def find_needs(module: Module) -> Generator[None, None, ModuleNeeds]:
    """The same in small steps: it rests, at least every few hundredths of a second, for something else to be done.

    The module must not change meanwhile.
    """
    groups: Groups = {}
    for found in module.demands():
        for each in found:
            groups.setdefault(each.demand, []).append(each)
        yield
    written = _written(module)
    firsts = {t: first for t in TARGETS if (first := _first(groups, t)) is not None}
    version = min(firsts.values(), default=None)
    tried: tuple[Cause, ...] = ()
    if version is not None:
        lowest = next(iter(_lowest(t for t in firsts if firsts[t] == version)))
        version, tried = yield from _try(module, written, version, lowest)
        firsts = {t: max(first, version) for t, first in firsts.items()}
    targets = _lowest(t for t in firsts if firsts[t] == version)
    refusals = _refusals(groups, [t for t in TARGETS if t not in firsts])
    confining = _confining(refusals, targets)
    # where the version is the one that brought the target, who asks for the target asks for the version
    asking = tried or _asking(groups, version, targets) or confining
    return ModuleNeeds(written, version, targets, firsts, refusals, asking, confining)


def _first(groups: Iterable[Demand], target: Target) -> Version | None:
    """The first version in which a module for `target` can have all that is demanded."""
    latest = TARGETS[target]
    for demand in groups:
        first = first_version(demand, target)
        if first is None:
            return None
        latest = max(latest, first)
    return latest if all(met(demand, latest, target) for demand in groups) else None


def _lowest(targets: Iterable[Target]) -> tuple[Target, ...]:
    """Those of some targets that are stronger than no other one of them."""
    given = list(targets)
    return tuple(sorted(t for t in given if not any(t != other and satisfies(t, other) for other in given)))


# --- who asks for it ----------------------------------------------------------------------------------------------


def _asking(groups: Groups, version: Version | None, targets: tuple[Target, ...]) -> tuple[Cause, ...]:
    """What is not there one version earlier; nothing where only the target itself came with this version."""
    if version is None or not targets:
        return ()
    earlier = max((v for v in RELEASES if v < version), default=None)
    if earlier is None:
        return ()
    target = targets[0]
    found = [each for demand, who in groups.items() if not met(demand, earlier, target) for each in who]
    return _causes(found, earlier, target)


def _confining(refusals: tuple[Refusal, ...], targets: tuple[Target, ...]) -> tuple[Cause, ...]:
    """What the targets next to the lowest ones do not have."""
    lacking = {target: refusal.causes for refusal in refusals for target in refusal.targets}
    below = {weaker for target in targets for weaker in _next_below(target, lacking)}
    found = dict.fromkeys(cause for target in sorted(below) for cause in lacking[target])
    return tuple(sorted(found, key=lambda cause: cause.range))


def _next_below(target: Target, among: Iterable[Target]) -> list[Target]:
    """The strongest of some targets that are weaker than this one."""
    weaker = [t for t in among if t != target and satisfies(target, t)]
    return [t for t in weaker if not any(o != t and satisfies(o, t) for o in weaker)]


def _refusals(groups: Groups, targets: list[Target]) -> tuple[Refusal, ...]:
    """What each of these targets does not have, in the first version that has the rest."""
    alike: dict[tuple[Demand, ...], list[Target]] = {}
    for target in targets:
        version = _first_of_most(groups, target)
        unmet = tuple(demand for demand in groups if not met(demand, version, target))
        alike.setdefault(unmet, []).append(target)
    found = []
    for unmet, those in alike.items():
        who = (each for demand in unmet for each in groups[demand])
        found.append(Refusal(tuple(those), _causes(who, _first_of_most(groups, those[0]), those[0])))
    return tuple(found)


def _first_of_most(groups: Iterable[Demand], target: Target) -> Version:
    """The first version in which a module for `target` has all that it can have of what is demanded."""
    firsts = (first for demand in groups if (first := first_version(demand, target)) is not None)
    return max(firsts, default=TARGETS[target])


def _causes(found: Iterable[Demanding], version: Version, target: Target) -> tuple[Cause, ...]:
    causes = (Cause(_name(each, version, target), each.mark.resolved()) for each in found)
    return tuple(sorted(causes, key=lambda cause: cause.range))


def _name(demanding: Demanding, version: Version, target: Target) -> str:
    """What of an instruction it is that a version and target do not have: the modifier, if it is one."""
    if not demanding.opcode:
        return demanding.name
    complaints = judge(demanding.opcode, demanding.kinds, version, target).complaints
    first = next((c for c in complaints if c.severity is Severity.ERROR), None)
    if first is None or first.part is not Part.MODIFIER:
        return demanding.name
    word = demanding.opcode.split(".")[1 + first.path[0]]
    return f"`.{word}` of {demanding.name}"


# --- trying it ----------------------------------------------------------------------------------------------------


def _try(
    module: Module, written: Written, version: Version, target: Target
) -> Generator[None, None, tuple[Version, tuple[Cause, ...]]]:
    """The first version from `version` on in which the module has no errors that it does not have as it is written.

    Also gives what is wrong one version earlier, where that is another one than `version`.
    """
    last = min(written.version or NEWEST, NEWEST)
    wrong = yield from _new_errors(module, written, version, target)
    # most often nothing is wrong; what no later version mends is not the version's fault
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
    """The errors that the module would have if it were written for this version and target, and does not have now."""
    if written.version_range is None or written.target_range is None:
        return []
    trial = Module(module.document.whole())
    # the target stands behind the version: its place is still what it was
    trial.edit(written.target_range, str(target))
    trial.edit(written.version_range, str(version))
    while not trial.work(SLICE):
        yield
    known = {(f.code, f.range.line) for f in module.findings() if f.severity is Severity.ERROR}
    errors = (f for f in trial.findings() if f.severity is Severity.ERROR)
    return [f for f in errors if (f.code, f.range.line) not in known]


def _written(module: Module) -> Written:
    """What the header says; the last architecture counts where there are several."""
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
