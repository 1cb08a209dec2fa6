"""The target architectures: the first version of each, and the targets that satisfy a requirement."""

from ptx_lsp.isa.versions import Target, Version, version_of
from ptx_lsp.light_classes import Iterable
from ptx_lsp.patterns import lazy_pattern

_ROWS = """
10 1.0   11 1.0   12 1.2   13 1.2   20 2.0   21 2.0   30 3.0   32 4.0   35 3.1   37 4.1   50 4.0   52 4.1   53 4.2
60 5.0   61 5.0   62 5.0   70 5.1   72 6.1   75 6.3   80 7.0   86 7.1   87 7.4   88 9.0   89 7.8   90 7.8   90a 8.0
100 8.6  100a 8.6  100f 8.8  101 8.6  101a 8.6  101f 8.8  103 8.8  103a 8.8  103f 8.8
107 9.4  107a 9.4  107f 9.4  110 9.0  110a 9.0  110f 9.0  120 8.7  120a 8.7  120f 8.8  121 8.8  121a 8.8  121f 8.8
"""

_TARGET = lazy_pattern(r"(?:sm|compute)_([0-9]{1,4})([af]?)")

FAMILIES = (frozenset((100, 103, 107)), frozenset((101, 110)), frozenset((120, 121)))
"""Chips of one family: a feature of `sm_100f` also exists on the later members, on their `a` and `f` targets."""


def read_target(text: str) -> Target | None:
    """The architecture named by `sm_90a`, or None; `compute_90a` is a synonym."""
    found = _TARGET.fullmatch(text)
    return Target(int(found[1]), found[2]) if found else None


def read_targets(names: Iterable[str]) -> tuple[Target, ...]:
    """The architectures with these names, in their order; what is no name of one is left out."""
    return tuple(found for name in names if (found := read_target(name)) is not None)


def _read(name: str, version: str) -> tuple[Target, Version]:
    # without an expression, as this is done whenever the program starts
    return Target(int(name.rstrip("af")), name.lstrip("0123456789")), version_of(version)


_WORDS = _ROWS.split()

TARGETS: dict[Target, Version] = dict(map(_read, _WORDS[::2], _WORDS[1::2]))
"""Every known target with the first `.version` that accepts it (observed: ptxas 13.5)."""

FIRST_WITH_DOUBLES = 13
"""The number of the first target with `.f64`."""

UNDOCUMENTED = {Target(82, ""): Version(6, 2)}
"""Targets that ptxas parses but neither compiles for nor documents, with the first `.version` that accepts them."""


def first_version(target: Target) -> Version | None:
    """The first `.version` that accepts this target; None if ptxas does not know it."""
    return TARGETS.get(target) or UNDOCUMENTED.get(target)


def satisfies(target: Target, required: Target) -> bool:
    """Whether a module for `target` has the features of `required`.

    The features of a plain `sm_90` exist on every later number, those of `sm_90a` on that target alone, those of
    `sm_100f` on the `a` and `f` targets of the same family with the same or a later number.
    """
    if not required.suffix:
        return target.number >= required.number
    if required.suffix == "a":
        return target == required
    family = next((f for f in FAMILIES if required.number in f), frozenset((required.number,)))
    return bool(target.suffix) and target.number in family and target.number >= required.number


def allows(target: Target, required: tuple[Target, ...]) -> bool:
    """Whether `target` satisfies one of several requirements; true if there is no requirement."""
    return not required or any(satisfies(target, r) for r in required)


RENAMED = {101: (110, Version(9, 0))}
"""Renamed targets: the new number of a target and the version that introduced it (PTX ISA, release notes of 9.0)."""


def compiles_for(written: Target, chip: Target) -> bool:
    """Whether a module of `.target written` can be compiled for `chip`. Observed: ptxas 13.5.

    A plain target compiles for every later one, `sm_100f` for every target of its family from its number on, `sm_90a`
    for itself alone. Both names of a renamed target are one.
    """
    first, last = (RENAMED[each.number][0] if each.number in RENAMED else each.number for each in (written, chip))
    if written.suffix == "a":
        return chip.suffix == "a" and first == last
    if written.suffix == "f" and not any({written.number, chip.number} <= family for family in FAMILIES):
        return False
    return chip.number >= written.number or first == last


def nameable(required: Iterable[Target], version: Version) -> tuple[Target, ...]:
    """The targets that a module of `version` can name to have the features of any of `required`, in order.

    Only the lowest one of targets that include one another is named; a chip with two names has that of the version.
    """
    known = [target for target, first in TARGETS.items() if first <= version and not _is_renamed(target, version)]
    return lowest_targets(target for target in known if allows(target, tuple(required)))


def lowest_targets(targets: Iterable[Target]) -> tuple[Target, ...]:
    """The targets that include no other one of these, in order."""
    found = sorted(targets)
    return tuple(t for t in found if not any(t != other and satisfies(t, other) for other in found))


def _is_renamed(target: Target, version: Version) -> bool:
    number, since = RENAMED.get(target.number, (0, version))
    if number:
        return version >= since
    return any(target.number == new and version < when for new, when in RENAMED.values())
