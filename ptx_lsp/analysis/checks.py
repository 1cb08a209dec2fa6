"""The settings of the user that change the analysis."""

from collections.abc import Mapping
from types import MappingProxyType

from ptx_lsp.findings.codes import is_off
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Version
from ptx_lsp.light_classes import NamedTuple

UNCHANGED: Mapping[str, Severity | None] = MappingProxyType({})


class Checks(NamedTuple):
    """Settings that change which findings are shown.

    `severities` overrides the default severity of a code; None switches the code off. `maximum_version` is the highest
    PTX ISA version that the user's tools accept; a statement that needs a higher one is reported. `in_editor` is true
    if an editor shows the findings: some rules are off there.
    """

    severities: Mapping[str, Severity | None] = UNCHANGED
    maximum_version: Version | None = None
    in_editor: bool = False

    def level(self, code: str, usual: Severity) -> Severity | None:
        """The severity of a finding of this code: `usual` unless a setting overrides it; None if the code is off."""
        if code in self.severities:
            return self.severities[code]
        return None if is_off(code, self.in_editor) else usual
