"""Every version with each of its targets, and whether something is available there."""

from ptx_lsp.isa.forms import Needs
from ptx_lsp.isa.releases import RELEASES
from ptx_lsp.isa.targets import TARGETS, allows
from ptx_lsp.isa.versions import Target, Version
from tests.oracle.rendering import frame_works

PLACES = [(v, t) for t, since in TARGETS.items() for v in RELEASES if v >= since and frame_works(v, t)]


def has(needs: Needs, version: Version, target: Target) -> bool:
    """Whether a module of this version and target has something with these needs."""
    if not needs.alternatives:
        return True
    return any((a.version is None or a.version <= version) and allows(target, a.targets) for a in needs.alternatives)
