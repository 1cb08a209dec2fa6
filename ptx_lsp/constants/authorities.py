"""Whose rules a constant expression is evaluated by: they disagree, and what ptxas does ends up in the GPU."""

from enum import Enum


class Authority(Enum):
    """A source of rules. People choose between PTXAS and ISA; the other two are the manual's own voices.

    ISA follows the manual's prose, and its Table 5 where the prose is silent.
    """

    PTXAS = "ptxas"  # observed: ptxas 12.0 to 13.5
    ISA = "isa"
    PROSE = "prose"  # integer-constant-expression-evaluation
    TABLE = "table"  # summary-of-constant-expression-evaluation-rules

    @property
    def title(self) -> str:
        """How people call it."""
        return _TITLES[self]


_TITLES = {
    Authority.PTXAS: "ptxas",
    Authority.ISA: "ISA",
    Authority.PROSE: "ISA prose",
    Authority.TABLE: "ISA Table 5",
}
