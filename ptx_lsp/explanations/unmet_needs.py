"""What a module's version or target lacks for something, in words."""

from ptx_lsp.isa.forms import Needs
from ptx_lsp.isa.targets import allows
from ptx_lsp.judgement.gates import gone
from ptx_lsp.semantics.surroundings import Profile


def unmet_needs(needs: Needs, profile: Profile) -> str:
    """What the module lacks, `needs PTX ISA 8.0`; empty if it lacks nothing."""
    if gone(needs, profile.version, profile.target):
        return f"removed in PTX ISA {needs.removed[0].version}"
    if not needs.alternatives:
        return ""
    reachable = [each for each in needs.alternatives if allows(profile.target, each.targets)]
    if any(each.version is None or each.version <= profile.version for each in reachable):
        return ""
    versions = [each.version for each in reachable if each.version is not None]
    if versions:
        return f"needs PTX ISA {min(versions)}"
    targets = dict.fromkeys(str(target) for each in needs.alternatives for target in each.targets)
    return f"needs {' or '.join(targets)}"
