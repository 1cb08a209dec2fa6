"""What the user may choose about the analysis."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Version

UNCHANGED: Mapping[str, Severity | None] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Checks:
    """Choices that change which findings are shown.

    `severities` overrides the default severity of a code, None silences it. `maximum_version` is the highest PTX ISA
    version that the user's own tools take; a statement that needs more is reported.
    """

    severities: Mapping[str, Severity | None] = field(default_factory=lambda: UNCHANGED, hash=False)
    maximum_version: Version | None = None
