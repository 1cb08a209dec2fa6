"""What of the user's settings matters to the features."""

from dataclasses import dataclass, field

from ptx_lsp.config.settings import Hints
from ptx_lsp.constants.authorities import Authority


@dataclass(frozen=True, slots=True)
class Choices:
    """By whose rules constants are evaluated, and which inlay hints are drawn."""

    authority: Authority = Authority.PTXAS
    hints: Hints = field(default_factory=Hints)


DEFAULT = Choices()
