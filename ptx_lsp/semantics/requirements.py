"""The version and the target that a feature of the language needs: the first ones that have it."""

from ptx_lsp.isa.directives import directive
from ptx_lsp.isa.forms import Needs, Requirement
from ptx_lsp.isa.releases import OLDEST, with_release
from ptx_lsp.isa.targets import allows, first_version, read_targets
from ptx_lsp.isa.versions import Target, Version, version_of
from ptx_lsp.light_classes import NamedTuple, lru_cache
from ptx_lsp.memo import forgettable
from ptx_lsp.semantics.surroundings import Profile, Surroundings

ABOVE_MAXIMUM = "above-maximum-version"


class Feature(NamedTuple):
    """A feature and its needs; `name` is its name in messages."""

    name: str
    needs: Needs


# feature, first version, lowest target (0: all); observed: ptxas 13.5, "Feature '...' requires ..."
# The needs of other directives are in `isa/rows/directives.isa`. `.common` is also here, because ptxas accepts it for
# every target, while the manual says `sm_20`; `.local_maxnreg`, `.hidden` and `.metadata_domain` are only here, because
# the manual does not have them.
_ROWS = """
.local_maxnreg                              8.8  0
.hidden                                     8.8  0
.metadata_domain                            9.5  107f
used_bytes_mask                             8.3  50
enable_smem_spilling                        8.7  75
frequency                                   9.0  0
mma_throughput                              9.3  0
abi_param_reg                               6.3  30
local_maxnreg                               6.3  30
the pragma `next knob`                      6.5  0
the pragma `global knob`                    7.1  0
.common                                     5.0  0
.b128                                       8.3  70
.f16x2                                      4.2  53
.texref                                     1.5  0
.samplerref                                 1.5  0
.surfref                                    1.5  0
a numbered bank of `.const`                 1.5  0
a kernel parameter list                     1.4  0
a kernel declared without a body            3.0  0
a `.param` parameter of a function          2.0  20
an unsized array parameter                  5.1  30
more than 4352 bytes of kernel parameters   8.1  70
a time stamp in `.file`                     3.2  0
a `.loc` with `inlined_at`                  7.0  0
a label inside a `.section`                 7.0  0
a label with an addend in a `.section`      3.2  0
a difference of labels in a `.section`      7.5  0
a negative number in a `.section`           7.5  0
a byte mask in an initialiser               7.1  0
`generic()` in an initialiser               3.1  0
an address as initial value                 2.1  0
a function as initial value                 2.1  20
a kernel as initial value                   3.1  35
debug                                       3.0  0
texmode_independent                         1.5  0
"""


def since(feature: str) -> Version:
    """The first PTX version that has a feature: a name of the table or a directive. Raises KeyError for other names."""
    return _feature(feature).needs.alternatives[0].version or OLDEST


def _read(row: str) -> Feature:
    name, version, target = row.rsplit(None, 2)
    word = " " not in name  # a word of PTX, not a description
    shown = f"`{name}`" if word else name
    targets = read_targets(() if target == "0" else (f"sm_{target}",))
    return Feature(shown, Needs((Requirement(version_of(version), targets),)))


def _key(row: str) -> str:
    return row.rsplit(None, 2)[0]


_FEATURES: dict[str, Feature] = {_key(row): _read(row) for row in _ROWS.strip().splitlines()}


def _feature(name: str) -> Feature:
    """The feature with this name: of the table, else the directive. Raises KeyError for other names."""
    if name in _FEATURES:
        return _FEATURES[name]
    found = directive(name)
    if found is None:
        raise KeyError(name)
    return Feature(f"`{name}`", found.needs)


def require(feature: str, start: int, end: int, surroundings: Surroundings) -> bool:
    """Whether the module's `.version` and `.target` have a `feature`; report it if they do not.

    `feature` is a name of the table or a directive. Nothing is reported for other names: every version has them.
    """
    if feature not in _FEATURES and directive(feature) is None:
        return True
    found = _feature(feature)
    if not found.needs.alternatives:
        return True
    return require_needs(found.name, found.needs, start, end, surroundings)


def require_needs(name: str, needs: Needs, start: int, end: int, surroundings: Surroundings) -> bool:
    """Whether the module's `.version` and `.target` have a feature with these needs; report it if they do not.

    `name` is its name in messages, with backquotes if it is a word of PTX. The message
    names the lowest of several versions and targets.
    """
    if surroundings.needs is not None:
        from ptx_lsp.semantics.need_sets import StatementNeeds  # only if the needs of a module are collected

        surroundings.needs.append(StatementNeeds(name, ((needs,),), surroundings.mark(start, end)))
    profile = surroundings.profile
    if is_met(needs, profile):
        return True
    targets = {target for each in needs.alternatives for target in each.targets}
    reached = [each for each in needs.alternatives if allows(profile.target, each.targets)]
    version = min((each.version or OLDEST for each in reached or needs.alternatives), default=OLDEST)
    is_old = profile.version < version and not is_of_target(version, profile)
    if targets and not reached:
        lowest = min(targets)
        more = f" and PTX ISA {with_release(version)}" if is_old else ""
        is_for = f"`{profile.target}`, version {profile.version}" if is_old else f"`{profile.target}`"
        message = f"{name} needs `{lowest}` or later{more}; this module is for {is_for}"
        data = {"target": str(lowest)} | ({"version": str(version)} if is_old else {})
        surroundings.report("requires-target", start, end, message, data=data)
    elif is_old:
        message = f"{name} needs PTX ISA {with_release(version)}; this module is version {profile.version}"
        surroundings.report("requires-version", start, end, message, data={"version": str(version)})
    elif profile.version >= version and profile.maximum is not None and version > profile.maximum:
        above_maximum(name, version, start, end, surroundings)
    return False


def is_of_target(version: Version, profile: Profile) -> bool:
    """Whether the module's target needs this version too: a lower one is reported there, and that is enough.

    A fragment has no `.version` and no `.target` of its own: nothing is reported there.
    """
    first = first_version(profile.target) if profile.written is not None else None
    return first is not None and version <= first


def is_met(needs: Needs, profile: Profile) -> bool:
    """Whether a module with this version and target, and its limit for the version, has a feature with these needs."""
    return _is_met(needs, profile.version, profile.target, profile.maximum)


def has(feature: str, profile: Profile) -> bool:
    """Whether a module with this version and target has a `feature`: a name of the table or a directive."""
    return is_met(_feature(feature).needs, profile)


@forgettable
@lru_cache(maxsize=4096)
def _is_met(needs: Needs, version: Version, target: Target, maximum: Version | None) -> bool:
    # most needs are met; this test takes a tenth of the time of the exact one
    if not needs.alternatives:
        return True
    reached = [each for each in needs.alternatives if allows(target, each.targets)]
    first = min((each.version or OLDEST for each in reached), default=None)
    return first is not None and first <= version and (maximum is None or first <= maximum)


def above_maximum(name: str, version: Version, start: int, end: int, surroundings: Surroundings) -> None:
    """Report something that needs a version above the one that is set as the maximum."""
    maximum = surroundings.profile.maximum
    message = f"{name} needs PTX ISA {with_release(version)}, and {maximum} is set as the highest version"
    surroundings.report(ABOVE_MAXIMUM, start, end, message, data={"version": str(version)})
