"""What a module's version or target lacks for something, in a few words for hovers, hints and completion.

A finding says more, and names the targets that a version knows: see `judgement/gates.py`.
"""

from ptx_lsp.isa.forms import Needs
from ptx_lsp.judgement.gates import gone, lowest_version, meets
from ptx_lsp.semantics.surroundings import Profile


def unmet_needs(needs: Needs, profile: Profile) -> str:
    """What the module lacks, `needs PTX ISA 8.0`; empty if it lacks nothing."""
    if gone(needs, profile.version, profile.target):
        return f"removed in PTX ISA {needs.removed[0].version}"
    if meets(needs, profile.version, profile.target):
        return ""
    lowest = lowest_version(needs, profile.target)
    if lowest is not None:
        return f"needs PTX ISA {lowest}"
    targets = dict.fromkeys(str(target) for each in needs.alternatives for target in each.targets)
    return f"needs {' or '.join(targets)}"
