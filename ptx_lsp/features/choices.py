"""The user's settings that the features read."""

from dataclasses import dataclass, field

from ptx_lsp.config.settings import Hints
from ptx_lsp.constants.authorities import Authority


@dataclass(frozen=True, slots=True)
class Choices:
    """The authority whose rules evaluate constants, and the inlay hints to show."""

    authority: Authority = Authority.PTXAS
    hints: Hints = field(default_factory=Hints)


DEFAULT = Choices()
