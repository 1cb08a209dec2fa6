"""What the user may choose about the analysis."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ptx_lsp.findings.codes import is_off
from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Version

UNCHANGED: Mapping[str, Severity | None] = MappingProxyType({})


class Checks(NamedTuple):
    """Choices that change which findings are shown.

    `severities` overrides the default severity of a code, None silences it. `maximum_version` is the highest PTX ISA
    version that the user's own tools take; a statement that needs more is reported. `in_editor` is True if an editor
    shows the findings: some rules are off there.
    """

    severities: Mapping[str, Severity | None] = UNCHANGED
    maximum_version: Version | None = None
    in_editor: bool = False

    def level(self, code: str, usual: Severity) -> Severity | None:
        """How severe a finding of this code is: `usual` unless something else is chosen; None if the code is off."""
        if code in self.severities:
            return self.severities[code]
        return None if is_off(code, self.in_editor) else usual
