"""The settings of the user that change the analysis."""

from collections.abc import Mapping
from types import MappingProxyType

from ptx_lsp.findings.codes import is_off
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.targets import read_target
from ptx_lsp.isa.versions import Target, Version
from ptx_lsp.light_classes import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ptx_lsp.config.settings import Settings

UNCHANGED: Mapping[str, Severity | None] = MappingProxyType({})


class Checks(NamedTuple):
    """Settings that change which findings are shown.

    `severities` overrides the default severity of a code; None switches the code off. `maximum_version` is the highest
    PTX ISA version that the user's tools accept; a statement that needs a higher one is reported. `in_editor` is true
    if an editor shows the findings: some rules are off there. `target` is the target that the user compiles for: limits
    such as the size of shared memory are those of this target. None: those of the module's `.target`.
    """

    severities: Mapping[str, Severity | None] = UNCHANGED
    maximum_version: Version | None = None
    in_editor: bool = False
    target: Target | None = None

    def level(self, code: str, usual: Severity) -> Severity | None:
        """The severity of a finding of this code: `usual` unless a setting overrides it; None if the code is off."""
        if code in self.severities:
            return self.severities[code]
        return None if is_off(code, self.in_editor) else usual


def checks_of(settings: "Settings", ignored: frozenset[str] = frozenset(), *, in_editor: bool = False) -> Checks:
    """The checks that settings ask for, of a file in which the codes `ignored` are not reported."""
    maximum = settings.maximum_version
    return Checks(
        severities=settings.levels(ignored, in_editor=in_editor),
        maximum_version=None if maximum is None else Version(*maximum),
        in_editor=in_editor,
        target=read_target(settings.target),
    )
