"""What the user may choose about the analysis."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ptx_lsp.findings.finding import Severity
from ptx_lsp.isa.versions import Version

UNCHANGED: Mapping[str, Severity | None] = MappingProxyType({})


class Checks(NamedTuple):
    """Choices that change which findings are shown.

    `severities` overrides the default severity of a code, None silences it. `maximum_version` is the highest PTX ISA
    version that the user's own tools take; a statement that needs more is reported.
    """

    severities: Mapping[str, Severity | None] = UNCHANGED
    maximum_version: Version | None = None
